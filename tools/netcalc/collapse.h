/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Throughput of one flow that is sprayed over many paths, a share q of which is
 * congested: a packet on those comes back after T_l, any other after T_s.
 *
 *   reno, dctcp : MSS / T_s * sqrt(3/2) / sqrt(q)
 *   swift       : MSS / T_s * sqrt((1/mdf - 1/2) * ai) / sqrt(q)
 *   smartt      : a cut of one packet and of the share fd / BDP per late packet
 *   lswift      : root of  W^2 c(W) (2 - c(W)) = 2 ai * (packets that grow W)
 *                 c(W) = min(beta (T_l - target(W)) / T_l, mdf)
 *   lswift-1st  : the same to the first order in flow scaling
 *   mswift      : lswift, late only if the median of H = W / 2 packets is: in turn
 *                 steady states, at random a chain of cuts (collapse_chain.c)
 *
 * W is the window just before a cut, packets; no model exceeds the rate that the
 * flow has without congestion. Derivation, assumptions and what the real stack
 * does: Documentation/collapse-model.md.
 *
 * Source: Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying with
 * Congested Paths", section II, Table I and appendix A.
 */
#ifndef _NC_COLLAPSE_H
#define _NC_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * enum nc_collapse_view - what is idealised
 * @NC_VIEW_STACK: paths in random order, whole packets in flight, and the gate of
 *	one RTT on a smoothed RTT that the late packet itself has raised
 * @NC_VIEW_PAPER: paths in turn, a real-valued window, a gate of one window
 */
enum nc_collapse_view {
	NC_VIEW_STACK,
	NC_VIEW_PAPER,
};

/**
 * struct nc_collapse - the network and the knobs
 * @ts: RTT of the free paths, seconds
 * @tl: RTT of the congested paths, seconds, above @ts
 * @mss: payload of a packet, bytes
 * @rate: what the flow has without congestion, bit/s of payload
 * @ai: additive increase, packets an RTT
 * @mdf: largest share of the window one cut takes (Swift's max_mdf)
 * @beta: multiplicative decrease constant (Swift's beta_md)
 * @base_target: target of the whole RTT without flow scaling, seconds, above @ts
 * @fs_range: most that flow scaling adds to the target, seconds; 0: none
 * @fs_min: window at and below which flow scaling is full, packets
 * @fs_max: window at and above which it is none, packets
 * @alpha: SMaRTT: @ts in base RTTs, between 1 and 1.5
 * @time: mswift, packets at random: the mean is over such a time, which ends by
 *	chance, seconds
 * @first: mswift, packets at random: window at its beginning, packets; 0: a full line
 * @view: what is idealised
 */
struct nc_collapse {
	double ts;
	double tl;
	double mss;
	double rate;
	double ai;
	double mdf;
	double beta;
	double base_target;
	double fs_range;
	double fs_min;
	double fs_max;
	double alpha;
	double time;
	double first;
	enum nc_collapse_view view;
};

#define NC_US	0.000001	/* seconds */

/* The lab's collapse scenario: 10 Gbit/s, 4096 byte packets of 4024 payload. */
#define NC_COLLAPSE_DEFAULTS {						\
	.ts = 120 * NC_US, .tl = 220 * NC_US, .mss = 4024,			\
	.rate = 10e9 * 4024 / 4096, .ai = 1, .mdf = 0.5, .beta = 0.8,	\
	.base_target = 145 * NC_US, .fs_range = 725 * NC_US,			\
	.fs_min = 0.1, .fs_max = 100, .alpha = 1.25, .time = 0.24, \
}

/**
 * struct nc_collapse_point - what a model says at one q
 * @throughput: bit/s of payload
 * @peak: window before a cut, packets; 0: no cut is ever made
 * @cut: share of the window that a cut takes
 * @residual: packets by which the steady-state equation is missed at @peak
 * @regime: which part of the model applies, for people
 */
struct nc_collapse_point {
	double throughput;
	double peak;
	double cut;
	double residual;
	const char *regime;
};

typedef struct nc_collapse_point nc_collapse_fn(const struct nc_collapse *p,
						double q);

nc_collapse_fn nc_collapse_reno, nc_collapse_dctcp, nc_collapse_swift,
	       nc_collapse_smartt, nc_collapse_lswift, nc_collapse_lswift_flat,
	       nc_collapse_lswift_first, nc_collapse_mswift;

/**
 * struct nc_collapse_model - a model under the name that people use
 * @name: in options and files
 * @title: what it is, in a few words
 * @at: the model
 */
struct nc_collapse_model {
	const char *name;
	const char *title;
	nc_collapse_fn *at;
};

#define NC_COLLAPSE_MODELS	8
#define NC_COLLAPSE_NAMES \
	"reno dctcp swift smartt lswift lswift-flat lswift-1st mswift"
extern const struct nc_collapse_model nc_collapse_models[NC_COLLAPSE_MODELS];

/**
 * struct nc_measured - a point that was measured
 * @q: share of late packets
 * @throughput: bit/s of payload
 * @model: index of nc_collapse_models
 */
struct nc_measured {
	double q;
	double throughput;
	int model;
};

const struct nc_collapse_model *nc_collapse_model(const char *name);
bool nc_collapse_read(const char *path, struct nc_measured **points,
		      size_t *count, char *text, size_t size);

double nc_collapse_target(const struct nc_collapse *p, double window);
bool nc_collapse_wrong(const struct nc_collapse *p, char *text, size_t size);
double nc_collapse_mean_rtt(const struct nc_collapse *p, double q);
double nc_collapse_full_window(const struct nc_collapse *p, double q);
double nc_collapse_top_window(const struct nc_collapse *p, double q);
int nc_collapse_chain(const struct nc_collapse *p, double q,
		      struct nc_collapse_point *point);

int nc_collapse_main(int argc, char **argv);

#endif /* _NC_COLLAPSE_H */
