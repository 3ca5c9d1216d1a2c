#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# version.sh: the version that DKMS and the Debian package get. That of dkms.conf,
# and what tells this state of the modules' sources from others: date and name of
# the commit; a digest for what is not committed, and where there is no git.
set -eu

CDPATH='' cd "$(dirname "$0")/.."
base=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
folders=$(sed -n 's/^obj-m += \([a-z_]*\)\//\1/p' Kbuild)

# shellcheck disable=SC2086 # a list of words
sources()
{
	find Makefile Kbuild dkms.conf scripts/kdir-check.sh $folders -type f \
		\( -name '*.[ch]' -o -name '*.mk' -o -name 'Kbuild' -o ! -path '*/*' -o -path 'scripts/*' \) \
		! -name '*.mod.c' | LC_ALL=C sort
}

digest()
{
	sources | xargs sha256sum | sha256sum | cut -c 1-8
}

# shellcheck disable=SC2086 # a list of words
if test -e .git && command -v git >/dev/null &&
   commit=$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format=%cd.%h --abbrev=8 2>/dev/null); then
	version=$base+git$commit
	test -z "$(git status --porcelain -- Makefile Kbuild dkms.conf scripts/kdir-check.sh $folders)" ||
		version=$version.$(digest)
else
	version=$base+src.$(digest)
fi
echo "$version"
