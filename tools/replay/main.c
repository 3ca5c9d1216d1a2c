// SPDX-License-Identifier: GPL-2.0
/*
 * replay: recorded or hand-written events through an algorithm that is built from the
 * same file as the kernel module; see replay(1).
 */
#include "csv.h"
#include "replay.h"

#define MAX_SETS	128

static const char usage[] =
	"usage: replay ALG FILE [--set KNOB=VALUE ...] [--state]\n"
	"       replay ALG --recorded FILE [--set NAME=VALUE ...] [--state]\n"
	"       replay oscar --batches FILE [--set NAME=VALUE ...]\n"
	"       replay ALG [--recorded | --batches] --knobs\n"
	"       replay ALG [--recorded | --batches] --columns\n"
	"       replay --version\n"
	"\n"
	"Feeds the events in FILE (CSV; - is the standard input) to an algorithm and\n"
	"prints what it decides, one line a row. With --recorded it compares\n"
	"the algorithm with a recording of the reference instead. With --batches each\n"
	"row is a closed batch of oscar, printed again with what follows from it.\n"
	"\n"
	"  --recorded         FILE is a recording\n"
	"  --batches          FILE has closed batches\n"
	"  --set NAME=VALUE   set a knob, or a constant of the recording or the batches\n"
	"  --state            print the state before each event, too\n"
	"  --knobs            list what --set takes\n"
	"  --columns          list what columns FILE may have\n"
	"\n"
	"algorithms:";

enum action { RUN, KNOBS, COLUMNS, HELP, TELL_VERSION };

/**
 * struct options - the command line
 * @alg: name of the algorithm
 * @path: the file
 * @set: what --set said
 * @sets: how often
 * @action: what to do
 * @recorded: is the file a recording?
 * @batches: are its rows closed batches?
 * @state: print the state before each event, too?
 */
struct options {
	const char *alg;
	const char *path;
	char *set[MAX_SETS];
	int sets;
	enum action action;
	bool recorded;
	bool batches;
	bool state;
};

/* A word that is no option: first the algorithm, then the file. */
static void read_word(struct options *o, const char *word)
{
	if (!o->alg)
		o->alg = word;
	else if (!o->path)
		o->path = word;
	else
		fail("'%s' is too much: one algorithm, one file", word);
}

static void read_option(struct options *o, char **argv, int *i)
{
	const char *word = argv[*i];

	if (!strcmp(word, "--recorded")) {
		o->recorded = true;
	} else if (!strcmp(word, "--batches")) {
		o->batches = true;
	} else if (!strcmp(word, "--state")) {
		o->state = true;
	} else if (!strcmp(word, "--knobs")) {
		o->action = KNOBS;
	} else if (!strcmp(word, "--columns")) {
		o->action = COLUMNS;
	} else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
		o->action = HELP;
	} else if (!strcmp(word, "--version")) {
		o->action = TELL_VERSION;
	} else if (!strcmp(word, "--set")) {
		if (!argv[*i + 1])
			fail("--set needs NAME=VALUE");
		if (o->sets == MAX_SETS)
			fail("more than %d times --set", MAX_SETS);
		o->set[o->sets++] = argv[++*i];
	} else {
		fail("unknown option '%s'; replay --help lists them", word);
	}
}

/* What a list has nothing to do with would be dropped silently. */
static void check_list(const struct options *o)
{
	const char *list = o->action == KNOBS ? "--knobs" : "--columns";

	if (o->path)
		fail("%s lists what there is; '%s' is too much", list, o->path);
	if (o->sets)
		fail("%s lists what there is; --set '%s' is too much", list, o->set[0]);
	if (o->state)
		fail("%s lists what there is; --state is too much", list);
}

static void read_options(struct options *o, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1])
			read_option(o, argv, &i);
		else
			read_word(o, argv[i]);
	}
	if (o->action == HELP || o->action == TELL_VERSION)
		return;
	if (!o->alg)
		fail("no algorithm is named; replay --help tells more");
	if (o->action != RUN)
		check_list(o);
	else if (!o->path)
		fail("no file is named; - is the standard input");
}

/* How the mode is asked for, for messages. */
static const char *mode(const struct options *o)
{
	return o->recorded ? " --recorded" : o->batches ? " --batches" : "";
}

/* Are there such files of this algorithm? */
static void check_mode(const struct options *o, const struct alg *alg)
{
	if (o->recorded && o->batches)
		fail("--recorded and --batches: a file is one or the other");
	if (o->recorded && !recorded_has(alg))
		fail("--recorded: there are recordings of nscc only, not of '%s'",
		     alg->of->name);
	if (o->batches && !batches_has(alg))
		fail("--batches: oscar only decides on batches, not '%s'",
		     alg->of->name);
	if (o->batches && o->state)
		fail("--state: with --batches a row is all there is of a state");
}

/* Apply NAME=VALUE to the algorithm's knobs or the file's constants. */
static void apply_set(const struct options *o, const struct alg *alg, char *text)
{
	char *value = strchr(text, '=');

	if (!value)
		fail("--set '%s': allowed: NAME=VALUE", text);
	*value++ = 0;
	if (o->recorded && recorded_set(text, value))
		return;
	if (o->batches && batches_set(text, value))
		return;
	if (!alg_set(alg, text, value))
		fail("unknown knob '%s'; replay %s%s --knobs lists them", text,
		     alg->of->name, mode(o));
}

static void list_knobs(const struct options *o, const struct alg *alg)
{
	if (o->recorded)
		recorded_settings(stdout);
	if (o->batches)
		batches_settings(stdout);
	alg_list_knobs(alg, o->recorded ? recorded_instead : NULL, stdout);
}

static void list_columns(const struct options *o, const struct alg *alg)
{
	if (o->recorded)
		recorded_columns(stdout);
	else if (o->batches)
		batches_columns(stdout);
	else
		plain_columns(alg, stdout);
}

/* Print only once all of the file was found good. */
static bool run(const struct options *o, const struct alg *alg)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool ok = true;

	if (!out)
		fail("no memory for the results");
	if (o->recorded)
		ok = recorded_run(alg, o->path, o->state, out);
	else if (o->batches)
		batches_run(o->path, out);
	else
		plain_run(alg, o->path, o->state, out);
	if (fclose(out))
		fail("no memory for the results");
	fwrite(text, 1, size, stdout);
	free(text);
	return ok;
}

/* The exit status, once all that was printed is where it is to be. */
static int finish(bool ok)
{
	if (fflush(stdout) || ferror(stdout))
		cannot("the results cannot be written: %s", strerror(errno));
	return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct options o = { .action = RUN };
	const struct alg *alg;
	bool ok = true;
	int i;

	read_options(&o, argc, argv);
	if (o.action == HELP) {
		fputs(usage, stdout);
		alg_list(stdout);
		return finish(true);
	}
	if (o.action == TELL_VERSION) {
		puts("replay " VERSION);
		return finish(true);
	}
	alg = alg_find(o.alg);
	check_mode(&o, alg);
	for (i = 0; i < o.sets; i++)
		apply_set(&o, alg, o.set[i]);
	if (o.action == KNOBS)
		list_knobs(&o, alg);
	else if (o.action == COLUMNS)
		list_columns(&o, alg);
	else
		ok = run(&o, alg);
	return finish(ok);
}
