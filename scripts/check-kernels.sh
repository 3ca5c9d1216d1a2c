#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check-kernels.sh [--skip-backports]: compiles the modules against every kernel
# whose headers can be had, as TAP: all that are installed, Debian 12's 6.1 and
# 6.12, the newer series in backports, and 6.12 as BBRv3's patches leave it. What
# cannot be had is skipped, with the reason.
set -uo pipefail

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
. scripts/tap.sh
test $# = 0 || test "$*" = --skip-backports || tap_usage "$1"

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

# build_one KDIR RELEASE [FOLDER]: into a folder of its own below $work.
build_one()
{
	local kdir=$1 release=$2 out=$work/${3-$2} log=$work/${3-$2}.log
	if ! scripts/build-for.sh "$kdir" "$out" >"$log" 2>&1; then
		grep -E 'error:|ERROR|\*\*\*' "$log" | head -n 20
		tail -n 10 "$log"
		return 1
	fi
	# A warning here hints at an interface that changed under an old name.
	if grep -E 'warning:.*\[-W|^WARNING: modpost' "$log"; then
		return 1
	fi
	mapfile -t built < <(find "$out" -name '*.ko')
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

# bbr3_headers KDIR DIR: Debian's headers by links, with TCP's as BBRv3's patches have
# them: min_tso_segs has another name and form, skb_marked_lost is new.
bbr3_headers()
{
	local kdir=$1 dir=$2 common tcp_h=$2/common/include/net/tcp.h
	common=$(sed -n 's|^include \(.*\)/Makefile$|\1|p' "$kdir/Makefile")
	mkdir "$dir" && cp -rs "$kdir" "$dir/kdir" && cp -rs "$common" "$dir/common" || return 1
	rm "$dir/kdir/Makefile" "$tcp_h"
	echo "include $dir/common/Makefile" >"$dir/kdir/Makefile"
	sed 's|u32 (\*min_tso_segs)(struct sock \*sk);|u32 (*tso_segs)(struct sock *sk, unsigned int mss_now);\
	void (*skb_marked_lost)(struct sock *sk, const struct sk_buff *skb);|' \
		"$common/include/net/tcp.h" >"$tcp_h"
	grep -q skb_marked_lost "$tcp_h" || { echo "$common: no min_tso_segs to patch"; return 1; }
}

builds_for_bbr3()
{
	bbr3_headers "$1" "$work/bbr3-headers" &&
		build_one "$work/bbr3-headers/kdir" "$(release_of "$1")" bbr3
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
# The loop's last one is 6.12.
if test -n "$kdir"; then
	tap_run "compiles for 6.12 with BBRv3's patches" builds_for_bbr3 "$kdir"
else
	tap_skip "compiles for 6.12 with BBRv3's patches" "$(head -n 1 "$work/fetch.log")"
fi
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
