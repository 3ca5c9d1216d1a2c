/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which flows: the language of ss(8), with the algorithm beside.
 *
 *	[state STATE]... [exclude STATE]... [EXPRESSION]
 *	EXPRESSION = PREDICATE, not E, E and E, E E, E or E, ( E )
 *	PREDICATE  = sport|dport [= != < <= > >=] [:]PORT
 *		     src|dst [= !=] ADDRESS[/BITS][:PORT], [IPV6]:PORT, *:PORT, :PORT
 *		     cc [= !=] NAME
 *
 * Pure.
 */
#ifndef _DCCSTAT_FILTER_H
#define _DCCSTAT_FILTER_H

#include "flow.h"

#define STATE_LISTENING	10	/* TCP_LISTEN of the kernel */
#define STATES_ALL	0xffeU	/* bits of states: those that there are */
#define FILTER_NODES	64	/* most predicates and operators */
#define FILTER_TEXT	64	/* longest word */

enum node_kind {
	NODE_TRUE, NODE_AND, NODE_OR, NODE_NOT, NODE_PORT, NODE_HOST, NODE_CC,
};

enum compare { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };

/**
 * struct node - a part of an expression
 * @kind: what it is
 * @compare: of a predicate
 * @dst: is it of the other host?
 * @left: NODE_AND and so on: index of what they are of
 * @right: likewise
 * @port: NODE_PORT, NODE_HOST; -1: any
 * @family: NODE_HOST: of the address; 0: any
 * @bits: of it that count
 * @address: it
 * @cc: NODE_CC
 */
struct node {
	enum node_kind kind;
	enum compare compare;
	bool dst;
	u8 left;
	u8 right;
	int port;
	u8 family;
	u8 bits;
	u8 address[ADDRESS_BYTES];
	char cc[CC_TEXT];
};

/**
 * struct filter - a filter, ready to be applied
 * @states: bit i: sockets of state i
 * @hosts: does it ask for an address, which the trace event does not tell?
 * @root: of the expression
 * @nodes: how many there are
 * @node: they
 */
struct filter {
	u32 states;
	bool hosts;
	u8 root;
	u8 nodes;
	struct node node[FILTER_NODES];
};

int filter_parse(struct filter *filter, int count, char *const *words, char why[WHY_TEXT]);
bool filter_match(const struct filter *filter, const struct flow *flow);
const char *state_name(u8 state);

#endif /* _DCCSTAT_FILTER_H */
