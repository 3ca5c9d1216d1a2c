# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the Debian packages of the modules and of dccstat are made by; sourced. The
# maintainer is DEBFULLNAME <DEBEMAIL>, or who made the last commit.

# deb_needs TARGET PACKAGES PROGRAM...: ends if one is missing.
deb_needs()
{
	local target=$1 packages=$2 program
	shift 2
	for program in "$@"; do
		command -v "$program" >/dev/null ||
			{ echo "make $target: $program is missing: apt-get install $packages" >&2; exit 1; }
	done
}

deb_maintainer()
{
	local maintainer
	maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null) || maintainer=
	test -z "${DEBEMAIL-}" || maintainer="${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>"
	echo "${maintainer:-The tcp-dcc authors <maintainers@tcp-dcc.example>}"
}

# deb_build TREE SOURCE VERSION TARGET: builds what TREE has in debian/, beside TREE.
deb_build()
{
	local tree=$1 source=$2 version=$3 target=$4 maintainer date log=$1/../log
	maintainer=$(deb_maintainer)
	date=$(git log -1 --format=%cD 2>/dev/null) || date=$(date -R -r dkms.conf)
	install -d "$tree/debian/source"
	echo '3.0 (native)' >"$tree/debian/source/format"
	sed -i "s/@MAINTAINER@/$(sed 's/[\/&\\]/\\&/g' <<<"$maintainer")/" "$tree/debian/control"
	cat >"$tree/debian/changelog" <<-END
	$source ($version) unstable; urgency=medium

	  * Made from the sources by make $target.

	 -- $maintainer  $date
	END
	(cd "$tree" && unset MAKEFLAGS MFLAGS MAKELEVEL && dpkg-buildpackage -b -us -uc -d) >"$log" 2>&1 ||
		{ cat "$log" >&2; exit 1; }
}
