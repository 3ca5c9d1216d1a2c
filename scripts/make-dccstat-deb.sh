#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make-dccstat-deb.sh VERSION: build/dccstat_VERSION_ARCH.deb: the program, its man
# page, bash completion, and the header that reads TCP_CC_INFO. A package beside that
# of the modules, because it is of one architecture.
set -euo pipefail

version=${1:?usage: make-dccstat-deb.sh VERSION; make deb-dccstat runs it}
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
cd "$top"
# shellcheck source=deb.sh
. scripts/deb.sh
deb_needs deb-dccstat debhelper dh
mkdir -p build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/dccstat
mkdir -p "$tree/tools"

cp -a dkms.conf common tcp_* "$tree/"
cp -a tools/dccstat tools/replay tools/csv tools/version.mk "$tree/tools/"
cp -a packaging/debian-dccstat "$tree/debian"
cp packaging/debian/copyright "$tree/debian/"
install -D -m 644 -t "$tree/Documentation/man" Documentation/man/dccstat.1
deb_build "$tree" dccstat "$version" deb-dccstat
rm -f build/dccstat_*.deb
cp "$work"/dccstat_*.deb build/
ls build/dccstat_*.deb
