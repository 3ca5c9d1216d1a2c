# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Kernels in an emulator (no KVM, no root needed); sourced by bash scripts.
#
#   . selftests/emulator/emulator.sh
#   emu_find_kernel NAME                a stock kernel: a series of Debian 12
#                                       (6.1, 6.12), or from backports "newest",
#                                       a series or a release; sets EMU_RELEASE,
#                                       EMU_TREE, EMU_KDIR and EMU_KERNEL, and
#                                       PATH where it needs another compiler
#   emu_folder NAME                     a folder of the cache that no other run
#                                       uses: NAME, NAME.2, ...; sets EMU_FOLDER
#   emu_root R                          new file system in folder R: busybox,
#                                       dash as sh, ip, ss, tc, kmod
#   emu_program R NAME FILE [ARG...]    FILE as /bin/NAME; FILE.c is compiled,
#                                       statically, with gcc's ARGs
#   emu_copy_with_libs R PROGRAM...     programs of this machine and their
#                                       libraries
#   emu_python R MODULE...              this machine's Python, with these modules of
#                                       its library
#   emu_packages R NAME...              Debian's packages, unpacked, and what of this
#                                       machine's libraries their programs need
#   emu_init R SCRIPT                   SCRIPT as /init, guest-*.sh beside it
#   emu_stock_modules R TREE REL NAME...  modules of kernel REL, compressed ones
#                                       too, and all they depend on; TREE has
#                                       lib/modules/REL (kernels.sh image)
#   emu_our_modules R REL BUILD         all *.ko below BUILD, stripped, into
#                                       updates/
#   emu_build_our_modules R LOG         the same of this checkout's modules, built for
#                                       the kernel that was found, once for all suites
#   emu_initrd R FILE                   writes modules.dep and packs R into FILE, with
#                                       EMU_PACK (gzip -1; cat: more memory, sooner up)
#   emu_digest DIR                      a name for what is in DIR
#   emu_virtual_time                    sets EMU_CPUS, EMU_CMDLINE and EMU_QEMU_ARGS:
#                                       an instruction is a nanosecond, idle time is
#                                       skipped, chance is the same in each run
#   emu_boot                            runs the machine; its console goes to
#                                       stdout and into EMU_LOG
#   emu_broken_off                      prints why a machine did not come to its
#                                       end, and where its log is kept
#
# A function that fails says why on stderr and returns 1. emu_boot reads:
#
#   EMU_KERNEL      the kernel's image (a bzImage)
#   EMU_INITRD      what emu_initrd wrote
#   EMU_LOG         where the console's text is kept
#   EMU_CPUS        processors (2)
#   EMU_THREADS     single (default) or multi: a host thread for each of them
#   EMU_MEMORY_MB   memory (768)
#   EMU_CMDLINE     more for the kernel's command line; later words win
#   EMU_QEMU_ARGS   array: more arguments of qemu, such as
#                   (-icount shift=0,sleep=off), which makes time virtual
#   EMU_SILENCE_S   seconds without a new line after which the machine counts
#                   as hung and is ended (240)
#
# There is no limit of the whole run: on a busy host a machine is slow, not
# wrong. So a guest has to print something now and then (a comment line will
# do). emu_boot returns 0 if the machine ended itself (poweroff, or a panic,
# which its text shows), else 1, and then the console's last line says why.
#
# Programs need not match the guest's kernel; modules do: build them with
# scripts/build-for.sh for the headers of REL.

EMU_STATIC_FLAGS="-O2 -Wall -Wextra -Werror -static"
EMU_KEEP=10
EMU_KMOD_NAMES="modprobe rmmod insmod lsmod modinfo depmod"
EMU_HERE=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
EMU_SCRIPTS=$EMU_HERE/../../scripts

emu_error()
{
	echo "emulator: $*" >&2
	return 1
}

# Two runs at a time must not build and boot in the same folder. The lock goes
# with the shell (and with what it leaves running).
emu_folder()
{
	local name=$1 number=1
	EMU_FOLDER=$("$EMU_SCRIPTS/kernels.sh" cache)/$name
	while true; do
		mkdir -p "$EMU_FOLDER" || return 1
		exec {EMU_LOCK}>"$EMU_FOLDER/lock"
		flock -n "$EMU_LOCK" && return
		exec {EMU_LOCK}>&-
		number=$((number + 1))
		EMU_FOLDER=${EMU_FOLDER%/*}/$name.$number
	done
}

# A module must be built by its kernel's compiler, which is not Debian 12's.
emu_from_backports()
{
	local backports=$EMU_SCRIPTS/backports.sh compiler
	EMU_RELEASE=$("$backports" release "$1") &&
		EMU_TREE=$("$backports" image "$EMU_RELEASE") &&
		EMU_KDIR=$("$backports" headers "$EMU_RELEASE") &&
		compiler=$("$backports" compiler "$EMU_KDIR") || return 1
	PATH=$compiler:$PATH
}

emu_from_debian_12()
{
	local kernels=$EMU_SCRIPTS/kernels.sh
	EMU_RELEASE=$("$kernels" release "$1") &&
		EMU_TREE=$("$kernels" image "$1") &&
		EMU_KDIR=$("$kernels" headers "$1")
}

emu_find_kernel()
{
	case $1 in
	6.1 | 6.12) emu_from_debian_12 "$1" ;;
	*) emu_from_backports "$1" ;;
	esac || return 1
	EMU_KERNEL=$EMU_TREE/boot/vmlinuz-$EMU_RELEASE
}

# Of a static program ldd lists none, and fails; what came into the root as a
# package's is there.
emu_libs_of()
{
	local root=$1 lib
	while read -r lib; do
		test "${lib#"$root"/}" = "$lib" || continue
		test -e "$root$lib" || install -D "$(readlink -f "$lib")" "$root$lib"
	done < <(ldd "$2" 2>/dev/null | grep -o '/[^ ]*')
}

# Without symbolic links between here and the file: the copy has another root.
emu_copy_with_libs()
{
	local root=$1 name file
	shift
	for name in "$@"; do
		file=$(command -v "$name") || file=$(PATH=$PATH:/usr/sbin:/sbin command -v "$name") ||
			{ emu_error "no program '$name' on this machine"; return 1; }
		file=$(readlink -f "$file")
		rm -f "$root/bin/$name"
		install -D "$file" "$root/bin/$name"
		emu_libs_of "$root" "$file"
	done
}

# Debian's busybox shell prefers its own ip, modprobe ... to those in PATH:
# hence dash, and names taken from busybox where the real program is there.
emu_root()
{
	local root=$1 name
	rm -rf "$root"
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,run,tmp,etc}
	emu_copy_with_libs "$root" busybox || return 1
	busybox --list | while read -r name; do
		test "$name" = busybox || ln -sfn busybox "$root/bin/$name"
	done
	for name in $EMU_KMOD_NAMES; do
		rm -f "$root/bin/$name"
		ln -s ../bin/kmod "$root/sbin/$name"
	done
	emu_copy_with_libs "$root" dash ip ss tc kmod || return 1
	ln -sfn dash "$root/bin/sh"
}

emu_program()
{
	local root=$1 name=$2 file=$3
	shift 3
	rm -f "$root/bin/$name"
	case $file in
	*.c)
		# shellcheck disable=SC2086 # a list of words
		gcc $EMU_STATIC_FLAGS -o "$root/bin/$name" "$file" "$@" ||
			emu_error "cannot compile $file"
		;;
	*) install "$file" "$root/bin/$name" || emu_error "no program $file" ;;
	esac
}

# The library is in the file system as it is here; modules name their own needs.
emu_python()
{
	local root=$1 PATH=/usr/bin:$PATH file	# Debian's, whatever else there is
	shift
	emu_copy_with_libs "$root" python3 || return 1
	python3 -c 'import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
for module in list(sys.modules.values()):
    if getattr(module, "__file__", None):
        print(module.__file__)' "$@" | while read -r file; do
		install -D -m 644 "$file" "$root$file"
		test "${file%.so}" = "$file" || emu_libs_of "$root" "$file"
	done
}

# Programs and libraries, by their first bytes.
emu_elf_files()
{
	local file
	find "$@" -type f | while read -r file; do
		! head -c 4 "$file" | grep -qa ELF || echo "$file"
	done
}

emu_packages()
{
	local root=$1 folders folder file missing LD_LIBRARY_PATH=$1/usr/lib/x86_64-linux-gnu
	shift
	folders=$("$EMU_SCRIPTS/kernels.sh" packages "$@") || return 1
	export LD_LIBRARY_PATH
	while read -r folder; do
		(cd "$folder" && find . ! -type d ! -name fetch.log ! -path './usr/share/doc/*' |
			cpio -p --quiet --make-directories "$root") || return 1
	done <<<"$folders"
	while read -r file; do
		missing=$(ldd "$file" 2>/dev/null | grep 'not found')
		test -z "$missing" || { emu_error "${file#"$root"}:$missing; allowed: a package with it"; return 1; }
		emu_libs_of "$root" "$file"
	done < <(emu_elf_files "$root/usr")
}

emu_init()
{
	install -m 755 "$2" "$1/init" || { emu_error "no guest script $2"; return 1; }
	install -m 644 "$EMU_HERE"/guest-*.sh "$1/"
}

# modprobe wants modules.dep, which a package makes when it is installed.
emu_prepare_tree()
{
	local tree=$1 release=$2
	test -d "$tree/lib/modules/$release" ||
		{ emu_error "no modules of $release in $tree"; return 1; }
	# the last file that depmod writes
	test -e "$tree/lib/modules/$release/modules.devname" ||
		depmod -b "$tree" "$release" 2>/dev/null
}

# What is built into the kernel needs no copy; what does not exist is an error.
emu_stock_modules()
{
	local root=$1 tree=$2 release=$3 base=lib/modules/$3 name files file
	shift 3
	emu_prepare_tree "$tree" "$release" || return 1
	mkdir -p "$root/$base"
	cp "$tree/$base"/modules.{builtin,builtin.modinfo,order} "$root/$base/"
	for name in "$@"; do
		files=$(modprobe -d "$tree" -S "$release" --show-depends "$name" 2>&1) ||
			{ emu_error "kernel $release: $files"; return 1; }
		sed -n "s|^insmod $tree/\\([^ ]*\\).*|\\1|p" <<<"$files" | while read -r file; do
			test -e "$root/$file" || install -D -m 644 "$tree/$file" "$root/$file"
		done
	done
}

emu_our_modules()
{
	local updates=$1/lib/modules/$2/updates ko found=
	mkdir -p "$updates"
	while read -r ko; do
		found=yes
		strip --strip-debug -o "$updates/${ko##*/}" "$ko"
	done < <(find "$3" -name '*.ko')
	test -n "$found" || emu_error "no modules (*.ko) in $3"
}

# Whoever comes while another builds waits, and finds it done. The lock is held until
# the modules are copied: the next one may be of another checkout.
emu_build_our_modules()
{
	local build lock status=0
	build=$("$EMU_SCRIPTS/kernels.sh" cache)/built-$EMU_RELEASE
	mkdir -p "$build" || return 1
	exec {lock}>"$build.lock"
	flock "$lock"
	"$EMU_SCRIPTS/build-for.sh" "$EMU_KDIR" "$build" >"$2" 2>&1 &&
		emu_our_modules "$1" "$EMU_RELEASE" "$build" || status=1
	exec {lock}>&-
	return $status
}

emu_initrd()
{
	local root=$1 file=$2 base
	for base in "$root"/lib/modules/*/; do
		test -d "$base" || continue
		depmod -b "$root" "$(basename "$base")" || return 1
	done
	(cd "$root" && find . | cpio -o -H newc --quiet | ${EMU_PACK:-gzip -1}) >"$file.part"
	mv "$file.part" "$file"
}

emu_digest()
{
	tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 -cf - . | sha256sum | cut -c 1-16
}

# Copying by single bytes (erms, fsrm) would count each byte, which no real processor does.
emu_virtual_time()
{
	EMU_CPUS=1
	EMU_CMDLINE="tsc=reliable clocksource=tsc nokaslr"
	EMU_QEMU_ARGS=(-icount "shift=0,sleep=off" -cpu "max,-erms,-fsrm" -seed 1
		-rtc "base=2026-01-01T00:00:00,clock=vm")
}

# Serial console only; the machine leaves by poweroff or panic, or with us.
#
# Processors in threads of their own race with each other in qemu before 8.1: one that
# translates code while the kernel patches it may run into the breakpoint after it was
# taken back (Oops: int3), whenever an event is traced or a first filter is set. In turns
# they do not; that takes no more of the host's time, and longer on a busy one.
emu_qemu()
{
	exec setpriv --pdeathsig KILL qemu-system-x86_64 -accel "tcg,thread=${EMU_THREADS:-single}" -cpu max -smp "${EMU_CPUS:-2}" \
		-m "${EMU_MEMORY_MB:-768}" -nodefaults -no-reboot -display none -serial stdio \
		-kernel "$EMU_KERNEL" -initrd "$EMU_INITRD" \
		-append "console=ttyS0 quiet panic=-1 rdinit=/init mitigations=off no_timer_check trace_options=norecord-cmd ${EMU_CMDLINE-}" \
		"${EMU_QEMU_ARGS[@]}" </dev/null 2>&1
}

emu_say()
{
	printf '%s\n' "$1"
	printf '%s\n' "$1" >>"$EMU_LOG"
}

# emu_watch PID: passes the console's lines on; ends the machine if none comes.
emu_watch()
{
	local line status silence=${EMU_SILENCE_S:-240}
	while true; do
		status=0
		IFS= read -r -t "$silence" line || status=$?
		test $status = 0 || break
		emu_say "${line//$'\r'/}"
	done
	test -z "$line" || emu_say "${line//$'\r'/}"
	# read tells the end of the input (1) from a timeout (above 128)
	test $status -gt 128 || return 0
	kill "$1" 2>/dev/null
	emu_say "emulator: ended the machine, it had been silent for $silence s"
	return 1
}

# The next run has another log: this one is kept, with the last $EMU_KEEP like it.
emu_broken_off()
{
	local kept why
	kept=${EMU_LOG%.log}-failed-$(date +%Y%m%d-%H%M%S).log
	cp "$EMU_LOG" "$kept"
	find "${EMU_LOG%/*}" -maxdepth 1 -name "$(basename "${EMU_LOG%.log}")-failed-*.log" |
		sort -r | sed "1,${EMU_KEEP}d" | xargs -r rm -f
	why=$(tail -n 1 "$EMU_LOG")
	case $why in
	'emulator: '*) why=${why#emulator: } ;;
	*) why="the machine ended before its last words" ;;
	esac
	echo "$why (log: $kept)"
}

emu_start()
{
	local fd status=0
	: >"$EMU_LOG"
	exec {fd}< <(emu_qemu)
	emu_watch $! <&"$fd" || status=$?
	exec {fd}<&-
	return $status
}

# Did an emulated processor run into a breakpoint that the kernel had taken back while
# it booted, before there was any program, or module, of ours?
emu_stumbled() { head -n 1 "$EMU_LOG" | grep -q '] Oops: int3:'; }

emu_boot()
{
	local status
	: "${EMU_KERNEL:?}" "${EMU_INITRD:?}" "${EMU_LOG:?}"
	: >"$EMU_LOG"
	test -r "$EMU_KERNEL" || { emu_error "no kernel $EMU_KERNEL"; return 1; }
	declare -p EMU_QEMU_ARGS >/dev/null 2>&1 || EMU_QEMU_ARGS=()
	for _ in 1 2 3; do
		status=0
		emu_start || status=$?
		emu_stumbled || break
	done
	return $status
}
