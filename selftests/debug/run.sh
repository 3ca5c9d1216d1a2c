#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules under fire, in an emulator (no KVM, no root needed):
#
#   run.sh debug [--again] [CAMPAIGN...]
#	on the debug kernel (kernel.sh), which watches memory, locks, leaks itself
#   run.sh stock SERIES [--again] [CAMPAIGN...]
#	on a stock kernel (6.1, 6.12, or of backports: newest, 7.2) with
#	slab_debug=FZP
#
# CAMPAIGN is a function campaign_NAME of campaigns.sh (default: all that the
# kernel can do). SCALE=N in the environment: per cent of the full amounts, which
# are 1000 load and unload cycles, 500 namespaces, 20,000 connections, and so on
# (debug 40, stock 20).
#
# A machine does some campaigns and then, on the debug kernel, looks for memory
# that they leaked. Campaigns that passed are remembered, together with all that
# was in the machine (modules, programs, kernel, SCALE): as long as that is the
# same, their tests are printed as "(earlier)" and they are not run. --again
# forgets. A machine that does not survive a campaign fails it; after that, and
# after a report of the kernel's, a new machine does the rest.
# Prints TAP; fails if a test fails.
set -euo pipefail

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=selftests/emulator/emulator.sh
. "$top/selftests/emulator/emulator.sh"

# What the campaigns use that a stock kernel has as modules.
STOCK_MODULES=(veth vrf bridge vxlan dummy tun tls esp4 esp6 xfrm_user tcp_diag
	inet_diag mptcp_diag af_packet tcp_dctcp sch_netem sch_fq sch_fq_codel
	sch_tbf sch_prio sch_ingress cls_matchall act_mirred nf_tables nfnetlink_queue nft_queue nft_ct authenc gcm
	seqiv echainiv ctr)
# What ESP's cipher asks for by name; in some kernels it is built in, or part of
# another.
CIPHER_MODULES=(ghash-generic crypto_null drbg hmac sha256_generic sha512_generic
	jitterentropy_rng)
# An emulated processor is slow, not stuck.
PATIENCE="rcupdate.rcu_cpu_stall_timeout=150 tsc=reliable"
# Where locks and memory are watched a grace period takes a tenth of a second, and a
# module or a network that goes waits for dozens: five times the time of all campaigns.
# Short ones let what is freed go sooner, too. Stock kernels wait as they always do.
SHORT_GRACE="rcupdate.rcu_expedited=1"
# So many states of the sources are remembered.
KEEP=5
LAST_WORDS=60
# Campaigns of one machine: an interrupted run loses no more.
MACHINE=8

die()
{
	echo "Bail out! $*"
	exit 1
}

usage()
{
	sed -n '3,22s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

need_programs()
{
	local name
	for name in nft setpriv unshare nsenter qemu-system-x86_64; do
		command -v $name >/dev/null || PATH=$PATH:/usr/sbin:/sbin command -v $name >/dev/null ||
			die "no program $name here: apt-get install nftables util-linux qemu-system-x86"
	done
}

build_modules()
{
	"$top/scripts/build-for.sh" "$EMU_KDIR" "$work/build" >"$work/build.log" 2>&1 ||
		die "the modules do not build (whole log: $work/build.log)
$(tail -n 20 "$work/build.log" | sed 's/^/# /')"
}

# The campaigns' programs are the same for every kernel.
make_root()
{
	local name
	emu_root "$root"
	# busybox's nsenter would run busybox's ip
	emu_copy_with_libs "$root" nft setpriv unshare nsenter
	emu_program "$root" storm "$here/storm.c" "$here/stream.c" "$here/util.c" -pthread
	for name in xfer abuse hostile; do
		emu_program "$root" $name "$here/../real/$name.c"
	done
	emu_program "$root" card "$top/selftests/bench/card.c"
	for name in nfq fuzz churn hold; do
		emu_program "$root" $name "$here/$name.c" "$here/util.c" -pthread
	done
	emu_init "$root" "$here/guest.sh"
	install -m 755 "$here/user.sh" "$here/campaigns.sh" "$root/"
}

# The same machine with the same campaign gives the same result.
state()
{
	{
		emu_digest "$root"
		sha256sum <"$EMU_KERNEL"
		echo "$EMU_CPUS $EMU_MEMORY_MB $cmdline $PATIENCE $SCALE"
	} | sha256sum | cut -c 1-16
}

# Where this state's results are; those of the states used longest ago go.
remember()
{
	passed=$work/passed/$(state)
	mkdir -p "$passed"
	touch "$passed"
	find "$work/passed" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -rn |
		tail -n +$((KEEP + 1)) | cut -d' ' -f2- | xargs -r rm -rf
}

# Numbers the tests of stdin; fails if one did.
number()
{
	local line tests=0 failed=0
	while IFS= read -r line; do
		case $line in
		"ok - "*) tests=$((tests + 1)) ;;
		"not ok - "*) tests=$((tests + 1)) failed=1 ;;
		*)
			echo "$line"
			continue
			;;
		esac
		echo "${line%% - *} $tests - ${line#* - }"
	done
	echo "1..$tests"
	return $failed
}

# What the list of campaigns depends on, here as in the guest.
has_kmemleak() { test "$title" = debug; }
has_failslab() { test "$title" = debug; }

# Sets todo: of the campaigns wanted those that did not pass earlier.
choose()
{
	local name
	# shellcheck source=selftests/debug/campaigns.sh
	. "$here/campaigns.sh"
	# shellcheck disable=SC2046 # a list of words
	test $# -gt 0 || set -- $(all_campaigns)
	todo=()
	for name in "$@"; do
		declare -F "campaign_$name" >/dev/null || die "no campaign is called '$name'"
		test -z "$again" || rm -f "$passed/$name"
		if test -e "$passed/$name"; then
			sed 's/$/ (earlier)/' "$passed/$name"
		else
			todo+=("$name")
		fi
	done
}

# What the machine says, to its end. Sets begun: all campaigns that did, and
# running: the one it broke off in.
listen()
{
	local line good=() name
	while IFS= read -r line; do
		case $line in
		"CAMPAIGN "*)
			running=${line#* }
			begun+=("$running")
			: >"$passed/$running.part"
			;;
		"PASSED $running")
			good+=("$running")
			running=
			;;
		"FAILED $running") running= ;;
		KEEP)
			for name in "${good[@]}"; do
				mv "$passed/$name.part" "$passed/$name"
			done
			good=()
			;;
		"ok - "* | "not ok - "*)
			echo "$line"
			echo "$line" >>"$passed/$running.part"
			;;
		"# "*) echo "$line" ;;
		esac
	done
}

# boot CAMPAIGN...: one machine, which does them one after the other.
boot()
{
	local campaigns=$* name
	EMU_CMDLINE="$cmdline $PATIENCE SCALE=$SCALE CAMPAIGNS=${campaigns// /,}"
	running='' begun=()
	listen < <(emu_boot)
	if test -n "$running" || ! grep -q '^GUEST-END' "$EMU_LOG"; then
		test ${#begun[@]} -gt 0 || running=start
		echo "not ok - ${running:-end}: the machine did not survive it"
		tail -n $LAST_WORDS "$EMU_LOG" | sed 's/^/# /'
		echo "# $(emu_broken_off)"
	fi
	for name in "${begun[@]}"; do
		rm -f "$passed/$name.part"
	done
}

# lane NAME CAMPAIGN...: until each has had its turn; a machine in which none
# began is no use.
lane()
{
	local name rest
	EMU_LOG=$work/console-$1.log
	shift
	while test $# -gt 0; do
		boot "${@:1:MACHINE}"
		rest=()
		for name in "$@"; do
			[[ " ${begun[*]} " = *" $name "* ]] || rest+=("$name")
		done
		test ${#begun[@]} -gt 0 || return 0
		set -- "${rest[@]}"
	done
}

# One machine at a time: it has four processors, so two on a host with two make
# each other wait for locks whose holders do not run, and take four times as long.
# Where there are processors for both, campaigns that mostly wait leave room for
# others.
run_all()
{
	local name waiting=() busy=()
	if test "$(nproc)" -lt $((2 * EMU_CPUS)); then
		lane all "${todo[@]}"
		return
	fi
	for name in "${todo[@]}"; do
		if mostly_waits "$name"; then
			waiting+=("$name")
		else
			busy+=("$name")
		fi
	done
	lane waiting "${waiting[@]}" &
	lane busy "${busy[@]}"
	wait
}

debug()
{
	local kernel release
	kernel=$("$here/kernel.sh" build)
	EMU_KDIR=$kernel/tree
	build_modules
	make_root
	release=$(cat "$kernel/release")
	emu_our_modules "$root" "$release" "$work/build"
	# depmod wants them; this kernel has no modules of its own
	touch "$root/lib/modules/$release"/modules.{order,builtin,builtin.modinfo}
	EMU_KERNEL=$kernel/bzImage EMU_MEMORY_MB=3072
	cmdline="kasan_multi_shot $SHORT_GRACE"
}

stock()
{
	local name
	emu_find_kernel "$1"
	for name in "${CIPHER_MODULES[@]}"; do
		if modinfo -b "$EMU_TREE" -k "$EMU_RELEASE" "$name" >/dev/null 2>&1; then
			STOCK_MODULES+=("$name")
		fi
	done
	build_modules
	make_root
	emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}"
	emu_our_modules "$root" "$EMU_RELEASE" "$work/build"
	EMU_MEMORY_MB=2048
	cmdline="slab_debug=FZP"
}

case ${1-} in
debug) title=debug SCALE=${SCALE:-40} ;;
stock)
	series=${2:?usage: run.sh stock SERIES [CAMPAIGN...]}
	title=stock-$series SCALE=${SCALE:-20}
	shift
	;;
*) usage ;;
esac
shift
again=
if test "${1-}" = --again; then
	again=yes
	shift
fi
need_programs
work=$("$top/scripts/kernels.sh" cache)/check-$title
root=$work/root
mkdir -p "$work"
exec 9>"$work/lock"
flock -n 9 || die "another run of $title is going on ($work/lock)"
if test "$title" = debug; then
	debug
else
	stock "$series"
fi
EMU_INITRD=$work/initrd EMU_CPUS=4 EMU_THREADS=multi EMU_SILENCE_S=600
emu_initrd "$root" "$EMU_INITRD"
remember
echo "TAP version 13"
{
	choose "$@"
	run_all
} | number
