/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that grow by one member at a time. Pure. */
#ifndef _DCCSTAT_ROOM_H
#define _DCCSTAT_ROOM_H

#include <stddef.h>

void *room_for_one(void *at, size_t count, size_t *room, size_t bytes, const char *what);

#endif /* _DCCSTAT_ROOM_H */
