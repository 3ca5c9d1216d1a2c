#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Installs what is missing of the packages in packages/*.txt, after saying what
# and how much that is. Without root it prints the command and fails.
#
#   setup.sh [--yes] [--upgrade] [--dry-run] [GROUP...]
#
# GROUP: demo, check, real, full, each with those before it; default: real. Tests
# that want what full adds are skipped where it is not.
#
#   --yes      do not ask; without a terminal nothing is installed unless it is
#              given (make check SETUP=--yes)
#   --upgrade  what is installed may be upgraded where a new package wants it so
#   --dry-run  only say
#
# Kernels, their headers included, are never installed (kernels.sh).
set -eu

LOCK_WAIT_S=300		# another apt may be at work
LOCK_POLL_S=5
BUILD_CPU_MIN=5		# of the lab's kernel, rounded up (labbuild.py has the seconds)
GROUPS_KNOWN="demo check real full"
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
yes='' upgrade='' dry_run='' last=''

usage()
{
	sed -n '3,18s/^# \{0,1\}//p' "$0"
}

die()
{
	printf '%s\n' "$@" >&2
	exit 1
}

# The packages of the groups up to the one named.
packages_of()
{
	for group in $GROUPS_KNOWN; do
		grep -hv '^#' "$here/packages/$group.txt"
		test "$group" != "$1" || break
	done | xargs
}

# Of some groups the one that has the others.
last_of()
{
	for group in $GROUPS_KNOWN; do
		case " $1 " in *" $group "*) echo "$group" ;; esac
	done | tail -n 1
}

missing_of()
{
	for p in $1; do
		state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)
		test "$state" = installed || echo "$p"
	done | xargs
}

# apt's lists have a lock of their own, for which no option waits.
update_lists()
{
	waited=0
	until said=$(apt-get update -q 2>&1); do
		case $said in *'Could not get lock'*) ;; *) die "$said" ;; esac
		test $waited -lt $LOCK_WAIT_S || die "$said"
		test $waited -gt 0 || echo "Waiting for another apt to end ..."
		waited=$((waited + LOCK_POLL_S))
		sleep $LOCK_POLL_S
	done
}

# What apt would do: Inst NAME [OLD] (NEW ...).
simulate()
{
	# shellcheck disable=SC2086 # a list of words
	apt-get install -s --no-install-recommends --no-upgrade --no-remove $missing 2>&1
}

# Of "Inst" lines: names of what is new, or of what would be upgraded.
new_of() { echo "$plan" | awk '$1 == "Inst" && $3 !~ /^\[/ { print $2 }' | xargs; }
upgraded_of() { echo "$plan" | awk '$1 == "Inst" && $3 ~ /^\[/ { print $2 }' | xargs; }

# How much "Inst" lines are: to fetch and on the disk, in MB.
amount()
{
	# shellcheck disable=SC2046 # a list of words
	apt-cache show $(echo "$plan" | sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p') |
		awk '$1 == "Size:" { fetch += $2 } $1 == "Installed-Size:" { disk += $2 }
		     END { printf "%d MB to fetch, %d MB on the disk", fetch / 1e6 + 0.5, disk * 1024 / 1e6 + 0.5 }'
}

# Before anything is done: what, how much, and what comes after.
announce()
{
	echo "To install ($(amount)):"
	new_of | fold -s -w 76 | sed 's/^/  /'
	echo "Upgraded: ${upgraded:-nothing}. Then the lab's kernel is built, once: about" \
	     "$(((BUILD_CPU_MIN + $(nproc) - 1) / $(nproc))) minutes on $(nproc) processors."
}

# What the machine has is not for us to change: its owner says so, or does it.
refuse_upgrades()
{
	test -z "$upgraded" || test -n "$upgrade" ||
		die "Not installed: for this apt would upgrade what is installed: $upgraded" \
		    "Allow it with: $0 --upgrade (make: SETUP=--upgrade), or upgrade them first:" \
		    "  apt-get install --only-upgrade $upgraded"
}

confirm()
{
	test -z "$yes" || return 0
	test -t 0 || die "Nobody to ask here. To install without being asked: $0 --yes" \
		"(make demo SETUP=--yes), or by hand:" "  $command"
	printf 'Install them? [y/N] '
	read -r answer
	case $answer in y* | Y*) ;; *) die "Nothing was installed." ;; esac
}

while test $# -gt 0; do
	case $1 in
	--yes) yes=1 ;;
	--upgrade) upgrade=1 ;;
	--dry-run) dry_run=1 ;;
	-h | --help) usage; exit 0 ;;
	*)
		case " $GROUPS_KNOWN " in *" $1 "*) ;; *)
			die "setup.sh: '$1' is not known; allowed: --yes --upgrade --dry-run $GROUPS_KNOWN" ;;
		esac
		last=$(last_of "$last $1")
		;;
	esac
	shift
done
wanted=$(packages_of "${last:-real}")
test -n "$wanted" || die "setup.sh: no lists of packages in $here/packages"

if ! command -v apt-get >/dev/null; then
	die "The demo and the tests are made for Debian 12 and 13 (apt-get is not here);" \
	    "on another system install the like of: $wanted" \
	    "or use a container: Containerfile. A kernel's source may be named:" \
	    "  tools/lab/lab build --source linux-6.12.TARBALL"
fi
missing=$(missing_of "$wanted")
# The tests fetch kernels by what apt knows: its lists must be there, too.
lists=here
apt-cache show linux-image-amd64 >/dev/null 2>&1 || lists=missing
test "$last" = demo && lists=here
test -n "$missing" || test $lists = missing || exit 0
command="apt-get update${missing:+ && apt-get install --no-install-recommends --no-upgrade $missing}"

if test "$(id -u)" != 0; then
	if plan=$(simulate); then upgraded=$(upgraded_of); announce >&2; fi
	die "Packages are missing. Run this as root (or with sudo), then try again:" "  $command"
fi
test -n "$dry_run" || update_lists
test -n "$missing" || exit 0
plan=$(simulate) || die "$plan" "(a package that this system does not have: Debian 12 has linux-source-6.12 in bookworm-security)"
upgraded=$(upgraded_of)
announce
test -z "$dry_run" || exit 0
refuse_upgrades
confirm
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=$LOCK_WAIT_S install -q -y \
	--no-install-recommends --no-upgrade --no-remove $missing
