// SPDX-License-Identifier: GPL-2.0
/*
 * Path selector bitmap: N fixed labels, N at most 256, a penalty p of 0 to 40 for each.
 *   heard: CE p += 1, LOST p += 4, TIMEOUT p += 15, but not above 15
 *          LOST, TIMEOUT of one that is watched: p = min(2560 / N, 40) if that is more
 *          after a loss one is watched from p = 0 on, until 31 of its packets were GOOD;
 *          with CE that begins anew
 *   next:  i = next in order    (0 .. N-1 XOR a value drawn anew every lap)
 *          the first time that p[i] > 0: p[i] -= 1
 *          while p[i] > 0, at most N times: i = next in order
 *          label(key, i)
 *
 * What a penalty buys: a label with p > 0 is passed over p times, so if each of
 * its packets is CE-marked it is used every other lap and keeps half its share;
 * if each is lost, or times out, a 41st (of up to 64 labels).
 *
 * Differences from the simulator:
 * - bitmap and mixed must recognise a label, so they keep N fixed ones.
 * - A label that loses a packet soon after another stays out for as long as N labels take
 *   for 2560 packets, 3 ms at 10 Gbit/s (there: four laps each time; what is lost and not
 *   trimmed for congestion is a timeout there). With four laps one of 16 paths that lost
 *   5 % kept 84 % of its share; now 44 %. Were the first loss worth as much, congestion's
 *   would be, too: with a spine at half speed mswift took 10.0 ms instead of 8.9. Where the
 *   window is more than four laps one flight's losses may count twice. In mixed what comes
 *   through while it seeks is forgiven, so there it is for labels that lose nearly all.
 */
#include "dcc_selector.h"

/* A label is passed over. If a loss is paid for now, it is watched. */
static void bitmap_pay(u8 *label)
{
	if (--*label == DCC_SPRAY_LOSSY)
		*label = DCC_SPRAY_WATCHED | DCC_SPRAY_WATCH;
}

/**
 * dcc_bitmap_next() - the label of the next packet
 * @s: a selector, of bitmap or mixed
 *
 * Only the first penalty met is lowered: were it all of them, one packet amid many bad
 * labels would forgive them all.
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_bitmap_next(struct dcc_spray *s)
{
	u8 *label = s->bitmap.label;
	u32 i = walk(s), left;

	for (left = s->paths; left && dcc_spray_penalty(label[i]); left--) {
		if (left == s->paths)
			bitmap_pay(&label[i]);
		i = walk(s);
	}
	return dcc_spray_label(s->key, i);
}

/* Of one that is watched. */
static void bitmap_arrived(u8 *label)
{
	if (--*label == DCC_SPRAY_WATCHED)
		*label = 0;
}

/* A mark or a loss of one of the flow's own labels. */
static void bitmap_punish(struct dcc_spray *s, u8 *label, enum dcc_path_event event)
{
	static const u8 raise[] = {
		[DCC_PATH_CE] = DCC_SPRAY_PENALTY_CE,
		[DCC_PATH_LOST] = DCC_SPRAY_PENALTY_LOST,
		[DCC_PATH_TIMEOUT] = DCC_SPRAY_PENALTY_CAP,
	};
	bool watched = *label & DCC_SPRAY_WATCHED, lost = event != DCC_PATH_CE;
	u32 was = dcc_spray_penalty(*label);
	u32 penalty = max(was, min_t(u32, was + raise[event], DCC_SPRAY_PENALTY_CAP));

	if (watched && lost)
		penalty = max(penalty, min(DCC_SPRAY_AGAIN / s->paths, DCC_SPRAY_MOST));
	if (watched || lost)
		*label = DCC_SPRAY_LOSSY;
	*label = (*label & DCC_SPRAY_LOSSY) | penalty;
}

/**
 * dcc_bitmap_heard() - what became of a packet
 * @s: a selector, of bitmap or mixed
 * @i: the index of its label, below @s->paths
 * @event: what became of it
 */
void dcc_bitmap_heard(struct dcc_spray *s, u32 i, enum dcc_path_event event)
{
	u8 *label = &s->bitmap.label[i];

	if (event != DCC_PATH_GOOD)
		bitmap_punish(s, label, event);
	else if (*label & DCC_SPRAY_WATCHED)
		bitmap_arrived(label);
}
