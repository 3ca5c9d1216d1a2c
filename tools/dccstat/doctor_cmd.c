// SPDX-License-Identifier: GPL-2.0
/* The command "doctor". */
#include <stdio.h>

#include "../replay/csv.h"
#include "dccstat.h"
#include "doctor.h"
#include "io.h"
#include "json.h"

static const char *const verdict_word[] = {
	[GOOD] = "good", [NOTE] = "note", [BAD] = "BAD",
};

static void print_text(const struct findings *all)
{
	u32 i;

	for (i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		printf("%-4s  %-9s  %s\n", verdict_word[f->verdict], f->what, f->say);
		if (*f->mend)
			printf("%17s%s\n", "", f->mend);
	}
}

static void print_json(const struct findings *all)
{
	json_t *list = json_array();
	u32 i;

	for (i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		json_check(f->say);	/* names of devices are others' */
		json_check(f->mend);
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "verdict",
						      verdict_word[f->verdict], "what", f->what,
						      "says", f->say, "mend", f->mend));
	}
	json_say(list, JSON_INDENT(1));
}

static bool is_well(const struct findings *all)
{
	u32 i;

	for (i = 0; i < all->count; i++)
		if (all->finding[i].verdict == BAD)
			return false;
	return true;
}

/**
 * doctor_main() - the command "doctor"
 * @count: of words
 * @words: options, and the peer
 *
 * Return: the exit status: 1 if anything is bad.
 */
int doctor_main(int count, char **words)
{
	bool json = take_flag(&count, &words, "--json");
	struct doctor_asks asks = {
		.paths = take_flag(&count, &words, "--paths"),
		.peer_port = take_flag(&count, &words, "--peer") ? PEER_PORT : 0,
	};
	u64 port = take_number(&count, &words, "--port", asks.peer_port, 1, UINT16_MAX);
	static struct findings all;
	static struct facts facts;

	no_more_options(count, words);
	if (count > 1)
		fail("doctor: '%s' is too much; allowed: one host", words[1]);
	if ((asks.paths || asks.peer_port) && !count)
		fail("doctor: %s: to which host?", asks.paths ? "--paths" : "--peer");
	if (port && !asks.peer_port)
		fail("doctor: --port: of what? allowed: with --peer");
	asks.peer_port = (u16)port;
	asks.host = count ? words[0] : NULL;
	catch_signals();
	facts_gather(&facts, &asks);
	doctor_judge(&facts, &all);
	if (json)
		print_json(&all);
	else
		print_text(&all);
	return is_well(&all) ? 0 : EXIT_FAILED;
}
