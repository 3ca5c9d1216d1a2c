#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tools/bpf inside the emulated machine; this is its init. No module of ours is there.
# dcc_tests: those to run, by name without test_ (default: all). Namespaces a and b as in
# guest-lib.sh.

. /guest-lib.sh
. /guest-tap.sh
PATH=$PATH:/usr/sbin
BYTES=8000000
FEW_BYTES=1000000		# where losses make a flow slow
MBPS=20
LIMIT=300000			# bytes, 120 ms

# send CC [BYTES]
send() { in_a xfer send fd09::2 7000 "${2:-$BYTES}" "cc=$1"; }

# The queue while somebody sends, bytes: the mean of all looks at it. The longest of them
# would be that of the moment in which this machine stood still.
mean_queue()
{
	while kill -0 "$1" 2>/dev/null; do
		ip netns exec a tc -s qdisc show dev ve_a | sed -n 's/.*backlog \([0-9]*\)b.*/\1/p'
		sleep 0.1
	done | awk '{ sum += $1 } END { print int(sum / NR) }'
}

# queue_of CC: its mean queue; what xfer says is in /tmp/sent.
queue_of()
{
	send "$1" >/tmp/sent 2>&1 &
	sender=$!
	mean_queue $sender
}

test_load()
{
	check "the verifier takes the programs" bpftool struct_ops register /swift.bpf.o
	expect "no module of ours is loaded" "" "$(lsmod | grep dcc)"
	expect_in "swift can be chosen" "bpf_swift" "$(cat /proc/sys/net/ipv4/tcp_available_congestion_control)"
}

test_flow()
{
	check "a flow of 8 MB arrives whole" send bpf_swift
	expect_in "by it" "^cc=bpf_swift .* sum=match" "$(send bpf_swift)"
}

test_queue()
{
	check "a bottleneck" in_a tc qdisc replace dev ve_a root tbf rate ${MBPS}mbit burst 5000 limit $LIMIT
	cubic=$(queue_of cubic)
	note "cubic: $cubic bytes, $(cat /tmp/sent)"
	swift=$(queue_of bpf_swift)
	note "bpf_swift: $swift bytes, $(cat /tmp/sent)"
	check "swift keeps the queue below a quarter of cubic's" test "$((4 * swift))" -lt "$cubic"
}

test_loss()
{
	check "a line that loses 1 %" in_a tc qdisc replace dev ve_a root netem loss 1% delay 2ms rate ${MBPS}mbit
	expect_in "a flow arrives whole there, too" "^cc=bpf_swift .* sum=match" "$(send bpf_swift $FEW_BYTES)"
}

test_unload()
{
	check "unregistered" bpftool struct_ops unregister name bpf_swift
	refuse "it cannot be chosen any more" send bpf_swift
}

mount_all
mkdir -p /sys/fs/bpf
mount -t bpf bpf /sys/fs/bpf
ulimit -l unlimited
echo "TAP version 13"
note "kernel $(uname -r)"
signs_of_life &
modprobe -a sch_tbf sch_netem
two_namespaces
in_b xfer serve 7000 &
retry 60 listens 7000 in_b
ip -n a link set ve_a gso_max_segs 1
run_tests $(echo "${dcc_tests:-load flow queue loss unload log}" | tr , " ")
