// SPDX-License-Identifier: GPL-2.0
/*
 * Is an algorithm's outcome what was recorded? Which branch the reference took is read
 * from the recording alone: from the exact times and from what the decision
 * changed, never from the algorithm.
 */
#include "../../common/math/dcc_fixed.h"
#include "algorithms.h"
#include "alg_nscc.h"
#include "recorded.h"
#include "rules.h"

/* What the algorithm may be off by. */
#define CWND_BYTES	2	/* or ... */
#define CWND_PART	10000	/* ... 1 / 10000, whichever is larger */
#define AVG_PART	10000
#define INC_PART	10000
#define TIME_PS		(1 * PS_PER_NS)
#define QA_END_PS	(3 * PS_PER_NS)	/* a sum of three rounded times */

/* The network of the increases' constants. */
#define REF_RTT_PS	12e6
#define REF_BDP		150e3
#define BITS_AND_PS	8e12	/* bits times ps in a byte times s */

/* The reference keeps inc_bytes in so many bits. */
#define INC_BITS	32

const char *const part_name[PARTS] = {
	[CWND] = "cwnd",
	[AVG] = "avg_delay_ps",
	[INC] = "inc_bytes",
	[RECEIVED] = "received",
	[ACHIEVED] = "achieved",
	[FI_COUNT] = "fi_count",
	[INCREASE] = "increase",
	[TRIGGER] = "trigger_qa",
	[QA_END] = "qa_end_ps",
	[TO_IGNORE] = "to_ignore",
	[IGNORED] = "ignored",
	[LAST_DEC] = "last_dec_ps",
	[LAST_ADJ] = "last_adj_ps",
};

static u64 pre(const struct record *r, enum part part)
{
	return r->value[PRE + part];
}

static u64 post(const struct record *r, enum part part)
{
	return r->value[POST + part];
}

/* Delay and mark as recorded, and which parts of the state the row changed. */
static u8 quadrant(const struct record *r)
{
	bool high = r->value[DELAY] >= setting[TARGET_QDELAY_PS];

	if (r->value[ECN] && high)
		return post(r, LAST_DEC) != pre(r, LAST_DEC) ? NSCC_DECREASE :
							       NSCC_WAIT;
	if (r->value[ECN])
		return NSCC_NOOP;
	if (high)
		return NSCC_FAIR;
	return post(r, INCREASE) ? NSCC_FAST : NSCC_PROPORTIONAL;
}

/* Stale news: those still ignored drop what was collected. */
static bool is_ignored(const struct record *r)
{
	u64 heard = pre(r, IGNORED) + (r->loss ? r->value[BYTES] : 0);

	return (r->loss || r->value[ECN]) && heard < pre(r, TO_IGNORE) &&
	       !post(r, RECEIVED) && !post(r, INC);
}

/*
 * Only a quick adapt sets the bytes ignored back to 0. On a row that counts
 * none it still changes those to ignore.
 */
static bool is_quick_adapt(const struct record *r)
{
	u64 heard = pre(r, IGNORED) + (r->loss ? r->value[BYTES] : 0);

	return !post(r, IGNORED) &&
	       (heard || post(r, TO_IGNORE) != pre(r, TO_IGNORE));
}

/* Increases taking effect set the bytes received back to 0, or start R anew. */
static bool is_fulfil(const struct record *r)
{
	return !post(r, RECEIVED) &&
	       (pre(r, RECEIVED) || post(r, LAST_ADJ) != pre(r, LAST_ADJ));
}

/**
 * record_branch() - which way did the reference go?
 * @r: the row
 *
 * Return: as nscc_update() and nscc_loss().
 */
u8 record_branch(const struct record *r)
{
	u8 period = post(r, QA_END) != pre(r, QA_END) ? NSCC_MARK_PERIOD : 0;

	if (is_quick_adapt(r))
		return NSCC_QUICK_ADAPT | period;
	if (is_ignored(r))
		return NSCC_IGNORED | period;
	if (r->loss)
		return NSCC_LOSS | period;
	return quadrant(r) | period | (is_fulfil(r) ? NSCC_MARK_FULFIL : 0);
}

/* BDP / reference BDP: the algorithm's a. */
static double scale(void)
{
	return (double)setting[NETWORK_RTT_PS] * (double)setting[LINKSPEED_BPS] /
	       BITS_AND_PS / REF_BDP;
}

/* What this row's bytes are worth for each unit of a knob in 1/1000 MSS. */
static double worth(const struct record *r, u32 milli)
{
	return (double)milli / DCC_MILLI * (double)setting[MSS] * scale() *
	       (double)r->value[BYTES];
}

/* What a ps of delay is worth to the proportional increase. */
static double worth_of_ps(const struct record *r)
{
	return worth(r, nscc_replay_knobs.alpha) / REF_RTT_PS;
}

/* How often inc_bytes passed 2^32 in this row. */
static u64 wraps(const struct record *r)
{
	double inc = (double)pre(r, INC);
	u8 branch = record_branch(r) & NSCC_BRANCH;

	if (branch == NSCC_FAIR)
		inc += worth(r, nscc_replay_knobs.fi);
	else if (branch == NSCC_PROPORTIONAL)
		inc += worth_of_ps(r) * (double)(setting[TARGET_QDELAY_PS] -
						 r->value[DELAY]);
	return inc < 0x1p63 ? (u64)inc >> INC_BITS : 0;
}

/* What should have come out, in the way the algorithm keeps it. */
static u64 wanted(const struct record *r, enum part part)
{
	u64 to_ignore = post(r, TO_IGNORE), ignored = post(r, IGNORED);

	if (part == TO_IGNORE)
		return to_ignore > ignored ? to_ignore - ignored : 0;
	return part == IGNORED ? 0 : post(r, part);
}

/* What should have come out if inc_bytes had not been cut to 32 bits. */
static u64 wanted_unwrapped(const struct record *r, enum part part)
{
	u64 lost = wraps(r) << INC_BITS;

	if (part == INC && post(r, RECEIVED))
		return post(r, INC) + lost;
	if (part == CWND && !post(r, RECEIVED))
		return min_t(u64, post(r, CWND) + lost / pre(r, CWND),
			     r->value[MAXWND]);
	return wanted(r, part);
}

static u64 allowed(const struct record *r, enum part part)
{
	u64 want = wanted(r, part);

	switch (part) {
	case CWND:
		return max_t(u64, CWND_BYTES, want / CWND_PART);
	case AVG:
		return TIME_PS + want / AVG_PART;
	case INC:
		return (u64)min_t(double, worth_of_ps(r) * TIME_PS, 0x1p62) +
		       want / INC_PART;
	case QA_END:
		return QA_END_PS;
	case LAST_DEC:
	case LAST_ADJ:
		return TIME_PS;
	default:
		return 0;
	}
}

static bool is_near(u64 a, u64 b, u64 by)
{
	return (a > b ? a - b : b - a) <= by;
}

/* One part of the state. */
static enum verdict judge_part(const struct record *r, const struct outcome *o,
			       enum part part, FILE *why)
{
	u64 want = wanted(r, part), got = o->part[part];
	u64 by = allowed(r, part);

	if (is_near(got, want, by))
		return SAME;
	fprintf(why, "; post_%s%s: expected %llu, got %llu, allowed +-%llu",
		part_name[part], part == TO_IGNORE ? " - post_ignored" : "",
		(unsigned long long)want, (unsigned long long)got,
		(unsigned long long)by);
	return wraps(r) && is_near(got, wanted_unwrapped(r, part), by) ?
	       WRAP : DIFFERENT;
}

static enum verdict judge_branch(const struct record *r,
				 const struct outcome *o, FILE *why)
{
	char want[RULE_TEXT], got[RULE_TEXT];
	u8 branch = record_branch(r);

	if (o->branch == branch)
		return SAME;
	rule_name("nscc", branch, want, sizeof(want));
	rule_name("nscc", o->branch, got, sizeof(got));
	fprintf(why, "; branch: expected %s, got %s", want, got);
	return DIFFERENT;
}

/**
 * record_judge() - compare an outcome with the row
 * @r: the row
 * @o: the outcome
 * @why: gets "; column: what differs" for each difference
 *
 * Return: WRAP if all that differs is what the reference loses by keeping
 * inc_bytes in 32 bits.
 */
enum verdict record_judge(const struct record *r, const struct outcome *o,
			  FILE *why)
{
	enum verdict worst = judge_branch(r, o, why), v;
	u32 i;

	for (i = 0; i < PARTS; i++) {
		v = judge_part(r, o, i, why);
		worst = max(worst, v);
	}
	return worst;
}
