// SPDX-License-Identifier: GPL-2.0
/*
 * Labels: a keyed permutation, so that they need no memory, and those of oblivious, which
 * needs no more than that.
 */
#include "dcc_selector.h"

#define HALF_BITS	(DCC_LABEL_BITS / 2)
#define HALF_MASK	((1U << HALF_BITS) - 1)
#define FEISTEL_ROUNDS	4	/* Luby and Rackoff: 4 suffice against bias */

/**
 * dcc_spray_hash() - a keyed hash that behaves like a random function
 * @key: the flow's key
 * @x: the input
 *
 * The finalizer of splitmix64 over the sum of key and input: every bit of the
 * result depends on every bit of both.
 *
 * Return: 32 pseudo-random bits.
 */
u32 dcc_spray_hash(u64 key, u32 x)
{
	u64 z = key + (x + 1ULL) * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (u32)((z ^ (z >> 31)) >> 32);
}
EXPORT_SYMBOL_GPL(dcc_spray_hash);

/* A keyed permutation of 20 bits: a balanced Feistel network. */
static u32 spray_permute(u64 key, u32 x)
{
	u32 left = x >> HALF_BITS & HALF_MASK, right = x & HALF_MASK;
	u32 round;

	for (round = 0; round < FEISTEL_ROUNDS; round++) {
		u32 f = dcc_spray_hash(key, round << HALF_BITS | right);
		u32 next = left ^ (f & HALF_MASK);

		left = right;
		right = next;
	}
	return left << HALF_BITS | right;
}

/* The inverse: the same rounds backwards. */
static u32 spray_unpermute(u64 key, u32 x)
{
	u32 left = x >> HALF_BITS & HALF_MASK, right = x & HALF_MASK;
	u32 round;

	for (round = FEISTEL_ROUNDS; round--; ) {
		u32 f = dcc_spray_hash(key, round << HALF_BITS | left);
		u32 before = right ^ (f & HALF_MASK);

		right = left;
		left = before;
	}
	return left << HALF_BITS | right;
}

/**
 * dcc_spray_label() - label number @index under a key
 * @key: the key
 * @index: 0 to DCC_SPRAY_MAX_PATHS - 1
 *
 * Label 0 means "no label" on the wire: the index that maps to it takes the
 * image of the last 20-bit number instead, which no index reaches.
 *
 * Return: a label in 1 .. DCC_LABEL_MASK, distinct for distinct indices.
 */
u32 dcc_spray_label(u64 key, u32 index)
{
	u32 label = spray_permute(key, index);

	return label ? label : spray_permute(key, DCC_LABEL_MASK);
}
EXPORT_SYMBOL_GPL(dcc_spray_label);

/**
 * dcc_spray_index() - which index gave this label?
 * @key: the key
 * @label: it, 20 bits; 0: unknown
 *
 * Return: the index; not below the number of paths: none of them.
 */
u32 dcc_spray_index(u64 key, u32 label)
{
	u32 index;

	if (!label)
		return U32_MAX;
	index = spray_unpermute(key, label);
	return index == DCC_LABEL_MASK ? spray_unpermute(key, 0) : index;
}

/**
 * dcc_spray_oblivious() - the label of a flow's packet number @count
 * @key: the flow's key
 * @count: packets sent before this one; wraps
 * @paths: labels in a lap, a power of two from 1 to DCC_SPRAY_MAX_PATHS
 *
 * Every run of @paths packets that starts at a multiple of it has that many
 * distinct labels, and every such lap labels of its own; 1 is a single label.
 * Needs no state but the counter, so it also serves flows of other algorithms.
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_spray_oblivious(u64 key, u32 count, u32 paths)
{
	u32 lap = paths > 1 ? count / paths : 0;
	u64 lap_key = key ^ (u64)dcc_spray_hash(~key, lap) << 32;

	return dcc_spray_label(lap_key, count & (paths - 1));
}
EXPORT_SYMBOL_GPL(dcc_spray_oblivious);
