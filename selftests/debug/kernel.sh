#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The debug kernel, built once into the cache.
#
#   kernel.sh build     builds it if it is not there; prints its folder
#   kernel.sh dir       only the folder's name
#
# The folder has bzImage, release and tree/, which is the KDIR of modules. Its
# name is made of what it was built from (source package, debug.config, compiler,
# RECIPE). A build that was stopped goes on where it stopped.
set -euo pipefail

SOURCE_PACKAGE=linux-source-6.12
TARBALL=/usr/src/$SOURCE_PACKAGE.tar.xz
JOBS=${DEBUG_JOBS:-$(nproc)}
KEEP=2
# A change of this script that changes what is built changes this number.
RECIPE=1
# Lines make prints for the whole kernel (counted), for the percentage.
STEPS=1860
STEP_PERCENT=10

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
cache=$("$here/../../scripts/kernels.sh" cache)
# A kernel must not know where, when and by whom it was built.
export KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' KBUILD_BUILD_VERSION=1
export KBUILD_BUILD_USER=debug KBUILD_BUILD_HOST=debug LC_ALL=C CCACHE_DEPEND=1
# A make that calls us must not hand its own flags and jobs down.
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT ARCH CROSS_COMPILE

say() { echo "debug kernel: $*" >&2; }

die()
{
	say "$*"
	exit 1
}

kernel_id()
{
	{
		dpkg-query -W -f '${Version}\n' $SOURCE_PACKAGE
		gcc --version | head -n 1
		echo "recipe $RECIPE"
		cat "$here/debug.config"
	} | sha256sum | cut -c1-16
}

# Drivers this configuration never reads are not unpacked: most of the time
# and the space. Kconfig files and Makefiles stay, Kconfig reads all.
unpack()
{
	say "unpacking $TARBALL"
	rm -rf "$tree"
	mkdir -p "$tree"
	xz -dc -T0 "$TARBALL" | tar x -C "$tree" --strip-components=1 \
		--exclude="$SOURCE_PACKAGE/Documentation/*/*" \
		--exclude="$SOURCE_PACKAGE/tools/testing" \
		--exclude="$SOURCE_PACKAGE/tools/perf" \
		--exclude="$SOURCE_PACKAGE/sound/*.[chS]" \
		--exclude="$SOURCE_PACKAGE/drivers/gpu/*.[chS]" \
		--exclude="$SOURCE_PACKAGE/drivers/media/*.[chS]" \
		--exclude="$SOURCE_PACKAGE/drivers/staging/*.[chS]" \
		--exclude="$SOURCE_PACKAGE/drivers/net/ethernet/*.[chS]" \
		--exclude="$SOURCE_PACKAGE/drivers/net/wireless/*.[chS]" ||
		die "cannot unpack $TARBALL to $tree: disk full?"
	touch "$temp/unpacked"
}

# Every line of the fragment must have taken, or the kernel tests less than
# debug.config says.
configure()
{
	local lost
	make -s -C "$tree" KCONFIG_ALLCONFIG="$here/debug.config" allnoconfig >>"$log" 2>&1 ||
		die "configuration failed; whole log: $log"
	lost=$(grep '^CONFIG_' "$here/debug.config" | grep -v '=n$' |
		grep -Fxv -f "$tree/.config" || true)
	test -z "$lost" || die "debug.config: $SOURCE_PACKAGE does not take" $lost
	touch "$temp/configured"
}

# Shows the percentage of what make has printed.
progress()
{
	awk -v steps=$STEPS -v step=$STEP_PERCENT '
		/^  / { percent = int(100 * ++n / steps)
			if (percent >= last + step && percent < 100) {
				last = percent - percent % step
				print "debug kernel: " last " %" >"/dev/stderr" } }
		{ print; fflush() }' >>"$log"
}

compile()
{
	local cc=gcc
	command -v ccache >/dev/null && cc="ccache gcc"
	say "compiling with $JOBS jobs: about 10 minutes on 2 idle cores, the first time only"
	make -C "$tree" -j"$JOBS" CC="$cc" HOSTCC="$cc" bzImage modules 2>&1 | progress ||
		die "the build failed; whole log: $log
$(grep -E 'error|Error' "$log" | tail -n 5)"
}

# What building modules needs, as Debian's linux-headers packages have it.
trim()
{
	cp "$tree/arch/x86/boot/bzImage" "$temp/bzImage"
	cp "$tree/include/config/kernel.release" "$temp/release"
	mkdir "$temp/kept"
	(cd "$tree" && cp -al --parents Makefile Kconfig Kbuild .config Module.symvers \
		include scripts arch/x86 tools/objtool/objtool "$temp/kept" 2>/dev/null || true)
	rm -rf "$tree"
	mv "$temp/kept" "$tree"
	find "$tree/arch" -name '*.[oSca]' -delete
}

# The kernels used longest ago go, so that the cache stays bounded.
prune()
{
	find "$cache" -maxdepth 1 -name 'debug-kernel-????????????????' -printf '%T@ %p\n' |
		sort -rn | tail -n +$((KEEP + 1)) | cut -d' ' -f2- | xargs -r rm -rf
}

build()
{
	test -d "$home" && return
	test -r "$TARBALL" || die "$TARBALL is missing; run scripts/setup.sh"
	mkdir -p "$temp"
	exec 9>"$temp.lock"
	flock -n 9 || { say "waiting for another build"; flock 9; }
	test -d "$home" && return
	test -e "$temp/unpacked" || unpack
	test -e "$temp/configured" || configure
	compile
	trim
	mv -T "$temp" "$home"
	rm -f "$temp.lock" "$log"
	prune
	say "built $home"
}

home=$cache/debug-kernel-$(kernel_id)
temp=$home.part
tree=$temp/tree
log=$home.log
case ${1-} in
build) build; echo "$home" ;;
dir) echo "$home" ;;
*) sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
