#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# checkpatch.sh FILE...: the kernel's checkpatch --strict, taken once from
# Debian's kernel source package into the cache.
set -euo pipefail

if test "${1---help}" = --help; then
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	exit
fi
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
source_tar=/usr/src/linux-source-6.12.tar.xz
dir=$("$top/scripts/kernels.sh" cache)/checkpatch-6.12
script=$dir/scripts/checkpatch.pl

if ! test -x "$script"; then
	test -r "$source_tar" || {
		echo "checkpatch.pl: $source_tar is missing; run scripts/setup.sh" >&2
		exit 1
	}
	mkdir -p "$dir/include" # looked into for names in CamelCase
	tar -C "$dir" -xJf "$source_tar" --strip-components=1 --wildcards \
		'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' \
		'*/scripts/const_structs.checkpatch'
fi

# One list makes a table's struct, enum, files and texts: checkpatch dislikes the
# shape of such list macros wherever they are (the kernel's own trace events too).
LIST_MACROS=COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_UNUSED,TRAILING_SEMICOLON,MACRO_WITH_FLOW_CONTROL

# Trace events are laid out alike all over the kernel, and not as checkpatch wants.
TRACE_SHAPE=OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT
# What is built outside the kernel, too, has no u8, BIT(), __printf() ..., and
# uses names that other projects chose.
NOT_PORTABLE=PREFER_KERNEL_TYPES,BIT_MACRO,PREFER_DEFINED_ATTRIBUTE_MACRO,CAMELCASE,EXPORT_SYMBOL,AVOID_EXTERNS

FILES_AT_A_TIME=16

portable()
{
	case $1 in
	tools/lab/kmod/*_uapi.h|selftests/*) return 0 ;;
	tools/lab/kmod/*) return 1 ;;
	tools/*|*/dcc_types.h) return 0 ;;
	esac
	! grep -qE '#include <(linux|net)/' "$1"
}

# What checkpatch is to keep quiet about in a file.
ignores_for()
{
	local ignore=$LIST_MACROS
	portable "$1" && ignore=$ignore,$NOT_PORTABLE
	case $1 in
	*_trace.h) ignore=$ignore,$TRACE_SHAPE ;;
	*.h) ignore=$ignore,LINE_SPACING ;; # a list macro ends a struct's fields
	esac
	echo "$ignore"
}

# check_some IGNORE FILE...: half of what checkpatch takes for one file is its own
# start. In its own folder, where it may leave its files.
check_some()
{
	local ignore=$1 findings status
	shift
	findings=$(cd "$dir" && perl "$script" --root="$dir" --no-tree --strict --terse --quiet --show-types \
		--ignore "$ignore" -f "$@")
	status=$?
	findings=$(grep -v '^total:' <<<"$findings")
	test -z "$findings" && test $status = 0 && return
	test $status -gt 1 && echo "checkpatch.pl ended with status $status"
	echo "${findings//"$PWD/"/}"
	return 1
}

declare -A groups
for file in "$@"; do
	groups[$(ignores_for "$file")]+=$(readlink -f "$file")$'\n'
done
export -f check_some
export script dir
status=0
for ignore in "${!groups[@]}"; do
	printf %s "${groups[$ignore]}" |
		xargs -d '\n' -n "$FILES_AT_A_TIME" -P "$(nproc)" bash -c 'check_some "$@"' _ "$ignore" || status=1
done
exit $status
