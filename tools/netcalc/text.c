// SPDX-License-Identifier: GPL-2.0
/* Quantities with units: '100Gbps', '20us', '1.5MB', '1%'. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../csv/number.h"
#include "text.h"

#define MOST	((__int128)1 << 80)	/* 24 digits; times 10^12 it still fits */
#define LARGEST	1000000000000000000LL	/* 10^18: 30 years, 1 exabyte */

struct unit {
	const char *name;
	int64_t factor;
};

/* A kind of quantity: its units; @example shows what to write. */
struct kind {
	const char *what;
	const char *example;
	struct unit unit[10];
};

static const struct kind kinds[] = {
	[NC_TIME] = { "time", "ns, us, ms, s, like 20us",
		      { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
			{ "s", 1000000000 } } },
	[NC_SIZE] = { "size", "B, KB, MB, GB, TB, KiB, MiB, GiB, like 1.5MB",
		      { { "B", 1 }, { "KB", 1000 }, { "kB", 1000 },
			{ "MB", 1000000 }, { "GB", 1000000000 },
			{ "TB", 1000000000000 },
			{ "KiB", 1 << 10 }, { "MiB", 1 << 20 },
			{ "GiB", 1 << 30 } } },
	[NC_RATE] = { "rate", "kbps, Mbps, Gbps, Tbps, like 100Gbps",
		      { { "kbps", 1 }, { "Kbps", 1 }, { "Mbps", 1000 },
			{ "Gbps", 1000000 }, { "Tbps", 1000000000 } } },
	[NC_COUNT] = { "number", "no unit, like 31", { { "", 1 } } },
	[NC_SHARE] = { "share", "0 to 1 or %, like 0.8 or 1%",
		       { { "", 1000000 }, { "%", 10000 } } },
};

static const struct unit *find_unit(const struct kind *kind, const char *name)
{
	const struct unit *u;

	for (u = kind->unit; u->name; u++)
		if (!strcmp(u->name, name))
			return u;
	return NULL;
}

__attribute__((format(printf, 2, 3)))
static int refuse(char error[NC_ERROR_BYTES], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, NC_ERROR_BYTES, format, args);
	va_end(args);
	return -EINVAL;
}

/**
 * nc_text_quantity() - read a quantity
 * @text: such as "1.5MB"; zero needs no unit
 * @unit: what it is
 * @value: gets it, in the unit that &enum nc_unit says
 * @error: gets what is wrong
 *
 * Return: 0 or -EINVAL.
 */
int nc_text_quantity(const char *text, enum nc_unit unit, int64_t *value,
		     char error[NC_ERROR_BYTES])
{
	const struct kind *kind = &kinds[unit];
	const struct unit *u;
	struct text_number number;
	__int128 digits, scale = 1;
	const char *end;

	if (text_digits(text, &end, &number) || number.digits >= MOST)
		return refuse(error, "'%.40s' is not a %s; allowed: a number with %s",
			      text, kind->what, kind->example);
	digits = (__int128)number.digits;
	u = find_unit(kind, end);
	if (!u && digits == 0 && !*end)
		u = kind->unit;
	if (!u)
		return refuse(error, "'%.40s' has %s%.20s%s; allowed: %s", text,
			      *end ? "the unit '" : "no unit", end,
			      *end ? "'" : "", kind->example);
	while (number.shift++ < 0)
		scale *= 10;
	digits *= u->factor;
	if (digits % scale)
		return refuse(error, "'%.40s' is finer than 1 %s; allowed: whole ones",
			      text, unit == NC_SHARE ? "ppm" :
			      unit == NC_COUNT ? "piece" : kind->unit->name);
	if (digits / scale > LARGEST)
		return refuse(error, "'%.40s' is too large; allowed: up to 10^18 %s",
			      text, kind->unit->name);
	*value = (int64_t)(digits / scale);
	return 0;
}
