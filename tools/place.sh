# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Where a tool that is built on first use goes, and what is said meanwhile; sourced by its
# wrapper.

# build_place HERE NAME: sets $out, what make -C HERE is given as OUT, and $built, the
# same folder by its whole name. It is the tree's build/, by a relative name, since make
# takes no blanks in one; where that cannot be written, and does not hold what make
# would build, a folder for this tree in the lab's cache.
build_place()
{
	out=../../build/$2
	built=$1/$out
	if mkdir -p "$built" 2>/dev/null && test -w "$built"; then
		return 0
	fi
	if make -s -q -C "$1" OUT="$out" SANITIZE= 2>/dev/null; then
		return 0
	fi
	out=$(realpath -m "${LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/dcc-lab}")
	out=$out/tools/$2-$(printf '%s' "$1" | cksum | cut -d ' ' -f 1)
	case $out in *[[:space:]]*)
		printf "%s: '%s', where it is to be built, has blanks in it; set LAB_CACHE to a folder without\n" \
			"$2" "$out" >&2
		return 1 ;;
	esac
	if ! mkdir -p "$out" 2>/dev/null || ! test -w "$out"; then
		printf "%s: neither '%s' nor '%s' can be written; set LAB_CACHE to a folder that can\n" \
			"$2" "$(realpath -m "$built")" "$out" >&2
		return 1
	fi
	built=$out
}

# say_build NAME ARGUMENT...: says so where make, given these, has something to build; that
# takes up to a minute.
say_build()
{
	say_name=$1
	shift
	if make -s -q "$@" >/dev/null 2>&1; then
		return 0
	elif test $? = 1; then
		printf '%s: building it, which takes up to a minute ...\n' "$say_name" >&2
	fi
}
