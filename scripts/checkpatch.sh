#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# checkpatch.sh FILE...: the kernel's checkpatch --strict, taken once from
# Debian's kernel source package into the cache.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
source_tar=/usr/src/linux-source-6.12.tar.xz
dir=$("$top/scripts/kernels.sh" cache)/checkpatch-6.12
script=$dir/scripts/checkpatch.pl

if ! test -x "$script"; then
	test -r "$source_tar" || {
		echo "checkpatch.pl: $source_tar is missing; run scripts/setup.sh" >&2
		exit 1
	}
	mkdir -p "$dir"
	tar -C "$dir" -xJf "$source_tar" --strip-components=1 --wildcards \
		'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' \
		'*/scripts/const_structs.checkpatch'
fi

# One list makes a table's struct, enum, files and texts: checkpatch dislikes the
# shape of such list macros wherever they are (the kernel's own trace events too).
LIST_MACROS=COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_UNUSED,TRAILING_SEMICOLON,MACRO_WITH_FLOW_CONTROL

# What is built outside the kernel, too, has neither u8 nor BIT().
portable()
{
	case $1 in
	tools/lab/kmod/*_uapi.h|selftests/*) return 0 ;;
	tools/lab/kmod/*) return 1 ;;
	tools/*|*/dcc_types.h) return 0 ;;
	esac
	! grep -qE '#include <(linux|net)/' "$1"
}

check_one()
{
	local ignore=$LIST_MACROS findings
	portable "$1" && ignore=$ignore,PREFER_KERNEL_TYPES,BIT_MACRO
	findings=$(perl "$script" --no-tree --strict --terse --quiet --show-types \
		--ignore "$ignore" -f "$1" | grep -v '^total:')
	test -z "$findings" && return
	echo "$findings"
	return 1
}

export -f portable check_one
export LIST_MACROS script
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check_one "$1"' _
