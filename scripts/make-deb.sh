#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make-deb.sh VERSION: build/tcp-dcc-dkms_VERSION_all.deb, the sources of the
# modules as a DKMS package, made by debhelper's dh_dkms.
set -euo pipefail

version=${1:?usage: make-deb.sh VERSION; make deb runs it}
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
cd "$top"
# shellcheck source=deb.sh
. scripts/deb.sh
deb_needs deb "debhelper dh-dkms" dh dh_dkms
mkdir -p build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tcp-dcc
mkdir "$tree"

cp -a Makefile Kbuild dkms.conf COPYING scripts common dcc_* tcp_* packaging/debian "$tree/"
install -D -m 644 -t "$tree/Documentation/man" Documentation/man/dcc.7
deb_build "$tree" tcp-dcc "$version" deb
rm -f build/tcp-dcc-dkms_*_all.deb
cp "$work"/tcp-dcc-dkms_*_all.deb build/
ls build/tcp-dcc-dkms_*_all.deb
