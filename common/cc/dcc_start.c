// SPDX-License-Identifier: GPL-2.0
/* How a flow that starts sees others; stated in dcc_start.h. */
#include "../math/dcc_fixed.h"
#include "dcc_start.h"
#include "../math/dcc_wide.h"

#define FLIGHT_MOST	DCC_CWND_MAX_PKTS
#define ALONE_PERCENT	140U	/* of a flight's own time: others have less than 0.4 */
#define SPREAD_LINE	1U	/* packets: one may be under way when the clock starts */
#define SPREAD_PATHS	4U	/* and several where they overtake each other; there */
#define PATHS_LEAST	8U	/* packets that are fewer show no rate */

/* So long may the packets take that came, in packets' times << DCC_PKT_SHIFT. */
static u64 start_most(u32 came, bool sprayed)
{
	u64 packets = sprayed ? max(came, PATHS_LEAST) : came;
	u64 spread = sprayed ? SPREAD_PATHS : SPREAD_LINE;

	return div_u64(packets * ALONE_PERCENT << DCC_PKT_SHIFT, 100) +
	       (spread << DCC_PKT_SHIFT);
}

/* Are so many percent of the flight reported? It may have 32 bits of packets to come. */
static bool start_looked(const struct dcc_start *f, u32 percent)
{
	return f->flight_acked * 100 > (u64)f->flight_left * percent;
}

/**
 * dcc_start_alone() - has a flow that starts the link to itself, as far as it knows?
 * @f: its flight
 * @s: an ACK that found the window limiting the flow; the line rate is known
 * @cwnd: the window, in any unit
 * @look: of a sprayed flow's flight so many percent, the first, are looked at; 0 to 100
 *
 * What an ACK let out says nothing, nor does the first ACK of a flight. What no ACK let
 * out and left after that is another flight: small messages are, with pauses between.
 *
 * Return: it has, or nothing is known yet. If not, the window was @f->flight_cwnd when
 * the flight left.
 */
bool dcc_start_alone(struct dcc_start *f, const struct dcc_sample *s, u64 cwnd, u32 look)
{
	u64 line;

	if (!s->fills) {
		f->flight_ns = 0;
		return true;
	}
	if (!f->flight_ns || s->sent_ns > f->flight_ns) {
		f->flight_ns = s->now_ns;
		f->flight_cwnd = cwnd;
		f->flight_left = s->flight / s->mss;
		f->flight_acked = 0;
		return true;
	}
	f->flight_acked = min_t(u64, f->flight_acked + (u64)s->acked, FLIGHT_MOST);
	if (s->sprayed && start_looked(f, look))
		return true;
	line = dcc_carried_pkts(s->line_rate, min_t(u64, s->now_ns - f->flight_ns, U32_MAX),
				s->mss);
	return line <= start_most(f->flight_acked, s->sprayed);
}
EXPORT_SYMBOL_GPL(dcc_start_alone);

/**
 * dcc_start_room() - how far the window of a flow that starts may still grow
 * @f: its flight
 * @s: an ACK that found the window limiting the flow; the line rate is known
 * @cwnd: the window, in any unit; if the flow turns out not to be alone, what it was when
 *	the flight left, unless it is less already
 * @enough: the largest that a start may reach, same unit
 * @look: as of dcc_start_alone()
 *
 * What a window grows is seen a round trip later, so a start ends at what fills the link.
 *
 * Return: so far; 0: the flow has started.
 */
u64 dcc_start_room(struct dcc_start *f, const struct dcc_sample *s, u64 *cwnd, u64 enough,
		   u32 look)
{
	u64 room = enough - min(enough, *cwnd);

	if (!room || dcc_start_alone(f, s, *cwnd, look))
		return room;
	*cwnd = min(*cwnd, f->flight_cwnd);
	return 0;
}
EXPORT_SYMBOL_GPL(dcc_start_room);
