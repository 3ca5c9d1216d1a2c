#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Measures inside the emulated machine, in which an instruction is a nanosecond; this
# is its init. /plan says what, as bench.py wrote it. Prints "RESULT" and the plan's
# line with what came of it, "BROKEN" and why where nothing did.
#
# One flow, or many, from namespace a to b (two_namespaces), both ends in one program.
# What is compared shall differ in the algorithm alone: no algorithm meets its target, so
# windows end where the receiver's does; the line's speed is told, as real devices tell
# theirs; the first window is large.

. /guest-lib.sh
LINE_MBPS=10000
FIRST_WINDOW=64
REST_S=20		# of a time that costs nothing
WHOLE=65535		# segments that a device's GSO packet may have
HELD_BYTES=8000		# of which a packet of 76 bytes leaves each second
NO_QUEUE_US=100000	# targets that no delay here reaches
INTERRUPT_US=50112	# from the first frame to the poll that takes all there are
BETWEEN_US=1152		# from a packet to the next
LATE_US=30000		# on the way, where packets are late
ANY_RTT=31		# tcp_tso_rtt_log: GSO packets as at a round trip of microseconds
STOCK_RTT=9

# put_all KNOB VALUE: in each module that has the knob.
put_all()
{
	for module in $MODULES; do
		knob=/sys/module/$module/parameters/$1
		test ! -e "$knob" || echo "$2" >"$knob"
	done
}

settings()
{
	modprobe -a $MODULES dcc_offload tcp_dctcp tcp_bbr sch_fq sch_netem meter || echo "BROKEN cannot load modules"
	put_all line_rate_mbps $LINE_MBPS
	put_all target_qdelay_us $NO_QUEUE_US
	put_all target_qdelay_ns ${NO_QUEUE_US}000
	put_all target_ns ${NO_QUEUE_US}000
	put_all channel_noise_ns ${NO_QUEUE_US}000
	put_all prio_levels 1
	two_namespaces
	ip -n a -6 route replace fd09::/64 dev ve_a metric 256 initcwnd $FIRST_WINDOW
	for n in a b; do
		ip netns exec $n sysctl -q -w net.ipv4.tcp_ecn=1 net.ipv4.tcp_no_metrics_save=1
	done
	# what waits here waits for the one processor: it is no queue of a network's
	sysctl -q -w net.core.netdev_max_backlog=100000 net.core.rmem_max=16777216 \
		net.core.wmem_max=16777216 net.core.somaxconn=4096
}

queue()
{
	in_a tc qdisc del dev ve_a root 2>/dev/null
	test "$1" = none || in_a tc qdisc replace dev ve_a root "$1"
}

# cap DEVICE CC SPRAY SEGS: most segments of a GSO packet, by the algorithm's knob or the device.
cap()
{
	segs=$WHOLE
	case $3$4 in
	off0) ;;
	off*) segs=$4 ;;
	*) in_a sysctl -q -w "net.dcc.$2.spray=$3" "net.dcc.$2.spray_segs=$4" ;;
	esac
	ip -n a link set "$1" gso_max_segs "$segs"
}

# uncap CC SPRAY
uncap()
{
	test "$2" = off ||
		in_a sysctl -q -w "net.dcc.$1.spray=inherit" "net.dcc.$1.spray_segs=inherit"
}

# transfer CC SPRAY SEGS FLOWS MBPS QUEUE OPTION...
transfer()
{
	key="$1 $2 $3 $4 $5 $6"
	cap ve_a "$1" "$2" "$3"
	queue "$6"
	cc=$1
	spray=$2
	shift 6
	if got=$(flows ve_a fd09::2 "$@" 2>&1); then
		echo "RESULT TRANSFER $key $got"
	else
		echo "BROKEN $key: $got"
	fi
	uncap "$cc" "$spray"
}

# A second wire, which single frames cross. They come in bursts, as a card's interrupt finds
# them: netem lets what it has go when INTERRUPT_US have passed. The sender is slow, so that
# his timer does not interrupt what is metered: a packet each 1152 us, and 43.5 of them are
# an interrupt. No timestamps: GRO does not merge what differs in them.
#
#     namespace a                                   namespace b
#    +-----------------------------------+         +------------------------+
#    | GSO packet -> netem -> cut nic_a| ------- |nic_b  NAPI, GRO -> TCP |
#    +-----------------------------------+         +------------------------+
cards()
{
	ip link add nic_a netns a type veth peer name nic_b netns b
	ip -n a addr add fd0a::1/64 dev nic_a nodad
	ip -n b addr add fd0a::2/64 dev nic_b nodad
	for n in a b; do
		ip -n $n link set nic_$n up
		ip netns exec $n card nic_$n tso off || echo "BROKEN card"
	done
	in_a card nic_a hash off || echo "BROKEN card"
	ip -n a -6 route replace fd0a::/64 dev nic_a metric 256 initcwnd $FIRST_WINDOW
}

# merging CC SPRAY SEGS GRO JITTER OPTION...: GRO is on, on and allowed to merge nothing, on
# with runs (dcc_offload), or off. Where the one end polls, the other has the backlog for
# itself. Packets are late by up to JITTER times the time between two, either way.
merging()
{
	key="$1 $2 $3 $4 $5"
	in_a ip link show nic_a >/dev/null 2>&1 || cards
	late="1us"
	test "$5" = 0 || late="${LATE_US}us $(($5 * BETWEEN_US))us"
	in_a tc qdisc replace dev nic_a root netem limit 1000 delay $late \
		slot ${INTERRUPT_US}us ${INTERRUPT_US}us
	case $4 in
	runs) echo 1 ;;
	*) echo 0 ;;
	esac >/sys/module/dcc_offload/parameters/gro
	whole=65536
	test "$4" != none || whole=1
	ip -n b link set nic_b gro_max_size $whole
	if test "$4" = off; then
		in_b card nic_b gro off && in_a card nic_a gro on
	else
		in_a card nic_a gro off && in_b card nic_b gro on
	fi || echo "BROKEN card"
	in_a sysctl -q -w net.ipv4.tcp_timestamps=0 net.ipv4.tcp_tso_rtt_log=$ANY_RTT
	cap nic_a "$1" "$2" "$3"
	cc=$1
	spray=$2
	shift 5
	disorder=$(out_of_order)
	if got=$(flows nic_a fd0a::2 "$@" 2>&1); then
		echo "RESULT MERGE $key $got disorder=$(($(out_of_order) - disorder))"
	else
		echo "BROKEN $key: $got"
	fi
	uncap "$cc" "$spray"
	in_a sysctl -q -w net.ipv4.tcp_timestamps=1 net.ipv4.tcp_tso_rtt_log=$STOCK_RTT
}

# Packets that b's TCP had to put aside until one before them came.
out_of_order()
{
	in_b awk '$1 == "TcpExt:" && !n { n = split($0, name); next }
		$1 == "TcpExt:" { for (i = 2; i <= n; i++) if (name[i] == "TCPOFOQueue") print $i }' \
		/proc/net/netstat
}

# held FLOWS DELAY SECONDS: of the lowest priority, on a way that is never empty. The stack
# asks a silent peer by itself after a retransmission timeout, which is to be longer here.
held()
{
	in_a sysctl -q -w net.dcc.prioplus.prio_levels=8 net.dcc.prioplus.base_rtt_ns=1000 \
		net.dcc.prioplus.channel_fluct_ns=1 net.dcc.prioplus.channel_noise_ns=1
	ip -n a -6 route replace fd09::/64 dev ve_a metric 256 rto_min 60s
	ip -n b -6 route replace fd09::1/128 dev ve_b advmss 88
	if got=$(flows ve_a fd09::2 cc=prioplus flows="$1" bytes=$HELD_BYTES delay="$2" \
			held="$3" 2>&1); then
		echo "RESULT HELD $1 $2 $got"
	else
		echo "BROKEN held $1 $2: $got"
	fi
	in_a tc qdisc del dev ve_a root
}

# memory BYTES CONNECTIONS CC...
memory()
{
	bytes=$1
	shift
	if got=$(abuse idle "$1" "$bytes" $(shift; echo "$@") 2>&1); then
		echo "RESULT MEMORY $bytes $got"
	else
		echo "BROKEN memory after $bytes bytes: $got"
	fi
}

# What the kernel does once, and what it puts off until after it has started.
warm_up()
{
	flows ve_a fd09::2 cc=cubic bytes=1000000 >/dev/null
	sleep $REST_S
}

mount_all
echo "KERNEL $(uname -r)"
settings
warm_up
while read -r what line; do
	case $what in
	TRANSFER) transfer $line ;;
	MEMORY) memory $line ;;
	HELD) held $line ;;
	MERGE) merging $line ;;
	esac
done </plan
dmesg | grep -E 'BUG|WARNING|Call Trace|Oops|meter:' | sed 's/^/BROKEN /'
echo "GUEST-END"
poweroff -f
# it returns before the machine is off
sleep 1000
