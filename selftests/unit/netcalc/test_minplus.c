// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/netcalc/minplus.c and envelope.c: the laws of the algebra, and the grid. */
#include <errno.h>

#include "admit.h"
#include "envelope.h"
#include "grid.h"
#include "minplus.h"

#define ROUNDS	300

typedef int (*binary)(const struct nc_curve *f, const struct nc_curve *g,
		      struct nc_curve *out);

static struct nc_curve apply(binary op, const struct nc_curve *f,
			     const struct nc_curve *g)
{
	struct nc_curve out = NC_CURVE_EMPTY;

	EXPECT_EQ(op(f, g, &out), 0);
	EXPECT_EQ(nc_curve_check(&out), 0);
	return out;
}

/* Against the grid, for every pair of shapes. */
static void conv_on_grid(binary op, enum grid_shape a, enum grid_shape b)
{
	struct nc_curve f = grid_curve(a), g = grid_curve(b);
	struct nc_curve h = apply(op, &f, &g);
	int t;

	for (t = 0; t <= GRID_END; t++)
		EXPECT_Q(grid_at(&h, t), grid_conv(&f, &g, t), "conv", t);
	nc_curve_free(&f);
	nc_curve_free(&g);
	nc_curve_free(&h);
}

static void conv_all(binary op)
{
	int round, a, b;

	for (round = 0; round < ROUNDS; round++)
		for (a = 0; a < GRID_SHAPES; a++)
			for (b = 0; b < GRID_SHAPES; b++)
				conv_on_grid(op, a, b);
}

static void conv__grid(void)
{
	conv_all(nc_conv);
}

static void conv_pieces__grid(void)
{
	conv_all(nc_conv_pieces);
}

/* Three random curves and a law that holds for them. */
static void for_triples(void (*law)(struct nc_curve *c))
{
	int round, k;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve c[3];

		for (k = 0; k < 3; k++)
			c[k] = grid_curve(unit_below(GRID_SHAPES));
		law(c);
		for (k = 0; k < 3; k++)
			nc_curve_free(&c[k]);
	}
}

static void expect_same_and_free(struct nc_curve a, struct nc_curve b)
{
	EXPECT_SAME(&a, &b);
	nc_curve_free(&a);
	nc_curve_free(&b);
}

static void is_associative(binary op, struct nc_curve *c)
{
	struct nc_curve first = apply(op, &c[0], &c[1]);
	struct nc_curve last = apply(op, &c[1], &c[2]);

	expect_same_and_free(apply(op, &first, &c[2]),
			     apply(op, &c[0], &last));
	nc_curve_free(&first);
	nc_curve_free(&last);
}

static void all_associative(struct nc_curve *c)
{
	is_associative(nc_sum, c);
	is_associative(nc_min, c);
	is_associative(nc_conv, c);
}

static void algebra__associative(void)
{
	for_triples(all_associative);
}

static void all_commutative(struct nc_curve *c)
{
	expect_same_and_free(apply(nc_sum, c, c + 1), apply(nc_sum, c + 1, c));
	expect_same_and_free(apply(nc_min, c, c + 1), apply(nc_min, c + 1, c));
	expect_same_and_free(apply(nc_conv, c, c + 1),
			     apply(nc_conv, c + 1, c));
}

static void algebra__commutative(void)
{
	for_triples(all_commutative);
}

/* Convolution and sum distribute over the minimum. */
static void distributes(binary op, struct nc_curve *c)
{
	struct nc_curve low = apply(nc_min, &c[0], &c[1]);
	struct nc_curve a = apply(op, &c[0], &c[2]);
	struct nc_curve b = apply(op, &c[1], &c[2]);

	expect_same_and_free(apply(op, &low, &c[2]), apply(nc_min, &a, &b));
	nc_curve_free(&low);
	nc_curve_free(&a);
	nc_curve_free(&b);
}

static void all_distribute(struct nc_curve *c)
{
	distributes(nc_sum, c);
	distributes(nc_conv, c);
}

static void algebra__distributive(void)
{
	for_triples(all_distribute);
}

/* What is smaller stays smaller: min(f, g) * h <= f * h, everywhere. */
static void conv_is_isotone(struct nc_curve *c)
{
	struct nc_curve low = apply(nc_min, &c[0], &c[1]);
	struct nc_curve a = apply(nc_conv, &low, &c[2]);
	struct nc_curve b = apply(nc_conv, &c[0], &c[2]);

	expect_same_and_free(apply(nc_min, &a, &b), a);
	nc_curve_free(&low);
	nc_curve_free(&b);
}

static void algebra__isotone(void)
{
	for_triples(conv_is_isotone);
}

/* A delay of 0 leaves all as it is, a delay of T and one of U are T + U. */
static void delays(struct nc_curve *c)
{
	struct nc_curve same = NC_CURVE_EMPTY, once = NC_CURVE_EMPTY;
	struct nc_curve twice = NC_CURVE_EMPTY, both = NC_CURVE_EMPTY;
	struct nc_q t = nc_q_int(unit_below(9)), u = nc_q_make(7, 2);

	EXPECT_EQ(nc_shift(c, NC_ZERO, NC_ZERO, &same), 0);
	EXPECT_SAME(&same, c);
	nc_shift(c, t, NC_ZERO, &once);
	nc_shift(&once, u, NC_ZERO, &twice);
	nc_shift(c, nc_q_add(t, u), NC_ZERO, &both);
	EXPECT_SAME(&twice, &both);
	nc_curve_free(&same);
	nc_curve_free(&once);
	nc_curve_free(&twice);
	nc_curve_free(&both);
}

static void algebra__delay_is_neutral_at_0(void)
{
	for_triples(delays);
}

/* What admits all at once changes nothing: no curve gets to 10^6 by 40 ns. */
static void wide_window_is_neutral(struct nc_curve *c)
{
	struct nc_curve out = NC_CURVE_EMPTY;
	int t;

	EXPECT_EQ(nc_conv_window(c, nc_q_int(1000000), &out), 0);
	for (t = 0; t <= GRID_END; t++)
		EXPECT_Q(grid_at(&out, t), grid_at(c, t), "wide", t);
	nc_curve_free(&out);
}

static void algebra__wide_window_is_neutral(void)
{
	for_triples(wide_window_is_neutral);
}

static void zero_absorbs(struct nc_curve *c)
{
	const struct nc_curve zero = NC_CURVE_EMPTY;

	expect_same_and_free(apply(nc_conv, c, &zero), zero);
	expect_same_and_free(apply(nc_conv, &zero, c), zero);
}

static void algebra__zero_absorbs(void)
{
	for_triples(zero_absorbs);
}

/* Each special convolution is the general one with that service curve. */
static void special_convs(struct nc_curve *c)
{
	struct nc_q b = nc_q_int(unit_below(30));
	struct nc_q r = nc_q_make(unit_below(20), 1 + unit_below(4));
	struct nc_curve s[3] = { 0 }, got[3] = { 0 };
	int k;

	nc_curve_rate(r, &s[0]);
	nc_curve_window(b, &s[1]);
	nc_curve_bucket(b, r, &s[2]);
	EXPECT_EQ(nc_conv_rate(c, r, &got[0]), 0);
	EXPECT_EQ(nc_conv_window(c, b, &got[1]), 0);
	EXPECT_EQ(nc_conv_bucket(c, b, r, &got[2]), 0);
	for (k = 0; k < 3; k++) {
		expect_same_and_free(apply(nc_conv_pieces, c, &s[k]), got[k]);
		nc_curve_free(&s[k]);
	}
}

static void conv__special_is_general(void)
{
	for_triples(special_convs);
}

/* Two links in a row are the slower one. */
static void conv_rate__in_a_row(void)
{
	struct nc_curve f = grid_any(), one = NC_CURVE_EMPTY;
	struct nc_curve two = NC_CURVE_EMPTY, slow = NC_CURVE_EMPTY;

	nc_conv_rate(&f, nc_q_int(3), &one);
	nc_conv_rate(&one, nc_q_int(2), &two);
	nc_conv_rate(&f, nc_q_int(2), &slow);
	EXPECT_SAME(&two, &slow);
	nc_curve_free(&f);
	nc_curve_free(&one);
	nc_curve_free(&two);
	nc_curve_free(&slow);
}

/* A 4 MB burst on 100 Gbit/s is gone after 320 us. */
static void conv_rate__by_hand(void)
{
	struct nc_curve a = NC_CURVE_EMPTY, d = NC_CURVE_EMPTY;

	nc_curve_bucket(nc_q_int(4000000), nc_q_make(25, 4), &a);
	nc_conv_rate(&a, nc_q_make(25, 2), &d);
	EXPECT_EQ(d.n, 2);
	EXPECT_Q(grid_at(&d, 320000), nc_q_int(4000000), "D", 320000);
	EXPECT_Q(d.p[1].t, nc_q_int(640000), "end of the busy period", 0);
	nc_curve_free(&a);
	nc_curve_free(&d);
}

/* nc_serve() is: move the origin, convolve, move back. */
static void serve_shifted(struct nc_curve *c)
{
	struct nc_q t = nc_q_int(1 + unit_below(12)), r = nc_q_int(2);
	struct nc_q y = nc_q_div(nc_curve_at(c, t), nc_q_int(2));
	struct nc_curve rem = NC_CURVE_EMPTY, done = NC_CURVE_EMPTY;
	struct nc_curve got = NC_CURVE_EMPTY;
	int s;

	nc_shift(c, nc_q_sub(NC_ZERO, t), nc_q_sub(NC_ZERO, y), &rem);
	nc_conv_rate(&rem, r, &done);
	nc_curve_add_line(&got, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_serve(c, (struct nc_origin){ t, y }, r, NC_INF, &got);
	for (s = 1; s <= GRID_END; s++) {
		struct nc_q x = nc_q_make(s, 2);

		EXPECT_Q(nc_curve_at(&got, nc_q_add(t, x)),
			 nc_q_add(nc_curve_at(&done, x), y), "served", s);
	}
	nc_curve_free(&rem);
	nc_curve_free(&done);
	nc_curve_free(&got);
}

static void serve__is_a_shifted_convolution(void)
{
	for_triples(serve_shifted);
}

/* The smaller of both, never below what was admitted before. */
static void admit_on_grid(struct nc_curve *c)
{
	struct nc_q t = nc_q_int(unit_below(12)), y;
	struct nc_view cap = { &c[1], nc_q_int(unit_below(5)), nc_q_int(7) };
	struct nc_curve got = NC_CURVE_EMPTY;
	int s;

	y = nc_q_add(nc_q_min(nc_curve_at(c, t), nc_view_at(cap, t)),
		     nc_q_int(unit_below(20)));
	nc_curve_add_line(&got, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_admit(nc_view(c), cap, (struct nc_origin){ t, y },
		 nc_q_int(GRID_END), &got);
	for (s = 1; s <= 2 * GRID_END; s++) {
		struct nc_q x = nc_q_make(s, 2), low;

		low = nc_q_min(nc_curve_at(c, x), nc_view_at(cap, x));
		if (nc_q_lt(t, x))
			EXPECT_Q(nc_curve_at(&got, x), nc_q_max(low, y),
				 "admitted", s);
	}
	nc_curve_free(&got);
}

static void admit__grid(void)
{
	for_triples(admit_on_grid);
}

static void shift__refuses_negative(void)
{
	struct nc_curve f = grid_bent(true), out = NC_CURVE_EMPTY;

	EXPECT_EQ(nc_shift(&f, NC_ZERO, nc_q_int(-1), &out), -EINVAL);
	EXPECT_EQ(out.n, 0);
	nc_curve_free(&f);
}

static void errors__travel(void)
{
	struct nc_curve bad = { .err = -EOVERFLOW }, f = grid_any();
	struct nc_curve out = NC_CURVE_EMPTY;
	binary ops[] = { nc_sum, nc_min, nc_conv, nc_conv_pieces };
	size_t k;

	for (k = 0; k < ARRAY_SIZE(ops); k++) {
		EXPECT_EQ(ops[k](&f, &bad, &out), -EOVERFLOW);
		out = NC_CURVE_EMPTY;
		EXPECT_EQ(ops[k](&bad, &f, &out), -EOVERFLOW);
		out = NC_CURVE_EMPTY;
	}
	EXPECT_EQ(nc_conv_rate(&bad, nc_q_int(1), &out), -EOVERFLOW);
	out = NC_CURVE_EMPTY;
	EXPECT_EQ(nc_conv_window(&bad, nc_q_int(1), &out), -EOVERFLOW);
	out = NC_CURVE_EMPTY;
	EXPECT_EQ(nc_conv_rate(&f, nc_q_int(-1), &out), -EINVAL);
	nc_curve_free(&f);
}

/* Rates without a common grid: the sum of many overflows, and says so. */
static void errors__overflow_of_a_sum(void)
{
	struct nc_curve sum = NC_CURVE_EMPTY, next = NC_CURVE_EMPTY;
	int64_t prime = (1LL << 61) - 1;
	int err = 0, k;

	for (k = 0; k < 4 && !err; k++) {
		struct nc_curve f = NC_CURVE_EMPTY;

		nc_curve_rate(nc_q_make(1, prime - 1000 * k), &f);
		err = nc_sum(&sum, &f, &next);
		nc_curve_free(&sum);
		nc_curve_free(&f);
		sum = next;
		next = NC_CURVE_EMPTY;
	}
	EXPECT_EQ(err, -EOVERFLOW);
	EXPECT_EQ(k, 3);	/* two fit, three do not */
}

/* Two convex curves against the pieces of any two. */
static void conv__convex(void)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve f = grid_bent(true), g = grid_bent(true);
		struct nc_curve out = NC_CURVE_EMPTY, want = NC_CURVE_EMPTY;

		EXPECT_EQ(nc_conv(&f, &g, &out), 0);
		EXPECT_EQ(nc_conv_pieces(&f, &g, &want), 0);
		EXPECT_SAME(&out, &want);
		nc_curve_free(&f);
		nc_curve_free(&g);
		nc_curve_free(&out);
		nc_curve_free(&want);
	}
}

#define MANY	20000

/* A piece of 1 ns for each slope from low on, in steps of 2. */
static struct nc_curve long_convex(int low)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	long long y = 0;
	int t;

	for (t = 0; t < MANY; t++) {
		nc_curve_add(&c, nc_q_int(t), nc_q_int(y), nc_q_int(low + 2 * t));
		y += low + 2 * t;
	}
	return c;
}

/* Odd and even slopes in turn: the square of these pieces would not fit. */
static void conv__convex_is_linear(void)
{
	struct nc_curve even = long_convex(0), odd = long_convex(1);
	struct nc_curve out = NC_CURVE_EMPTY;
	int t;

	EXPECT_EQ(nc_conv(&even, &odd, &out), 0);
	EXPECT_EQ(out.n, 2 * MANY - 1);
	for (t = 0; t < 2 * MANY; t += 1000)
		EXPECT_Q(grid_at(&out, t), nc_q_int((int64_t)t * (t - 1) / 2),
			 "conv", t);
	nc_curve_free(&even);
	nc_curve_free(&odd);
	nc_curve_free(&out);
}

static void sum__of_all(void)
{
	int n, i;

	for (n = 0; n < 20; n++) {
		struct nc_curve f[20], out = NC_CURVE_EMPTY, want = NC_CURVE_EMPTY;
		const struct nc_curve *all[20];

		for (i = 0; i < n; i++) {
			struct nc_curve sum = NC_CURVE_EMPTY;

			f[i] = grid_any();
			all[i] = &f[i];
			nc_sum(&want, &f[i], &sum);
			nc_curve_free(&want);
			want = sum;
		}
		EXPECT_EQ(nc_sum_all(all, (size_t)n, &out), 0);
		EXPECT_SAME(&out, &want);
		for (i = 0; i < n; i++)
			nc_curve_free(&f[i]);
		nc_curve_free(&out);
		nc_curve_free(&want);
	}
}

/* --- maximum and deconvolution ------------------------------------------------ */

static void max__grid(void)
{
	int round, t;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve f = grid_any(), g = grid_any();
		struct nc_curve h = apply(nc_max, &f, &g);

		for (t = 0; t <= GRID_END; t++)
			EXPECT_Q(grid_at(&h, t), nc_q_max(grid_at(&f, t), grid_at(&g, t)),
				 "max", t);
		nc_curve_free(&f);
		nc_curve_free(&g);
		nc_curve_free(&h);
	}
}

#define FAR	(2 * GRID_END)	/* beyond all bends */

/* sup over u of f(t + u) - g(u): at u, and a little later. */
static struct nc_q grid_deconv(const struct nc_curve *f, const struct nc_curve *g,
			       int t)
{
	struct nc_q best = grid_at(f, t);
	int u;

	for (u = 0; u <= FAR; u++) {
		best = nc_q_max(best, nc_q_sub(grid_at(f, t + u), grid_at(g, u)));
		best = nc_q_max(best, nc_q_sub(grid_after(f, t + u),
					       grid_after(g, u)));
	}
	return best;
}

static bool rises_for_ever(const struct nc_curve *f, const struct nc_curve *g)
{
	return nc_q_lt(g->p[g->n - 1].slope, f->p[f->n - 1].slope);
}

/* Also it is an envelope: f(t) <= h(s) + g(t - s) for all s, of which h(0) is not h's. */
static void deconv_on_grid(const struct nc_curve *f, const struct nc_curve *g)
{
	struct nc_curve h = apply(nc_deconv, f, g);
	int t, s;

	for (t = 1; t <= GRID_END; t++) {
		EXPECT_Q(grid_at(&h, t), grid_deconv(f, g, t), "deconv", t);
		for (s = 0; s <= t; s++)
			EXPECT_EQ(nc_q_le(grid_at(f, t),
					  nc_q_add(grid_after(&h, s),
						   grid_at(g, t - s))), true);
	}
	nc_curve_free(&h);
}

static void deconv__grid(void)
{
	int round, a, b, bounded = 0;

	for (round = 0; round < ROUNDS; round++)
		for (a = 0; a < GRID_SHAPES; a++)
			for (b = 0; b < GRID_SHAPES; b++) {
				struct nc_curve f = grid_curve(a), g = grid_curve(b);
				struct nc_curve h = NC_CURVE_EMPTY;

				if (rises_for_ever(&f, &g))
					EXPECT_EQ(nc_deconv(&f, &g, &h), -EDOM);
				else
					deconv_on_grid(&f, &g);
				bounded += !rises_for_ever(&f, &g);
				nc_curve_free(&f);
				nc_curve_free(&g);
			}
	EXPECT_EQ(bounded > ROUNDS, true);
}

/* A bucket through a link with latency: later by b + r T at most. */
static void deconv__bucket_and_latency(void)
{
	struct nc_curve f = NC_CURVE_EMPTY, g = NC_CURVE_EMPTY;
	struct nc_curve want = NC_CURVE_EMPTY, h;

	nc_curve_bucket(nc_q_int(10), nc_q_int(2), &f);
	nc_curve_add(&g, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&g, nc_q_int(7), NC_ZERO, nc_q_int(5));
	h = apply(nc_deconv, &f, &g);
	nc_curve_bucket(nc_q_int(24), nc_q_int(2), &want);
	EXPECT_SAME(&h, &want);
	nc_curve_free(&f);
	nc_curve_free(&g);
	nc_curve_free(&h);
	nc_curve_free(&want);
}

static const struct unit_test tests[] = {
	UNIT_TEST(max__grid),
	UNIT_TEST(deconv__grid),
	UNIT_TEST(deconv__bucket_and_latency),
	UNIT_TEST(conv__grid),
	UNIT_TEST(conv_pieces__grid),
	UNIT_TEST(conv__special_is_general),
	UNIT_TEST(conv_rate__in_a_row),
	UNIT_TEST(conv_rate__by_hand),
	UNIT_TEST(serve__is_a_shifted_convolution),
	UNIT_TEST(algebra__associative),
	UNIT_TEST(algebra__commutative),
	UNIT_TEST(algebra__distributive),
	UNIT_TEST(algebra__isotone),
	UNIT_TEST(algebra__delay_is_neutral_at_0),
	UNIT_TEST(algebra__wide_window_is_neutral),
	UNIT_TEST(algebra__zero_absorbs),
	UNIT_TEST(admit__grid),
	UNIT_TEST(shift__refuses_negative),
	UNIT_TEST(errors__travel),
	UNIT_TEST(errors__overflow_of_a_sum),
	UNIT_TEST(conv__convex),
	UNIT_TEST(conv__convex_is_linear),
	UNIT_TEST(sum__of_all),
};

UNIT_MAIN(tests)
