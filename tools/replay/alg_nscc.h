/* SPDX-License-Identifier: GPL-2.0 */
/* What recorded mode shares with plain mode of nscc. */
#ifndef _REPLAY_ALG_NSCC_H
#define _REPLAY_ALG_NSCC_H

#include "../../common/math/dcc_ewma.h"
#include "../../tcp_mnscc/nscc.h"

extern struct nscc_knobs nscc_replay_knobs;

#endif /* _REPLAY_ALG_NSCC_H */
