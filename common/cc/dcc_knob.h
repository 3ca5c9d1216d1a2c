/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knob tables. One table per module states each knob once; sysfs files,
 * per-namespace sysctls, modinfo text, documentation and the tools' options
 * are all made from it.
 *
 * A module writes its table as a list macro, one line a knob:
 *
 *   #define FOO_KNOBS(K) \
 *	K(name, "unit", min, max, default, algs, "meaning") ...
 *
 * A unit with a '|' in it is a list of words ("off|oblivious"): the knob then
 * takes the word or its number, and shows the word. The unit "2^n" asks for a
 * power of two.
 */
#ifndef _DCC_KNOB_H
#define _DCC_KNOB_H

#include "../math/dcc_types.h"

/**
 * struct dcc_knob - one line of a table
 * @name: file name under parameters/ and net/dcc/<alg>/
 * @unit: "us", "packets", "1/1000", "2^n", or words divided by '|'
 * @help: meaning, one line
 * @min: smallest value allowed
 * @max: largest value allowed
 * @def: default
 * @algs: which of the module's algorithms use it, one bit each, and
 *	DCC_KNOB_BOUNDED
 */
struct dcc_knob {
	const char *name;
	const char *unit;
	const char *help;
	u32 min;
	u32 max;
	u32 def;
	u32 algs;
};

/*
 * In dcc_knob.algs: it costs the machine memory, so a namespace that is not the
 * machine's administrator's may not set it above the machine's value.
 */
#define DCC_KNOB_BOUNDED	(1U << 31)

#define DCC_KNOB_FIELD(n, unit, lo, hi, dflt, algs, help)	u32 n;
#define DCC_KNOB_ENTRY(n, unit, lo, hi, dflt, algs, help) \
	{ #n, unit, help, lo, hi, dflt, algs },
#define DCC_KNOB_INDEX(n, unit, lo, hi, dflt, algs, help)	DCC_KNOB_##n,
#define DCC_KNOB_DEFAULT(n, unit, lo, hi, dflt, algs, help)	.n = dflt,

/* Longest text a knob shows or takes, with its line end. */
#define DCC_KNOB_TEXT	32

int dcc_knob_parse(const struct dcc_knob *k, const char *text, u32 *value);
int dcc_knob_show(const struct dcc_knob *k, u32 value, char *text, size_t size);

#endif /* _DCC_KNOB_H */
