// SPDX-License-Identifier: GPL-2.0
/* The command "replay": what was recorded, as numbers, as a picture, for Perfetto. */
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "dccstat.h"
#include "decisions.h"
#include "io.h"
#include "table.h"

#define SHELL_NOT_FOUND	127
#define SHARE_TEXT	16	/* ", " before a name, " 100.0 %" behind it, ", ..." */

/* How often each rule fired, the most frequent first. */
static void say_rules(const struct decisions *all, const struct track *track, char *text,
		      size_t size)
{
	size_t count[RULES_MOST] = { 0 }, len = 0, i;
	u32 rule, most;

	for (i = 0; i < track->count; i++)
		count[track->at[i].rule]++;
	for (;;) {
		for (rule = 1, most = 0; rule < all->rules; rule++)
			if (count[rule] > count[most])
				most = rule;
		if (!count[most])
			return;
		if (len + strlen(all->rule[most]) + SHARE_TEXT > size) {
			snprintf(text + len, size - len, ", ...");
			return;
		}
		len += (size_t)snprintf(text + len, size - len, "%s%s %.1f %%",
					len ? ", " : "", all->rule[most],
					100.0 * (double)count[most] / (double)track->count);
		count[most] = 0;
	}
}

/* Mean of the delays that there were. */
static u64 mean_delay(const struct track *track)
{
	u64 sum = 0, n = 0;
	size_t i;

	for (i = 0; i < track->count; i++) {
		sum += track->at[i].delay;
		n += track->at[i].delay != 0;
	}
	return n ? sum / n : 0;
}

static u64 losses_of(const struct track *track)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < track->count; i++)
		sum += track->at[i].losses;
	return sum;
}

static void summarise(const struct decisions *all)
{
	static const char *const head[] = {
		"FLOW", "CC", "ACKS", "TIME", "MEAN DELAY", "LOST", "RULES",
	};
	struct table table = { .columns = ARRAY_SIZE(head) };
	char (*row)[CELL_TEXT] = table_row(&table);
	u32 i;

	for (i = 0; i < table.columns; i++)
		snprintf(row[i], CELL_TEXT, "%s", head[i]);
	for (i = 0; i < all->tracks; i++) {
		const struct track *track = &all->track[i];

		row = table_row(&table);
		snprintf(row[0], CELL_TEXT, "%s", track->name);
		snprintf(row[1], CELL_TEXT, "%s", track->alg);
		snprintf(row[2], CELL_TEXT, "%zu", track->count);
		text_ns(track->at[track->count - 1].now - track->at[0].now, row[3], CELL_TEXT);
		text_ns(mean_delay(track), row[4], CELL_TEXT);
		snprintf(row[5], CELL_TEXT, "%llu", (unsigned long long)losses_of(track));
		say_rules(all, track, row[6], CELL_TEXT);
	}
	table_print(&table, stdout);
	table_free(&table);
}

static void write_perfetto(const struct decisions *all, const char *path)
{
	FILE *out;

	perfetto_check(all);
	out = out_open(path);
	perfetto_write(all, out);
	if (!out_close(out))
		cannot("%s: %s", path, strerror(errno));
	printf("%s: open it in ui.perfetto.dev\n", path);
}

/* gnuplot would go on, and draw on the standard output, if it could not write there. */
static void try_to_write(const char *path)
{
	FILE *out = out_open(path);

	fputc('\n', out);
	if (!out_close(out))
		cannot("%s: %s", path, strerror(errno));
}

/* And it misses a disk that is full: a picture without its end. True of what is no file. */
static bool is_whole(const char *path)
{
	static const char end[] = "</svg>";
	char text[16] = "";
	struct stat st;
	FILE *in;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return true;
	in = fopen(path, "r");
	if (!in)
		return false;
	if (fseek(in, -(long)(sizeof(text) - 1), SEEK_END))
		rewind(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	if (strstr(text, end))
		return true;
	unlink(path);
	return false;
}

static void make_picture(const struct decisions *all, const char *path)
{
	FILE *gnuplot;
	int status;

	try_to_write(path);
	signal(SIGPIPE, SIG_IGN);	/* it may not be there */
	gnuplot = popen("gnuplot", "w");
	if (!gnuplot)
		cannot("gnuplot: %s", strerror(errno));
	picture_script(all, path, gnuplot);
	status = pclose(gnuplot);
	if (!status && is_whole(path)) {
		printf("%s\n", path);
		return;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == SHELL_NOT_FOUND)
		cannot("gnuplot, which draws %s, is not here: sudo apt-get install gnuplot-nox",
		       path);
	cannot("gnuplot could not draw %s", path);
}

/**
 * replay_main() - the command "replay"
 * @count: of words
 * @words: options and files
 *
 * Return: the exit status.
 */
int replay_main(int count, char **words)
{
	const char *perfetto = take_value(&count, &words, "--perfetto");
	const char *picture = take_value(&count, &words, "--picture");
	struct decisions all = { 0 };
	int i;

	no_more_options(count, words);
	if (!count)
		fail("replay: which file? One of dccstat record, or the lab's acks.csv");
	for (i = 0; i < count; i++)
		decisions_read(&all, words[i]);
	if (!all.tracks)
		fail("%s: no row below the names of the columns", words[0]);
	summarise(&all);
	if (perfetto)
		write_perfetto(&all, perfetto);
	if (picture)
		make_picture(&all, picture);
	decisions_free(&all);
	return 0;
}
