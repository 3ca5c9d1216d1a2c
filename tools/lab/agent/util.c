// SPDX-License-Identifier: GPL-2.0
/* Errors, memory, names, files. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"

/* Series are written in pieces of this size: each write is a host call */
#define OUTPUT_BUFFER	(1024 * 1024)

void power_off(void)
{
	fflush(NULL);
	sync();
	reboot(RB_POWER_OFF);
	/* only if this is not init: a trial run outside the guest */
	_exit(1);
}

/* Report what went wrong, on which line of the plan, and end the run */
static void fail_with(const char *what, const char *why)
{
	unsigned int line;
	const char *text = plan_where(&line);

	if (text)
		say("@error plan line %u: %s: %s%s%s", line, text, what,
		    why ? ": " : "", why ? why : "");
	else
		say("@error %s%s%s", what, why ? ": " : "", why ? why : "");
}

void fail(const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	fail_with(what, NULL);
	power_off();
}

void fail_errno(const char *fmt, ...)
{
	int err = errno;
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	fail_with(what, strerror(err));
	power_off();
}

/* One line on the console, for the host to read at once */
void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void *zalloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		fail_errno("%zu bytes of memory", size);
	return memory;
}

/* Room for one more element: doubles the array whenever count is a power of 2 */
void *grow(void *array, size_t count, size_t size)
{
	size_t room;

	if (count & (count - 1))
		return array;
	room = count ? 2 * count : 1;
	array = realloc(array, room * size);
	if (!array)
		fail_errno("%zu bytes of memory", room * size);
	return array;
}

/* FNV-1a, 32 bit */
static unsigned int name_hash(const char *name)
{
	u32 hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* The slot that holds @name, or the empty one where it belongs */
static unsigned int *name_slot(const struct names *names, const char *name)
{
	unsigned int i = name_hash(name) & (names->slots - 1);

	while (names->slot[i] && strcmp(names->name[names->slot[i] - 1], name))
		i = (i + 1) & (names->slots - 1);
	return &names->slot[i];
}

/* Keep the table at most half full, so that searches stay short and end */
static void names_rehash(struct names *names)
{
	unsigned int i;

	free(names->slot);
	names->slots = names->slots ? 2 * names->slots : 64;
	names->slot = zalloc(names->slots * sizeof(*names->slot));
	for (i = 0; i < names->count; i++)
		*name_slot(names, names->name[i]) = i + 1;
}

void names_add(struct names *names, const char *name)
{
	if (names_find(names, name) >= 0)
		fail("\"%s\" is there already", name);
	names->name = grow(names->name, names->count, sizeof(*names->name));
	names->name[names->count++] = name;
	if (2 * names->count > names->slots)
		names_rehash(names);
	else
		*name_slot(names, name) = names->count;
}

int names_find(const struct names *names, const char *name)
{
	return names->slots ? (int)*name_slot(names, name) - 1 : -1;
}

/* A whole file with a 0 behind it; NULL (and errno) if it cannot be read */
char *read_file(const char *path, size_t *len)
{
	size_t have = 0, room = 65536;
	char *text = malloc(room + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	while (text && fd >= 0 && (got = read(fd, text + have, room - have)) > 0) {
		have += got;
		if (have == room)
			text = realloc(text, (room *= 2) + 1);
	}
	if (fd >= 0)
		close(fd);
	if (got < 0 || !text) {
		free(text);
		return NULL;
	}
	text[have] = '\0';
	*len = have;
	return text;
}

FILE *open_output(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		fail_errno("%s", path);
	setvbuf(file, NULL, _IOFBF, OUTPUT_BUFFER);
	return file;
}

void close_output(FILE *file, const char *path)
{
	if (ferror(file) || fclose(file))
		fail_errno("writing %s", path);
}
