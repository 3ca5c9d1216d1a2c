// SPDX-License-Identifier: GPL-2.0
/*
 * Path selector mrc: N labels, N at most 256, each good or retired.
 *   heard: x = delay - base RTT, where the delay is known
 *          late: x > mean + max(mean / 2, base); then mean += (x - mean) / 64
 *          CE, while labels are retired only if x is not known or x > 2 mean; late:
 *                draw another label for i
 *          neither: queue i; if 8 wait, forget the oldest
 *          LOST, TIMEOUT: retire i; if half are retired already, draw another for it
 *          of a retired one:
 *               came through: run += 1, gap = max(gap / 2, 1);
 *                             if run = need: all come back
 *               lost:         need = 8 if run = 0 and gap = 8, else 24; run = 0,
 *                             gap = min(2 * gap, 8)
 *   next:  every gap base RTTs, of 16 packets at least: the retired ones in turn
 *          else, but for each 16th, the first queued one that is not retired,
 *          forgetting those that are
 *          else i = next in order as bitmap's, not retired
 *   start: need = 24, gap = 1
 *
 * Differences of mrc from the description, which leaves much open:
 * - A label that has just come through is used again, as by reps: each path gets
 *   packets as fast as it delivers them. A walk alone gives a slow one as many as
 *   the others until it marks (fat-tree with elephants, mswift: 67 instead of 19 %
 *   above the bound).
 * - A label that meets congestion is not passed over for a while: another takes its
 *   place, since labels cost nothing. So the few that there are do not fall unevenly
 *   on the paths for the flow's whole life. And a late packet is as good as a mark:
 *   many networks do not mark. Less than the base RTT is not late: with an eighth of
 *   it queues of two packets were.
 * - While a label is retired there is a path that loses packets, or brings them so late
 *   that the stack sends them again, and another label may lead there. A mark that most
 *   packets bear is no reason for that. With one of eight spines at half speed half of
 *   nscc's packets were marked, so one in sixteen was sent on a label drawn for that spine:
 *   what it could carry, and all of it was sent again. 8 flows took 1.18 of the bound with
 *   auto, 1.27 with mrc; so 1.11 and 1.13. Never to go by marks is no way: with elephants
 *   in a fat-tree of 16 hosts mswift would have 34 % above the bound with mrc instead of 20.
 * - One probe that came back says little of a path that loses one packet in 20.
 *   Retired labels come back together, after 24 in a row: 0.95^24 is 0.29. Where
 *   nothing at all came back for so long that probes are 8 base RTTs apart, 8 will
 *   do. A mended path is so in use again within 24 base RTTs.
 * - Probes are data packets, one in 16 at most. A flow without data needs no path.
 * - There is no trimming that separates congestion's losses from a broken path's, so
 *   at most half of the labels are retired, and it costs little to be wrong.
 * - No label is denied: they are a flow's own, and no other host knows them.
 */
#include "dcc_selector.h"

/* The next retired one, of which there are some; at most 256 steps. */
static u32 mrc_turn(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;
	u32 i;

	do
		i = m->turn++ & (s->paths - 1);
	while (!(m->label[i] & DCC_SPRAY_MRC_RETIRED));
	return i;
}

/* The next on the way that is not retired. Half of a lap are not: 2 N steps do. */
static u32 mrc_walk(struct dcc_spray *s)
{
	u32 i;

	do
		i = walk(s);
	while (s->mrc.label[i] & DCC_SPRAY_MRC_RETIRED);
	return i;
}

/* Is it time to ask about a retired label? */
static bool mrc_asks(struct dcc_spray_mrc *m, u64 now_ns)
{
	m->since = min(m->since + 1U, DCC_SPRAY_MRC_PACKETS);
	if (!m->retired || !m->base_ns || m->since < DCC_SPRAY_MRC_PACKETS ||
	    now_ns - m->asked_ns < (u64)m->base_ns << m->gap)
		return false;
	m->since = 0;
	m->asked_ns = now_ns;
	return true;
}

/*
 * One that came through a moment ago, else the walk's. The walk has one in so many
 * whatever came through: a path on which nothing is sent is never heard of.
 */
static u32 mrc_use(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;

	while (s->queue.len && m->recycled < DCC_SPRAY_MRC_RECYCLED) {
		u32 i = queue_pop(&s->queue, m->ring, DCC_SPRAY_MRC_QUEUE);

		if (m->label[i] & DCC_SPRAY_MRC_RETIRED)
			continue;
		m->recycled++;
		return i;
	}
	m->recycled = 0;
	return mrc_walk(s);
}

/* The number among the flow's labels of the one that an index has now. */
static u32 mrc_number(const struct dcc_spray_mrc *m, u32 i)
{
	return (m->label[i] & DCC_SPRAY_MRC_DRAWN) << DCC_SPRAY_MRC_DRAWN_AT | i;
}

/**
 * dcc_mrc_next() - the label of the next packet
 * @s: a selector, of mrc
 * @now_ns: now
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_mrc_next(struct dcc_spray *s, u64 now_ns)
{
	u32 i = mrc_asks(&s->mrc, now_ns) ? mrc_turn(s) : mrc_use(s);

	return dcc_spray_label(s->key, mrc_number(&s->mrc, i));
}

/* What a packet took beyond the base RTT. */
static u32 mrc_excess(const struct dcc_path_news *n)
{
	return n->delay_ns - min(n->delay_ns, n->base_ns);
}

/*
 * Did a packet take longer than its like? By the mean of all, so that nothing is
 * late where every path has a queue; less than the base RTT never is. Differences
 * of 32 bits fit into 33.
 */
static bool mrc_late(struct dcc_spray_mrc *m, const struct dcc_path_news *n)
{
	u32 excess = mrc_excess(n);
	u64 most = m->mean_ns + (u64)max(m->mean_ns / 2, n->base_ns);

	m->mean_ns += ((s64)excess - m->mean_ns) / (1 << DCC_SPRAY_MRC_MEAN);
	return excess > most;
}

/*
 * Does a mark count? While labels are retired there is a path that loses packets, and the
 * next label may lead there, which is worse than a queue that all packets meet: then a mark
 * counts if the packet took more than twice as long as its like, or it is unknown how long.
 */
static bool mrc_marked(const struct dcc_spray_mrc *m, const struct dcc_path_news *n)
{
	bool usual = n->delay_ns && mrc_excess(n) <= 2 * (u64)m->mean_ns;

	return n->event == DCC_PATH_CE && !(m->retired && usual);
}

/* Another label takes the place of one, unless there is just one. */
static void mrc_draw(const struct dcc_spray *s, u8 *label)
{
	if (s->paths > 1)
		*label = (*label + 1) & DCC_SPRAY_MRC_DRAWN;
}

/* A packet on a label in use came through. If it met congestion another takes over. */
static void mrc_arrived(struct dcc_spray *s, u32 i,
			const struct dcc_path_news *n)
{
	struct dcc_spray_mrc *m = &s->mrc;
	bool late = n->delay_ns && mrc_late(m, n);

	if (!late && !mrc_marked(m, n))
		queue_push(&s->queue, m->ring, DCC_SPRAY_MRC_QUEUE, i);
	else
		mrc_draw(s, &m->label[i]);
}

/* One on a retired label did: a run of them brings all back. */
static void mrc_probe_back(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;
	u32 i;

	if (m->gap)
		m->gap--;
	if (++m->run < m->need)
		return;
	for (i = 0; i < s->paths; i++)
		m->label[i] &= ~DCC_SPRAY_MRC_RETIRED;
	m->retired = 0;
	m->run = 0;
	m->need = DCC_SPRAY_MRC_NEED;
}

/* One on a retired label was lost. Is anything at all coming back? */
static void mrc_probe_lost(struct dcc_spray_mrc *m)
{
	bool dead = !m->run && m->gap == DCC_SPRAY_MRC_GAP;

	m->need = dead ? DCC_SPRAY_MRC_ALIVE : DCC_SPRAY_MRC_NEED;
	m->run = 0;
	if (m->gap < DCC_SPRAY_MRC_GAP)
		m->gap++;
}

/* A label lost a packet: no more of it. If half are retired, it is congestion. */
static void mrc_retire(struct dcc_spray *s, u8 *label)
{
	if (s->mrc.retired < s->paths / 2) {
		s->mrc.retired++;
		*label |= DCC_SPRAY_MRC_RETIRED;
	} else {
		mrc_draw(s, label);
	}
}

/**
 * dcc_mrc_heard() - what became of a packet
 * @s: a selector, of mrc
 * @number: which of its labels it carried
 * @n: what became of it
 *
 * Of a label that has given way there are none.
 */
void dcc_mrc_heard(struct dcc_spray *s, u32 number, const struct dcc_path_news *n)
{
	bool lost = n->event == DCC_PATH_LOST || n->event == DCC_PATH_TIMEOUT;
	u32 i = number & (s->paths - 1);
	u8 *label = &s->mrc.label[i];

	s->mrc.base_ns = n->base_ns;
	if (number != mrc_number(&s->mrc, i))
		return;
	if (*label & DCC_SPRAY_MRC_RETIRED) {
		if (lost)
			mrc_probe_lost(&s->mrc);
		else
			mrc_probe_back(s);
	} else if (lost) {
		mrc_retire(s, label);
	} else {
		mrc_arrived(s, i, n);
	}
}

/**
 * dcc_mrc_init() - start a flow
 * @s: a selector, of mrc
 */
void dcc_mrc_init(struct dcc_spray *s)
{
	s->mrc.need = DCC_SPRAY_MRC_NEED;
}
