#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# user.sh NAME CC SCALE: campaigns without any privilege on the machine. Run by
# uid 1000 as root of its own user and network namespace (unshare -Urn).
# Prints counts.
set -u
. /guest-lib.sh
PORT=7000
cc=$2
scale=$3

scaled() { echo $((($1 * scale + 99) / 100)); }
note() { echo "# $*" >&2; }

fail()
{
	note "$*"
	exit 1
}

# knob NAME VALUE: of all of our algorithms that are loaded.
knob()
{
	for alg in $ALGORITHMS; do
		test ! -e "/proc/sys/net/dcc/$alg" || echo "$2" >"/proc/sys/net/dcc/$alg/$1"
	done
}

# Packets of the only rule with a counter.
counted()
{
	nft list ruleset | sed -n 's/.*counter packets \([0-9]*\).*/\1/p'
}

# A VRF with a qdisc: packets are queued with their socket, and pass LOCAL_OUT
# once more when they leave, in whatever context that is.
#
#     here                                      there
#    +-------------------------------+         +---------+
#    | vrf0 (netem) -- va, fd09::1   | ------- | fd09::2 |
#    +-------------------------------+         +---------+
is_elsewhere() { test "$(readlink /proc/$1/ns/net)" != "$(readlink /proc/self/ns/net)"; }

make_vrf()
{
	unshare -n sleep 100000 &
	there=$!
	retry 60 is_elsewhere $there || fail "no network of its own"
	ip link set lo up
	ip link add va type veth peer name vb || fail "no veth"
	ip link set vb netns $there
	ip link add vrf0 type vrf table 10 || fail "no vrf"
	ip link set vrf0 up
	ip link set va up
	ip link set va master vrf0
	ip addr add fd09::1/64 dev va nodad
	in_there ip link set lo up
	in_there ip link set vb up
	in_there ip addr add fd09::2/64 dev vb nodad
	ip -6 rule add pref 10 l3mdev 2>/dev/null
	ip -6 route add fd09::/64 dev vrf0 metric 1
	echo 1 >/proc/sys/net/ipv4/tcp_l3mdev_accept
	tc qdisc replace dev vrf0 root netem delay 2ms 1ms || fail "no netem"
}

in_there() { nsenter -t $there -n "$@"; }

# Both passes leave by the VRF's name or by the device below it.
count_passes()
{
	nft -f - <<-EOF
	table inet t {
		chain out {
			type filter hook output priority 0;
			oifname "va" ip6 daddr fd09::2 counter
		}
	}
	EOF
}

user_vrf()
{
	make_vrf
	count_passes || fail "no nftables"
	knob spray reps
	knob records 64
	nsenter -t $there -n storm serve $PORT cc=cubic &
	server=$!
	retry 60 listens $PORT in_there || fail "no server"
	for round in 1 2 3 4; do
		storm send fd09::2 $PORT cc="$cc" n="$(scaled 30)" par=32 bytes=60000 \
			switchers=6 ways=whole,whole,reset,leave,disconnect ||
			fail "traffic through the VRF, round $round"
	done
	echo "packets_through_hook_twice=$(counted)"
	kill $server $there
}

# All packets of loopback wait for a verdict in another process.
queue_packets()
{
	nft -f - <<-EOF
	table inet t {
		chain out {
			type filter hook output priority -2147483648;
			meta l4proto tcp queue num 0
		}
	}
	EOF
}

user_nfqueue()
{
	# many packets rather than large ones
	ip link set lo up mtu 1500
	knob spray reps
	knob records 16
	storm serve $PORT cc="$cc" &
	server=$!
	nfq queue=0 hold=16 pause_us=2000 >/tmp/nfq.out &
	nfq=$!
	retry 60 listens $PORT || fail "no server"
	sleep 1
	queue_packets || fail "no nftables queue"
	storm send ::1 $PORT cc="$cc" n="$(scaled 25)" par=6 bytes=200000 \
		switchers=4 ways=whole,whole,reset,leave,disconnect || fail "traffic through the queue"
	kill -TERM $nfq
	wait $nfq
	grep verdicts= /tmp/nfq.out
	rm -f /tmp/nfq.out
	kill $server
}

user_knobs()
{
	ip link set lo up
	storm serve $PORT cc="$cc" &
	server=$!
	retry 60 listens $PORT || fail "no server"
	storm send ::1 $PORT cc="$cc" n="$(scaled 50)" par=6 bytes=100000 lenient=1 timeout=30 &
	sender=$!
	fuzz /proc/sys/net/dcc,/sys/module/tcp_dcc/parameters n="$(scaled 1000)" par=2 ||
		fail "fuzz"
	wait $sender
	kill $server
	# what was told to be slow would go on for minutes where nobody can reach it
	ss -t -a -K >/dev/null
}

"user_$1"
