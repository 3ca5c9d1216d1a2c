#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# run.sh 6.1|6.12: the modules on Debian's stock kernel of that series, in an
# emulator (no KVM, no root needed). Prints TAP; fails if a test fails or the
# machine does not come to its end.
#
# The emulator is slow and its clock follows the host: these tests check that
# things work, never how fast.
set -euo pipefail

TIMEOUT_S=${REAL_TIMEOUT_S:-420}
MEMORY_MB=768

series=${1:?usage: run.sh 6.1|6.12}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
kernels=$top/scripts/kernels.sh
work=$("$kernels" cache)/real-$series
log=$work/console.log

# What the guest needs of the stock kernel besides the modules' own needs.
stock_modules=(veth tcp_diag inet_diag sch_fq sch_netem dummy af_packet)

die()
{
	echo "Bail out! real kernel $series: $*"
	exit 1
}

copy_with_libs()
{
	local file
	file=$(readlink -f "$(command -v "$1")")
	install -D "$file" "$root/bin/$1"
	ldd "$file" | grep -o '/[^ ]*' | while read -r lib; do
		test -e "$root$lib" || install -D "$(readlink -f "$lib")" "$root$lib"
	done
}

# Copies one of the stock kernel's modules and all it depends on; what is
# built in needs no copy.
copy_stock_module()
{
	modprobe -d "$image_tree" -S "$release" --show-depends "$1" 2>/dev/null |
		sed -n "s|^insmod $image_tree/\\([^ ]*\\).*|\\1|p" |
		while read -r file; do
			install -D -m 644 "$image_tree/$file" "$root/$file"
		done
}

# modprobe wants modules.dep, which the package makes when it is installed.
prepare_image()
{
	test -e "$image_tree/lib/modules/$release/modules.dep" && return
	depmod -b "$image_tree" "$release" 2>/dev/null
}

make_root()
{
	rm -rf "$root"
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,run,tmp,etc}
	install "$(command -v busybox)" "$root/bin/busybox"
	"$root/bin/busybox" --install -s "$root/bin"
	find "$root/bin" -type l -exec ln -sfn busybox {} \;
	# Debian's busybox shell prefers its own ip, modprobe ... to those in PATH.
	copy_with_libs dash
	ln -sfn dash "$root/bin/sh"
	for program in ip ss tc kmod; do
		rm -f "$root/bin/$program"
		copy_with_libs "$program"
	done
	for name in modprobe rmmod insmod lsmod modinfo depmod; do
		rm -f "$root/bin/$name"
		ln -sf ../bin/kmod "$root/sbin/$name"
	done
	gcc -O2 -Wall -Wextra -Werror -static -o "$root/bin/xfer" "$here/xfer.c"
	install "$here/guest.sh" "$root/init"
}

add_modules()
{
	local base=lib/modules/$release
	for m in "${stock_modules[@]}"; do
		copy_stock_module "$m"
	done
	find "$work/build" -name '*.ko' | while read -r ko; do
		install -D -m 644 "$ko" "$root/$base/updates/${ko##*/}"
		strip --strip-debug "$root/$base/updates/${ko##*/}"
	done
	cp "$image_tree/$base"/modules.{builtin,builtin.modinfo,order} "$root/$base/"
	depmod -b "$root" "$release"
}

boot()
{
	# Serial console only; the machine leaves by poweroff or panic.
	timeout "$TIMEOUT_S" qemu-system-x86_64 -accel tcg -smp 2 -m "$MEMORY_MB" \
		-cpu max -nodefaults -no-reboot -display none -serial stdio \
		-kernel "$image_tree/boot/vmlinuz-$release" -initrd "$work/initrd" \
		-append "console=ttyS0 quiet panic=-1 rdinit=/init mitigations=off" \
		</dev/null 2>&1 | tr -d '\r' | tee "$log" | sed -n '/^TAP version/,$p'
}

release=$("$kernels" release "$series")
image_tree=$("$kernels" image "$series")
kdir=$("$kernels" headers "$series")
root=$work/root
mkdir -p "$work"

if ! "$top/scripts/build-for.sh" "$kdir" "$work/build" >"$work/build.log" 2>&1; then
	tail -n 20 "$work/build.log" | sed 's/^/# /'
	die "the modules do not build (whole log: $work/build.log)"
fi
prepare_image
make_root
add_modules
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initrd"
boot || true
grep -q '^GUEST-END' "$log" ||
	{ tail -n 40 "$log" | sed 's/^/# /'; die "the machine did not reach its end (log: $log)"; }
grep -q '^GUEST-END failed=0$' "$log"
