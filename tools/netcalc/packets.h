/* SPDX-License-Identifier: GPL-2.0 */
/* What an acknowledgment of whole packets tells an algorithm that acts at each. */
#ifndef _NC_PACKETS_H
#define _NC_PACKETS_H

#include "net.h"

/**
 * struct nc_packets - what a flow has been told so far
 * @seen: bytes acknowledged
 * @usage: once this byte is acknowledged @limited is asked anew
 * @limited: was it the window that held the flow back, within a window of bytes?
 */
struct nc_packets {
	struct nc_q seen;
	struct nc_q usage;
	bool limited;
};

/**
 * struct nc_news - what an acknowledgment told
 * @acked: bytes acknowledged by now
 * @first: the end of the first packet that is new
 * @sent: when the newest packet had been sent, ns
 * @count: packets newly acknowledged
 * @marks: of them, marked
 * @limited: as of &struct nc_packets
 */
struct nc_news {
	struct nc_q acked;
	struct nc_q first;
	struct nc_q sent;
	int64_t count;
	int64_t marks;
	bool limited;
};

struct nc_q nc_packets_next(const struct nc_packets *p,
			    const struct nc_flow *flow);
bool nc_packets_wait(const struct nc_net *net, const struct nc_flow *flow);
bool nc_packets_take(const struct nc_net *net, struct nc_flow *flow,
		     struct nc_packets *p, bool small, struct nc_news *news);

#endif /* _NC_PACKETS_H */
