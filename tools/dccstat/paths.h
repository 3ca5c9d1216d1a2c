/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Do switches hash the flow label? Probes to a host that differ in their label alone,
 * with hop limits from 1 on, and who answered them. paths_count() is pure.
 */
#ifndef _DCCSTAT_PATHS_H
#define _DCCSTAT_PATHS_H

#include <netinet/in.h>

#include "../../common/math/dcc_types.h"

#define PATHS_LABELS	16	/* that are tried; a socket may lease 32 */
#define PATHS_HOPS	8	/* most routers in between, and the host */

/**
 * struct paths_try - what became of a label's probes
 * @hop: who answered at each hop limit
 * @heard: did anybody?
 * @hops: hop limit with which the host was reached; 0: it was not
 */
struct paths_try {
	struct in6_addr hop[PATHS_HOPS];
	bool heard[PATHS_HOPS];
	u8 hops;
};

/**
 * struct paths - what was seen
 * @asked: were probes sent?
 * @whole: labels of which every hop up to the host answered
 * @distinct: different ways among these
 * @hops: of the longest
 */
struct paths {
	bool asked;
	u32 whole;
	u32 distinct;
	u32 hops;
};

bool paths_whole(const struct paths_try *t);
void paths_count(const struct paths_try *tries, u32 count, struct paths *paths);
u32 paths_label(u32 number);
int paths_socket(const struct in6_addr *to);
void paths_probe(const struct sockaddr_in6 *to, struct paths *paths);

#endif /* _DCCSTAT_PATHS_H */
