// SPDX-License-Identifier: GPL-2.0
/* Growing arrays; see room.h. */
#include "../replay/csv.h"
#include "room.h"

#define FIRST_ROOM	256

/**
 * room_for_one() - make room for one more member
 * @at: the array; NULL: none yet
 * @count: of its members
 * @room: for how many there is memory; doubled if that is all, so a member costs a
 *	constant time on average
 * @bytes: of a member
 * @what: they are, for the message
 *
 * Ends the program if there is no memory.
 *
 * Return: the array, perhaps elsewhere.
 */
void *room_for_one(void *at, size_t count, size_t *room, size_t bytes, const char *what)
{
	if (count < *room)
		return at;
	*room = *room ? 2 * *room : FIRST_ROOM;
	at = reallocarray(at, *room, bytes);
	if (!at)
		cannot("no memory for %zu %s", *room, what);
	return at;
}
