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
QUANTILE = "common/dcc_quantile.c"
SPRAY = "common/dcc_spray.c"
KNOB = "common/dcc_knob.c"
SWIFT = "common/dcc_swift.c"
MSWIFT = "tcp_mswift/mswift.c"
MSWIFT_H = "tcp_mswift/mswift.h"

MUTANTS = [
    # fixed point
    Mutant(FIXED, "bool take = x >= r + bit;", "bool take = x > r + bit;", "dcc_fixed"),
    Mutant(FIXED, "while (bit > x)", "while (bit >= x)", "dcc_fixed"),
    Mutant(FIXED, "u64 bit = 1ULL << 62", "u64 bit = 1ULL << 60", "dcc_fixed"),
    Mutant(FIXED, "milli << DCC_PKT_SHIFT, DCC_MILLI", "milli << DCC_PKT_SHIFT, 1024", "dcc_fixed"),
    Mutant(FIXED, "(u64)milli << DCC_RATIO_SHIFT", "(u64)milli << 15", "dcc_fixed"),
    # moving average
    Mutant(EWMA, "e->avg = (u64)x;", "e->avg = (u64)x / 2;", "dcc_ewma"),
    Mutant(EWMA, "if (!e->set)", "if (!e->avg)", "dcc_ewma"),
    Mutant(EWMA, "e->set = true;", "e->set = x > 0;", "dcc_ewma"),
    Mutant(EWMA, "#define DCC_EWMA_FRAC\t8", "#define DCC_EWMA_FRAC\t0", "dcc_ewma"),
    Mutant(EWMA, "((x - avg) * (s64)gain)", "((avg - x) * (s64)gain)", "dcc_ewma"),
    # sliding quantile
    Mutant(QUANTILE, "if (v < 1U << DCC_Q_MIN_EXP)", "if (v <= 1U << DCC_Q_MIN_EXP)", "dcc_quantile",
           "512 is the first value of either bin 32: both formulas name it"),
    Mutant(QUANTILE, "v = min(v, DCC_Q_MAX_NS);", "v = min(v, 1U << DCC_Q_MAX_EXP);", "dcc_quantile"),
    Mutant(QUANTILE, "+ (1U << (width_shift - 1))", "", "dcc_quantile"),
    Mutant(QUANTILE, "width_shift += octave - 1;", "width_shift += octave;", "dcc_quantile"),
    Mutant(QUANTILE, "u32 shift = i % 4 * 2;", "u32 shift = i % 4;", "dcc_quantile"),
    Mutant(QUANTILE, "*high = (*high & ~(3U << shift)) |", "*high = *high |", "dcc_quantile"),
    Mutant(QUANTILE, "u32 tail = q->head >= q->n ?", "u32 tail = q->head > q->n ?", "dcc_quantile"),
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
    Mutant(QUANTILE, "while (rank >= q->octave[octave])", "while (rank > q->octave[octave])", "dcc_quantile",
           "the bins of the next octaves follow: the same value in more steps"),
    Mutant(QUANTILE, "while (rank >= q->count[bin])", "while (rank > q->count[bin])", "dcc_quantile"),
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
    Mutant(SPRAY, "return label ? label : spray_permute(key, DCC_LABEL_MASK);", "return label;", "dcc_spray"),
    Mutant(SPRAY, "return label ? label : spray_permute(key, DCC_LABEL_MASK);", "return label ? label : 1;", "dcc_spray"),
    Mutant(SPRAY, "dcc_spray_hash(key, round <<", "dcc_spray_hash(key * 0, round <<", "dcc_spray"),
    Mutant(SPRAY, "(count ^ order) & (paths - 1)", "(count ^ order * 0) & (paths - 1)", "dcc_spray"),
    Mutant(SPRAY, "(count ^ order) & (paths - 1)", "order & (paths - 1)", "dcc_spray"),
    Mutant(SPRAY, "u32 lap = count / paths,", "u32 lap = count / 64,", "dcc_spray"),
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
]


def plant(source: pathlib.Path, tree: pathlib.Path, mutant: Mutant | None) -> None:
    """Copy the pure sources to a tree of their own and plant the fault."""
    for folder in ("common", "tcp_mswift"):
        shutil.copytree(source / folder, tree / folder)
    if mutant is None:
        return
    path = tree / mutant.path
    text = path.read_text()
    found = text.count(mutant.old)
    if found != 1:
        sys.exit(f"mutants: {mutant.path}: text occurs {found} times, must be 1: {mutant.old!r}")
    path.write_text(text.replace(mutant.old, mutant.new))


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
            run = subprocess.run([str(out / program)], capture_output=True, text=True,
                                 errors="replace", timeout=TIMEOUT_S, check=False)
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
    args = parser.parse_args()
    source = args.source.resolve()
    chosen = [m for m in MUTANTS if args.only in m.path]
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
