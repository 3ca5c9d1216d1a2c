#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# style.sh: the style checks, as TAP: the house rules, checkpatch, and a build with all
# warnings on (W=1, sparse) against Debian's 6.1 and 6.12 headers in which no
# file of ours may warn.
set -uo pipefail

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
. scripts/tap.sh
test $# = 0 || tap_usage "$1"

# Prose, and what comes from other hands or programs, carries no licence line.
NO_SPDX='(^|/)COPYING$|\.md$|\.patch$|\.svg$|\.json$|\.csv$|\.tsv$'

all_files()
{
	if test -e .git && command -v git >/dev/null; then
		git ls-files -co --exclude-standard
	else
		find . -type f ! -path './build/*' ! -name '*.o' ! -name '*.ko' \
			! -name '*.pyc' ! -name '*.cmd' ! -name '*.mod*' -printf '%P\n'
	fi | while read -r f; do test -f "$f" && echo "$f"; done
}

# Files whose first line names an interpreter that matches.
scripts_of()
{
	for f in "${files[@]}"; do
		case $f in
		*.py) test "$1" = python && echo "$f" ;;
		*) head -c 100 "$f" | head -n 1 | tr -d '\0' | grep "^#!.*$1" >/dev/null && echo "$f" ;;
		esac
	done
}

shell_parses()
{
	local status=0
	for f in "$@"; do
		bash -n "$f" || status=1
	done
	return $status
}

# Every module that Kbuild names must be in the DKMS package.
dkms_is_complete()
{
	local status=0
	for folder in $(sed -n 's|^obj-m += \(.*\)/$|\1|p' Kbuild); do
		for module in $(sed -n 's/^obj-m *[:+]= *\(.*\)\.o$/\1/p' "$folder/Kbuild"); do
			grep -q "=\"$module\"" dkms.conf && continue
			echo "dkms.conf does not list $module (of $folder/Kbuild)"
			status=1
		done
	done
	return $status
}

exports_are_ours()
{
	! grep -n '^EXPORT_SYMBOL' "${c_files[@]}" | grep -v ':EXPORT_SYMBOL_GPL(dcc_'
}

# clean_build SERIES: warnings of our own files fail; those that the kernel's
# headers raise by themselves do not. Nor may a file of common/ call upward.
clean_build()
{
	local kdir work log
	kdir=$(scripts/kernels.sh headers "$1") || return 1
	work=$(mktemp -d)
	log=$work/log
	if ! scripts/build-for.sh "$kdir" "$work/tree" W=1 C=2 \
		CF=-D__CHECK_ENDIAN__ >"$log" 2>&1; then
		tail -n 40 "$log"
		rm -rf "$work"
		return 1
	fi
	sed "s|$work/tree/||g; s|$work/tree||g" "$log" |
		grep -E '^(common|tcp_[a-z]+)/.*(warning|error):|^WARNING:' >"$work/findings"
	cat "$work/findings"
	test ! -s "$work/findings" && scripts/layers.py "$work/tree"
	local status=$?
	rm -rf "$work"
	return $status
}

mapfile -t files < <(all_files)
mapfile -t c_files < <(printf '%s\n' "${files[@]}" | grep '\.[ch]$')
mapfile -t python_files < <(scripts_of python)
mapfile -t shell_files < <(scripts_of 'sh$'; scripts_of 'sh ')
mapfile -t spdx_files < <(printf '%s\n' "${files[@]}" | grep -vE "$NO_SPDX")

echo "TAP version 13"
tap_run "every file names its licence" python3 scripts/style.py spdx "${spdx_files[@]}"
tap_run "C functions are short" python3 scripts/style.py c-functions "${c_files[@]}"
tap_run "no kernel versions outside common/ctl/dcc_compat*" python3 scripts/style.py version "${c_files[@]}"
tap_run "Python parses, functions are short" python3 scripts/style.py python "${python_files[@]}"
tap_run "shell scripts parse" shell_parses "${shell_files[@]}"
tap_run "exported symbols are GPL and called dcc_*" exports_are_ours
tap_run "no file of common/ includes upward" scripts/layers.py
tap_run "dkms.conf lists every module" dkms_is_complete
tap_run "checkpatch --strict" scripts/checkpatch.sh "${c_files[@]}"
for series in 6.1 6.12; do
	tap_run "no warning with W=1 and sparse, no call upward on $series" clean_build "$series"
done
tap_end
