// SPDX-License-Identifier: GPL-2.0
/* The command "ways": which way did packets go that were heard of? */
#include <stdio.h>

#include "../replay/csv.h"
#include "dccstat.h"
#include "io.h"
#include "ways.h"

#define DEFAULT_FILE	"ways.csv"
#define DEFAULT_OF	64

/**
 * ways_main() - the command "ways"
 * @count: of words
 * @words: options and files
 *
 * Return: the exit status: 1 if nothing was found out.
 */
int ways_main(int count, char **words)
{
	const char *path = take_value(&count, &words, "--out");
	u32 of = (u32)take_number(&count, &words, "--of", DEFAULT_OF, 1, WAYS_OF_MOST);
	struct heards all = { 0 };
	struct ways ways = { 0 };
	size_t known;
	FILE *out;
	int i;

	no_more_options(count, words);
	if (!count)
		fail("ways: which file? One of dccstat record --labels, or the lab's labels.csv");
	no_file_twice(count, words);
	for (i = 0; i < count; i++)
		heard_read(&all, words[i]);
	ways_choose(&ways, &all, of);
	heard_free(&all);
	catch_signals();
	known = ways_ask(&ways);
	path = path ? path : DEFAULT_FILE;
	out = out_open(path);
	ways_write(&ways, out);
	if (!out_close(out))
		cannot("%s: %s", path, strerror(errno));
	printf("%s: %zu of %zu ways from here known\n", path, known, ways.count);
	ways_free(&ways);
	return known ? 0 : EXIT_FAILED;
}
