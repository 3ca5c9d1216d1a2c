#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants one fault at a time in a copy of the sources and shows that the unit
tests notice it. A fault that survives is a test that is missing.

Each line of MUTANTS is one fault: the file, the text to replace (it must occur
exactly once there), the replacement, and the programs that should fail. A
fault that changes nothing anyone can see is listed with the reason why."""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 40  # a fault may well loop for ever


class Mutant(NamedTuple):
    """One fault; `same` says why it is none, if it is none."""

    path: str
    old: str
    new: str
    tests: str
    same: str = ""


FIXED = "common/dcc_fixed.h"
EWMA = "common/dcc_ewma.h"
WIDE = "common/dcc_wide.c"
LSQ = "common/dcc_lsq.c"
LSQ_H = "common/dcc_lsq.h"
QUANTILE = "common/dcc_quantile.c"
SPRAY = "common/dcc_spray.c"
SPRAY_H = "common/dcc_spray.h"
RING = "common/dcc_ring.c"
RING_H = "common/dcc_ring.h"
KNOB = "common/dcc_knob.c"
SWIFT = "common/dcc_swift.c"
MSWIFT = "tcp_mswift/mswift.c"
MSWIFT_H = "tcp_mswift/mswift.h"
NSCC = "tcp_mnscc/nscc.c"
OSCAR = "tcp_oscar/oscar.c"
OSCAR_H = "tcp_oscar/oscar.h"

MUTANTS = [
    # fixed point
    Mutant(FIXED, "bool take = x >= r + bit;", "bool take = x > r + bit;", "dcc_fixed"),
    Mutant(FIXED, "while (bit > x)", "while (bit >= x)", "dcc_fixed"),
    Mutant(FIXED, "u64 bit = 1ULL << 62", "u64 bit = 1ULL << 60", "dcc_fixed"),
    Mutant(FIXED, "milli << DCC_PKT_SHIFT, DCC_MILLI", "milli << DCC_PKT_SHIFT, 1024", "dcc_fixed"),
    Mutant(FIXED, "(u64)milli << DCC_RATIO_SHIFT", "(u64)milli << 15", "dcc_fixed"),
    # moving average
    Mutant(EWMA, "#define DCC_EWMA_FRAC\t\t8", "#define DCC_EWMA_FRAC\t\t0", "dcc_ewma"),
    Mutant(EWMA, "#define DCC_EWMA_GAIN_SHIFT\t20", "#define DCC_EWMA_GAIN_SHIFT\t16", "dcc_ewma"),
    Mutant(EWMA, "(s64)avg + ((step", "(s64)avg - ((step", "dcc_ewma"),
    Mutant(EWMA, "((step * gain) >> DCC_EWMA_GAIN_SHIFT)", "((step >> DCC_EWMA_GAIN_SHIFT) * gain)", "dcc_ewma"),
    # 128-bit products and quotients
    Mutant(WIDE, "(low >> 32) + (u32)left + right;", "(low >> 32) + left + right;", "dcc_wide"),
    Mutant(WIDE, "(low >> 32) + (u32)left + right;", "(u32)left + right;", "dcc_wide"),
    Mutant(WIDE, "(left >> 32) + (mid >> 32)", "(left >> 32)", "dcc_wide"),
    Mutant(WIDE, "(left >> 32) + (mid >> 32)", "(mid >> 32)", "dcc_wide"),
    Mutant(WIDE, "a.hi - b.hi - (a.lo < b.lo)", "a.hi - b.hi", "dcc_wide"),
    Mutant(WIDE, "\t\tif (r >> 32)\n\t\t\tbreak;\n", "", "dcc_wide"),
    Mutant(WIDE, "\t\tif (r >> 32)\n", "\t\tif (1)\n", "dcc_wide"),
    Mutant(WIDE, "if (n.hi >= d)", "if (n.hi > d)", "dcc_wide"),
    Mutant(WIDE, "if (n.hi >= d)", "if (n.hi >= d && d)", "dcc_wide"),
    Mutant(WIDE, "\tif (!n.hi)\n\t\treturn div64_u64(n.lo, d);\n", "", "dcc_wide",
           "a shorter way to the same quotient"),
    Mutant(WIDE, "\tif (shift)\n", "", "dcc_wide"),
    Mutant(WIDE, "- high * d;", ";", "dcc_wide"),
    Mutant(WIDE, "n.lo += d / 2;", "n.lo += 0;", "dcc_wide"),
    Mutant(WIDE, "n.hi += n.lo < d / 2;", "", "dcc_wide"),
    # batched least squares
    Mutant(LSQ, "fls64(span_ns) - DCC_LSQ_UNITS, 0)", "fls64(span_ns) - DCC_LSQ_UNITS - 1, 0)", "dcc_lsq"),
    Mutant(LSQ, "l->count ? dcc_lsq_since(l, sent_ns) : 0;", "dcc_lsq_since(l, sent_ns);", "dcc_lsq"),
    Mutant(LSQ, "max(most, -least)", "most", "dcc_lsq"),
    Mutant(LSQ, "if (far > DCC_LSQ_MAX_SPAN ||", "if (", "dcc_lsq"),
    Mutant(LSQ, "if (far > DCC_LSQ_MAX_SPAN ||", "if (far >= DCC_LSQ_MAX_SPAN ||", "dcc_lsq"),
    Mutant(LSQ, "l->count == DCC_LSQ_MAX_COUNT ||", "", "dcc_lsq"),
    Mutant(LSQ, "l->count == DCC_LSQ_MAX_COUNT ||", "l->count == DCC_LSQ_MAX_COUNT - 1 ||", "dcc_lsq"),
    Mutant(LSQ, "((far >> l->shift) + 1) > DCC_LSQ_MAX_SUM", "((far >> l->shift) + 1) >= DCC_LSQ_MAX_SUM", "dcc_lsq"),
    Mutant(LSQ, "((far >> l->shift) + 1) > DCC_LSQ_MAX_SUM", "(far >> l->shift) > DCC_LSQ_MAX_SUM", "dcc_lsq"),
    Mutant(LSQ, "(l->count + 1) * ((far", "l->count * ((far", "dcc_lsq"),
    Mutant(LSQ, "((far >> l->shift) + 1)", "(far + 1)", "dcc_lsq"),
    Mutant(LSQ, "l->min_ns = (s32)least;", "", "dcc_lsq"),
    Mutant(LSQ, "l->max_ns = (s32)most;", "", "dcc_lsq"),
    Mutant(LSQ, "s64 x = at >> l->shift;", "s64 x = at;", "dcc_lsq"),
    Mutant(LSQ, "\tif (!l->count)\n\t\tl->first_ns = sent_ns;", "\tl->first_ns = sent_ns;", "dcc_lsq"),
    Mutant(LSQ, "l->sum_xx += (u64)(x * x);", "l->sum_xx += (u64)(u32)(x * x);", "dcc_lsq"),
    Mutant(LSQ, "l->sum_y << DCC_LSQ_MEAN_SHIFT, l->count", "l->sum_y, l->count", "dcc_lsq"),
    Mutant(LSQ, "return a < 0 ? dcc_wide_sub(zero, p) : p;", "return a < -1 ? p : dcc_wide_sub(zero, p);", "dcc_lsq"),
    Mutant(LSQ, "p.hi += n.hi * DCC_LSQ_ONE;", "", "dcc_lsq"),
    Mutant(LSQ, "p.lo >> shift | p.hi << (64 - shift)", "p.lo >> shift", "dcc_lsq"),
    Mutant(LSQ, "p.hi >>= shift;", "", "dcc_lsq"),
    Mutant(LSQ, "\tif (!den)\n\t\treturn 0;\n", "", "dcc_lsq"),
    Mutant(LSQ, "l->count * l->sum_xx - (u64)(l->sum_x * l->sum_x)", "l->count * l->sum_xx", "dcc_lsq"),
    Mutant(LSQ, "falling = num.hi >> 63;", "falling = false;", "dcc_lsq"),
    Mutant(LSQ, "dcc_wide_round(n, den)", "dcc_wide_div(n, den)", "dcc_lsq"),
    Mutant(LSQ_H, "(u32)l->max_ns - (u32)l->min_ns", "(u32)l->max_ns", "dcc_lsq"),
    Mutant(LSQ_H, "(s32)(sent_ns - l->first_ns)", "(s32)(sent_ns >> 1) - (s32)(l->first_ns >> 1)", "dcc_lsq"),
    # sliding quantile
    Mutant(QUANTILE, "if (v < 1U << DCC_Q_MIN_EXP)", "if (v <= 1U << DCC_Q_MIN_EXP)", "dcc_quantile",
           "512 is the first value of either bin 32: both formulas name it"),
    Mutant(QUANTILE, "v = min(v, DCC_Q_MAX_NS);", "v = min(v, 1U << DCC_Q_MAX_EXP);", "dcc_quantile"),
    Mutant(QUANTILE, "+ (1U << (width_shift - 1))", "", "dcc_quantile"),
    Mutant(QUANTILE, "width_shift += octave - 1;", "width_shift += octave;", "dcc_quantile"),
    Mutant(QUANTILE, "u32 shift = i % 4 * 2;", "u32 shift = i % 4;", "dcc_quantile"),
    Mutant(QUANTILE, "*high = (*high & ~(3U << shift)) |", "*high = *high |", "dcc_quantile"),
    Mutant(QUANTILE, "q->head + q->cap - q->n + i;", "q->head + q->cap - q->n + i + 1;", "dcc_quantile"),
    Mutant(QUANTILE, "place < q->cap ? place", "place <= q->cap ? place", "dcc_quantile"),
    # few values
    Mutant(QUANTILE, "return q->cap <= DCC_Q_FEW;", "return q->cap < DCC_Q_FEW;", "dcc_quantile"),
    Mutant(QUANTILE, "return q->cap <= DCC_Q_FEW;", "return q->cap <= DCC_Q_FEW + 1;", "dcc_quantile"),
    Mutant(QUANTILE, "q_is_few(q) ? min(v_ns, DCC_Q_MAX_NS) :", "q_is_few(q) ? v_ns :", "dcc_quantile"),
    Mutant(QUANTILE, "q_is_few(q) ? min(v_ns, DCC_Q_MAX_NS) :", "q_is_few(q) ? min(v_ns, DCC_Q_MAX_NS - 1) :", "dcc_quantile"),
    Mutant(QUANTILE, "q_is_few(q) ? min(v_ns, DCC_Q_MAX_NS) :", "", "dcc_quantile"),
    Mutant(QUANTILE, "\t\tq->data[i] = item;\n\t\treturn;", "\t\tq->data[i] = item;", "dcc_quantile"),
    Mutant(QUANTILE, "\tif (q_is_few(q))\n\t\treturn;\n\tq_bins", "\tq_bins", "dcc_quantile"),
    Mutant(QUANTILE, "for (j = i; j && sorted[j - 1] > v; j--)", "for (j = i; j > 1 && sorted[j - 1] > v; j--)", "dcc_quantile"),
    Mutant(QUANTILE, "for (j = i; j && sorted[j - 1] > v; j--)", "for (j = i; j && sorted[j - 1] >= v; j--)", "dcc_quantile",
           "equal values change places: the same row"),
    Mutant(QUANTILE, "for (j = i; j && sorted[j - 1] > v; j--)", "for (j = i; j && sorted[j - 1] < v; j--)", "dcc_quantile"),
    Mutant(QUANTILE, "u32 v = q_load(q, q_place(q, i));", "u32 v = q_load(q, i);", "dcc_quantile"),
    # moved
    Mutant(QUANTILE, "for (i = 0; i < from->n; i++)\n", "for (i = from->n; i--; )\n", "dcc_quantile"),
    Mutant(QUANTILE, "for (i = 0; i < from->n; i++)\n", "for (i = 1; i < from->n; i++)\n", "dcc_quantile"),
    Mutant(QUANTILE, "q_enter(to, q_bin(q_load(from, q_place(from, i))));", "q_enter(to, q_bin(q_load(from, i)));", "dcc_quantile"),
    Mutant(QUANTILE, "q_enter(to, q_bin(q_load(from, q_place(from, i))));", "q_enter(to, q_load(from, q_place(from, i)) & 511);", "dcc_quantile"),
    Mutant(QUANTILE, "\tto->total = from->total;\n", "", "dcc_quantile"),
    Mutant(QUANTILE, "\tto->mark_head = from->mark_head;\n", "", "dcc_quantile"),
    Mutant(QUANTILE, "\tmemcpy(to->mark_total, from->mark_total, sizeof(to->mark_total));\n", "", "dcc_quantile"),
    Mutant(QUANTILE, "\tmemcpy(to->mark_us, from->mark_us, sizeof(to->mark_us));\n", "", "dcc_quantile"),
    Mutant(QUANTILE, "while (q->n > h)", "while (q->n > h + 1)", "dcc_quantile"),
    Mutant(QUANTILE, "weight = min(weight, h);", "", "dcc_quantile"),
    Mutant(QUANTILE, "for (; weight; weight--) {", "for (weight = !!weight; weight; weight--) {", "dcc_quantile mswift"),
    Mutant(QUANTILE, "dcc_quantile_resize(q, h);\n\tq->total", "q->total", "dcc_quantile"),
    Mutant(QUANTILE, "q->total += weight;", "q->total++;", "dcc_quantile"),
    Mutant(QUANTILE, "if (q->n >= h)\n", "if (q->n > h)\n", "dcc_quantile"),
    Mutant(QUANTILE, "q->head + 1U < q->cap", "q->head + 1U <= q->cap", "dcc_quantile"),
    Mutant(QUANTILE, "u32 limit = horizon_us + horizon_us / DCC_Q_STEPS;", "u32 limit = horizon_us;", "dcc_quantile"),
    Mutant(QUANTILE, "now_us - q->mark_us[m] >= limit", "now_us - q->mark_us[m] > limit", "dcc_quantile"),
    Mutant(QUANTILE, "u32 next_total = q->total;", "u32 next_total = 0;", "dcc_quantile"),
    Mutant(QUANTILE, "i <= DCC_Q_MARKS; i++", "i <= 4; i++", "dcc_quantile"),
    Mutant(QUANTILE, "NSEC_PER_USEC) | 1;", "NSEC_PER_USEC);", "dcc_quantile",
           "only the moment at which 32-bit microseconds are 0 differs"),
    Mutant(QUANTILE, "while (q->n && q->n > fresh)", "if (q->n && q->n > fresh)", "dcc_quantile"),
    Mutant(QUANTILE, "horizon_us / DCC_Q_STEPS)\n\t\treturn;", "horizon_us)\n\t\treturn;", "dcc_quantile"),
    Mutant(QUANTILE, "q->mark_total[q->mark_head] = q->total;", "q->mark_total[q->mark_head] = q->n;", "dcc_quantile"),
    Mutant(QUANTILE, "while (rank >= b->octave[octave])", "while (rank > b->octave[octave])", "dcc_quantile",
           "the bins of the next octaves follow: the same value in more steps"),
    Mutant(QUANTILE, "while (rank >= b->count[bin])", "while (rank > b->count[bin])", "dcc_quantile"),
    Mutant(QUANTILE, "if (!q->n)\n\t\treturn 0;", "", "dcc_quantile"),
    Mutant(QUANTILE, "min(percent, 100U)", "percent", "dcc_quantile"),
    Mutant(QUANTILE, "min(percent, 100U) * q->n;", "min(percent, 100U) * (q->n - 1U);", "dcc_quantile"),
    Mutant(QUANTILE, "if (share % 100)\n", "if (0)\n", "dcc_quantile mswift"),
    Mutant(QUANTILE, "if (share % 100)\n", "if (1)\n", "dcc_quantile mswift"),
    Mutant(QUANTILE, "(high - low) / 2", "(high - low) / 4", "dcc_quantile mswift"),
    Mutant(QUANTILE, "rank ? rank - 1 : 0", "rank", "dcc_quantile mswift"),
    # path engines
    Mutant(SPRAY, "(x + 1ULL)", "(x + 2ULL)", "dcc_spray"),
    Mutant(SPRAY, "#define FEISTEL_ROUNDS\t4", "#define FEISTEL_ROUNDS\t1", "dcc_spray"),
    Mutant(SPRAY, "left = right;", "left = right | 1;", "dcc_spray"),
    Mutant(SPRAY, "right = left;", "right = left | 1;", "dcc_spray"),
    Mutant(SPRAY, "round << HALF_BITS | left);", "round << HALF_BITS | right);", "dcc_spray"),
    Mutant(SPRAY, "return label ? label : spray_permute(key, DCC_LABEL_MASK);", "return label;", "dcc_spray"),
    Mutant(SPRAY, "return label ? label : spray_permute(key, DCC_LABEL_MASK);", "return label ? label : 1;", "dcc_spray"),
    Mutant(SPRAY, "dcc_spray_hash(key, round << HALF_BITS | right)", "dcc_spray_hash(key * 0, round << HALF_BITS | right)", "dcc_spray"),
    Mutant(SPRAY, "if (!label)\n\t\treturn U32_MAX;", "", "dcc_spray"),
    Mutant(SPRAY, "return index == DCC_LABEL_MASK ? spray_unpermute(key, 0) : index;", "return index;", "dcc_spray"),
    Mutant(SPRAY, "paths > 1 ? count / paths : 0;", "count / paths;", "dcc_spray"),
    Mutant(SPRAY, "paths > 1 ? count / paths : 0;", "0 * count;", "dcc_spray"),
    Mutant(SPRAY, "paths > 1 ? count / paths : 0;", "paths > 2 ? count / paths : 0;", "dcc_spray"),
    Mutant(SPRAY, "paths > 1 ? count / paths : 0;", "count / 64;", "dcc_spray"),
    Mutant(SPRAY, "dcc_spray_label(lap_key, count & (paths - 1))", "dcc_spray_label(lap_key, count)", "dcc_spray"),
    # bitmap
    Mutant(SPRAY, "(s->count ^ s->bitmap.order) & (s->paths - 1)", "s->count & (s->paths - 1)", "dcc_spray"),
    Mutant(SPRAY, "s->bitmap.order = dcc_spray_hash(~s->key, s->count);", "s->bitmap.order += 0;", "dcc_spray"),
    Mutant(SPRAY, "if (!(s->count & (s->paths - 1)))", "if (s->count & (s->paths - 1))", "dcc_spray"),
    Mutant(SPRAY, "for (left = s->paths; left && penalty[i]; left--) {", "for (left = s->paths; penalty[i]; left--) {", "dcc_spray"),
    Mutant(SPRAY, "for (left = s->paths; left && penalty[i]; left--) {", "for (left = s->paths; left > 1 && penalty[i]; left--) {", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "for (left = s->paths; left && penalty[i]; left--) {", "for (left = s->paths; left && penalty[i] > 1; left--) {", "dcc_spray"),
    Mutant(SPRAY, "if (left == s->paths)\n", "if (1)\n", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (left == s->paths)\n", "if (left == 1)\n", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "penalty[i]--;", "penalty[i] = 0;", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "i = bitmap_here(s);\n\t}\n\tbitmap_step(s);", "i = bitmap_here(s);\n\t}\n\ts->count++;", "dcc_spray"),
    Mutant(SPRAY, "[DCC_PATH_GOOD] = 0,", "[DCC_PATH_GOOD] = 1,", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "= DCC_SPRAY_PENALTY_CE,", "= DCC_SPRAY_PENALTY_LOST,", "dcc_spray"),
    Mutant(SPRAY, "= DCC_SPRAY_PENALTY_LOST,", "= DCC_SPRAY_PENALTY_CE,", "dcc_spray"),
    Mutant(SPRAY, "= DCC_SPRAY_PENALTY_CAP,", "= DCC_SPRAY_PENALTY_LOST,", "dcc_spray"),
    Mutant(SPRAY, "DCC_SPRAY_PENALTY_CAP);", "DCC_SPRAY_PENALTY_CAP + 1);", "dcc_spray"),
    Mutant(SPRAY, "DCC_SPRAY_PENALTY_CAP);", "DCC_SPRAY_PENALTY_CAP - 1);", "dcc_spray"),
    # reps
    Mutant(SPRAY, "memset(r, 0, sizeof(*r));", "", "dcc_spray"),
    Mutant(SPRAY, "r->explore = DCC_SPRAY_EXPLORE;", "r->explore = DCC_SPRAY_EXPLORE + 1;", "dcc_spray"),
    Mutant(SPRAY, "r->explore = DCC_SPRAY_EXPLORE;", "r->explore = DCC_SPRAY_EXPLORE - 1;", "dcc_spray"),
    Mutant(SPRAY, "u8 older = (1U << i) - 1;", "u8 older = 0 * i;", "dcc_spray"),
    Mutant(SPRAY, "u8 older = (1U << i) - 1;", "u8 older = 1U << i;", "dcc_spray"),
    Mutant(SPRAY, "(r->fresh >> 1 & ~older)", "(r->fresh & ~older)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "(r->len - i) * sizeof(r->label[0])", "r->len * sizeof(r->label[0])", "dcc_spray"),
    Mutant(SPRAY, "(r->len - i) * sizeof(r->label[0])", "(r->len - i)", "dcc_spray"),
    Mutant(SPRAY, "for (i = r->len; i--; )\n\t\tif (r->label[i] == label)\n\t\t\treps_drop(r, i);",
           "for (i = 0; i < r->len; i++)\n\t\tif (r->label[i] == label) {\n\t\t\treps_drop(r, i);\n\t\t\tbreak;\n\t\t}", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "for (i = r->len; i--; )", "for (i = r->len; i && --i; )", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (r->len == DCC_SPRAY_CACHE) {", "if (r->len == DCC_SPRAY_CACHE - 1) {", "dcc_spray"),
    Mutant(SPRAY, "if (r->len == DCC_SPRAY_CACHE) {", "if (r->len > DCC_SPRAY_CACHE) {", "dcc_spray"),
    Mutant(SPRAY, "\t\tif (r->frozen)\n\t\t\treturn;\n", "", "dcc_spray"),
    Mutant(SPRAY, "if (r->len == DCC_SPRAY_CACHE) {\n\t\tif (r->frozen)\n\t\t\treturn;\n",
           "if (r->frozen)\n\t\treturn;\n\tif (r->len == DCC_SPRAY_CACHE) {\n", "dcc_spray"),
    Mutant(SPRAY, "reps_drop(r, 0);", "reps_drop(r, 7);", "dcc_spray"),
    Mutant(SPRAY, "r->fresh |= 1U << r->len++;", "r->len++;", "dcc_spray"),
    Mutant(SPRAY, "now_ns > r->thaw_ns", "now_ns >= r->thaw_ns", "dcc_spray"),
    Mutant(SPRAY, "now_ns > r->thaw_ns", "now_ns > r->thaw_ns + 1", "dcc_spray"),
    Mutant(SPRAY, "if (r->frozen && now_ns", "if (now_ns", "dcc_spray"),
    Mutant(SPRAY, "r->explore--;", "r->explore = 0;", "dcc_spray"),
    Mutant(SPRAY, "if (r->frozen && r->len) {", "if (r->len) {", "dcc_spray"),
    Mutant(SPRAY, "if (r->frozen && r->len) {", "if (r->frozen) {", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (r->frozen && r->len) {", "if (0) {", "dcc_spray"),
    Mutant(SPRAY, "i = r->turn % r->len;", "i = r->turn;", "dcc_spray"),
    Mutant(SPRAY, "r->turn = i + 1;", "r->turn++;", "dcc_spray"),
    Mutant(SPRAY, "r->turn = i + 1;", "r->turn = i;", "dcc_spray"),
    Mutant(SPRAY, "if (!r->fresh)\n", "if (!r->len)\n", "dcc_spray"),
    Mutant(SPRAY, "r->fresh &= ~(1U << i);", "", "dcc_spray"),
    Mutant(SPRAY, "r->fresh &= ~(1U << i);", "r->fresh = 0;", "dcc_spray"),
    Mutant(SPRAY, "reps_thaw(&s->reps, now_ns);", "(void)now_ns;", "dcc_spray"),
    Mutant(SPRAY, "\treps_thaw(r, now_ns);\n", "", "dcc_spray"),
    Mutant(SPRAY, "return label ? label : dcc_spray_oblivious(s->key, s->count++, s->paths);",
           "return label ? label : dcc_spray_oblivious(s->key, s->count, s->paths);", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_GOOD && label)", "if (event == DCC_PATH_GOOD)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_GOOD && label)", "if (event <= DCC_PATH_CE && label)", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_GOOD && label)", "if (event != DCC_PATH_CE && label)", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)", "if (event == DCC_PATH_LOST)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)", "if (event == DCC_PATH_TIMEOUT)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)", "if (event != DCC_PATH_GOOD)", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {", "if (event >= DCC_PATH_LOST && !r->explore && !r->frozen) {", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {", "if (event == DCC_PATH_TIMEOUT && !r->frozen) {", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {", "if (event == DCC_PATH_TIMEOUT && !r->explore) {", "dcc_spray"),
    Mutant(SPRAY, "if (event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {", "if (label && event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {", "dcc_spray"),
    Mutant(SPRAY, "r->thaw_ns = now_ns + freeze_ns;", "r->thaw_ns = freeze_ns;", "dcc_spray"),
    # mixed
    Mutant(SPRAY, "if (b->queued == DCC_SPRAY_QUEUE)", "if (b->queued == DCC_SPRAY_QUEUE - 1)", "dcc_spray"),
    Mutant(SPRAY, "if (b->queued == DCC_SPRAY_QUEUE)", "if (b->queued > DCC_SPRAY_QUEUE)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "\t\tb->head++;\n", "\t\treturn;\n", "dcc_spray"),
    Mutant(SPRAY, "(b->head + b->queued - 1) % DCC_SPRAY_QUEUE", "(b->head + b->queued - 1) % (DCC_SPRAY_QUEUE - 1)", "dcc_spray"),
    Mutant(SPRAY, "if (b->penalty[i])\n\t\t\tcontinue;", "", "dcc_spray"),
    Mutant(SPRAY, "if (b->penalty[i])\n\t\t\tcontinue;", "if (b->penalty[i])\n\t\t\tbreak;", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "\t\tb->queued--;\n\t\treturn", "\t\treturn", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "b->head++ % DCC_SPRAY_QUEUE", "b->head % DCC_SPRAY_QUEUE", "dcc_spray"),
    Mutant(SPRAY, "\treturn bitmap_next(s);\n}\n\n/* --- all", "\treturn reps_next(s, 0);\n}\n\n/* --- all", "dcc_spray fuzz_spray"),
    # the engines together
    Mutant(SPRAY, "memset(s, 0, dcc_spray_size(engine));", "s->count = 0;", "dcc_spray"),
    Mutant(SPRAY, "memset(s, 0, dcc_spray_size(engine));", "memset(s, 0, sizeof(*s));", "dcc_spray"),
    Mutant(SPRAY, "memset(s, 0, dcc_spray_size(engine));", "memset(s, 0, sizeof(*s));", "fuzz_spray"),
    Mutant(SPRAY_H, "engine == DCC_SPRAY_BITMAP || engine == DCC_SPRAY_MIXED)", "engine == DCC_SPRAY_BITMAP)", "dcc_spray"),
    Mutant(SPRAY_H, "if (engine == DCC_SPRAY_REPS)\n", "if (0)\n", "dcc_spray"),
    Mutant(SPRAY_H, "sizeof(struct dcc_spray_reps);", "sizeof(struct dcc_spray_reps) - 8;", "dcc_spray"),
    Mutant(SPRAY, "if (engine == DCC_SPRAY_REPS)\n", "if (0)\n", "dcc_spray"),
    Mutant(SPRAY, "if (engine == DCC_SPRAY_BITMAP || engine == DCC_SPRAY_MIXED) {", "if (engine == DCC_SPRAY_BITMAP) {", "dcc_spray"),
    Mutant(SPRAY, "min_t(u32, paths, DCC_SPRAY_MAX_PENALTIES)", "min_t(u32, paths, 128)", "dcc_spray"),
    Mutant(SPRAY, "min_t(u32, paths, DCC_SPRAY_MAX_PENALTIES)", "min_t(u32, paths, 512)", "dcc_spray"),
    Mutant(SPRAY, "s->bitmap.order = dcc_spray_hash(~key, 0);", "", "dcc_spray"),
    Mutant(SPRAY, "if (label > DCC_LABEL_MASK)\n\t\tlabel = 0;", "", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (label > DCC_LABEL_MASK)\n\t\tlabel = 0;", "label &= DCC_LABEL_MASK;", "dcc_spray"),
    Mutant(SPRAY, "if (index >= s->paths)", "if (index > s->paths)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (index >= s->paths)", "if (index >= s->paths - 1)", "dcc_spray"),
    Mutant(SPRAY, "if (s->engine == DCC_SPRAY_MIXED && event == DCC_PATH_GOOD)", "if (event == DCC_PATH_GOOD)", "dcc_spray fuzz_spray"),
    Mutant(SPRAY, "if (s->engine == DCC_SPRAY_MIXED && event == DCC_PATH_GOOD)", "if (s->engine == DCC_SPRAY_MIXED)", "dcc_spray"),
    # send records
    Mutant(RING, "return (s32)(a - b) < 0;", "return a < b;", "dcc_ring"),
    Mutant(RING, "return (s32)(a - b) < 0;", "return a < b;", "fuzz_ring"),
    Mutant(RING, "return (s32)(a - b) < 0;", "return (s32)(a - b) <= 0;", "dcc_ring"),
    Mutant(RING, "\ti &= r->mask;\n\tr->done[i / WORD_BITS] &=", "\tr->done[i / WORD_BITS] &=", "dcc_ring"),
    Mutant(RING, "\ti &= r->mask;\n\tr->done[i / WORD_BITS] |=", "\tr->done[i / WORD_BITS] |=", "dcc_ring"),
    Mutant(RING, "&= ~(1UL << i % WORD_BITS);", "&= 1UL << i % WORD_BITS;", "dcc_ring"),
    Mutant(RING, "&= ~(1UL << i % WORD_BITS);", "&= ~(1U << i % 32);", "dcc_ring"),
    Mutant(RING, "|= 1UL << i % WORD_BITS;", "|= ~0UL;", "dcc_ring"),
    Mutant(RING, "|= 1UL << i % WORD_BITS;", "|= 1U << i % 32;", "dcc_ring"),
    Mutant(RING, "at = i & r->mask, off", "at = i % 64, off", "dcc_ring"),
    Mutant(RING, "r->mask + 1 - at);", "r->mask + 1);", "dcc_ring"),
    Mutant(RING, "min_t(u32, WORD_BITS - off, r->mask + 1 - at);", "r->mask + 1 - at;", "dcc_ring"),
    Mutant(RING, ">> off;", ">> 0;", "dcc_ring"),
    Mutant(RING, "unsigned long clear = ~r->done", "unsigned int clear = ~r->done", "dcc_ring"),
    Mutant(RING, "clear ? (u32)__builtin_ctzl(clear) : left;", "(u32)__builtin_ctzl(clear | 1UL << 63);", "dcc_ring"),
    Mutant(RING, "left = min(left, end - i);", "", "dcc_ring"),
    Mutant(RING, "left = min(left, end - i);", "", "fuzz_ring"),
    Mutant(RING, "if (set < left)\n", "if (set <= left)\n", "dcc_ring"),
    Mutant(RING, "memset(memory, 0, dcc_ring_size(slots));", "", "dcc_ring"),
    Mutant(RING, "slots * sizeof(struct dcc_record));\n\tr->mask", "slots * sizeof(struct dcc_record) + 8);\n\tr->mask", "dcc_ring"),
    Mutant(RING, "r->mask = slots - 1;", "r->mask = slots / 2 - 1;", "dcc_ring"),
    Mutant(RING, "\tr->head = 0;\n", "", "dcc_ring"),
    Mutant(RING, "\tr->tail = 0;\n", "", "dcc_ring"),
    Mutant(RING, "\tr->head = old.head;\n\tr->tail = old.tail;\n", "\tr->head = old.head - old.tail;\n", "dcc_ring"),
    Mutant(RING, "i != old.head; i++)", "i < old.head; i++)", "dcc_ring"),
    Mutant(RING, "u32 j = i & old.mask;", "u32 j = i & r->mask;", "dcc_ring"),
    Mutant(RING, "u32 j = i & old.mask;", "u32 j = (i - old.tail) & old.mask;", "fuzz_ring"),
    Mutant(RING, ">> j % WORD_BITS & 1)", ">> j % WORD_BITS)", "dcc_ring"),
    Mutant(RING, "\t\t\tdone_set(r, i);\n\t}\n}", "\t\t\tdone_set(r, j);\n\t}\n}", "dcc_ring"),
    Mutant(RING, "u32 mid = lo + (hi - lo) / 2;", "u32 mid = (lo + hi) / 2;", "dcc_ring"),
    Mutant(RING, "lo = mid + 1;", "lo = mid + 1 + (hi - lo > 4);", "dcc_ring"),
    Mutant(RING, "while (lo != hi) {", "while (lo < hi) {", "dcc_ring"),
    Mutant(RING, "max(dcc_record_len(rec), 1U);", "dcc_record_len(rec);", "dcc_ring"),
    Mutant(RING, "max(dcc_record_len(rec), 1U);", "max(dcc_record_len(rec), 64U);", "dcc_ring"),
    Mutant(RING, "max(dcc_record_len(rec), 1U);", "dcc_record_len(rec) + 1;", "fuzz_ring"),
    Mutant(RING, "\tif (i == r->head)\n\t\treturn NULL;\n\trec = dcc_ring_at(r, i);\n\treturn seq_before(record_start(rec), end_seq)", "\trec = dcc_ring_at(r, i);\n\treturn seq_before(record_start(rec), end_seq)", "dcc_ring"),
    Mutant(RING, "seq_before(record_start(rec), end_seq) ? rec : NULL;", "rec;", "dcc_ring"),
    Mutant(RING, "seq_before(record_start(rec), end_seq) ? rec : NULL;", "rec;", "fuzz_ring"),
    Mutant(RING, "dcc_ring_find(r, end_seq);", "dcc_ring_find(r, end_seq + 1);", "dcc_ring"),
    Mutant(RING, "while (r->head != r->tail &&", "if (r->head != r->tail &&", "dcc_ring"),
    Mutant(RING, "while (r->head != r->tail &&\n\t       seq_before(seq,", "while (seq_before(seq,", "dcc_ring"),
    Mutant(RING, "seq_before(seq, dcc_ring_at(r, r->head - 1)->end_seq)", "seq_before(seq - 1, dcc_ring_at(r, r->head - 1)->end_seq)", "dcc_ring"),
    Mutant(RING, "seq_before(seq, dcc_ring_at(r, r->head - 1)->end_seq)", "seq_before(seq + 1, dcc_ring_at(r, r->head - 1)->end_seq)", "dcc_ring"),
    Mutant(RING, "\tif (dcc_ring_full(r))\n\t\treturn false;\n", "", "dcc_ring"),
    Mutant(RING_H, "r->head - r->tail > r->mask;", "r->head - r->tail >= r->mask;", "dcc_ring"),
    Mutant(RING_H, "r->head - r->tail > r->mask;", "r->head > r->mask + r->tail;", "dcc_ring"),
    Mutant(RING_H, "return &r->record[i & r->mask];", "return &r->record[i % (r->mask + 2)];", "dcc_ring"),
    Mutant(RING_H, "(slots + 8 * sizeof(long) - 1) /", "slots /", "dcc_ring"),
    Mutant(RING_H, "#define DCC_RECORD_LEN_MAX\t2047U", "#define DCC_RECORD_LEN_MAX\t2048U", "dcc_ring"),
    Mutant(RING_H, "#define DCC_RECORD_LEN_MAX\t2047U", "#define DCC_RECORD_LEN_MAX\t1023U", "dcc_ring"),
    Mutant(RING_H, "#define DCC_RECORD_LEN_SHIFT\t6", "#define DCC_RECORD_LEN_SHIFT\t7", "dcc_ring"),
    Mutant(RING, "\tdone_clear(r, r->head);\n", "\tif (0)\n\t\tdone_clear(r, r->head);\n", "dcc_ring"),
    Mutant(RING, "\tdone_clear(r, r->head);\n", "\tif (0)\n\t\tdone_clear(r, r->head);\n", "fuzz_ring"),
    Mutant(RING, "rec->end_seq = span->seq + span->len;", "rec->end_seq = span->seq;", "dcc_ring"),
    Mutant(RING, "rec->sent_ns = sent_ns;", "rec->sent_ns = 0 * sent_ns;", "dcc_ring"),
    Mutant(RING, "rec->inflight = inflight;", "rec->inflight = 0 * inflight + span->len;", "dcc_ring"),
    Mutant(RING, "\trec->label = label;\n\trec->len_units", "\trec->label = label & 0xffff;\n\trec->len_units", "dcc_ring"),
    Mutant(RING, "min(span->len >> DCC_RECORD_LEN_SHIFT,\n\t\t\t     DCC_RECORD_LEN_MAX)", "span->len >> DCC_RECORD_LEN_SHIFT", "dcc_ring"),
    Mutant(RING, "\trec->resent = 0;\n", "", "dcc_ring"),
    Mutant(RING, "\tif (i == r->head)\n\t\treturn NULL;\n\trec = dcc_ring_at(r, i);\n\treturn seq_before(record_start(rec), span->seq", "\trec = dcc_ring_at(r, i);\n\treturn seq_before(record_start(rec), span->seq", "dcc_ring"),
    Mutant(RING, "seq_before(record_start(rec), span->seq + span->len) ? rec : NULL;", "seq_before(rec->end_seq - 1, span->seq + span->len) ? rec : NULL;", "dcc_ring"),
    Mutant(RING, "seq_before(record_start(rec), span->seq + span->len) ? rec : NULL;", "seq_before(record_start(rec), span->seq + span->len + 1) ? rec : NULL;", "dcc_ring"),
    Mutant(RING, "seq_before(record_start(rec), span->seq + span->len) ? rec : NULL;", "rec && span ? rec : NULL;", "fuzz_ring"),
    Mutant(RING, "\t\trec->resent = 1;\n", "", "dcc_ring"),
    Mutant(RING, "\t\tif (heard)\n\t\t\theard(arg, rec->label);\n", "\t\theard(arg, rec->label);\n", "dcc_ring"),
    Mutant(RING, "dcc_ring_find(r, span->seq + 1);\n\tstruct dcc_record *rec;\n\n\tfor (; (rec = span_record(r, i, span)); i++) {", "dcc_ring_find(r, span->seq);\n\tstruct dcc_record *rec;\n\n\tfor (; (rec = span_record(r, i, span)); i++) {", "dcc_ring"),
    Mutant(RING, "dcc_ring_find(r, span->seq + 1);\n\tstruct dcc_record *rec;\n\n\tfor (; (rec = span_record(r, i, span)); i++)\n", "dcc_ring_find(r, span->seq);\n\tstruct dcc_record *rec;\n\n\tfor (; (rec = span_record(r, i, span)); i++)\n", "dcc_ring"),
    Mutant(RING, "\t\trec->label = label;\n}", "\t\trec->label |= label;\n}", "dcc_ring"),
    Mutant(RING, "u32 i = dcc_ring_find(r, from_seq + 1);", "u32 i = dcc_ring_find(r, from_seq);", "dcc_ring"),
    Mutant(RING, "u32 end = dcc_ring_find(r, to_seq + 1);", "u32 end = dcc_ring_find(r, to_seq);", "dcc_ring"),
    Mutant(RING, "\tif ((s32)(end - i) < 0)\n\t\treturn;\n", "", "dcc_ring"),
    Mutant(RING, "if ((s32)(end - i) < 0)", "if (end < i)", "dcc_ring"),
    Mutant(RING, "\t\tdone_set(r, i);\n\t\tif (!", "\t\tif (!", "dcc_ring"),
    Mutant(RING, "if (!dcc_ring_at(r, i)->resent)", "if (1)", "dcc_ring"),
    Mutant(RING, "if (!dcc_ring_at(r, i)->resent)", "if (1)", "fuzz_ring"),
    Mutant(RING, "r->tail = dcc_ring_find(r, una + 1);", "r->tail = dcc_ring_find(r, una);", "dcc_ring"),
    # knobs, by the fuzzer alone
    Mutant(KNOB, "if (*text == '+' || kstrtou32", "if (kstrtou32", "fuzz_knob",
           "user space's kstrtou32() here takes no sign; the kernel's does"),
    Mutant(KNOB, "\tif (*end == '\\n')\n\t\tend++;\n", "", "fuzz_knob"),
    Mutant(KNOB, "if (text[len] == '|' || (text[len] && text[len + 1]))", "if (text[len] && text[len + 1])", "fuzz_knob"),
    Mutant(KNOB, "if (text[len] == '|' || (text[len] && text[len + 1]))", "if (text[len] == '|')", "fuzz_knob"),
    Mutant(KNOB, "if (n == len && !strncmp(unit, text, n))", "if (n <= len && !strncmp(unit, text, n))", "fuzz_knob"),
    Mutant(KNOB, "|| v > U32_MAX)", "|| v > (U32_MAX | 1ULL << 32))", "fuzz_knob"),
    Mutant(KNOB, "v & (v - 1))", "v & 1)", "fuzz_knob"),
    # knobs
    Mutant(KNOB, "if (v < k->min || v > k->max)", "if (v <= k->min || v > k->max)", "dcc_knob mswift"),
    Mutant(KNOB, "if (v < k->min || v > k->max)", "if (v < k->min || v >= k->max)", "dcc_knob mswift"),
    Mutant(KNOB, "v & (v - 1))", "v & 1)", "dcc_knob"),
    Mutant(KNOB, "if (n == len && !strncmp(unit, text, n))", "if (!strncmp(unit, text, n))", "dcc_knob"),
    Mutant(KNOB, "if (n == len && !strncmp(unit, text, n))", "if (!strncmp(unit, text, len))", "dcc_knob"),
    Mutant(KNOB, "kstrtou32(text, 10, &v)", "kstrtou32(text, 0, &v)", "dcc_knob"),
    Mutant(KNOB, "word += word_len(word) + 1;", "word += word_len(word);", "dcc_knob"),
    Mutant(KNOB, "*value = v;\n\treturn 0;", "*value = k->def;\n\treturn 0;", "dcc_knob mswift"),
    Mutant(KNOB, "\tif (word < 0)\n\t\t\treturn -EINVAL;", "\tif (word < 0)\n\t\t\tword = 0;", "dcc_knob"),
    # Swift
    Mutant(SWIFT, "max(lo, hi));", "hi);", "dcc_swift fuzz_mswift",
           "min_cwnd ends at the one packet that max_cwnd begins with"),
    Mutant(SWIFT, "s->cwnd = clamp_t(u64, s->cwnd, lo, max(lo, hi));", "s->cwnd = max(s->cwnd, lo) + 0 * hi;", "dcc_swift"),
    Mutant(SWIFT, "s->cwnd = clamp_t(u64, s->cwnd, lo, max(lo, hi));", "s->cwnd = min(s->cwnd, hi) + 0 * lo;", "dcc_swift"),
    Mutant(SWIFT, "memset(s, 0, sizeof(*s));", "", "dcc_swift mswift"),
    Mutant(SWIFT, "if (inv_min > s->fs_inv_max)\n", "if (1)\n", "dcc_swift"),
    Mutant(SWIFT, "inv <= s->fs_inv_max || !s->fs_span", "!s->fs_span", "dcc_swift"),
    Mutant(SWIFT, "if (inv >= s->fs_span)\n\t\treturn range_ns;", "", "dcc_swift"),
    Mutant(SWIFT, "swift_inv_sqrt(s->cwnd);", "swift_inv_sqrt(max(s->cwnd, DCC_PKT) & ~(DCC_PKT - 1));", "dcc_swift"),
    Mutant(SWIFT, "if (!base)\n", "if (1)\n", "dcc_swift"),
    Mutant(SWIFT, "range = DCC_SWIFT_FS_RANGE * base;", "range = base;", "dcc_swift"),
    Mutant(SWIFT, "k->hops * k->hop_scale_us", "k->hops", "dcc_swift"),
    Mutant(SWIFT, "(u32)min_t(u64, target, U32_MAX)", "(u32)target", "dcc_swift"),
    Mutant(SWIFT, "min(acked, 0xffffU)", "min(acked, 1U)", "dcc_swift mswift"),
    Mutant(SWIFT, "if (s->cwnd >= DCC_PKT)\n", "if (s->cwnd > DCC_PKT)\n", "dcc_swift",
           "at one packet ai * acked / W is ai * acked"),
    Mutant(SWIFT, "if (s->cwnd >= DCC_PKT)\n", "if (s->cwnd >= DCC_PKT - 1)\n", "dcc_swift"),
    Mutant(SWIFT, "if (s->cwnd >= DCC_PKT)\n", "if (1)\n", "dcc_swift"),
    Mutant(SWIFT, "s->cwnd += step;\n\tswift_clamp(s, k);", "s->cwnd += step;", "dcc_swift"),
    Mutant(SWIFT, "last_decrease_ns >= srtt_ns;", "last_decrease_ns > srtt_ns;", "dcc_swift"),
    Mutant(SWIFT, "!s->last_decrease_ns || now_ns", "now_ns", "dcc_swift"),
    Mutant(SWIFT, "s->cwnd -= s->cwnd * ratio", "s->cwnd -= (s->cwnd >> 1) * ratio", "dcc_swift"),
    Mutant(SWIFT, "if (s->cwnd < before)", "if (s->cwnd <= before)", "dcc_swift fuzz_mswift"),
    Mutant(SWIFT, "(delay_ns - target_ns), delay_ns)", "(delay_ns - target_ns), target_ns)", "dcc_swift"),
    Mutant(SWIFT, "min(cut, dcc_milli_to_ratio(k->max_mdf))", "max(cut, dcc_milli_to_ratio(k->max_mdf))", "dcc_swift"),
    Mutant(SWIFT, "min(cut, dcc_milli_to_ratio(k->max_mdf))", "cut", "dcc_swift"),
    Mutant(SWIFT, "u64 beta = dcc_milli_to_ratio(k->beta_md);", "u64 beta = dcc_milli_to_ratio(k->max_mdf);", "dcc_swift"),
    Mutant(SWIFT, "swift_shrink(s, k, dcc_milli_to_ratio(k->max_mdf), now_ns);", "swift_shrink(s, k, dcc_milli_to_ratio(k->beta_md), now_ns);", "dcc_swift"),
    Mutant(SWIFT, "if (!dcc_swift_may_decrease(s, now_ns, srtt_ns))\n\t\treturn false;", "(void)srtt_ns;", "dcc_swift fuzz_mswift"),
    Mutant(SWIFT, "if (s->rto_run < DCC_SWIFT_RTO_RESET)\n\t\ts->rto_run++;", "s->rto_run++;", "dcc_swift"),
    Mutant(SWIFT, "if (s->rto_run < DCC_SWIFT_RTO_RESET) {", "if (s->rto_run <= DCC_SWIFT_RTO_RESET) {", "dcc_swift"),
    Mutant(SWIFT, "if (s->rto_run < DCC_SWIFT_RTO_RESET) {", "if (s->rto_run < DCC_SWIFT_RTO_RESET - 1) {", "dcc_swift"),
    Mutant(SWIFT, "s->cwnd = dcc_milli_to_pkts(k->min_cwnd);", "s->cwnd = DCC_PKT;", "dcc_swift"),
    # the three laws
    Mutant(MSWIFT, "m->swift.cwnd >> (DCC_PKT_SHIFT + 1)", "m->swift.cwnd >> DCC_PKT_SHIFT", "mswift"),
    Mutant(MSWIFT, "clamp_t(u64, h, 1, MSWIFT_MAX_HISTORY)", "clamp_t(u64, h, 4, MSWIFT_MAX_HISTORY)", "mswift"),
    Mutant(MSWIFT_H, "#define MSWIFT_MAX_HISTORY\t2048", "#define MSWIFT_MAX_HISTORY\t1024", "mswift"),
    Mutant(MSWIFT, "s->delay_ns >= target ?", "s->delay_ns > target ?", "mswift"),
    Mutant(MSWIFT, "return s->maybe_delayed &&", "return !s->maybe_delayed &&", "mswift"),
    Mutant(MSWIFT, "return s->maybe_delayed &&", "return 0 &&", "mswift"),
    Mutant(MSWIFT, "m->variant != MSWIFT_MSWIFT || !history", "m->variant == MSWIFT_SWIFT || !history", "mswift"),
    Mutant(MSWIFT, "max(s->acked, 1U)", "s->acked", "mswift"),
    Mutant(MSWIFT, "max(s->acked, 1U)", "1", "mswift"),
    Mutant(MSWIFT, "s->maybe_delayed && m->swift.cwnd < DCC_PKT", "s->maybe_delayed && m->swift.cwnd", "mswift"),
    Mutant(MSWIFT, "s->maybe_delayed && m->swift.cwnd < DCC_PKT", "s->now_ns && m->swift.cwnd < DCC_PKT", "mswift"),
    Mutant(MSWIFT, "m->swift.cwnd < DCC_PKT", "m->swift.cwnd <= DCC_PKT", "mswift"),
    Mutant(MSWIFT, "return dcc_quantile_get(history, k->percentile);", "return fresh;", "mswift"),
    Mutant(MSWIFT, "dcc_quantile_get(history, k->percentile)", "dcc_quantile_get(history, 50)", "mswift"),
    Mutant(MSWIFT, "if (horizon)\n", "if (0)\n", "mswift"),
    Mutant(MSWIFT, "if (horizon)\n", "if (1)\n", "mswift"),
    Mutant(MSWIFT, "(u64)k->stale_rtts * s->srtt_ns", "(u64)2 * s->srtt_ns", "mswift"),
    Mutant(MSWIFT, "(u32)min_t(u64, horizon, U32_MAX)", "(u32)horizon", "mswift"),
    Mutant(MSWIFT, "return s->recovery;", "return s->losses;", "mswift"),
    Mutant(MSWIFT, "s->lost_run >= k->loss_run", "s->lost_run > k->loss_run", "mswift"),
    Mutant(MSWIFT, "s->lost_run >= k->loss_run", "s->lost_run >= k->loss_run - 1", "mswift"),
    Mutant(MSWIFT, "s->losses && s->lost_run", "s->lost_run", "mswift"),
    Mutant(MSWIFT, "if (delay < target || !delay) {", "if (delay <= target || !delay) {", "mswift"),
    Mutant(MSWIFT, "if (delay < target || !delay) {", "if (delay + 1 < target || !delay) {", "mswift"),
    Mutant(MSWIFT, "if ((!delay || !target) &&", "if (!target &&", "mswift"),
    Mutant(MSWIFT, "if ((!delay || !target) &&", "if (!delay &&", "mswift"),
    Mutant(MSWIFT, "if (!s->cwnd_limited)\n\t\t\treturn MSWIFT_HOLD;", "", "mswift fuzz_mswift"),
    Mutant(MSWIFT, "&k->swift, s->acked);", "&k->swift, 1);", "mswift"),
    Mutant(MSWIFT, "if (!dcc_swift_may_decrease(&m->swift, s->now_ns, s->srtt_ns))\n", "if (0)\n", "mswift fuzz_mswift"),
    Mutant(MSWIFT, "if (!dcc_swift_may_decrease(&m->swift, s->now_ns, s->srtt_ns))\n",
           "if (!dcc_swift_may_decrease(&m->swift, s->now_ns, delay))\n", "mswift"),
    Mutant(MSWIFT, "dcc_swift_decrease(&m->swift, &k->swift, delay,", "dcc_swift_decrease(&m->swift, &k->swift, s->delay_ns,", "mswift"),
    Mutant(MSWIFT, "if (s->base_rtt_ns || k->swift.base_target_us)", "if (s->base_rtt_ns)", "mswift"),
    Mutant(MSWIFT, "if (s->base_rtt_ns || k->swift.base_target_us)", "if (1)", "mswift"),
    Mutant(MSWIFT, "if (s->acked)\n\t\tm->swift.rto_run = 0;", "m->swift.rto_run = 0;", "mswift"),
    Mutant(MSWIFT, "if (s->acked)\n\t\tm->swift.rto_run = 0;", "", "mswift"),
    Mutant(MSWIFT, "if (mswift_lost(m, k, s) &&", "if (delay && mswift_lost(m, k, s) &&", "mswift"),
    Mutant(MSWIFT, "d->target_ns = target;", "d->target_ns = delay;", "mswift"),
    Mutant(MSWIFT, "(DCC_PKT_SHIFT - DCC_CWND_SHIFT)", "DCC_PKT_SHIFT", "mswift"),
    Mutant(MSWIFT, "if (history)\n\t\tdcc_quantile_clear(history);", "(void)history;", "mswift"),
    # nscc and mnscc
    Mutant(NSCC, "if (!k->network_rtt_ns || (measured", "if ((measured", "nscc"),
    Mutant(NSCC, "measured_ns < k->network_rtt_ns", "measured_ns > k->network_rtt_ns", "nscc"),
    Mutant(NSCC, "(measured_ns && measured_ns <", "(measured_ns <", "nscc"),
    Mutant(NSCC, "s->no_ecn && q_ns >= p->target_ns", "s->no_ecn && q_ns > p->target_ns", "nscc"),
    Mutant(NSCC, "(s->no_ecn && q_ns", "(q_ns", "nscc"),
    Mutant(NSCC, "if (!nscc_marked(s, p, q) && q", "if (!s->ce && q", "nscc"),
    Mutant(NSCC, "e.ce = nscc_marked(s, &p, e.q_ns);", "e.ce = s->ce > 0;", "nscc"),
    Mutant(NSCC, "return __builtin_mul_overflow(a, b, &product) ? U64_MAX : product;", "(void)product;\n\treturn a * b;", "nscc"),
    Mutant(NSCC, "return a + b < a ? U64_MAX : a + b;", "return a + b;", "nscc"),
    Mutant(NSCC, "return a + b < a ? U32_MAX : a + b;", "return a + b;", "nscc"),
    Mutant(NSCC, "NSEC_PER_SEC * NSCC_REF_BDP >> NSCC_SCALE_SHIFT", "NSEC_PER_SEC * 140000 >> NSCC_SCALE_SHIFT", "nscc"),
    Mutant(NSCC, "milli_bdp * k->max_window", "milli_bdp * max(k->max_window, 1500U)", "nscc"),
    Mutant(NSCC, "return min_t(u64, window, NSCC_CWND_MAX);", "return window;", "nscc"),
    Mutant(NSCC, "k->network_rtt_ns ? k->network_rtt_ns : base_rtt_ns;", "base_rtt_ns;", "nscc"),
    Mutant(NSCC, "k->target_qdelay_ns ? k->target_qdelay_ns : p->rtt_ns;", "k->target_qdelay_ns ? k->target_qdelay_ns : base_rtt_ns;", "nscc"),
    Mutant(NSCC, "p->max_known = line_rate && p->base_rtt_ns;", "p->max_known = line_rate;", "nscc"),
    Mutant(NSCC, "p->max_known = line_rate && p->base_rtt_ns;", "p->max_known = p->base_rtt_ns;", "nscc"),
    Mutant(NSCC, "nscc_window_of(k, p->base_rtt_ns, line_rate);", "nscc_window_of(k, p->rtt_ns, line_rate);", "nscc"),
    Mutant(NSCC, "if (line_rate)\n", "if (1)\n", "nscc"),
    Mutant(NSCC, "sat_mul(line_rate, p->rtt_ns)", "sat_mul(line_rate, base_rtt_ns)", "nscc"),
    Mutant(NSCC, "return nscc_window_of(k, k->network_rtt_ns, line_rate);", "return nscc_window_of(k, 12000, line_rate);", "nscc"),
    Mutant(NSCC, "memset(n, 0, sizeof(*n));\n", "n->qa_end = 0;\n", "nscc"),
    Mutant(NSCC, "n->variant = variant;", "n->variant = !variant;", "nscc"),
    Mutant(NSCC, "min_t(u64, cwnd_bytes, NSCC_CWND_MAX) <<", "cwnd_bytes <<", "nscc"),
    Mutant(NSCC, "n->last_dec = now_ns;\n\tnscc_on_idle", "nscc_on_idle", "nscc"),
    Mutant(NSCC, "clamp_t(u64, n->cwnd, lo, max(lo, hi));", "clamp_t(u64, n->cwnd, lo, hi);", "nscc"),
    Mutant(NSCC, "clamp_t(u64, n->cwnd, lo, max(lo, hi));", "max(n->cwnd, lo) + 0 * hi;", "nscc"),
    Mutant(NSCC, "clamp_t(u64, n->cwnd, lo, max(lo, hi));", "min(n->cwnd, max(lo, hi));", "nscc"),
    Mutant(NSCC, "u64 lo = (u64)p->mtu <<", "u64 lo = (u64)p->mss <<", "nscc",
           "over TCP the packet is the MTU; a replay may tell them apart"),
    Mutant(NSCC, "sat_mul((u64)milli * p->mss, p->scale)", "sat_mul((u64)milli * p->mtu, p->scale)", "nscc"),
    Mutant(NSCC, "n->inc = sat_add(n->inc, sat_mul(rate, bytes)", "n->inc = sat_add(0, sat_mul(rate, bytes)", "nscc"),
    Mutant(NSCC, "nscc_gain(p, k->fi)", "nscc_gain(p, k->alpha)", "nscc"),
    Mutant(NSCC, "if (e->q_ns >= k->fast_eps_ns)", "if (e->q_ns > k->fast_eps_ns)", "nscc"),
    Mutant(NSCC, "\t\tn->fi_count = 0;\n\t\tn->fast = 0;\n\t\treturn false;", "\t\tn->fi_count = 0;\n\t\treturn false;", "nscc"),
    Mutant(NSCC, "\t\tn->fi_count = 0;\n\t\tn->fast = 0;\n\t\treturn false;", "\t\tn->fast = 0;\n\t\treturn false;", "nscc"),
    Mutant(NSCC, "<< DCC_CWND_SHIFT > n->cwnd)", "<< DCC_CWND_SHIFT >= n->cwnd)", "nscc"),
    Mutant(NSCC, "n->fast = 1;", "n->fast = 0;", "nscc"),
    Mutant(NSCC, "if (n->fast)\n\t\tn->cwnd +=", "if (0)\n\t\tn->cwnd +=", "nscc"),
    Mutant(NSCC, "sat_mul(k->fi_scale, p->scale)", "sat_mul(k->fi_scale, min(p->scale, 65536UL))", "nscc"),
    Mutant(NSCC, "sat_mul(rate, e->bytes) >>\n\t\t\t   (NSCC_SCALE_SHIFT - DCC_CWND_SHIFT)", "sat_mul(rate, e->bytes) >>\n\t\t\t   NSCC_SCALE_SHIFT", "nscc"),
    Mutant(NSCC, "nscc_gain(p, k->alpha), p->target_ns - e->q_ns", "nscc_gain(p, k->alpha), p->target_ns", "nscc"),
    Mutant(NSCC, "\tif (nscc_fast_increase(n, k, p, e))\n\t\treturn NSCC_FAST;\n", "\tnscc_fast_increase(n, k, p, e);\n", "nscc"),
    Mutant(NSCC, "div_u64(rate, NSCC_REF_RTT_NS)", "div_u64(rate, p->rtt_ns + 1)", "nscc"),
    Mutant(NSCC, "\tn->fast = 0;\n\tn->fi_count = 0;\n\tif (avg <= target", "\tn->fi_count = 0;\n\tif (avg <= target", "nscc"),
    Mutant(NSCC, "\tn->fast = 0;\n\tn->fi_count = 0;\n\tif (avg <= target", "\tn->fast = 0;\n\tif (avg <= target", "nscc"),
    Mutant(NSCC, "avg <= target ||", "avg < target ||", "nscc"),
    Mutant(NSCC, "avg <= target ||", "avg <= target + 1 ||", "nscc"),
    Mutant(NSCC, "n->last_dec <= p->base_rtt_ns", "n->last_dec < p->base_rtt_ns", "nscc"),
    Mutant(NSCC, "n->last_dec <= p->base_rtt_ns", "n->last_dec <= p->target_ns", "nscc"),
    Mutant(NSCC, "e->now_ns - n->last_dec <=", "(u32)(e->now_ns - n->last_dec) <=", "nscc"),
    Mutant(NSCC, "(avg - target), avg);", "(avg - target), target);", "nscc"),
    Mutant(NSCC, "max_t(u64, DCC_RATIO_ONE - cut, dcc_milli_to_ratio(k->min_keep));", "DCC_RATIO_ONE - cut;", "nscc"),
    Mutant(NSCC, "dcc_milli_to_ratio(k->gamma)", "dcc_milli_to_ratio(800)", "nscc"),
    Mutant(NSCC, "dcc_milli_to_ratio(k->min_keep)", "dcc_milli_to_ratio(500)", "nscc"),
    Mutant(NSCC, "n->last_dec = e->now_ns;", "", "nscc"),
    Mutant(NSCC, "u64 avg = n->avg, cut, keep;", "u64 avg = (u64)e->q_ns << DCC_EWMA_FRAC, cut, keep;", "nscc"),
    Mutant(NSCC, "bool high = e->q_ns >= p->target_ns;", "bool high = e->q_ns > p->target_ns;", "nscc"),
    Mutant(NSCC, "if (!e->cwnd_limited)\n\t\treturn NSCC_HOLD;", "if (0)\n\t\treturn NSCC_HOLD;", "nscc"),
    Mutant(NSCC, "n->received <= (u64)k->adjust_mtus", "n->received < (u64)k->adjust_mtus", "nscc"),
    Mutant(NSCC, "n->received <= (u64)k->adjust_mtus * p->mtu", "n->received <= (u64)8 * p->mtu", "nscc"),
    Mutant(NSCC, "n->received <= (u64)k->adjust_mtus * p->mtu", "n->received <= (u64)k->adjust_mtus * p->mss", "nscc"),
    Mutant(NSCC, "since <= p->rtt_ns)", "since < p->rtt_ns)", "nscc"),
    Mutant(NSCC, "since <= p->rtt_ns)", "since <= p->base_rtt_ns)", "nscc"),
    Mutant(NSCC, "if (since >= p->rtt_ns)", "if (since > p->rtt_ns)", "nscc"),
    Mutant(NSCC, "if (since >= p->rtt_ns)", "if (1)", "nscc"),
    Mutant(NSCC, "sat_mul(n->inc, 1U << DCC_CWND_SHIFT)", "(n->inc << DCC_CWND_SHIFT)", "nscc"),
    Mutant(NSCC, "min_t(u64, step, NSCC_CWND_MAX)", "step", "nscc"),
    Mutant(NSCC, "nscc_gain(p, k->eta)", "nscc_gain(p, 150)", "nscc"),
    Mutant(NSCC, "n->last_adj = e->now_ns;", "", "nscc"),
    Mutant(NSCC, "\tn->inc = 0;\n\tn->received = 0;\n\treturn NSCC_MARK_FULFIL;", "\tn->received = 0;\n\treturn NSCC_MARK_FULFIL;", "nscc"),
    Mutant(NSCC, "\tn->inc = 0;\n\tn->received = 0;\n\treturn NSCC_MARK_FULFIL;", "\tn->inc = 0;\n\treturn NSCC_MARK_FULFIL;", "nscc"),
    Mutant(NSCC, "p->max_known ? p->max_window : n->cwnd >> DCC_CWND_SHIFT;", "p->max_window;", "nscc"),
    Mutant(NSCC, "p->max_known ? p->max_window : n->cwnd >> DCC_CWND_SHIFT;", "n->cwnd >> DCC_CWND_SHIFT;", "nscc"),
    Mutant(NSCC, "(u64)e->q_ns * DCC_MILLI >\n", "(u64)e->q_ns * DCC_MILLI >=\n", "nscc"),
    Mutant(NSCC, "(u64)k->qa_threshold * p->target_ns", "(u64)4000 * p->target_ns", "nscc"),
    Mutant(NSCC, "(n->trigger || late)", "late", "nscc"),
    Mutant(NSCC, "(n->trigger || late)", "(n->trigger || (late && 0))", "nscc"),
    Mutant(NSCC, "n->achieved < largest >> k->qa_gate", "n->achieved <= largest >> k->qa_gate", "nscc"),
    Mutant(NSCC, "largest >> k->qa_gate", "largest >> 3", "nscc"),
    Mutant(NSCC, "max(n->achieved, p->mtu)", "max(n->achieved, p->mtu / 2)", "nscc"),
    Mutant(NSCC, "e->cwnd_limited ? window : min(window, n->cwnd);", "window;", "nscc"),
    Mutant(NSCC, "e->cwnd_limited ? window : min(window, n->cwnd);", "min(window, n->cwnd);", "nscc"),
    Mutant(NSCC, "n->to_ignore = e->in_flight;", "n->to_ignore = 0;", "nscc"),
    Mutant(NSCC, "n->to_ignore = e->in_flight;\n\tn->trigger = 0;", "n->to_ignore = e->in_flight;", "nscc"),
    Mutant(NSCC, "if (!k->quick_adapt)\n\t\treturn NSCC_HOLD;\n", "", "nscc"),
    Mutant(NSCC, "n->to_ignore && (e->ce || loss)", "n->to_ignore && (e->ce || (loss & 0))", "nscc"),
    Mutant(NSCC, "n->to_ignore && (e->ce || loss)", "n->to_ignore && (e->ce | loss | 1)", "nscc"),
    Mutant(NSCC, "e->now_ns > n->qa_end", "e->now_ns >= n->qa_end", "nscc"),
    Mutant(NSCC, "n->qa_end && nscc_far_off", "nscc_far_off", "nscc"),
    Mutant(NSCC, "\t\tn->achieved = 0;\n\t\tn->qa_end", "\t\tn->qa_end", "nscc"),
    Mutant(NSCC, "e->now_ns + p->base_rtt_ns + p->target_ns", "e->now_ns + p->rtt_ns + p->target_ns", "nscc"),
    Mutant(NSCC, "e->now_ns + p->base_rtt_ns + p->target_ns", "e->now_ns + p->base_rtt_ns", "nscc"),
    Mutant(NSCC, "branch |= NSCC_MARK_PERIOD;", "", "nscc"),
    Mutant(NSCC, "\tif (branch & NSCC_BRANCH) {\n\t\tn->inc = 0;", "\tif (branch & NSCC_BRANCH) {", "nscc"),
    Mutant(NSCC, "\t\tn->inc = 0;\n\t\tn->received = 0;\n\t}", "\t\tn->inc = 0;\n\t}", "nscc"),
    Mutant(NSCC, "\tif (!p->base_rtt_ns)\n\t\treturn NSCC_HOLD;\n\tbranch", "\tbranch", "nscc"),
    Mutant(NSCC, "\tbranch = nscc_quick_adapt(n, k, p, e, false);\n\tif (branch & NSCC_BRANCH)\n\t\treturn branch;", "\tbranch = nscc_quick_adapt(n, k, p, e, false) & ~NSCC_BRANCH;", "nscc"),
    Mutant(NSCC, "nscc_clamp(n, p);\n\tif (e->cwnd_limited)", "if (e->cwnd_limited)", "nscc"),
    Mutant(NSCC, "if (e->cwnd_limited)\n\t\tbranch |=", "if (1)\n\t\tbranch |=", "nscc"),
    Mutant(NSCC, "\t\tbranch |= nscc_fulfil(n, k, p, e);\n\tnscc_clamp(n, p);", "\t\tbranch |= nscc_fulfil(n, k, p, e);", "nscc"),
    Mutant(NSCC, "(u32)div_u64(gain, NSCC_TEN_MILLI)", "(u32)div_u64(gain, 8000)", "nscc"),
    Mutant(NSCC, "n->to_ignore -= min(n->to_ignore, bytes);", "n->to_ignore -= bytes;", "nscc"),
    Mutant(NSCC, "nscc_heard(n, e->bytes);", "", "nscc"),
    Mutant(NSCC, "nscc_average(n, k, p->rtt_ns);", "nscc_average(n, k, p->base_rtt_ns);", "nscc"),
    Mutant(NSCC, "\tn->trigger = 1;\n", "", "nscc"),
    Mutant(NSCC, "branch = nscc_quick_adapt(n, k, p, e, true);", "branch = NSCC_HOLD;", "nscc"),
    Mutant(NSCC, "n->cwnd -= min(n->cwnd, bytes);\n\tnscc_clamp(n, p);", "n->cwnd -= bytes;\n\tnscc_clamp(n, p);", "nscc"),
    Mutant(NSCC, "n->cwnd -= min(n->cwnd, bytes);\n\tnscc_clamp(n, p);", "n->cwnd -= min(n->cwnd, bytes);", "nscc"),
    Mutant(NSCC, "clamp_t(u32, packets, 1, NSCC_MAX_HISTORY), i;", "min_t(u32, packets, NSCC_MAX_HISTORY), i;", "nscc"),
    Mutant(NSCC, "clamp_t(u32, packets, 1, NSCC_MAX_HISTORY), i;", "packets ? 1 : 1, i;", "nscc"),
    Mutant(NSCC, "min_t(u32, h->count + n, NSCC_MAX_HISTORY)", "h->count + n", "nscc"),
    Mutant(NSCC, "n->cwnd >> (DCC_CWND_SHIFT + 1)", "n->cwnd >> DCC_CWND_SHIFT", "nscc"),
    Mutant(NSCC, "min_t(u64, half, k->history)", "min_t(u64, half, max(k->history, 4U))", "nscc"),
    Mutant(NSCC, "max_t(u32, min_t(u64, half, k->history), 1)", "min_t(u64, half, k->history)", "nscc"),
    Mutant(NSCC, "return min_t(u32, len, h->count);", "return h->count ? len : 0;", "nscc"),
    Mutant(NSCC, "h->next + NSCC_MAX_HISTORY - 1 - i", "h->next + i", "nscc"),
    Mutant(NSCC, "sorted[j - 1] > d", "sorted[j - 1] < d", "nscc",
           "sorted the other way round the middle is the same"),
    Mutant(NSCC, "sorted[(len - 1) / 2] + sorted[len / 2]", "sorted[len / 2] + sorted[len / 2]", "nscc"),
    Mutant(NSCC, "return delay_ns - min(delay_ns, p->base_rtt_ns);", "return delay_ns - p->base_rtt_ns;", "nscc"),
    Mutant(NSCC, "if (!s->delay_ns || !p->base_rtt_ns)", "if (!p->base_rtt_ns)", "nscc"),
    Mutant(NSCC, "if (!s->delay_ns || !p->base_rtt_ns)", "if (!s->delay_ns)", "nscc"),
    Mutant(NSCC, "s->maybe_delayed && q >= p->target_ns", "s->maybe_delayed && q > p->target_ns", "nscc"),
    Mutant(NSCC, "s->maybe_delayed && q >= p->target_ns", "s->maybe_delayed", "nscc"),
    Mutant(NSCC, "s->maybe_delayed && q >= p->target_ns", "0", "nscc"),
    Mutant(NSCC, "if (n->variant == NSCC_MNSCC && h)\n\t\tnscc_remember", "if (h)\n\t\tnscc_remember", "nscc"),
    Mutant(NSCC, "!nscc_marked(s, p, q) && q > p->target_ns", "!nscc_marked(s, p, q) && q >= p->target_ns", "nscc"),
    Mutant(NSCC, "!nscc_marked(s, p, q) && q > p->target_ns", "q > p->target_ns", "nscc"),
    Mutant(NSCC, "p->base_rtt_ns >> NSCC_DISCOUNT_SHIFT", "0", "nscc"),
    Mutant(NSCC, "\tif (valid)\n\t\treturn nscc_queueing(p, s->delay_ns);\n", "\t(void)valid;\n", "nscc"),
    Mutant(NSCC, "(u32)(n->avg >> DCC_EWMA_FRAC)", "0", "nscc"),
    Mutant(NSCC, "i < NSCC_LOSS_CALLS ? p->mtu : lost", "i <= NSCC_LOSS_CALLS ? p->mtu : lost", "nscc"),
    Mutant(NSCC, "i < NSCC_LOSS_CALLS ? p->mtu : lost", "lost", "nscc"),
    Mutant(NSCC, "(u32)min_t(u64, bytes, U32_MAX);", "(u32)bytes;", "nscc"),
    Mutant(NSCC, "(u32)min_t(u64, flight + lost, U32_MAX)", "flight", "nscc"),
    Mutant(NSCC, "(u32)min_t(u64, flight + lost, U32_MAX)", "(u32)(flight + lost)", "nscc"),
    Mutant(NSCC, "marks |= NSCC_MARK_LOSS_QA;", "marks |= 0;", "nscc"),
    Mutant(NSCC, "marks |= branch & NSCC_MARK_PERIOD;", "", "nscc"),
    Mutant(NSCC, "if (marks & NSCC_MARK_LOSS_QA)\n", "if (0)\n", "nscc"),
    Mutant(NSCC, "n->achieved = sat_add32(n->achieved, e.bytes);", "", "nscc"),
    Mutant(NSCC, "n->received = sat_add32(n->received, e.bytes);", "", "nscc"),
    Mutant(NSCC, "nscc_heard(n, e.bytes);", "", "nscc"),
    Mutant(NSCC, "e.bytes ? nscc_update(n, k, &p, &e) : NSCC_HOLD;", "nscc_update(n, k, &p, &e);", "nscc"),
    Mutant(NSCC, "s->acked_bytes ? loss & ~NSCC_BRANCH : loss;", "loss;", "nscc"),
    Mutant(NSCC, "s->acked_bytes ? loss & ~NSCC_BRANCH : loss;", "loss & ~NSCC_BRANCH;", "nscc"),
    Mutant(NSCC, "\tnscc_clamp(n, &p);\n", "", "nscc"),
    Mutant(NSCC, "return s->ce || (", "return s->ce > 1 || (", "nscc"),
    Mutant(NSCC, ".in_flight = s->flight,", ".in_flight = s->inflight,", "nscc"),
    Mutant(NSCC, "sat_add32(e.q_ns, p.base_rtt_ns)", "e.q_ns + p.base_rtt_ns", "nscc"),
    Mutant(NSCC, "sat_add32(p.target_ns, p.base_rtt_ns)", "p.target_ns + p.base_rtt_ns", "nscc"),
    # timeouts
    Mutant(NSCC, "min(n->cwnd, lost * packet), packet);", "lost * packet, packet);", "nscc"),
    Mutant(NSCC, "max(n->cwnd - min(n->cwnd, lost * packet), packet);", "n->cwnd - min(n->cwnd, lost * packet);", "nscc"),
    Mutant(NSCC, "lost * packet", "min(lost, 1U) * packet", "nscc"),
    Mutant(NSCC, "lost * packet", "max(lost, 1U) * packet", "nscc"),
    Mutant(NSCC, "lost * packet", "(u32)(lost * packet)", "nscc"),
    Mutant(NSCC, "lost * packet", "(lost + 1) * packet", "fuzz_nscc"),
    # line rate unknown
    Mutant(NSCC, "s->delivery_rate >> NSCC_PEAK_SHIFT, U32_MAX)", "s->delivery_rate, U32_MAX)", "nscc"),
    Mutant(NSCC, "min_t(u64, s->delivery_rate >> NSCC_PEAK_SHIFT, U32_MAX)", "(u32)(s->delivery_rate >> NSCC_PEAK_SHIFT)", "nscc"),
    Mutant(NSCC, "if (rate > n->peak)\n", "if (rate > n->peak && !s->app_limited)\n", "nscc"),
    Mutant(NSCC, "if (rate > n->peak)\n", "if (rate >= n->peak)\n", "nscc",
           "the same value is written once more"),
    Mutant(NSCC, "if (rate > n->peak)\n", "if (rate > n->peak + 1ULL)\n", "nscc"),
    Mutant(NSCC, "else if (rate && !s->app_limited)", "else if (!s->app_limited)", "nscc"),
    Mutant(NSCC, "else if (rate && !s->app_limited)", "else if (rate)", "nscc"),
    Mutant(NSCC, "else if (rate && !s->app_limited)", "else if (rate)", "fuzz_nscc"),
    Mutant(NSCC, "#define NSCC_PEAK_GAIN_SHIFT\t10", "#define NSCC_PEAK_GAIN_SHIFT\t9", "nscc"),
    Mutant(NSCC, "#define NSCC_PEAK_GAIN_SHIFT\t10", "#define NSCC_PEAK_GAIN_SHIFT\t9", "fuzz_nscc"),
    Mutant(NSCC, "n->peak -= (n->peak - (u32)rate) >>", "n->peak -= n->peak >>", "nscc"),
    Mutant(NSCC, "nscc_window_of(k, p->base_rtt_ns,\n\t\t\t\t    (u64)n->peak << NSCC_PEAK_SHIFT)", "nscc_window_of(k, p->base_rtt_ns,\n\t\t\t\t    n->peak << NSCC_PEAK_SHIFT)", "nscc"),
    Mutant(NSCC, "nscc_window_of(k, p->base_rtt_ns,\n\t\t\t\t    (u64)", "nscc_window_of(k, p->rtt_ns + p->target_ns,\n\t\t\t\t    (u64)", "nscc"),
    Mutant(NSCC, "(n->cwnd + (1U << DCC_CWND_SHIFT) - 1) >> DCC_CWND_SHIFT", "n->cwnd >> DCC_CWND_SHIFT", "nscc"),
    Mutant(NSCC, "(n->cwnd + (1U << DCC_CWND_SHIFT) - 1) >> DCC_CWND_SHIFT", "(n->cwnd >> DCC_CWND_SHIFT) + 1", "nscc"),
    Mutant(NSCC, "NSCC_FLOOR_PACKETS * (u64)p->mtu, bytes);", "NSCC_FLOOR_PACKETS * (u64)p->mtu, 0 * bytes);", "nscc"),
    Mutant(NSCC, "NSCC_FLOOR_PACKETS * (u64)p->mtu, bytes);", "0 * (u64)p->mtu, bytes);", "nscc"),
    Mutant(NSCC, "#define NSCC_FLOOR_PACKETS\t10U", "#define NSCC_FLOOR_PACKETS\t11U", "nscc"),
    Mutant(NSCC, "max(window, least));", "least + 0 * window);", "nscc"),
    Mutant(NSCC, "max(window, least));", "window + 0 * least);", "nscc"),
    Mutant(NSCC, "\tif (nscc_is_loose(n, s))\n\t\tnscc_bound", "\tif (nscc_is_loose(n, s) && 0)\n\t\tnscc_bound", "nscc"),
    Mutant(NSCC, "\tif (nscc_is_loose(n, s))\n\t\tnscc_bound", "\tif (nscc_is_loose(n, s) && 0)\n\t\tnscc_bound", "fuzz_nscc"),
    Mutant(NSCC, "\tif (nscc_is_loose(n, s))\n\t\tnscc_bound", "\tif (nscc_is_loose(n, s) || 1)\n\t\tnscc_bound", "nscc"),
    Mutant(NSCC, "(n->dropped && !n->marked)", "n->dropped", "nscc"),
    Mutant(NSCC, "(n->dropped && !n->marked)", "!n->marked", "nscc"),
    Mutant(NSCC, "(n->dropped && !n->marked)", "false", "nscc"),
    Mutant(NSCC, "n->marked |= s->ce != 0", "n->marked = s->ce != 0", "nscc"),
    Mutant(NSCC, "n->dropped |= s->losses != 0", "n->dropped = s->losses != 0", "nscc"),
    Mutant(NSCC, "p->bound = min(p->max_window,", "p->bound = p->max_window = min(p->max_window,", "nscc"),
    Mutant(NSCC, "\tnscc_peak(n, s);\n\tif (nscc_is_loose(n, s))\n\t\tnscc_bound(n, k, &p);\n", "\tif (nscc_is_loose(n, s))\n\t\tnscc_bound(n, k, &p);\n\tnscc_peak(n, s);\n", "nscc"),
    Mutant(NSCC, "\tnscc_peak(n, s);\n\tif (nscc_is_loose(n, s))\n", "\tif (!s->line_rate)\n\t\tnscc_peak(n, s);\n\tif (nscc_is_loose(n, s))\n", "nscc"),
    Mutant(NSCC, "n->last_adj = now_ns;", "n->last_adj = now_ns & 0;", "nscc"),
    Mutant(NSCC, "\tn->avg = 0;\n", "", "nscc"),
    Mutant(NSCC, "\tn->qa_end = 0;\n", "", "nscc"),
    Mutant(NSCC, "\tn->last_adj = now_ns;\n\tn->avg = 0;\n\tn->fast = 0;", "\tn->last_adj = now_ns;\n\tn->avg = 0;", "nscc"),
    Mutant(NSCC, "\tn->to_ignore = 0;\n", "", "nscc"),
    Mutant(NSCC, "\tif (h)\n\t\tmemset(h, 0, sizeof(*h));", "\t(void)h;", "nscc"),
    # oscar
    Mutant(OSCAR, "(!base || base > k->base_rtt_ns)", "!base", "oscar"),
    Mutant(OSCAR, "(!base || base > k->base_rtt_ns)", "base > k->base_rtt_ns", "oscar"),
    Mutant(OSCAR, "k->tau_ns ? k->tau_ns : base / 2", "base / 2", "oscar"),
    Mutant(OSCAR, "k->tau_ns ? k->tau_ns : base / 2", "k->tau_ns ? k->tau_ns : base", "oscar"),
    Mutant(OSCAR, "(u32)min_t(u64, (u64)base + base / 2, U32_MAX)", "base + base / 2", "oscar"),
    Mutant(OSCAR, "(u64)base + base / 2, U32_MAX", "(u64)base + base / 4, U32_MAX", "oscar"),
    Mutant(OSCAR, "\tif (!p->target_ns)\n", "\tif (1)\n", "oscar"),
    Mutant(OSCAR, "dcc_mul_div(o->u, p->line_rate, OSCAR_ONE), 1);", "p->line_rate, 1);", "oscar"),
    Mutant(OSCAR, "dcc_mul_div(o->u, p->line_rate, OSCAR_ONE), 1);", "dcc_mul_div(o->u, p->line_rate, OSCAR_ONE), 0);", "oscar"),
    Mutant(OSCAR, "min(dcc_mul_div(rate, p->target_ns, NSEC_PER_SEC),\n\t\t\t      dcc_mul_div(line, p->base_rtt_ns, NSEC_PER_SEC))", "dcc_mul_div(rate, p->target_ns, NSEC_PER_SEC)", "oscar"),
    Mutant(OSCAR, "o->cwnd = min(dcc", "o->cwnd = max(dcc", "oscar"),
    Mutant(OSCAR, "dcc_mul_div(rate, p->target_ns,", "dcc_mul_div(rate, p->base_rtt_ns,", "oscar"),
    Mutant(OSCAR, "\tif (p->base_rtt_ns)\n\t\to->cwnd =", "\tif (1)\n\t\to->cwnd =", "oscar"),
    Mutant(OSCAR, "(u64)k->start_u * OSCAR_MILLIONTH", "OSCAR_ONE", "oscar"),
    Mutant(OSCAR, "cwnd_bytes << DCC_CWND_SHIFT, RENO_MOST", "cwnd_bytes, RENO_MOST", "oscar"),
    Mutant(OSCAR, "\tif (line_rate)\n", "\tif (1)\n", "oscar"),
    Mutant(OSCAR, "o->base_rtt_ns ? o->cwnd >> DCC_CWND_SHIFT : 0", "o->cwnd >> DCC_CWND_SHIFT", "oscar"),
    Mutant(OSCAR, "min_t(u64, dcc_mul_div(seconds, NSEC_PER_SEC, e->delay),\n\t\t     OSCAR_ONE)", "dcc_mul_div(seconds, NSEC_PER_SEC, e->delay)", "oscar"),
    Mutant(OSCAR, "max_t(s64, e->gradient, OSCAR_LEAST_GRADIENT)", "e->gradient", "oscar"),
    Mutant(OSCAR_H, "OSCAR_LEAST_GRADIENT\t(-900000000)", "OSCAR_LEAST_GRADIENT\t(-950000000)", "oscar"),
    Mutant(OSCAR_H, "OSCAR_LEAST_GRADIENT\t(-900000000)", "OSCAR_LEAST_GRADIENT\t(-890000000)", "oscar"),
    Mutant(OSCAR, "DCC_LSQ_ONE + g),\n\t\t     OSCAR_ONE)", "DCC_LSQ_ONE - g),\n\t\t     OSCAR_ONE)", "oscar"),
    Mutant(OSCAR, "OSCAR_ONE / BITS_PER_BYTE", "OSCAR_ONE", "oscar"),
    Mutant(OSCAR, "return min_t(u64, dcc_mul_div(share, DCC_LSQ_ONE, DCC_LSQ_ONE + g),\n\t\t     OSCAR_ONE);", "return dcc_mul_div(share, DCC_LSQ_ONE, DCC_LSQ_ONE + g);", "oscar"),
    Mutant(OSCAR, "e->delay + slack < target", "e->delay + slack <= target", "oscar"),
    Mutant(OSCAR, "e->delay + slack < target", "e->delay + (slack & 0) < target", "oscar"),
    Mutant(OSCAR, "e->delay + slack < target", "e->delay < target - slack", "oscar"),
    Mutant(OSCAR, "e->span_ns > (u64)OSCAR_LONG_BATCH * p->tau_ns", "e->span_ns >= (u64)OSCAR_LONG_BATCH * p->tau_ns", "oscar"),
    Mutant(OSCAR, "e->span_ns > (u64)OSCAR_LONG_BATCH * p->tau_ns", "e->span_ns > (u32)OSCAR_LONG_BATCH * p->tau_ns", "oscar"),
    Mutant(OSCAR_H, "#define OSCAR_LONG_BATCH\t3", "#define OSCAR_LONG_BATCH\t4", "oscar"),
    Mutant(OSCAR, "\to->u = by_window;\n\tif (e->span", "\tif (e->span", "oscar"),
    Mutant(OSCAR, "by_rate > by_window : by_rate < by_window", "by_rate >= by_window : by_rate < by_window", "oscar"),
    Mutant(OSCAR, "by_rate > by_window : by_rate < by_window", "by_rate > by_window : by_rate <= by_window", "oscar"),
    Mutant(OSCAR, "by_rate > by_window : by_rate < by_window", "by_rate < by_window : by_rate > by_window", "oscar"),
    Mutant(OSCAR, "return branch | OSCAR_MARK_RATE;", "return branch;", "oscar"),
    Mutant(OSCAR, "(u64)p->base_rtt_ns + k->eps_ns", "(u64)p->base_rtt_ns + 1000", "oscar"),
    Mutant(OSCAR, "(u64)p->base_rtt_ns + k->eps_ns", "(u64)p->target_ns + k->eps_ns", "oscar"),
    Mutant(OSCAR, "e->delay <= empty << DCC_LSQ_MEAN_SHIFT", "e->delay < empty << DCC_LSQ_MEAN_SHIFT", "oscar"),
    Mutant(OSCAR, "e->delay <= empty << DCC_LSQ_MEAN_SHIFT", "e->delay >> DCC_LSQ_MEAN_SHIFT <= empty", "oscar"),
    Mutant(OSCAR, "(u64)k->u_hai * OSCAR_MILLIONTH", "(u64)10000 * OSCAR_MILLIONTH", "oscar"),
    Mutant(OSCAR, "(u64)k->u_ai * OSCAR_MILLIONTH", "(u64)1000 * OSCAR_MILLIONTH", "oscar"),
    Mutant(OSCAR, "\t\to->u += (u64)k->u_ai * OSCAR_MILLIONTH;\n\t}\n", "\t}\n\to->u += (u64)k->u_ai * OSCAR_MILLIONTH;\n", "oscar"),
    Mutant(OSCAR, "if (e->app_limited && o->u > before)", "if (o->u > before && 0)", "oscar"),
    Mutant(OSCAR, "if (e->app_limited && o->u > before)", "if (e->app_limited)", "oscar"),
    Mutant(OSCAR, "branch |= OSCAR_MARK_APP;", "", "oscar"),
    Mutant(OSCAR, "clamp_t(u64, o->u,\n\t\t\t\t      (u64)k->u_min * OSCAR_MILLIONTH,\n\t\t\t\t      OSCAR_ONE)", "max(o->u, (u64)k->u_min * OSCAR_MILLIONTH)", "oscar"),
    Mutant(OSCAR, "clamp_t(u64, o->u,\n\t\t\t\t      (u64)k->u_min * OSCAR_MILLIONTH,\n\t\t\t\t      OSCAR_ONE)", "min(o->u, OSCAR_ONE)", "oscar"),
    Mutant(OSCAR, "\to->u = u;\n\toscar_derive(o, p);", "\to->u = u;\n\t(void)p;", "oscar"),
    Mutant(OSCAR, "\tmemset(b, 0, sizeof(*b));\n\tdcc_lsq_start", "\tdcc_lsq_start", "oscar"),
    Mutant(OSCAR, "s->sent_ns <= b->last_ns || gap <= p->base_rtt_ns", "gap <= p->base_rtt_ns", "oscar"),
    Mutant(OSCAR, "s->sent_ns <= b->last_ns || gap <= p->base_rtt_ns", "s->sent_ns <= b->last_ns", "oscar"),
    Mutant(OSCAR, "gap > DCC_LSQ_MAX_SPAN || gap - p->base_rtt_ns > wait", "gap - p->base_rtt_ns > wait", "oscar"),
    Mutant(OSCAR, "gap - p->base_rtt_ns > wait", "gap - p->base_rtt_ns >= wait", "oscar"),
    Mutant(OSCAR, "gap - p->base_rtt_ns > wait", "gap > wait", "oscar"),
    Mutant(OSCAR, "gap - p->base_rtt_ns > wait", "gap > p->base_rtt_ns + (wait & 0)", "oscar"),
    Mutant(OSCAR, "s->delay_ns && !(s->maybe_delayed", "!(s->maybe_delayed", "oscar"),
    Mutant(OSCAR, "s->delay_ns >= p->target_ns)", "s->delay_ns > p->target_ns)", "oscar"),
    Mutant(OSCAR, "!(s->maybe_delayed && s->delay_ns >= p->target_ns)", "!(s->maybe_delayed && p)", "oscar"),
    Mutant(OSCAR, "!(s->maybe_delayed && s->delay_ns >= p->target_ns)", "p", "oscar"),
    Mutant(OSCAR, "if (!b->lsq.count || oscar_was_idle(o, b, p, s))", "if (!b->lsq.count || (oscar_was_idle(o, b, p, s) && 0))", "oscar"),
    Mutant(OSCAR, "\tif (!dcc_lsq_add(&b->lsq, (u32)s->sent_ns, s->delay_ns)) {\n\t\toscar_batch_start(b, p);\n", "\tif (!dcc_lsq_add(&b->lsq, (u32)s->sent_ns, s->delay_ns)) {\n", "oscar"),
    Mutant(OSCAR, "\tif (b->lsq.count > 1)\n\t\tb->bytes", "\tb->bytes", "oscar"),
    Mutant(OSCAR, "k->sync_reference ? s->inflight : s->flight", "k ? s->inflight : s->flight", "oscar"),
    Mutant(OSCAR, "k->sync_reference ? s->inflight : s->flight", "!k ? s->inflight : s->flight", "oscar"),
    Mutant(OSCAR, "b->last_ns = s->now_ns;", "b->last_ns = s->sent_ns;", "oscar"),
    Mutant(OSCAR, "b->app_limited |= s->app_limited", "b->app_limited = s->app_limited", "oscar"),
    Mutant(OSCAR, "\tif (b->lsq.count == DCC_LSQ_MAX_COUNT)\n\t\treturn true;\n", "", "oscar"),
    Mutant(OSCAR, "b->lsq.count >= OSCAR_LEAST_COUNT &&", "b->lsq.count > OSCAR_LEAST_COUNT &&", "oscar"),
    Mutant(OSCAR, "b->lsq.count >= OSCAR_LEAST_COUNT &&", "b->lsq.count > 1 &&", "oscar"),
    Mutant(OSCAR, "(u32)s->sent_ns) > (s64)p->tau_ns", "(u32)s->sent_ns) >= (s64)p->tau_ns", "oscar"),
    Mutant(OSCAR, "u64 bits = b->bytes * BITS_PER_BYTE;", "u64 bits = b->bytes;", "oscar"),
    Mutant(OSCAR, "b->inflight << DCC_CWND_SHIFT, b->lsq.count", "b->inflight << DCC_CWND_SHIFT, b->lsq.count - 1", "oscar"),
    Mutant(OSCAR, "e->gradient = dcc_lsq_slope(&b->lsq);", "e->gradient = 0;", "oscar"),
    Mutant(OSCAR, "e->app_limited = b->app_limited;", "e->app_limited = false;", "oscar"),
    Mutant(OSCAR, "min_t(u64, micro, INT_MAX)", "micro", "oscar"),
    Mutant(OSCAR, "return falling ? -(s32)micro : (s32)micro;", "return (s32)micro;", "oscar"),
    Mutant(OSCAR, "\tif (!p->base_rtt_ns)\n\t\treturn OSCAR_HOLD;\n", "", "oscar"),
    Mutant(OSCAR, "\t\tif (b->lsq.count)\n\t\t\tb->bytes +=", "\t\tif (1)\n\t\t\tb->bytes +=", "oscar",
           same="a batch begins with 0 bytes, whatever was there"),
    Mutant(OSCAR, "\t\tif (b->lsq.count)\n\t\t\tb->bytes += s->acked_bytes;\n", "", "oscar"),
    Mutant(OSCAR, "\toscar_estimate(b, &e);\n\toscar_batch_start(b, p);\n", "\toscar_estimate(b, &e);\n", "oscar"),
    Mutant(OSCAR, "o->delay_ns = (u32)(e.delay >> DCC_LSQ_MEAN_SHIFT);", "", "oscar"),
    Mutant(OSCAR, "return !b || !s->line_rate ||", "return (!b && 0) || !s->line_rate ||", "oscar"),
    Mutant(OSCAR, "return !b || !s->line_rate ||", "return !b ||", "oscar"),
    Mutant(OSCAR, "(s->delay_ns && !s->sent_ns)", "!s->sent_ns", "oscar"),
    Mutant(OSCAR, "(s->delay_ns && !s->sent_ns)", "0", "oscar"),
    Mutant(OSCAR, "\to->reno = 1;\n", "", "oscar"),
    Mutant(OSCAR, "\to->pacing = 0;\n", "", "oscar"),
    Mutant(OSCAR, "\to->cwnd = max(o->cwnd, packet);\n", "", "oscar"),
    Mutant(OSCAR, "\tif (s->recovery) {\n\t\to->ssthresh = max(o->cwnd / 2, RENO_LEAST * packet)", "\tif (s->recovery) {\n\t\to->ssthresh = o->cwnd / 2", "oscar"),
    Mutant(OSCAR, "\t\to->cwnd = o->ssthresh;\n", "", "oscar"),
    Mutant(OSCAR, "} else if (s->cwnd_limited) {", "} else {", "oscar"),
    Mutant(OSCAR, "o->cwnd < o->ssthresh ? acked :", "1 ? acked :", "oscar"),
    Mutant(OSCAR, "o->cwnd < o->ssthresh ? acked :", "o->cwnd <= o->ssthresh ? acked :", "oscar"),
    Mutant(OSCAR, "o->cwnd < o->ssthresh ? acked :", "o->cwnd < o->ssthresh ? packet :", "oscar"),
    Mutant(OSCAR, "\to->cwnd = min(o->cwnd, RENO_MOST);\n", "", "oscar"),
    Mutant(OSCAR, "!o->reno && o->line_rate == p->line_rate &&", "o->line_rate == p->line_rate &&", "oscar"),
    Mutant(OSCAR, "!o->reno && o->line_rate == p->line_rate &&", "!o->reno &&", "oscar"),
    Mutant(OSCAR, "o->line_rate == p->line_rate &&\n\t    o->base_rtt_ns == p->base_rtt_ns", "o->line_rate == p->line_rate", "oscar"),
    Mutant(OSCAR, "\to->reno = 0;\n\toscar_derive", "\toscar_derive", "oscar"),
    Mutant(OSCAR, "o->delay_ns ? o->delay_ns : s->delay_ns", "o->delay_ns", "oscar"),
    Mutant(OSCAR, "o->delay_ns ? o->delay_ns : s->delay_ns", "s->delay_ns", "oscar"),
    Mutant(OSCAR, "\toscar_on_idle(b);\n\tif (o->reno)", "\t(void)b;\n\tif (o->reno)", "oscar"),
    Mutant(OSCAR, "\tif (o->reno) {\n", "\tif (0) {\n", "oscar"),
    Mutant(OSCAR, "\t\to->cwnd = packet;\n\t\treturn;", "\t\treturn;", "oscar"),
    Mutant(OSCAR, "\t\to->ssthresh = max(o->cwnd / 2, RENO_LEAST * packet);\n\t\to->cwnd = packet;", "\t\to->cwnd = packet;", "oscar"),
    Mutant(OSCAR, "max(o->u / 2, (u64)k->u_min * OSCAR_MILLIONTH)", "o->u / 2 + 0 * k->u_min", "oscar"),
    Mutant(OSCAR, "max(o->u / 2, (u64)k->u_min * OSCAR_MILLIONTH)", "max(o->u / 4, (u64)k->u_min * OSCAR_MILLIONTH)", "oscar"),
    Mutant(OSCAR, "max(o->u / 2, (u64)k->u_min * OSCAR_MILLIONTH)", "max(o->u / 4, (u64)k->u_min * OSCAR_MILLIONTH)", "fuzz_oscar"),
    Mutant(OSCAR, "\to->line_rate = 0;\t/* the", "\t/* the", "oscar"),
    Mutant(OSCAR, "\t\tb->lsq.count = 0;", "\t\t(void)b;", "oscar"),
    Mutant(OSCAR, "clamp_t(u64, o->u,\n\t\t\t\t      (u64)k->u_min * OSCAR_MILLIONTH,\n\t\t\t\t      OSCAR_ONE)", "min(o->u, OSCAR_ONE)", "fuzz_oscar"),
    Mutant(OSCAR, "!o->reno && o->line_rate == p->line_rate &&", "!o->reno &&", "fuzz_oscar"),
    Mutant(OSCAR, "div64_u64(cwnd + packet - 1, packet)", "div64_u64(cwnd, packet)", "oscar"),
    Mutant(OSCAR, "div64_u64(cwnd + packet - 1, packet)", "div64_u64(cwnd + packet, packet)", "oscar"),
]


def plant(source: pathlib.Path, tree: pathlib.Path, mutant: Mutant | None) -> None:
    """Copy the pure sources to a tree of their own and plant the fault."""
    for folder in ("common", "tcp_mswift", "tcp_mnscc", "tcp_oscar"):
        shutil.copytree(source / folder, tree / folder)
    if mutant is None:
        return
    path = tree / mutant.path
    text = path.read_text()
    found = text.count(mutant.old)
    if found != 1:
        sys.exit(f"mutants: {mutant.path}: text occurs {found} times, must be 1: {mutant.old!r}")
    path.write_text(text.replace(mutant.old, mutant.new))


def corpus_of(program: str) -> list[str]:
    """A fuzzer's kept inputs, as its argument."""
    return [str(HERE / "corpus" / f"{program[5:]}.hex")] if program.startswith("fuzz_") else []


def failing(tree: pathlib.Path, programs: list[str]) -> set[str]:
    """Names of the tests that fail, or what else went wrong."""
    out = tree / "build"
    make = ["make", "-s", "-C", str(HERE), f"SRC={tree}", f"OUT={out}"]
    built = subprocess.run(make + [str(out / p) for p in programs],
                           capture_output=True, text=True, check=False)
    if built.returncode:
        return {"does not build: " + built.stderr.strip().splitlines()[0]}
    failed = set()
    for program in programs:
        try:
            run = subprocess.run([str(out / program)] + corpus_of(program), capture_output=True,
                                 text=True, errors="replace", timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            failed.add(f"{program}: no end after {TIMEOUT_S} s")
            continue
        failed |= {line.split(" - ", 1)[1] for line in run.stdout.splitlines()
                   if line.startswith("not ok ")}
        if run.returncode and "\nnot ok " not in run.stdout:
            failed.add(f"{program}: died with status {run.returncode}")
    return failed


def programs_of(tests: str) -> list[str]:
    """Program names from the short names of the table."""
    return [t if t.startswith("fuzz") else f"test_{t}" for t in tests.split()]


def try_one(source: pathlib.Path, scratch: str, number: int, mutant: Mutant | None,
            programs: list[str]) -> set[str]:
    """Plant, build and run one mutant in a folder of its own."""
    tree = pathlib.Path(scratch) / str(number)
    plant(source, tree, mutant)
    try:
        return failing(tree, programs)
    finally:
        shutil.rmtree(tree)


def verdict(number: int, mutant: Mutant, failed: set[str]) -> bool:
    """Print one line; was the outcome the expected one?"""
    builds = not any(f.startswith("does not build") for f in failed)
    killed = bool(failed) and builds
    good = builds and killed != bool(mutant.same)
    state = "killed" if killed else "survived" if builds else "broken"
    if mutant.same and not killed:
        state = f"equivalent ({mutant.same})"
    fault = " ".join(f"{mutant.old} -> {mutant.new or '(nothing)'}".split())
    print(f"{'ok' if good else 'not ok'} {number} - {mutant.path}: {fault}: {state}"
          + (f" by {sorted(failed)[0]}" if failed else ""), flush=True)
    return good


def main() -> int:
    """Run all mutants, two at a time by default; status 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, default=HERE / "../..",
                        help="tree under test (default: this one)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        help="mutants built and run at a time (default: one per core)")
    parser.add_argument("--only", default="", help="only faults whose file contains this")
    parser.add_argument("--old", default="", help="only those whose replaced text contains this")
    args = parser.parse_args()
    source = args.source.resolve()
    chosen = [m for m in MUTANTS if args.only in m.path and args.old in m.old]
    names = sorted({p for m in chosen for p in programs_of(m.tests)})
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        known = try_one(source, scratch, 0, None, names)
        for name in sorted(known):
            print(f"# fails without any fault, so it proves nothing: {name}")
        runs = [pool.submit(try_one, source, scratch, n, m, programs_of(m.tests))
                for n, m in enumerate(chosen, 1)]
        good = [verdict(n, m, run.result() - known)
                for n, (m, run) in enumerate(zip(chosen, runs), 1)]
    equivalent = sum(1 for m in chosen if m.same)
    print(f"1..{len(chosen)}")
    print(f"# {len(chosen)} faults, {equivalent} of them equivalent, "
          f"{len(good) - sum(good)} not as expected")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
