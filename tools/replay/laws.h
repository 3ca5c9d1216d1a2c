/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laws that can be replayed. Each is built from the file that the kernel
 * module is built from; here is only what tells their inside by name.
 */
#ifndef _REPLAY_LAWS_H
#define _REPLAY_LAWS_H

#include <stdio.h>

#include "../../common/dcc_knob.h"
#include "../../common/dcc_quantile.h"
#include "../../common/dcc_sample.h"

#define LAW_FIELDS	32	/* most fields of a law's state */

/* What the stack starts with when init_cwnd is 0: TCP_INIT_CWND, RFC 6928. */
#define FIRST_CWND_PKTS	10

/**
 * struct field - a number inside a struct, for columns
 * @name: of the column
 * @unit: of its values
 * @help: meaning, one line
 * @deflt: what stands for an absent or empty cell, in words; of a state's
 *	field, NULL: as the row before left it
 * @offset: where in the struct
 * @size: its bytes
 * @low: smallest value allowed
 * @high: largest
 */
struct field {
	const char *name;
	const char *unit;
	const char *help;
	const char *deflt;
	size_t offset;
	size_t size;
	u64 low;
	u64 high;
};

#define FIELD(type, member, name_, unit_, low_, high_, deflt_, help_) {	\
	.name = name_, .unit = unit_, .help = help_, .deflt = deflt_,	\
	.offset = offsetof(type, member),				\
	.size = sizeof(((type *)0)->member), .low = low_, .high = high_,\
}

/**
 * struct law - one law with one flow
 * @name: as in the kernel
 * @help: one line
 * @knob: the module's table
 * @knobs: lines in it
 * @bit: the law's in struct dcc_knob's algs
 * @value: the knobs' values, in the table's order
 * @field: what of the state has a column
 * @fields: how many
 * @state: the state that @field describes
 * @start: begin the flow with the knobs as they are, at its first sample
 * @pull: make @state what the flow's state is; NULL: it is that itself
 * @push: make the flow's state what @state is; NULL likewise
 * @on_ack: an ACK
 * @on_rto: a timeout
 * @on_idle: the flow starts again
 * @on_probe: a probe was answered; NULL: the law sends none
 * @on_start: the flow has something to send; NULL likewise
 * @window: the window as a decision states it, for packets of @mss bytes
 * @history_room: recent delays the law keeps; 0: none
 * @history_clear: forget them
 * @history_put: add one
 * @history_count: how many there are
 */
struct law {
	const char *name;
	const char *help;
	const struct dcc_knob *knob;
	u32 knobs;
	u32 bit;
	u32 *value;
	const char *const *published;	/* name, value, ..., NULL: its paper's knobs */
	const struct field *field;
	u32 fields;
	void *state;
	void (*start)(const struct law *law, const struct dcc_sample *s);
	void (*pull)(void);
	void (*push)(void);
	void (*on_ack)(const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_rto)(const struct dcc_sample *s);
	void (*on_idle)(const struct dcc_sample *s);
	void (*on_probe)(const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_start)(const struct dcc_sample *s, struct dcc_decision *d);
	u64 (*window)(u32 mss);
	u32 history_room;
	void (*history_clear)(void);
	void (*history_put)(u32 delay_ns);
	u32 (*history_count)(void);
};

extern const struct law mswift_laws[];
extern const struct law nscc_laws[];
extern const struct law oscar_laws[];
extern const struct law prioplus_laws[];
extern const u32 mswift_law_count, nscc_law_count, oscar_law_count,
		 prioplus_law_count;

const struct law *law_find(const char *name);
bool law_set(const struct law *law, const char *name, const char *text);
void law_list(FILE *out);
void law_list_knobs(const struct law *law,
		    const char *(*instead)(const char *knob), FILE *out);
u64 field_get(const void *base, const struct field *f);
void field_set(void *base, const struct field *f, u64 value);
void field_list(const struct field *f, u32 count, const char *prefix,
		FILE *out);

#endif /* _REPLAY_LAWS_H */
