#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# run.sh SUITE [TEST...]: programs of others with the modules, on Debian's stock 6.12
# kernel in the emulator, in virtual time: an instruction is a nanosecond and idle time
# is skipped, so that a busy host changes nothing. Prints TAP.
#
#   mininet    tools/mininet with mininet 2.3.0     (guest-mininet.sh)
#   bpftrace   tools/bpftrace with bpftrace 0.17    (guest-bpftrace.sh)
#   examples   examples/ with iperf3, nginx, curl,
#              systemd-networkd, Kubernetes' YAML   (guest-examples.sh)
#   bpf        tools/bpf with bpftool 7.1, no modules (guest-bpf.sh)
#
# A TEST is a function of the suite's guest without its test_ (default: all). The
# programs are Debian's packages, fetched and unpacked into the cache, not installed.
set -euo pipefail

suite=${1-}
test $# = 0 || shift
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=../emulator/emulator.sh
. "$top/selftests/emulator/emulator.sh"

die()
{
	echo "Bail out! $suite: $*"
	exit 1
}

# What the archive does not have cannot be tested here.
skip()
{
	echo "TAP version 13"
	echo "ok 1 - $suite # SKIP $*"
	echo "1..1"
	exit 0
}

# python_library PATH MODULE...: what of Python's own library these take, by name.
python_library()
{
	local PYTHONPATH=$1 PATH=/usr/bin:$PATH
	shift
	export PYTHONPATH
	SETUPTOOLS_USE_DISTUTILS=stdlib python3 -B -c 'import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
for name, module in sorted(sys.modules.items()):
    if (getattr(module, "__file__", None) or "").startswith("/usr/lib/python3."):
        print(name)' "$@"
}

# Each: what the guest has beyond the modules; STOCK_MODULES of the kernel.

root_mininet()
{
	STOCK_MODULES=(veth sch_htb sch_netem sch_red tcp_diag inet_diag)
	emu_packages "$root" mininet net-tools || skip "no package mininet to be had"
	rm "$root/bin/ifconfig"		# busybox's takes no prefix length
	emu_copy_with_libs "$root" bash
	# shellcheck disable=SC2046 # names
	SETUPTOOLS_USE_DISTUTILS=stdlib emu_python "$root" $(python_library \
		"$root/usr/lib/python3/dist-packages:$top/tools/mininet" dcc_mininet mn2lab leafspine \
		transfer mininet.net mininet.clean mininet.examples.cluster mininet.examples.clustercli \
		optparse encodings.ascii encodings.idna)
	install -D -m 755 -t "$root/tools/mininet" "$top"/tools/mininet/*.py
	install -D -m 644 -t "$root/tools/lab" "$top/tools/lab/ending.py"
	install -D -m 644 -t "$root/tools/lab/lablib" "$top"/tools/lab/lablib/*.py
	install -D -m 644 -t "$root/tools/lab/kernel" "$top/tools/lab/kernel/lab.config"
	(cd "$top" && cp --parents tcp_*/Kbuild tcp_*/*.c "$root/")	# who is ours
	ln -s /bin/python3 "$root/usr/bin/python3"
	install -m 644 -t "$root" "$top/README.md" "$here/links.py"
}

# Besides what it calls itself: the libraries of its libraries.
root_bpftrace()
{
	STOCK_MODULES=(veth sch_tbf sch_netem tcp_diag inet_diag)
	EMU_MEMORY_MB=2048
	EMU_PACK=cat
	emu_packages "$root" bpftrace libbpf1 libbpfcc libclang1-14 libclang-cpp14 libllvm14 libedit2 \
		libz3-4 libxml2 libicu72 libbsd0 libmd0 libdw1 libelf1 || skip "no package bpftrace to be had"
	emu_program "$root" xfer "$top/selftests/real/xfer.c"
	install -D -m 755 -t "$root/bpftrace" "$top"/tools/bpftrace/*.bt
}

# swift and mswift as BPF programs, and none of our modules.
root_bpf()
{
	local libbpf
	STOCK_MODULES=(veth sch_tbf sch_netem tcp_diag inet_diag sch_ingress cls_u32 act_pedit 8021q)
	OUR_MODULES=
	command -v clang >/dev/null || skip "no clang (apt-get install clang)"
	emu_packages "$root" bpftool libelf1 || skip "no package bpftool to be had"
	libbpf=$("$top/scripts/kernels.sh" packages libbpf-dev) || skip "no package libbpf-dev to be had"
	make -s -B -C "$top/tools/bpf" OUT="$work/bpf" BPF_INCLUDE="$libbpf/usr/include" ||
		die "tools/bpf does not build"
	install -m 644 -t "$root" "$work/bpf/swift.bpf.o" "$work/bpf/label.xdp.o"
	emu_program "$root" xfer "$top/selftests/real/xfer.c"
	emu_program "$root" card "$top/selftests/bench/card.c"
}

# Of systemd this program alone, and its library, which it looks for where it is.
add_networkd()
{
	local folders folder libraries=$root/usr/lib/x86_64-linux-gnu
	folders=$("$top/scripts/kernels.sh" packages systemd libsystemd-shared) || return 1
	mkdir -p "$libraries/systemd"
	while read -r folder; do
		find "$folder" -path '*/systemd/systemd-networkd' -type f -exec install -t "$root/sbin" {} +
		find "$folder" -name 'libsystemd-shared-*.so' -exec install -t "$libraries/systemd" {} +
	done <<<"$folders"
	LD_LIBRARY_PATH=$libraries emu_libs_of "$root" "$(echo "$libraries"/systemd/*.so)"
}

root_examples()
{
	STOCK_MODULES=(veth tcp_diag inet_diag)
	emu_packages "$root" iperf3 libiperf0 libsctp1 nginx libpcre2-8-0 libcrypt1 libssl3 zlib1g \
		curl libcurl4 libbrotli1 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libcom-err2 \
		libkrb5support0 libkeyutils1 libldap-2.5-0 libsasl2-2 libnghttp2-14 libidn2-0 \
		libunistring2 libpsl5 librtmp1 libgnutls30 libhogweed6 libnettle8 libgmp10 libp11-kit0 \
		libtasn1-6 libffi8 libssh2-1 libzstd1 libip4tc2 libseccomp2 python3-yaml ||
		skip "no iperf3, nginx, curl or yaml to be had"
	add_networkd || skip "no systemd to be had"
	# shellcheck disable=SC2046 # names
	emu_python "$root" argparse array json locale socket subprocess threading time \
		typing encodings.idna $(python_library "$root/usr/lib/python3/dist-packages" yaml)
	printf '%s:/:/bin/sh\n' root:x:0:0: systemd-network:x:998:998: www-data:x:33:33: >"$root/etc/passwd"
	printf '%s:\n' root:x:0 systemd-network:x:998 www-data:x:33 >"$root/etc/group"
	mkdir -p "$root/examples"
	cp -a "$top/examples/." "$root/examples/"
	install -m 755 -t "$root" "$here/daemonset.py"
}

our_modules()
{
	emu_build_our_modules "$root" "$work/build.log" ||
		die "the modules do not build (log: $work/build.log)"
}

# What the machine printed between "FILE NAME" and "FILE-END".
file_of_console()
{
	sed -n "/^FILE $1\$/,/^FILE-END\$/p" "$EMU_LOG" | sed '1d;$d'
}

# The example's picture and the importer's scenario, beside the machine.
after_mininet()
{
	file_of_console series.csv >"$work/series.csv"
	if test -s "$work/series.csv" && command -v gnuplot >/dev/null; then
		gnuplot -e "series='$work/series.csv'" "$top/tools/mininet/leafspine.gp" >"$work/leafspine.svg"
		tap_run "leafspine.gp draws the series" grep -c '<path' "$work/leafspine.svg"
	fi
	for shape in leafspine torus; do
		file_of_console $shape.lab >"$work/$shape.lab"
		test ! -s "$work/$shape.lab" ||
			tap_run "the lab reads what mn2lab.py made of a real Topo, $shape" \
				"$top/tools/lab/lab" check "$work/$shape.lab"
	done
}

case $suite in
mininet | bpftrace | examples | bpf) ;;
*)
	sed -n '3,16s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
. "$top/scripts/tap.sh"
emu_folder "programs-$suite"
work=$EMU_FOLDER
root=$work/root
OUR_MODULES=yes
emu_find_kernel 6.12 || die "see above"
emu_root "$root"
"root_$suite"
emu_init "$root" "$here/guest-$suite.sh"
emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}"
test -z "$OUR_MODULES" || our_modules
emu_initrd "$root" "$work/initrd"

EMU_INITRD=$work/initrd
EMU_LOG=$work/console.log
EMU_MEMORY_MB=${EMU_MEMORY_MB:-1024}
emu_virtual_time
# in init's environment, as all words with = that the kernel does not know
tests="$*"
EMU_CMDLINE+=" dcc_tests=${tests// /,}"
# One plan for the guest's tests and those that follow.
plan=cat
! declare -F "after_$suite" >/dev/null || plan="sed -u /^1\.\./d"
emu_boot | sed -un '/^TAP version/,/^1\.\./p' | sed -u '/^FILE /,/^FILE-END/d' | $plan || true
grep -q '^GUEST-END' "$EMU_LOG" ||
	{ tail -n 40 "$EMU_LOG" | sed 's/^/# /'; die "$(emu_broken_off)"; }
if declare -F "after_$suite" >/dev/null; then
	tap_tests=$(grep -acE '^(not )?ok ' "$EMU_LOG")
	"after_$suite"
	tap_end
fi
grep -q '^GUEST-END failed=0$' "$EMU_LOG"
