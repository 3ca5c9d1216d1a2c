#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A rehearsal: the modules as a series of patches against a kernel's source, what
# the kernel's own tools say of it, and what a maintainer would still object to.
#
#   upstream.sh [OPTION...] [TREE]
#
# TREE: a kernel's source, folder or tarball; it is copied into the cache, never
# changed. Default: the tarball that the lab's kernel is built from.
#
#   --out DIR       where patches and reports go (default: build/upstream)
#   --signoff WHO   'NAME <MAIL>' (default: git's user)
#   --last          builds after the last patch only, not after each
#   --series        only makes the series and applies it
#   --arch LIST     by commas (default: x86_64,i386,s390: the last is big-endian);
#                   the first is that of sparse, coccicheck and the builds after each patch
#   --jobs N        of each build (default: number of CPUs)
#
# Done to the series: git am; each patch checkpatch --strict; net/ipv4/dcc/ and TCP with W=1
# for each architecture, with sparse (C=2) for the first, after each patch; no symbol
# missing between the modules; kernel-doc; coccicheck and smatch where they can be
# had. A compiler for s390x and coccinelle are fetched as Debian's packages and
# unpacked into the cache, not installed, unless they are here. Fails if a patch does
# not apply or build; what the tools say is counted and shown, in DIR/objections.txt.
set -euo pipefail

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
texts=$top/packaging/upstream
place=net/ipv4/dcc
stack=(net/ipv4/tcp_input.o net/ipv4/tcp_output.o)	# what patches of TCP change
cache=$("$top/scripts/kernels.sh" cache)
out=$top/build/upstream
signoff='' last='' series='' source=''
arches=x86_64,i386,s390
jobs=$(nproc)
export LC_ALL=C KBUILD_BUILD_TIMESTAMP=@0

die()
{
	printf '%s\n' "upstream.sh: $*" >&2
	exit 1
}

say()
{
	printf '%s\n' "$*"
}

while test $# -gt 0; do
	case $1 in
	--out | --signoff | --arch | --jobs)
		test $# -gt 1 || die "$1 takes a value"
		case $1 in
		--out) out=$2 ;;
		--signoff) signoff=$2 ;;
		--arch) arches=$2 ;;
		--jobs) jobs=$2 ;;
		esac
		shift
		;;
	--last) last=1 ;;
	--series) series=1 ;;
	-h | --help) sed -n '3,28s/^# \{0,1\}//p' "$0"; exit 0 ;;
	-*) die "option '$1' is not known; allowed: --out --signoff --last --series --arch --jobs" ;;
	*) source=$1 ;;
	esac
	shift
done
for arch in ${arches//,/ }; do
	case $arch in
	x86_64 | i386 | s390) ;;
	*) die "architecture '$arch' is not known; allowed: x86_64 i386 s390" ;;
	esac
done

# The tarball that labbuild.py takes.
lab_source()
{
	PYTHONPATH=$top/tools/lab python3 -B -c '
import labbuild
print(labbuild.source_of(labbuild.cache_root()).tarball)'
}

# What is never read when net/ is compiled, and is most of a tarball.
EXCLUDES=(--exclude='*/drivers/*.[cS]' --exclude='*/drivers/*/*.h' --exclude='*/sound/*.[ch]'
	--exclude='*/fs/*.c' --exclude='*.dts' --exclude='*.dtsi' --exclude='*/tools/perf')
for name in alpha arc arm arm64 csky hexagon loongarch m68k microblaze mips nios2 openrisc \
	parisc powerpc riscv sh sparc xtensa; do
	EXCLUDES+=(--exclude="*/arch/$name/*.[chS]")
done

unpack_tarball()
{
	local part
	test -d "$tree" && return
	part=$(mktemp -d "$tree.XXXXXX")
	say "unpacking $source ..."
	if ! nice tar -C "$part" -xf "$source" --strip-components=1 "${EXCLUDES[@]}"; then
		rm -rf "$part"
		die "'$source' is no tarball of a kernel's source, or there is no room in $cache"
	fi
	rm -rf "$tree"
	mv -T "$part" "$tree"
}

copy_folder()
{
	mkdir -p "$tree"
	rsync -a --delete --exclude=/.git --exclude='*.o' --exclude=/.config \
		--exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' "$source/" "$tree/"
}

# One run at a time in the cache: another would take the tree from under the compiler.
# The lock goes with the shell and what it has started.
take_turn()
{
	mkdir -p "$cache/upstream"
	exec {turn}>"$cache/upstream/lock"
	flock -n "$turn" && return
	say "waiting for another run's end: it has $cache/upstream"
	flock "$turn"
}

# A copy in the cache, as the source has it: git knows of it only what we change.
take_source()
{
	source=${source:-$(lab_source)}
	test -e "$source" || die "'$source' does not exist; allowed: a kernel's source, folder or tarball"
	source=$(realpath "$source")
	tree=$cache/upstream/$(basename "$source")-$(stat -c '%n %s %Y' "$source" | sha256sum | cut -c 1-8)
	take_turn
	if test -d "$source"; then
		copy_folder
		rm -rf "$tree/.git"
	else
		unpack_tarball
	fi
	if test -d "$tree/.git"; then
		in_tree am --abort 2>/dev/null || true
		in_tree reset -q --hard base
	fi
}

in_tree()
{
	git -C "$tree" -c user.name=upstream -c user.email=upstream@localhost \
		-c commit.gpgsign=false -c advice.detachedHead=false "$@"
}

make_series()
{
	"$top/scripts/upstream.py" --tree "$tree" --out "$out/patches" ${signoff:+--signoff "$signoff"}
	mapfile -t patches < <(find "$out/patches" -name '[0-9]*.patch' ! -name '0000-*' | sort)
	test -d "$tree/.git" && return
	in_tree init -q
	in_tree apply --numstat "${patches[@]}" | cut -f 3 | sort -u | while IFS= read -r name; do
		test ! -e "$tree/$name" || in_tree add -f "$name"
	done
	in_tree commit -q -m base
	in_tree tag base
}

# checkpatch PATCH: as a mail list's robot would.
checkpatch()
{
	(cd "$tree" && perl scripts/checkpatch.pl --strict --terse --show-types --no-summary "$1") 2>>"$log" |
		sed "s|$out/patches/||" >>"$out/checkpatch.txt" || true
}

# A cross compiler of Debian's, unpacked. Prints its folder.
s390_folder()
{
	local gcc dir version
	gcc=$(apt-cache depends gcc-s390x-linux-gnu 2>/dev/null |
		sed -nE 's/^ *Depends: (gcc-[0-9]+-s390x-linux-gnu)$/\1/p')
	test -n "$gcc" || return 1
	version=$(apt-cache show --no-all-versions "$gcc" | sed -n 's/^Version: //p' | sed -n 1p)
	dir=$cache/debian-packages/cross-s390x-${version//:/_}
	"$top/scripts/kernels.sh" fetch "$dir" "$gcc" "cpp-${gcc#gcc-}" binutils-s390x-linux-gnu || return 1
	echo "$dir"
}

# toolchain ARCH: words for make, in $toolchain; fails if there is no compiler.
toolchain()
{
	local dir gcc
	toolchain=(ARCH="$1")
	test "$1" = s390 || return 0
	toolchain+=(CROSS_COMPILE=s390x-linux-gnu-)
	command -v s390x-linux-gnu-gcc >/dev/null && return 0
	dir=$(s390_folder 2>/dev/null) || return 1
	gcc=$(basename "$(find "$dir/usr/bin" -name 's390x-linux-gnu-gcc-[0-9]*' | sed -n 1p)")
	cross_path=$dir/usr/bin
	cross_lib=$dir/usr/lib/x86_64-linux-gnu
	toolchain+=(CC="$gcc")
}

# kmake ARCH ARGUMENT...
kmake()
{
	local cross_path='' cross_lib='' toolchain=() build=$cache/upstream/build-$1
	toolchain "$1" || return 1
	shift
	mkdir -p "$build"
	PATH=${cross_path:+$cross_path:}$PATH \
		LD_LIBRARY_PATH=${cross_lib:+$cross_lib:}${LD_LIBRARY_PATH-} \
		nice make -s -C "$tree" O="$build" -j"$jobs" "${toolchain[@]}" "$@"
}

# options_of ARCH: what the series is compiled with.
options_of()
{
	grep -h '^CONFIG_' "$texts/check.config"
	test "$1" = i386 || grep -h '^CONFIG_' "$texts/check-64bit.config"
}

# What the files of options ask for and this tree's Kconfig has must be set.
configure()
{
	local line symbol
	options_of "$1" >"$out/options"
	kmake "$1" KCONFIG_ALLCONFIG="$out/options" allnoconfig >"$log" 2>&1 || return 1
	while IFS= read -r line; do
		grep -qx "$line" "$cache/upstream/build-$1/.config" && continue
		symbol=${line%%=*}
		symbol=${symbol#CONFIG_}
		test -z "$(grep -rlx --include='Kconfig*' "config $symbol" "$tree/net" "$tree/init")" ||
			{ echo "$1: $line was not taken by Kconfig" >"$log"; return 1; }
	done <"$out/options"
}

# compile ARCH: the folder, for the first with sparse, with the warnings of ours kept.
compile()
{
	local arch=$1 sparse=()
	if test "$arch" = "$first_arch" && command -v sparse >/dev/null; then
		sparse=(C=2 CF=-D__CHECK_ENDIAN__)
	fi
	if ! { configure "$arch" && kmake "$arch" W=1 "${sparse[@]}" "${stack[@]}" "$place/" >"$log" 2>&1; }; then
		tail -n 30 "$log" >&2
		return 1
	fi
	grep -E "$place/[^:]*:.*(warning|error):" "$log" | sed "s|^.*$place/|$arch: $place/|" \
		>>"$out/build.txt" || true
	links "$arch"
}

# No module may want a dcc_ symbol that the library does not have, or a 64-bit division
# of the compiler's. (modpost wants a whole kernel; that the kernel exports the others
# is what `make` finds.)
links()
{
	local dir=$cache/upstream/build-$1/$place module missing
	for module in "$dir"/tcp_*.o; do
		case $module in *_main.o) continue ;; esac
		missing=$(comm -23 <(nm -u "$module" | awk '$2 ~ /^dcc_|^__u?(div|mod)di3$/ { print $2 }' | sort) \
			<(nm "$dir/tcp_dcc.o" | awk '$2 ~ /^[TDRB]$/ { print $3 }' | sort))
		test -z "$missing" || { echo "$(basename "$module") wants: $missing" >&2; return 1; }
	done
}

# Does a patch change what is compiled?
has_code()
{
	grep -qE "^\+\+\+ b/($place/|net/ipv4/.*\.c)" "$1"
}

first_arch=${arches%%,*}
command -v sparse >/dev/null || say "missing - sparse is not here (apt-get install sparse)"

# Nothing of an earlier series may be taken for this one's.
apply_all()
{
	local patch name
	rm -rf "$cache"/upstream/build-*/"${place:?}"
	for patch in "${patches[@]}"; do
		name=$(basename "$patch" .patch)
		in_tree am -q "$patch" || die "$name does not apply"
		test -z "$series" || continue
		checkpatch "$patch"
		test -z "$last" || continue
		has_code "$patch" || continue
		compile "$first_arch" || die "$name does not build for $first_arch"
		say "ok - $name applies and builds"
	done
	say "ok - ${#patches[@]} patches apply"
}

build_others()
{
	local arch
	for arch in ${arches//,/ }; do
		test -n "$last" || test "$arch" != "$first_arch" || continue
		if ! (toolchain "$arch"); then
			say "missing - $arch is not compiled: no compiler (apt-get install gcc-s390x-linux-gnu)"
			continue
		fi
		compile "$arch" || die "the series does not build for $arch"
		say "ok - builds for $arch"
	done
}

kernel_doc()
{
	(cd "$tree" && perl scripts/kernel-doc -none "$place"/*.[ch]) >"$out/kernel-doc.txt" 2>&1 ||
		grep -q "$place" "$out/kernel-doc.txt" || die "kernel-doc did not run: $out/kernel-doc.txt"
	say "ok - kernel-doc was run"
}

coccicheck()
{
	local dir spatch home=''
	spatch=$(command -v spatch || true)
	if test -z "$spatch" && dir=$("$top/scripts/kernels.sh" packages coccinelle 2>/dev/null); then
		spatch=$dir/usr/bin/spatch
		home=$dir/usr/lib/coccinelle
	fi
	if test -z "$spatch"; then
		say "missing - coccicheck is not run: no spatch (apt-get install coccinelle)"
		return
	fi
	export SPATCH=$spatch COCCINELLE_HOME=${home:-${COCCINELLE_HOME-}}
	coccicheck_rules
}

# One rule after the other: coccicheck itself ends at the first that cannot run, as
# those do that are written in OCaml where its compiler is not here.
coccicheck_rules()
{
	local rule ran=0 failed=
	while IFS= read -r rule; do
		if kmake "$first_arch" MODE=report M="$tree/$place" COCCI="$rule" coccicheck >"$log" 2>&1; then
			ran=$((ran + 1))
			grep -E "$place/[^:]*:[0-9]+" "$log" | sed "s|^.*$place/|$place/|" >>"$out/coccicheck.txt" || true
		else
			failed+=" ${rule##*/}"
		fi
	done < <(find "$tree/scripts/coccinelle" -name '*.cocci' -exec grep -l '^virtual report' {} + | sort)
	test $ran != 0 || die "coccicheck did not run; its last words: $log"
	say "ok - coccicheck: $ran rules were run"
	test -z "$failed" || say "missing - coccicheck: rules that could not run (OCaml?):$failed"
}

# checkpatch asks a script of the kernel's about licences, and takes silence for a yes.
licences()
{
	python3 -c 'import ply' 2>/dev/null ||
		say "missing - licence lines are not judged: no python module ply (apt-get install python3-ply)"
}

smatch_check()
{
	if ! command -v smatch >/dev/null; then
		say "missing - smatch is not run: it is not here, and Debian 12 has no package of it"
		return
	fi
	kmake "$first_arch" C=2 CHECK='smatch -p=kernel' "$place/" >"$log" 2>&1 || true
	grep -E "$place/[^:]*:[0-9]+" "$log" >"$out/smatch.txt" || true
	say "ok - smatch was run"
}

# count FILE: its lines, 0 if there is none.
count()
{
	if test -s "$1"; then wc -l <"$1"; else echo 0; fi
}

# count_of TEXT FILE...
count_of()
{
	cat "${@:2}" 2>/dev/null | grep -cE "$1" || true
}

# What can be counted; the rest is packaging/upstream/objections.md.
counted()
{
	local patch changed most=0 name=
	for patch in "${patches[@]}"; do
		changed=$(in_tree apply --numstat "$patch" | awk '{ n += $1 + $2 } END { print n + 0 }')
		test "$changed" -le "$most" || { most=$changed; name=$(basename "$patch" .patch); }
	done
	cat <<-END
	- ${#patches[@]} patches, $(in_tree apply --numstat "${patches[@]}" | awk '{ n += $1 } END { print n }') lines added; the longest, $name, $most lines
	- $(cat "$tree/$place"/*.[ch] | wc -l) lines of C in $(find "$tree/$place" -name '*.[ch]' | wc -l) files
	- $(count_of '^EXPORT_SYMBOL_GPL' "$tree/$place"/*.c) exported symbols, none in a namespace of its own (EXPORT_SYMBOL_NS_GPL)
	- $(count_of '^[|] `' <("$top/scripts/knob-doc.py")) knobs, counters and bits that users see
	- $(count_of '^static inline|^dcc_[a-z_]*\(' "$tree/$place/dcc_stack.h") wrappers of the stack in dcc_stack.h
	- $(find "$top/selftests/packetdrill/ours" -name '*.pkt' | wc -l) packetdrill scripts, $(find "$tree/tools/testing/selftests/net/packetdrill" -name 'tcp_dcc_*.pkt' | wc -l) of them in the series (the others want one IP version); run in virtual time by make check-packetdrill, and not yet by the kernel's own runner
	END
	test -n "$series" || findings
}

findings()
{
	local tool
	say "- checkpatch --strict: $(count "$out/checkpatch.txt") findings"
	sed -nE 's/.*(ERROR|WARNING|CHECK):([A-Z_]+):.*/\1 \2/p' "$out/checkpatch.txt" | sort | uniq -c |
		sort -rn | sed 's/^/  /'
	for tool in build kernel-doc coccicheck smatch; do
		test -e "$out/$tool.txt" || continue
		sort -u -o "$out/$tool.txt" "$out/$tool.txt"
		say "- $tool: $(count_of "$place" "$out/$tool.txt") findings"
		sed 's/^/  /' "$out/$tool.txt" | head -n 20
	done
}

for program in git perl python3 make gcc rsync flex bison bc; do
	command -v $program >/dev/null || die "$program is not here"
done
mkdir -p "$out"
out=$(realpath "$out")
log=$out/log.txt
rm -f "$out"/*.txt
touch "$out/build.txt" "$out/checkpatch.txt" "$out/coccicheck.txt"
take_source
make_series
apply_all
if test -z "$series"; then
	licences
	build_others
	kernel_doc
	coccicheck
	smatch_check
fi
{
	say "Counted:"
	counted
	say "As it is made:"
	cat "$texts/objections.md"
} >"$out/objections.tmp"
mv "$out/objections.tmp" "$out/objections.txt"
say "What a maintainer would still object to ($out/objections.txt):"
cat "$out/objections.txt"
