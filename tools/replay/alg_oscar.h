/* SPDX-License-Identifier: GPL-2.0 */
/* What batches mode shares with plain mode of oscar. */
#ifndef _REPLAY_ALG_OSCAR_H
#define _REPLAY_ALG_OSCAR_H

#include "../../tcp_oscar/oscar.h"

extern struct oscar_knobs oscar_replay_knobs;

#endif /* _REPLAY_ALG_OSCAR_H */
