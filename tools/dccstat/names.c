// SPDX-License-Identifier: GPL-2.0
/* Names of addresses; see names.h. */
#include <arpa/inet.h>
#include <stdio.h>

#include "../replay/csv.h"
#include "names.h"
#include "room.h"

#define BLANKS	" \t\r\n"

static void add(struct names *names, const struct in6_addr *address, const char *text)
{
	struct name *name;

	names->at = room_for_one(names->at, names->count, &names->room, sizeof(*names->at),
				 "names");
	name = &names->at[names->count++];
	name->address = *address;
	snprintf(name->text, sizeof(name->text), "%s", text);
}

/*
 * "ADDRESS NAME ..."; IPv4 has no labels, so nobody asks for its names. Behind a % may be a
 * link, as of fe80::1%eth0; records do not tell of any.
 */
static void take_line(struct names *names, const char *path, size_t number, char *line)
{
	char *address, *link, *name, *rest;
	struct in6_addr six;
	struct in_addr four;

	line[strcspn(line, "#")] = '\0';
	address = strtok_r(line, BLANKS, &rest);
	if (!address || inet_pton(AF_INET, address, &four) == 1)
		return;
	link = strchr(address, '%');
	if (link)
		*link = '\0';
	if (inet_pton(AF_INET6, address, &six) != 1) {
		if (link)
			*link = '%';
		fail("%s:%zu: '%s' is no address; allowed: ADDRESS NAME, as in hosts(5)",
		     path, number, address);
	}
	name = strtok_r(NULL, BLANKS, &rest);
	if (!name || strlen(name) >= NAME_TEXT)
		fail("%s:%zu: '%s' is no name; allowed: 1 to %d characters behind the address",
		     path, number, name ? name : "", NAME_TEXT - 1);
	add(names, &six, name);
}

/**
 * names_read() - read a file, beside those read before
 * @names: zeroed before the first
 * @path: as /etc/hosts
 *
 * Ends the program if anything is wrong with it.
 */
void names_read(struct names *names, const char *path)
{
	FILE *in = fopen(path, "r");
	size_t room = 0, number = 0;
	char *line = NULL;
	ssize_t len;

	if (!in)
		cannot("%s: %s", path, strerror(errno));
	while ((len = getline(&line, &room, in)) >= 0) {
		number++;
		if (strlen(line) != (size_t)len)
			fail("%s:%zu: a byte of 0; allowed: text", path, number);
		take_line(names, path, number, line);
	}
	if (ferror(in))
		cannot("%s: %s", path, strerror(errno));
	free(line);
	fclose(in);
}

/* The first one, as the resolver has it; NULL: none. */
const char *names_find(const struct names *names, const struct in6_addr *address)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		if (IN6_ARE_ADDR_EQUAL(&names->at[i].address, address))
			return names->at[i].text;
	return NULL;
}

void names_free(struct names *names)
{
	free(names->at);
	memset(names, 0, sizeof(*names));
}
