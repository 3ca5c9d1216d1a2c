#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make-deb.sh VERSION: build/tcp-dcc-dkms_VERSION_all.deb, the sources of the
# modules as a DKMS package, made by debhelper's dh_dkms. The maintainer is
# DEBFULLNAME <DEBEMAIL>, or who made the last commit.
set -euo pipefail

version=$1
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
for program in dh dh_dkms; do
	command -v $program >/dev/null ||
		{ echo "make deb: $program is missing: apt-get install debhelper dh-dkms" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tcp-dcc
mkdir "$tree"

maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null) || maintainer=
test -z "${DEBEMAIL-}" || maintainer="${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>"
maintainer=${maintainer:-The tcp-dcc authors <maintainers@tcp-dcc.example>}
date=$(git log -1 --format=%cD 2>/dev/null) || date=$(date -R -r dkms.conf)

cp -a Makefile Kbuild dkms.conf COPYING scripts common tcp_* packaging/debian "$tree/"
install -D -m 644 -t "$tree/Documentation/man" Documentation/man/dcc.7
install -d "$tree/debian/source"
echo '3.0 (native)' >"$tree/debian/source/format"
sed -i "s/@MAINTAINER@/${maintainer//\//\\/}/" "$tree/debian/control"
cat >"$tree/debian/changelog" <<END
tcp-dcc ($version) unstable; urgency=medium

  * Made from the sources by make deb.

 -- $maintainer  $date
END
log=$work/log
(cd "$tree" && unset MAKEFLAGS MFLAGS MAKELEVEL && dpkg-buildpackage -b -us -uc -d) >"$log" 2>&1 ||
	{ cat "$log" >&2; exit 1; }
mkdir -p build
rm -f build/tcp-dcc-dkms_*_all.deb
cp "$work"/tcp-dcc-dkms_*_all.deb build/
ls build/tcp-dcc-dkms_*_all.deb
