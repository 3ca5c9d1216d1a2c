#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# build-for.sh KDIR OUT [make arguments]: the modules for one kernel, built
# from a copy in OUT, so that builds for several kernels do not meet. A second
# call with the same OUT rebuilds only what changed, be it from another checkout:
# what make goes by is when a file changed in OUT.
set -euo pipefail

if test $# -lt 2; then
	echo "usage: $0 KDIR OUT [make arguments]" >&2
	exit 2
fi
kdir=$1
out=$2
shift 2
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)

mkdir -p "$out"
out=$(CDPATH='' cd "$out" && pwd)
cd "$top"
folders=$(sed -n 's|^obj-m += \(.*\)/$|\1|p' Kbuild)
# shellcheck disable=SC2086 # a list of words
find Makefile Kbuild dkms.conf COPYING scripts $folders \
	\( -name '*.[ch]' -o -name '*.mk' -o -name 'Kbuild' -o -name 'Makefile' \
	-o -name 'dkms.conf' -o -name 'kdir-check.sh' \) ! -name '*.mod.c' -print0 |
	rsync -a --checksum --no-times --from0 --files-from=- . "$out"
make -C "$out" --no-print-directory -j"$(nproc)" KDIR="$kdir" "$@" modules
