#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the modules cost, in instructions: transfers on Debian's stock 6.12 kernel in
# the emulator, where an instruction is a nanosecond and idle time is skipped, so that
# a busy host changes no figure by more than chance does. Prints TAP and tables; a figure
# that is more than 5 % above the committed baseline's fails.
#
#   run.sh [--long] [--renew] [--page FILE] [--only PATTERN]
#
#   --long          all algorithms with all path selectors and caps, and 10,000 flows, sending
#                   and held (an hour); else what Documentation/costs.md has
#   --renew         what was measured becomes the baseline (baseline.csv, or
#                   baseline-long.csv): after a change that is to cost more, or less;
#                   say why in the commit
#   --page FILE     also writes the tables into this page (Documentation/costs.md); with
#                   --renew sentences that repeat their figures, too
#   --only PATTERN  only rows whose key matches, as '^mswift .* fq$'; the key is
#                   algorithm, path selector, spray_segs, flows, Mbit/s (0: any), qdisc;
#                   segs 1 without spraying: the device cuts nothing. Held flows
#                   have the key held, and their number; receivers merge, algorithm,
#                   path selector, spray_segs, GRO (off, on, none: it may merge nothing,
#                   runs: on with dcc_offload), by how many packets' times one may be late
#
# The figures of a run lie in the cache, bench/figures.csv.
set -euo pipefail

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=../emulator/emulator.sh
. "$top/selftests/emulator/emulator.sh"

STOCK_MODULES=(veth sch_fq sch_netem tcp_dctcp tcp_bbr)
baseline=$here/baseline.csv
long=()
renew=()
page=()
only=.

die()
{
	echo "Bail out! bench: $*"
	exit 1
}

usage()
{
	sed -n '3,23s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

while test $# -gt 0; do
	case $1 in
	--long) long=(--long); baseline=$here/baseline-long.csv ;;
	--renew) renew=(--renew) ;;
	--page | --only)
		test $# -gt 1 || die "$1 needs a value"
		if test "$1" = --page; then page=(--page "$2"); else only=$2; fi
		shift
		;;
	*) usage ;;
	esac
	shift
done
test "$only" = . || test ${#renew[@]}${#page[@]} = 00 ||
	die "--only measures a part: it renews no baseline and writes no page"

build_modules()
{
	emu_build_our_modules "$root" "$work/build.log" || return 1
	mkdir -p "$work/meter"
	cp "$here"/meter/* "$work/meter/"
	make -C "$EMU_KDIR" M="$work/meter" modules >>"$work/build.log" 2>&1
}

make_initrd()
{
	emu_root "$root"
	emu_program "$root" flows "$here/flows.c"
	emu_program "$root" card "$here/card.c"
	emu_program "$root" abuse "$top/selftests/real/abuse.c"
	emu_init "$root" "$here/guest.sh"
	emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}"
	build_modules || {
		tail -n 20 "$work/build.log" | sed 's/^/# /'
		die "the modules do not build (whole log: $work/build.log)"
	}
	emu_our_modules "$root" "$EMU_RELEASE" "$work/meter"
	"$here/bench.py" plan "${long[@]}" --only "$only" >"$root/plan"
	emu_initrd "$root" "$work/initrd"
}

emu_folder bench
work=$EMU_FOLDER
root=$work/root
emu_find_kernel 6.12 || die "see above"
make_initrd

EMU_INITRD=$work/initrd
EMU_LOG=$work/console.log
EMU_MEMORY_MB=${long:+3072}
EMU_MEMORY_MB=${EMU_MEMORY_MB:-1024}
# 10,000 connections are made, and held, without a word
test ${#long[@]} = 0 || EMU_SILENCE_S=${EMU_SILENCE_S:-1800}
emu_virtual_time
emu_boot | sed -u 's/^/# /' || true
grep -q '^GUEST-END' "$EMU_LOG" || die "$(emu_broken_off)"
partial=()
test "$only" = . || partial=(--partial)
exec "$here/bench.py" judge "${long[@]}" "${renew[@]}" "${page[@]}" "${partial[@]}" \
	--baseline "$baseline" --csv "$work/figures.csv" "$EMU_LOG"
