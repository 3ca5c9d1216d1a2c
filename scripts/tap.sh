# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# TAP output for the checks written in shell; sourced.

tap_tests=0
tap_failed=0

# tap_result STATUS NAME [FILE]: one line; of a failure also the file's text.
tap_result()
{
	tap_tests=$((tap_tests + 1))
	if test "$1" = 0; then
		echo "ok $tap_tests - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_tests - $2"
		test -z "${3-}" || sed 's/^/# /' "$3" | head -n 60
	fi
}

tap_skip()
{
	tap_tests=$((tap_tests + 1))
	echo "ok $tap_tests - $1 # SKIP $2"
}

# tap_run NAME COMMAND...: passes if the command succeeds.
tap_run()
{
	local name=$1 log status=0
	shift
	log=$(mktemp)
	"$@" >"$log" 2>&1 || status=$?
	tap_result $status "$name" "$log"
	rm -f "$log"
}

# tap_refuse NAME PATTERN COMMAND...: passes if the command fails and says so.
tap_refuse()
{
	local name=$1 pattern=$2 log status=1
	shift 2
	log=$(mktemp)
	if ! "$@" >"$log" 2>&1 && grep -Eq "$pattern" "$log"; then
		status=0
	else
		echo "(should have failed with a text like: $pattern)" >>"$log"
	fi
	tap_result $status "$name" "$log"
	rm -f "$log"
}

# Last words of a script of checks; its result is the exit status.
tap_end()
{
	echo "1..$tap_tests"
	test $tap_failed = 0
}

# tap_usage ARGUMENT: what the head of the script says; an error unless it is asked for.
tap_usage()
{
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	case $1 in -h | --help) exit 0 ;; esac
	printf '%s\n' "${0##*/}: '$1' is not known" >&2
	exit 2
}
