/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The knobs every algorithm has, first in each module's table: the helper
 * library reads them as one struct whatever follows.
 */
#ifndef _DCC_FLOW_KNOBS_H
#define _DCC_FLOW_KNOBS_H

#include "dcc_knob.h"
#include "../path/dcc_spray.h"

#define DCC_FLOW_KNOBS(K, algs)						\
	K(spray, DCC_SPRAY_SELECTORS, 0, 6, 0, algs,			\
	  "path selector: which label each packet carries")		\
	K(spray_paths, "2^n", 1, 65536, 64, algs,			\
	  "labels a flow sprays over")					\
	K(spray_segs, "packets", 0, 65535, 1, algs,			\
	  "most segments that share a label while spraying; 0: no cap")	\
	K(spray_acks, "packets", 0, 65535, 1, algs,			\
	  "pure ACKs that share a label while spraying; 0: all")	\
	K(init_cwnd, "packets", 0, 65536, 0, algs,			\
	  "first window; 0: the stack's or the route's")		\
	K(line_rate_mbps, "Mbit/s", 0, 4000000, 0, algs,		\
	  "pacing ceiling; 0: the speed of the egress device")		\
	K(pacing_percent, "percent", 10, 100, 99, algs,			\
	  "share of the link that pacing fills; the rest is for ACKs and others") \
	K(records, "2^n", 16, 16384, 1024, (algs) | DCC_KNOB_BOUNDED,	\
	  "packets in flight whose send time and label are remembered, at most") \
	K(reorder, "auto|on|off", 0, 2, 0, algs,			\
	  "reordering is normal: wait an RTT before taking a packet for lost") \
	K(way_back_ppm, "us/s", 0, 1000, 0, algs,				\
	  "what ACKs wait is no delay, by clocks that run apart no faster; 0: it is")

/* The knob reorder. Auto: on while the flow sprays, if the algorithm is for that. */
enum dcc_reorder {
	DCC_REORDER_AUTO,
	DCC_REORDER_ON,
	DCC_REORDER_OFF,
};

struct dcc_flow_knobs {
	DCC_FLOW_KNOBS(DCC_KNOB_FIELD, 0)
};

#endif /* _DCC_FLOW_KNOBS_H */
