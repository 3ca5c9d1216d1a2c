// SPDX-License-Identifier: GPL-2.0
/* dccstat: the command line; see dccstat(1). */
#include <stdio.h>
#include <sys/stat.h>

#include "../replay/csv.h"
#include "dccstat.h"

static const char usage[] =
"dccstat [--all] [--once] [--interval MS] [--json] [--no-trace] [FILTER]\n"
"dccstat counters [--json]\n"
"dccstat record [--labels] [--out DIR] [--for SECONDS] [--flows N] [FILTER]\n"
"dccstat replay FILE... [--picture FILE.svg] [--perfetto FILE.json]\n"
"dccstat labels FILE... [--every MS] [--most N] [--json]\n"
"dccstat ways FILE... [--out FILE] [--of N]\n"
"dccstat blame FILE... --ways FILE ... [--names FILE] [--json]\n"
"dccstat doctor [--json] [HOST [--paths] [--peer [--port PORT]]]\n"
"dccstat answer [--port PORT] [--for SECONDS]\n"
"dccstat --version\n"
"FILTER, as in ss: [state S] [exclude S] [sport|dport = :PORT] [src|dst ADDRESS]\n"
"                  [cc NAME] [and|or|not ( )]; see dccstat(1)\n";

static const struct {
	const char *name;
	int (*run)(int count, char **words);
} commands[] = {
	{ "counters", counters_main }, { "record", record_main },
	{ "replay", replay_main }, { "doctor", doctor_main },
	{ "labels", labels_main }, { "ways", ways_main }, { "blame", blame_main },
	{ "answer", answer_main },
};

static void remove_words(int *count, char ***words, int at, int n)
{
	int i;

	for (i = at; i + n < *count; i++)
		(*words)[i] = (*words)[i + n];
	*count -= n;
}

/* Is "--name" there? Then it is taken out. */
bool take_flag(int *count, char ***words, const char *name)
{
	int i;

	for (i = 0; i < *count; i++)
		if (!strcmp((*words)[i], name)) {
			remove_words(count, words, i, 1);
			return true;
		}
	return false;
}

/* The word behind the first "--name", both taken out; NULL: it is not there. */
const char *take_next(int *count, char ***words, const char *name)
{
	const char *value;
	int i;

	for (i = 0; i < *count; i++) {
		if (strcmp((*words)[i], name))
			continue;
		if (i + 1 == *count)
			fail("%s: its value is missing", name);
		value = (*words)[i + 1];
		if (!strncmp(value, "--", 2))
			fail("%s: its value is missing before '%s'", name, value);
		remove_words(count, words, i, 2);
		return value;
	}
	return NULL;
}

/* The same of what may be there once. */
const char *take_value(int *count, char ***words, const char *name)
{
	const char *value = take_next(count, words, name);

	if (value && take_next(count, words, name))
		fail("%s is given twice", name);
	return value;
}

u64 take_number(int *count, char ***words, const char *name, u64 deflt, u64 low, u64 high)
{
	const char *text = take_value(count, words, name);
	u64 value = deflt;

	if (text && (text_number(text, &value) || value < low || value > high))
		fail("%s: '%s'; allowed: %llu to %llu", name, text, (unsigned long long)low,
		     (unsigned long long)high);
	return value;
}

/* What is left and begins with "--" is not understood. */
void no_more_options(int count, char **words)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strncmp(words[i], "-", 1))
			fail("unknown option '%s'; dccstat --help lists all", words[i]);
}

struct file {
	dev_t dev;
	ino_t ino;
	const char *path;
};

static int compare_files(const void *a, const void *b)
{
	const struct file *one = a, *other = b;

	if (one->dev != other->dev)
		return one->dev < other->dev ? -1 : 1;
	return (one->ino > other->ino) - (one->ino < other->ino);
}

/* What is in a file twice would count twice. Those that cannot be read are told of later. */
void no_file_twice(int count, char **words)
{
	struct file *at = calloc((size_t)max(count, 1), sizeof(*at));
	int i, files = 0;
	struct stat st;

	if (!at)
		cannot("no memory for %d files", count);
	for (i = 0; i < count; i++)
		if (!stat(words[i], &st) && S_ISREG(st.st_mode))
			at[files++] = (struct file) { st.st_dev, st.st_ino, words[i] };
	qsort(at, (size_t)files, sizeof(*at), compare_files);
	for (i = 1; i < files; i++)
		if (!compare_files(&at[i - 1], &at[i]))
			fail("a file is given twice: %s; allowed: each once", at[i].path);
	free(at);
}

/*
 * What was printed may not have arrived yet, or could not, or whoever read has seen
 * enough: that ends the program, with this exit status.
 */
void flush_results(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	if (errno == EPIPE)
		exit(status);
	cannot("the results cannot be written: %s", strerror(errno));
}

static int run(int count, char **words)
{
	size_t i;

	for (i = 0; count && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(words[0], commands[i].name))
			return commands[i].run(count - 1, words + 1);
	return live_main(count, words);
}

int main(int argc, char **argv)
{
	int count = argc - 1, status = 0;
	char **words = argv + 1;

	if (take_flag(&count, &words, "--help") || (count && !strcmp(words[0], "-h")))
		fputs(usage, stdout);
	else if (count && !strcmp(words[0], "--version"))
		puts("dccstat " VERSION);
	else
		status = run(count, words);
	flush_results(status);
	return status;
}
