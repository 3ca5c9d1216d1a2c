/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is it chance that so many of some packets are lost? Of @all packets @all_lost are
 * lost; of @some of these, those with one label, or across one link, @some_lost. Pure.
 */
#ifndef _DCCSTAT_CHANCE_H
#define _DCCSTAT_CHANCE_H

#include "../../common/math/dcc_types.h"

/**
 * struct tally - packets, and those of them that matter
 * @some: with the label, or across the link
 * @some_lost: of them lost
 * @all: of any label, or link
 * @all_lost: of them lost
 */
struct tally {
	u64 some;
	u64 some_lost;
	u64 all;
	u64 all_lost;
};

double chance_log(const struct tally *t);
double chance_gain(const struct tally *t);

#endif /* _DCCSTAT_CHANCE_H */
