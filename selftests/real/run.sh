#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# run.sh KERNEL [TEST... | -TEST...]: the modules on one of Debian's stock kernels, in an
# emulator (no KVM, no root needed). KERNEL is a series of Debian 12 (6.1, 6.12),
# or from backports "newest", a series (7.2) or a release as uname -r names it;
# a TEST is a function of guest.sh without its test_ (default: all; -TEST: all but
# that). Prints TAP; fails if a test fails or the machine does not come to its end.
#
# The emulator is slow and its clock follows the host: these tests check that
# things work, never how fast.
set -euo pipefail

case ${1-} in
-h | --help)
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	echo "Tests:"
	sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$(dirname "$0")/guest.sh" | fmt -w 76 | sed 's/^/  /'
	exit
	;;
esac
kernel=${1:?usage: run.sh 6.1|6.12|newest|SERIES|RELEASE [TEST...|-TEST...]}
shift
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$top/selftests/emulator/emulator.sh"
emu_folder "real-$kernel"
work=$EMU_FOLDER
root=$work/root

# What the guest needs of the stock kernel besides the modules' own needs.
STOCK_MODULES=(veth tcp_diag inet_diag sch_fq sch_fq_codel sch_netem sch_tbf sch_red dummy
	af_packet sch_ingress cls_flower act_pedit act_gact vrf nf_tables nft_ct nft_quota
	nf_conntrack tun tcp_bbr wireguard)

die()
{
	echo "Bail out! real kernel $kernel: $*"
	exit 1
}

# What this machine's archive does not have cannot be tested here.
skip()
{
	echo "TAP version 13"
	echo "ok 1 - real kernel $kernel # SKIP $(tail -n 1 "$work/fetch.log")"
	echo "1..1"
	exit 0
}

build_modules()
{
	emu_build_our_modules "$root" "$work/build.log" && return
	tail -n 20 "$work/build.log" | sed 's/^/# /'
	die "the modules do not build (whole log: $work/build.log)"
}

build_kernsock()
{
	mkdir -p "$work/kernsock"
	cp "$here"/kernsock/* "$work/kernsock/"
	make -C "$EMU_KDIR" M="$work/kernsock" modules >"$work/kernsock.log" 2>&1 ||
		die "kernsock does not build (log: $work/kernsock.log)"
	install -m 644 "$work/kernsock/kernsock.ko" "$root/"
}

# Programs of this project, with the libraries of this machine. Made anew (-B): what lies
# there may be another checkout's, with later files.
our_tools()
{
	local tool
	for tool in dccstat replay; do
		make -s -B -C "$top/tools/$tool" OUT="$work/tools" >"$work/tools.log" 2>&1 ||
			die "tools/$tool does not build (log: $work/tools.log)"
	done
	PATH=$work/tools:$PATH emu_copy_with_libs "$root" dccstat replay
	install -m 644 "$here/dccstat.py" "$here/told.py" "$root/"
}

make_initrd()
{
	emu_root "$root"
	emu_program "$root" xfer "$here/xfer.c"
	emu_program "$root" abuse "$here/abuse.c"
	emu_program "$root" held "$here/held.c"
	emu_program "$root" hostile "$here/hostile.c"
	emu_program "$root" gro "$here/gro.c"
	emu_program "$root" card "$top/selftests/bench/card.c"
	emu_copy_with_libs "$root" nft wg
	our_tools
	emu_python "$root" argparse csv dataclasses encodings.ascii encodings.idna json locale \
		pathlib random re shutil signal socket struct threading typing
	install -m 644 -t "$root" "$top/README.md" "$top/Documentation/prioplus.md"
	install -D -t "$root/channels" "$top"/tools/channels/ch*
	install -D -m 644 -t "$root/ccinfo" "$top"/tools/ccinfo/*.py
	emu_program "$root" sysctls.sh "$here/sysctls.sh"
	install -m 644 "$here/stock-sysctls.txt" "$root/"
	emu_init "$root" "$here/guest.sh"
	emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}"
	build_modules
	build_kernsock
	emu_initrd "$root" "$work/initrd"
}

# SMC has operations in each of its sockets; newer kernels of Debian come without it.
add_smc()
{
	test -z "$(find -L "$EMU_TREE/lib/modules" -name 'smc.ko*')" || STOCK_MODULES+=(smc)
}

mkdir -p "$work"
case $kernel in
6.1 | 6.12) emu_find_kernel "$kernel" ;;
*) emu_find_kernel "$kernel" 2>"$work/fetch.log" || skip ;;
esac
add_smc
make_initrd

EMU_INITRD=$work/initrd
EMU_LOG=$work/console.log
EMU_MEMORY_MB=1024
# Words after -- are arguments of init. What hangs for good shall say where.
EMU_CMDLINE="hung_task_panic=1 -- $*"
emu_boot | sed -un '/^TAP version/,$p' || true
grep -q '^GUEST-END' "$EMU_LOG" ||
	{ tail -n 40 "$EMU_LOG" | sed 's/^/# /'; die "$(emu_broken_off)"; }
grep -q '^GUEST-END failed=0$' "$EMU_LOG"
