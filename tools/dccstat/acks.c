// SPDX-License-Identifier: GPL-2.0
/* Last ACKs; see acks.h. */
#include "../replay/csv.h"
#include "acks.h"

#define PLACES		(2 * ACKS_MOST)
#define FNV_BASIS	0x811c9dc5U	/* FNV-1a, 32 bits */
#define FNV_PRIME	0x01000193U

void acks_init(struct acks *acks)
{
	acks->count = 0;
	acks->entry = calloc(PLACES, sizeof(*acks->entry));
	if (!acks->entry)
		cannot("no memory for the last ACKs of %u flows", ACKS_MOST);
}

void acks_free(struct acks *acks)
{
	free(acks->entry);
	memset(acks, 0, sizeof(*acks));
}

static u32 hash(const char *cc, u16 sport, u16 dport)
{
	u32 h = FNV_BASIS ^ ((u32)sport << 16 | dport);

	for (h *= FNV_PRIME; *cc; cc++)
		h = (h ^ (u8)*cc) * FNV_PRIME;
	return (h ^ h >> 15) & (PLACES - 1);
}

/* Where a flow is, or would be: at most half of the places are used. */
static struct acks_entry *find(const struct acks *acks, const char *cc, u16 sport, u16 dport)
{
	struct acks_entry *e;
	u32 at = hash(cc, sport, dport);

	for (;; at = (at + 1) & (PLACES - 1)) {
		e = &acks->entry[at];
		if (!e->used || (e->ack.sport == sport && e->ack.dport == dport &&
				 !strcmp(e->ack.alg, cc)))
			return e;
	}
}

/* Note an ACK: the last of its flow. */
void acks_put(struct acks *acks, const struct ack *ack)
{
	struct acks_entry *e = find(acks, ack->alg, ack->sport, ack->dport);

	if (!e->used && acks->count == ACKS_MOST) {
		memset(acks->entry, 0, PLACES * sizeof(*acks->entry));
		acks->count = 0;
		e = find(acks, ack->alg, ack->sport, ack->dport);
	}
	acks->count += !e->used;
	e->used = true;
	e->ack = *ack;
}

/* Before the flows that there are now are counted. */
void acks_begin(struct acks *acks)
{
	u32 i;

	for (i = 0; i < PLACES; i++)
		acks->entry[i].flows = 0;
}

/* There is a flow with these ports and this algorithm, in some namespace. */
void acks_count(struct acks *acks, const struct flow *flow)
{
	find(acks, flow->cc, flow->sport, flow->dport)->flows++;
}

/* What was traced of a flow; all flows were counted. */
void acks_join(const struct acks *acks, struct flow *flow)
{
	const struct acks_entry *e = find(acks, flow->cc, flow->sport, flow->dport);

	flow->traced = e->used;
	flow->twins = e->used && e->flows ? e->flows - 1 : 0;
	if (e->used)
		flow->ack = e->ack;
}
