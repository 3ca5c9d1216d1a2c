// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_budget.h. */
#include "cc/dcc_budget.h"
#include "unit.h"

#define NOW	1000000000ULL

/* What costs nothing, as in virtual time, is never put off. */
static void dcc_budget__free(void)
{
	struct dcc_budget b = {};
	u32 i;

	for (i = 0; i < 100; i++) {
		EXPECT_EQ(dcc_budget_take(&b, NOW), NOW);
		dcc_budget_learn(&b, 0);
	}
}

/* Slots lie 32 times the cost apart, from the last one taken or from now. */
static void dcc_budget__apart(void)
{
	struct dcc_budget b = { .cost_ns = 1000 };

	EXPECT_EQ(dcc_budget_take(&b, NOW), NOW);
	EXPECT_EQ(dcc_budget_take(&b, NOW), NOW + 32000);
	EXPECT_EQ(dcc_budget_take(&b, NOW + 1), NOW + 64000);
	EXPECT_EQ(dcc_budget_take(&b, NOW + 96001), NOW + 96001);
	EXPECT_EQ(dcc_budget_take(&b, NOW + 96001), NOW + 96001 + 32000);
}

/* The cost follows what was measured, by an eighth; more than 1 ms is a stolen processor. */
static void dcc_budget__learns(void)
{
	struct dcc_budget b = {};
	u32 i;

	dcc_budget_learn(&b, 8000);
	EXPECT_EQ(b.cost_ns, 1000);
	for (i = 0; i < 100; i++)
		dcc_budget_learn(&b, 8000);
	EXPECT_BETWEEN(b.cost_ns, 7990, 8000);
	for (i = 0; i < 200; i++)
		dcc_budget_learn(&b, U64_MAX);
	EXPECT_BETWEEN(b.cost_ns, 999990, 1000000);
	for (i = 0; i < 200; i++)
		dcc_budget_learn(&b, 0);
	EXPECT_BETWEEN(b.cost_ns, 0, 7);
}

/* However many flows ask, sending takes a 32nd of the time. */
static void dcc_budget__share(void)
{
	struct dcc_budget b = { .cost_ns = 3000 };
	u64 now = NOW, spent = 0;

	while (now < NOW + NSEC_PER_SEC) {
		now = dcc_budget_take(&b, now);
		dcc_budget_learn(&b, 3000);
		spent += 3000;
	}
	EXPECT_BETWEEN(spent, NSEC_PER_SEC / 33, NSEC_PER_SEC / 31);
}

/* Nobody waits for more than 100 ms, and nothing is reserved beyond that. */
static void dcc_budget__most(void)
{
	struct dcc_budget b = { .free_ns = NOW + DCC_BUDGET_MOST_NS - 1, .cost_ns = 1000 };

	EXPECT_EQ(dcc_budget_take(&b, NOW), NOW + DCC_BUDGET_MOST_NS - 1);
	EXPECT_EQ(b.free_ns, NOW + DCC_BUDGET_MOST_NS + 31999);
	EXPECT_EQ(dcc_budget_take(&b, NOW), NOW + DCC_BUDGET_MOST_NS);
	EXPECT_EQ(dcc_budget_take(&b, NOW + 1), NOW + 1 + DCC_BUDGET_MOST_NS);
	EXPECT_EQ(b.free_ns, NOW + DCC_BUDGET_MOST_NS + 31999);
}

/* A slot that far is none, and takes nothing of the time behind it. */
static void dcc_budget__just_too_far(void)
{
	struct dcc_budget b = { .free_ns = NOW + DCC_BUDGET_MOST_NS, .cost_ns = 1000 };

	EXPECT_EQ(dcc_budget_take(&b, NOW), NOW + DCC_BUDGET_MOST_NS);
	EXPECT_EQ(b.free_ns, NOW + DCC_BUDGET_MOST_NS);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_budget__free),
	UNIT_TEST(dcc_budget__apart),
	UNIT_TEST(dcc_budget__learns),
	UNIT_TEST(dcc_budget__share),
	UNIT_TEST(dcc_budget__most),
	UNIT_TEST(dcc_budget__just_too_far),
};

UNIT_MAIN(tests)
