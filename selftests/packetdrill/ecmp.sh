#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ecmp.sh [OPTION...]: the kernel's own tests of how a TCP flow finds another of
# several paths (ecmp_rehash.sh, tcp_ecmp_failover.sh), as they stand, with each
# algorithm as the default and spraying off, in the emulator, in virtual time.
# cubic is the control: what it fails is only noted; each algorithm has to go
# through the tests that it goes through.
#
#   --source S   a kernel's source (tarball or folder) that has the tests
#                (default: that of the kernel's series, from /usr/src or fetched:
#                160 MB)
#   --kernel K   newest (default: the tests ask for what came with 7.x) or 6.12
#   --cc LIST    default: cubic,swift,lswift,mswift,nscc,mnscc
#   --test T     only this one, as tcp_ecmp_failover.sh
#   --shift N    an instruction takes 2^N ns (default: 3; the tests wait, and send
#                as fast as they can meanwhile: a slower machine is done sooner)
#
# Prints TAP. Without the tests or what they call (socat, tcpdump) it says so.
set -euo pipefail

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=../emulator/emulator.sh
. "$here/../emulator/emulator.sh"

TESTS=(ecmp_rehash.sh tcp_ecmp_failover.sh)
STOCK_MODULES=(veth dummy af_packet tcp_dctcp sch_prio sch_netem sch_fq cls_u32 act_gact
	tcp_diag inet_diag)
# busybox has other options than the tests expect of these
PROGRAMS=(bash socat tcpdump sysctl date timeout awk grep sed seq wc jq readlink
	realpath dirname basename mktemp)
source=
kernel=newest
shift_ns=3
algorithms=cubic,swift,lswift,mswift,nscc,mnscc

die()
{
	echo "Bail out! ecmp: $*"
	exit 1
}

skip()
{
	echo "1..0 # SKIP ecmp: $*"
	exit 0
}

while test $# -gt 1; do
	case $1 in
	--source) source=$2 ;;
	--kernel) kernel=$2 ;;
	--cc) algorithms=$2 ;;
	--test) TESTS=("$2") ;;
	--shift) shift_ns=$2 ;;
	*) die "unknown option '$1'" ;;
	esac
	shift 2
done
test $# = 0 || die "'$1' needs a value, or is not known"

emu_folder "ecmp-$kernel"
work=$EMU_FOLDER

# unpack_source TARBALL_OR_DIR: its selftests into $work/source, once if a tarball.
unpack_source()
{
	local from
	from=$(stat -c '%n %s %Y' "$1")
	test -d "$1" || test "$(cat "$work/source.from" 2>/dev/null)" != "$from" || return 0
	rm -rf "$work/source" "$work/source.from"
	mkdir -p "$work/source"
	if test -d "$1"; then
		(cd "$1" && cp -a --parents tools/testing/selftests/{net,kselftest} "$work/source")
	else
		tar -xf "$1" -C "$work/source" --wildcards \
			'*/tools/testing/selftests/net/*' '*/tools/testing/selftests/kselftest/*'
	fi
	echo "$from" >"$work/source.from"
}

# The tests that belong to the kernel; sets $selftests.
unpack_tests()
{
	local series
	series=$(grep -oE '^[0-9]+\.[0-9]+' <<<"$EMU_RELEASE")
	test -n "$source" || source=/usr/src/linux-source-$series.tar.xz
	test -e "$source" || source=$("$top/scripts/backports.sh" source "$EMU_RELEASE") ||
		skip "no source of $EMU_RELEASE to be had: --source"
	unpack_source "$source"
	selftests=$(find "$work/source" -path '*testing/selftests' -type d | sed -n 1p)
	test -e "$selftests/net/${TESTS[0]}" ||
		skip "no ${TESTS[0]} in $source (linux-source-7.3 has it): --source"
}

make_root()
{
	local name
	emu_root "$root"
	for name in "${PROGRAMS[@]}"; do
		command -v "$name" >/dev/null || command -v "/usr/sbin/$name" >/dev/null ||
			skip "no program $name on this machine (apt-get install $name)"
	done
	emu_copy_with_libs "$root" "${PROGRAMS[@]}"
	mkdir -p "$root/st"
	cp -a "$selftests/kselftest" "$root/st/"
	mkdir -p "$root/st/net/forwarding"
	cp -a "$selftests"/net/{lib.sh,lib} "$root/st/net/"
	cp -a "$selftests"/net/forwarding/lib.sh "$root/st/net/forwarding/"
	for name in "${TESTS[@]}"; do cp -a "$selftests/net/$name" "$root/st/net/"; done
	ln -sfn ../bin "$root/usr/bin" 2>/dev/null || { mkdir -p "$root/usr"; ln -sfn ../bin "$root/usr/bin"; }
	# tcpdump changes to a user of its own, who has to exist
	printf '%s:x:0:0::/:/bin/sh\n' root tcpdump >"$root/etc/passwd"
	emu_init "$root" "$here/guest-ecmp.sh"
	emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}"
	emu_our_modules "$root" "$EMU_RELEASE" "$work/build"
	emu_initrd "$root" "$work/initrd"
}

# judge LOG: a line for each test and algorithm.
judge()
{
	awk -F '\t' -v control=cubic '
	$1 == "TEST" {
		ok = $4 ~ /OK/; skipped = $4 ~ /SKIP/
		if ($2 == control) fails[$3] = !ok && !skipped
		if (first == "") first = $2
		if ($2 == first) names[$3]
		seen[$2, $3]
		n++
		if (skipped || (!ok && fails[$3]))
			printf "ok %d - %s: %s # SKIP %s\n", n, $2, $3,
				skipped ? $4 : "the control fails it, too"
		else {
			printf "%s %d - %s: %s\n", ok ? "ok" : "not ok", n, $2, $3
			bad += !ok
		}
	}
	$1 == "FLOWS" {
		for (name in names) {
			if (($2, name) in seen) continue
			printf "not ok %d - %s: %s: did not get there\n", ++n, $2, name
			bad++
		}
		n++
		good = $2 == control || $3 > 0
		printf "%s %d - %s: flows of the module: %d\n", good ? "ok" : "not ok", n, $2, $3
		bad += !good
	}
	/^LOG KERNEL/ { print "not ok " ++n " - " $0; bad++ }
	/^GUEST-END/ { end = 1 }
	END {
		if (!end) { print "not ok " ++n " - the machine did not reach its end"; bad++ }
		if (first == "") { print "not ok " ++n " - no test ran"; bad++ }
		print "1.." n
		print "# " n - bad " passed, " bad + 0 " failed"
		exit bad > 0
	}' "$1"
}

emu_find_kernel "$kernel" || skip "no kernel '$kernel' to be had"
unpack_tests
"$top/scripts/build-for.sh" "$EMU_KDIR" "$work/build" >"$work/build.log" 2>&1 ||
	die "the modules do not build (log: $work/build.log)"
root=$work/root
make_root
echo "# kernel $EMU_RELEASE, tests of ${selftests#"$work"/source/}"
EMU_INITRD=$work/initrd
EMU_LOG=$work/console.log
EMU_CPUS=1
EMU_CMDLINE="dcc_cc=$algorithms"
EMU_QEMU_ARGS=(-icount "shift=$shift_ns,sleep=off")
EMU_SILENCE_S=1800
emu_boot | sed -n 's/^LOG /# /p' || true
grep -q '^GUEST-END' "$EMU_LOG" || echo "# $(emu_broken_off)"
judge "$EMU_LOG"
