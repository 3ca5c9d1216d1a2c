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
	done | awk '{ sum += $1 } END { if (NR) print int(sum / NR) }'
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
	for cc in bpf_swift bpf_mswift; do
		expect_in "$cc can be chosen" "$cc" "$(cat /proc/sys/net/ipv4/tcp_available_congestion_control)"
	done
}

# The sysctl is that of the first namespace: others take what may be had without rights.
test_flow()
{
	for cc in bpf_swift bpf_mswift; do
		expect_in "8 MB of $cc arrive whole" "^cc=$cc .* bytes=$BYTES sum=match" "$(send $cc)"
	done
	sysctl_file=/proc/sys/net/ipv4/tcp_congestion_control
	check "the sysctl takes bpf_mswift" sh -c "echo bpf_mswift >$sysctl_file"
	expect_in "and flows then have it" "^cc=bpf_mswift .* sum=match" "$(xfer send ::1 7000 $FEW_BYTES)"
	echo cubic >$sysctl_file
}

test_queue()
{
	check "a bottleneck" in_a tc qdisc replace dev ve_a root tbf rate ${MBPS}mbit burst 5000 limit $LIMIT
	cubic=$(queue_of cubic)
	expect_in "cubic arrives whole" "^cc=cubic .* bytes=$BYTES sum=match" "$(cat /tmp/sent)"
	swift=$(queue_of bpf_swift)
	expect_in "bpf_swift arrives whole" "^cc=bpf_swift .* bytes=$BYTES sum=match" "$(cat /tmp/sent)"
	note "mean queue: cubic $cubic bytes, bpf_swift $swift"
	check "swift keeps the queue below a quarter of cubic's" \
		test "${swift:-none}" -lt "$((${cubic:-0} / 4))"
}

test_loss()
{
	check "a line that loses 1 %" in_a tc qdisc replace dev ve_a root netem loss 1% delay 2ms rate ${MBPS}mbit
	for cc in bpf_swift bpf_mswift; do
		expect_in "$cc arrives whole there, too" "^cc=$cc .* sum=match" "$(send $cc $FEW_BYTES)"
	done
}

# ms_of CC: how long BYTES take.
ms_of() { send "$1" | sed -n 's/.* sum=match ms=\([0-9]*\) .*/\1/p'; }

# A round trip takes 4 ms, and one of four packets 2 ms longer: others overtake it, as
# where a flow is sprayed over four paths. There is no queue but these packets'.
test_late()
{
	in_a tc qdisc del dev ve_a root 2>/dev/null	# replaced, netem keeps its rate
	check "a way of 4 ms" in_a tc qdisc replace dev ve_a root netem delay 2ms limit 10000
	in_b tc qdisc replace dev ve_b root netem delay 2ms limit 10000
	free=$(ms_of bpf_mswift)
	check "one of four packets comes 2 ms later" in_a tc qdisc replace dev ve_a root netem \
		delay 2ms reorder 75% limit 10000
	in_b tc qdisc replace dev ve_b root netem delay 4ms limit 10000
	mswift=$(ms_of bpf_mswift)
	swift=$(ms_of bpf_swift)
	note "$BYTES bytes, ms: bpf_mswift $mswift, bpf_swift $swift; none late, bpf_mswift $free"
	check "the median keeps most of the rate" test "${mswift:-none}" -lt "$((13 * ${free:-0} / 10))"
	check "and swift loses it" test "${swift:-none}" -gt "$((2 * ${mswift:-0}))"
	in_a tc qdisc del dev ve_a root
	in_b tc qdisc del dev ve_b root
}

test_unload()
{
	for cc in bpf_swift bpf_mswift; do
		check "$cc is unregistered" bpftool struct_ops unregister name $cc
		refuse "$cc cannot be chosen any more" send $cc
	done
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
xfer serve 7000 &
retry 60 listens 7000 in_b
retry 60 listens 7000
ip -n a link set ve_a gso_max_segs 1
run_tests $(echo "${dcc_tests:-load flow queue loss late unload log}" | tr , " ")
