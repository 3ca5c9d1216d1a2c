#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules under fire, in an emulator (no KVM, no root needed):
#
#   run.sh debug [CAMPAIGN...]          on the debug kernel (kernel.sh), which
#                                       watches memory, locks, leaks itself
#   run.sh stock SERIES [CAMPAIGN...]   on Debian's kernel of that series (6.1,
#                                       6.12, newest) with slab_debug=FZP
#
# CAMPAIGN is a function campaign_NAME of campaigns.sh (default: all that the
# kernel can do). SCALE=N in the environment: per cent of the usual amounts
# (debug 100, stock 20). Prints TAP; fails if a test fails or the machine does
# not come to its end.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
kernels=$top/scripts/kernels.sh
backports=$top/scripts/backports.sh
# shellcheck source=selftests/emulator/emulator.sh
. "$top/selftests/emulator/emulator.sh"

# What the campaigns use that a stock kernel has as modules.
STOCK_MODULES=(veth vrf bridge vxlan dummy tls esp4 esp6 xfrm_user tcp_diag
	inet_diag mptcp_diag af_packet tcp_dctcp sch_netem sch_fq sch_fq_codel
	sch_tbf sch_prio nf_tables nfnetlink_queue nft_queue nft_ct authenc gcm
	ghash-generic seqiv echainiv ctr)
# An emulated processor is slow, not stuck.
PATIENCE="rcupdate.rcu_cpu_stall_timeout=150 no_timer_check tsc=reliable"

die()
{
	echo "Bail out! $*"
	exit 1
}

usage()
{
	sed -n '3,15s/^# \{0,1\}//p' "$0" >&2
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
	"$top/scripts/build-for.sh" "$kdir" "$work/build" >"$work/build.log" 2>&1 ||
		die "the modules do not build (whole log: $work/build.log)
$(tail -n 20 "$work/build.log" | sed 's/^/# /')"
}

# The campaigns' programs are the same for every kernel.
make_root()
{
	local name
	emu_root "$root"
	emu_copy_with_libs "$root" nft setpriv unshare nsenter
	emu_program "$root" storm "$here/storm.c" "$here/stream.c" "$here/util.c" -pthread
	for name in nfq fuzz churn hold; do
		emu_program "$root" $name "$here/$name.c" "$here/util.c" -pthread
	done
	emu_init "$root" "$here/guest.sh"
	install -m 755 "$here/user.sh" "$here/campaigns.sh" "$root/"
}

boot()
{
	local campaigns=$1
	EMU_INITRD=$work/initrd EMU_LOG=$work/console.log
	EMU_CMDLINE="$EMU_CMDLINE $PATIENCE SCALE=$SCALE ${campaigns:+CAMPAIGNS=$campaigns}"
	emu_initrd "$root" "$EMU_INITRD"
	emu_boot | sed -un '/^TAP version/,$p' || true
	if ! grep -q '^GUEST-END' "$EMU_LOG"; then
		tail -n 60 "$EMU_LOG" | sed 's/^/# /'
		die "$title: the machine did not reach its end (log: $EMU_LOG)"
	fi
	grep -q '^GUEST-END failed=0$' "$EMU_LOG"
}

debug()
{
	local kernel
	kernel=$("$here/kernel.sh" build)
	kdir=$kernel/tree
	build_modules
	make_root
	release=$(cat "$kernel/release")
	emu_our_modules "$root" "$release" "$work/build"
	# depmod wants them; this kernel has no modules of its own
	touch "$root/lib/modules/$release"/modules.{order,builtin,builtin.modinfo}
	EMU_KERNEL=$kernel/bzImage EMU_CPUS=4 EMU_MEMORY_MB=3072 EMU_SILENCE_S=600
	EMU_CMDLINE="kasan_multi_shot"
}

from_debian_12()
{
	release=$("$kernels" release "$1")
	image_tree=$("$kernels" image "$1")
	kdir=$("$kernels" headers "$1")
}

# A module must be built by its kernel's compiler, which is not Debian 12's.
from_backports()
{
	local bin
	release=$("$backports" release "$1")
	image_tree=$("$backports" image "$release")
	kdir=$("$backports" headers "$release")
	bin=$("$backports" compiler "$kdir")
	PATH=$bin:$PATH
}

stock()
{
	case $1 in
	6.1|6.12) from_debian_12 "$1" ;;
	*) from_backports "$1" ;;
	esac
	build_modules
	make_root
	emu_stock_modules "$root" "$image_tree" "$release" "${STOCK_MODULES[@]}"
	emu_our_modules "$root" "$release" "$work/build"
	EMU_KERNEL=$image_tree/boot/vmlinuz-$release EMU_CPUS=4 EMU_MEMORY_MB=2048 EMU_SILENCE_S=600
	EMU_CMDLINE="slab_debug=FZP"
}

case ${1-} in
debug) title=debug ;;
stock) title=stock-${2:?usage: run.sh stock SERIES [CAMPAIGN...]} ;;
*) usage ;;
esac
need_programs
work=$("$kernels" cache)/check-$title
root=$work/root
mkdir -p "$work"
if test $title = debug; then
	SCALE=${SCALE:-100}
	debug
	shift
else
	SCALE=${SCALE:-20}
	stock "$2"
	shift 2
fi
boot "$(echo "$*" | tr ' ' ',')"
