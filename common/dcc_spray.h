/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path engines: which label (entropy) does the next packet carry?
 *
 * A flow owns N labels (N a power of two): N distinct, non-zero 20-bit values
 * label(0) .. label(N-1), a pseudo-random permutation of 20 bits keyed by the
 * flow, so that they need no memory and two flows share no path choices.
 *
 *   off       : one label a flow, as the stack chose it (plain ECMP)
 *   oblivious : walk all N labels, in an order permuted by XOR with a value
 *               drawn anew at every wrap; no feedback
 *
 * Pure: the state is a counter, randomness comes from the key.
 */
#ifndef _DCC_SPRAY_H
#define _DCC_SPRAY_H

#include "dcc_types.h"

enum dcc_spray_engine {
	DCC_SPRAY_OFF,
	DCC_SPRAY_OBLIVIOUS,
};

#define DCC_SPRAY_ENGINES	"off|oblivious"
#define DCC_LABEL_BITS		20
#define DCC_LABEL_MASK		((1U << DCC_LABEL_BITS) - 1)
#define DCC_SPRAY_MAX_PATHS	65536

u32 dcc_spray_hash(u64 key, u32 x);
u32 dcc_spray_label(u64 key, u32 index);
u32 dcc_spray_oblivious(u64 key, u32 count, u32 paths);

#endif /* _DCC_SPRAY_H */
