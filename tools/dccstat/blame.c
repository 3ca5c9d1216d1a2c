// SPDX-License-Identifier: GPL-2.0
/* Which link; see blame.h. */
#include <math.h>

#include "../replay/csv.h"
#include "blame.h"
#include "chance.h"
#include "room.h"

#define CROSSED_MOST	PATHS_HOPS	/* links of a way: one before each hop */
#define NOBODY		UINT32_MAX
#define CONFIDENT	1.96		/* standard deviations: 95 % */

/**
 * struct crossing - a packet and the links that it crossed
 * @link: their indices
 * @links: how many
 * @lost: was it?
 */
struct crossing {
	u32 link[CROSSED_MOST];
	u8 links;
	bool lost;
};

/**
 * struct study - all that is looked at
 * @link: links, sorted by address
 * @links: how many
 * @room: for how many there is memory
 * @at: packets
 * @count: how many
 * @of: one of so many that arrived is among them
 * @out: links whose packets do not count, and how many times they were put out
 */
struct study {
	struct link *link;
	u32 links;
	size_t room;
	struct crossing *at;
	size_t count;
	u32 of;
	u8 *out;
};

static int compare_links(const void *a, const void *b)
{
	const struct link *one = a, *other = b;
	int order = memcmp(&one->from, &other->from, sizeof(one->from));

	return order ? order : memcmp(&one->to, &other->to, sizeof(one->to));
}

/* A way's links: from the source to the first hop, and so on. */
static struct link link_of(const struct way *way, u32 hop)
{
	struct link link = { .to = way->hops.hop[hop] };

	if (hop)
		link.from = way->hops.hop[hop - 1];
	else
		memcpy(&link.from, way->src, ADDRESS_BYTES);
	return link;
}

static void add_links(struct study *s, const struct way *way)
{
	u32 hop;

	for (hop = 0; hop < way->hops.hops; hop++) {
		s->link = room_for_one(s->link, s->links, &s->room, sizeof(*s->link), "links");
		s->link[s->links++] = link_of(way, hop);
	}
}

/* All links of ways that are known from end to end, each once. */
static void find_links(struct study *s, const struct ways *ways)
{
	u32 from, to = 0;
	size_t i;

	for (i = 0; i < ways->count; i++)
		if (paths_whole(&ways->at[i].hops))
			add_links(s, &ways->at[i]);
	if (!s->links)
		return;
	qsort(s->link, s->links, sizeof(*s->link), compare_links);
	for (from = 0; from < s->links; from++)
		if (!to || compare_links(&s->link[to - 1], &s->link[from]))
			s->link[to++] = s->link[from];
	s->links = to;
}

static void add_packet(struct study *s, const struct way *way, bool lost)
{
	struct crossing *c = &s->at[s->count++];
	u32 hop;

	c->lost = lost;
	c->links = way->hops.hops;
	for (hop = 0; hop < c->links; hop++) {
		struct link key = link_of(way, hop);
		const struct link *found = bsearch(&key, s->link, s->links, sizeof(key),
						   compare_links);

		c->link[hop] = (u32)(found - s->link);
	}
}

static void find_packets(struct study *s, struct blame *blame, const struct heards *all,
			 const struct ways *ways)
{
	const struct way *way;
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct heard *h = &all->at[i];

		blame->lost += heard_lost(h);
		if (!way_wanted(h, ways->of))
			continue;
		way = ways_find(ways, h);
		if (!way || !paths_whole(&way->hops))
			continue;
		add_packet(s, way, heard_lost(h));
		blame->placed += heard_lost(h);
		blame->came += !heard_lost(h);
	}
}

/* Does a packet count: did it cross none of those that are out? */
static bool counts(const struct study *s, const struct crossing *c)
{
	u32 i;

	for (i = 0; i < c->links; i++)
		if (s->out[c->link[i]])
			return false;
	return true;
}

/* Counts each link's packets anew; returns the best link, NOBODY: none was lost. */
static u32 judge(struct study *s)
{
	struct tally tally = { 0 };
	u32 best = NOBODY, l;
	size_t i;

	for (l = 0; l < s->links; l++) {
		s->link[l].lost = 0;
		s->link[l].came = 0;
	}
	for (i = 0; i < s->count; i++) {
		const struct crossing *c = &s->at[i];

		if (!counts(s, c))
			continue;
		tally.all++;
		tally.all_lost += c->lost;
		for (l = 0; l < c->links; l++)
			*(c->lost ? &s->link[c->link[l]].lost : &s->link[c->link[l]].came) += 1;
	}
	for (l = 0; l < s->links; l++) {
		struct link *link = &s->link[l];

		tally.some = link->lost + link->came;
		tally.some_lost = link->lost;
		link->gain = chance_gain(&tally);
		link->chance = fmin(chance_log(&tally) + log(s->links), 0);
		if (link->lost && (best == NOBODY || link->gain > s->link[best].gain))
			best = l;
	}
	return best;
}

static bool stands_out(const struct link *link)
{
	return link->lost && link->chance < log(BLAME_CHANCE);
}

/*
 * Of what it lost and what it let through, the latter one of s->of. The counts are of
 * rare events, so the logarithm of their ratio is off by sqrt(1/lost + 1/came).
 */
static void estimate(const struct study *s, struct blamed *b)
{
	double lost = (double)b->link.lost, came = (double)b->link.came;
	double ratio = lost / (fmax(came, 0.5) * s->of);
	double off = exp(CONFIDENT * sqrt(1 / lost + 1 / fmax(came, 0.5)));

	b->rate = ratio / (1 + ratio);
	b->low = ratio / off / (1 + ratio / off);
	b->high = ratio * off / (1 + ratio * off);
}

/*
 * Among what the others' packets say before the best is out (@then) and after: who is
 * alike, and who is the best of the rest?
 */
static void compare(const struct study *s, const struct link *then, u32 best, struct blamed *b)
{
	u32 l;

	for (l = 0; l < s->links; l++) {
		bool near = then[l].gain > then[best].gain - log(BLAME_APART);

		if (l == best || !then[l].lost)
			continue;
		if (near && !stands_out(&s->link[l])) {
			if (b->alikes < ALIKE_MOST)
				b->alike[b->alikes] = then[l];
			b->alikes++;
		} else if (!stands_out(&s->link[l]) && then[l].gain >= b->next.gain) {
			b->next = then[l];
		}
	}
}

/* Names the best link, puts its packets out. */
static void name(struct study *s, u32 best, struct blame *blame, u32 *index)
{
	struct link *then = calloc(s->links, sizeof(*then));
	struct blamed *b = &blame->at[blame->count];

	if (!then)
		cannot("no memory for %u links", s->links);
	memcpy(then, s->link, s->links * sizeof(*then));
	index[blame->count++] = best;
	b->link = then[best];
	estimate(s, b);
	s->out[best]++;
	judge(s);
	compare(s, then, best, b);
	free(then);
}

/*
 * A link may have been named for what two others lose that were named after it: does it
 * still stand out among packets that crossed none of the others?
 */
static void forget_explained(struct study *s, struct blame *blame, u32 *index)
{
	u32 i = 0;

	while (i < blame->count) {
		s->out[index[i]]--;
		judge(s);
		if (stands_out(&s->link[index[i]])) {
			s->out[index[i++]]++;
			continue;
		}
		blame->count--;
		memmove(&index[i], &index[i + 1], (blame->count - i) * sizeof(*index));
		memmove(&blame->at[i], &blame->at[i + 1],
			(blame->count - i) * sizeof(*blame->at));
	}
}

/**
 * blame_find() - which links lose packets?
 * @blame: set
 * @all: packets that were heard of
 * @ways: of those that way_wanted(), sorted
 */
void blame_find(struct blame *blame, const struct heards *all, const struct ways *ways)
{
	struct study s = { .of = max(ways->of, 1U) };
	u32 index[BLAMED_MOST], best;

	memset(blame, 0, sizeof(*blame));
	find_links(&s, ways);
	s.at = calloc(all->count + 1, sizeof(*s.at));
	s.out = calloc(s.links + 1, sizeof(*s.out));
	if (!s.at || !s.out)
		cannot("no memory for %zu packets", all->count);
	find_packets(&s, blame, all, ways);
	blame->links = s.links;
	best = judge(&s);
	while (best != NOBODY && stands_out(&s.link[best]) && blame->count < BLAMED_MOST) {
		name(&s, best, blame, index);
		best = judge(&s);
	}
	forget_explained(&s, blame, index);
	best = judge(&s);
	if (best != NOBODY)
		blame->best = s.link[best];
	free(s.link);
	free(s.at);
	free(s.out);
}
