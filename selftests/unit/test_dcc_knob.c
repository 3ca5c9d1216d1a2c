// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_knob.c. */
#include "cc/dcc_back.h"
#include "cc/dcc_flow_knobs.h"
#include "unit.h"

#define UNTOUCHED	0xdeadbeef

static const struct dcc_knob number = { "n", "us", "", 3, 1000, 5, 1 };
static const struct dcc_knob full = { "f", "ns", "", 0, U32_MAX, 0, 1 };
static const struct dcc_knob power = { "p", "2^n", "", 1, 65536, 64, 1 };
static const struct dcc_knob words = { "w", "off|on|onwards", "", 0, 2, 0, 1 };
static const struct dcc_knob narrow = { "x", "off|on|onwards", "", 0, 1, 0, 1 };

/* The start of a text on one line, its line ends made visible. */
static const char *visible(const char *text)
{
	static char shown[40];
	char *c;

	snprintf(shown, sizeof(shown), "%s", text);
	for (c = strchr(shown, '\n'); c; c = strchr(c, '\n'))
		*c = '$';
	return shown;
}

static void takes(const struct dcc_knob *k, const char *text, u32 want)
{
	u32 value = UNTOUCHED;

	if (dcc_knob_parse(k, text, &value) || value != want)
		unit_fail(__FILE__, __LINE__, "%s: \"%s\" gave %u, not %u",
			  k->unit, visible(text), value, want);
}

/* Refused with -EINVAL, and the value left as it was. */
static void refuses(const struct dcc_knob *k, const char *text)
{
	u32 value = UNTOUCHED;
	int err = dcc_knob_parse(k, text, &value);

	if (err != -EINVAL || value != UNTOUCHED)
		unit_fail(__FILE__, __LINE__, "%s: \"%s\" gave error %d, value %u",
			  k->unit, visible(text), err, value);
}

static void dcc_knob_parse__range(void)
{
	refuses(&number, "2");
	takes(&number, "3", 3);
	takes(&number, "4", 4);
	takes(&number, "999", 999);
	takes(&number, "1000", 1000);
	refuses(&number, "1001");
	takes(&full, "0", 0);
	takes(&full, "4294967295", U32_MAX);
	refuses(&full, "4294967296");
}

static void dcc_knob_parse__line_end(void)
{
	takes(&number, "7\n", 7);
	refuses(&number, "7\n\n");
	refuses(&number, "7\n8");
	refuses(&number, "\n");
	refuses(&number, "\n7");
}

static void dcc_knob_parse__not_a_number(void)
{
	refuses(&number, "");
	refuses(&number, " ");
	refuses(&number, " 7");
	refuses(&number, "7 ");
	refuses(&number, "seven");
	refuses(&number, "7us");
	refuses(&number, "7.0");
	refuses(&number, "7|8");
	refuses(&number, "us");
}

static void dcc_knob_parse__negative(void)
{
	refuses(&number, "-7");
	refuses(&full, "-1");
	refuses(&full, "-0");
	refuses(&full, "-4294967295");
}

/* Base 10, always: a leading 0 does not make it octal, 0x is no number. */
static void dcc_knob_parse__other_bases(void)
{
	refuses(&number, "0x10");
	refuses(&number, "ff");
	takes(&number, "010", 10);
	takes(&number, "0000000000000007", 7);
}

static void dcc_knob_parse__overlong(void)
{
	char text[4096];

	refuses(&full, "18446744073709551616");
	refuses(&full, "18446744073709551615");
	refuses(&full, "99999999999999999999999999999999999999");
	memset(text, '9', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	refuses(&full, text);
	refuses(&words, text);
	memset(text, 'o', sizeof(text) - 1);
	refuses(&full, text);
	refuses(&words, text);
}

static void dcc_knob_parse__power_of_two(void)
{
	u32 v;
	char text[16];

	refuses(&power, "0");
	for (v = 1; v <= 65536; v *= 2) {
		snprintf(text, sizeof(text), "%u", v);
		takes(&power, text, v);
		if (v < 4)
			continue;
		snprintf(text, sizeof(text), "%u", v - 1);
		refuses(&power, text);
		snprintf(text, sizeof(text), "%u", v + 1);
		refuses(&power, text);
	}
	refuses(&power, "131072");
	refuses(&power, "2^3");
	refuses(&power, "2^n");
}

/* Only the unit "2^n" asks for one. */
static void dcc_knob_parse__other_units_take_any_number(void)
{
	takes(&number, "100", 100);
	takes(&full, "4294967293", 4294967293U);
}

static void dcc_knob_parse__words(void)
{
	takes(&words, "off", 0);
	takes(&words, "on", 1);
	takes(&words, "onwards", 2);
	takes(&words, "off\n", 0);
	takes(&words, "onwards\n", 2);
	takes(&words, "0", 0);
	takes(&words, "2\n", 2);
	refuses(&words, "3");
}

/* A word must be whole: no start, no end, no neighbour of one. */
static void dcc_knob_parse__not_quite_a_word(void)
{
	refuses(&words, "");
	refuses(&words, "\n");
	refuses(&words, "o");
	refuses(&words, "of");
	refuses(&words, "onward");
	refuses(&words, "onwardss");
	refuses(&words, "wards");
	refuses(&words, "ON");
	refuses(&words, " on");
	refuses(&words, "on ");
	refuses(&words, "2on");
}

static void dcc_knob_parse__words_with_a_bar(void)
{
	refuses(&words, "|");
	refuses(&words, "off|on");
	refuses(&words, "off|");
	refuses(&words, "|on");
	refuses(&words, "off|on|onwards");
	refuses(&words, "on|onwards");
}

/* "One line end at its end is fine": not two, nor anything behind it. */
static void dcc_knob_parse__word_and_more_lines(void)
{
	refuses(&words, "on\n\n");
	refuses(&words, "on\noff");
	refuses(&words, "off\n|");
}

/* A word beyond the range is as bad as its number. */
static void dcc_knob_parse__word_out_of_range(void)
{
	takes(&narrow, "on", 1);
	refuses(&narrow, "onwards");
	refuses(&narrow, "2");
}

static void shows(const struct dcc_knob *k, u32 value, const char *want)
{
	char text[DCC_KNOB_TEXT];
	int n = dcc_knob_show(k, value, text, sizeof(text));

	EXPECT_TEXT(text, want);
	EXPECT_EQ(n, strlen(want));
}

static void dcc_knob_show__numbers(void)
{
	shows(&number, 3, "3");
	shows(&full, 0, "0");
	shows(&full, U32_MAX, "4294967295");
	shows(&power, 64, "64");
}

static void dcc_knob_show__words(void)
{
	shows(&words, 0, "off");
	shows(&words, 1, "on");
	shows(&words, 2, "onwards");
}

/* Cut to the room there is, ended, and nothing written behind it. */
static void dcc_knob_show__small_buffer(void)
{
	char text[4] = { 'x', 'x', 'x', 'x' };

	EXPECT_EQ(dcc_knob_show(&words, 2, text, 3), 7);
	EXPECT_TEXT(text, "on");
	EXPECT_EQ(text[3], 'x');
	EXPECT_EQ(dcc_knob_show(&number, 1000, text, 3), 4);
	EXPECT_TEXT(text, "10");
	EXPECT_EQ(text[3], 'x');
}

/* --- the knobs every module has ---------------------------------------------- */

static const struct dcc_knob flow[] = {
	DCC_FLOW_KNOBS(DCC_KNOB_ENTRY, 5)
};

/* Memory is bounded, by a bit that is no algorithm's; nothing else is. */
static void dcc_flow_knobs__records_alone_are_bounded(void)
{
	u32 i;

	EXPECT_EQ(DCC_KNOB_BOUNDED, 0x80000000);
	for (i = 0; i < ARRAY_SIZE(flow); i++)
		EXPECT_EQ(flow[i].algs, strcmp(flow[i].name, "records") ?
					5 : 0x80000005);
}

static void dcc_flow_knobs__reorder_words(void)
{
	const struct dcc_knob *k = &flow[ARRAY_SIZE(flow) - 2];

	EXPECT_TEXT(k->name, "reorder");
	EXPECT_EQ(k->def, DCC_REORDER_AUTO);
	takes(k, "auto", DCC_REORDER_AUTO);
	takes(k, "on", DCC_REORDER_ON);
	takes(k, "off\n", DCC_REORDER_OFF);
	takes(k, "2", DCC_REORDER_OFF);
	refuses(k, "3");
	refuses(k, "aut");
}

static void dcc_flow_knobs__way_back_as_it_may_be(void)
{
	const struct dcc_knob *k = &flow[ARRAY_SIZE(flow) - 1];

	EXPECT_TEXT(k->name, "way_back_ppm");
	EXPECT_EQ(k->def, 0);
	takes(k, "1000", DCC_BACK_PPM_MOST);
	refuses(k, "1001");
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_knob_parse__range),
	UNIT_TEST(dcc_knob_parse__line_end),
	UNIT_TEST(dcc_knob_parse__not_a_number),
	UNIT_TEST(dcc_knob_parse__negative),
	UNIT_TEST(dcc_knob_parse__other_bases),
	UNIT_TEST(dcc_knob_parse__overlong),
	UNIT_TEST(dcc_knob_parse__power_of_two),
	UNIT_TEST(dcc_knob_parse__other_units_take_any_number),
	UNIT_TEST(dcc_knob_parse__words),
	UNIT_TEST(dcc_knob_parse__not_quite_a_word),
	UNIT_TEST(dcc_knob_parse__words_with_a_bar),
	UNIT_TEST(dcc_knob_parse__word_and_more_lines),
	UNIT_TEST(dcc_knob_parse__word_out_of_range),
	UNIT_TEST(dcc_knob_show__numbers),
	UNIT_TEST(dcc_knob_show__words),
	UNIT_TEST(dcc_knob_show__small_buffer),
	UNIT_TEST(dcc_flow_knobs__records_alone_are_bounded),
	UNIT_TEST(dcc_flow_knobs__reorder_words),
	UNIT_TEST(dcc_flow_knobs__way_back_as_it_may_be),
};

UNIT_MAIN(tests)
