/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path engines: which label (entropy) does the next packet carry?
 *
 * The network hashes a packet's label onto a path. An engine picks a label per
 * packet and hears back what became of it: GOOD, CE, LOST or TIMEOUT. Labels
 * are 20-bit values, never 0, from a pseudo-random permutation keyed by the
 * flow: they need no memory, and two flows share no path choices.
 *
 * off: one label a flow, as the stack chose it (plain ECMP).
 *
 * oblivious: no feedback. N = spray_paths, a power of two.
 *   packet c: label(key(c / N), c mod N)   N new distinct labels every lap
 *
 * bitmap: N fixed labels, N at most 256, a penalty p of 0 to 15 for each.
 *   heard: CE p += 1, LOST p += 4, TIMEOUT p = 15; GOOD leaves it as it is
 *   next:  i = next in order    (0 .. N-1 XOR a value drawn anew every lap)
 *          the first time that p[i] > 0: p[i] -= 1
 *          while p[i] > 0, at most N times: i = next in order
 *          label(key, i)
 *
 * reps: recycle the labels of the last 8 packets that came through.
 *   heard: GOOD append the label, fresh; if there are 8, forget the oldest
 *               (while frozen: append only if there are fewer)
 *          LOST, TIMEOUT forget the label wherever it is cached
 *          TIMEOUT, if neither exploring nor frozen: freeze until now + freeze
 *   next:  frozen and past that time: forget everything, explore 16 packets
 *          exploring: a random label
 *          frozen, something cached: the cached ones in turn, fresh or not
 *          else the oldest fresh label, which then is not fresh any more
 *          else a random label: oblivious
 *   start: exploring 16 packets
 *
 * mixed: bitmap, but labels that came through go first.
 *   heard: as bitmap; GOOD also queues the label; if 64 wait, forget the oldest
 *   next:  the first queued label without a penalty, forgetting those with one;
 *          if there is none, bitmap
 *
 * Source: UecMpOblivious, UecMpBitmap, UecMpReps and UecMpMixed of the htsim
 * simulator's model of Ultra Ethernet. The idea of recycling: Bonato et al.,
 * "SMaRTT-REPS: Sender-based Marked Rapidly-adapting Trimmed & Timed Transport
 * with Recycled Entropies", 2024.
 *
 * What a penalty buys: a label with p > 0 is passed over p times, so if each of
 * its packets is CE-marked it is used every other lap and keeps half its share;
 * if each is lost it keeps a fifth, if each times out a sixteenth.
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
 * - bitmap and mixed must recognise a label, so they keep N fixed ones.
 * - LOST and TIMEOUT remove a label from the reps cache (there: only not
 *   added): that of a dead path would be used in turn for the whole freeze.
 * - While reps is frozen GOOD still fills free places (there: is ignored), or
 *   a cache emptied by losses would learn nothing for the whole freeze.
 * - mixed passes over queued labels with a penalty (there: takes them): the
 *   penalty is the newer news.
 * - The queue of mixed is bounded. What is dropped is the oldest news.
 * - A frozen reps thaws when it sends as well (there: only when it hears).
 *
 * Pure integer C; the caller serialises; time is an argument; randomness comes
 * from the key alone. The longest step is bitmap's past N penalties, 2 us for
 * 256; otherwise a packet and its news cost 30 to 160 ns.
 */
#ifndef _DCC_SPRAY_H
#define _DCC_SPRAY_H

#include "dcc_types.h"

enum dcc_spray_engine {
	DCC_SPRAY_OFF,
	DCC_SPRAY_OBLIVIOUS,
	DCC_SPRAY_BITMAP,
	DCC_SPRAY_REPS,
	DCC_SPRAY_MIXED,
};

#define DCC_SPRAY_ENGINES	"off|oblivious|bitmap|reps|mixed"

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

#define DCC_LABEL_BITS		20
#define DCC_LABEL_MASK		((1U << DCC_LABEL_BITS) - 1)
#define DCC_SPRAY_MAX_PATHS	65536

/* The simulator's constants, but for the first and the last, which are ours. */
#define DCC_SPRAY_MAX_PENALTIES	256	/* labels that bitmap can remember */
#define DCC_SPRAY_PENALTY_CE	1
#define DCC_SPRAY_PENALTY_LOST	4
#define DCC_SPRAY_PENALTY_CAP	15
#define DCC_SPRAY_CACHE		8	/* labels that reps recycles */
#define DCC_SPRAY_EXPLORE	16	/* random labels before reps recycles */
#define DCC_SPRAY_QUEUE		64	/* labels that mixed recycles */

/**
 * struct dcc_spray_bitmap - state of bitmap and mixed
 * @order: XORed with the walk's step to give an index; new every lap
 * @head: mixed: the oldest place in use of @queue
 * @queued: mixed: places in use
 * @penalty: per index of a label, 0 to DCC_SPRAY_PENALTY_CAP
 * @queue: mixed: ring of indices that came through
 */
struct dcc_spray_bitmap {
	u32 order;
	u8 head;
	u8 queued;
	u8 penalty[DCC_SPRAY_MAX_PENALTIES];
	u8 queue[DCC_SPRAY_QUEUE];
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

/**
 * struct dcc_spray - a flow's path engine
 * @key: the source of its randomness
 * @count: steps of the walk over the labels so far; wraps
 * @paths: labels in a lap, a power of two
 * @engine: enum dcc_spray_engine
 * @bitmap: state of bitmap and mixed
 * @reps: state of reps
 */
struct dcc_spray {
	u64 key;
	u32 count;
	u32 paths;
	u8 engine;
	union {
		struct dcc_spray_bitmap bitmap;
		struct dcc_spray_reps reps;
	};
};

/* Does an engine listen? The others need not be told anything. */
static inline bool dcc_spray_steers(u32 engine)
{
	return engine > DCC_SPRAY_OBLIVIOUS;
}

/* Bytes of struct dcc_spray that an engine uses. */
static inline size_t dcc_spray_size(u32 engine)
{
	if (engine == DCC_SPRAY_BITMAP || engine == DCC_SPRAY_MIXED)
		return sizeof(struct dcc_spray);
	if (engine == DCC_SPRAY_REPS)
		return offsetof(struct dcc_spray, reps) +
		       sizeof(struct dcc_spray_reps);
	return offsetof(struct dcc_spray, reps);
}

void dcc_spray_init(struct dcc_spray *s, u32 engine, u32 paths, u64 key);
u32 dcc_spray_next(struct dcc_spray *s, u64 now_ns);
void dcc_spray_heard(struct dcc_spray *s, u32 label, enum dcc_path_event event,
		     u64 now_ns, u64 freeze_ns);

u32 dcc_spray_hash(u64 key, u32 x);
u32 dcc_spray_label(u64 key, u32 index);
u32 dcc_spray_oblivious(u64 key, u32 count, u32 paths);

#endif /* _DCC_SPRAY_H */
