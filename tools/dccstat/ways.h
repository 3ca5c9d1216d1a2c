/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which way packets went: by address, port and label, who forwards them hop by hop.
 * "dccstat ways" asks for it with probes; tables of that. ways.c is pure.
 */
#ifndef _DCCSTAT_WAYS_H
#define _DCCSTAT_WAYS_H

#include "heard.h"
#include "paths.h"

/**
 * struct way - of packets with one label
 * @src: as in struct heard, and so on
 * @hops: who was heard, and with which hop limit @dst is reached
 */
struct way {
	u8 src[ADDRESS_BYTES];
	u8 dst[ADDRESS_BYTES];
	u16 sport;
	u16 dport;
	u32 label;
	struct paths_try hops;
};

/**
 * struct ways - sorted
 * @at: they
 * @count: how many
 * @room: for how many there is memory
 * @of: they were chosen for all lost packets and one of so many others; 0: not read
 */
struct ways {
	struct way *at;
	size_t count;
	size_t room;
	u32 of;
};

#define WAYS_OF_MOST	1000000

bool way_wanted(const struct heard *h, u32 of);
void ways_choose(struct ways *ways, const struct heards *all, u32 of);
void ways_sort(struct ways *ways);
const struct way *ways_find(const struct ways *ways, const struct heard *h);
void ways_write(const struct ways *ways, FILE *out);
void ways_read(struct ways *ways, const char *path);
void ways_free(struct ways *ways);

size_t ways_ask(struct ways *ways);

#endif /* _DCCSTAT_WAYS_H */
