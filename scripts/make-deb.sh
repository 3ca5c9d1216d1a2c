#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make-deb.sh VERSION: build/tcp-dcc-dkms_VERSION_all.deb, the sources of the
# modules as a DKMS package. Needs no more than dpkg-deb.
set -euo pipefail

version=$1
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

make --no-print-directory dkms-source DESTDIR="$root"
doc=$root/usr/share/doc/tcp-dcc-dkms
install -D -m 644 COPYING "$doc/copyright"
mkdir -p "$root/DEBIAN"

maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null) || maintainer=
cat >"$root/DEBIAN/control" <<END
Package: tcp-dcc-dkms
Version: $version
Section: kernel
Priority: optional
Architecture: all
Depends: dkms (>= 2.8), make, gcc
Recommends: linux-headers-generic | linux-headers-amd64 | linux-headers-arm64
Maintainer: ${maintainer:-unknown <root@localhost>}
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: TCP congestion control for sprayed datacenter flows (DKMS)
 Linux kernel modules with congestion control algorithms made for packet
 spraying: swift, lswift, mswift, nscc, mnscc and oscar, and path engines that
 steer; and priorities inside one queue: prioplus, prioplus_ledbat, ledbat.
 They are rebuilt with every kernel that is installed.
END

cat >"$root/DEBIAN/postinst" <<END
#!/bin/sh
set -e
if test "\$1" = configure; then
	/usr/lib/dkms/common.postinst tcp-dcc $version /usr/share/tcp-dcc-dkms "" "\$2"
fi
END
cat >"$root/DEBIAN/prerm" <<END
#!/bin/sh
set -e
case \$1 in
remove|upgrade|deconfigure)
	if dkms status -m tcp-dcc -v $version | grep -q .; then
		dkms remove -m tcp-dcc -v $version --all
	fi ;;
esac
END
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"

mkdir -p build
deb=build/tcp-dcc-dkms_${version}_all.deb
dpkg-deb --root-owner-group --build "$root" "$deb" >/dev/null
echo "$deb"
