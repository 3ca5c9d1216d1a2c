#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tools/bpftrace inside the emulated machine; this is its init. dcc_tests:
# those to run, by name without test_ (default: all). Namespaces a and b as in guest-lib.sh.

. /guest-lib.sh
. /guest-tap.sh
PATH=$PATH:/usr/bin:/usr/sbin
TRACING=/sys/kernel/tracing
BYTES=8000000
# The line is slower than the hosts believe, so that windows decide and a queue grows.
MBPS=20
BELIEVED_MBPS=200
QDELAY_US=2000
READY_S=60

# trace SCRIPT COMMAND...: the script's output while the command runs, in /tmp/bt.
trace()
{
	script=$1
	shift
	bpftrace -B line "/bpftrace/$script.bt" >/tmp/bt 2>/tmp/bt.errors &
	tracer=$!
	retry $READY_S grep -q Attach /tmp/bt || note "$(cat /tmp/bt /tmp/bt.errors)"
	"$@" >/tmp/sent 2>&1
	note "$(cat /tmp/sent)"
	sleep 1
	kill -INT $tracer
	wait $tracer
	expect "$script.bt ends well" 0 $?
	sed 's/^/# /' /tmp/bt.errors
	note "$(head -n 60 /tmp/bt)"
}

send() { in_a xfer send fd09::2 7000 $BYTES "$@"; }

# The buckets of a histogram's counts, added up: hist NAME.
total() { awk '/^@/ { on = index($0, "@'"$1"'") == 1 } on && /^[[(]/ { n += $(NF > 2 && $2 ~ /[])]$/ ? 3 : 2) } END { print n + 0 }' /tmp/bt; }

test_btf()
{
	check "the kernel has BTF" test -s /sys/kernel/btf/vmlinux
}

test_delays()
{
	trace delays send cc=mswift
	expect_in "delays.bt: a histogram of the flow's round trips" "^@rtt_us\[mswift, [0-9]+, 7000\]:" "$(cat /tmp/bt)"
	expect_in "delays.bt: and of what the algorithm acted on" "^@acted_on_us\[mswift, [0-9]+, 7000\]:" "$(cat /tmp/bt)"
	check "delays.bt: of a thousand ACKs and more" test "$(total rtt_us)" -ge 1000
}

test_rules()
{
	trace rules send cc=mswift
	expect_in "rules.bt: the window grew" "^@rules\[mswift, 1\]: [1-9]" "$(cat /tmp/bt)"
	expect_in "rules.bt: and shrank" "^@rules\[mswift, 2\]: [1-9]" "$(cat /tmp/bt)"
	check "rules.bt: second by second" \
		test "$(grep -c '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$' /tmp/bt)" -ge 2
}

test_marks()
{
	check "a queue that marks one packet in twenty" \
		in_a tc qdisc add dev ve_a parent 1:1 handle 2: netem loss 5% ecn
	# The window must be one that can shrink, and the sender's own queue, which the stack
	# keeps short (TSQ: some 6 ms here), longer than the target: nscc forgives marks below.
	check "and a way back of 5 ms" in_b tc qdisc add dev ve_b root netem delay 5ms limit 10000
	check "and a target of 1 ms" in_a sysctl -q -w net.dcc.nscc.target_qdelay_ns=1000000
	# netem drops what cannot be marked: a SYN, too.
	check "and ECN after a lost SYN" in_a sysctl -q -w net.ipv4.tcp_ecn_fallback=0
	trace marks send cc=nscc
	expect_in "marks.bt: nscc heard of marks" "^@marks\[nscc\]: [1-9]" "$(cat /tmp/bt)"
	expect_in "marks.bt: and reacted, so long after it had sent" "^@since_sent_us\[nscc\]:" "$(cat /tmp/bt)"
	expect_in "marks.bt: and after it had been told" "^@since_told_us\[nscc\]:" "$(cat /tmp/bt)"
	check "marks.bt: ten times and more" test "$(total since_told_us)" -ge 10
	expect "marks.bt: each reaction in both" "$(total since_sent_us)" "$(total since_told_us)"
}

mount_all
mount -t tracefs tracefs $TRACING
mkdir -p /sys/fs/bpf
ulimit -l unlimited
echo "TAP version 13"
note "kernel $(uname -r)"
signs_of_life &
modprobe -a $MODULES sch_tbf sch_netem
two_namespaces
in_b xfer serve 7000 &
retry 60 listens 7000 in_b
in_a sysctl -q -w net.ipv4.tcp_ecn=1 net.dcc.mswift.target_qdelay_us=$QDELAY_US \
	net.dcc.mswift.line_rate_mbps=$BELIEVED_MBPS net.dcc.nscc.line_rate_mbps=$BELIEVED_MBPS
ip -n a link set ve_a gso_max_segs 1
in_a tc qdisc replace dev ve_a root handle 1: tbf rate ${MBPS}mbit burst 5000 limit 1000000
run_tests $(echo "${dcc_tests:-btf delays rules marks log}" | tr , " ")
