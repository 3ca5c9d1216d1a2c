#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kdir-check.sh KDIR [CC [CROSS_COMPILE [LLVM]]]: can modules be built against KDIR?
# Prints the argument that gives kbuild its compiler ("CC=gcc-12"), or says on stderr
# what is wrong and which command mends it. What the user chose by one of the three is
# kept, or refused: never overruled in silence.
#
# A module built by another compiler than its kernel may fail to compile
# (options the compiler does not know) or to load, with messages that name
# neither: so the compiler is checked here, before the build.
set -u

kdir=${1:?usage: kdir-check.sh KDIR [CC [CROSS_COMPILE [LLVM]]]; make runs it}
given=${2-}
cross=${3-}
llvm=${4-}

die()
{
	for line in "$@"; do
		echo "$line" >&2
	done
	exit 1
}

# The kernel's release, where the folder's name tells it.
case $kdir in
/lib/modules/*/build) rel=${kdir#/lib/modules/} rel=${rel%/build} ;;
*) rel=$(uname -r) ;;
esac
test "$rel" = "$(uname -r)" && whose="the running kernel" || whose="kernel $rel"

# What to install when the headers are not there, by distribution.
headers_advice()
{
	if command -v apt-get >/dev/null && apt-cache show "linux-headers-$rel" >/dev/null 2>&1; then
		echo "  apt-get install linux-headers-$rel"
	elif command -v apt-get >/dev/null; then
		echo "  (apt knows no linux-headers-$rel: if apt-get update does not help, they come"
		echo "  from where this kernel came from)"
	elif command -v dnf >/dev/null; then
		echo "  dnf install kernel-devel-$rel"
	elif command -v pacman >/dev/null; then
		echo "  pacman -S linux-headers"
	elif command -v zypper >/dev/null; then
		echo "  zypper install kernel-default-devel"
	else
		echo "  (your distribution's kernel headers for $rel)"
	fi
}

# Headers of other kernels that are installed, for the user to choose from.
other_headers()
{
	for d in /lib/modules/*/build /usr/src/linux-headers-*; do
		test -f "$d/.config" && echo "  make KDIR=$(readlink -f "$d")"
	done | sort -u
}

config()
{
	sed -n "s/^CONFIG_$1=\"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\}\$/\\1/p" "$kdir/.config"
}

major_of()
{
	"$1" -dumpversion 2>/dev/null | cut -d. -f1
}

# The compiler of the wanted family and major version, by any of its names.
find_compiler()
{
	for cc in "$named" "$family-$major" "$cross$family-$major" "$cross$family"; do
		case $cc in "$cross"*) ;; *) continue ;; esac
		command -v "$cc" >/dev/null || continue
		test "$(major_of "$cc")" = "$major" || continue
		echo "$cc"
		return 0
	done
	return 1
}

compiler_advice()
{
	here=$(command -v "$cross$family" >/dev/null && major_of "$cross$family")
	die "The kernel of $kdir was built with $family $major ($(config CC_VERSION_TEXT));" \
	    "here is $cross$family ${here:-missing}. Install the kernel's compiler, for example" \
	    "  apt-get install $family-$major${cross:+-${cross%-}}" \
	    "or build with another one at your own risk: make KDIR=$kdir CC=$cross$family"
}

if ! test -d "$kdir/"; then
	others=$(other_headers)
	die "No kernel headers: $kdir is not there. Install those of $whose:" \
	    "$(headers_advice)" \
	    "or name another kernel's${others:+; found here:}" \
	    "${others:-  make KDIR=FOLDER (none is installed here)}"
fi
for f in Makefile .config Module.symvers include/generated/autoconf.h; do
	test -e "$kdir/$f" || die \
		"$kdir has no $f: it is not a prepared kernel build folder." \
		"In a kernel source tree run: make olddefconfig && make modules_prepare" \
		"(and make, for Module.symvers); of a distribution, reinstall the headers:" \
		"$(headers_advice)"
done
for want in MODULES NET INET IPV6 SYSCTL NETFILTER; do
	value=$(config $want)
	if test "$value" != y && test "$want $value" != "IPV6 m"; then
		die "The kernel of $kdir has CONFIG_$want=${value:-n}; these modules need y."
	fi
done
if test "$(config MODULE_SIG_FORCE)" = y; then
	echo "Note: this kernel loads signed modules only (CONFIG_MODULE_SIG_FORCE=y)." >&2
fi

if test -n "$given"; then
	command -v "${given%% *}" >/dev/null ||
		die "CC=$given is not there; install it or leave CC out."
	echo "CC=$given"
	exit 0
fi

if test "$(config CC_IS_CLANG)" = y; then
	family=clang
	major=$(($(config CLANG_VERSION) / 10000))
else
	family=gcc
	major=$(($(config GCC_VERSION) / 10000))
fi
if test -n "$llvm" && test "$llvm" != 0 && test $family = gcc; then
	die "LLVM=$llvm: the kernel of $kdir was built with gcc $major, and clang does not know its" \
	    "options. Leave LLVM out, or name a kernel that clang built: make KDIR=FOLDER LLVM=$llvm"
fi
named=$(config CC_VERSION_TEXT)
named=${named%% *}
cc=$(find_compiler) || compiler_advice
if test "$family" = clang; then
	echo "LLVM=${cc#clang}" | sed 's/=$/=1/'
else
	echo "CC=$cc"
fi
