#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Installs the packages of packages.txt that are missing; without root it
# prints the one command that does and fails.
set -eu

list=$(dirname "$0")/packages.txt

if ! command -v apt-get >/dev/null; then
	echo "The demo and the tests are made for Debian 12 (apt-get is not here);" >&2
	echo "on another system install the like of: $(grep -v '^#' "$list" | xargs)" >&2
	exit 1
fi

missing=
for p in $(grep -v '^#' "$list"); do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)
	test "$state" = installed || missing="$missing $p"
done
# The tests fetch kernels by what apt knows: its lists must be there, too.
lists=missing
apt-cache show linux-image-amd64 >/dev/null 2>&1 && lists=here
test -n "$missing" || test $lists = missing || exit 0

if test "$(id -u)" != 0; then
	echo "Packages are missing. Run this, then try again:" >&2
	echo "  sudo apt-get update${missing:+ && sudo apt-get install --no-install-recommends$missing}" >&2
	exit 1
fi
apt-get update -q
test -n "$missing" || exit 0
echo "Installing:$missing"
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
