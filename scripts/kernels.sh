#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Debian's kernels, fetched and unpacked into the cache, never installed.
#
#   kernels.sh headers 6.1|6.12   folder to give as KDIR (installed ones if
#                                 they are of the current version)
#   kernels.sh image 6.1|6.12     folder with boot/vmlinuz-* and lib/modules/*
#   kernels.sh release 6.1|6.12   the current release, as in uname -r
#   kernels.sh cache              the cache folder
#   kernels.sh packages NAME...   folders, a line each, with other packages of
#                                 Debian unpacked
#
# From whatever sources the environment's APT_CONFIG names (backports.sh):
#
#   kernels.sh unpack-headers REL
#   kernels.sh unpack-image REL
#   kernels.sh fetch DIR PACKAGE...   unpacks packages into DIR, once
#
# ABI numbers change with every security update, so names are looked up in
# apt at run time, through the meta packages.
set -euo pipefail

cache=$(realpath -m "${LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/dcc-lab}")
kernels=$cache/debian-kernels

die()
{
	printf '%s\n' "kernels.sh: $*" >&2
	exit 1
}

# The meta packages that may follow a series: Debian 12 has 6.1 as its own kernel
# and 6.12 beside it, Debian 13 has 6.12 as its own.
metas_of()
{
	case $1 in
	6.1 | 6.12) echo "linux-image-$1-amd64" linux-image-amd64 ;;
	*) die "series '$1' is not known; allowed: 6.1 6.12" ;;
	esac
}

# depends_on PACKAGE PATTERN: the packages it depends on whose names begin so.
depends_on()
{
	apt-cache depends "$1" 2>/dev/null | sed -nE "s/^ *Depends: (($2)[^ ]*)\$/\\1/p"
}

version_of()
{
	apt-cache show --no-all-versions "$1" | sed -n 's/^Version: //p' | sed -n 1p
}

release_of()
{
	local metas meta image=
	metas=$(metas_of "$1") || exit
	for meta in $metas; do
		image=$(depends_on "$meta" "linux-image-${1//./\\.}[.-]" | sed -n 1p) || true
		test -z "$image" || break
	done
	test -n "$image" || die "apt knows no kernel of the series $1 ($metas); run: apt-get update"
	echo "${image#linux-image-}"
}

# fetch DIR PACKAGE...: unpacks packages into DIR, once. The folder appears
# whole or not at all, so that two runs at a time do no harm.
fetch()
{
	local dir=$1 tmp
	shift
	test -d "$dir" && return
	mkdir -p "$(dirname "$dir")"
	tmp=$(mktemp -d "$dir.XXXXXX")
	(cd "$tmp" && apt-get -q download "$@" >fetch.log 2>&1) ||
		die "cannot fetch $*: $(tail -n 3 "$tmp/fetch.log")"
	for deb in "$tmp"/*.deb; do
		dpkg -x "$deb" "$tmp"
		rm "$deb"
	done
	chmod 755 "$tmp"
	if test -d "$dir" || ! mv -T "$tmp" "$dir" 2>/dev/null; then
		rm -rf "$tmp"
	fi
}

# Debian's headers name their common half by an absolute path: point it at
# where this half lies now.
relocate()
{
	sed -i "s|\\([ =]\\)/[^ ]*usr/src/|\\1$1/usr/src/|; s|\\([ =]\\)/usr/src/|\\1$1/usr/src/|" \
		"$2/Makefile"
}

# BTF needs pahole and tools of the target's Debian; loading does not need it.
unpack_headers()
{
	local rel=$1 pkg=linux-headers-$1 dir kdir
	dir=$kernels/headers-$rel-$(version_of "$pkg")
	kdir=$dir/usr/src/$pkg
	fetch "$dir" "$pkg" "$(depends_on "$pkg" 'linux-headers-.*-common')" \
		"$(depends_on "$pkg" linux-kbuild-)"
	relocate "$dir" "$kdir"
	rm -f "$kdir/vmlinux"
	echo "$kdir"
}

headers_of()
{
	local rel pkg installed
	rel=$(release_of "$1")
	pkg=linux-headers-$rel
	installed=$(dpkg-query -W -f '${Version}' "$pkg" 2>/dev/null || true)
	if test -n "$installed" && test "$installed" = "$(version_of "$pkg")"; then
		echo "/usr/src/$pkg"
	else
		unpack_headers "$rel"
	fi
}

# An image's newer package only depends on those of its parts, and these keep
# everything below /usr: links lead there from where the older ones had it.
unpack_image()
{
	local rel=$1 pkg=linux-image-$1 dir
	dir=$kernels/image-$rel-$(version_of "$pkg")
	# shellcheck disable=SC2046 # a list of words
	fetch "$dir" "$pkg" $(depends_on "$pkg" 'linux-(base|binary|modules)-')
	test -d "$dir/lib" || ln -sfn usr/lib "$dir/lib"
	if ! test -d "$dir/boot"; then
		mkdir -p "$dir/boot"
		ln -sfn "../lib/modules/$rel/vmlinuz" "$dir/boot/vmlinuz-$rel"
	fi
	echo "$dir"
}

# One question for all: apt-cache takes its time. A version may have a colon, which
# parts the folders of LD_LIBRARY_PATH.
unpack_packages()
{
	local name dir versions
	versions=$(apt-cache show --no-all-versions "$@" 2>/dev/null |
		awk '$1 == "Package:" { name = $2 } $1 == "Version:" { print name, $2 }') || true
	for name in "$@"; do
		dir=$(awk -v name="$name" '$1 == name { gsub(":", "_", $2); print name "-" $2; exit }' <<<"$versions")
		test -n "$dir" || die "apt knows no package '$name'; run: apt-get update"
		fetch "$cache/debian-packages/$dir" "$name"
		echo "$cache/debian-packages/$dir"
	done
}

# require COMMAND "WANTED ..." WORD...: a word, not empty, for each that is wanted.
require()
{
	local command=$1 all=$2 wanted
	shift 2
	for wanted in $all; do
		if test -z "${1-}"; then
			printf '%s\n' "kernels.sh: no $wanted after '$command'; allowed: kernels.sh $command $all" >&2
			exit 2
		fi
		shift
	done
}

# What the head of this file says.
help()
{
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
}

case ${1-} in
-h | --help) help; exit ;;
headers | image | release) require "$1" "6.1|6.12" "${@:2}" ;;
packages) require "$1" NAME... "${@:2}" ;;
unpack-headers | unpack-image) require "$1" REL "${@:2}" ;;
fetch) require "$1" "DIR PACKAGE..." "${@:2}" ;;
esac

case ${1-} in
headers) headers_of "$2" ;;
image) unpack_image "$(release_of "$2")" ;;
release) release_of "$2" ;;
cache) echo "$cache" ;;
packages) unpack_packages "${@:2}" ;;
unpack-headers) unpack_headers "$2" ;;
unpack-image) unpack_image "$2" ;;
fetch) fetch "${@:2}" ;;
*) help >&2; exit 2 ;;
esac
