// SPDX-License-Identifier: GPL-2.0
/* Files of results: opened and written whole, or the program says why not. */
#include <fcntl.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"

/**
 * out_open() - a file that the user named, its old content gone
 * @path: which; may be a device or a pipe
 *
 * Ends the program if it cannot be written.
 */
FILE *out_open(const char *path)
{
	FILE *out = fopen(path, "we");

	if (!out)
		cannot("%s: %s", path, strerror(errno));
	return out;
}

/**
 * out_open_named() - a file whose name is ours
 * @path: which
 *
 * Nobody chose to write through what stands there already: in a folder of somebody
 * else a link would have root write where he wants.
 */
FILE *out_open_named(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		cannot("%s: %s", path, errno == ELOOP ? "it is a symbolic link; remove it"
						      : strerror(errno));
	return out;
}

/**
 * out_close() - a file is complete
 * @out: it
 *
 * Return: true if all that was written is there; if not, errno says why.
 */
bool out_close(FILE *out)
{
	bool before = ferror(out);
	bool whole = !fclose(out);

	if (whole && before)
		errno = EIO;
	return whole && !before;
}
