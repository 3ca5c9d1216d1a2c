#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Newer kernels on Debian 12, to compile for and to boot in an emulator: from the
# backports of the next Debian, unpacked into the cache, nothing installed or
# configured.
#
#   backports.sh list           newest release of each kernel series there is
#   backports.sh release NAME   the release that NAME means: "newest", a series
#                               of the list (7.3), or a release as it stands
#   backports.sh headers REL    folder to give as KDIR
#   backports.sh compiler KDIR  folder with the gcc of KDIR's kernel, for PATH
#   backports.sh image REL      folder with boot/vmlinuz-* and lib/modules/*
#   backports.sh source REL     tarball of the source of REL's series
#
# Programs from there want a newer C library than Debian 12 has: those that do
# are replaced by a script that starts them with their own.
set -euo pipefail

NEXT=trixie
ARCHIVE_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
ARCH=amd64			# the kernels' and their compilers'
ARCH_TRIPLET=x86_64-linux-gnu
GNU_NAME=x86-64-linux-gnu	# the same in names of packages
# What gcc, modpost, objtool and sign-file are linked to.
LIBRARIES="libc6 libgcc-s1 libstdc++6 libgmp10 libisl23 libmpc3 libmpfr6
	libzstd1 zlib1g libelf1t64 libssl3t64"
INDEX_MAX_AGE_MIN=720

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
kernels=$top/scripts/kernels.sh
base=$("$kernels" cache)/$NEXT
apt_dir=$base/apt

die()
{
	echo "backports.sh: $*" >&2
	exit 1
}

# The mirror this machine already uses for Debian itself.
mirror()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI)' |
		sed -n 's/^Packages Debian Debian main //p' | sed -n 1p
}

# A private apt: own sources, own lists, own cache; the system's stays as it is.
write_apt_config()
{
	local uri=$1
	mkdir -p "$apt_dir"/{lists/partial,cache/archives/partial}
	cat >"$apt_dir/$NEXT.sources" <<-END
	Types: deb
	URIs: $uri
	Suites: $NEXT $NEXT-backports
	Components: main
	Architectures: $ARCH
	Signed-By: $ARCHIVE_KEYRING
	END
	cat >"$apt_dir/apt.conf" <<-END
	Dir::Etc::sourcelist "$apt_dir/$NEXT.sources";
	Dir::Etc::sourceparts "-";
	Dir::State::lists "$apt_dir/lists";
	Dir::State::status "$apt_dir/status";
	Dir::Cache "$apt_dir/cache";
	APT::Architectures { "$ARCH"; };
	Acquire::PDiffs "false";
	Acquire::Retries "3";
	END
	: >"$apt_dir/status"
}

# An archive in the midst of an update gives no index for some minutes: the one
# that is here is good enough then, since its packages stay for a while.
update_index()
{
	local uri
	uri=$(mirror)
	test -n "$uri" || die "apt knows no Debian archive on this machine"
	write_apt_config "$uri"
	if APT_CONFIG=$apt_dir/apt.conf apt-get -q update --error-on=any \
		>"$apt_dir/update.log" 2>&1; then
		touch "$apt_dir/updated"
		return
	fi
	test -e "$apt_dir/updated" ||
		die "no index of $NEXT: $(tail -n 2 "$apt_dir/update.log")"
	echo "backports.sh: the index of $NEXT is that of $(date -r "$apt_dir/updated"):" \
		"$(tail -n 1 "$apt_dir/update.log")" >&2
}

use_private_apt()
{
	test -n "$(find "$apt_dir/updated" -mmin -$INDEX_MAX_AGE_MIN 2>/dev/null)" ||
		update_index
	export APT_CONFIG=$apt_dir/apt.conf
}

# Of the releases of one series (7.2.11, 7.2.12) the newest.
list()
{
	apt-cache search --names-only '^linux-headers-[0-9.]*\+deb[0-9]*-amd64$' |
		sed 's/^linux-headers-\([^ ]*\) .*/\1/' | sort -V |
		awk -F. '{ newest[$1 "." $2] = $0 } END { for (s in newest) print newest[s] }' |
		sort -V
}

release_of()
{
	local all found
	all=$(list)
	case $1 in
	newest) found=$(sed -n '$p' <<<"$all") ;;
	*[+-]*) found=$1 ;;
	*) found=$(grep "^${1//./\\.}\." <<<"$all") || true ;;
	esac
	test -n "$found" ||
		die "no kernel '$1' in $NEXT-backports; there are:" "${all//$'\n'/ }"
	echo "$found"
}

# libraries: unpacks the next Debian's C library and friends; prints where.
libraries()
{
	# shellcheck disable=SC2086 # a list of words
	"$kernels" fetch "$base/libraries" $LIBRARIES
	echo "$base/libraries/usr/lib"
}

# wrap DIR: makes all programs below DIR run here.
wrap()
{
	local lib loader libs
	lib=$(libraries)
	loader=$lib/$ARCH_TRIPLET/ld-linux-x86-64.so.2
	find "$1" -type f -perm -100 ! -name '*.so*' ! -name '*.elf' | while read -r f; do
		# read whole: a pipe to grep -q may kill ldd before its end
		libs=$(ldd "$f" 2>&1) || true
		case $libs in *'not found'*) ;; *) continue ;; esac
		mv "$f" "$f.elf"
		cat >"$f" <<-END
		#!/bin/sh
		exec '$loader' --argv0 '$f' --library-path '$lib/$ARCH_TRIPLET' '$f.elf' "\$@"
		END
		chmod 755 "$f"
	done
}

headers()
{
	local kdir root
	kdir=$("$kernels" unpack-headers "$1")
	root=${kdir%/usr/src/*}
	wrap "$root/usr/lib" >&2
	echo "$kdir"
}

compiler()
{
	local version major dir
	version=$(sed -n 's/^CONFIG_GCC_VERSION=//p' "$1/.config")
	major=$((version / 10000))
	dir=$base/gcc-$major
	"$kernels" fetch "$dir" "gcc-$major-$GNU_NAME" "cpp-$major-$GNU_NAME" "libgcc-$major-dev"
	wrap "$dir/usr" >&2
	ln -sfn "$ARCH_TRIPLET-gcc-$major" "$dir/usr/bin/gcc-$major"
	echo "$dir/usr/bin"
}

# source_of REL: of the series, as Debian packs it (160 MB).
source_of()
{
	local series
	series=$(grep -oE '^[0-9]+\.[0-9]+' <<<"$1") || die "no series in '$1'"
	"$kernels" fetch "$base/source-$series" "linux-source-$series"
	echo "$base/source-$series/usr/src/linux-source-$series.tar.xz"
}

# What the head of this file says.
help()
{
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
}

case ${1-} in
-h | --help) help; exit ;;
release | headers | compiler | image | source)
	test $# = 2 || die "'$1' takes one argument, $(($# - 1)) given; see backports.sh --help" ;;
esac

# One at a time: programs are replaced in place.
mkdir -p "$base"
exec {lock}>"$base/lock"
flock "$lock"
use_private_apt
case ${1-} in
list) list ;;
release) release_of "$2" ;;
headers) headers "$2" ;;
compiler) compiler "$2" ;;
image) "$kernels" unpack-image "$2" ;;
source) source_of "$2" ;;
*) help >&2; exit 2 ;;
esac
