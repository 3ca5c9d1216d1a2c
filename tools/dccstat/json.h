/* SPDX-License-Identifier: GPL-2.0 */
/* What programs get: names stay, numbers are in ns, bytes and bytes/s. */
#ifndef _DCCSTAT_JSON_H
#define _DCCSTAT_JSON_H

#include <jansson.h>

#include "flow.h"

#define JSON_VERSION	1	/* another meaning of a name is another version */

json_t *json_flow(const struct flow *flow);
void json_check(const char *text);
void json_say(json_t *value, size_t flags);

#endif /* _DCCSTAT_JSON_H */
