// SPDX-License-Identifier: GPL-2.0
/* The counters of the whole machine. */
#include <dirent.h>
#include <stdio.h>

#include "../replay/csv.h"
#include "dccstat.h"
#include "io.h"
#include "json.h"

#define COUNTERS	"/sys/module/tcp_dcc/counters"
#define COUNTER_TEXT	32

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void say(const char *name, u64 value, json_t *object)
{
	if (object)
		json_object_set_new(object, name, json_integer((json_int_t)value));
	else
		printf("%-20s %llu\n", name, (unsigned long long)value);
}

/* All of them; false if one could not be read. */
static bool each(json_t *object)
{
	char path[PATH_TEXT], text[COUNTER_TEXT];
	struct dirent **entry;
	int i, n = scandir(COUNTERS, &entry, is_shown, alphasort);
	bool ok = true;
	u64 value;

	if (n < 0)
		cannot("%s: %s: sudo modprobe tcp_dcc", COUNTERS, strerror(errno));
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), COUNTERS "/%s", entry[i]->d_name);
		if (read_text(path, text, sizeof(text)) && !text_number(text, &value))
			say(entry[i]->d_name, value, object);
		else
			ok = false;
		free(entry[i]);
	}
	free(entry);
	return ok;
}

/**
 * counters_main() - the command "counters"
 * @count: of words
 * @words: options
 *
 * Return: the exit status.
 */
int counters_main(int count, char **words)
{
	json_t *object = take_flag(&count, &words, "--json") ? json_object() : NULL;
	bool ok;

	if (count)
		fail("counters: '%s'; allowed: --json", words[0]);
	ok = each(object);
	if (object)
		json_say(object, JSON_INDENT(1));
	if (ok)
		return 0;
	fprintf(stderr, "dccstat: counters are the administrator's: sudo dccstat counters\n");
	return EXIT_FAILED;
}
