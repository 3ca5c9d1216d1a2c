// SPDX-License-Identifier: GPL-2.0
/* Where the reading of a case is, and what is wrong there. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "reader.h"

int nc_refuse(struct nc_reader *r, const char *format, ...)
{
	int n = snprintf(r->error, sizeof(r->error), "%s:%u: ", r->path,
			 r->line);
	va_list args;

	va_start(args, format);
	vsnprintf(r->error + n, sizeof(r->error) - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}
