#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# packetdrill's scripts, the kernel's and our own against each algorithm, on a
# stock kernel in the emulator, in virtual time: one instruction is one
# nanosecond and idle time is skipped, so a busy host changes no result.
#
#   run.sh --packetdrill TARBALL_OR_DIR [OPTION...]
#
#   --packetdrill P   packetdrill's sources (or PACKETDRILL in the environment);
#                     without them the test says that it was not run
#   --kernel K        series of the stock kernel: 6.12 (default), 6.1
#   --source S        a kernel's source (tarball or folder) whose scripts run,
#                     too; may be repeated (default: /usr/src/linux-source-*.tar.xz)
#   --cc LIST         algorithms, by commas (default: cubic and all of ours);
#                     cubic is the control: left out, its results of the last
#                     run count
#   --ip LIST         ipv4,ipv4-mapped-ipv6,ipv6, the first for all algorithms, the
#                     others for some (default: ipv4); our own scripts run over
#                     ipv6 with all
#   --others LIST     for which of them (default: cubic,mswift,nscc)
#   --only PATTERN    only scripts whose name matches (grep -E), as google/sack
#   --line-rate MBPS  what our algorithms take for the speed of the tun device
#                     (default: 10000, what it says itself; 0: unknown)
#   --jobs N          machines at a time (default: number of CPUs)
#   --matrix FILE     also writes the matrix there (markdown; into a page between
#                     <!-- matrix --> and <!-- end -->)
#
# Prints TAP, one test for each script and algorithm: a script that the control
# passes has to pass, or expected.tsv has to say why not; an excuse that is no
# longer needed fails, too.
set -euo pipefail

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
kernels=$top/scripts/kernels.sh
# shellcheck source=../emulator/emulator.sh
. "$here/../emulator/emulator.sh"

CONTROL=cubic
STOCK_MODULES=(tun sch_fq)
packetdrill=${PACKETDRILL-}
series=6.12
sources=()
algorithms=cubic,swift,lswift,mswift,nscc,mnscc,oscar,prioplus,prioplus_ledbat,ledbat
families=ipv4
others=cubic,mswift,nscc
only=.
line_rate=10000
jobs=$(nproc)
matrix=
consoles=()

# Also from within $(...): to where the TAP goes.
exec 3>&1
die()
{
	echo "Bail out! packetdrill: $*" >&3
	exit 1
}

usage()
{
	sed -n '3,30s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

while test $# -gt 0; do
	case $1 in
	--packetdrill | --kernel | --source | --cc | --ip | --others | --only | --line-rate | \
		--jobs | --matrix)
		test $# -gt 1 || die "$1 needs a value"
		;;
	*) usage ;;
	esac
	case $1 in
	--packetdrill) packetdrill=$2 ;;
	--kernel) series=$2 ;;
	--source) sources+=("$2") ;;
	--cc) algorithms=$2 ;;
	--ip) families=$2 ;;
	--others) others=$2 ;;
	--only) only=$2 ;;
	--line-rate) line_rate=$2 ;;
	--jobs) jobs=$2 ;;
	--matrix) matrix=$2 ;;
	esac
	shift 2
done

if test -z "$packetdrill"; then
	echo "1..0 # SKIP packetdrill not given: run.sh --packetdrill TARBALL_OR_DIR, or PACKETDRILL=..."
	exit 0
fi
test -e "$packetdrill" || die "no packetdrill at '$packetdrill'"

cache=$("$kernels" cache)
work=$cache/packetdrill-$series
mkdir -p "$work"
exec 9>"$work/lock"
flock -n 9 || die "another run with kernel $series is going on ($work/lock)"

# digest FILE_OR_DIR: names its content, so that another version is built anew.
digest()
{
	if test -d "$1"; then
		tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 -cf - . | sha256sum | cut -c 1-12
	else
		sha256sum <"$1" | cut -c 1-12
	fi
}

# unpacked SOURCE DIR [PATTERN...]: the contents of a tarball or folder in DIR.
unpacked()
{
	local source=$1 dir=$2
	shift 2
	test -d "$dir" && return
	rm -rf "$dir.part"
	mkdir -p "$dir.part"
	if test -d "$source"; then
		cp -a "$source/." "$dir.part/"
	else
		tar -xf "$source" -C "$dir.part" --wildcards "$@"
	fi
	mv -T "$dir.part" "$dir"
}

# Prints the folder gtests/net of a built packetdrill.
build_packetdrill()
{
	local dir net
	dir=$cache/packetdrill-src-$(digest "$packetdrill")
	unpacked "$packetdrill" "$dir" '*'
	net=$(find "$dir/" -type d -path '*gtests/net' | sed -n 1p)
	test -n "$net" || die "no folder gtests/net in $packetdrill"
	if ! test -x "$net/packetdrill/packetdrill"; then
		(cd "$net/packetdrill" && ./configure && make packetdrill) >"$work/packetdrill.log" 2>&1 ||
			die "packetdrill does not build (bison and flex are needed; log: $work/packetdrill.log)"
	fi
	echo "$net"
}

# kernel_scripts SOURCE: prints the folder with a kernel's scripts and its name; only
# its name if it has none, which an old kernel that just lies here may.
kernel_scripts()
{
	local dir folder name
	name=$(basename "$1")
	name=${name#linux-source-}
	name=linux-${name%.tar.*}
	if test -d "$1"; then
		dir=$1
	else
		dir=$cache/packetdrill-$name-$(stat -c '%s-%Y' "$1")
		unpacked "$1" "$dir" '*/tools/testing/selftests/net/packetdrill/*'
	fi
	folder=$(find "$dir/" -type d -path '*selftests/net/packetdrill' | sed -n 1p)
	test -n "$folder" || test ${#sources[@]} -eq 0 ||
		die "no tools/testing/selftests/net/packetdrill in $1"
	echo "$folder $name"
}

# The scripts name cubic in one place, the file that sets "production values":
# there the algorithm under test takes its place. What they call to set values
# is replaced by what does the same quicker. Nothing else is changed.
add_scripts()
{
	local folder=$1 set=$2
	mkdir -p "$root/pd"
	cp -rL "$folder" "$root/pd/$set"
	find "$root/pd/$set" -name defaults.sh -exec sed -i \
		's/tcp_congestion_control=cubic/tcp_congestion_control="${DCC_CC:?}"/' {} +
	find "$root/pd/$set" -name set_sysctls.py -exec cp "$here/set_sysctls.sh" {} \;
	(cd "$root/pd" && find "$set" -name '*.pkt' | { grep -vE "$only" || true; } |
		while read -r name; do rm "$name"; done)
}

# bash, python and the other programs that the scripts call.
add_programs()
{
	local python file
	emu_copy_with_libs "$root" bash sysctl nstat || die "see above"
	# a few scripts want it; without it the control fails them, too
	emu_copy_with_libs "$root" ethtool 2>/dev/null || echo "# no ethtool on this machine"
	emu_program "$root" packetdrill "$net/packetdrill/packetdrill"
	cp "$here/sysctl.bash" "$root/etc/"
	# Debian's: another one in PATH may have its library elsewhere
	PATH=/usr/bin:/bin emu_copy_with_libs "$root" python3 || die "see above"
	python=$(basename "$(readlink -f /usr/bin/python3)")
	dpkg -L "lib$python-minimal" | while read -r file; do
		test ! -f "$file" || install -D -m 644 "$file" "$root$file"
	done
	# the scripts' assertions need nothing of site-packages: half the start
	mv "$root/bin/python3" "$root/bin/python3.real"
	printf '#!/bin/sh\nexec python3.real -S "$@"\n' >"$root/bin/python3"
	chmod 755 "$root/bin/python3"
	ln -sfn ../bin "$root/usr/bin"
}

make_root()
{
	local source pair wanted=("${sources[@]}")
	emu_root "$root" || die "see above"
	add_programs
	mkdir -p "$work/google"
	rsync -a --delete "$net/tcp" "$net/common" "$work/google/"
	add_scripts "$work/google" google
	test ${#wanted[@]} -gt 0 || wanted=(/usr/src/linux-source-*.tar.xz)
	for source in "${wanted[@]}"; do
		test -e "$source" || { echo "# no kernel source at $source"; continue; }
		pair=$(kernel_scripts "$source") || exit 1
		test -n "${pair% *}" || { echo "# no scripts of packetdrill in $source"; continue; }
		add_scripts "${pair% *}" "${pair##* }"
	done
	add_scripts "$here/ours" ours
	emu_init "$root" "$here/guest.sh"
	emu_stock_modules "$root" "$EMU_TREE" "$EMU_RELEASE" "${STOCK_MODULES[@]}" || die "see above"
	emu_our_modules "$root" "$EMU_RELEASE" "$work/build" || die "see above"
	emu_initrd "$root" "$work/initrd"
}

# What the control fails says nothing about us and need not be run with ours:
# a list for the guest, as a second archive behind the first.
add_control()
{
	local extra=$work/extra
	rm -rf "$extra"
	mkdir -p "$extra"
	awk -F '\t' '$1 == "RESULT" && $5 == "fail" && $4 !~ "^ours/" { print $3 " " $4 }' \
		/dev/null $(ls "$work"/console-$CONTROL-*.log 2>/dev/null) >"$extra/control-fails"
	(cd "$extra" && find . | cpio -o -H newc --quiet | gzip -1) >>"$work/initrd"
}

# runs_over CC IP: the first family is for all.
runs_over()
{
	case ,$families, in
	",$2,"*) ;;
	*",$2,"*) case ,$others, in *",$1,"*) ;; *) return 1 ;; esac ;;
	*) return 1 ;;
	esac
}

# boot CC IP: one machine for one algorithm, results in a file of their own. Our
# scripts run over ipv6 once: with it, or else with the first family.
boot()
{
	local ours=
	test "$2" != "${families%%,*}" || runs_over "$1" ipv6 || ours=ipv6
	EMU_INITRD=$work/initrd
	EMU_LOG=$work/console-$1-$2.log
	EMU_CPUS=1
	EMU_CMDLINE="dcc_cc=$1 dcc_ip=$2 dcc_ours=$ours dcc_rate=$line_rate"
	EMU_QEMU_ARGS=(-icount shift=0,sleep=off)
	emu_boot >/dev/null || tail -n 1 "$EMU_LOG" | sed 's/^/# /'
}

# boot_all "CC...": each with each family, as many at a time as told.
boot_all()
{
	local cc ip
	for ip in ${families//,/ }; do
		for cc in $1; do
			runs_over "$cc" "$ip" || continue
			while test "$(jobs -rp | wc -l)" -ge "$jobs"; do wait -n || true; done
			boot "$cc" "$ip" &
		done
	done
	wait
}

emu_find_kernel "$series" || die "see above"
root=$work/root
net=$(build_packetdrill) || exit 1

if ! "$top/scripts/build-for.sh" "$EMU_KDIR" "$work/build" >"$work/build.log" 2>&1; then
	tail -n 20 "$work/build.log" | sed 's/^/# /'
	die "the modules do not build (whole log: $work/build.log)"
fi
make_root
ours=
for cc in ${algorithms//,/ }; do
	rm -f "$work/console-$cc"-*.log
	test "$cc" = $CONTROL || ours+=" $cc"
done
test "${ours# }" = "${algorithms//,/ }" || boot_all $CONTROL
add_control
boot_all "$ours"
for cc in $CONTROL $ours; do
	for ip in ${families//,/ }; do
		test ! -e "$work/console-$cc-$ip.log" || consoles+=("$work/console-$cc-$ip.log")
	done
done
partial=
test "$only" = . || partial=--partial
exec python3 "$here/judge.py" --expected "$here/expected.tsv" $partial \
	${matrix:+--matrix "$matrix"} "${consoles[@]}"
