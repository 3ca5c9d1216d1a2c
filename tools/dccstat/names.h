/* SPDX-License-Identifier: GPL-2.0 */
/* Names of addresses, from files as hosts(5) has it. Pure. */
#ifndef _DCCSTAT_NAMES_H
#define _DCCSTAT_NAMES_H

#include <netinet/in.h>
#include <stddef.h>

#define NAME_TEXT	64	/* longest, its end included */

/**
 * struct name - of an address
 * @address: it
 * @text: its first name
 */
struct name {
	struct in6_addr address;
	char text[NAME_TEXT];
};

/**
 * struct names - of some files
 * @at: they, in the order of the files
 * @count: how many
 * @room: for how many there is memory
 */
struct names {
	struct name *at;
	size_t count;
	size_t room;
};

void names_read(struct names *names, const char *path);
const char *names_find(const struct names *names, const struct in6_addr *address);
void names_free(struct names *names);

#endif /* _DCCSTAT_NAMES_H */
