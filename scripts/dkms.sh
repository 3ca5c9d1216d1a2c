#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dkms.sh: the modules in DKMS, as often as one likes. Called by `make dkms` and
# `make dkms-remove`.
#
#   dkms.sh forget VERSION RELEASE  as if it had never been there, sources too;
#                                   unless it is installed for that kernel
#   dkms.sh install VERSION RELEASE adds, builds and installs it for a kernel;
#                                   other versions of ours go when it was built
#   dkms.sh remove                  every version of ours
#
# DKMS_FLAGS are passed to dkms: --dkmstree, --sourcetree, --installtree.
set -eu

NAME=tcp-dcc
PACKAGE=tcp-dcc-dkms

die()
{
	printf '%s\n' "make dkms: $*" >&2
	exit 1
}

# shellcheck disable=SC2086 # a list of words
dkms_do() { dkms "$@" ${DKMS_FLAGS-}; }

folder_of_flag()
{
	echo "${DKMS_FLAGS-}" | sed -n "s|.*--$1 \([^ ]*\).*|\1|p" | grep . || echo "$2"
}

# Also those that a failure left half there, which dkms itself does not list.
versions()
{
	find "$trees/$NAME" -mindepth 1 -maxdepth 1 -type d ! -name 'kernel-*' \
		! -name original_module -printf '%f\n' 2>/dev/null || true
}

forget()
{
	dkms_do remove "$NAME/$1" --all >/dev/null 2>&1 || true
	rm -rf "${trees:?}/$NAME/$1" "${sources:?}/$NAME-$1"
	rmdir "$trees/$NAME" 2>/dev/null || true
}

is_installed()
{
	dkms_do status "$NAME/$1" -k "$2" 2>/dev/null | grep -q ': installed'
}

# dkms reads what a make prints, and one below another make prints more.
unset MAKEFLAGS MFLAGS MAKELEVEL
command -v dkms >/dev/null || die "dkms is not here; install it: apt-get install dkms"
trees=$(folder_of_flag dkmstree /var/lib/dkms)
sources=$(folder_of_flag sourcetree /usr/src)
if test -z "${DKMS_FLAGS-}" && dpkg-query -W -f '${db:Status-Status}' $PACKAGE 2>/dev/null | grep -q '^installed'; then
	die "the package $PACKAGE has them in DKMS already; one of the two: apt-get remove $PACKAGE"
fi
# depmod prefers that folder to DKMS's.
if test "${1-}" = install && test -z "${DKMS_FLAGS-}" && test -d "/lib/modules/${3-}/updates/dcc"; then
	die "/lib/modules/$3/updates/dcc has them by make install, and would be loaded instead: make uninstall first"
fi

# What the head of this file says.
help()
{
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
}

# Of no version all would be forgotten.
case ${1-}:${2-} in
forget:* | install:*)
	case ${2-} in
	'' | .* | */*) die "dkms.sh: version '${2-}'; allowed: one like 1.2.3" ;;
	esac
	;;
esac
case ${1-} in
-h | --help) help ;;
forget) is_installed "$2" "$3" || forget "$2" ;;
install)
	if is_installed "$2" "$3"; then
		echo "$NAME $2 is installed for $3"
		exit 0
	fi
	dkms_do add "$NAME/$2"
	if ! dkms_do build "$NAME/$2" -k "$3"; then
		cat "$trees/$NAME/$2/build/make.log" >&2 2>/dev/null || true
		forget "$2"
		die "$NAME $2 does not build for $3; DKMS is as it was"
	fi
	for old in $(versions); do
		test "$old" = "$2" || forget "$old"
	done
	dkms_do install "$NAME/$2" -k "$3" --force
	;;
remove)
	for old in $(versions); do
		forget "$old"
		echo "$NAME $old is no longer in DKMS"
	done
	;;
*) help >&2; exit 2 ;;
esac
