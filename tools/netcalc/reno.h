/* SPDX-License-Identifier: GPL-2.0 */
/* Window AIMD: as the paper has it, and with Linux' rules. */
#ifndef _NC_RENO_H
#define _NC_RENO_H

#include "control.h"

/**
 * struct nc_reno - the algorithms' own part
 * @increase: alpha, added to the window, bytes
 * @decrease: beta, by which the window is multiplied, parts per million
 * @threshold: of slow start, bytes
 * @initial: window after a timeout, bytes; not with Linux' rules, which alone
 *	have all that follows
 * @buffer: room at the server, bytes
 * @lost: what was lost is behind this byte; infinity: nothing is known to be
 * @recover: a loss counts again when this byte is acknowledged
 * @grown: bytes acknowledged when the window grew last
 */
struct NC_ALG nc_reno {
	int64_t increase;
	int64_t decrease;
	int64_t threshold;
	int64_t initial;
	int64_t buffer;
	struct nc_q lost;
	struct nc_q recover;
	struct nc_q grown;
};

_Static_assert(sizeof(struct nc_reno) <= NC_ALG_BYTES, "no room for the algorithm");

static inline struct nc_reno *nc_reno_of(const struct nc_control *c)
{
	return (struct nc_reno *)c->alg;
}

extern const struct nc_control_ops nc_window;
extern const struct nc_control_ops nc_reno_linux_ops;

#endif /* _NC_RENO_H */
