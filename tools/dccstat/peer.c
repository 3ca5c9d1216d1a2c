// SPDX-License-Identifier: GPL-2.0
/* What answers of the other host come to; see peer.h. */
#include <arpa/inet.h>
#include <stdio.h>

#include "peer.h"

#define LABEL_MASK	0xfffffU
#define CLASS_SHIFT	20	/* of flowinfo; ECN is the lowest bits of the class */

/* Every label is sent with every mark, in turn. */
u32 peer_mark(u32 round)
{
	return round % PEER_MARKS;
}

/* A word of somebody's who may write to our terminal: no codes for it. */
static void take_word(char *to, const char *from)
{
	char *c;

	snprintf(to, CC_TEXT, "%.*s", CC_TEXT - 1, from);
	for (c = to; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

static void take_facts(struct peer *peer, const struct peer_message *m)
{
	peer->ecn = (int)ntohl(m->ecn);
	peer->sack_ns = (int)ntohl(m->sack_ns);
	peer->rehash = (int)ntohl(m->rehash);
	peer->rehashed = ntohl(m->rehashed);
	peer->gro = ntohl(m->gro);
	take_word(peer->cc, m->cc);
	take_word(peer->spray, m->spray);
}

/**
 * peer_take() - note an answer
 * @peer: counts of marks, and what it says of itself
 * @tries: PATHS_LABELS of them
 * @m: the answer, from whomever
 * @delay_ns: since its probe left
 *
 * Return: false if it is no answer to a probe of ours.
 */
bool peer_take(struct peer *peer, struct peer_try *tries, const struct peer_message *m,
	       u64 delay_ns)
{
	u32 number = ntohl(m->number), round = number / PATHS_LABELS;
	u32 info = ntohl(m->flowinfo), hops = ntohl(m->hops);
	struct peer_try *t = &tries[number % PATHS_LABELS];
	u32 mark = peer_mark(round);
	u64 *least = &t->delay[round / PEER_MARKS % 2];

	if (memcmp(m->magic, PEER_MAGIC, sizeof(m->magic)) || round >= PEER_ROUNDS ||
	    !hops || hops > PEER_HOPS)
		return false;
	peer->answers++;
	peer->sent[mark]++;
	peer->kept[mark] += (info >> CLASS_SHIFT) % PEER_MARKS == mark;
	t->relabelled |= (info & LABEL_MASK) != paths_label(number % PATHS_LABELS);
	t->hops = PEER_HOPS - hops + 1;
	*least = *least ? min(*least, delay_ns) : delay_ns;
	take_facts(peer, m);
	return true;
}

static int compare(const void *a, const void *b)
{
	u64 left = *(const u64 *)a, right = *(const u64 *)b;

	return left < right ? -1 : left > right;
}

/* Different numbers of hops. */
static u32 lengths(const struct peer_try *tries, u32 count)
{
	u32 i, k, found = 0;

	for (i = 0; i < count; i++) {
		for (k = 0; k < i && tries[k].hops != tries[i].hops; k++)
			;
		found += tries[i].hops && k == i;
	}
	return found;
}

/**
 * peer_count() - how many ways do the delays show?
 * @tries: one for each label
 * @count: how many, at most PATHS_LABELS
 * @peer: its @ways, @noise_ns, @apart_ns, @lengths and @relabelled are set
 *
 * A label was measured twice: what the two differ by at most is noise, and labels
 * that differ by no more than twice that may have gone the same way. So there are
 * at least so many ways; equally long ones look like one.
 */
void peer_count(const struct peer_try *tries, u32 count, struct peer *peer)
{
	u64 least[PATHS_LABELS];
	u32 i, n = 0;

	peer->noise_ns = 0;
	peer->relabelled = 0;
	for (i = 0; i < count; i++) {
		const u64 *d = tries[i].delay;

		peer->relabelled += tries[i].relabelled;
		if (!d[0] || !d[1])
			continue;
		peer->noise_ns = max(peer->noise_ns, d[0] < d[1] ? d[1] - d[0] : d[0] - d[1]);
		least[n++] = min(d[0], d[1]);
	}
	qsort(least, n, sizeof(*least), compare);
	peer->ways = n ? 1 : 0;
	for (i = 1; i < n; i++)
		peer->ways += least[i] - least[i - 1] > 2 * peer->noise_ns;
	peer->apart_ns = n ? least[n - 1] - least[0] : 0;
	peer->lengths = lengths(tries, count);
}
