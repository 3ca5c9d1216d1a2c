// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/netcalc/case.c, arrivals.c, keys.c, text.c: what users write. */
#include <errno.h>
#include <stdlib.h>

#include "aimd.h"
#include "case.h"
#include "csv.h"
#include "grid.h"
#include "reno.h"
#include "stack.h"

#define GOOD_FLOW "flow f cc=aimd rate=1Gbps increase=1Mbps every=1us decrease=0.5\n"
#define SENDERS "flow s cc=dcqcn count=3 rate=1Gbps increase=0 every=1us decrease=75%\n"
#define GOOD "link rate=8Gbps feedback=10ns\n" GOOD_FLOW "stop at=100ns\n"

static u32 knob_of(const struct nc_stack *stack, const char *name)
{
	u32 i;

	for (i = 0; i < stack->of->knobs; i++)
		if (!strcmp(stack->of->knob[i].name, name))
			return stack->knob[i];
	unit_fail(__FILE__, __LINE__, "no knob %s", name);
	return 0;
}

/* Read a text as a case. */
static int read_text(struct nc_case *c, const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	int err = nc_case_read(c, file, "x");

	fclose(file);
	return err;
}

static void expect_begins(const char *text, const char *want)
{
	if (strncmp(text, want, strlen(want)))
		unit_fail(__FILE__, __LINE__, "\"%s\" does not begin with \"%s\"",
			  text, want);
}

static void refuse(const char *text, const char *want)
{
	struct nc_case c = { 0 };

	EXPECT_EQ(read_text(&c, text), -EINVAL);
	expect_begins(c.reader.error, want);
	nc_case_free(&c);
}

static void quantity(const char *text, enum nc_unit unit, int64_t want)
{
	char error[NC_ERROR_BYTES];
	int64_t value = -1;

	EXPECT_EQ(nc_text_quantity(text, unit, &value, error), 0);
	EXPECT_EQ(value, want);
}

static void no_quantity(const char *text, enum nc_unit unit, const char *want)
{
	char error[NC_ERROR_BYTES] = "";
	int64_t value;

	EXPECT_EQ(nc_text_quantity(text, unit, &value, error), -EINVAL);
	expect_begins(error, want);
}

static void text__quantities(void)
{
	quantity("20us", NC_TIME, 20000);
	quantity("0.5ms", NC_TIME, 500000);
	quantity("0", NC_TIME, 0);
	quantity("1.5MB", NC_SIZE, 1500000);
	quantity("1TB", NC_SIZE, 1000000000000);
	quantity("2KiB", NC_SIZE, 2048);
	quantity("100Gbps", NC_RATE, 100000000);
	quantity("2.5Mbps", NC_RATE, 2500);
	quantity("31", NC_COUNT, 31);
	quantity("0.75", NC_SHARE, 750000);
	quantity("1%", NC_SHARE, 10000);
}

static void text__refused(void)
{
	no_quantity("fast", NC_RATE, "'fast' is not a rate; allowed: a number with kbps, ");
	no_quantity("-1ns", NC_TIME, "'-1ns' is not a time; allowed: a number with ");
	no_quantity("20", NC_TIME, "'20' has no unit; allowed: ns, us, ms, s, ");
	no_quantity("20m", NC_TIME, "'20m' has the unit 'm'; allowed: ns, us, ");
	no_quantity("0.5ns", NC_TIME, "'0.5ns' is finer than 1 ns; allowed: whole ones");
	no_quantity("9999999999GB", NC_SIZE, "'9999999999GB' is too large; allowed: up to 10^18 B");
	no_quantity("1.5", NC_COUNT, "'1.5' is finer than 1 piece; allowed: whole ones");
}

static void case__refused(void)
{
	refuse("", "x:0: no line 'link'");
	refuse("link rate=8Gbps feedback=10ns\n", "x:1: no line 'stop'");
	refuse("link rate=8Gbps feedback=10ns\nstop at=1ms\n",
	       "x:2: no line 'flow'");
	refuse("lnk rate=8Gbps\n", "x:1: no statement 'lnk'; allowed: title link");
	refuse("link rate=8Gbps\n", "x:1: feedback= is missing (dR, from");
	refuse("link rate=8 feedback=1ns\n", "x:1: rate: '8' has no unit; allowed: kbps");
	refuse("link rate=8Gbps feedback=0\n", "x:1: feedback is 0; allowed: dR, from the server");
	refuse("link speed=8Gbps\n", "x:1: no key 'speed' here; allowed: rate feedback");
	refuse("link fast\n", "x:1: 'fast' is no key=value");
	refuse("\n# remark\nstop\n", "x:3: at= is missing (end of");
	refuse("ecn kmin=2KB kmax=1KB gap=1us\n", "x:1: kmin is 2000B; allowed: below kmax, 1000B");
	refuse("pfc off=1KB on=1KB\n", "x:1: on is 1000B; allowed: below off, 1000B");
}

static void case__flows_refused(void)
{
	refuse("flow cc=aimd\n", "x:1: no flow's name; allowed: 1 to 31 characters");
	refuse("flow f cc=cubic\n", "x:1: cc is 'cubic'; allowed: aimd dcqcn reno vegas");
	refuse("flow f rate=1Gbps\n", "x:1: cc= is missing (aimd dcqcn reno vegas ");
	refuse("flow f cc=vegas rate=1Gbps\n", "x:1: no key 'rate' here; allowed: cc count");
	refuse("flow f cc=vegas window=1KB rtt=min\n", "x:1: rtt=min needs acks=packets");
	refuse("flow f cc=vegas window=1KB rules=linux\n",
	       "x:1: rules=linux needs acks=packets");
	refuse("flow f cc=vegas window=1KB clock=1us\n",
	       "x:1: clock needs rules=linux");
	refuse("flow f cc=aimd count=0\n", "x:1: count is 0; allowed: so many alike");
	refuse(GOOD "send g burst=1KB\n", "x:4: no flow 'g'");
	refuse(GOOD "send f at=1us\n", "x:4: one of burst=,");
	refuse(GOOD "send f burst=1B rate=1Gbps\n", "x:4: one of burst=,");
	refuse(GOOD "send f file=/no/such\n",
	       "x:4: /no/such: cannot be opened: No such file or directory");
}

#define LINK "link rate=8Gbps feedback=10us\n"
#define AIMD "cc=aimd rate=1Gbps increase=0 every=1us decrease=0.5"
#define PACKETS "acks=packets window=3KB"

/* What was said twice, or contradicts itself. */
static void case__contradictions_refused(void)
{
	refuse(LINK LINK, "x:2: a second line 'link'; allowed: one");
	refuse("stop at=1ms\nstop at=2ms\n", "x:2: a second line 'stop'; allowed: one");
	refuse("link rate=8Gbps feedback=10us rate=9Gbps\n",
	       "x:1: rate= is there twice; allowed: once");
	refuse("flow f " AIMD "\nflow f " AIMD "\n",
	       "x:2: the name 'f' is there twice; allowed: once");
	refuse("flow f2 " AIMD "\nflow f count=3 " AIMD "\n",
	       "x:2: the name 'f2' is there twice; allowed: once");
	refuse("flow f count=3 " AIMD "\nflow f " AIMD "\n",
	       "x:2: the name 'f' is there twice; allowed: once");
	refuse("flow all " AIMD "\n", "x:1: the name 'all' means all flows;");
	refuse("flow f " AIMD " most=900Mbps\n",
	       "x:1: most is 900000kbps; allowed: rate, 1000000kbps, or more");
	refuse("flow f cc=dcqcn rate=1Gbps increase=0 every=1us decrease=0.5 most=1Mbps\n",
	       "x:1: most is 1000kbps; allowed: rate, 1000000kbps, or more");
	refuse("flow f cc=vegas window=3KB low=5\n", "x:1: low is 5; allowed: up to high, 4");
	refuse(LINK "flow f " AIMD " timeout=9us\nstop at=1ms\n",
	       "x:2: timeout is 9000ns; allowed: 0, or from the feedback's 10000ns on");
	refuse("flow f " AIMD " timeout=19us feedback=20us\n" LINK "stop at=1ms\n",
	       "x:1: timeout is 19000ns; allowed: 0, or from the feedback's 20000ns on");
	refuse("flow f " AIMD " timeout=9us\n" LINK "stop at=1ms\n",
	       "x:1: timeout is 9000ns; allowed: 0, or");
}

/* Keys that would do nothing. */
static void case__keys_without_effect_refused(void)
{
	refuse("ecn kmin=1KB kmax=2KB gap=1us\n", "x:1: kmin needs pmax above 0");
	refuse("ecn kmax=2KB gap=1us packet=1KB\n", "x:1: packet needs pmax");
	refuse(GOOD "ecn kmax=2KB gap=1us\n",
	       "x:4: no flow heeds marks; allowed with cc= dcqcn dctcp nscc mnscc");
	refuse(GOOD "flow g cc=swift\necn kmax=2KB\n", "x:5: no flow heeds marks;");
	refuse(GOOD "flow g cc=nscc\necn kmax=2KB gap=1us\n",
	       "x:5: gap needs a flow with cc=dcqcn, or has no effect");
	refuse(GOOD "flow g cc=nscc\necn kmax=2KB pmax=1% packet=1KB\n",
	       "x:5: packet needs a flow with cc=dcqcn");
	refuse(GOOD SENDERS "ecn kmax=2KB\n", "x:5: gap= is missing; cc=dcqcn needs it");
	refuse(GOOD SENDERS "ecn kmax=2KB gap=1us at=arrival\n", "x:5: at=arrival needs");
	refuse("flow f " AIMD " feedback=1us\n", "x:1: feedback needs a timeout, or");
	refuse("flow f cc=dcqcn feedback=1us\n", "x:1: no key 'feedback' here;");
	refuse("flow f cc=none feedback=1us\n", "x:1: no key 'feedback' here;");
	refuse("flow f cc=reno window=3KB timeout=1ms buffer=1KB\n",
	       "x:1: buffer needs rules=linux");
	refuse("flow f cc=reno window=3KB timeout=0 initial=1KB\n",
	       "x:1: initial needs rules=paper and a timeout");
	refuse("flow f cc=reno window=3KB timeout=0 decrease=0.7\n",
	       "x:1: decrease needs a timeout, or rules=linux");
	refuse("flow f cc=reno rules=linux " PACKETS " timeout=1ms\n",
	       "x:1: timeout is not 0; allowed with rules=linux: 0");
	refuse("flow f cc=reno rules=linux " PACKETS " timeout=0 initial=1KB\n",
	       "x:1: initial needs rules=paper");
	refuse("flow f cc=vegas rules=linux " PACKETS " rtt=sample\n",
	       "x:1: rtt needs rules=paper");
	refuse(GOOD "send f burst=1KB until=9us\n", "x:4: until needs rate");
	refuse(GOOD "send f rate=1Gbps every=1us\n", "x:4: every needs burst");
	refuse(GOOD "send f burst=1KB times=3\n", "x:4: times needs burst and");
	refuse(GOOD "send f burst=1KB join=steps\n", "x:4: join needs file");
	refuse(GOOD "send f rate=1Gbps at=2us until=2us\n",
	       "x:4: until is not after at; allowed: above 2000ns");
}

static void case__the_alg_is_a_word(void)
{
	refuse("flow f window=3KB\n", "x:1: cc= is missing (aimd dcqcn reno vegas ");
	refuse("flow f xcc=reno window=3KB timeout=0\n", "x:1: cc= is missing");
	refuse("flow f cc=reno2 window=3KB timeout=0\n", "x:1: cc is 'reno2'; allowed: aimd");
	refuse("flow f cc= window=3KB timeout=0\n", "x:1: cc is ''; allowed: aimd");
	refuse("flow f cc=vegas window=3KB cc=vegas\n", "x:1: cc= is there twice;");
}

/* The modules' own tables say what is allowed; what has no effect here is no key. */
static void case__knobs(void)
{
	struct nc_case c = { 0 };
	const struct nc_stack *stack;

	refuse("flow f cc=swift target_qdelay_us=0\n",
	       "x:1: target_qdelay_us is '0'; allowed: 1 to 1000000 in us");
	refuse("flow f cc=nscc quick_adapt=maybe\n",
	       "x:1: quick_adapt is 'maybe'; allowed: off|on");
	refuse("flow f cc=swift ai=1 ai=2\n", "x:1: ai= is there twice;");
	refuse("flow f cc=swift percentile=40\n",
	       "x:1: no key 'percentile' here; allowed: cc count feedback packet init_cwnd ");
	refuse("flow f cc=mswift spray=off\n", "x:1: no key 'spray' here;");
	refuse("flow f cc=mswift priority=1\n", "x:1: no key 'priority' here;");
	refuse("flow f cc=prioplus priority=64\n",
	       "x:1: priority is 64; allowed: SO_PRIORITY, 0 to 63");
	refuse("flow f cc=nscc packet=70KB\n", "x:1: packet is 70KB; allowed: payload");
	refuse("flow f cc=fixed window=1KB acks=packets\n",
	       "x:1: window is 1000B; allowed: packet, 1500B, or more");
	refuse("flow f cc=dctcp window=1KB\n", "x:1: window is 1000B; allowed");
	refuse("flow f cc=dctcp dctcp_shift_g=11\n", "x:1: dctcp_shift_g is 11; allowed:");
	EXPECT_EQ(read_text(&c, "link rate=1Gbps feedback=1us\nstop at=1us\n"
			    "flow a cc=mnscc history=8 quick_adapt=off\n"
			    "flow b cc=prioplus_ledbat priority=3 root_ai=off\n"), 0);
	stack = nc_stack_of(&c.net.flow[0].control);
	EXPECT_TEXT(stack->of->name, "mnscc");
	EXPECT_EQ(knob_of(stack, "history"), 8);
	EXPECT_EQ(knob_of(stack, "quick_adapt"), 0);
	EXPECT_EQ(knob_of(stack, "gamma"), 800);
	EXPECT_EQ(c.net.flow[0].control.packet, 1448);
	stack = nc_stack_of(&c.net.flow[1].control);
	EXPECT_EQ(stack->priority, 3);
	EXPECT_EQ(knob_of(stack, "root_ai"), 0);
	nc_case_free(&c);
}

static void case__sends_add_up(void)
{
	struct nc_case c = { 0 };
	const struct nc_curve *a;

	EXPECT_EQ(read_text(&c, GOOD
			    "send f burst=10B at=5ns every=20ns times=2\n"
			    "send f rate=8Gbps at=10ns until=30ns # more\n"
			    "send f burst=7B\n"), 0);
	a = &c.net.flow[0].arrived;
	EXPECT_Q(grid_after(a, 0), nc_q_int(7), "A+", 0);
	EXPECT_Q(grid_at(a, 5), nc_q_int(7), "A", 5);
	EXPECT_Q(grid_at(a, 10), nc_q_int(17), "A", 10);
	EXPECT_Q(grid_at(a, 20), nc_q_int(27), "A", 20);
	EXPECT_Q(grid_at(a, 30), nc_q_int(47), "A", 30);
	EXPECT_Q(grid_at(a, 90), nc_q_int(47), "A", 90);
	nc_case_free(&c);
}

/* To the end of the computation unless told how often. */
static void case__bursts_to_the_end(void)
{
	struct nc_case c = { 0 };

	EXPECT_EQ(read_text(&c, GOOD "send f burst=1B every=10ns\n"), 0);
	EXPECT_Q(grid_at(&c.net.flow[0].arrived, 100), nc_q_int(10), "A", 100);
	nc_case_free(&c);
}

/* A computation has an end, however often it is told. */
static void case__bursts_most(void)
{
	static const char *const times[] = { "", " times=1000000000", " times=10000001" };
	struct nc_case c = { 0 };
	char text[512];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		snprintf(text, sizeof(text), "link rate=1Gbps feedback=1us\nflow f cc=none\n"
			 "stop at=1s\nsend f burst=1B every=1ns%s\n", times[i]);
		EXPECT_EQ(read_text(&c, text), -EINVAL);
		nc_case_free(&c);
	}
	EXPECT_EQ(read_text(&c, GOOD "send f burst=1B every=10ns times=1000000000\n"), 0);
	nc_case_free(&c);
}

static void case__count(void)
{
	struct nc_case c = { 0 };

	EXPECT_EQ(read_text(&c, "link rate=1Gbps feedback=1us\n"
			    SENDERS "send s burst=5B\nsend s2 burst=1B\nstop at=1us"),
		  0);
	EXPECT_EQ(c.net.flows, 3);
	EXPECT_TEXT(c.net.flow[2].name, "s3");
	EXPECT_EQ(nc_aimd_of(&c.net.flow[2].control)->decrease, 750000);
	EXPECT_EQ(nc_aimd_of(&c.net.flow[2].control)->most, 1000000);
	EXPECT_Q(grid_at(&c.net.flow[1].arrived, 1), nc_q_int(6), "A_1", 1);
	EXPECT_Q(grid_at(&c.net.flow[2].arrived, 1), nc_q_int(5), "A_2", 1);
	nc_case_free(&c);
}

static void case__defaults_of_reno(void)
{
	struct nc_case c = { 0 };

	EXPECT_EQ(read_text(&c, "link rate=1Gbps feedback=1us\nstop at=1us\n"
			    "flow s cc=reno window=3KB packet=1000B timeout=1ms\n"),
		  0);
	EXPECT_EQ(nc_reno_of(&c.net.flow[0].control)->increase, 1000);
	EXPECT_EQ(nc_reno_of(&c.net.flow[0].control)->initial, 1000);
	EXPECT_EQ(nc_reno_of(&c.net.flow[0].control)->threshold, NC_WINDOW_MAX);
	nc_case_free(&c);
}

/* --- CSV -------------------------------------------------------------------- */

static int read_csv(const char *text, bool steps, struct nc_curve *out,
		    char error[NC_CSV_ERROR_BYTES])
{
	char path[] = "/tmp/netcalc-test-XXXXXX";
	int fd = mkstemp(path), err;
	FILE *file = fdopen(fd, "w");

	fputs(text, file);
	fclose(file);
	err = nc_csv_read(path, steps, out, error);
	remove(path);
	return err;
}

static void csv__lines_and_steps(void)
{
	const char *text = "# remark\nt_ns,bytes\n0,0\n+1e1, 5.5\n10,800e-2\r\n\n12,9";
	struct nc_curve lines = NC_CURVE_EMPTY, steps = NC_CURVE_EMPTY;
	char error[NC_CSV_ERROR_BYTES];

	EXPECT_EQ(read_csv(text, false, &lines, error), 0);
	EXPECT_EQ(read_csv(text, true, &steps, error), 0);
	EXPECT_Q(grid_at(&lines, 5), nc_q_make(11, 4), "line", 5);
	EXPECT_Q(grid_at(&lines, 11), nc_q_make(17, 2), "line", 11);
	EXPECT_Q(grid_at(&steps, 10), NC_ZERO, "step", 10);
	EXPECT_Q(grid_at(&steps, 12), nc_q_int(8), "step", 12);
	EXPECT_Q(grid_after(&steps, 12), nc_q_int(9), "step+", 12);
	nc_curve_free(&lines);
	nc_curve_free(&steps);
}

/* A file that is not what it should be, and what is said about it. */
static void csv__refused(void)
{
	static const char * const bad[][2] = {
		{ "1,2\n1\n", ":2: 1 cells, but 2 columns" },
		{ "1,2,3\n", ":1: 3 cells, but 2 columns" },
		{ "1 2\n", ":1: 1 cells, but 2 columns" },
		{ "1;2\n", ":1: 1 cells, but 2 columns" },
		{ "1,2\nx,3\n", ":2: column 't_ns': 'x' is not a number; allowed: such as" },
		{ "5,2\n4,3\n", ":2: 4 ns, 3 bytes after 5, 2; allowed: both grow" },
		{ "5,2\n6,1\n", ":2: 6 ns, 1 bytes after 5, 2;" },
		{ "", ": no line with a time and bytes" },
		{ "t_ns,bytes\n", ":1: no line with a time and bytes" },
		{ "t_us,bytes\n1,2\n", ":1: column 't_ns': 't_us' is not" },
		{ "1,2\nt_ns,bytes\n", ":2: column 't_ns': 't_ns' is not" },
		{ "-5,10\n", ":1: column 't_ns': '-5' is below 0; allowed: 0 or" },
		{ "5,-1e-3\n", ":1: column 'bytes': '-1e-3' is below 0;" },
		{ "\"5\",\"10\"\n", ":1: '\"' is not allowed" },
		{ "\357\273\2775,10\n", ":1: column 't_ns': '\357\273\2775' is" },
		{ "1,12.5.7\n", ":1: column 'bytes': '12.5.7' is not a number" },
		{ "1,1e\n", ":1: column 'bytes': '1e' is not a number" },
		{ "1,1e 5\n", ":1: column 'bytes': '1e 5' is not a number" },
		{ "1,0x10\n", ":1: column 'bytes': '0x10' is not a number" },
		{ "1,inf\n", ":1: column 'bytes': 'inf' is not a number" },
		{ "1,1e40\n", ":1: column 'bytes': '1e40' has too many digits" },
		{ "1,1111111111e30\n", ":1: column 'bytes': '1111111111e30' has too" },
		{ "0,0\r10,5\r", ":1: byte 0x0d is not allowed: cells are" },
	};
	char error[NC_CSV_ERROR_BYTES];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct nc_curve c = NC_CURVE_EMPTY;

		EXPECT_EQ(read_csv(bad[i][0], false, &c, error), -EINVAL);
		if (!strstr(error, bad[i][1]))
			unit_fail(__FILE__, __LINE__, "error is \"%s\"", error);
		nc_curve_free(&c);
	}
}

/* However long a line is, it is one line, and all digits count. */
static void csv__long_line(void)
{
	char text[3000], error[NC_CSV_ERROR_BYTES];
	struct nc_curve c = NC_CURVE_EMPTY;

	snprintf(text, sizeof(text), "0,0\n%01500d,%01400d\n", 10, 7);
	EXPECT_EQ(read_csv(text, false, &c, error), -EINVAL);
	EXPECT_EQ(!strstr(error, "has too many digits"), false);
	nc_curve_free(&c);
	snprintf(text, sizeof(text), "0,0\n%*d,%*d\n", 1500, 10, 1400, 7);
	EXPECT_EQ(read_csv(text, false, &c, error), 0);
	EXPECT_Q(grid_at(&c, 10), nc_q_int(7), "f", 10);
	nc_curve_free(&c);
	EXPECT_EQ(read_csv("0,0\n1,123456789012345678.000000000001\n", true, &c,
			   error), 0);
	EXPECT_Q(grid_after(&c, 1), nc_q_make(((__int128)123456789012345678LL) *
					      1000000000000LL + 1, 1000000000000LL),
		 "f+", 1);
	nc_curve_free(&c);
}

static void csv__no_file(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	char error[NC_CSV_ERROR_BYTES];

	EXPECT_EQ(nc_csv_read("/tmp", true, &c, error), -EINVAL);
	EXPECT_TEXT(error, "/tmp: cannot be read: Is a directory");
}

/* What is written is read as the same: whole numbers, and fractions exactly. */
static void round_trip(struct nc_q scale, bool exact)
{
	struct nc_curve any = grid_any(), f = NC_CURVE_EMPTY, g = NC_CURVE_EMPTY;
	char text[8192], error[NC_CSV_ERROR_BYTES];
	FILE *file = fmemopen(text, sizeof(text), "w");
	size_t i;
	int t;

	for (i = 0; i < any.n; i++)
		nc_curve_add_line(&f, nc_q_mul(any.p[i].t, scale), any.p[i].slope,
				  nc_q_mul(any.p[i].at0, scale));
	EXPECT_EQ(nc_csv_write(file, &f, nc_q_int(GRID_END + 10), exact), 0);
	fclose(file);
	EXPECT_EQ(read_csv(text, false, &g, error), 0);
	for (t = 0; t < GRID_END; t++)
		EXPECT_Q(grid_at(&g, t), grid_at(&f, t), "f", t);
	nc_curve_free(&any);
	nc_curve_free(&f);
	nc_curve_free(&g);
}

static void csv__round_trip(void)
{
	int round;

	for (round = 0; round < 100; round++) {
		round_trip(nc_q_int(1), false);
		round_trip(nc_q_make(1 + unit_below(9), 7), true);
	}
}

#define E30	((__int128)1000000000000000 * 1000000000000000)

static void csv__numbers(void)
{
	static const struct {
		struct nc_q q;
		const char *rounded;
		const char *exact;
	} rows[] = {
		{ { 5, 1 }, "5", "5" }, { { 0, 1 }, "0", "0" },
		{ { 1, 3 }, "0.333", "1/3" }, { { 2, 3 }, "0.667", "2/3" },
		{ { -7, 2 }, "-3.500", "-7/2" }, { { 1, 10000 }, "0", "1/10000" },
		{ { 19999, 10000 }, "2", "19999/10000" },
		{ { E30 + 7, 1 }, "1000000000000000000000000000007",
		  "1000000000000000000000000000007" },
		{ { 3 * E30 + 2, 3 }, "1000000000000000000000000000000.667",
		  "3000000000000000000000000000002/3" },
		{ { 1, 0 }, "inf", "inf" },
	};
	size_t i;
	int exact;

	for (i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		char text[128] = "";
		FILE *file = fmemopen(text, sizeof(text), "w");

		exact = i % 2;
		EXPECT_EQ(nc_csv_number(file, rows[i / 2].q, exact), 0);
		fclose(file);
		EXPECT_TEXT(text, exact ? rows[i / 2].exact : rows[i / 2].rounded);
	}
}

/* A thousand times the rest is beyond 127 bits. */
static void csv__cannot_be_rounded(void)
{
	struct nc_q odd = { E30 * 100000000, E30 * 100000000 + 1 };
	char text[128] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(nc_csv_number(file, odd, false), -EOVERFLOW);
	EXPECT_EQ(nc_csv_number(file, odd, true), 0);
	EXPECT_EQ(nc_q_is_lost(), false);
	fclose(file);
}

static const struct unit_test tests[] = {
	UNIT_TEST(text__quantities),
	UNIT_TEST(text__refused),
	UNIT_TEST(case__refused),
	UNIT_TEST(case__flows_refused),
	UNIT_TEST(case__contradictions_refused),
	UNIT_TEST(case__keys_without_effect_refused),
	UNIT_TEST(case__the_alg_is_a_word),
	UNIT_TEST(case__knobs),
	UNIT_TEST(case__sends_add_up),
	UNIT_TEST(case__bursts_to_the_end),
	UNIT_TEST(case__bursts_most),
	UNIT_TEST(case__count),
	UNIT_TEST(case__defaults_of_reno),
	UNIT_TEST(csv__lines_and_steps),
	UNIT_TEST(csv__refused),
	UNIT_TEST(csv__long_line),
	UNIT_TEST(csv__no_file),
	UNIT_TEST(csv__round_trip),
	UNIT_TEST(csv__numbers),
	UNIT_TEST(csv__cannot_be_rounded),
};

UNIT_MAIN(tests)
