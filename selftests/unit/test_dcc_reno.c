// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_reno.c. */
#include "cc/dcc_reno.h"
#include "unit.h"

#define B(bytes)	((u64)(bytes) << DCC_CWND_SHIFT)

/* An ACK of two packets of 1000 B, of a flow that its window limits. */
static struct dcc_sample two_packets(void)
{
	return (struct dcc_sample) { .mss = 1000, .acked_bytes = 2000, .cwnd_limited = true };
}

static void dcc_reno_ack__slow_start(void)
{
	struct dcc_sample s = two_packets();
	struct dcc_reno r = {};

	EXPECT_EQ(dcc_reno_ack(&r, B(10000), &s), B(12000));
	s.cwnd_limited = false;
	EXPECT_EQ(dcc_reno_ack(&r, B(10000), &s), B(10000));
}

/* Fast recovery halves the window, and slow start ends at the half. */
static void dcc_reno_ack__recovery(void)
{
	struct dcc_sample s = two_packets();
	struct dcc_reno r = {};

	s.recovery = true;
	EXPECT_EQ(dcc_reno_ack(&r, B(10000), &s), B(5000));
	s.recovery = false;
	EXPECT_EQ(dcc_reno_ack(&r, B(4999), &s), B(6999));
	EXPECT_EQ(dcc_reno_ack(&r, B(5000), &s), B(5400));
	EXPECT_EQ(dcc_reno_ack(&r, B(20000), &s), B(20100));
	s.recovery = true;
	EXPECT_EQ(dcc_reno_ack(&r, B(3999), &s), B(2000));
	EXPECT_EQ(dcc_reno_ack(&r, B(10), &s), B(2000));
}

/* The sum of the steps of a round trip is a packet. */
static void dcc_reno_ack__a_packet_a_round_trip(void)
{
	struct dcc_sample s = two_packets();
	struct dcc_reno r = { .ssthresh = B(2000) };
	u64 cwnd = B(1000000);
	u32 i;

	s.acked_bytes = 1000;
	for (i = 0; i < 1000; i++)
		cwnd = dcc_reno_ack(&r, cwnd, &s);
	EXPECT_BETWEEN(cwnd, B(1000999), B(1001000));
}

static void dcc_reno_ack__bounds(void)
{
	struct dcc_sample s = two_packets();
	struct dcc_reno r = {};

	s.cwnd_limited = false;
	EXPECT_EQ(dcc_reno_ack(&r, 0, &s), B(1000));
	EXPECT_EQ(dcc_reno_ack(&r, U64_MAX, &s), DCC_RENO_MOST);
	s.cwnd_limited = true;
	s.acked_bytes = U32_MAX;
	EXPECT_EQ(dcc_reno_ack(&r, DCC_RENO_MOST - 1, &s), DCC_RENO_MOST);
	r.ssthresh = 1;
	s.mss = 65535;
	EXPECT_EQ(dcc_reno_ack(&r, 0, &s), B(65535) + B(U32_MAX));
}

static void dcc_reno_rto__a_packet(void)
{
	struct dcc_sample s = two_packets();
	struct dcc_reno r = {};

	EXPECT_EQ(dcc_reno_rto(&r, B(10000), 1000), B(1000));
	EXPECT_EQ(dcc_reno_ack(&r, B(1000), &s), B(3000));	/* slow start to 5000 */
	EXPECT_EQ(dcc_reno_ack(&r, B(5000), &s), B(5400));
	EXPECT_EQ(dcc_reno_rto(&r, B(1000), 1000), B(1000));
	EXPECT_EQ(dcc_reno_ack(&r, B(1999), &s), B(3999));	/* to two packets */
	EXPECT_EQ(dcc_reno_ack(&r, B(2000), &s), B(3000));
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_reno_ack__slow_start),
	UNIT_TEST(dcc_reno_ack__recovery),
	UNIT_TEST(dcc_reno_ack__a_packet_a_round_trip),
	UNIT_TEST(dcc_reno_ack__bounds),
	UNIT_TEST(dcc_reno_rto__a_packet),
};

UNIT_MAIN(tests)
