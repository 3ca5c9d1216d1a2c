// SPDX-License-Identifier: GPL-2.0
/* The trace events of dcc_trace.h, made here once. */
#define CREATE_TRACE_POINTS
#include "dcc_trace.h"
