#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Does the project build, install and pack as README says? As TAP. Everything
# happens in a copy and in roots of its own; nothing is installed.
set -uo pipefail

top=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
. scripts/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
folders=$(sed -n 's|^obj-m += \(.*\)/$|\1|p' Kbuild)

modules_in()
{
	for folder in $folders; do
		sed -n 's/^obj-m *[:+]= *\(.*\)\.o$/\1/p' "$folder/Kbuild"
	done
}

# has_all DIR: each module, once.
has_all()
{
	local status=0
	for module in $(modules_in); do
		test "$(find "$1" -name "$module.ko*" | wc -l)" = 1 && continue
		echo "$module.ko is not in $1"
		status=1
	done
	return $status
}

installs()
{
	make -C "$tree" KDIR="$kdir" INSTALL_MOD_PATH="$work/root" install &&
		has_all "$work/root/lib/modules/$release/updates/dcc"
}

# modprobe finds every registered name in the tree that install made.
resolves()
{
	modprobe -d "$work/root" -S "$release" --show-depends "$1"
}

# What is left of ours in a folder: nothing.
none_of_ours()
{
	test -z "$(find "$1" -name '[td]c[pc]_*.ko*')"
}

# uninstall_from DIR: as somebody who has INSTALL_MOD_DIR in the environment.
uninstall_from()
{
	INSTALL_MOD_DIR=$1 make -C "$tree" KDIR="$kdir" INSTALL_MOD_PATH="$work/root" uninstall
}

# Somebody else's files stay, and so do the folders they are in.
uninstalls()
{
	local dir=$work/root/lib/modules/$release/updates/dcc
	touch "$dir/foreign.ko" "$dir/common/foreign.ko" "$dir/tcp_mswift/tcp_mswift.ko.old"
	touch "$dir/tcp_mswift/tcp_mswift.ko"{,.gz,.xz,.zst}
	make -C "$tree" KDIR="$kdir" INSTALL_MOD_PATH="$work/root" uninstall || return 1
	test -e "$dir/foreign.ko" && test -e "$dir/common/foreign.ko" &&
		rm "$dir/tcp_mswift/tcp_mswift.ko.old" && rmdir "$dir/tcp_mswift" && none_of_ours "$work/root" &&
		test ! -e "$dir/tcp_mnscc"
}

# Once more, without the others: nothing is left, not even the folder.
uninstalls_twice()
{
	local dir=$work/root/lib/modules/$release/updates/dcc
	rm "$dir/foreign.ko" "$dir/common/foreign.ko"
	make -C "$tree" KDIR="$kdir" INSTALL_MOD_PATH="$work/root" uninstall &&
		test ! -e "$dir" && test -d "$work/root/lib/modules/$release"
}

# An empty INSTALL_MOD_DIR is the folder of all of the kernel's modules.
uninstalls_from_the_top()
{
	local top=$work/root/lib/modules/$release
	mkdir -p "$top/kernel/net" "$top/common"
	touch "$top/kernel/net/foreign.ko" "$top/common/foreign.ko"
	INSTALL_MOD_DIR='' make -C "$tree" KDIR="$kdir" INSTALL_MOD_PATH="$work/root" install &&
		has_all "$top" && uninstall_from '' && none_of_ours "$work/root" &&
		test -e "$top/kernel/net/foreign.ko" && test -e "$top/common/foreign.ko"
}

# uninstalls_odd DIR: our files there go, what is beside them stays.
uninstalls_odd()
{
	local top=$work/root/lib/modules/$release module folder
	rm -rf "$work/root"
	mkdir -p "$top/kernel" "$top/a" "$work/root/lib/modules/other/common"
	for folder in $folders; do
		module=$(sed -n 's/^obj-m *[:+]= *\(.*\)\.o$/\1/p' "$folder/Kbuild")
		mkdir -p "$top/$1/$folder" && touch "$top/$1/$folder/$module.ko" || return 1
	done
	touch "$top/kernel/foreign.ko" "$top/a/foreign.ko" "$work/root/lib/modules/other/common/tcp_dcc.ko"
	uninstall_from "$1" || return 1
	none_of_ours "$top" && test ! -e "$work/root/lib/modules/common" &&
		test -e "$top/kernel/foreign.ko" && test -e "$top/a/foreign.ko" &&
		test -e "$work/root/lib/modules/other/common/tcp_dcc.ko"
}

# A second make has nothing to do.
rebuilds_nothing()
{
	make -C "$tree" KDIR="$kdir" >"$work/again" 2>&1 || return 1
	! grep -E '^ +(CC|LD)' "$work/again"
}

cleans()
{
	make -C "$tree" clean
	find "$tree" -type f | sort >"$work/after"
	diff "$work/before" "$work/after"
}

# Into a folder that another, newer checkout was built in comes what this one says.
builds_older_sources()
{
	local source=$tree/common/dcc_main.c
	"$tree/scripts/build-for.sh" "$kdir" "$work/for" || return 1
	sed -i 's/^MODULE_DESCRIPTION.*/MODULE_DESCRIPTION("older");/' "$source"
	touch -d 2001-01-01 "$source"
	"$tree/scripts/build-for.sh" "$kdir" "$work/for" &&
		test "$(modinfo -F description "$work/for/common/tcp_dcc.ko")" = older
}

describes_itself()
{
	local status=0
	for ko in $(find "$tree" -name '*.ko'); do
		for field in description license author version srcversion; do
			test -n "$(modinfo -F $field "$ko")" && continue
			echo "$ko says nothing of its $field"
			status=1
		done
	done
	return $status
}

# In a tree that was built: of what the build left nothing is in the package.
deb_is_complete()
{
	local sources=$work/deb/usr/src/tcp-dcc-$version
	deb=$tree/$(make --no-print-directory -C "$tree" deb | tail -n 1) || return 1
	dpkg-deb -x "$deb" "$work/deb" && dpkg-deb -I "$deb" || return 1
	grep -x "PACKAGE_VERSION=\"$version\"" "$sources/dkms.conf" &&
		test -e "$work/deb/usr/share/man/man7/dcc.7.gz" &&
		test -z "$(find "$sources" -name '*.mod.c')"
}

debs_have_no_findings()
{
	local status=0
	lintian "$deb" "$tree"/build/dccstat_*.deb >"$work/lintian" 2>"$work/lintian.err" || status=$?
	cat "$work/lintian" "$work/lintian.err"
	test $status != 2 && test ! -s "$work/lintian"
}

# The program's package: checksums of all files, a changelog, where the licence is.
dccstat_deb_is_complete()
{
	local dir=$work/dccstat-deb deb doc
	deb=$tree/$(make --no-print-directory -C "$tree" deb-dccstat | tail -n 1) || return 1
	dpkg-deb -c "$deb" && dpkg-deb -x "$deb" "$dir" && dpkg-deb -e "$deb" "$dir/DEBIAN" || return 1
	(cd "$dir" && md5sum -c DEBIAN/md5sums) || return 1
	diff <(cut -c 35- "$dir/DEBIAN/md5sums" | sort) <(cd "$dir" && find usr -type f | sort) || return 1
	doc=$dir/usr/share/doc/dccstat
	zgrep "^dccstat ($version) " "$doc/changelog.gz" && cat "$doc/copyright" &&
		grep '^Format: .*copyright-format/1.0' "$doc/copyright" &&
		grep common-licenses/GPL-2 "$doc/copyright" &&
		! grep 'TERMS AND CONDITIONS' "$doc/copyright" &&
		test "$("$dir/usr/bin/dccstat" --version)" = "dccstat $version" &&
		test -e "$dir/usr/share/man/man1/dccstat.1.gz" &&
		test -e "$dir/usr/share/bash-completion/completions/dccstat" &&
		test -e "$dir/usr/include/tcp_dcc/dcc_cc_info.h"
}

# make dkms in trees of its own, as somebody does who has them for another kernel.
# dkms asks depmod for what is in /lib/modules, where that kernel may not be.
dkms_make()
{
	PATH=$work/bin:$PATH DKMS_FLAGS="--dkmstree $work/dkms --sourcetree $work/usr/src --installtree $work/lib/modules --kernelsourcedir $kdir" \
		make -C "$tree" DESTDIR="$work" KREL="$release" KDIR="$kdir" "$1"
}

dkms_versions()
{
	find "$work/dkms/tcp-dcc" "$work/usr/src" -mindepth 1 -maxdepth 1 -type d ! -name 'kernel-*' \
		-printf '%f\n' 2>/dev/null | sed 's/^tcp-dcc-//' | sort -u
}

# It fails, is mended, is done twice, and another version follows. The sources are those of
# the package, which so builds, too.
dkms_again_and_again()
{
	local source=$tree/common/dcc_main.c first
	mkdir -p "$work/dkms" "$work/usr/src" "$work/lib/modules/$release" "$work/bin"
	ln -s "$(type -P true)" "$work/bin/depmod"
	cp "$source" "$work/main.c"
	echo "not C" >>"$source"
	! dkms_make dkms && test -z "$(dkms_versions)" || return 1
	cp "$work/main.c" "$source"
	dkms_make dkms && dkms_make dkms || return 1
	first=$(dkms_versions)
	diff -r -x COPYING "$work/deb/usr/src/tcp-dcc-$version" "$work/usr/src/tcp-dcc-$first" || return 1
	echo "/* another */" >>"$source"
	dkms_make dkms && test "$(dkms_versions | wc -l)" = 1 && test "$(dkms_versions)" != "$first" &&
		has_all "$work/lib/modules"
}

dkms_removed()
{
	dkms_make dkms-remove && test -z "$(dkms_versions)" && test -z "$(find "$work/lib" -name '[td]c[pc]_*.ko*')"
}

# Where there is no DKMS, what it would do: the MAKE line of dkms.conf, in the package's
# sources.
deb_builds()
{
	local make_line
	make_line=$(cd "$work/deb/usr/src/tcp-dcc-$version" &&
		kernel_source_dir=$kdir bash -c '. ./dkms.conf; echo "${MAKE[0]}"')
	(cd "$work/deb/usr/src/tcp-dcc-$version" && $make_line) &&
		has_all "$work/deb"
}

# What akms does with it (akms-build): in a copy, with busybox's shell, as on Alpine.
akms_builds()
{
	local dir=$work/akms/usr/src/tcp-dcc
	make -C "$tree" DESTDIR="$work/akms" akms-source && cat "$dir/AKMBUILD" || return 1
	(cd "$dir" && builddir=$dir kernel_srcdir=$kdir kernel_ver=$release MAKEFLAGS=-j$(nproc) \
		busybox sh -euo pipefail -c '. ./AKMBUILD; build; for ko in $built_modules; do test -f "$ko"; done
			expr "$modver" : "[0-9][0-9.]*\(_git[0-9]*\)*$"') && has_all "$dir"
}

# The recipe with a kernel of our own in the place of nixpkgs'; its phases as stdenv
# runs them, with the sources that it names and no others.
nix_builds()
{
	local dev=$work/nix-dev src=$work/nix-src out=$work/nix-out json=$work/nix.json
	mkdir -p "$dev/lib/modules/$release" "$src"
	ln -s "$kdir" "$dev/lib/modules/$release/build"
	cat >"$work/stub.nix" <<-END
	let
	  kernel = { dev = "$dev"; modDirVersion = "$release"; version = "6.12"; makeFlags = [ "V=0" ];
	    moduleBuildDependencies = [ ]; stdenv.mkDerivation = a: a; };
	  lib = { sourceByRegex = path: regexes: { path = toString path; inherit regexes; };
	    licenses.gpl2Only = "GPL-2.0"; platforms.linux = [ ]; };
	in import $tree/packaging/nix/default.nix { inherit lib kernel; }
	END
	NIX_STATE_DIR=$work/nix-state NIX_STORE_DIR=$work/nix-store HOME=$work \
		nix-instantiate --eval --strict --json "$work/stub.nix" >"$json" || return 1
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["installPhase"])' "$json" >"$work/install.sh"
	python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1]))["src"]["regexes"]))' "$json" >"$work/regexes"
	(cd "$tree" && find . -type f -printf '%P\n' | grep -xEf "$work/regexes" | tar -cf - -T - | tar -C "$src" -xf -)
	(cd "$src" && make V=0 KDIR="$dev/lib/modules/$release/build" -j"$(nproc)" modules &&
		makeFlags=V=0 out=$out bash -ec "runHook() { :; }; $(cat "$work/install.sh")") &&
		has_all "$out/lib/modules/$release/updates/dcc" && test ! -e "$out/lib/modules/$release/modules.dep"
}

# The sources alone, as in a fresh checkout.
copy_tree()
{
	mkdir -p "$tree"
	# shellcheck disable=SC2086 # a list of words
	tar -cf - --exclude='*.o' --exclude='*.ko' --exclude='*.mod*' --exclude='*.cmd' \
		--exclude=Module.symvers --exclude=__pycache__ \
		Makefile Kbuild dkms.conf COPYING scripts packaging Documentation/man $folders \
		tools/dccstat tools/replay tools/csv tools/version.mk | tar -C "$tree" -xf -
	find "$tree" -type f | sort >"$work/before"
}

# A kernel built by a compiler that is not here.
foreign_kdir()
{
	mkdir -p "$work/foreign/include/generated"
	touch "$work/foreign/Makefile" "$work/foreign/Module.symvers" \
		"$work/foreign/include/generated/autoconf.h"
	for symbol in MODULES NET INET IPV6 SYSCTL NETFILTER; do
		echo "CONFIG_$symbol=y"
	done >"$work/foreign/.config"
	cat >>"$work/foreign/.config" <<-END
	CONFIG_CC_IS_GCC=y
	CONFIG_GCC_VERSION=990100
	CONFIG_CC_VERSION_TEXT="gcc-99 (Example) 99.1.0"
	END
}

echo "TAP version 13"
copy_tree
kdir=$(scripts/kernels.sh headers 6.12)
release=$(scripts/kernels.sh release 6.12)

tap_refuse "missing headers are named, with the way to get them" 'linux-headers|kernel-devel|kernel headers' \
	make -C "$tree" KDIR="$work/none"
mkdir "$work/empty"
tap_refuse "a folder that is no kernel is named" 'has no Makefile' make -C "$tree" KDIR="$work/empty"
foreign_kdir
tap_refuse "a missing compiler is named" 'built with gcc 99.*' make -C "$tree" KDIR="$work/foreign"
tap_refuse "the compiler's package is named" 'apt-get install gcc-99' make -C "$tree" KDIR="$work/foreign"
sed -i 's/CONFIG_INET=y/# CONFIG_INET is not set/' "$work/foreign/.config"
tap_refuse "a kernel without TCP is refused" 'CONFIG_INET=n' make -C "$tree" KDIR="$work/foreign"

tap_run "make KDIR= builds" make -C "$tree" -j"$(nproc)" KDIR="$kdir"
tap_run "every module is there" has_all "$tree"
tap_run "modules describe themselves" describes_itself
tap_run "a second make builds nothing" rebuilds_nothing
tap_run "make install" installs
for name in tcp_swift tcp_lswift tcp_mswift; do
	tap_run "modprobe finds $name" resolves $name
done
tap_run "make uninstall takes our files, compressed or not, and no others" uninstalls
tap_run "make uninstall takes empty folders" uninstalls_twice
tap_run "make uninstall with an empty INSTALL_MOD_DIR" uninstalls_from_the_top
for dir in .. . 'a/..' 'with a blank' "a/it's" kernel; do
	tap_run "make uninstall with INSTALL_MOD_DIR=$dir" uninstalls_odd "$dir"
done
tap_run "make help" make -C "$tree" help
version=$("$tree/scripts/version.sh")
tap_run "make deb" deb_is_complete
tap_run "make deb-dccstat" dccstat_deb_is_complete
if command -v lintian >/dev/null; then
	tap_run "lintian finds nothing" debs_have_no_findings
else
	tap_skip "lintian finds nothing" "lintian is not here (scripts/setup.sh full)"
fi
if test "$(id -u)" = 0 && command -v dkms >/dev/null; then
	tap_run "make dkms works again and again, with the package's sources" dkms_again_and_again
	tap_run "make dkms-remove leaves nothing" dkms_removed
else
	tap_run "the package's sources build as DKMS would" deb_builds
	tap_skip "make dkms works again and again" "it takes root and dkms"
fi
if command -v busybox >/dev/null; then
	tap_run "the recipe for akms builds" akms_builds
else
	tap_skip "the recipe for akms builds" "busybox is not here"
fi
if command -v nix-instantiate >/dev/null; then
	tap_run "the recipe for Nix builds" nix_builds
else
	tap_skip "the recipe for Nix builds" "nix-instantiate is not here (scripts/setup.sh full)"
fi
tap_run "make clean leaves the sources only" cleans
tap_run "an older checkout's sources are built, too" builds_older_sources
ended=
while IFS= read -r line; do
	case $line in
	'ok '*'# SKIP '*) tap_skip "$(sed 's/^ok [0-9]* - \(.*\) # SKIP.*/\1/' <<<"$line")" "${line#*# SKIP }" ;;
	'ok '*) tap_result 0 "${line#* - }" ;;
	'not ok '*) tap_result 1 "${line#* - }" ;;
	'# '*) echo "$line" ;;
	'1..'*) ended=yes ;;
	esac
done < <(scripts/check-kernels.sh)	# each is told when it is done: together they take long
tap_run "check-kernels.sh came to its end" test "$ended"
tap_end
