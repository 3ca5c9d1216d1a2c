/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last ACK of each flow that was traced, by ports and algorithm: the event names
 * no address and no namespace. Pure.
 */
#ifndef _DCCSTAT_ACKS_H
#define _DCCSTAT_ACKS_H

#include "flow.h"

#define ACKS_MOST	65536	/* then all are forgotten: a power of two */

/**
 * struct acks - a hash table
 * @entry: ACKS_MOST * 2 places
 * @count: of them in use
 */
struct acks {
	struct acks_entry {
		struct ack ack;
		u32 flows;
		bool used;
	} *entry;
	u32 count;
};

void acks_init(struct acks *acks);
void acks_free(struct acks *acks);
void acks_put(struct acks *acks, const struct ack *ack);
void acks_begin(struct acks *acks);
void acks_count(struct acks *acks, const struct flow *flow);
void acks_join(const struct acks *acks, struct flow *flow);

#endif /* _DCCSTAT_ACKS_H */
