// SPDX-License-Identifier: GPL-2.0
/*
 * Examples that other programs publish with their results, computed again. The expected
 * numbers are theirs.
 *
 * Nancy (github.com/rzippo/nancy; R. Zippo, G. Stea, "Nancy: an efficient parallel
 * Network Calculus library", SoftwareX 19, 2022): QuickIntro.md and
 * Nancy/Nancy.Tests/MinPlusAlgebra/Curves/Deviations.cs and Deconvolution.cs.
 *
 * DNC (github.com/NetCal/DNC_func_tests, java/de/uni_kl/cs/discodnc; S. Bondorf,
 * J. Schmitt, "The DiscoDNC v2", VALUETOOLS 2014): *_ServerGraph.java for the networks,
 * *_Results.java for the bounds.
 */
#include <errno.h>
#include <stdlib.h>

#include "grid.h"
#include "inverse.h"
#include "minplus.h"

#define SERVERS_MOST	3

/* A whole number or a fraction; *text is moved behind it. */
static struct nc_q number(const char **text)
{
	char *end;
	long long num = strtoll(*text, &end, 10), den = 1;

	if (*end == '/')
		den = strtoll(end + 1, &end, 10);
	*text = end;
	return nc_q_make(num, den);
}

static struct nc_q one(const char *text)
{
	return strcmp(text, "inf") ? number(&text) : NC_INF;
}

/* Pieces "time height slope", with commas between them. */
static struct nc_curve curve(const char *text)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, NC_ZERO, NC_ZERO, NC_ZERO);
	for (; *text; text += *text == ',') {
		struct nc_q t = number(&text), y = number(&text);

		nc_curve_add(&c, t, y, number(&text));
	}
	EXPECT_EQ(nc_curve_check(&c), 0);
	return c;
}

static void expect_value(const char *file, int row, const char *what, struct nc_q got,
			 const char *want)
{
	struct nc_q q = one(want);

	if (nc_q_is_inf(q) ? !nc_q_is_inf(got) : !nc_q_eq(got, q))
		unit_fail(file, row, "%s is %.9g, published is %s", what,
			  nc_q_is_inf(got) ? INFINITY : nc_q_double(got), want);
}

/* --- Nancy ------------------------------------------------------------------------ */

/**
 * struct distance - what is published of two curves
 * @f: what comes in
 * @g: what goes out
 * @delay: horizontal deviation; NULL: not published
 * @backlog: vertical deviation; NULL: the same
 */
struct distance {
	const char *f;
	const char *g;
	const char *delay;
	const char *backlog;
};

#define STEP_F	"0 2 1/4, 4 4 1/2"		/* hdev corresponds to a jump */
#define STEP_G	"8 0 1/3, 11 7 1"
#define BIG_F	"0 1 2441407/1000000000"
#define BIG_G	"27439/40 0 149850048000/12309415288891"

/* Burst and rate, rate and latency, in Nancy's order; a line each. */
static const struct distance nancy[] = {
	{ "0 4 1", "3 0 3", "13/3", NULL },		/* QuickIntro.md */
	{ "0 4 3", "3 0 4", "4", "13" },
	{ "0 4 5", "3 0 4", "inf", "inf" },
	{ "0 1 1", "0 0 3, 1 3 0, 4 3 3", "2", "2" },	/* [DNC18] figure 5.7 */
	{ "0 1 2", "0 0 3, 1 3 0, 4 3 3", "3", "6" },
	{ "0 2 0", "2 0 2", "3", "2" },
	{ "0 0 4, 3 12 0", "3 0 3, 7 12 0", "4", NULL },
	{ "0 4 3", "3 0 2", "inf", "inf" },
	{ "0 0 1", "0 0 2", "0", "0" },
	{ "0 0 1", "0 1 2", "0", NULL },
	{ "0 20 5", "0 10 5", "2", "10" },
	{ "10 0 5", "20 0 5", "10", "50" },
	{ STEP_F, STEP_G, "11", NULL },
	{ STEP_G, STEP_F, "inf", NULL },
	{ "8 0 1/3, 11 7 1/2", STEP_F, "0", NULL },
	{ BIG_F, BIG_G, "115102801965691/149850048000", NULL },
	{ "0 4 2", "0 0 3", NULL, "4" },
	{ "0 0 1/2", "0 0 2", NULL, "0" },
	{ "249/44 0 275/7", "35/4 0 275/7", NULL, "850/7" },
};

static void nancy__deviations(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nancy); i++) {
		struct nc_curve f = curve(nancy[i].f), g = curve(nancy[i].g);
		struct nc_extreme e;

		EXPECT_EQ(nc_delay(&f, &g, NC_INF, &e), 0);
		if (nancy[i].delay)
			expect_value("nancy, row", (int)i, "delay", e.value, nancy[i].delay);
		EXPECT_EQ(nc_backlog(&f, &g, NC_INF, &e), 0);
		if (nancy[i].backlog)
			expect_value("nancy, row", (int)i, "backlog", e.value,
				     nancy[i].backlog);
		nc_curve_free(&f);
		nc_curve_free(&g);
	}
}

/* The envelope behind a server: its burst and rate, or the envelope itself. */
static void nancy__deconvolution(void)
{
	static const char *const cases[][3] = {
		{ "0 20 10", "10 0 30", "0 120 10" },
		{ "0 15 30", "25 0 40", "0 765 30" },
		{ "0 15 30", "10 0 20", NULL },		/* unbounded */
		/* "values for this test are from RTaW playground": forward by 2 */
		{ "0 2 7/4, 20/19 73/19 4/5, 5 7 2/5", "2 0 2", "0 23/5 4/5, 3 7 2/5" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct nc_curve f = curve(cases[i][0]), g = curve(cases[i][1]);
		struct nc_curve out = NC_CURVE_EMPTY, want;
		const char *published = cases[i][2];

		EXPECT_EQ(nc_deconv(&f, &g, &out), published ? 0 : -EDOM);
		want = curve(published ? published : "");
		if (published)
			EXPECT_SAME(&out, &want);
		nc_curve_free(&f);
		nc_curve_free(&g);
		nc_curve_free(&out);
		nc_curve_free(&want);
	}
}

/* --- DNC -------------------------------------------------------------------------- */

/*
 * Its analyses. All flows of these networks pass the same servers.
 * TFA: the sum of all flows, server by server. SFA: what other flows leave of each
 * server, then all servers in one. PMOO: all servers in one, then what others leave.
 */
enum analysis { TFA, SFA_ANY, SFA_FIFO, PMOO };

/**
 * struct bound - a network and what is published
 * @name: of its files
 * @analysis: which
 * @server: rate and latency of each; a rate of 0 ends the list
 * @flow: rate and burst of the flow of interest, each number as a text
 * @others: the same of the sum of the others
 * @delay: the published bound
 * @backlog: the same
 */
struct bound {
	const char *name;
	enum analysis analysis;
	int server[SERVERS_MOST][2];
	const char *flow[2];
	const char *others[2];
	const char *delay;
	const char *backlog;
};

#define ONE	{ { 10, 10 } }
#define TWO	{ { 10, 10 }, { 10, 10 } }
#define MIXED	{ { 10, 10 }, { 6, 6 } }
#define THREE	{ { 20, 20 }, { 20, 20 }, { 20, 20 } }
#define FLOW	{ "5", "25" }
#define NONE	{ "0", "0" }
#define SMALL	{ "2", "10" }
#define SMALL3	{ "6", "30" }
#define HALF	{ "5/2", "25/2" }

static const struct bound dnc[] = {
	{ "S_1SC_1F_1AC", TFA, ONE, FLOW, NONE, "25/2", "75" },
	{ "S_1SC_1F_1AC", SFA_FIFO, ONE, FLOW, NONE, "25/2", "75" },
	{ "S_1SC_2F_1AC", TFA, ONE, FLOW, FLOW, "15", "150" },
	{ "S_1SC_2F_1AC", SFA_ANY, ONE, FLOW, FLOW, "30", "150" },
	{ "S_1SC_2F_1AC", SFA_FIFO, ONE, FLOW, FLOW, "35/2", "175/2" },
	{ "S_1SC_2F_2AC", TFA, ONE, { "4", "10" }, FLOW, "27/2", "125" },
	{ "S_1SC_2F_2AC", SFA_ANY, ONE, { "4", "10" }, FLOW, "27", "110" },
	{ "S_1SC_2F_2AC", SFA_FIFO, ONE, { "4", "10" }, FLOW, "29/2", "60" },
	{ "S_1SC_2F_2AC", SFA_ANY, ONE, FLOW, { "4", "10" }, "45/2", "350/3" },
	{ "S_1SC_2F_2AC", SFA_FIFO, ONE, FLOW, { "4", "10" }, "91/6", "80" },
	{ "S_1SC_10F_10AC", TFA, ONE, { "1/10", "1" }, { "27/5", "54" }, "31/2", "110" },
	{ "S_1SC_10F_10AC", SFA_ANY, ONE, { "1/10", "1" }, { "27/5", "54" }, "775/23", "100/23" },
	{ "S_1SC_10F_10AC", SFA_FIFO, ONE, { "1/10", "1" }, { "27/5", "54" }, "1796/115",
	  "127/50" },
	{ "S_1SC_10F_10AC", SFA_ANY, ONE, { "7/10", "7" }, { "24/5", "48" }, "775/26", "350/13" },
	{ "S_1SC_10F_10AC", SFA_FIFO, ONE, { "7/10", "7" }, { "24/5", "48" }, "2099/130",
	  "434/25" },
	{ "TA_2S_1SC_1F_1AC_1P", TFA, TWO, FLOW, NONE, "30", "125" },
	{ "TA_2S_1SC_1F_1AC_1P", SFA_ANY, TWO, FLOW, NONE, "45/2", "125" },
	{ "TA_2S_2SC_1F_1AC_1P", TFA, MIXED, FLOW, NONE, "31", "105" },
	{ "TA_2S_2SC_1F_1AC_1P", SFA_FIFO, MIXED, FLOW, NONE, "121/6", "105" },
	{ "TA_2S_1SC_2F_1AC_1P", TFA, TWO, FLOW, FLOW, "40", "250" },
	{ "TA_2S_1SC_2F_1AC_1P", SFA_ANY, TWO, FLOW, FLOW, "65", "325" },
	{ "TA_2S_1SC_2F_1AC_1P", SFA_FIFO, TWO, FLOW, FLOW, "35", "175" },
	{ "TA_2S_1SC_2F_1AC_1P", PMOO, TWO, FLOW, FLOW, "50", "250" },
	{ "TA_2S_1SC_4F_1AC_1P", TFA, TWO, SMALL, SMALL3, "36", "200" },
	{ "TA_2S_1SC_4F_1AC_1P", SFA_ANY, TWO, SMALL, SMALL3, "165/2", "170" },
	{ "TA_2S_1SC_4F_1AC_1P", SFA_FIFO, TWO, SMALL, SMALL3, "69/2", "74" },
	{ "TA_2S_1SC_4F_1AC_1P", PMOO, TWO, SMALL, SMALL3, "60", "125" },
	{ "TA_2S_2SC_2F_1AC_1P", TFA, MIXED, HALF, HALF, "31", "105" },
	{ "TA_2S_2SC_2F_1AC_1P", SFA_ANY, MIXED, HALF, HALF, "277/7", "205/2" },
	{ "TA_2S_2SC_2F_1AC_1P", SFA_FIFO, MIXED, HALF, HALF, "379/14", "285/4" },
	{ "TA_2S_2SC_2F_1AC_1P", PMOO, MIXED, HALF, HALF, "242/7", "90" },
	{ "TA_3S_1SC_2F_1AC_1P", TFA, THREE, FLOW, FLOW, "195/2", "650" },
	{ "TA_3S_1SC_2F_1AC_1P", SFA_ANY, THREE, FLOW, FLOW, "320/3", "550" },
	{ "TA_3S_1SC_2F_1AC_1P", SFA_FIFO, THREE, FLOW, FLOW, "965/12", "1675/4" },
	{ "TA_3S_1SC_2F_1AC_1P", PMOO, THREE, FLOW, FLOW, "250/3", "1300/3" },
};

static struct nc_curve bucket(const char *const text[2])
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_bucket(one(text[1]), one(text[0]), &c);
	return c;
}

static struct nc_curve latency(struct nc_q rate, struct nc_q wait)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&c, wait, NC_ZERO, rate);
	return c;
}

static void replace(struct nc_curve *old, struct nc_curve with)
{
	nc_curve_free(old);
	*old = with;
}

/*
 * What a bucket leaves of rate and latency is a rate and a latency again: in any
 * order the positive part of the difference, which starts where they cross; in FIFO
 * order that of the bucket shifted so that its burst is just served.
 */
static struct nc_curve left_over(const struct nc_curve *server, const struct nc_curve *others,
				 bool fifo)
{
	const struct nc_piece *b = &server->p[server->n - 1];
	struct nc_q taken = others->n ? others->p[0].slope : NC_ZERO;
	struct nc_q rate = nc_q_sub(b->slope, taken), wait;

	if (fifo)
		wait = nc_inv_up(server, nc_curve_after(others, NC_ZERO));
	else
		wait = nc_q_div(nc_q_sub(nc_curve_after(others, NC_ZERO), b->at0), rate);
	return latency(rate, wait);
}

static struct nc_curve behind(const struct nc_curve *traffic, const struct nc_curve *server)
{
	struct nc_curve out = NC_CURVE_EMPTY;

	EXPECT_EQ(nc_deconv(traffic, server, &out), 0);
	return out;
}

static void total(const struct bound *n, struct nc_q *delay, struct nc_q *backlog)
{
	struct nc_curve flow = bucket(n->flow), others = bucket(n->others);
	struct nc_curve all = NC_CURVE_EMPTY, server;
	struct nc_extreme e;
	int i;

	nc_sum(&flow, &others, &all);
	*delay = NC_ZERO;
	*backlog = NC_ZERO;
	for (i = 0; i < SERVERS_MOST && n->server[i][0]; i++) {
		server = latency(nc_q_int(n->server[i][0]), nc_q_int(n->server[i][1]));
		EXPECT_EQ(nc_delay(&all, &server, NC_INF, &e), 0);
		*delay = nc_q_add(*delay, e.value);
		EXPECT_EQ(nc_backlog(&all, &server, NC_INF, &e), 0);
		*backlog = nc_q_max(*backlog, e.value);
		replace(&all, behind(&all, &server));
		nc_curve_free(&server);
	}
	nc_curve_free(&flow);
	nc_curve_free(&others);
	nc_curve_free(&all);
}

/* One more server behind those that are one already. */
static void append(struct nc_curve *path, bool first, const struct nc_curve *server)
{
	struct nc_curve out = NC_CURVE_EMPTY;

	EXPECT_EQ(first ? nc_curve_copy(server, &out) : nc_conv(path, server, &out), 0);
	replace(path, out);
}

/* What the flow has of the whole way. */
static struct nc_curve way(const struct bound *n)
{
	struct nc_curve others = bucket(n->others), path = NC_CURVE_EMPTY, server, rest;
	int i;

	for (i = 0; i < SERVERS_MOST && n->server[i][0]; i++) {
		server = latency(nc_q_int(n->server[i][0]), nc_q_int(n->server[i][1]));
		if (n->analysis == PMOO) {
			append(&path, !i, &server);
		} else {
			rest = left_over(&server, &others, n->analysis == SFA_FIFO);
			append(&path, !i, &rest);
			nc_curve_free(&rest);
			replace(&others, behind(&others, &server));
		}
		nc_curve_free(&server);
	}
	if (n->analysis == PMOO)
		replace(&path, left_over(&path, &others, false));
	nc_curve_free(&others);
	return path;
}

static void separate(const struct bound *n, struct nc_q *delay, struct nc_q *backlog)
{
	struct nc_curve flow = bucket(n->flow), path = way(n);
	struct nc_extreme e;

	EXPECT_EQ(nc_delay(&flow, &path, NC_INF, &e), 0);
	*delay = e.value;
	EXPECT_EQ(nc_backlog(&flow, &path, NC_INF, &e), 0);
	*backlog = e.value;
	nc_curve_free(&flow);
	nc_curve_free(&path);
}

static void dnc__bounds(void)
{
	struct nc_q delay, backlog;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dnc); i++) {
		const struct bound *n = &dnc[i];

		if (n->analysis == TFA)
			total(n, &delay, &backlog);
		else
			separate(n, &delay, &backlog);
		expect_value(n->name, (int)i, "delay", delay, n->delay);
		expect_value(n->name, (int)i, "backlog", backlog, n->backlog);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(nancy__deviations),
	UNIT_TEST(nancy__deconvolution),
	UNIT_TEST(dnc__bounds),
};

UNIT_MAIN(tests)
