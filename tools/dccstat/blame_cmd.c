// SPDX-License-Identifier: GPL-2.0
/* The command "blame". */
#include <math.h>
#include <stdio.h>

#include "../replay/csv.h"
#include "blame.h"
#include "cells.h"
#include "dccstat.h"
#include "json.h"
#include "names.h"

#define LINK_TEXT	(2 * (NAME_TEXT + INET6_ADDRSTRLEN + 3) + 4)
#define PERCENT		100.0

/* Of addresses, for those who read. */
static struct names names;

static bool is_any(const struct link *link)
{
	return link->lost;
}

static int text_end(const struct in6_addr *end, const char *address, char *text, size_t size)
{
	const char *name = names_find(&names, end);

	return name ? snprintf(text, size, "%s (%s)", name, address) :
		      snprintf(text, size, "%s", address);
}

/* A switch may have many links to another, and its addresses tell them apart. */
static const char *text_link(const struct link *link, char text[LINK_TEXT])
{
	struct cells_pair pair = cells_pair(&link->from, &link->to);
	int len = text_end(&link->from, pair.from, text, LINK_TEXT);

	len += snprintf(text + len, LINK_TEXT - (size_t)len, " > ");
	text_end(&link->to, pair.to, text + len, LINK_TEXT - (size_t)len);
	return text;
}

/* How many times better one link explains the losses than another. */
static double times(const struct link *one, const struct link *other)
{
	return exp(fmin(one->gain - other->gain, log(1e300)));
}

static void print_blamed(const struct blamed *b, u32 of)
{
	char text[LINK_TEXT];
	u32 i;

	printf("%s loses %.2g %% (%.2g to %.2g %%)\n", text_link(&b->link, text),
	       PERCENT * b->rate, PERCENT * b->low, PERCENT * b->high);
	printf("    %llu lost packets crossed it, and some %llu that arrived; by chance: %.1g\n",
	       (unsigned long long)b->link.lost, (unsigned long long)(b->link.came * of),
	       exp(b->link.chance));
	for (i = 0; i < min_t(u32, b->alikes, ALIKE_MOST); i++)
		printf("    or it is %s: not told apart\n", text_link(&b->alike[i], text));
	if (b->alikes > ALIKE_MOST)
		printf("    or one of %u others\n", b->alikes - ALIKE_MOST);
	if (is_any(&b->next))
		printf("    next: %s, %.1g times less likely\n", text_link(&b->next, text),
		       times(&b->link, &b->next));
}

static void print_text(const struct blame *blame, u32 of)
{
	char text[LINK_TEXT];
	u32 i;

	printf("%llu packets lost, the way of %llu is known; %u links\n",
	       (unsigned long long)blame->lost, (unsigned long long)blame->placed, blame->links);
	for (i = 0; i < blame->count; i++)
		print_blamed(&blame->at[i], of);
	if (blame->count)
		return;
	if (is_any(&blame->best))
		printf("no link stands out: %s lost %llu of them, by chance: %.1g\n",
		       text_link(&blame->best, text), (unsigned long long)blame->best.lost,
		       exp(blame->best.chance));
	else
		printf("no link stands out\n");
}

static json_t *json_link(const struct link *link)
{
	struct cells_pair pair = cells_pair(&link->from, &link->to);

	return json_pack("{s:s, s:s, s:s?, s:s?, s:I, s:I, s:f}", "from", pair.from,
			 "to", pair.to, "from_name", names_find(&names, &link->from),
			 "to_name", names_find(&names, &link->to), "lost_packets",
			 (json_int_t)link->lost, "came_packets_sampled",
			 (json_int_t)link->came, "by_chance", exp(link->chance));
}

static json_t *json_blamed(const struct blamed *b)
{
	json_t *object = json_link(&b->link), *alike = json_array();
	u32 i;

	json_object_set_new(object, "loss", json_real(b->rate));
	json_object_set_new(object, "loss_low", json_real(b->low));
	json_object_set_new(object, "loss_high", json_real(b->high));
	for (i = 0; i < min_t(u32, b->alikes, ALIKE_MOST); i++)
		json_array_append_new(alike, json_link(&b->alike[i]));
	json_object_set_new(object, "alike", alike);
	json_object_set_new(object, "alike_links", json_integer(b->alikes));
	if (is_any(&b->next)) {
		json_object_set_new(object, "next", json_link(&b->next));
		json_object_set_new(object, "next_times_less_likely",
				    json_real(times(&b->link, &b->next)));
	}
	return object;
}

static void print_json(const struct blame *blame, u32 of)
{
	json_t *list = json_array();
	u32 i;

	for (i = 0; i < blame->count; i++)
		json_array_append_new(list, json_blamed(&blame->at[i]));
	json_say(json_pack("{s:i, s:I, s:I, s:I, s:i, s:i, s:o, s:o}", "version", JSON_VERSION,
			   "lost_packets", (json_int_t)blame->lost, "lost_packets_placed",
			   (json_int_t)blame->placed, "came_packets_sampled",
			   (json_int_t)blame->came, "one_of", (int)of, "links",
			   (int)blame->links, "named", list, "best_of_rest",
			   is_any(&blame->best) ? json_link(&blame->best) : json_null()),
		 0);
}

/**
 * blame_main() - the command "blame"
 * @count: of words
 * @words: options and files
 *
 * Return: the exit status.
 */
int blame_main(int count, char **words)
{
	static struct blame blame;
	struct heards all = { 0 };
	struct ways ways = { 0 };
	bool json = take_flag(&count, &words, "--json");
	const char *path;
	size_t n;
	int i;

	while ((path = take_next(&count, &words, "--ways")))
		ways_read(&ways, path);
	while ((path = take_next(&count, &words, "--names")))
		names_read(&names, path);
	for (n = 0; json && n < names.count; n++)
		json_check(names.at[n].text);
	ways_sort(&ways);
	if (!ways.of)
		fail("blame: --ways: which way did packets go? A table of dccstat ways");
	no_more_options(count, words);
	if (!count)
		fail("blame: which file? One of dccstat record --labels, or the lab's labels.csv");
	no_file_twice(count, words);
	for (i = 0; i < count; i++)
		heard_read(&all, words[i]);
	blame_find(&blame, &all, &ways);
	if (json)
		print_json(&blame, ways.of);
	else
		print_text(&blame, ways.of);
	heard_free(&all);
	ways_free(&ways);
	names_free(&names);
	return 0;
}
