/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The link's arithmetic: pure integer code over plain structs, the same in the
 * kernel module and in a user-space unit test.
 *
 * Closed form. A packet of L bytes at R bit/s takes L * 8 * 10^9 / R ns, seldom
 * a whole number. struct lab_clock keeps the exact instant as ns + rem / R, so
 * that n packets of lengths L1..Ln sent back to back from the instant T end
 * exactly at T + (L1 + ... + Ln) * 8 * 10^9 / R, whatever n: nothing is rounded
 * along the way. What happens at an instant (the tx event, the delivery) happens
 * at the first whole ns not before it: each event is less than 1 ns late and
 * the error never adds up.
 *
 * Ranges: L <= 2^17, R <= 10^15: L * 8 * 10^9 <= 2^50 and rem < 2^50, so that
 * no sum below can overflow 64 bits.
 */
#ifndef LAB_LINK_CALC_H
#define LAB_LINK_CALC_H

#include <linux/types.h>

#define LAB_NS_BITS_PER_BYTE	8000000000ULL	/* 8 bits * 10^9 ns/s */
#define LAB_CALC_PPM		1000000ULL
#define LAB_CLASSES		8U
#define LAB_DRR_CLASSES		2U
#define LAB_SELECTOR_SHIFT	3	/* of a DSCP; RFC 2474, section 4.2.2 */

/* An exact instant: ns + rem / rate, 0 <= rem < rate of the moment. */
struct lab_clock {
	__u64 ns;
	__u64 rem;
};

/* Deficit round robin over two classes (Shreedhar and Varghese 1996). */
struct lab_drr {
	__u64 deficit[LAB_DRR_CLASSES];
	__u32 turn;		/* class being visited */
	__u32 charged;		/* has this visit's quantum been added? */
};

/* First whole ns not before the instant. */
static inline __u64 lab_clock_ceil(const struct lab_clock *clock)
{
	return clock->ns + (clock->rem > 0);
}

/* Sets the instant to a whole ns: an arrival at an idle transmitter. */
static inline void lab_clock_set(struct lab_clock *clock, __u64 ns)
{
	clock->ns = ns;
	clock->rem = 0;
}

/* Moves the instant on by the serialisation of len bytes; rate 0: none. */
static inline void lab_clock_serialise(struct lab_clock *clock, __u32 len,
				       __u64 rate)
{
	__u64 work;

	if (!rate)
		return;
	work = len * LAB_NS_BITS_PER_BYTE + clock->rem;
	clock->ns += work / rate;
	clock->rem = work % rate;
}

/* Drop-tail, byte accurate: is there room? buffer 0 = unlimited. */
static inline int lab_admits(__u64 queue, __u32 len, __u64 buffer)
{
	return !buffer || queue + len <= buffer;
}

/*
 * Marking probability in ppm, rounded down: 0 below min, 10^6 from max on,
 * between them linear from 0 at min towards ppm at max.
 */
static inline __u32 lab_red_ppm(__u64 queue, __u64 min, __u64 max, __u32 ppm)
{
	if (queue >= max)
		return LAB_CALC_PPM;
	if (queue < min)
		return 0;
	return ppm * (queue - min) / (max - min);
}

/* splitmix64 (Steele, Lea and Flood 2014): its finaliser ... */
static inline __u64 lab_mix(__u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* ... and its generator; any seed will do. */
static inline __u64 lab_random(__u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return lab_mix(*state);
}

/* Uniform in 0 .. n - 1 (n < 2^32; bias below n / 2^32). */
static inline __u32 lab_random_below(__u64 *state, __u32 n)
{
	return ((lab_random(state) >> 32) * n) >> 32;
}

/* True with probability ppm / 10^6; draws only when it is in doubt. */
static inline int lab_random_ppm(__u64 *state, __u32 ppm)
{
	return ppm && lab_random_below(state, LAB_CALC_PPM) < ppm;
}

/*
 * Is the next packet of a link lost on which @burst in a row are, on average, and
 * @ppm in all? Gilbert's model: a burst goes on with probability 1 - 1 / burst, and
 * begins with the one that makes the share of lost packets ppm: ppm / (burst
 * (10^6 - ppm)). burst <= 1000 and ppm < 10^6, so the product fits into 30 bits.
 */
static inline int lab_random_burst(__u64 *state, __u32 ppm, __u32 burst, int losing)
{
	if (losing)
		return lab_random_below(state, burst) != 0;
	return ppm && lab_random_below(state, burst * (LAB_CALC_PPM - ppm)) < ppm;
}

/*
 * Lateness of a packet, LAB_NOISE_NIC: its quantiles, between which it is linear,
 * in 10^-6 of its mean.
 */
struct lab_quantile {
	__u32 share;		/* of the packets, 10^-9, ... */
	__u32 late;		/* are no later than that */
};

static inline __u64 lab_noise_nic(__u64 *state, __u64 mean)
{
	static const struct lab_quantile at[] = {
		{ 0, 0 },
		{ 500000000, 807000 },
		{ 990000000, 2333000 },
		{ 998500000, 2667000 },
		{ 999100000, 3333000 },
		{ 1000000000, 10000000 },
	};
	__u32 share = lab_random_below(state, 1000000000);
	const struct lab_quantile *q = at;
	__u64 late;

	while (share >= q[1].share)
		q++;
	late = (__u64)(q[1].late - q[0].late) * (share - q[0].share);
	late = q[0].late + late / (q[1].share - q[0].share);
	return mean * late / 1000000;
}

/* Seed of one of several independent streams of the run's seed. */
static inline __u64 lab_stream_seed(__u64 seed, __u64 stream)
{
	return lab_mix(lab_mix(seed + 1) ^ lab_mix(~stream));
}

/*
 * One event's share of the trace hash. Shares are added, so the sum is that of
 * a set: it does not depend on the order in which simultaneous events or
 * different links were dealt with, only on what happened when and where.
 */
static inline __u64 lab_event_hash(__u64 t, __u64 where, __u32 key, __u32 len)
{
	__u64 packet = (__u64)key << 32 | len;

	return lab_mix(t * 0x9e3779b97f4a7c15ULL ^
		       lab_mix(packet * 0xd6e8feb86659fd93ULL + where));
}

/* The class in which a packet waits: by its class selector, by DRR's two, or one. */
static inline __u32 lab_class(__u32 strict, __u32 drr, __u8 dscp)
{
	if (strict)
		return dscp >> LAB_SELECTOR_SHIFT;
	return drr && dscp;
}

/* The turn passes to the other class. */
static inline void lab_drr_pass(struct lab_drr *drr)
{
	drr->turn ^= 1;
	drr->charged = 0;
}

/*
 * Which class sends next, and charges it. len[] is the first packet's length
 * of each class, 0 if it is empty; not both may be 0. A class is charged one
 * quantum a visit, so that the loop ends after max(len) / quantum visits.
 */
static inline __u32 lab_drr_pick(struct lab_drr *drr, __u32 quantum,
				 const __u32 len[LAB_DRR_CLASSES])
{
	for (;;) {
		__u32 c = drr->turn;

		if (len[c]) {
			if (!drr->charged)
				drr->deficit[c] += quantum;
			drr->charged = 1;
			if (len[c] <= drr->deficit[c]) {
				drr->deficit[c] -= len[c];
				return c;
			}
		}
		lab_drr_pass(drr);
	}
}

/* A class that has just become empty forfeits its deficit and its turn. */
static inline void lab_drr_emptied(struct lab_drr *drr, __u32 class)
{
	drr->deficit[class] = 0;
	if (drr->turn == class)
		lab_drr_pass(drr);
}

#endif /* LAB_LINK_CALC_H */
