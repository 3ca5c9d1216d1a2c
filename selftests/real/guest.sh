#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests, inside the emulated machine. This is its init.
#
#     namespace a                           namespace b
#    +------------------+                  +------------------+
#    | 10.9.0.1  fd09::1| ve_a ------ ve_b | 10.9.0.2  fd09::2|
#    +------------------+                  +------------------+
#     sends                                 answers on port 7000

PATH=/bin:/sbin
export PATH
ALGORITHMS="swift lswift mswift nscc mnscc"
PARAMETERS=/sys/module/tcp_mswift/parameters
BYTES=3000000
LONG=12000000
# The emulator delays packets by milliseconds: the default target (25 us) would
# make every flow of these tests believe in a queue.
QDELAY_US=200000
FEW_LABELS=6
COUNTERS=/sys/module/tcp_dcc/counters
# More than goes out before a window first collapses.
SLOW_BYTES=2000000
tests=0
failed=0

in_a() { ip netns exec a "$@"; }
in_b() { ip netns exec b "$@"; }

pass() { tests=$((tests + 1)); echo "ok $tests - $*"; }
fail() { tests=$((tests + 1)); failed=$((failed + 1)); echo "not ok $tests - $*"; }

# note TEXT: shown as a TAP comment, so that a failure explains itself.
note()
{
	echo "$*" | sed 's/^/# /'
}

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

send() { in_a timeout 30 xfer send "$@" 2>&1; }
# module_of CC
module_of()
{
	case $1 in
	*nscc) echo tcp_mnscc ;;
	*) echo tcp_mswift ;;
	esac
}

loaded() { grep -q "^$1 " /proc/modules; }

# put FILE VALUE: by cat, since the shell's own echo hides the kernel's error.
put() { echo "$2" | cat >"$1"; }

# retry SECONDS COMMAND...: until it succeeds.
retry()
{
	local tries=$(($1 * 5))
	shift
	while test $tries -gt 0; do
		"$@" 2>/dev/null && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	"$@"
}

mount_all()
{
	mount -t proc proc /proc
	mount -t sysfs sys /sys
	mount -t devtmpfs dev /dev
	mount -t tmpfs run /run
	mount -t tmpfs tmp /tmp
	ip link set lo up
}

network()
{
	ip netns add a
	ip netns add b
	ip link add ve_a netns a type veth peer name ve_b netns b
	for n in a b; do
		ip -n $n link set lo up
		ip -n $n link set "ve_$n" up
	done
	ip -n a addr add 10.9.0.1/24 dev ve_a
	ip -n b addr add 10.9.0.2/24 dev ve_b
	ip -n a addr add fd09::1/64 dev ve_a nodad
	ip -n b addr add fd09::2/64 dev ve_b nodad
	in_b xfer serve 7000 &
	retry 10 in_a xfer send 10.9.0.2 7000 1 >/dev/null
}

# What an administrator writes to have knobs set at every load.
options()
{
	mkdir -p /etc/modprobe.d
	echo "options tcp_mswift target_qdelay_us=$QDELAY_US" >/etc/modprobe.d/dcc.conf
	echo "options tcp_mnscc target_qdelay_ns=${QDELAY_US}000" >>/etc/modprobe.d/dcc.conf
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
	check "modprobe -r" modprobe -r tcp_mswift tcp_mnscc
	for cc in $ALGORITHMS; do
		module=$(module_of "$cc")
		check "modprobe tcp_$cc" modprobe "tcp_$cc"
		check "tcp_$cc is $module" loaded "$module"
		check "modprobe -r $module" modprobe -r "$module"
	done
	modprobe -a tcp_mswift tcp_mnscc
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
	# Not by in_b: a function in the background is a shell between us and it.
	ip netns exec b xfer serve 7001 mswift &
	server=$!
	sleep 0.3
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
	retry 20 acked "$2"
}

acked()
{
	# one more than was sent: the SYN counts
	in_a ss -tinH state established dport = :7000 >/tmp/ss
	grep -q "bytes_acked:$(($1 + 1)) " /tmp/ss
}

release()
{
	timeout 10 sh -c ': >/tmp/fifo'
	wait "$holder"
}

test_ss()
{
	for cc in $ALGORITHMS; do
		hold "$cc" $BYTES
		check "ss shows the bytes of $cc" acked $BYTES
		got=$(cat /tmp/ss)
		note "$got"
		expect_in "ss names $cc" "[[:space:]]$cc( |\$)" "$got"
		expect_in "ss shows a window of $cc" "cwnd:[1-9][0-9]*( |\$)" "$got"
		expect_in "ss shows a round trip of $cc" "rtt:[0-9.]*[1-9][0-9.]*/" "$got"
		expect_in "ss shows a rate of $cc" "pacing_rate [1-9][0-9]*bps" "$got"
		release
		expect_in "$cc held its connection" "sum=match" "$(cat /tmp/held)"
	done
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

# labels_of CC: how many flow labels one transfer uses.
labels_of()
{
	ip netns exec b xfer labels ve_b >/tmp/labels &
	counter=$!
	sleep 0.3
	send fd09::2 7000 $BYTES cc="$1" >/tmp/sent
	kill $counter
	wait $counter
	note "$1: $(cat /tmp/labels) $(cat /tmp/sent)"
	sed 's/.*labels=//' /tmp/labels
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
}

# Engines that steer, by labels heard of; mswift hears of marks with tcp_ecn=1.
test_engines()
{
	in_a sysctl -q -w net.ipv4.tcp_ecn=1
	for cc in mswift nscc; do
		for engine in bitmap reps mixed; do
			good=$(cat $COUNTERS/paths_good)
			in_a sysctl -q -w net.dcc.$cc.spray=$engine
			expect_in "$cc carries data with $engine" "^cc=$cc .*sum=match" \
				"$(send fd09::2 7000 $BYTES cc=$cc)"
			check "$engine hears of $cc's labels" \
				test $(($(cat $COUNTERS/paths_good) - good)) -ge 1000
		done
		in_a sysctl -q -w net.dcc.$cc.spray=inherit
	done
	in_a sysctl -q -w net.ipv4.tcp_ecn=2
}

# What the queue marks arrives at the sender, mark by mark, if the receiver is ours.
test_ecn()
{
	modprobe sch_netem
	hold nscc 1000
	expect_in "nscc negotiates ECN" " ecn( |\$)" \
		"$(in_a ss -tionH state established dport = :7000)"
	release
	ip netns exec b xfer serve 7002 nscc &
	server=$!
	check "a queue that marks one packet in ten" \
		ip netns exec a tc qdisc replace dev ve_a root netem loss 10% ecn
	echoes=$(cat $COUNTERS/ce_echoes)
	heard=$(cat $COUNTERS/paths_ce)
	in_a sysctl -q -w net.dcc.nscc.spray=reps
	expect_in "nscc carries data over it" "^cc=nscc .*sum=match" \
		"$(send fd09::2 7002 $BYTES cc=nscc)"
	check "the receiver tells of changing marks at once" \
		test $(($(cat $COUNTERS/ce_echoes) - echoes)) -ge 10
	check "the engine hears of marks" test $(($(cat $COUNTERS/paths_ce) - heard)) -ge 50
	in_a tc qdisc del dev ve_a root
	in_a sysctl -q -w net.dcc.nscc.spray=inherit
	kill $server
	missing=$(cat $COUNTERS/ecn_missing)
	in_b sysctl -q -w net.ipv4.tcp_ecn=0
	expect_in "nscc carries data without ECN" "^cc=nscc .*sum=match" \
		"$(send fd09::2 7000 $BYTES cc=nscc)"
	expect "and it is counted" $((missing + 1)) "$(cat $COUNTERS/ecn_missing)"
	in_b sysctl -q -w net.ipv4.tcp_ecn=2
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
	send fd09::2 7000 $LONG cc=mswift >/tmp/mtu &
	sender=$!
	for mtu in 1300 1500 1280 1400 1500; do
		sleep 0.1
		ip -n a link set ve_a mtu $mtu
	done
	wait $sender
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
	check "rmmod tcp_dcc after both" rmmod tcp_dcc
	check "load again" modprobe -a tcp_mswift tcp_mnscc
	expect_in "works after loading again" "^cc=mswift .*sum=match" \
		"$(send fd09::2 7000 $BYTES cc=mswift)"
}

# A namespace that goes away with flows in it takes its sysctls along.
test_namespace_gone()
{
	hold mnscc 1000
	check "delete a namespace with a flow in it" ip netns del a
	release
	check "unload after that" retry 30 modprobe -r tcp_mswift tcp_mnscc
}

test_log()
{
	bad=$(dmesg | grep -E 'WARNING|BUG:|Oops|Call Trace|general protection|UBSAN|refcount|soft lockup|rcu.*stall|unregister_netdevice: waiting')
	expect "the kernel's log has no warning" "" "$bad"
	test -z "$bad" || dmesg | tail -n 60 | sed 's/^/# /'
}

mount_all
echo "TAP version 13"
note "kernel $(uname -r)"
options
network
for t in autoload transfer selection ss default_target knobs namespaces spray engines ecn switching mtu fq unload namespace_gone log; do
	note "test_$t $(cut -d' ' -f1 /proc/uptime) s"
	test_$t
done
echo "1..$tests"
echo "GUEST-END failed=$failed"
poweroff -f
