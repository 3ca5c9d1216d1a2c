#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make-dccstat-deb.sh VERSION: build/dccstat_VERSION_ARCH.deb: the program, its man
# page, bash completion, and the header that reads TCP_CC_INFO. A package beside that
# of the modules, because it is of one architecture. Needs dpkg-dev.
set -euo pipefail

version=$1
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

make -s -C tools/dccstat OUT="$root/build"
install -D -s -m 755 "$root/build/dccstat" "$root/pkg/usr/bin/dccstat"
install -D -m 644 Documentation/man/dccstat.1 "$root/pkg/usr/share/man/man1/dccstat.1"
gzip -9n "$root/pkg/usr/share/man/man1/dccstat.1"
install -D -m 644 tools/dccstat/dccstat.bash-completion \
	"$root/pkg/usr/share/bash-completion/completions/dccstat"
install -D -m 644 common/dcc_cc_info.h "$root/pkg/usr/include/tcp_dcc/dcc_cc_info.h"
install -D -m 644 COPYING "$root/pkg/usr/share/doc/dccstat/copyright"

# Which versions of the libraries it needs is read from the program.
mkdir -p "$root/debian" "$root/pkg/DEBIAN"
echo 'Source: dccstat' >"$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O pkg/usr/bin/dccstat 2>/dev/null |
	sed -n 's/^shlibs:Depends=//p')
arch=$(dpkg --print-architecture)
maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null) || maintainer=

cat >"$root/pkg/DEBIAN/control" <<END
Package: dccstat
Version: $version
Section: net
Priority: optional
Architecture: $arch
Depends: ${depends:?}
Recommends: tcp-dcc-dkms
Suggests: gnuplot-nox
Maintainer: ${maintainer:-unknown <root@localhost>}
Installed-Size: $(du -sk "$root/pkg/usr" | cut -f1)
Description: what the flows of tcp_dcc's congestion controls do, and why
 A live table of TCP flows with the delay that the algorithm acted on, its target,
 the rule that fired last; records of decisions, as pictures and for Perfetto; and
 a doctor that says what stands in the way, with the command that mends it.
END

mkdir -p build
deb=build/dccstat_${version}_$arch.deb
dpkg-deb --root-owner-group --build "$root/pkg" "$deb" >/dev/null
echo "$deb"
