# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# TAP of the tests in the emulated machines: functions test_NAME of their init.

tests=0
failed=0

pass() { tests=$((tests + 1)); echo "ok $tests - $*"; }
fail() { tests=$((tests + 1)); failed=$((failed + 1)); echo "not ok $tests - $*"; }

# note TEXT: shown as a TAP comment, so that a failure explains itself.
note()
{
	echo "$*" | sed 's/^/# /'
}

# skip NAME WHY
skip() { tests=$((tests + 1)); echo "ok $tests - $1 # SKIP $2"; }

# check NAME COMMAND...: passes if the command succeeds.
check()
{
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		pass "$name"
	else
		fail "$name"
		note "$* -> $output"
	fi
}

# refuse NAME COMMAND...: passes if the command fails.
refuse()
{
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		fail "$name"
		note "$* went through: $output"
	else
		pass "$name"
	fi
}

# expect NAME WANTED GOT
expect()
{
	if test "$2" = "$3"; then
		pass "$1"
	else
		fail "$1"
		note "wanted '$2', got '$3'"
	fi
}

# expect_in NAME PATTERN TEXT
expect_in()
{
	if echo "$3" | grep -Eq "$2"; then
		pass "$1"
	else
		fail "$1"
		note "wanted /$2/ in: $3"
	fi
}

test_log()
{
	bad=$(dmesg | grep -E 'WARNING|BUG:|Oops|Call Trace|general protection|UBSAN|refcount|soft lockup|rcu.*stall|unregister_netdevice: waiting')
	expect "the kernel's log has no warning" "" "$bad"
	test -z "$bad" || dmesg | tail -n 60 | sed 's/^/# /'
}

finish()
{
	echo "1..$tests"
	echo "GUEST-END failed=$failed"
	poweroff -f
	# it returns before the machine is off
	sleep 1000
}

# Who is silent counts as hung (EMU_SILENCE_S), and virtual time may be slow.
signs_of_life()
{
	while sleep 1; do note "$(cut -d' ' -f1 /proc/uptime) s"; done
}

# run_tests NAME...: all of them, and the machine's end.
run_tests()
{
	for t in "$@"; do
		command -v "test_$t" >/dev/null || { fail "no test is called $t"; continue; }
		note "test_$t $(cut -d' ' -f1 /proc/uptime) s"
		"test_$t"
	done
	finish
}
