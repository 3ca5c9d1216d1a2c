/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path selectors: which label (entropy) does the next packet carry?
 *
 * The network hashes a packet's label onto a path. A selector picks a label per
 * packet and hears back what became of it: GOOD, CE, LOST or TIMEOUT. Labels
 * are 20-bit values, never 0, from a pseudo-random permutation keyed by the
 * flow: they need no memory, and two flows share no path choices.
 *
 * off: one label a flow, as the stack chose it (plain ECMP).
 *
 * oblivious: no feedback. N = spray_paths, a power of two.
 *   packet c: label(key(c / N), c mod N)   N new distinct labels every lap
 *
 * auto: the selector that measurements favour (Documentation/experiments.md, "Path
 * selectors"): mrc over 256 labels, whatever spray_paths says.
 *
 * bitmap, mixed, reps, mrc: stated in the file of each.
 *
 * Source: UecMpOblivious, UecMpBitmap, UecMpReps and UecMpMixed of the htsim
 * simulator's model of Ultra Ethernet. The idea of recycling: Bonato et al.,
 * "SMaRTT-REPS: Sender-based Marked Rapidly-adapting Trimmed & Timed Transport
 * with Recycled Entropies", 2024. mrc: the public description of Multipath
 * Reliable Connection 1.0 (Open Compute Project, 2026): 128 to 256 labels, each
 * good, to be skipped, assumed bad until a probe came back, or denied.
 *
 * Differences from the simulator:
 * - Labels are hashed by switches that do not know N. N labels on n paths leave
 *   each path a binomial share with a standard deviation of sqrt((n - 1) / N) of
 *   it: 48 % for 64 labels on 16 paths. Fixed labels keep that for the flow's
 *   whole life; oblivious and the random labels of reps are therefore drawn
 *   anew every lap, which averages out: 48 % / sqrt(laps). In the simulator a
 *   path is a label, so that N fixed ones are an even spread. New labels come
 *   in a new order, so that oblivious needs no XOR. A single label (N = 1)
 *   stays the same: it is how to ask for one path.
 *
 * Pure integer C; the caller serialises; time is an argument; randomness comes
 * from the key alone. The longest step is bitmap's past N penalties, 2 us for
 * 256; otherwise a packet and its news cost 30 to 160 ns.
 */
#ifndef _DCC_SPRAY_H
#define _DCC_SPRAY_H

#include "../math/dcc_types.h"

enum dcc_spray_selector {
	DCC_SPRAY_OFF,
	DCC_SPRAY_OBLIVIOUS,
	DCC_SPRAY_BITMAP,
	DCC_SPRAY_REPS,
	DCC_SPRAY_MIXED,
	DCC_SPRAY_MRC,
	DCC_SPRAY_AUTO,
	DCC_SPRAY_COUNT
};

#define DCC_SPRAY_SELECTORS	"off|oblivious|bitmap|reps|mixed|mrc|auto"

/**
 * enum dcc_path_event - what became of a packet
 * @DCC_PATH_GOOD: it arrived unmarked
 * @DCC_PATH_CE: it arrived with Congestion Experienced
 * @DCC_PATH_LOST: the stack declared it lost
 * @DCC_PATH_TIMEOUT: the retransmission timer expired waiting for it
 */
enum dcc_path_event {
	DCC_PATH_GOOD,
	DCC_PATH_CE,
	DCC_PATH_LOST,
	DCC_PATH_TIMEOUT,
};

/**
 * struct dcc_path_news - what became of a packet, for the selector
 * @now_ns: now, never earlier than before
 * @label: what it carried; unknown, if it is no label
 * @event: what became of it
 * @delay_ns: its delay; 0: not known
 * @base_ns: the flow's base RTT; 0: not known
 */
struct dcc_path_news {
	u64 now_ns;
	u32 label;
	enum dcc_path_event event;
	u32 delay_ns;
	u32 base_ns;
};

#define DCC_LABEL_BITS		20
#define DCC_LABEL_MASK		((1U << DCC_LABEL_BITS) - 1)
#define DCC_SPRAY_MAX_PATHS	65536

/* The simulator's constants, but for the first and the last seven, which are this project's. */
#define DCC_SPRAY_MAX_PENALTIES	256	/* labels that a selector can remember */
#define DCC_SPRAY_PENALTY_CE	1
#define DCC_SPRAY_PENALTY_LOST	4
#define DCC_SPRAY_PENALTY_CAP	15
#define DCC_SPRAY_CACHE		8	/* labels that reps recycles */
#define DCC_SPRAY_EXPLORE	16	/* random labels before reps recycles */
#define DCC_SPRAY_QUEUE		32	/* labels that mixed recycles */
#define DCC_SPRAY_AGAIN		2560U	/* packets without a label that lost again */
#define DCC_SPRAY_MOST		40U	/* laps of that */
#define DCC_SPRAY_WATCH		31U	/* packets that must come through after a loss */
#define DCC_SPRAY_SEEK		255U	/* packets that take any label after a loss */
#define DCC_SPRAY_SEEK_BITS	5	/* and of 2^5 packets it is one */
#define DCC_SPRAY_TRUST		240U	/* with more of them left a mark is no reason to leave */

/*
 * How long reps freezes after a timeout, in base RTTs: 10 ms on the simulator's
 * network of 12 us.
 */
#define DCC_SPRAY_FREEZE_RTTS	833U

/* mrc, all this project's. */
#define DCC_SPRAY_MRC_MEAN	6U	/* 1/64: gain of the mean excess */
#define DCC_SPRAY_AUTO_PATHS	256U	/* labels of auto */
#define DCC_SPRAY_MRC_QUEUE	8U	/* labels that are recycled */
#define DCC_SPRAY_MRC_RECYCLED	15U	/* in a row; the next one is the walk's */
#define DCC_SPRAY_MRC_PACKETS	16U	/* of which one is a probe, at most */
#define DCC_SPRAY_MRC_GAP	3U	/* 2^3 base RTTs between probes, at most */
#define DCC_SPRAY_MRC_NEED	24U	/* probes in a row that bring labels back */
#define DCC_SPRAY_MRC_ALIVE	8U	/* the same where none had come back */

/**
 * struct dcc_spray_queue - which places of a ring of labels are in use
 * @head: the oldest, modulo the ring's size, a power of two
 * @len: how many
 */
struct dcc_spray_queue {
	u8 head;
	u8 len;
};

/*
 * What bitmap and mixed remember of a label: its penalty, and did it lose a packet? Or it is
 * watched, and so many have to come through.
 */
#define DCC_SPRAY_PENALTY	0x3fU
#define DCC_SPRAY_LOSSY		0x40U
#define DCC_SPRAY_WATCHED	0x80U

/**
 * struct dcc_spray_bitmap - state of bitmap and mixed
 * @label: per index DCC_SPRAY_PENALTY and DCC_SPRAY_LOSSY or _WATCHED
 * @ring: mixed: the queue's indices of labels
 */
struct dcc_spray_bitmap {
	u8 label[DCC_SPRAY_MAX_PENALTIES];
	u8 ring[DCC_SPRAY_QUEUE];
};

/**
 * struct dcc_spray_reps - state of reps
 * @thaw_ns: the freeze ends after this moment
 * @label: the cache, oldest first
 * @len: its entries
 * @fresh: bit i: @label[i] has not been used since it was entered
 * @turn: the entry a frozen flow uses next
 * @explore: random labels to use before any cached one
 * @frozen: is it?
 */
struct dcc_spray_reps {
	u64 thaw_ns;
	u32 label[DCC_SPRAY_CACHE];
	u8 len;
	u8 fresh;
	u8 turn;
	u8 explore;
	bool frozen;
};

/*
 * What mrc remembers of a label: is it retired, and how often was another drawn in its
 * place, modulo 128? The latter and the index are its number: 15 bits.
 */
#define DCC_SPRAY_MRC_RETIRED	0x80U
#define DCC_SPRAY_MRC_DRAWN	0x7fU
#define DCC_SPRAY_MRC_DRAWN_AT	8

/**
 * struct dcc_spray_mrc - state of mrc
 * @asked_ns: when the last probe left
 * @base_ns: the flow's base RTT; 0: not known yet
 * @mean_ns: mean of what packets took beyond it
 * @since: packets since the last probe, as far as they count
 * @gap: 2^gap base RTTs from one probe to the next
 * @retired: labels that are
 * @turn: the index to look at first for the next one to ask
 * @run: packets on retired labels that came through in a row
 * @need: so many bring the labels back
 * @recycled: packets in a row that did not take the walk's label
 * @ring: the queue's indices of labels
 * @label: per index DCC_SPRAY_MRC_RETIRED and how often it was drawn
 */
struct dcc_spray_mrc {
	u64 asked_ns;
	u32 base_ns;
	u32 mean_ns;
	u8 since;
	u8 gap;
	u8 retired;
	u8 turn;
	u8 run;
	u8 need;
	u8 recycled;
	u8 ring[DCC_SPRAY_MRC_QUEUE];
	u8 label[DCC_SPRAY_MAX_PENALTIES];
};

/**
 * struct dcc_spray - a flow's path selector
 * @key: the source of its randomness
 * @count: steps of the walk over the labels so far; wraps
 * @paths: labels in a lap, a power of two
 * @order: bitmap, mixed, mrc: XORed with the walk's step to give an index; new
 *	every lap
 * @selector: enum dcc_spray_selector, not DCC_SPRAY_AUTO
 * @phase: packets, while @seek is not 0; wraps
 * @seek: so many more take any label, of reps and mixed
 * @queue: mixed: labels that came through, mrc: in time, to use first
 * @bitmap: state of bitmap and mixed
 * @reps: state of reps
 * @mrc: state of mrc
 */
struct dcc_spray {
	u64 key;
	u32 count;
	u32 paths;
	u32 order;
	u8 selector : 3,
	   phase : DCC_SPRAY_SEEK_BITS;
	u8 seek;
	struct dcc_spray_queue queue;
	union {
		struct dcc_spray_bitmap bitmap;
		struct dcc_spray_reps reps;
		struct dcc_spray_mrc mrc;
	};
};

static_assert(DCC_SPRAY_COUNT <= 8, "three bits for the selector");

/* How often is a label passed over still, of what bitmap remembers of it? */
static inline u32 dcc_spray_penalty(u8 label)
{
	return label & DCC_SPRAY_WATCHED ? 0 : label & DCC_SPRAY_PENALTY;
}

/* Does a selector listen? The others need no news. */
static inline bool dcc_spray_steers(u32 selector)
{
	return selector > DCC_SPRAY_OBLIVIOUS;
}

/* Does it know of congestion by ECN marks alone? mrc also goes by delay. */
static inline bool dcc_spray_needs_marks(u32 selector)
{
	return selector == DCC_SPRAY_BITMAP || selector == DCC_SPRAY_REPS ||
	       selector == DCC_SPRAY_MIXED;
}

/* The selector that is meant. */
static inline u32 dcc_spray_meant(u32 selector)
{
	return selector == DCC_SPRAY_AUTO ? DCC_SPRAY_MRC : selector;
}

/* Bytes of struct dcc_spray that a selector uses. */
static inline size_t dcc_spray_size(u32 selector)
{
	selector = dcc_spray_meant(selector);
	if (selector == DCC_SPRAY_BITMAP || selector == DCC_SPRAY_MIXED)
		return sizeof(struct dcc_spray);
	if (selector == DCC_SPRAY_REPS)
		return offsetof(struct dcc_spray, reps) +
		       sizeof(struct dcc_spray_reps);
	if (selector == DCC_SPRAY_MRC)
		return offsetof(struct dcc_spray, mrc) +
		       sizeof(struct dcc_spray_mrc);
	return offsetof(struct dcc_spray, reps);
}

void dcc_spray_init(struct dcc_spray *s, u32 selector, u32 paths, u64 key);
u32 dcc_spray_next(struct dcc_spray *s, u64 now_ns);
void dcc_spray_heard(struct dcc_spray *s, const struct dcc_path_news *n);
u32 dcc_spray_avoided(const struct dcc_spray *s);

u32 dcc_spray_hash(u64 key, u32 x);
u32 dcc_spray_label(u64 key, u32 index);
u32 dcc_spray_oblivious(u64 key, u32 count, u32 paths);

#endif /* _DCC_SPRAY_H */
