/* SPDX-License-Identifier: GPL-2.0 */
/* Where the reading of a case is, and what is wrong there. */
#ifndef _NC_READER_H
#define _NC_READER_H

#include <stdint.h>

#define NC_PATH_MAX	1024

/**
 * struct nc_reader - a file that is read line by line
 * @path: the file
 * @line: the line at hand
 * @given: its keys that have been read, a bit each
 * @error: what is wrong, with file and line
 */
struct nc_reader {
	char path[NC_PATH_MAX];
	unsigned int line;
	uint64_t given;
	char error[2 * NC_PATH_MAX];
};

/* An error at the line at hand; always -EINVAL. */
__attribute__((format(printf, 2, 3)))
int nc_refuse(struct nc_reader *r, const char *format, ...);

#endif /* _NC_READER_H */
