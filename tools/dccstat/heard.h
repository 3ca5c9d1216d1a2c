/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What became of single packets and of the labels that carried them, as the trace
 * event dcc:dcc_path tells it; and tables of that, which "dccstat record --labels" and
 * the lab (labels.csv) write.
 */
#ifndef _DCCSTAT_HEARD_H
#define _DCCSTAT_HEARD_H

#include <stdio.h>

#include "flow.h"

#define LABEL_MAX	0xfffffU	/* 20 bits of an IPv6 header */

enum heard_what {
	HEARD_GOOD,		/* it arrived unmarked */
	HEARD_MARKED,		/* with Congestion Experienced */
	HEARD_LOST,		/* the stack declared it lost and sent it again */
	HEARD_TIMEOUT,		/* the retransmission timer expired waiting for it */
	HEARD_KINDS
};

extern const char *const heard_word[HEARD_KINDS];
enum heard_what heard_what(const char *word);

/**
 * struct heard - a data packet that was heard of
 * @alg: its flow's algorithm
 * @src: this host's address; IPv4's as ::ffff:a.b.c.d
 * @dst: the other one's
 * @now: when it was heard of, ns
 * @label: as the IPv6 header had it; 0: not known
 * @delay: until its ACK, ns; 0: not known
 * @sport: this host's port
 * @dport: the other one's
 * @what: what became of it, enum heard_what
 */
struct heard {
	char alg[CC_TEXT];
	u8 src[ADDRESS_BYTES];
	u8 dst[ADDRESS_BYTES];
	u64 now;
	u32 label;
	u32 delay;
	u16 sport;
	u16 dport;
	u8 what;
};

/**
 * struct heards - packets of some files
 * @at: they, in the order of the files
 * @count: how many
 * @room: for how many there is memory
 */
struct heards {
	struct heard *at;
	size_t count;
	size_t room;
};

static inline bool heard_lost(const struct heard *h)
{
	return h->what >= HEARD_LOST;
}

void heard_head(FILE *out);
void heard_row(FILE *out, const struct heard *h);
void heard_read(struct heards *all, const char *path);
void heard_free(struct heards *all);

#endif /* _DCCSTAT_HEARD_H */
