// SPDX-License-Identifier: GPL-2.0
/* The command "labels": what became of each label, and when. */
#include <math.h>
#include <stdio.h>

#include "../replay/csv.h"
#include "cells.h"
#include "chance.h"
#include "dccstat.h"
#include "json.h"
#include "labels.h"
#include "table.h"

#define DEFAULT_MOST	20
#define MOST_LABELS	1000000
#define MOST_MS		86400000
#define ALL_TIME	U64_MAX

/**
 * struct view - how it is shown
 * @labels: all of them
 * @packets: of them together
 * @most: labels that are shown
 * @start: time of the first packet, ns
 * @every: a row for each so many ns; ALL_TIME: one for all
 */
struct view {
	struct labels labels;
	size_t packets;
	size_t most;
	u64 start;
	u64 every;
};

static void add_head(struct table *table, bool times)
{
	static const char *const head[] = {
		"SRC", "DST", "LABEL", "PACKETS", "LOST", "LOSS", "MARKED", "MEAN DELAY",
		"MEDIAN", "BY CHANCE", "TIME",
	};
	char (*row)[CELL_TEXT];
	u32 i;

	table->columns = ARRAY_SIZE(head) - !times;
	row = table_row(table);
	for (i = 0; i < table->columns; i++)
		snprintf(row[i], CELL_TEXT, "%s", head[i]);
}

static void add_row(struct table *table, const struct label *label, const struct label *part)
{
	struct cells_pair pair = cells_pair(label->first->src, label->first->dst);
	char (*row)[CELL_TEXT] = table_row(table);

	snprintf(row[0], CELL_TEXT, "%s", pair.from);
	snprintf(row[1], CELL_TEXT, "%s", pair.to);
	snprintf(row[2], CELL_TEXT, "%05x", label->first->label);
	snprintf(row[3], CELL_TEXT, "%zu", part->count);
	snprintf(row[4], CELL_TEXT, "%llu", (unsigned long long)part->lost);
	text_share(part->lost, part->count, row[5], CELL_TEXT);
	text_share(part->marked, part->count, row[6], CELL_TEXT);
	text_ns(part->mean, row[7], CELL_TEXT);
	text_ns(part->median, row[8], CELL_TEXT);
	snprintf(row[9], CELL_TEXT, "%.2g", exp(label->chance));
}

static struct label_walk walk_of(const struct view *view, const struct label *label)
{
	return (struct label_walk) {
		.whole = label, .start = view->start, .every = view->every,
	};
}

/* A label in each of its intervals in which it had a packet. */
static void add_times(struct table *table, const struct view *view, const struct label *label)
{
	struct label_walk walk = walk_of(view, label);
	struct label part;

	while (label_next(&walk, &part)) {
		add_row(table, label, &part);
		snprintf(table->cell[table->rows - 1][10], CELL_TEXT, "%.3f ms",
			 (double)(walk.from - view->start) / NSEC_PER_MSEC);
	}
}

static void print_text(const struct view *view)
{
	bool times = view->every != ALL_TIME;
	struct table table = { 0 };
	size_t i;

	add_head(&table, times);
	for (i = 0; i < min(view->most, view->labels.count); i++) {
		if (times)
			add_times(&table, view, &view->labels.at[i]);
		else
			add_row(&table, &view->labels.at[i], &view->labels.at[i]);
	}
	table_print(&table, stdout);
	table_free(&table);
	printf("%zu of %zu labels; %zu packets, %llu lost\n", min(view->most, view->labels.count),
	       view->labels.count, view->packets, (unsigned long long)view->labels.lost);
}

static json_t *json_part(const struct label *part)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "packets", (json_int_t)part->count,
			 "lost", (json_int_t)part->lost, "marked", (json_int_t)part->marked,
			 "mean_delay_ns", (json_int_t)part->mean, "median_delay_ns",
			 (json_int_t)part->median);
}

static json_t *json_times(const struct view *view, const struct label *label)
{
	struct label_walk walk = walk_of(view, label);
	json_t *list = json_array(), *object;
	struct label part;

	while (label_next(&walk, &part)) {
		object = json_part(&part);
		json_object_set_new(object, "from_ns", json_integer((json_int_t)walk.from));
		json_array_append_new(list, object);
	}
	return list;
}

static void print_json(const struct view *view)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < min(view->most, view->labels.count); i++) {
		const struct label *label = &view->labels.at[i];
		struct cells_pair pair = cells_pair(label->first->src, label->first->dst);
		json_t *object = json_part(label);

		json_object_set_new(object, "src", json_string(pair.from));
		json_object_set_new(object, "dst", json_string(pair.to));
		json_object_set_new(object, "label", json_integer(label->first->label));
		json_object_set_new(object, "by_chance", json_real(exp(label->chance)));
		if (view->every != ALL_TIME)
			json_object_set_new(object, "times", json_times(view, label));
		json_array_append_new(list, object);
	}
	json_say(json_pack("{s:i, s:I, s:I, s:I, s:o}", "version", JSON_VERSION, "packets",
			   (json_int_t)view->packets, "lost", (json_int_t)view->labels.lost,
			   "of_labels", (json_int_t)view->labels.count, "labels", list), 0);
}

static u64 first_time(const struct heards *all)
{
	u64 first = all->at[0].now;
	size_t i;

	for (i = 1; i < all->count; i++)
		first = min(first, all->at[i].now);
	return first;
}

/**
 * labels_main() - the command "labels"
 * @count: of words
 * @words: options and files
 *
 * Return: the exit status.
 */
int labels_main(int count, char **words)
{
	u64 every = take_number(&count, &words, "--every", 0, 1, MOST_MS);
	struct view view = {
		.most = take_number(&count, &words, "--most", DEFAULT_MOST, 1, MOST_LABELS),
		.every = every ? every * NSEC_PER_MSEC : ALL_TIME,
	};
	bool json = take_flag(&count, &words, "--json");
	struct heards all = { 0 };
	int i;

	no_more_options(count, words);
	if (!count)
		fail("labels: which file? One of dccstat record --labels, or the lab's labels.csv");
	no_file_twice(count, words);
	for (i = 0; i < count; i++)
		heard_read(&all, words[i]);
	if (!all.count)
		fail("%s: no row below the names of the columns", words[0]);
	labels_sum(&view.labels, &all);
	view.packets = all.count;
	view.start = first_time(&all);
	if (json)
		print_json(&view);
	else
		print_text(&view);
	labels_free(&view.labels);
	heard_free(&all);
	return 0;
}
