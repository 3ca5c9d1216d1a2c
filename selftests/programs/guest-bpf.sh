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
MSS=1428			# bytes of a full packet, with timestamps
JUMBO_MTU=8996			# full packets of 4 * 2231 bytes
TAGGED_MTU=1492			# of frames with two VLAN tags; full packets of 4 * 355 bytes
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

# spray DEVICE: a's packets get four flow labels by turns. From a full packet to the next the
# sequence number grows by four times an odd number, so the two bits that choose the label take
# turns. One label is 0: packets of a single label then have 0. In each 16th stretch of 64 KiB
# one of 16 full packets gets a CE mark, never two in a row, which GRO would merge. (All of them
# have 1024 in their length.) A connection's first packet, without ACK, stays as it is.
spray()
{
	in_a tc qdisc add dev "$1" clsact
	set -- in_a tc filter add dev "$1" egress protocol ipv6
	match="u32 match ip6 protocol 6 0xff match u8 0x10 0x10 at 53 match u32"
	"$@" pref 1 $match 0 0xf03c0 at 44 match u16 0x400 0x400 at 4 \
		action pedit munge offset 0 u32 set 0x300000 retain 0x300000 continue
	for bits in 0x0:0x0 0x4:0x55555 0x8:0xaaaaa 0xc:0xfffff; do
		"$@" pref 2 $match ${bits%:*} 0xc at 44 \
			action pedit munge offset 0 u32 set ${bits#*:} retain 0xfffff
	done
}

attach() { ip -n b link set dev ve_b xdpdrv obj /label.xdp.o sec xdp.frags; }

# jumbo MTU
jumbo() { ip -n a link set ve_a mtu "$1" && ip -n b link set ve_b mtu "$1"; }

# A device whose frames have two VLAN tags: of three, veth keeps one beside the frame.
tagged()
{
	for n in a b; do
		dev=ve_$n
		for id in 1 2 3; do
			ip -n $n link add link $dev name $dev.$id type vlan id $id
			dev=$dev.$id
			ip -n $n link set $dev up
		done
		ip -n $n link set $dev mtu $TAGGED_MTU
	done
	ip -n a link set ve_a.1.2.3 gso_max_segs 1
	ip -n a addr add fd0a::1/64 dev ve_a.1.2.3 nodad
	ip -n b addr add fd0a::2/64 dev ve_b.1.2.3 nodad
}

# A host behind b, which forwards: the first namespace.
behind()
{
	ip link add ve_d type veth peer name ve_c netns b
	ip link set ve_d up
	ip -n b link set ve_c up
	ip -n b addr add fd0b::1/64 dev ve_c nodad
	ip addr add fd0b::2/64 dev ve_d nodad
	ip -n a route add fd0b::/64 via fd09::2
	ip route add fd09::/64 via fd0b::1
	in_b sh -c "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding"
}

# The socket of b that takes IPv6 packets, by their protocol's number.
watching() { in_b grep -qi 86dd /proc/net/packet; }

# marks DEVICE: packets that got a CE mark.
marks()
{
	in_a tc -s filter show dev "$1" egress pref 1 |
		sed -n 's/.*Sent [0-9]* bytes \([0-9]*\) pkt.*/\1/p'
}

# sprayed WHAT DEVICE ADDRESS BYTES: what arrives at b's device, after GRO, is then in /tmp/labels.
sprayed()
{
	marks=$(marks "ve_a${2#ve_b}")
	ip netns exec b xfer labels "$2" >/tmp/labels &
	counter=$!
	retry 60 watching
	expect_in "$1: the data arrive whole" "sum=match" "$(in_a xfer send "$3" 7000 "$4" cc=cubic)"
	kill $counter
	wait $counter
	note "$(cat /tmp/labels)"
	expect "$1: the counter missed no packet" 0 "$(arrived dropped)"
	expect "$1: all packets are ECN-capable" "$(arrived packets)" "$(arrived ect)"
	marks=$(($(marks "ve_a${2#ve_b}") - marks))
	expect "$1: CE marks stay" $marks "$(arrived ce)"
}

# arrived NAME: one of the numbers counted.
arrived() { sed -n "s/.*\<$1=\([0-9]*\).*/\1/p" /tmp/labels; }

# SYNs that b gets, and how many of them have label 0, as a filter counts them.
count_syns()
{
	in_b tc qdisc add dev ve_b clsact
	in_b tc filter add dev ve_b ingress protocol ipv6 u32 match ip6 protocol 6 0xff \
		match u8 0x02 0x02 at 53 match u32 0 0xfffff at 0 flowid 1:1
}

# Both numbers, on a line.
syns()
{
	in_b tc -s filter show dev ve_b ingress |
		sed -n 's/.*at \(52\|0\) (success \([0-9]*\).*/\2/p' | xargs
}

# merged WHAT: what GRO made of BYTES.
merged()
{
	expect "$1: all packets have label 0" 1 "$(arrived labels)"
	check "$1: some packets were marked" test "$marks" -gt 0
	check "$1: GRO merges four packets into one at least" \
		test "$(arrived packets)" -lt $((BYTES / MSS / 4))
}

# Instructions that the program takes for a packet, with the kernel's own counting.
label_cost()
{
	bpftool prog show name zero_label |
		sed -n 's/.*run_time_ns \([0-9]*\) run_cnt \([0-9]*\).*/\1 \2/p' |
		awk '{ print int($1 / $2), "instructions a packet, of", $2, "packets" }'
}

# Frames come in bursts, as a NIC's interrupt finds them.
test_label()
{
	in_a sh -c "echo 1 >/proc/sys/net/ipv4/tcp_ecn"
	spray ve_a
	count_syns
	check "frames in bursts" in_a tc qdisc replace dev ve_a root netem \
		limit 1000 delay 1us slot 5ms 5ms
	check "GRO is on" in_b card ve_b gro on
	check "the verifier takes the XDP program" attach
	refuse "a device has one XDP program" attach
	echo 1 >/proc/sys/kernel/bpf_stats_enabled
	sprayed "to this host" ve_b fd09::2 $BYTES
	merged "to this host"
	expect "of a connection the first packet keeps its label" "1 0" "$(syns)"
	note "$(label_cost)"
}

test_label_frames()
{
	check "jumbo frames" jumbo $JUMBO_MTU
	sprayed "in jumbo frames" ve_b fd09::2 $FEW_BYTES
	expect "in jumbo frames: all packets have label 0" 1 "$(arrived labels)"
	jumbo 1500
	tagged
	spray ve_a.1.2.3
	sprayed "in two VLANs" ve_b.1.2.3 fd0a::2 $BYTES
	merged "in two VLANs"
}

# Packets that b forwards keep their labels, and all do when the program is gone.
test_labels_stay()
{
	behind
	sprayed "forwarded" ve_b fd0b::2 $FEW_BYTES
	expect "forwarded: labels stay" 4 "$(arrived labels)"
	check "forwarded: GRO merges nothing" test "$(arrived packets)" -ge $((FEW_BYTES / MSS))
	check "the program can be detached" ip -n b link set dev ve_b xdpdrv off
	sprayed "detached" ve_b fd09::2 $FEW_BYTES
	expect "detached: labels stay" 4 "$(arrived labels)"
	in_a tc qdisc del dev ve_a root
	for n in a b; do
		ip netns exec $n tc qdisc del dev ve_$n clsact
	done
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
run_tests $(echo "${dcc_tests:-load flow queue loss late label label_frames labels_stay unload log}" | tr , " ")
