#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check-kernels.sh [--skip-backports]: compiles the modules against every kernel
# whose headers can be had, as TAP: all that are installed, Debian 12's 6.1 and
# 6.12, and the newer series in backports. What cannot be had is skipped, with
# the reason.
set -uo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
. scripts/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# release_of KDIR
release_of()
{
	sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$1/include/generated/utsrelease.h"
}

installed()
{
	for d in /lib/modules/*/build /usr/src/linux-headers-*; do
		test -f "$d/include/generated/utsrelease.h" && readlink -f "$d"
	done | sort -u
}

# What the build leaves must be modules of that very kernel.
vermagic_is()
{
	local release=$1 status=0
	shift
	for ko in "$@"; do
		modinfo -F vermagic "$ko" | grep "^$release " >/dev/null && continue
		echo "$ko: vermagic '$(modinfo -F vermagic "$ko")', wanted $release"
		status=1
	done
	return $status
}

build_one()
{
	local kdir=$1 release=$2 log=$work/$2.log
	if ! scripts/build-for.sh "$kdir" "$work/$release" >"$log" 2>&1; then
		grep -E 'error:|ERROR|\*\*\*' "$log" | head -n 20
		tail -n 10 "$log"
		return 1
	fi
	# A warning here hints at an interface that changed under an old name.
	if grep -E 'warning:.*\[-W|^WARNING: modpost' "$log"; then
		return 1
	fi
	mapfile -t built < <(find "$work/$release" -name '*.ko')
	test ${#built[@]} -gt 0 && vermagic_is "$release" "${built[@]}"
}

check_kernel()
{
	local release
	release=$(release_of "$1")
	case " ${done_releases-} " in *" $release "*) return ;; esac
	done_releases="${done_releases-} $release"
	tap_run "compiles for $release" build_one "$1" "$release"
	rm -rf "${work:?}/$release"
}

# The kernel's own compiler goes in front, where kdir-check.sh finds it.
check_backport()
{
	local release=$1 kdir bin log=$work/fetch.log
	if ! kdir=$(scripts/backports.sh headers "$release" 2>"$log"); then
		tap_skip "compiles for $release" "$(head -n 1 "$log")"
		return
	fi
	if ! bin=$(scripts/backports.sh compiler "$kdir" 2>"$log"); then
		tap_skip "compiles for $release" "$(head -n 1 "$log")"
		return
	fi
	PATH=$bin:$PATH check_kernel "$kdir"
}

echo "TAP version 13"
for kdir in $(installed); do
	check_kernel "$kdir"
done
for series in 6.1 6.12; do
	if kdir=$(scripts/kernels.sh headers $series 2>"$work/fetch.log"); then
		check_kernel "$kdir"
	else
		tap_skip "compiles for $series" "$(head -n 1 "$work/fetch.log")"
	fi
done
if test "${1-}" != --skip-backports; then
	if backports=$(scripts/backports.sh list 2>"$work/fetch.log") && test -n "$backports"; then
		for release in $backports; do
			check_backport "$release"
		done
	else
		tap_skip "compiles for newer kernels" "$(head -n 1 "$work/fetch.log")"
	fi
fi
tap_end
