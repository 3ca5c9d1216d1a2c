/* SPDX-License-Identifier: GPL-2.0 */
/* The lines "send" of a case, and what they add up to. */
#ifndef _NC_ARRIVALS_H
#define _NC_ARRIVALS_H

#include "keys.h"
#include "net.h"
#include "reader.h"

/* One line "send": a part of a flow's arrivals. */
struct nc_send {
	char flow[NC_NAME_MAX];
	char file[NC_PATH_MAX];
	int64_t burst;
	int64_t rate;
	int64_t at;
	int64_t every;
	int64_t times;
	int64_t until;
	int64_t steps;
	unsigned int line;
};

/* All of them. */
struct nc_sends {
	struct nc_send *send;
	size_t n;
};

extern const struct nc_key nc_send_keys[];

int nc_sends_read(struct nc_reader *r, struct nc_sends *sends, char *rest);
int nc_sends_sum(struct nc_reader *r, const struct nc_sends *sends,
		 struct nc_net *net);
void nc_sends_free(struct nc_sends *sends);

#endif /* _NC_ARRIVALS_H */
