#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests, inside the emulated machine. This is its init. Arguments: tests to
# run, by name without test_ (default: all).
#
#     namespace a                           namespace b
#    +------------------+                  +------------------+
#    | 10.9.0.1  fd09::1| ve_a ------ ve_b | 10.9.0.2  fd09::2|
#    +------------------+                  +------------------+
#     sends                                 answers on port 7000

. /guest-lib.sh
. /guest-tap.sh
PARAMETERS=/sys/module/tcp_mswift/parameters
# What hangs ends after this long; the host may be busy. Less than EMU_SILENCE_S.
PATIENCE_S=120
BYTES=3000000
LONG=12000000
LASTING_MBPS=100
# The emulator delays packets by milliseconds: the default target (25 us) would
# make every flow of these tests believe in a queue.
QDELAY_US=200000
FEW_LABELS=6
COUNTERS=/sys/module/tcp_dcc/counters
# More than goes out before a window first collapses.
SLOW_BYTES=2000000
SOME_BYTES=300000	# of these, before they are lost
NO_ECN_BIT=128
HELD_BIT=1024
AUTO_BIT=4096
TRACING=/sys/kernel/tracing
USER_ID=1000
# What an algorithm may take for a connection, beyond cubic, before it had 16 packets
# in flight: see common/stack/dcc_flow.h, DCC_MEM_SECOND_MOST.
FLOW_BYTES_MAX=1024
IDLE_CONNECTIONS=2000
CHARGED_CONNECTIONS=1000
FEW_BYTES=12000
CGROUPS=/tmp/cgroup
# A flow without data, as allocated; its peer is not yet accepted.
FLOW_BYTES=256
# With an object its note of the cgroup is charged; and each processor keeps up to a
# page of charges to itself, for so many connections, before and after: so much less or
# more may be seen.
CHARGE_NOTE_BYTES=8
CHARGE_SLACK_BYTES=16
ONE_OF_EACH="mswift nscc oscar prioplus"
# Knobs and their sysctls, of all modules. The sysctls' own notes, which the kernel
# charges anyhow, are a quarter of that.
CHARGED_NAMESPACES=100
NAMESPACE_BYTES_MIN=20000 NAMESPACE_BYTES_MOST=44000	# security.md: 40 KB
# IP packet and Ethernet header: more is a GSO packet.
FRAME_BYTES=1514
SLOW_MBPS=20
# Two measurements in a slow machine. Less than EMU_SILENCE_S.
MEASURE_S=220
HELD_BYTES=200000
HELD_MANY=4000000
HELD_MS=3000
HELD_PROBES=10
LOOK_MS=10000			# to look at it, on a busy host
GONE_MS=4000
QUIET_S=3
COST_FLOWS=64
COST_S=5
COST_PERCENT=25		# security.md: sending takes 1/32, and answers as much again and again
PEER_MS=4000
PEER_PACKETS=2		# for each that a peer sends: those of an ACK for two packets
DELAY_MS=30
# Packets wait so long for a socket to end and a module to go.
LEFTOVER_S=20
ALL_TESTS="stock_sysctls autoload transfer selection ss ss_held dccstat dccstat_alike replayed dccstat_held doctor doctor_paths doctor_peer ways readme readme_namespaces readme_sysctls readme_files channels default_target knobs knobs_together namespaces spray selectors
	state_ranges segs_cap ecn ecn_refused ecn_reconnect ecn_late ecn_synack_marked set_again
	bits wireguard log_flood counters records_limit memory memory_charged
	switching mtu fq fq_gone window_most tail tail_stuck tail_segs held held_life held_orphan held_untold held_base held_delivered held_queues held_filter held_gone held_closed held_cork held_cost peers sockops
	selectors transient gro gro_doctor gro_forward gro_unload unload leftover switched kernel_socket restricted namespace_gone nothing_left log"

send() { in_a timeout $PATIENCE_S xfer send "$@" 2>&1; }

# as_user COMMAND...: without privileges.
as_user() { abuse as $USER_ID "$@"; }

# count NAME: a counter of the modules.
count() { cat "$COUNTERS/$1"; }

# module_of CC
module_of()
{
	case $1 in
	*nscc) echo tcp_mnscc ;;
	oscar) echo tcp_oscar ;;
	prioplus*) echo tcp_prioplus ;;
	ledbat) echo tcp_ledbat ;;
	*) echo tcp_mswift ;;
	esac
}

loaded() { grep -q "^$1 " /proc/modules; }

# put FILE VALUE: by cat, since the shell's own echo hides the kernel's error.
put() { echo "$2" | cat >"$1"; }

# A notifier of ours that takes the lock its caller holds stops the machine for
# good: so ask in the background, and end here rather than in the next command.
device_comes_up()
{
	ip link add dcc0 type dummy
	ip link set dcc0 up &
	retry 60 ip_is_done $!
}

ip_is_done() { ! kill -0 "$1"; }

test_device_up()
{
	modprobe -a $MODULES
	if device_comes_up; then
		pass "a device comes up while tcp_dcc is loaded"
		ip link del dcc0
	else
		fail "a device comes up while tcp_dcc is loaded"
		note "ip waits in: $(cat /proc/$!/stack)"
		finish
	fi
}

network()
{
	two_namespaces
	in_b xfer serve 7000 &
	retry 60 in_a xfer send 10.9.0.2 7000 1 >/dev/null
}

# What an administrator writes to have knobs set at every load.
options()
{
	mkdir -p /etc/modprobe.d
	echo "options tcp_mswift target_qdelay_us=$QDELAY_US" >/etc/modprobe.d/dcc.conf
	echo "options tcp_mnscc target_qdelay_ns=${QDELAY_US}000" >>/etc/modprobe.d/dcc.conf
	echo "options tcp_prioplus channel_noise_ns=${QDELAY_US}000" >>/etc/modprobe.d/dcc.conf
	echo "options tcp_ledbat target_qdelay_us=100000" >>/etc/modprobe.d/dcc.conf
}

# The list is what the lab's hosts are held against (selftests/net/lab_hosts.py).
test_stock_sysctls()
{
	case $(uname -r) in
	6.12.*) ;;
	*) skip "a stock kernel's sysctls" "stock-sysctls.txt is of 6.12"; return ;;
	esac
	ip netns add stock
	ip netns exec stock sysctls.sh >/tmp/sysctls
	grep -v '^#' /stock-sysctls.txt >/tmp/wanted
	ip netns del stock
	check "a new namespace's sysctls are those of stock-sysctls.txt" \
		diff /tmp/wanted /tmp/sysctls
}

# The kernel asks for tcp_<name>; only the alias can answer.
test_autoload()
{
	for cc in $ALGORITHMS; do
		module=$(module_of "$cc")
		loaded "$module" && check "unload before autoload of $cc" retry 5 rmmod "$module"
		got=$(send fd09::2 7000 1000 cc="$cc")
		expect_in "setsockopt $cc loads its module" "^cc=$cc .*sum=match" "$got"
	done
	check "modprobe -r" modprobe -r $MODULES
	for cc in $ALGORITHMS; do
		module=$(module_of "$cc")
		check "modprobe tcp_$cc" modprobe "tcp_$cc"
		check "tcp_$cc is $module" loaded "$module"
		check "modprobe -r $module" modprobe -r "$module"
	done
	# with the RTNL held, which nothing of ours may want then; timeout has an ip of its own
	check "a route loads its algorithm" \
		timeout 60 "$(which ip)" -n a -6 route replace fd09::2/128 dev ve_a congctl mswift
	expect_in "the route selects it" "^cc=mswift .*sum=match" "$(send fd09::2 7000 1000)"
	ip -n a -6 route del fd09::2/128 dev ve_a
	modprobe -a $MODULES
	expect "modprobe.d sets a knob" $QDELAY_US "$(cat $PARAMETERS/target_qdelay_us)"
	for cc in $ALGORITHMS; do
		expect_in "$cc is available" " $cc( |\$)" \
			" $(cat /proc/sys/net/ipv4/tcp_available_congestion_control)"
	done
}

test_transfer()
{
	for cc in $ALGORITHMS; do
		for to in fd09::2 10.9.0.2; do
			got=$(send $to 7000 $BYTES cc="$cc")
			expect_in "$cc carries data to $to" "^cc=$cc .*bytes=$BYTES sum=match" "$got"
			note "$got"
		done
	done
}

test_selection()
{
	for cc in $ALGORITHMS; do
		check "sysctl sets $cc in a namespace" \
			in_a sysctl -q -w net.ipv4.tcp_congestion_control="$cc"
		expect_in "sysctl selects $cc" "^cc=$cc .*sum=match" "$(send fd09::2 7000 1000)"
	done
	in_a sysctl -q -w net.ipv4.tcp_congestion_control=cubic
	for cc in $ALGORITHMS; do
		check "ip route takes congctl $cc" \
			ip -n a -6 route replace fd09::2/128 dev ve_a congctl "$cc"
		expect_in "the route selects $cc" "^cc=$cc .*sum=match" "$(send fd09::2 7000 1000)"
	done
	ip -n a -6 route del fd09::2/128 dev ve_a
	expect_in "without the route it is cubic again" "^cc=cubic " "$(send fd09::2 7000 1000)"
	serve 7001 mswift
	expect_in "an accepted socket inherits the listener's mswift" "peer_cc=mswift .*sum=match" \
		"$(send fd09::2 7001 $BYTES)"
	kill $server
}

# hold CC BYTES: a transfer that stays connected until released. Not to be
# called by check: it sets a variable.
hold()
{
	rm -f /tmp/fifo
	mkfifo /tmp/fifo
	send fd09::2 7000 "$2" cc="$1" hold=/tmp/fifo >/tmp/held &
	holder=$!
	retry 60 acked "$2"
}

# serve PORT CC: until $server is killed. Not by in_b: a function in the
# background is a shell between us and it.
serve()
{
	ip netns exec b xfer serve "$1" "$2" &
	server=$!
	retry 60 listens "$1" in_b
}

# pause PORT OPTION...: connects, and sends only when released. Not to be called
# by check, like hold.
pause()
{
	rm -f /tmp/fifo
	mkfifo /tmp/fifo
	port=$1
	shift
	send fd09::2 "$port" "$@" wait=/tmp/fifo >/tmp/held &
	holder=$!
	retry 60 connected "$port"
}

connected() { in_a ss -tinH state established dport = ":$1" | grep -q cwnd; }

acked()
{
	# one more than was sent: the SYN counts
	in_a ss -tinH state established dport = :7000 >/tmp/ss
	grep -q "bytes_acked:$(($1 + 1)) " /tmp/ss
}

# The paused flow sends, and is waited for later.
release_soon() { timeout $PATIENCE_S sh -c ': >/tmp/fifo'; }

# The flow on port 7000 has sent some of its data.
acked_some()
{
	in_a ss -tinH state established dport = :7000 | grep -Eq "bytes_acked:[0-9]{6}"
}

release()
{
	release_soon
	wait "$holder"
}

# field NAME: its value in a line of NAME=VALUE words.
field() { sed -n "s/.*\<$1=\([0-9]*\).*/\1/p"; }

# What ss has of a flow's TCP_CC_INFO, in the words of dcc.md.
told()
{
	sed -n 's/.*dctcp:(ce_state:\([0-9]*\),alpha:\([0-9]*\),ab_ecn:\([0-9]*\),ab_tot:\([0-9]*\)).*/bits=\1 delay_ns=\2 base_ns=\3 priority=\4/p'
}

trace_acks()
{
	trace_in acks "$1"
}

# trace_in INSTANCE 0|1
trace_in()
{
	mkdir -p "$TRACING/instances/$1"
	for event in dcc_ack dcc_path; do
		echo "$2" >"$TRACING/instances/$1/events/dcc/$event/enable"
	done
}

# The last decision on the flow's ACKs, in the same words.
traced()
{
	sed -n 's/.* alg='"$1"' .*dport=7000 .* base=\([0-9]*\) .* delay=\([0-9]*\) .*/delay_ns=\2 base_ns=\1/p' \
		$TRACING/instances/acks/trace | tail -n 1
}

# Its estimate of the rate is a window per smoothed round trip, whatever the algorithm
# acts on; rtt: is in ms.
send_is_by_srtt()
{
	awk '{
		for (i = 1; i <= NF; i++) {
			if (split($i, part, /[:\/]/) > 1)
				value[part[1]] = part[2]
			if ($i == "send")
				send = $(i + 1) + 0
		}
	}
	END {
		want = value["cwnd"] * value["mss"] * 8 * 1000 / value["rtt"]
		print "send " send ", wanted " want
		exit !(send > want * .99 && send < want * 1.01)
	}' /tmp/ss
}

test_ss()
{
	trace_acks 1
	for cc in $ALGORITHMS; do
		hold "$cc" $BYTES
		check "ss shows the bytes of $cc" acked $BYTES
		got=$(cat /tmp/ss)
		note "$got"
		expect_in "ss names $cc" "[[:space:]]$cc( |\$)" "$got"
		expect_in "ss shows a window of $cc" "cwnd:[1-9][0-9]*( |\$)" "$got"
		expect_in "ss shows a round trip of $cc" "rtt:[0-9.]*[1-9][0-9.]*/" "$got"
		expect_in "ss shows a rate of $cc" "pacing_rate [1-9][0-9]*bps" "$got"
		check "its send is of the smoothed round trip" send_is_by_srtt
		told=$(told </tmp/ss)
		traced=$(traced "$cc")
		release
		expect_in "$cc held its connection" "sum=match" "$(cat /tmp/held)"
		expect_in "ss shows what TCP_CC_INFO tells of $cc" " $told$" "$(cat /tmp/held)"
		expect_in "and what the algorithm acted on last" "^bits=[0-9]* ${traced:-nothing} " "$told"
		case $cc in
		prioplus*) level=1 ;;
		*) level=0 ;;
		esac
		expect "its priority" $level "$(echo "$told" | field priority)"
	done
	trace_acks 0
}

is_told_held()
{
	in_a ss -tinH dport = :7000 | told >/tmp/told
	bits=$(field bits </tmp/told)
	test $((${bits:-0} & HELD_BIT)) != 0
}

test_ss_held()
{
	hold_forever
	held_by fd09::2 $HELD_BYTES $LOOK_MS free >/tmp/held &
	holder=$!
	check "ss shows that a flow is suspended" retry 30 is_told_held
	note "$(cat /tmp/told)"
	expect "and its priority" 1 "$(field priority </tmp/told)"
	sed -n '/^    ss -tinH/,/^$/s/^    //p' /prioplus.md >/tmp/command
	got=$(in_a sh /tmp/command)
	expect_in "prioplus.md's command lists suspended flows by priority" "^ *1 1$" "$got"
	wait $holder
	expect_in "it was" "^held=1 .*got=$HELD_BYTES$" "$(cat /tmp/held)"
	hold_no_more
}

# One flow sends, not too fast for this machine. Alone: those of prioplus make way for
# others. Not to be called by check, like hold.
DCCSTAT_BYTES=2000000000
DCCSTAT_LISTEN_MS=500
DCCSTAT_RECORD_S=1
DCCSTAT_SPRAYED=mnscc
sender()
{
	ip netns exec a xfer send fd09::2 7000 $DCCSTAT_BYTES cc="$1" >/dev/null 2>&1 &
	sender=$!
	retry 60 acked_some
}

sender_end()
{
	kill "$sender"
	wait "$sender" 2>/dev/null
	in_a ss -K dport = :7000 >/dev/null
	retry 60 none_in_a
}

# The first two that trace an event make the kernel patch its code, with breakpoints
# for a moment. Processors of qemu without KVM now and then run into one that is no
# longer there ("Oops: int3"; seen on LKML with tracing in July 2023), so two instances
# trace as long as flows send, and dccstat's is the third.
tracing_on()
{
	trace_in other 1
	trace_acks 1
	echo 16384 >$TRACING/instances/acks/buffer_size_kb
}

tracing_off()
{
	trace_in other 0
	trace_acks 0
	rmdir $TRACING/instances/other
}

# What is traced beside dccstat's own instance, in one file.
trace_beside()
{
	: >$TRACING/instances/acks/trace
	"$@"
	cat $TRACING/instances/acks/trace >/tmp/acks
}

dccstat_json()
{
	dccstat --all --once --json --interval $DCCSTAT_LISTEN_MS dport = :7000 >/tmp/dccstat.json
	grep -q last_ack /tmp/dccstat.json
}

# An ACK may take longer than dccstat listens, here.
dccstat_both()
{
	retry 60 dccstat_json
	dccstat record --out /tmp/record --for $DCCSTAT_RECORD_S cc "$1" dport = :7000 >/tmp/recorded 2>&1
	test "$1" != mswift ||
		dccstat record --labels --out /tmp/fates --for $DCCSTAT_RECORD_S cc "$1" \
			dst fd09::2 dport = :7000 >>/tmp/recorded 2>&1
}

# What became of each label; one algorithm is enough, since the library tells it of all.
dccstat_labels()
{
	check "dccstat record --labels: each packet of $1" \
		python3 /dccstat.py labels "$1" "$(echo /tmp/fates/"$1"-[0-9]*.csv)" /tmp/acks
	got=$(dccstat labels /tmp/fates/"$1"-[0-9]*.csv)
	note "$(echo "$got" | tail -n 2)"
	expect_in "dccstat labels: its label, which the stack chose" \
		"fd09::1 +fd09::2 +[0-9a-f]{5} +[1-9][0-9]* +[0-9]+ " "$got"
}

# What flows tell that send no more, and doctor's answers.
dccstat_told()
{
	hold "$1" $BYTES
	check "$1 has sent all" acked $BYTES
	dccstat --all --once --no-trace --json dport = :7000 >/tmp/dccstat.json
}

dccstat_quiet()
{
	for cc in $ALGORITHMS; do
		trace_beside dccstat_told "$cc"
		check "dccstat: what $cc tells" \
			python3 /dccstat.py told "$cc" /tmp/dccstat.json /tmp/acks
		expect_in "doctor: who holds the module of $cc" "holders +$cc: 1 sockets, default of 0 namespaces" \
			"$(dccstat doctor)"
		release
	done
}

#            +-- p1 --+
#    a -- r -+        +- z      z is fd0e::1, and so is nobody else; the two ways
#            +-- p2 --+         from r are equal
wire() { ip link add "$3" netns "$1" type veth peer name "$4" netns "$2"; }

two_ways()
{
	for n in r p1 p2 z; do
		ip netns add $n
		ip netns exec $n sysctl -q -w net.ipv6.conf.all.forwarding=1 net.ipv6.icmp.ratelimit=0
		ip -n $n link set lo up
	done
	wire a r toward_r from_a
	wire r p1 toward_p1 from_r
	wire r p2 toward_p2 from_r
	wire p1 z toward_z from_p1
	wire p2 z toward_z from_p2
	for link in a:toward_r:fd0a::1 r:from_a:fd0a::2 r:toward_p1:fd0b::1 p1:from_r:fd0b::2 \
		r:toward_p2:fd0c::1 p2:from_r:fd0c::2 p1:toward_z:fd0d::1 z:from_p1:fd0d::2 \
		p2:toward_z:fd0f::1 z:from_p2:fd0f::2 z:lo:fd0e::1; do
		n=${link%%:*}
		dev=${link#*:}
		ip -n "$n" addr add "${dev#*:}/64" dev "${dev%%:*}" nodad
		ip -n "$n" link set "${dev%%:*}" up
	done
	ip -n a -6 route add fd0e::/64 via fd0a::2
	ip -n r -6 route add fd0e::/64 nexthop via fd0b::2 nexthop via fd0c::2
	ip -n p1 -6 route add fd0e::/64 via fd0d::2
	ip -n p2 -6 route add fd0e::/64 via fd0f::2
	ip -n p1 -6 route add fd0a::/64 via fd0b::1
	ip -n p2 -6 route add fd0a::/64 via fd0c::1
	ip -n z -6 route add fd0a::/64 via fd0d::1
}

two_ways_end()
{
	for n in r p1 p2 z; do
		ip netns del $n
	done
}

# Routers hash the label (policy 0), or, on request, the ports alone (policy 1).
test_doctor_paths()
{
	two_ways
	check "z answers" retry 30 in_a busybox ping -6 -c 1 -W 2 fd0e::1
	got=$(as_user_in_a dccstat doctor fd0e::1 --paths)
	expect_in "doctor: 16 labels take both ways" "^good +paths +16 labels took 2 ways to fd0e::1, of 3 hops" "$got"
	ip netns exec r sysctl -q -w net.ipv6.fib_multipath_hash_policy=1
	got=$(in_a dccstat doctor fd0e::1 --paths)
	expect_in "doctor: who hashes ports takes one" "^note +paths +16 labels took one way to fd0e::1" "$got"
	got=$(in_a dccstat doctor fd09::2 --paths)
	expect_in "doctor: a neighbour" "^good +paths +fd09::2 is the next hop" "$got"
	ip -n r link set toward_p1 down
	ip -n r link set toward_p2 down
	ip -n r -6 route add blackhole fd0e::/64 metric 1
	got=$(in_a dccstat doctor fd0e::1 --paths)
	expect_in "doctor: nobody answers" "^note +paths +not known" "$got"
	note "$got"
	ip -n r -6 route replace unreachable fd0e::/64 metric 1
	expect_in "doctor: a router answers that there is no way" "^note +paths +not known" \
		"$(in_a dccstat doctor fd0e::1 --paths)"
	two_ways_end
}

in_z() { ip netns exec z "$@"; }

# The same asked of z itself: one way is 20 ms longer and takes marks off, as old routers
# do; the other lets everything be.
test_doctor_peer()
{
	modprobe sch_netem
	two_ways
	check "z answers" retry 30 in_a busybox ping -6 -c 1 -W 2 fd0e::1
	in_a dccstat doctor fd0e::1 --peer >/tmp/peer
	expect_in "doctor: nobody is there to ask" "^BAD +peer +nobody answers at fd0e::1" "$(cat /tmp/peer)"
	in_z sysctl -q -w net.ipv4.tcp_congestion_control=nscc net.core.txrehash=0
	ip netns exec z abuse as $USER_ID dccstat answer >/tmp/answer &
	answerer=$!
	in_a sysctl -q -w net.ipv4.tcp_congestion_control=mswift net.dcc.mswift.spray=reps
	check "doctor: somebody is" retry 10 told_of_echo
	got=$(cat /tmp/peer)
	note "$got"
	expect_in "doctor: labels come as they were sent" "^good +labels +they come to fd0e::1 as" "$got"
	expect_in "doctor: marks, too" "^good +marks +ECT and marks come" "$got"
	expect_in "doctor: no cgroup, no marked packets" "^good +echo +fd0e::1 takes ECN, and is set to echo each mark .*nscc.*not tried: no cgroup2" "$got"
	expect_in "doctor: z keeps to its way" "^good +rehashing +fd0e::1 keeps" "$got"
	mount -t cgroup2 none /sys/fs/cgroup
	doctor_echo
	ip netns exec p2 tc qdisc replace dev toward_z root netem delay 20ms
	no_marks p2
	in_z sysctl -q -w net.core.txrehash=1 net.ipv4.tcp_ecn=0
	told_of_changes
	expect_in "doctor: two ways, by delay" "^good +delays +at least 2 ways to fd0e::1: by delay 2, up to [12][0-9]{7} ns apart" "$got"
	expect_in "doctor: one takes marks off" "^BAD +marks +[1-9][0-9]* of [1-9][0-9]* packets with ECT came to fd0e::1 without" "$got"
	expect_in "doctor: z refuses ECN" "^BAD +echo +fd0e::1 refuses ECN" "$got"
	expect_in "doctor: z rehashes" "^note +rehashing +fd0e::1 sends ACKs another way" "$got"
	in_a sysctl -q -w net.ipv4.tcp_congestion_control=cubic net.dcc.mswift.spray=inherit
	kill $answerer
	wait $answerer
	expect_in "answer: it counts" "^[1-9][0-9]* answers" "$(cat /tmp/answer)"
	two_ways_end
}

# z has been told of new settings a second after the last question.
told_of_changes()
{
	sleep 3
	told_of_echo
	got=$(cat /tmp/peer)
	note "$got"
}

# One marked packet in each of 8 connections, and 8 others behind it, which 7.3 sends as 9: z
# echoes the one, or all, or, where both ways take marks off, none.
doctor_echo()
{
	told_of_echo
	note "$(grep " echo " /tmp/peer)"
	expect_in "doctor: z echoes each mark" "^good +echo +fd0e::1 echoes each mark: 8 marks, echoes for ([89]|1[0-6]) of (72|80) packets .*nscc" "$(cat /tmp/peer)"
	expect_in "doctor: a user sends no marks" "^good +echo .* not tried: only root can" "$(as_user_in_a dccstat doctor fd0e::1 --peer)"
	in_z sysctl -q -w net.ipv4.tcp_congestion_control=cubic
	told_of_changes
	expect_in "doctor: cubic, for a round trip" "^note +echo +fd0e::1 echoes a mark for a round trip: 8 marks, echoes for (6[4-9]|7[0-9]|80) of (72|80) packets .*cubic" "$got"
	modprobe -a sch_ingress cls_flower act_pedit
	for n in p1 p2; do
		no_marks $n
	done
	told_of_changes
	expect_in "doctor: no mark comes, none is echoed" "^BAD +echo +8 of 8 marks that were sent to fd0e::1 were not echoed" "$got"
	for n in p1 p2; do
		ip netns exec $n tc qdisc del dev toward_z clsact
	done
}

# By pedit, not by nft, whose "ip6 ecn set" ends without a word on 7.3.
no_marks()
{
	ip netns exec "$1" tc qdisc add dev toward_z clsact
	check "marks are taken off by $1" ip netns exec "$1" tc filter add dev toward_z egress \
		protocol ipv6 flower action pedit ex munge ip6 traffic_class set 0
}

told_of_echo()
{
	in_a dccstat doctor fd0e::1 --peer >/tmp/peer
	grep -q ' echo ' /tmp/peer
}

# A sprayed flow from a to z, what is heard of its packets, and their ways. On a busy host
# few are lost in two seconds, and of thirty no link stands out for sure: longer, then.
WAYS_RECORD_S=2
WAYS_RECORD_MOST_S=64
WAYS_LOST=50
lost_enough()
{
	dccstat record --labels --out /tmp/ways --for $WAYS_RECORD_S cc mswift dst fd0e::1
	test $WAYS_RECORD_S -ge $WAYS_RECORD_MOST_S || WAYS_RECORD_S=$((2 * WAYS_RECORD_S))
	test "$(grep -Ec ',(lost|timeout),' /tmp/ways/mswift-*.csv)" -ge $WAYS_LOST
}

sprayed_to_z()
{
	ip netns exec z xfer serve 7000 &
	server=$!
	retry 60 listens 7000 in_z
	ip netns exec a xfer send fd0e::1 7000 $DCCSTAT_BYTES cc=mswift >/dev/null 2>&1 &
	sender=$!
	check "a flow to z" retry 60 acked_some
	check "so much is lost that a link stands out" retry 10 lost_enough
	kill "$sender" "$server"
	wait "$sender" "$server" 2>/dev/null
}

# Of echo requests that have just come far enough: the first, the third, and so on.
lose_every_other_of_1()
{
	ip netns exec "$1" tc qdisc add dev toward_z clsact
	ip netns exec "$1" tc filter add dev toward_z egress protocol ipv6 flower \
		ip_proto icmpv6 ip_ttl 1 action drop random determ ok 2
}

# What p1 lost is told from what p2 let through, by labels alone: record, ways, blame. The
# same packets cross both links of p1, so these are not told apart.
test_ways()
{
	modprobe -a sch_netem sch_ingress cls_flower act_gact
	two_ways
	in_a tc qdisc replace dev toward_r root netem rate ${SLOW_MBPS}mbit limit 200
	ip netns exec p1 tc qdisc replace dev toward_z root netem loss 5%
	check "z answers" retry 30 in_a busybox ping -6 -c 1 -W 2 fd0e::1
	in_a sysctl -q -w net.dcc.mswift.spray=oblivious
	tracing_on
	sprayed_to_z
	tracing_off
	set -- /tmp/ways/mswift-*.csv
	for n in p1 p2; do
		check "the first question of how far it is gets lost in $n" lose_every_other_of_1 $n
	done
	got=$(in_a dccstat ways "$1" --of 8 --out /tmp/ways.csv 2>&1)
	expect_in "dccstat ways: all are known" "^/tmp/ways.csv: ([1-9][0-9]+) of \1 ways from here known" "$got"
	got=$(tail -n +2 /tmp/ways.csv | cut -d, -f1,3,6-10 | sort | uniq -c)
	note "$got"
	expect "dccstat ways: two, over r and p1 or p2" 2 "$(echo "$got" |
		grep -Ec "[0-9] fd0a::1,fd0e::1,8,3,fd0a::2,fd0[bc]::2,fd0e::1$")"
	expect "dccstat ways: and no other" 2 "$(echo "$got" | wc -l)"
	printf 'fd0a::2 r\nfd0b::2 p1\nfd0c::2 p2\nfd0e::1 z\n' >/tmp/names
	got=$(dccstat blame "$1" --ways /tmp/ways.csv --names /tmp/names)
	note "$got"
	expect_in "dccstat blame: a link of p1" "^(r .fd0a::2. > p1 .fd0b::2.|p1 .fd0b::2. > z .fd0e::1.) loses" "$got"
	expect_in "dccstat blame: or its other one" "    or it is .*p1 .fd0b::2.*: not told apart" "$got"
	expect "dccstat blame: no link of p2" 0 "$(echo "$got" | grep -v next: | grep -c p2)"
	in_a sysctl -q -w net.dcc.mswift.spray=inherit
	in_a tc qdisc del dev toward_r root
	two_ways_end
}

as_user_in_a() { in_a abuse as $USER_ID "$@"; }

# What it finds, and that what it says mends it.
test_doctor()
{
	# kernels differ in what they come with
	slack=$(in_a sysctl -n net.ipv4.tcp_comp_sack_slack_ns)
	percent=$(in_a sysctl -n net.ipv4.tcp_comp_sack_rtt_percent 2>/dev/null)
	in_a sysctl -q -w net.ipv4.tcp_comp_sack_slack_ns=100000
	test -z "$percent" || in_a sysctl -q -w net.ipv4.tcp_comp_sack_rtt_percent=5
	got=$(in_a dccstat doctor fd09::2)
	note "$got"
	expect_in "doctor: the algorithm, and why" "^note +algorithm +a socket gets cubic: the namespace's default" "$got"
	expect_in "doctor: veth's speed is not believed" "ve_a: unknown; 10000 Mbit/s is made up" "$got"
	expect_in "doctor: spraying is off" "^note +spraying +off" "$got"
	in_a $(echo "$got" | sed -n '/algorithm/{n; s/sudo//p; q}')
	in_a $(echo "$got" | sed -n '/ spraying /{n; s/sudo//p; q}')
	in_a $(echo "$got" | sed -n '/line-rate/{n; s/sudo//; s/MBPS/1000/p; q}')
	in_a sysctl -q -w net.ipv6.auto_flowlabels=0 net.dcc.mswift.spray=reps
	in_a tc qdisc replace dev ve_a root fq_codel
	got=$(in_a dccstat doctor fd09::2)
	note "$got"
	expect_in "doctor: mended, the algorithm" "^good +algorithm +a socket gets mswift" "$got"
	expect_in "doctor: mended, the line rate" "^good +line-rate +ve_a: 1000 Mbit/s, by the knob" "$got"
	expect_in "doctor: mended, spraying; no word of praise before it was measured" \
		"^note +spraying +reps, of flows of mswift; whether .* was not measured" "$got"
	expect_in "doctor: no labels" "^BAD +labels +packets carry no label" "$got"
	expect_in "doctor: no ECN" "^BAD +ecn +not asked for, and reps needs it: flows take auto instead" "$got"
	expect_in "doctor: fq_codel" "^BAD +queue +ve_a has fq_codel" "$got"
	expect_in "doctor: SACKs" "^note +sacks +held back for up to 100 us" "$got"
	refuse "doctor: its exit status" in_a dccstat doctor fd09::2
	for bad in labels ecn sacks queue; do
		in_a $(echo "$got" | sed -n "/^[A-Za-z]* *$bad /{n; s/sudo//p; q}") ||
			note "it fails"
	done
	check "doctor: mended, all" in_a dccstat doctor fd09::2
	expect_in "doctor: mended, SACKs" "^good +sacks" "$(in_a dccstat doctor fd09::2)"
	note "$(in_a dccstat doctor fd09::2)"
	ip -n a -6 route replace fd0a::/64 via fd09::2 congctl nscc
	expect_in "doctor: a route's algorithm" "^good +algorithm +a connection to fd0a::1 gets nscc: its route says so" \
		"$(in_a dccstat doctor fd0a::1)"
	ip -n a -6 route del fd0a::/64
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.ipv4.tcp_congestion_control=cubic net.ipv4.tcp_ecn=2 \
		net.ipv4.tcp_comp_sack_slack_ns=$slack \
		${percent:+net.ipv4.tcp_comp_sack_rtt_percent=$percent} \
		net.dcc.mswift.spray=inherit net.dcc.mswift.line_rate_mbps=inherit
}

# Its numbers against those of the trace event, of a flow that sends.
dccstat_sending()
{
	sender "$1"
	trace_beside dccstat_both "$1"
	got=$(python3 /dccstat.py flow "$1" /tmp/dccstat.json /tmp/acks 2>&1)
	expect_in "dccstat: what $1 last decided" "^rule [a-z_+]* target [1-9]" "$got"
	test "$1" != $DCCSTAT_SPRAYED || expect_in "dccstat: labels of $1" " labels 256 " "$got"
	note "$got"
	note "$(cat /tmp/recorded)"
	check "dccstat record: each decision of $1" \
		python3 /dccstat.py table "$1" "$(echo /tmp/record/"$1"-[0-9]*.csv)" /tmp/acks
	expect_in "tools/replay reads it" "^1,[a-z]+,[a-z_+]*,[0-9]" \
		"$(replay "$1" /tmp/record/"$1"-[0-9]*.csv 2>&1 | sed -n 2p)"
	test "$1" != mswift || dccstat_labels "$1"
	got=$(dccstat --all --once dport = :7000)
	note "$(echo "$got" | tail -n 1)"
	expect_in "dccstat: a line for $1, in its namespace" \
		"^a +established +.fd09::1.:[0-9]+ +.fd09::2.:7000 +$1 +([0-9.]+ [mnu]?s|-) " "$got"
	expect_in "a user sees his flow, and why no rule" \
		"established .* $1 .*no TARGET and RULE: tracing takes root" \
		"$(in_a abuse as $USER_ID dccstat --once cc "$1" 2>&1 | xargs)"
	expect "dccstat: filters" 0 "$(dccstat -a --once --no-trace dport = :7000 cc != "$1" | grep -c established)"
	sender_end
}

# From port 40000 to port 7001 there, a little now and then, until it is ended.
ALIKE='
import socket, sys, time
sock = socket.socket(socket.AF_INET6)
sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"mswift")
sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
sock.bind(("::", 40000))
sock.connect((sys.argv[1], 7001))
while True:
    sock.sendall(bytes(20000))
    time.sleep(.05)'
TAKES_ALL='
import socket
server = socket.create_server(("::", 7001), family=socket.AF_INET6)
taken = server.accept()[0]
while taken.recv(1 << 20): pass'

traces_left() { ls $TRACING/instances | grep -c '^dccstat-'; }

# Two flows of which the event of a decision says the same, and that of a packet does not;
# and no tracing is left on by one whose output nobody reads any more.
test_dccstat_alike()
{
	# no functions: $! must be the program, or it outlives its kill
	ip netns exec a python3 -c "$TAKES_ALL" &
	servers=$!
	ip netns exec b python3 -c "$TAKES_ALL" &
	servers="$servers $!"
	retry 60 listens 7001 in_a && retry 60 listens 7001 in_b
	ip netns exec a python3 -c "$ALIKE" fd09::2 &
	clients=$!
	ip netns exec b python3 -c "$ALIKE" fd09::1 &
	clients="$clients $!"
	check "dccstat: two flows that look alike" retry 60 dccstat_sees 2 sport = :40000
	rm -rf /tmp/alike
	got=$(dccstat record --out /tmp/alike --for 5 sport = :40000 dst fd09::2 | xargs)
	expect_in "dccstat record: who looks alike is left out and named" \
		" 0 flows, 0 ACKs [1-9][0-9]* ACKs of flows that share .*mswift, port 40000 to 7001$" \
		"$got"
	got=$(dccstat record --labels --out /tmp/alike --for 5 sport = :40000 dst fd09::1 | xargs)
	expect_in "dccstat record --labels: told apart by addresses" " 1 flows, [1-9][0-9]* packets$" \
		"$got"
	expect "dccstat record --labels: only what was asked for" 0 \
		"$(sed 1d /tmp/alike/*.csv | grep -vc ',fd09::1,7001,')"
	mkdir /tmp/theirs
	echo precious >/tmp/precious
	ln -s ../precious /tmp/theirs/mswift-40000-7001.csv
	got=$(dccstat record --labels --out /tmp/theirs --for 2 sport = :40000 dst fd09::1 2>&1)
	expect_in "dccstat record: another one's link is not written through" \
		"40000-7001.csv: it is a symbolic link" "$got"
	expect_in "dccstat record: tables of before are told" "/tmp/theirs: 1 tables of before" "$got"
	expect "dccstat record: and what it leads to is as it was" precious "$(cat /tmp/precious)"
	kill $clients $servers
	wait $clients $servers
	check "dccstat: its two flows end" retry 10 dccstat_sees 0 sport = :40000
	dccstat --all --interval 200 | head -n 1 >/tmp/head
	expect_in "dccstat: a reader that has seen enough" "NETNS" "$(cat /tmp/head)"
	retry 10 no_traces_left
	expect "dccstat: and nothing traces on" 0 "$(traces_left)"
}

no_traces_left() { test "$(traces_left)" = 0; }

dccstat_sees()
{
	n=$1
	shift
	test "$(dccstat --all --once --no-trace "$@" | grep -c established)" = "$n"
}

# What --set takes for the tools of ALGORITHM to have the knobs of this machine.
knobs_as_here()
{
	for file in /sys/module/$(module_of "$1")/parameters/*; do
		knob=${file##*/}
		! replay "$1" --knobs | grep -q "^$knob " || echo "--set $knob=$(cat "$file")"
	done
}

# How many retransmission timeouts a's flows have had.
tcp_timeouts()
{
	in_a awk '$1 != "TcpExt:" { next }
		!n { n = split($0, name); next }
		{ for (i = 2; i <= n; i++) if (name[i] == "TCPTimeouts") print $i }' /proc/net/netstat
}

timed_out_since() { test "$(tcp_timeouts)" -gt "$1"; }

# A flow recorded from its first ACK, which loses packets and has a timeout, put through
# the algorithm once more: each decision is the kernel's. How long prioplus waits for its next
# probe it draws by lot; that is not compared.
replayed()
{
	rm -rf /tmp/again
	dccstat record --out /tmp/again cc "$1" dport = :7000 >/tmp/recorded 2>&1 &
	recorder=$!
	retry 60 test -d /tmp/again
	pause 7000 $((SLOW_BYTES * 2)) cc="$1"
	timeouts=$(tcp_timeouts)
	# after as much, and however busy the host is, nothing arrives until there was one
	in_b nft "add table inet loss; add chain inet loss c { type filter hook input priority 0; };
		add rule inet loss c tcp dport 7000 quota over $SOME_BYTES bytes drop"
	release_soon
	check "$1 has a timeout" retry 60 timed_out_since "$timeouts"
	in_b nft delete table inet loss
	wait "$holder"
	expect_in "$1 carries its data" "^cc=$1 .*sum=match" "$(cat /tmp/held)"
	sleep 1
	kill -INT $recorder
	wait $recorder
	table=$(echo /tmp/again/"$1"-[0-9]*.csv)
	# shellcheck disable=SC2046 # words
	replay "$1" "$table" $(knobs_as_here "$1") >/tmp/again.csv 2>&1
	got=$(python3 /dccstat.py again "$1" "$table" /tmp/again.csv 2>&1)
	expect_in "tools/replay decides what the kernel's $1 decided" \
		"^[1-9][0-9]* ACKs, [0-9]+ times idle, [1-9][0-9]* timeouts" "$got"
	note "$got; $(cat /tmp/recorded)"
}

test_replayed()
{
	modprobe -a sch_netem nf_tables nft_quota
	in_a tc qdisc replace dev ve_a root netem rate ${SLOW_MBPS}mbit limit 40
	tracing_on
	for cc in $ALGORITHMS; do
		echo $SLOW_MBPS >"/sys/module/$(module_of "$cc")/parameters/line_rate_mbps"
		replayed "$cc"
		echo 0 >"/sys/module/$(module_of "$cc")/parameters/line_rate_mbps"
	done
	tracing_off
	in_a tc qdisc del dev ve_a root
}

test_dccstat()
{
	modprobe sch_netem
	in_a tc qdisc replace dev ve_a root netem rate ${SLOW_MBPS}mbit limit 200
	rm -rf /tmp/record
	in_a sysctl -q -w net.dcc.$DCCSTAT_SPRAYED.spray=auto
	tracing_on
	for cc in $ALGORITHMS; do
		dccstat_sending "$cc"
	done
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.dcc.$DCCSTAT_SPRAYED.spray=inherit
	note "$(dccstat replay /tmp/record/*.csv --perfetto /tmp/perfetto.json 2>&1)"
	expect "Perfetto's file is JSON, with slices of each flow" 9 "$(python3 -c '
import json
events = json.load(open("/tmp/perfetto.json"))["traceEvents"]
print(len({e["pid"] for e in events if e["ph"] == "X"}))' 2>&1)"
	dccstat_quiet
	tracing_off
	expect "dccstat leaves no instance behind" acks "$(ls $TRACING/instances)"
	expect "dccstat counters" "$(count samples)" "$(dccstat counters | awk '$1 == "samples" { print $2 }')"
	expect_in "a user may not read them" "administrator's: sudo dccstat counters" \
		"$(as_user dccstat counters 2>&1)"
}

dccstat_says_held()
{
	dccstat --all --once --no-trace cc prioplus dport = :7000 >/tmp/table
	grep -q 'priority-1,.*suspended' /tmp/table
}

test_dccstat_held()
{
	hold_forever
	held_by fd09::2 $HELD_BYTES $LOOK_MS free >/tmp/held &
	holder=$!
	check "dccstat shows that a flow is suspended, and its priority" retry 30 dccstat_says_held
	note "$(cat /tmp/table)"
	wait $holder
	expect_in "it was" "^held=1 .*got=$HELD_BYTES$" "$(cat /tmp/held)"
	hold_no_more
}

# readme PATTERN: what it has from the line that matches to the next recipe.
readme() { sed -n "/$1/,/^\*\*At every boot/p" /README.md; }
python_of() { sed -n '/^```python/,/^```/{ /^```/!p; /^```$/q; }'; }

# The README's route to a connected prefix, here ve_a's: the one that packets take.
readme_route()
{
	route=$(sed -n 's/^    sudo \(ip -6 route replace .*\)/\1/p' /README.md |
		sed 's/fd00:1::/fd09::/; s/eth0/ve_a/; s/^ip/ip -n a/')
	note "$route"
	check "README: the command for a route" $route
	expect_in "README: packets take that route" "dev ve_a .*congctl mswift" \
		"$(ip -n a -6 route get fd09::2)"
	ip -n a -6 route replace fd09::/64 dev ve_a proto kernel metric 256
}

# The README's lines for a route and for priorities, and its reading of TCP_CC_INFO,
# as they are printed there.
test_readme()
{
	readme_route
	commands=$(readme '^\*\*Priorities inside one queue' | sed -n 's/^    sudo \(sysctl .*\)/\1/p')
	note "$commands"
	check "README: the command for priorities" in_a $commands
	readme '^\*\*Priorities inside one queue' | python_of >/tmp/important
	sed -n '/From a program:$/,$p' /README.md | python_of >/tmp/reads
	for level in 7 1; do
		test $level = 7 || : >/tmp/important
		{
			echo "import socket"
			echo "sock = socket.socket(socket.AF_INET6)"
			cat /tmp/important
			echo "sock.connect(('fd09::2', 7000))"
			echo "sock.sendall(bytes($BYTES))"
			echo "sock.shutdown(socket.SHUT_WR)"
			echo "got = int.from_bytes(sock.recv(8, socket.MSG_WAITALL), 'little')"
			cat /tmp/reads
			echo "cc = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).strip(bytes(1)).decode()"
			echo "print(f'{cc=} {got=} {layout=} {priority=} {base_rtt_ns=} {delay_ns=} {bits=}')"
		} >/tmp/program.py
		got=$(in_a timeout $PATIENCE_S python3 /tmp/program.py 2>&1)
		note "$got"
		expect_in "README: a program of priority $level" \
			"^cc='prioplus' got=$BYTES layout=2 priority=$level base_rtt_ns=[1-9]" "$got"
	done
	in_a sysctl -q -w net.ipv4.tcp_congestion_control=cubic net.dcc.prioplus.base_rtt_ns=inherit
}

# The README's block for namespaces as it stands there, but for their names, which are taken.
test_readme_namespaces()
{
	sed -n '/^## In network namespaces/,$p' /README.md |
		sed -n '/^```sh/,/^```/{ /^```/!p; /^```$/q; }' | sed 's/\<[ab]\>/readme_&/g' >/tmp/block
	note "$(wc -l </tmp/block) lines"
	before=$(count packets_sprayed)
	sh -e /tmp/block >/tmp/shown 2>&1
	expect "README: the block for namespaces ends well" 0 $?
	expect_in "README: ss names mswift there" "mswift" "$(cat /tmp/shown)"
	# what a slow machine sends again, since its answers are late, is sprayed, too
	again=$(sed -n 's|.*retrans:[0-9]*/\([0-9]*\).*|\1|p' /tmp/shown | head -n 1)
	sprayed=$(($(count packets_sprayed) - before - ${again:-0}))
	check "README: some 18,000 packets sprayed ($sprayed, and ${again:-0} again)" \
		test $sprayed -ge 17500 -a $sprayed -lt 19000
}

# Each of the README's sysctls, in a namespace of its own, reads as it was written.
test_readme_sysctls()
{
	ip netns add readme
	sed -n 's/^ *sudo sysctl -w //p' /README.md | tr ' ' '\n' >/tmp/sysctls
	while read -r setting; do
		ip netns exec readme sysctl -q -w "$setting"
		expect "README: $setting" "${setting#*=}" \
			"$(ip netns exec readme sysctl -n "${setting%%=*}")"
	done </tmp/sysctls
	expect "README: it has so many settings" 9 "$(wc -l </tmp/sysctls)"
	ip netns del readme
}

# Its options of the module are parameters that take these values, and its line for the
# trace switches the event on.
test_readme_files()
{
	options=$(sed -n 's/^ *echo options tcp_mswift \(.*\) | sudo tee .*/\1/p' /README.md)
	check "README: it has options for the module" test -n "$options"
	for option in $options; do
		was=$(cat $PARAMETERS/${option%%=*})
		echo "${option#*=}" >$PARAMETERS/${option%%=*}
		expect "README: the option $option" "${option#*=}" "$(cat $PARAMETERS/${option%%=*})"
		echo "$was" >$PARAMETERS/${option%%=*}
	done
	line=$(grep -o 'echo 1 > /sys/kernel/tracing/[^ ]*$' /README.md)
	eval "$line"
	expect "README: $line" 1 "$(cat ${line##* })"
	echo 0 >${line##* }
}

# The tool of Documentation/prioplus.md, "Choosing the channels", where a device
# tells no speed. ip gives each of its processes a /sys without tracefs.
measure()
{
	in_a sh -c 'mount -t tracefs tracefs '$TRACING' && exec timeout '$MEASURE_S' python3 /channels/channels measure "$@"' \
		channels fd09::2 7711 "$@" 2>&1
}

measures_now() { ls $TRACING/instances | grep -q '^channels-'; }
measures_no_more() { ! measures_now; }

test_channels()
{
	ip netns exec b python3 /channels/channels serve >/dev/null &
	server=$!
	retry 60 listens 7711 in_b
	expect_in "channels says that the line rate is unknown" "say it: --rate MBPS" "$(measure)"
	# a busy host's machine sees few packets in a second; nor is it stuck then
	while sleep 60; do note "channels measures"; done &
	life=$!
	for seconds in 60 300; do
		MEASURE_S=$((2 * seconds + 100))
		got=$(measure --seconds $seconds --load --share 1 --rate 1000)
		note "$got"
		case $got in *"--seconds more"*) ;; *) break ;; esac
	done
	kill $life
	expect_in "channels measures, idle" " idle +[0-9]+ delays .*p99.85 [0-9]" "$got"
	expect_in "and loaded" " loaded +[0-9]+ delays .*p99.85 [0-9]" "$got"
	for line in $(echo "$got" | sed -n 's/^    sudo sysctl -w //p'); do
		check "the kernel takes $line" in_a sysctl -q -w "$line"
		in_a sysctl -q -w "${line%=*}=inherit"
	done
	# timeout ends it where it stands
	MEASURE_S=40 measure --seconds 600 --rate 1000 >/dev/null &
	measured=$!
	check "channels measures again" retry 30 measures_now
	wait $measured
	check "ended by another, it traces no more" measures_no_more
	expect "so many knobs were told" 6 "$(echo "$got" | sed -n 's/^    sudo sysctl -w //p' | wc -w)"
	kill $server
}

# Below the emulator's noise: slow is allowed, stuck is not.
test_default_target()
{
	for cc in swift lswift mswift; do
		in_a sysctl -q -w "net.dcc.$cc.target_qdelay_us=25"
		got=$(send fd09::2 7000 $SLOW_BYTES cc="$cc")
		expect_in "$cc carries data with the default target" "^cc=$cc .*bytes=$SLOW_BYTES sum=match" "$got"
		note "$got"
		in_a sysctl -q -w "net.dcc.$cc.target_qdelay_us=inherit"
	done
}

# refuse_knob KNOB VALUE: refused as invalid, and the old value stays.
refuse_knob()
{
	before=$(cat "$PARAMETERS/$1")
	got=$(put "$PARAMETERS/$1" "$2" 2>&1)
	expect_in "$1 refuses '$2' as invalid" "Invalid argument" "$got"
	expect "$1 stays $before" "$before" "$(cat "$PARAMETERS/$1")"
}

# Of two knobs that are written in turn no flow has the second one without the first.
test_knobs_together()
{
	ip link set lo up
	got=$(abuse knobs /proc/sys/net/dcc/mswift mswift 2>&1)
	expect_in "while knobs are written, flows begin with what stood together" \
		"^flows=[1-9][0-9][0-9]+ torn=0$" "$got"
	note "$got"
	for knob in init_cwnd line_rate_mbps; do
		put /proc/sys/net/dcc/mswift/$knob inherit
	done
}

test_knobs()
{
	for knob in target_qdelay_us base_target_us percentile spray_paths; do
		refuse_knob $knob 999999999
		refuse_knob $knob abc
		refuse_knob $knob -1
	done
	refuse_knob spray sideways
	before=$(cat $PARAMETERS/percentile)
	check "percentile takes 90" put $PARAMETERS/percentile 90
	expect "percentile is 90" 90 "$(cat $PARAMETERS/percentile)"
	put $PARAMETERS/percentile "$before"
	expect_in "modinfo describes percentile" "percentile:.*[a-z]" "$(modinfo -p tcp_mswift)"
}

test_namespaces()
{
	name=net.dcc.mswift.percentile
	check "a namespace overrides percentile" in_a sysctl -q -w $name=10
	expect "namespace a has 10" 10 "$(in_a sysctl -n $name)"
	expect "namespace b has the module's" "$(cat $PARAMETERS/percentile)" "$(in_b sysctl -n $name)"
	refuse "a namespace refuses 101" in_a sysctl -q -w $name=101
	expect "namespace a still has 10" 10 "$(in_a sysctl -n $name)"
	check "net.dcc.lswift.spray is there" in_b sysctl -n net.dcc.lswift.spray
}

# What arrives at b, from now until watch_end; then in /tmp/labels.
watch_begin()
{
	ip netns exec b xfer labels ve_b >/tmp/labels &
	counter=$!
	retry 60 watching
}

# The socket of b that takes IPv6 packets, by their protocol's number.
watching() { in_b grep -qi 86dd /proc/net/packet; }

watch_end()
{
	kill "$counter"
	wait "$counter"
}

# arrived NAME: one of the numbers watched.
arrived() { sed "s/.*$1=\([0-9]*\).*/\1/" /tmp/labels; }

# labels_of CC: how many flow labels one transfer uses.
labels_of()
{
	watch_begin
	send fd09::2 7000 $BYTES cc="$1" >/tmp/sent
	watch_end
	note "$1: $(cat /tmp/labels) $(cat /tmp/sent)"
	arrived labels
}

test_spray()
{
	before=$(in_a sysctl -n net.dcc.mswift.spray)
	paths=$(in_a sysctl -n net.dcc.mswift.spray_paths)
	in_a sysctl -q -w net.dcc.mswift.spray=off
	labels_of mswift >/tmp/count
	grep '^#' /tmp/count
	n=$(grep -v '^#' /tmp/count)
	# The stack itself changes a flow's label after a timeout.
	check "spray=off keeps to one flow label but for timeouts" test "$n" -ge 1 -a "$n" -le $FEW_LABELS
	check "spray takes oblivious" in_a sysctl -q -w net.dcc.mswift.spray=oblivious
	expect "spray is oblivious" oblivious "$(in_a sysctl -n net.dcc.mswift.spray)"
	labels_of mswift >/tmp/count
	grep '^#' /tmp/count
	n=$(grep -v '^#' /tmp/count)
	# 2000 packets and more are 30 laps, each with labels of its own
	check "spray=oblivious draws labels anew each lap" test "$n" -ge $((paths * 8))
	in_a sysctl -q -w net.dcc.mswift.spray="$before"
	# what hangs in the namespace's path of packets goes with the modules
	in_a sysctl -q -w net.dcc.spray=oblivious
	check "the modules go where a namespace sprays" retry 30 modprobe -r $MODULES
	expect_in "packets leave as before" "^cc=cubic .*sum=match" \
		"$(send fd09::2 7000 $FEW_BYTES cc=cubic)"
	modprobe -a $MODULES
}

# Labels in the upper half only, where the namespace says so (it does by default).
test_state_ranges()
{
	in_a sysctl -q -w net.dcc.mswift.spray=oblivious
	for ranges in 1 0; do
		check "flowlabel_state_ranges=$ranges" \
			in_a sysctl -q -w net.ipv6.flowlabel_state_ranges=$ranges
		labels_of mswift >/tmp/count
		grep '^#' /tmp/count
		if test $ranges = 1; then
			expect "no label is in the lower half" 0 "$(arrived low)"
		else
			check "without it some are" test "$(arrived low)" -ge 100
		fi
	done
	in_a sysctl -q -w net.ipv6.flowlabel_state_ranges=1
	in_a sysctl -q -w net.dcc.mswift.spray=inherit
}

# What left a's interface: bytes and packets; a GSO packet is one.
sent() { in_a sed -n 's/^ *ve_a://p' /proc/net/dev | awk '{ print $9, $10 }'; }

# mean_sent COMMAND...: bytes of a packet that leaves meanwhile, into $mean.
mean_sent()
{
	before=$(sent)
	"$@"
	mean=$(echo "$before $(sent)" | awk '{ print int(($3 - $1) / ($4 - $2)) }')
	note "$*: $mean bytes a packet"
}

single() { check "$1: no GSO packets" test "$mean" -le $FRAME_BYTES; }
super() { check "$1: GSO packets" test "$mean" -gt $FRAME_BYTES; }

# Until so many bytes have left, or nobody sends them any more.
until_sent()
{
	local end
	end=$(($(sent | cut -d ' ' -f 1) + $1))
	while kill -0 "$sender" && test "$(sent | cut -d ' ' -f 1)" -lt $end; do
		:
	done
}

# A GSO packet has one label; where labels do nothing it may be long.
test_segs_cap()
{
	in_a sysctl -q -w net.dcc.mswift.spray=oblivious
	mean_sent send fd09::2 7000 $BYTES cc=mswift
	single "sprayed"
	mean_sent send 10.9.0.2 7000 $BYTES cc=mswift
	super "sprayed in vain, IPv4"
	mean_sent send ::ffff:10.9.0.2 7000 $BYTES cc=mswift
	super "sprayed in vain, IPv4 by an IPv6 socket"
	mean_sent send fd09::2 7000 $BYTES switch=mswift,cubic,cubic,cubic,cubic,cubic,cubic,cubic
	super "sprayed for an eighth, then cubic's"
	in_a sysctl -q -w net.dcc.mswift.spray=inherit
	# slow enough that it is still there when the knob has changed
	in_a sysctl -q -w net.dcc.spray=oblivious net.dcc.mswift.line_rate_mbps=$LASTING_MBPS
	send fd09::2 7000 $((LONG * 2)) cc=mswift >/tmp/sent &
	sender=$!
	mean_sent until_sent $BYTES
	single "sprayed by the namespace"
	in_a sysctl -q -w net.dcc.spray=off
	mean_sent wait $sender
	super "the same flow when the namespace sprays no more"
	expect_in "it carried its data" "^cc=mswift .*sum=match" "$(cat /tmp/sent)"
	in_a sysctl -q -w net.dcc.mswift.line_rate_mbps=inherit
}

# Selectors that steer, by labels heard of; mswift hears of marks with tcp_ecn=1.
test_selectors()
{
	in_a sysctl -q -w net.ipv4.tcp_ecn=1
	for cc in mswift nscc; do
		for selector in bitmap reps mixed mrc; do
			good=$(cat $COUNTERS/paths_good)
			in_a sysctl -q -w net.dcc.$cc.spray=$selector
			expect_in "$cc carries data with $selector" "^cc=$cc .*sum=match" \
				"$(send fd09::2 7000 $BYTES cc=$cc)"
			check "$selector hears of $cc's labels" \
				test $(($(cat $COUNTERS/paths_good) - good)) -ge 1000
		done
		in_a sysctl -q -w net.dcc.$cc.spray=inherit
	done
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
}

test_ecn()
{
	hold nscc 1000
	expect_in "nscc negotiates ECN" " ecn( |\$)" \
		"$(in_a ss -tionH state established dport = :7000)"
	release
	marks_heard nscc
	# with Accurate ECN the stack counts the marks, and needs no help of ours
	has_accecn || expect_echoes nscc
	# this one speaks classic ECN on any kernel
	in_b sysctl -q -w net.dcc.mswift.spray=reps
	marks_heard mswift
	expect_echoes mswift
	in_b sysctl -q -w net.dcc.mswift.spray=inherit
}

# The sysctl knows the new modes where the stack does.
has_accecn()
{
	in_b sysctl -q -w net.ipv4.tcp_ecn=3 2>/dev/null || return 1
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
}

# marks_heard RECEIVER: what the queue marks arrives at the sender. The queue
# drops what it cannot mark, a SYN too: so it comes after that.
marks_heard()
{
	modprobe sch_netem
	serve 7002 "$1"
	in_a sysctl -q -w net.dcc.nscc.spray=reps
	pause 7002 $BYTES cc=nscc
	check "a queue that marks one packet in ten" \
		ip netns exec a tc qdisc replace dev ve_a root netem loss 10% ecn
	echoes=$(count ce_echoes)
	heard=$(count paths_ce)
	watch_begin
	release
	watch_end
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.dcc.nscc.spray=inherit
	kill $server
	wait $server
	echoes=$(($(count ce_echoes) - echoes))
	heard=$(($(count paths_ce) - heard))
	note "$(cat /tmp/labels) echoes=$echoes heard=$heard $(cat /tmp/held)"
	marks=$(arrived ce)
	expect_in "nscc carries data over it to $1" "^cc=nscc peer_cc=$1 .*sum=match" "$(cat /tmp/held)"
	check "the queue marked packets to $1" test "$marks" -ge 100
	check "the selector hears of marks at $1" test $heard -ge 50 -a $heard -ge $((marks / 4))
}

# Packets that waited for the receiver in one batch are told of once.
expect_echoes() { check "$1 tells of changing marks at once" test $echoes -ge 10; }

# Without ECN at the peer: it says so, works, and no packet claims otherwise.
test_ecn_refused()
{
	missing=$(count ecn_missing)
	in_b sysctl -q -w net.ipv4.tcp_ecn=0
	watch_begin
	expect_in "nscc carries data without ECN" "^cc=nscc .*sum=match" \
		"$(send fd09::2 7000 $BYTES cc=nscc)"
	watch_end
	expect "and it is counted" $((missing + 1)) "$(count ecn_missing)"
	expect "no packet with data claims ECN" 0 "$(arrived ect)"
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
}

# What one connection could not have, the socket's next one asks for again, and
# what it had is not asked for once nobody wants it.
test_ecn_reconnect()
{
	in_b sysctl -q -w net.ipv4.tcp_ecn=0
	expect "nscc asks the second peer for ECN that the first refused" "first=plain second=ecn" \
		"$(in_a abuse reconnect nscc fd09::2 7000 'ip netns exec b sysctl -q -w net.ipv4.tcp_ecn=2' 2>&1)"
	in_a sysctl -q -w net.ipv4.tcp_ecn=1
	in_a sysctl -q -w net.dcc.mswift.spray=reps
	expect "mswift does not ask for ECN without tcp_ecn=1" "first=ecn second=plain" \
		"$(in_a abuse reconnect mswift fd09::2 7000 'sysctl -q -w net.ipv4.tcp_ecn=2' 2>&1)"
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
	in_a sysctl -q -w net.dcc.mswift.spray=inherit
}

# ecn_late OUR_ECN PEERS_ECN: nscc chosen while the SYN is under way.
ecn_late()
{
	in_a sysctl -q -w net.ipv4.tcp_ecn="$1"
	in_b sysctl -q -w net.ipv4.tcp_ecn="$2"
	watch_begin
	got=$(in_a timeout $PATIENCE_S abuse late nscc fd09::2 7000 100000 2>&1)
	watch_end
	note "tcp_ecn=$1 and $2: $got $(cat /tmp/labels)"
	bits=$(echo "$got" | sed -n 's/bits=\([0-9]*\) .*/\1/p')
	no_ecn=$((${bits:-0} & NO_ECN_BIT))
	check "packets with data arrived" test "$(arrived packets)" -gt 0
}

# The SYN says what tcp_ecn wants, since the algorithm comes after it; what the
# peer answers counts.
test_ecn_late()
{
	modprobe sch_netem
	in_a tc qdisc replace dev ve_a root netem delay 300ms
	for ours in 2 1; do
		ecn_late $ours 0
		expect "nscc chosen in SYN_SENT, ECN refused: the connection is plain" plain "${got##* }"
		expect "nscc says that it has no ECN" $NO_ECN_BIT $no_ecn
		expect "no packet with data claims ECN" 0 "$(arrived ect)"
	done
	ecn_late 1 2
	expect "nscc chosen in SYN_SENT, ECN agreed: the connection has it" ecn "${got##* }"
	expect "nscc does not say otherwise" 0 $no_ecn
	check "packets with data claim ECN" test "$(arrived ect)" -gt 0
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
}

# The SYN-ACK tells how the SYN arrived; a SYN that is not what the stack noted
# makes it give the marks up for good.
test_ecn_synack_marked()
{
	has_accecn || { skip "a marked SYN-ACK" "no Accurate ECN in this kernel"; return; }
	modprobe -a sch_ingress cls_flower act_pedit
	check "a queue that marks SYN-ACKs" in_b tc qdisc add dev ve_b clsact
	check "with CE" in_b tc filter add dev ve_b egress protocol ipv6 flower ip_proto tcp \
		tcp_flags 0x12/0x12 action pedit ex munge ip6 traffic_class set 3 retain 3
	in_a sysctl -q -w net.ipv4.tcp_ecn=3
	in_b sysctl -q -w net.ipv4.tcp_ecn=3
	for cc in cubic nscc; do
		got=$(in_a timeout $PATIENCE_S abuse accecn $cc fd09::2 7000 100000 2>&1)
		note "$got"
		expect "$cc keeps Accurate ECN" "mode=2 fail=0" "${got#* }"
	done
	bits=${got#bits=}
	expect "nscc does not say that it has none" 0 $((${bits%% *} & NO_ECN_BIT))
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
	in_b tc qdisc del dev ve_b clsact
}

# set_again CC PEERS_ECN WANTED: how many flows begin on one connection.
set_again()
{
	in_b sysctl -q -w net.ipv4.tcp_ecn="$2"
	flows=$(count flows)
	expect "$1 set ten times again is $3" "$3" "$(in_a abuse again "$1" fd09::2 7000 10 2>&1)"
	expect "and remains one flow" 1 $(($(count flows) - flows))
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
}

test_set_again()
{
	set_again nscc 2 ecn
	set_again nscc 0 plain
	in_a sysctl -q -w net.ipv4.tcp_ecn=1
	in_a sysctl -q -w net.dcc.mswift.spray=reps
	# With ECN it begins anew: Documentation/limits.md.
	set_again mswift 0 plain
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
	in_a sysctl -q -w net.dcc.mswift.spray=inherit
}

# in_sandbox COMMAND: as root of a user's own user and network namespace.
in_sandbox() { as_user unshare -Urn sh -c "$1"; }

# The log belongs to the machine's administrator: he is told, others are not.
test_log_flood()
{
	dmesg >/tmp/before
	refuse "root gets an error for a bad knob" put /proc/sys/net/dcc/mswift/percentile 101
	expect_in "and one line that says what is allowed" "^[^|]*percentile.*allowed[^|]*\\|\$" \
		"$(dmesg | tail -n +$(($(wc -l </tmp/before) + 1)) | grep percentile | tr '\n' '|')"
	dmesg >/tmp/before
	got=$(in_sandbox "for i in $(seq -s ' ' 1000); do
		echo 101 >/proc/sys/net/dcc/mswift/percentile || echo refused
		done 2>/dev/null | wc -l" 2>&1)
	expect "1000 bad values of a user's namespace are refused" 1000 "$got"
	dmesg >/tmp/after
	expect "and write no line into the log" "" \
		"$(tail -n +$(($(wc -l </tmp/before) + 1)) /tmp/after | head -n 3)"
}

# expect_told WHAT BIT COUNTER LOG WORD...: a flow that told.py makes has the bit, and is
# counted, and the kernel's log says so, maybe of an earlier flow.
expect_told()
{
	local what=$1 bit=$2 counter=$3 log=$4 got before
	shift 4
	before=$(count "$counter")
	got=$(in_a timeout $PATIENCE_S python3 /told.py "$@" 2>&1)
	expect_in "$what: carries its data" " got=$FEW_BYTES$" "$got"
	check "$what: bit $bit" test $(($(echo "$got" | field bits) & bit)) = $bit
	expect "$what: counted" $((before + 1)) "$(count "$counter")"
	check "$what: a line in the log" sh -c "dmesg | grep -q 'dcc: .*$log'"
}

# What README says of the bits that tell why something was not possible.
test_bits()
{
	got=$(in_a python3 /told.py mswift fd09::2 7000 $FEW_BYTES)
	expect_in "nothing asked for: the device's speed alone is told of" "^bits=16 " "$got"
	expect_told "veth" 16 line_rate_unknown "reports no speed" mswift fd09::2 7000 $FEW_BYTES
	in_b sysctl -q -w net.ipv4.tcp_ecn=0
	expect_told "no ECN" 128 ecn_missing "wants ECN" nscc fd09::2 7000 $FEW_BYTES
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
	in_a sysctl -q -w net.dcc.spray=oblivious
	got=$(in_a python3 /told.py mswift fd09::2 7000 $FEW_BYTES)
	expect_in "it sprays" "^bits=80 " "$got"
	expect_told "IPv4" 2 label_ipv4 "on IPv4" mswift 10.9.0.2 7000 $FEW_BYTES
	expect_told "a label of its own" 8 label_owned "label of its own" \
		mswift fd09::2 7000 $FEW_BYTES label=77
	in_a sysctl -q -w net.ipv6.auto_flowlabels=0
	expect_told "no labels" 4 label_off "turned labels off" mswift fd09::2 7000 $FEW_BYTES
	in_a sysctl -q -w net.ipv6.auto_flowlabels=1 net.dcc.spray=off
	in_a sysctl -q -w net.dcc.prioplus.prio_levels=3
	clamped=$(count priority_clamped)
	for level in 2 6; do
		got=$(in_a python3 /told.py prioplus fd09::2 7000 $FEW_BYTES priority=$level)
		expect_in "SO_PRIORITY $level is priority 3 of 3" " priority=3 got=$FEW_BYTES$" "$got"
	done
	expect "one of the two was above it" $((clamped + 1)) "$(count priority_clamped)"
	in_a sysctl -q -w net.dcc.prioplus.prio_levels=inherit
}

# wg_to FROM TO OUTER INNER: the end in FROM of a WireGuard tunnel to TO, which has OUTER.
wg_to()
{
	ip netns exec $1 wg set wg0 private-key /tmp/key_$1 listen-port 51820 \
		peer "$(wg pubkey </tmp/key_$2)" endpoint "[$3]:51820" allowed-ips ::/0
	ip -n $1 addr add $4/64 dev wg0 nodad
	ip -n $1 link set wg0 up
}

# All packets into WireGuard leave as one flow, whatever their labels, and that is said.
test_wireguard()
{
	modprobe wireguard
	for n in a b; do
		ip -n $n link add wg0 type wireguard
		(umask 077; wg genkey >/tmp/key_$n)
	done
	wg_to a b fd09::2 fd77::1
	wg_to b a fd09::1 fd77::2
	in_a sysctl -q -w net.dcc.spray=oblivious
	expect_told "WireGuard" 8192 label_one_flow "into WireGuard" mswift fd77::2 7000 $FEW_BYTES
	expect_in "doctor: a WireGuard device" "^BAD +labels +wg0 is WireGuard" \
		"$(in_a dccstat doctor fd77::2)"
	in_a sysctl -q -w net.dcc.spray=off
	for n in a b; do
		ip -n $n link del wg0
	done
}

# How much traffic the machine carries is not everybody's business.
test_counters()
{
	expect "no counter has another mode than 400" "" \
		"$(find $COUNTERS/ -type f ! -perm 400)"
	for counter in "$COUNTERS"/*; do
		as_user cat "$counter" >/dev/null 2>&1 && echo "$counter"
	done >/tmp/readable
	expect "no counter is read by a user" "" "$(cat /tmp/readable)"
	check "root reads them" cat $COUNTERS/*
}

# Memory is the machine's: a user's namespace may ask for less, not for more.
test_records_limit()
{
	knob=/proc/sys/net/dcc/nscc/records
	limit=$(cat /sys/module/tcp_mnscc/parameters/records)
	check "a user's namespace takes records=$limit" in_sandbox "echo $limit >$knob"
	check "it takes $((limit / 2))" in_sandbox "echo $((limit / 2)) >$knob"
	refuse "it refuses 16384, which is more than the machine's $limit" \
		in_sandbox "echo 16384 >$knob"
	check "the machine's own namespace takes 16384" put $knob 16384
	put $knob inherit
}

# more CC TEXT: what one of CC takes beyond the cubic before it, by what abuse printed:
# the middle one of several; nothing if it printed none.
more()
{
	echo "$2" | tr ' ' '\n' | awk -v cc="$1" -F= '$1 == "cubic" { base = $2 }
		$1 == cc && base != "" { print $2 - base }' | sort -n |
		awk '{ all[NR] = $1 } END { if (NR) print all[int((NR + 1) / 2)] }'
}

# expect_more CC TEXT MIN MAX NAME
expect_more()
{
	local got
	got=$(more "$1" "$2")
	check "$5: ${got:-unknown}, $3 to $4 bytes more than cubic" \
		test "${got:-none}" -ge "$3" -a "${got:-none}" -le "$4"
}

# Both ends' slabs, those in part empty too: exact to some bytes for so many. With
# data, see memory_charged.
test_memory()
{
	got=$(abuse idle $IDLE_CONNECTIONS 0 cubic nscc mswift 2>&1)
	note "bytes a connection: $got"
	for cc in nscc mswift; do
		expect_more $cc "$got" 0 $FLOW_BYTES_MAX "an idle $cc connection"
	done
	objects=$(kmalloc_objects)
	abuse idle $IDLE_CONNECTIONS 0 nscc mswift >/dev/null 2>&1
	objects=$(($(kmalloc_objects) - objects))
	check "what $((2 * IDLE_CONNECTIONS)) of them had is given back, but $objects pieces" \
		test $objects -lt $((IDLE_CONNECTIONS / 2))
}

# With the first memory cgroup the kernel patches kfree(), by way of a breakpoint. An
# emulated processor may run into it after it was taken back, which is an oops: so
# there is only one meanwhile.
first_memory_cgroup()
{
	local other=/sys/devices/system/cpu/cpu1/online
	put $other 0
	mkdir $CGROUPS/owner
	put $CGROUPS/cgroup.subtree_control +memory
	put $other 1
}

# charged COMMAND...: run in the cgroup; what it says.
charged() { sh -c "echo \$\$ >$CGROUPS/owner/cgroup.procs; $*" 2>&1; }

# charged_pairs CC BYTES: three times, since what others began and left in a slab's
# pages is charged or not with the first.
charged_pairs()
{
	charged abuse charged $CGROUPS/owner $CHARGED_CONNECTIONS "$2" \
		cubic "$1" cubic "$1" cubic "$1"
}

# A flow's memory is its socket's owner's; with data, at its largest.
charged_flows()
{
	got=$(charged_pairs nscc 0)
	note "bytes a connection, charged to its owner: $got"
	expect_more nscc "$got" $((FLOW_BYTES - CHARGE_SLACK_BYTES)) $FLOW_BYTES_MAX \
		"charged, an nscc connection"
	for cc in $ONE_OF_EACH; do
		sysctl -q -w net.dcc.$cc.spray=mixed
		got=$(charged_pairs $cc $FEW_BYTES)
		note "bytes a connection that sent $FEW_BYTES, charged to its owner: $got"
		expect_more $cc "$got" $((FLOW_BYTES_MAX / 2)) \
			$((FLOW_BYTES_MAX + CHARGE_NOTE_BYTES + CHARGE_SLACK_BYTES)) \
			"charged, a $cc connection with data"
		sysctl -q -w net.dcc.$cc.spray=inherit
	done
}

# A namespace's knobs are its maker's.
charged_namespaces()
{
	modprobe -r $MODULES
	without=$(charged abuse namespaces $CGROUPS/owner $CHARGED_NAMESPACES)
	modprobe -a $MODULES
	got=$(charged abuse namespaces $CGROUPS/owner $CHARGED_NAMESPACES)
	note "a namespace, without the modules: $without; with them: $got"
	got=$((${got#bytes=} - ${without#bytes=}))
	check "charged, a namespace with our knobs: $got bytes more" \
		test $got -ge $NAMESPACE_BYTES_MIN -a $got -le $NAMESPACE_BYTES_MOST
}

test_memory_charged()
{
	mkdir -p $CGROUPS
	mount -t cgroup2 cgroup2 $CGROUPS
	first_memory_cgroup
	charged_flows
	charged_namespaces
	rmdir $CGROUPS/owner
	umount $CGROUPS
}

test_switching()
{
	got=$(send fd09::2 7000 $LONG cc=cubic switch=mswift,cubic,nscc,swift,reno,mnscc,lswift,mswift)
	expect_in "algorithms change under traffic (IPv6)" "sum=match" "$got"
	got=$(send 10.9.0.2 7000 $LONG cc=mswift switch=cubic,mswift,reno,swift,mnscc,lswift,nscc)
	expect_in "algorithms change under traffic (IPv4)" "sum=match" "$got"
}

test_mtu()
{
	in_a sysctl -q -w net.dcc.mswift.line_rate_mbps=$LASTING_MBPS
	send fd09::2 7000 $((LONG * 4)) cc=mswift >/tmp/mtu &
	sender=$!
	until_sent $SOME_BYTES
	changes=0
	while kill -0 $sender 2>/dev/null; do
		for mtu in 1300 1500 1280 1400; do
			ip -n a link set ve_a mtu $mtu
			changes=$((changes + $(kill -0 $sender 2>/dev/null && echo 1 || echo 0)))
		done
	done
	wait $sender
	ip -n a link set ve_a mtu 1500
	check "meanwhile $changes changes, at least 4" test $changes -ge 4
	in_a sysctl -q -w net.dcc.mswift.line_rate_mbps=inherit
	expect_in "the MTU changes under traffic" "^cc=mswift .*sum=match" "$(cat /tmp/mtu)"
}

test_fq()
{
	modprobe sch_fq
	check "sch_fq as queue of the host" ip netns exec a tc qdisc replace dev ve_a root fq
	for cc in $ALGORITHMS; do
		expect_in "$cc runs over fq" "^cc=$cc .*sum=match" "$(send fd09::2 7000 $BYTES cc="$cc")"
	done
	in_a tc qdisc del dev ve_a root
}

# Pacing is the socket's own again when the fair queue goes: a packet that was
# told to leave later and left at once would look faster than the path.
test_fq_gone()
{
	modprobe -a sch_fq sch_netem
	in_a sysctl -q -w net.dcc.mswift.line_rate_mbps=$SLOW_MBPS
	in_a tc qdisc replace dev ve_a root fq
	in_b tc qdisc replace dev ve_b root netem delay ${DELAY_MS}ms
	pause 7000 $BYTES cc=mswift
	release_soon
	check "a flow that fq paces" retry 60 acked_some
	check "the fair queue goes" in_a tc qdisc del dev ve_a root
	wait "$holder"
	note "$(cat /tmp/held)"
	expect_in "the flow carries its data" "^cc=mswift .*sum=match" "$(cat /tmp/held)"
	base=$(field base_ns </tmp/held)
	check "its base RTT is not below the path's" test "${base:-0}" -ge $((DELAY_MS * 1000000))
	in_b tc qdisc del dev ve_b root
	in_a sysctl -q -w net.dcc.mswift.line_rate_mbps=inherit
}

# A flow that hears nothing asks, by new data, five times at most until it does; fewer if a
# timeout comes first, after which it asks by what that sent again. Not where the
# administrator has no tail-loss probes.
test_tail()
{
	modprobe sch_netem
	for asks in 5 0; do
		in_a sysctl -q -w net.ipv4.tcp_early_retrans=$((asks ? 3 : 0))
		before=$(count tlp_probes)
		resends=$(count tlp_resends)
		timeouts=$(tcp_timeouts)
		pause 7000 $BYTES cc=mswift
		check "the network loses all" in_a tc qdisc replace dev ve_a root netem loss 100%
		release_soon
		# after the second the first one's packet was lost again
		check "timeouts come" retry 60 timed_out_since $((timeouts + 1))
		test $asks = 0 || retry 60 resent_since "$resends"
		asked=$(($(count tlp_probes) - before))
		check "asks up to $asks times" \
			test "$asked" -le "$asks" -a $((asked > 0)) -eq $((asks > 0))
		check "sends again once more, or not" \
			test $(($(count tlp_resends) > resends)) -eq $((asks > 0))
		in_a tc qdisc del dev ve_a root
		wait "$holder"
		expect_in "the flow carries its data" "^cc=mswift .*sum=match" "$(cat /tmp/held)"
	done
	in_a sysctl -q -w net.ipv4.tcp_early_retrans=3
}

resent_since() { test "$(count tlp_resends)" -gt "$1"; }
asked_since() { test "$(count tlp_probes)" -gt "$1"; }

# Packets that stand still in this host's queue are no silence yet: whether they still
# do is looked at less and less often. (More than two a flow has there only as others
# have left: the stack sees to that.)
test_tail_stuck()
{
	looks=$TRACING/instances/looks
	modprobe sch_tbf
	mkdir -p "$looks"
	ip -n a -6 route replace fd09::2/128 dev ve_a rto_min 100s
	in_a sysctl -q -w net.dcc.mswift.max_cwnd=2 net.dcc.mswift.init_cwnd=2
	pause 7000 $BYTES cc=mswift
	check "a queue stands still" in_a tc qdisc replace dev ve_a root \
		tbf rate 8bit burst 1600 limit 1mb
	echo 1 >"$looks/events/timer/hrtimer_expire_entry/enable"
	release_soon
	sleep 3
	echo 0 >"$looks/events/timer/hrtimer_expire_entry/enable"
	n=$(grep -c tcp_pace_kick "$looks/trace")
	check "in three seconds the flow's timer fires $n times, 3 to 40" test "$n" -ge 3 -a "$n" -le 40
	in_a tc qdisc change dev ve_a root tbf rate 100mbit burst 20kb limit 1mb
	check "another packet sets the queue going" send 10.9.0.2 7000 1000
	wait "$holder"
	expect_in "the flow carries its data" "^cc=mswift .*sum=match" "$(cat /tmp/held)"
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.dcc.mswift.max_cwnd=inherit net.dcc.mswift.init_cwnd=inherit
	ip -n a -6 route del fd09::2/128 dev ve_a
	rmdir "$looks"
}

# A question is one segment; what follows is as long as ever.
test_tail_segs()
{
	modprobe sch_netem
	in_a sysctl -q -w net.dcc.mswift.spray=oblivious net.dcc.mswift.spray_segs=8
	pause 7000 $LONG cc=mswift
	before=$(count tlp_probes)
	in_a tc qdisc replace dev ve_a root netem loss 100%
	release_soon
	check "it asks" retry 60 asked_since "$before"
	in_a tc qdisc del dev ve_a root
	mean_sent wait "$holder"
	super "after a question"
	expect_in "the flow carries its data" "^cc=mswift .*sum=match" "$(cat /tmp/held)"
	in_a sysctl -q -w net.dcc.mswift.spray=inherit net.dcc.mswift.spray_segs=inherit
}

# The stack takes a window for an int, and warns of one that is none: so few bytes a
# segment, and so long a pipe, of a flow that has no delay yet.
test_window_most()
{
	in_a sysctl -q -w net.dcc.oscar.line_rate_mbps=4000000 net.dcc.oscar.base_rtt_ns=1000000000
	ip -n b -6 route replace fd09::1/128 dev ve_b advmss 88
	pause 7000 $HELD_BYTES cc=oscar
	in_a ss -tinH state established dport = :7000 >/tmp/ss
	expect_in "segments are small" " mss:76( |\$)" "$(cat /tmp/ss)"
	expect_in "the largest window is 2^20 packets" " cwnd:1048576( |\$)" "$(cat /tmp/ss)"
	release_soon
	wait "$holder"
	expect_in "the flow carries its data" "^cc=oscar .*sum=match" "$(cat /tmp/held)"
	ip -n b -6 route del fd09::1/128 dev ve_b
	in_a sysctl -q -w net.dcc.oscar.line_rate_mbps=inherit net.dcc.oscar.base_rtt_ns=inherit
}

# A flow of the lowest priority, whose channel ends below any delay there is: it
# probes, and is held for as long as it has that priority. To the highest, which
# never stops, each delay is that of an empty queue.
TIMEWAIT_S=60	# TCP_TIMEWAIT_LEN
HOLDING="base_rtt_ns=1000 eps_ns=1000000000 channel_fluct_ns=1 channel_noise_ns=1"
# hold_in [IN...]: IN runs a command in another namespace.
hold_in()
{
	for knob in $HOLDING; do
		"$@" sysctl -q -w "net.dcc.prioplus.$knob"
	done
}

hold_no_more_in()
{
	for knob in $HOLDING; do
		"$@" sysctl -q -w "net.dcc.prioplus.${knob%=*}=inherit"
	done
}

hold_forever() { hold_in in_a; }
hold_no_more() { hold_no_more_in in_a; }

# held_by TO BYTES MS THEN [OPTION...]
held_by()
{
	local to=$1
	shift
	in_a timeout $PATIENCE_S held prioplus "$to" 7000 "$@" 2>&1
}

# expect_held NAME TO MS THEN [OPTION...]: the data stays while the flow is held,
# and arrives once it is let go. On a busy host an answer may take longer than the
# stack's window probes wait, one segment each; selftests/net holds them to none.
expect_held()
{
	local name=$1 to=$2 got unsent
	shift 2
	# On a busy host what leaves now and then may seem lost, to the next algorithm, too:
	# its cut may be over when it is asked. One that takes over less fails each time.
	for _ in 1 2 3 4 5; do
		got=$(held_by "$to" $HELD_BYTES "$@")
		case $got in *recovers=1* | *cwnd=[0-9]\ *) note "again: $got" ;; *) break ;; esac
	done
	expect_in "$name" "^held=1 unsent=[0-9]* (cwnd=[0-9]{2,} recovers=0 )?base_ns=.* got=$HELD_BYTES$" "$got"
	unsent=$(echo "$got" | sed 's/.*unsent=\([0-9]*\).*/\1/')
	check "while held, it sends nothing" test "${unsent:-0}" -ge $((HELD_BYTES * 9 / 10))
	note "$got; $(cd $COUNTERS && grep . suspensions probes_* | xargs)"
}

test_held()
{
	hold_forever
	for to in fd09::2 10.9.0.2; do
		sent=$(count probes_sent)
		overdue=$(count suspensions_overdue)
		expect_held "$to: held, nothing leaves; free, all arrives" $to $HELD_MS free
		sent=$(($(count probes_sent) - sent))
		check "$to: it probed meanwhile: $sent" test "$sent" -ge 10
		check "$to: a few packets left, since none had for too long" \
			test $(($(count suspensions_overdue) - overdue)) -ge 3
	done
	for tcp in dsack sack timestamps; do
		in_b sysctl -q -w net.ipv4.tcp_$tcp=0
		expect_held "a receiver without $tcp" fd09::2 $HELD_MS free
		in_b sysctl -q -w net.ipv4.tcp_$tcp=1
	done
	hold_no_more
}

state_in_a() { test -n "$(in_a ss -tnH state "$1" dport = :7000)"; }
none_in_a() { test -z "$(in_a ss -tnH exclude time-wait dport = :7000)"; }

# What an application does to a held connection does what it does to others.
test_held_life()
{
	hold_forever
	expect_held "an end of the stream waits with the data" fd09::2 $HELD_MS free shutdown
	expect_held "another algorithm sends what was held, with the window from before" fd09::2 $HELD_MS cubic
	expect_held "keepalive and user timeout let a held flow live" fd09::2 8000 free \
		keepalive timeout=1500
	expect_in "a reset ends it" "held=1" "$(held_by fd09::2 $HELD_BYTES 500 abort)"
	check "and leaves nothing" retry 20 none_in_a
	expect_in "closed with data unsent" "held=1" "$(held_by fd09::2 $HELD_BYTES 500 leave)"
	check "it is held on, by the stack alone" retry 20 state_in_a fin-wait-1
	in_a ss -K dport = :7000 >/dev/null
	check "and ended by whoever may" retry 20 none_in_a
	hold_no_more
}

# A process that is gone cannot be told, nor made to wait: its socket is let go in a minute.
test_held_orphan()
{
	hold_forever
	# more than a packet each second takes away while this lasts
	expect_in "closed with data unsent" "held=1" "$(held_by fd09::2 $HELD_MANY 500 leave)"
	check "it is held on" retry 20 state_in_a fin-wait-1
	sent=$(count probes_sent)
	check "and asks" retry 20 has_probed $((sent + HELD_PROBES))
	for _ in 1 2 3 4 5; do	# each of them says something
		note "$(count probes_sent) probes"
		retry $((TIMEWAIT_S / 2)) none_in_a && break
	done
	check "for a minute" none_in_a
	hold_no_more
}

has_probed() { test "$(count probes_sent)" -gt "$1"; }
probes_answered() { echo $(($(count probes_sent) - $(count probes_lost))); }
has_answered() { test "$(probes_answered)" -ge "$1"; }

# A receiver whose DSACKs end while a flow is held.
test_held_untold()
{
	hold_forever
	sent=$(count probes_sent)
	held_by fd09::2 $HELD_BYTES $LOOK_MS free >/tmp/held &
	holder=$!
	check "it probes" retry 60 has_probed $((sent + HELD_PROBES))
	in_b sysctl -q -w net.ipv4.tcp_dsack=0
	answered=$(probes_answered)
	check "its probes are answered again" retry 30 has_answered $((answered + HELD_PROBES))
	wait $holder
	in_b sysctl -q -w net.ipv4.tcp_dsack=1
	note "$(cat /tmp/held)"
	expect_in "free, all arrives" "^held=1 .*got=$HELD_BYTES$" "$(cat /tmp/held)"
	hold_no_more
}

# A queue that a flow is let go into is not its base RTT, which it knows from before. It
# is held with the first delays, and some of the data have left by then.
test_held_base()
{
	hold_forever
	sent=$(count probes_sent)
	held_by fd09::2 $HELD_MANY $HELD_MS free known >/tmp/held &
	holder=$!
	check "it is held" retry 60 has_probed $((sent + HELD_PROBES))
	check "others have a queue" in_b tc qdisc replace dev ve_b root netem delay ${DELAY_MS}ms
	wait $holder
	note "$(cat /tmp/held)"
	base=$(field base_ns </tmp/held)
	check "the base RTT is that of before the hold" \
		test "${base:-0}" -gt 0 -a "${base:-0}" -lt $((DELAY_MS * 1000000))
	in_b tc qdisc del dev ve_b root
	hold_no_more
}

# The stack takes a DSACK for a packet delivered, if it sent any again: a probe's is none,
# or the first ACK after a hold would let the window grow by all of them.
test_held_delivered()
{
	hold_forever
	check "packets are lost" in_a tc qdisc replace dev ve_a root netem loss 30%
	sent=$(count probes_sent)
	held_by fd09::2 $HELD_MANY $HELD_MS free known >/tmp/held &
	holder=$!
	check "it is held" retry 60 has_probed $((sent + HELD_PROBES))
	check "and no more are" in_a tc qdisc del dev ve_a root
	wait $holder
	note "$(cat /tmp/held); $(($(count probes_sent) - sent)) probes"
	again=$(field again </tmp/held)
	delivered=$(field delivered </tmp/held)
	check "it sent some again" test "${again:-0}" -gt 0
	check "no probe is a packet delivered; the SYN is one" \
		test "${delivered:-999999}" -le $(($(field sent </tmp/held) + 1))
	hold_no_more
}

# Whatever queue the host has: those that pace, or take flows apart.
test_held_queues()
{
	hold_forever
	modprobe -a sch_fq sch_fq_codel
	for queue in pfifo fq fq_codel; do
		check "$queue as queue of the host" in_a tc qdisc replace dev ve_a root $queue
		expect_held "held over $queue, nothing leaves" fd09::2 $HELD_MS free
	done
	in_a tc qdisc del dev ve_a root
	hold_no_more
}

# Old bytes that b received and answered.
dsacks()
{
	in_b awk '/^TcpExt/ && !n { n = split($0, name); next }
		/^TcpExt/ { for (i = 1; i <= n; i++) if (name[i] == "TCPDSACKOldSent") print $i }' \
		/proc/net/netstat
}

# Probes, and their answers, pass a firewall that knows connections, and no limit
# for suspicious ACKs swallows answers.
test_held_filter()
{
	hold_forever
	modprobe -a nf_tables nft_ct nf_conntrack
	for n in a b; do
		ip netns exec $n nft 'add table inet t; add chain inet t c { type filter hook input priority 0; };
			add rule inet t c ct state invalid counter drop'
	done
	in_b sysctl -q -w net.ipv4.tcp_invalid_ratelimit=30000
	answered=$(dsacks)
	sent=$(count probes_sent)
	for to in fd09::2 10.9.0.2; do
		expect_held "through connection tracking to $to" $to $HELD_MS free
	done
	answered=$(($(dsacks) - answered))
	sent=$(($(count probes_sent) - sent))
	check "of $sent probes $answered are answered, all but the last of each flow" \
		test $answered -ge $((sent - 2))
	for n in a b; do
		expect_in "connection tracking in $n found nothing invalid" "packets 0 bytes 0" \
			"$(ip netns exec $n nft list ruleset)"
		ip netns exec $n nft delete table inet t
	done
	in_b sysctl -q -w net.ipv4.tcp_invalid_ratelimit=500
	hold_no_more
}

in_flow_a() { in_a ss -tiH dport = :7000 | grep -q prioplus; }

# A peer that is gone: the connection dies as others do, held or not.
test_held_gone()
{
	hold_forever
	held_by 10.9.0.2 $HELD_BYTES $GONE_MS wait timeout=3000 >/tmp/held &
	holder=$!
	check "a held flow" retry 60 in_flow_a
	ip -n b link set ve_b down
	wait $holder
	ip -n b link set ve_b up
	expect_in "its peer gone, it dies in time" "unsent=[1-9][0-9]* error=(ETIMEDOUT|EHOSTUNREACH)" "$(cat /tmp/held)"
	ip -n b addr replace fd09::2/64 dev ve_b nodad
	check "the peer is back" retry 60 in_a xfer send fd09::2 7000 1
	hold_no_more
}

# Soft timers that fired on this machine, whoever set them.
timers() { awk '$1 == "HRTIMER:" { for (i = 2; i <= NF; i++) n += $i } END { print n }' /proc/softirqs; }

# quiet NAME MOST: for QUIET_S seconds hardly a timer fires, and hardly a probe leaves.
quiet()
{
	local before probes
	before=$(timers)
	probes=$(count probes_sent)
	sleep $QUIET_S
	before=$(($(timers) - before))
	probes=$(($(count probes_sent) - probes))
	check "$1: $before timers and $probes probes in $QUIET_S s, $2 at most" \
		test $before -le "$2" -a $probes -le "$2"
}

# peer_of CC MODE COUNT MS BYTES: hostile peers of a host that sends; told in /tmp/peer.
peer_of()
{
	hostile source "$1" 7000 $HELD_BYTES &
	source=$!
	retry 10 listens 7000
	hostile peer "$2" "$3" "$4" "$5" >/tmp/peer 2>&1 &
	peer=$!
}

peer_ends()
{
	wait $peer
	note "$1: $(cat /tmp/peer)"
	kill $source
	wait $source 2>/dev/null
	ip link del t0 2>/dev/null
}

# A peer's closed window, or one of less than a packet, is no reason to ask, or to wake up.
test_held_closed()
{
	modprobe tun
	hold_in
	for mode in zero small; do
		peer_of prioplus $mode 8 $((QUIET_S * 2000)) 0
		sleep 3
		quiet "eight peers with a window that is $mode" 40
		peer_ends $mode
		expect_in "$mode: no probe reached a peer" " old=0$" "$(cat /tmp/peer)"
	done
	hold_no_more_in
	hold_forever
	in_b hostile deaf 7003 &
	server=$!
	retry 60 listens 7003 in_b
	in_a timeout $PATIENCE_S held prioplus fd09::2 7003 $HELD_BYTES $LOOK_MS abort >/tmp/held &
	holder=$!
	sleep 2
	quiet "a peer that does not read" 40
	wait $holder
	kill $server
	wait $server 2>/dev/null
	hold_no_more
}

# A tail that its application keeps is nothing to ask for: TCP sends it after 200 ms.
test_held_cork()
{
	hold_forever
	probes=$(count probes_sent)
	held_by fd09::2 100 $LOOK_MS abort cork >/tmp/held &
	holder=$!
	sleep 2
	quiet "a flow whose application keeps its tail" 10
	wait $holder
	expect "nor before it left" 0 $(($(count probes_sent) - probes))
	expect_in "and the tail has left" "^held=1 unsent=0 " "$(cat /tmp/held)"
	hold_no_more
}

# softirq_ticks: of all processors, what no process pays for, 1/100 s.
softirq_ticks() { awk '$1 == "cpu" { print $7 + $8 }' /proc/stat; }

# cost_of N: what N suspended flows take in COST_S seconds: sets ticks, probes.
cost_of()
{
	local deferred
	deferred=$(count probes_deferred)
	probes=$(count probes_sent)
	ticks=$(softirq_ticks)
	sleep $COST_S
	ticks=$(($(softirq_ticks) - ticks))
	probes=$(($(count probes_sent) - probes))
	deferred=$(($(count probes_deferred) - deferred))
	note "$1 flows: $probes probes, $deferred put off, $ticks ticks of $((COST_S * 100))"
}

# Suspended flows on paths of a microsecond, whose process does nothing. A host that is
# busy with others lets ticks and timers of an emulated processor fall together: the best
# of three.
test_held_cost()
{
	hold_forever
	for n in 1 $COST_FLOWS; do
		ip netns exec a hostile many prioplus $n >/tmp/many &
		many=$!
		retry 60 grep -q many= /tmp/many
		kill -STOP $many
		sleep 1
		for _ in 1 2 3; do
			cost_of $n
			test $((ticks / COST_S)) -gt $COST_PERCENT || break
		done
		check "$n suspended flows take $((ticks / COST_S)) % of a processor, $COST_PERCENT at most" \
			test $((ticks / COST_S)) -le $COST_PERCENT
		check "$n: and still ask" test $probes -ge 100
		kill -CONT $many
		kill $many
		wait $many 2>/dev/null
	done
	hold_no_more
}

# What a peer can have a host send, by packets that it sends itself.
test_peers()
{
	modprobe tun
	for cc in mswift nscc oscar prioplus; do
		for mode in open divide dsack sack; do
			bytes=$((4 * HELD_BYTES))
			test $mode != sack || bytes=0
			peer_of $cc $mode 4 $PEER_MS $bytes
			peer_ends "$cc $mode"
			sent=$(field sent </tmp/peer)
			got=$(field got </tmp/peer)
			check "$cc, $mode: $got packets for ${sent:-0}, $PEER_PACKETS each at most" \
				test "${got:-0}" -le $((PEER_PACKETS * ${sent:-0}))
			test $mode = sack || expect "$cc, $mode: all that there is arrives, once" \
				$bytes "$(field bytes </tmp/peer)"
		done
	done
}

# A BPF program changes the algorithm while an ACK is on its way that ECN sends.
test_sockops()
{
	mkdir -p $CGROUPS
	mount -t cgroup2 cgroup2 $CGROUPS
	mkdir $CGROUPS/ops
	modprobe -a tcp_bbr sch_netem
	for n in a b; do
		ip netns exec $n sysctl -q -w net.ipv4.tcp_ecn=1
	done
	check "a sockops program" hostile sockops $CGROUPS/ops nscc bbr
	(echo 0 >$CGROUPS/ops/cgroup.procs; exec ip netns exec b xfer serve 7005) &
	server=$!
	retry 60 listens 7005 in_b
	in_a tc qdisc replace dev ve_a root netem loss 10% ecn delay 1ms
	echoes=$(count ce_echoes)
	for to in fd09::2 10.9.0.2; do
		got=$(send $to 7005 $BYTES cc=nscc)
		expect_in "to $to data arrives whole" "sum=match" "$got"
		note "$got"
	done
	note "$(($(count ce_echoes) - echoes)) ACKs for a changed mark"
	in_a tc qdisc del dev ve_a root
	kill $server
	wait $server 2>/dev/null
	for n in a b; do
		ip netns exec $n sysctl -q -w net.ipv4.tcp_ecn=2
	done
	rmdir $CGROUPS/ops
	umount $CGROUPS
}

# A selector that goes by marks, on a connection without ECN: auto, aloud.
test_selectors()
{
	for selector in bitmap reps mixed; do
		in_a sysctl -q -w net.dcc.mswift.spray=$selector
		expect_told "$selector without ECN" $AUTO_BIT spray_replaced "need ECN" \
			mswift fd09::2 7000 $FEW_BYTES
	done
	for selector in oblivious mrc auto; do
		in_a sysctl -q -w net.dcc.mswift.spray=$selector
		got=$(in_a python3 /told.py mswift fd09::2 7000 $FEW_BYTES)
		expect "$selector needs none" 0 $(($(echo "$got" | field bits) & AUTO_BIT))
	done
	in_a sysctl -q -w net.dcc.mswift.spray=reps net.ipv4.tcp_ecn=1
	got=$(in_a python3 /told.py mswift fd09::2 7000 $FEW_BYTES)
	expect "reps with ECN is reps" 0 $(($(echo "$got" | field bits) & AUTO_BIT))
	in_a sysctl -q -w net.dcc.mswift.spray=inherit net.ipv4.tcp_ecn=2
}

# Connections that were of these modules live on without them.
test_switched()
{
	local fifo=/tmp/go
	rm -f $fifo
	mkfifo $fifo
	hostile switched $fifo $ALGORITHMS >/tmp/switched 2>&1 &
	holder=$!
	check "connections are given cubic" retry 60 grep -q switched= /tmp/switched
	check "the modules go" retry 30 modprobe -r $MODULES
	check "and come again" modprobe -a $MODULES
	check "and go" retry 30 modprobe -r $MODULES
	timeout $PATIENCE_S sh -c ": >$fifo"
	wait $holder
	expect_in "all send on" "^sent_on=18$" "$(cat /tmp/switched)"
	modprobe -a $MODULES
}

# A socket of the kernel that keeps no reference to its namespace: it has the initial one's
# knobs and no pacing timer, and is given algorithms when ours has left the namespace.
test_kernel_socket()
{
	local told=/sys/module/kernsock/parameters/connect
	check "unload" retry 30 modprobe -r $MODULES
	check "a module whose namespace ends after ours" insmod /kernsock.ko
	modprobe -a $MODULES
	ip netns add k
	ip -n k link set lo up
	ip netns exec k sysctl -q -w net.dcc.mswift.init_cwnd=33
	(exec ip netns exec k xfer serve 7010) &
	server=$!
	retry 60 listens 7010 ip netns exec k
	check "a socket of the kernel" ip netns exec k sh -c "echo mswift 7010 >$told"
	expect "has the initial namespace's window, and no pacing" "cwnd=10 pacing=0" \
		"$(ip netns exec k cat $told)"
	kill $(ip netns pids k)
	wait $server 2>/dev/null
	gives_up_soon ip netns exec k
	check "its namespace goes" ip netns del k
	check "the modules go" retry 30 modprobe -r $MODULES
	check "and so does the socket's" retry 30 rmmod kernsock
	modprobe -a $MODULES
}

no_sockets_in() { test -z "$(ip netns exec "$1" ss -taH exclude time-wait)"; }

# gives_up_soon [COMMAND...]: an orphan whose peer has gone ends after one FIN more there, and
# not after eight, which are 102 s and, where the RTT was long, many minutes.
gives_up_soon() { "$@" sysctl -q -w net.ipv4.tcp_orphan_retries=1; }

# No socket and no namespace is left that anything of ours could still have.
test_nothing_left()
{
	gives_up_soon
	gives_up_soon in_b
	killall xfer hostile held 2>/dev/null
	check "no socket is left in b" retry 60 no_sockets_in b
	note "$(in_b ss -tanoi | xargs)"
	for n in a b v; do
		ip netns del $n 2>/dev/null
	done
	check "unload" retry 60 modprobe -r $MODULES
	check "no TCP socket and no namespace is left in memory" retry 60 all_gone "$namespaces_at_first"
	note "$(grep -E '^(TCP|TCPv6|net_namespace) ' /proc/slabinfo)"
	note "$(head -n 2 /proc/net/sockstat | xargs)"
}

# As an unprivileged user: sockets with operations of their own, more than there are copies.
test_transient()
{
	modprobe -q smc || { skip "sockets with operations of their own" "this kernel has no SMC"; return; }
	expect "no copy of operations that a socket brings along" "wrapped=0" \
		"$(as_user_in_a abuse smc swift 10.9.0.2 7000 9 2>&1)"
	modprobe -q -r smc
}

test_unload()
{
	hold mswift 1000
	got=$(rmmod tcp_mswift 2>&1)
	expect_in "rmmod tcp_mswift is refused while a flow uses it" "in use|busy" "$got"
	got=$(rmmod tcp_dcc 2>&1)
	expect_in "rmmod tcp_dcc is refused while tcp_mswift uses it" "in use by.*tcp_mswift" "$got"
	release
	expect_in "the flow was not disturbed" "^cc=mswift .*sum=match" "$(cat /tmp/held)"
	check "rmmod tcp_mswift after the last flow" retry 5 rmmod tcp_mswift
	check "rmmod tcp_mnscc" retry 5 rmmod tcp_mnscc
	check "rmmod tcp_oscar" retry 5 rmmod tcp_oscar
	check "rmmod tcp_prioplus" retry 5 rmmod tcp_prioplus
	check "rmmod tcp_ledbat" retry 5 rmmod tcp_ledbat
	check "rmmod tcp_dcc after all" rmmod tcp_dcc
	check "load again" modprobe -a $MODULES
	expect_in "works after loading again" "^cc=mswift .*sum=match" \
		"$(send fd09::2 7000 $BYTES cc=mswift)"
}

OFFLOAD=/sys/module/dcc_offload/parameters

# A wire of its own. A burst goes at once, as a card's interrupt finds it; who sends it is no
# host. With one queue for sending nothing chooses by a hash, which would be of the label, and
# GRO would look for each packet in another place.
gro_network()
{
	modprobe -a sch_netem dcc_offload
	ip link add gr_a netns a numtxqueues 1 type veth peer name gr_b netns b numtxqueues 1
	ip -n b addr add fd0b::2/64 dev gr_b nodad
	ip -n a link set gr_a up
	ip -n b link set gr_b up
	in_a card gr_a tso off	# or veth takes GRO for needless
	in_b card gr_b gro on
	in_a tc qdisc replace dev gr_a root netem limit 1000 delay 1us slot 100ms 100ms
	ip -n b -6 neigh replace fd0b::99 dev gr_b \
		lladdr "$(in_a cat /sys/class/net/gr_a/address)"
}

gro_network_gone()
{
	ip -n a link del gr_a
	rmmod dcc_offload
}

# of COUNT ...: the packets that TCP gets as one, of so many with labels of their own.
gro_order() { in_a gro order "$1" 2>&1 | tr ' ' '\n' | sed -n 's/^got=//p'; }

test_gro()
{
	gro_network
	expect "dcc_offload: off by default" N "$(cat $OFFLOAD/gro)"
	expect "off: each label is a packet of its own" 20 "$(gro_order 20)"
	expect "off: nothing is counted" "0 0 0" \
		"$(cat $OFFLOAD/gro_joined $OFFLOAD/gro_runs $OFFLOAD/gro_foreign | xargs)"
	put $OFFLOAD/gro 1
	# a burst may fall into two of the queue's slots
	check "on: 20 packets of 20 labels are one" retry 4 gro_merges
	refuse "gro: 2 is no switch" put $OFFLOAD/gro 2
	for seed in 1 2; do
		note "$(in_a gro random 25 $seed 2>&1 | tee /tmp/gro | tail -n 1)"
		expect_in "on: bursts at random arrive whole and in order" "^sent=" "$(tail -n 1 /tmp/gro)"
	done
	gro_network_gone
}

gro_merges() { test "$(gro_order 20)" = 1; }

# What it would merge, measured; and what the doctor says mends it.
gro_would()
{
	in_b dccstat doctor >/tmp/doctor
	grep -Eq '^note +gro +in 300 ms TCP got [1-9][0-9]* packets of [1-9][0-9]* sprayed connections, [1-9]' /tmp/doctor
}

gro_does()
{
	in_b dccstat doctor >/tmp/doctor
	grep -Eq '^good +gro +dcc_offload merges: [1-9]' /tmp/doctor
}

test_gro_doctor()
{
	gro_network
	expect_in "doctor: nothing sprayed comes" "^good +gro +no packet of a sprayed connection came in 300 ms" \
		"$(in_b dccstat doctor)"
	expect_in "doctor: a user cannot listen" "^note +gro +not measured, .*CAP_NET_RAW" \
		"$(ip netns exec b abuse as $USER_ID dccstat doctor)"
	while sleep 0.1; do in_a gro order 20; done >/dev/null 2>&1 &
	sender=$!
	check "doctor: sprayed packets come one by one" retry 30 gro_would
	in_b sh -c "$(sed -n '/ gro /{n; s/sudo//; p; q}' /tmp/doctor)" >/dev/null
	expect "doctor: what it says switches it on" Y "$(cat $OFFLOAD/gro)"
	check "doctor: what was merged" retry 30 gro_does
	kill $sender
	wait $sender
	gro_network_gone
}

# Packets that b sends on are left as they are: in c nobody knows their connection.
test_gro_forward()
{
	gro_network
	put $OFFLOAD/gro 1
	ip netns add c
	ip link add ve_d netns b type veth peer name ve_c netns c
	ip -n b addr add fd0e::1/64 dev ve_d nodad
	ip -n c addr add fd0e::2/64 dev ve_c nodad
	ip -n b link set ve_d up
	ip -n c link set ve_c up
	in_b sysctl -q -w net.ipv6.conf.all.forwarding=1
	# b asks for c's address, which a first packet is for
	retry 20 in_b ping -c 1 -W 1 fd0e::2 >/dev/null
	expect "forwarded packets keep their labels, and are not merged" "got=20 labels=20" \
		"$(in_a gro forward 20 fd0e::2 ve_c c 2>&1)"
	expect_in "they are counted" '^[1-9]' "$(cat $OFFLOAD/gro_foreign)"
	expect "none was merged" 0 "$(cat $OFFLOAD/gro_joined)"
	in_b sysctl -q -w net.ipv6.conf.all.forwarding=0
	ip netns del c
	gro_network_gone
}

# Loaded, switched and unloaded while data flow, more than once.
test_gro_unload()
{
	modprobe -a sch_netem dcc_offload
	in_a card ve_a tso off
	in_b card ve_b gro on
	in_a tc qdisc replace dev ve_a root netem delay 1ms 1ms
	in_a sysctl -q -w net.dcc.mswift.spray=oblivious net.dcc.mswift.spray_segs=1
	send fd09::2 7000 $LONG cc=mswift >/tmp/gro &
	sender=$!
	for switch in 1 0 1 1 0 1; do
		put $OFFLOAD/gro $switch
		sleep 0.3
		rmmod dcc_offload
		sleep 0.2
		modprobe dcc_offload gro=$switch
	done
	wait $sender
	expect_in "data arrive while dcc_offload comes and goes" "^cc=mswift .*sum=match" "$(cat /tmp/gro)"
	in_a sysctl -q -w net.dcc.mswift.spray=inherit net.dcc.mswift.spray_segs=inherit
	in_a tc qdisc del dev ve_a root
	in_b card ve_b gro off
	in_a card ve_a tso on
	rmmod dcc_offload
}

queued() { ip netns exec v tc -s qdisc show dev vrf0; }
is_empty() { queued | grep -q 'backlog 0b 0p'; }
packets_sent() { queued | sed -n 's/.*Sent [0-9]* bytes \([0-9]*\) pkt.*/\1/p'; }

# A namespace whose packets to fd0c::2 wait in the queue of a VRF and pass the
# hooks once more when they leave it.
vrf_network()
{
	modprobe -a vrf sch_netem
	ip netns add v
	ip link add ve_v netns v type veth peer name ve_w netns b
	ip -n b addr add fd0c::2/64 dev ve_w nodad
	ip -n b link set ve_w up
	ip -n v link add vrf0 type vrf table 10
	ip -n v link set vrf0 up
	ip -n v link set ve_v up master vrf0
	ip -n v addr add fd0c::1/64 dev ve_v nodad
	ip -n v -6 route add fd0c::/64 dev vrf0 metric 1
	ip netns exec v sysctl -q -w net.ipv4.tcp_l3mdev_accept=1 net.dcc.spray=oblivious
	ip netns exec v tc qdisc replace dev vrf0 root netem delay 1ms
}

# A packet may outlive its socket, and then the module that the socket's algorithm
# was of: the hooks that it still passes must not look for that.
test_leftover()
{
	vrf_network
	rm -f /tmp/fifo
	mkfifo /tmp/fifo
	ip netns exec v xfer send fd0c::2 7000 $LONG cc=mswift wait=/tmp/fifo >/tmp/held 2>&1 &
	holder=$!
	check "a connection by way of a VRF" retry 60 vrf_connected
	ip netns exec v tc qdisc change dev vrf0 root netem delay ${LEFTOVER_S}s
	release_soon
	check "its packets wait in the queue" retry 10 is_waiting
	ip netns exec v ss -K -t dport = :7000 >/dev/null
	kill -9 $holder 2>/dev/null
	wait $holder
	check "rmmod tcp_mswift while they do" retry 10 rmmod tcp_mswift
	before=$(packets_sent)
	check "they leave" retry $((2 * LEFTOVER_S)) is_empty
	check "after that, 10 at least" test $(($(packets_sent) - before)) -ge 10
	modprobe tcp_mswift
	gives_up_soon ip netns exec v
	ip netns del v
}

vrf_connected() { ip netns exec v ss -tinH state established dport = :7000 | grep -q cwnd; }
is_waiting() { ! is_empty; }

# An administrator's choice: not for users. (The stack's EPERM is ours to cause.)
test_restricted()
{
	check "unload for restricted=1" retry 5 modprobe -r $MODULES
	check "modprobe tcp_dcc restricted=1" modprobe tcp_dcc restricted=1
	modprobe -a $MODULES
	for cc in $ALGORITHMS; do
		expect_in "a user may not set $cc" "setsockopt TCP_CONGESTION $cc: Operation not permitted" \
			"$(in_a abuse as $USER_ID xfer send fd09::2 7000 1000 cc="$cc" 2>&1)"
		expect_in "root may set $cc" "^cc=$cc .*sum=match" "$(send fd09::2 7000 1000 cc="$cc")"
	done
	# the kernel asks for CAP_NET_ADMIN over the socket's namespace
	expect_in "but may in a namespace of his own" "^cc=mswift .*sum=match" \
		"$(in_sandbox '. /guest-lib.sh
			ip link set lo up
			xfer serve 7000 &
			retry 60 xfer send ::1 7000 1000 cc=mswift
			kill $!' 2>&1)"
	check "unload after restricted=1" retry 5 modprobe -r $MODULES
	check "load without it" modprobe -a $MODULES
	expect_in "a user may set nscc" "^cc=nscc .*sum=match" \
		"$(in_a abuse as $USER_ID xfer send fd09::2 7000 1000 cc=nscc 2>&1)"
}

# A namespace that goes away with flows in it takes its sysctls along.
test_namespace_gone()
{
	gives_up_soon in_a
	hold mnscc 1000
	check "delete a namespace with a flow in it" ip netns del a
	release
	check "unload after that" retry 30 modprobe -r $MODULES
}

# chosen TEST... or -TEST...: what is to run; without words, and but for -TEST, all.
chosen()
{
	case "$*" in
	"" | -*) ;;
	*) echo "$@"; return ;;
	esac
	for t in "$@"; do
		command -v "test_${t#-}" >/dev/null || echo "${t#-}"	# run_tests tells
	done
	for t in $ALL_TESTS; do
		case " $* " in
		*" -$t "*) ;;
		*) echo "$t" ;;
		esac
	done
}

mount_all
mount -t tracefs tracefs $TRACING
echo "TAP version 13"
note "kernel $(uname -r)"
# one that came and went: the stack may keep it for the next
ip netns add first
ip netns del first
sleep 1
namespaces_at_first=$(slab_objects net_namespace)
note "namespaces in memory: $namespaces_at_first"
options
test_device_up
network
run_tests $(chosen "$@")
