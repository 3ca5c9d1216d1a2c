# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The campaigns; sourced by guest.sh, which has result, note, wrong, scaled,
# count, at_least, and guest-lib.sh. campaign_NAME does one. Usual place:
#
#     namespace a                           namespace b
#    +------------------+                  +------------------+
#    | 10.9.0.1  fd09::1| ve_a ------ ve_b | 10.9.0.2  fd09::2|
#    +------------------+                  +------------------+
#     sends                                 answers on port 7000

STOCK=cubic,reno
SELECTORS="off oblivious bitmap reps mixed mrc"
BAD_NETWORK="delay 2ms 1ms loss 1% duplicate 2% corrupt 0.5% reorder 10%"
PORT=7000
OFFLOAD=/sys/module/dcc_offload/parameters
MODULE_FOLDER=/lib/modules/$(uname -r)/updates
# The last socket's memory goes some RCU grace periods after it.
UNLOAD_PATIENCE_S=60
servers=

all_campaigns()
{
	echo matrix switching accepted cookies fastopen mptcp ktls esp_transport \
		esp_tunnel vxlan bridge seg6 vrf_control vrf nfqueue_control nfqueue \
		records ends held hostile sockops switched offload flaps knobs knobs_user ss modules traced namespaces many
	has_failslab && echo starved failing_loads failslab
}

# Those that use one processor, or none while they wait for the kernel.
mostly_waits()
{
	case $1 in
	namespaces | many | traced | modules | failing_loads) ;;
	*) return 1 ;;
	esac
}

# Not ip netns exec: that makes a namespace of mounts for each program, and takes
# longer than most of them.
NS=/run/netns
in_a() { nsenter -n$NS/a "$@"; }
in_b() { nsenter -n$NS/b "$@"; }
load() { modprobe -a $MODULES || wrong "the modules do not load"; }

# Namespaces are new in every campaign: their end is tested, too. In few calls: to
# start a program takes long on an emulated machine that watches itself.
fresh()
{
	local n
	end_servers
	for n in a b; do
		ip netns del $n 2>/dev/null
		ip netns add $n
	done
	ip link add ve_a netns a type veth peer name ve_b netns b
	for n in a:1 b:2; do
		ip -n ${n%:*} -batch - <<-EOF
		link set lo up
		link set ve_${n%:*} up
		addr add 10.9.0.${n#*:}/24 dev ve_${n%:*}
		addr add fd09::${n#*:}/64 dev ve_${n%:*} nodad
		EOF
	done
	sysctl_all net.ipv4.tcp_ecn=1
}

# sysctl_all NAME=VALUE...: in both namespaces.
sysctl_all()
{
	in_a sysctl -q -w "$@" && in_b sysctl -q -w "$@"
}

# knob NAME VALUE ALGORITHM...: in both namespaces.
knob()
{
	local name=$1 value=$2 all='' cc
	shift 2
	for cc in "$@"; do
		all="$all net.dcc.$cc.$name=$value"
	done
	sysctl_all $all
}

# spray SELECTOR: what all of our algorithms are to do in both namespaces.
spray() { all_knobs spray "$1"; }
all_knobs() { knob "$1" "$2" $ALGORITHMS; }

# netem NAMESPACE SPECIFICATION...
netem()
{
	local n=$1
	shift
	tc -n "$n" qdisc replace dev "ve_$n" root netem "$@"
}

# Not by in_b: a function in the background is a shell between us and it.
serve()
{
	nsenter -n$NS/b storm serve "$@" &
	servers="$servers $!"
	retry 60 listens "$1" in_b || wrong "no server on port $1"
}

end_servers()
{
	test -z "$servers" || kill $servers 2>/dev/null
	test -z "$servers" || wait $servers 2>/dev/null
	servers=
}

# send ADDRESS OPTION...: traffic from a; its counts are added up.
send()
{
	local to=$1
	shift
	in_a storm send "$to" $PORT "$@" >>$COUNTS || wrong "storm send $to $*"
}

# usual OPTION...: connections to b, algorithms changing. The first of two options
# of a name counts.
usual()
{
	send fd09::2 "$@" cc=$OURS,$STOCK par=12 bytes=100000 back=50000 switchers=3 watchers=1
}

# One algorithm in one connection, all at once: a selector in one family.
matrix_round()
{
	local to=$1 jobs='' cc
	for cc in $ALGORITHMS; do
		nsenter -n$NS/a storm send "$to" $PORT cc="$cc" n="$(scaled 4)" par=4 \
			bytes=60000 back=20000 switchers=0 watchers=0 >"/tmp/matrix.$cc" &
		jobs="$jobs $cc:$!"
	done
	for job in $jobs; do
		wait "${job#*:}" || wrong "${job%:*} to $to"
		cat "/tmp/matrix.${job%:*}" >>$COUNTS
	done
}

campaign_matrix()
{
	load
	fresh
	for n in a b; do
		netem $n $BAD_NETWORK
	done
	serve $PORT cc=$OURS
	for selector in $SELECTORS; do
		spray "$selector"
		for to in fd09::2 10.9.0.2 ::ffff:10.9.0.2; do
			matrix_round $to
			count combinations=5
			note "matrix: $selector to $to done"
		done
	done
}

campaign_switching()
{
	load
	fresh
	netem a delay 1ms
	serve $PORT cc=$OURS
	for selector in reps oblivious; do
		spray $selector
		for to in fd09::2 ::ffff:10.9.0.2 10.9.0.2; do
			send $to cc=$OURS,$STOCK,dctcp n="$(scaled 15)" par=3 bytes=300000 \
				switchers=8 watchers=2 ways=whole,synsent,repair,addrform
		done
	done
	at_least "$(scaled 1000)" switches
}

# The side that was connected to sends, with inherited and with changed algorithms.
campaign_accepted()
{
	load
	fresh
	netem b delay 1ms
	spray mixed
	serve $PORT cc=$OURS
	usual n="$(scaled 25)" bytes=1000 back=200000
}

campaign_cookies()
{
	load
	fresh
	spray oblivious
	in_b sysctl -q -w net.ipv4.tcp_syncookies=2
	serve $PORT cc=$OURS
	usual n="$(scaled 25)" ways=whole,reset,leave
	cookies=$(in_b awk '/^TcpExt:/ { if (!n++) split($0, name); else for (i in name)
		if (name[i] == "SyncookiesRecv") print $i }' /proc/net/netstat)
	count cookies_received="$cookies"
	at_least 1 cookies_received
}

campaign_fastopen()
{
	load
	fresh
	spray reps
	# both sides, and without a cookie
	sysctl_all net.ipv4.tcp_fastopen=0x607
	serve $PORT cc=$OURS tfo=1
	usual n="$(scaled 25)" tfo=1 ways=whole,reset,leave,half
}

# Ours below MPTCP, with a second subflow, and falling back to plain TCP.
campaign_mptcp()
{
	load
	fresh
	ip -n a addr add fd09::11/64 dev ve_a nodad
	ip -n a mptcp limits set subflow 2 add_addr_accepted 2
	ip -n b mptcp limits set subflow 2 add_addr_accepted 2
	ip -n a mptcp endpoint add fd09::11 dev ve_a subflow
	sysctl_all net.ipv4.tcp_congestion_control=mswift
	spray oblivious
	serve $PORT cc=$OURS mptcp=1
	usual n="$(scaled 20)" mptcp=1
	usual n="$(scaled 10)"
	end_servers
	serve $PORT cc=$OURS
	usual n="$(scaled 10)" mptcp=1
}

campaign_ktls()
{
	load
	modprobe -q tls
	fresh
	spray bitmap
	netem a delay 1ms
	serve $PORT cc=$OURS tls=1
	usual n="$(scaled 25)" tls=1 ways=whole,reset,leave
}

# esp MODE: every packet of fd09::/64 in ESP, in both directions.
esp()
{
	for n in a b; do
		for way in 1:2:1 2:1:2; do
			from=fd09::${way%%:*}
			to=${way#*:}
			to=fd09::${to%:*}
			ip -n $n xfrm state add src $from dst $to proto esp spi "0x10${way##*:}" \
				reqid 1 mode "$1" aead 'rfc4106(gcm(aes))' \
				0x000102030405060708090a0b0c0d0e0f00010203 128 || return 1
			direction=in
			test $n:$from = a:fd09::1 -o $n:$from = b:fd09::2 && direction=out
			ip -n $n xfrm policy add src $from/128 dst $to/128 proto 6 dir $direction \
				tmpl src $from dst $to proto esp reqid 1 mode "$1" || return 1
		done
	done
}

# counter NAME: one of the modules', of the whole machine.
counter() { cat "/sys/module/tcp_dcc/counters/$1"; }

labels_written() { echo $(($(counter packets_sprayed) + $(counter acks_sprayed))); }

# Spraying is asked for, and not a packet is sprayed. The counters are of the
# machine: what earlier campaigns left behind has to be gone.
campaign_esp()
{
	unload
	load
	local written flows
	written=$(labels_written)
	flows=$(counter label_xfrm)
	fresh
	esp "$1" || wrong "no ESP"
	spray reps
	netem a delay 1ms
	serve $PORT cc=$OURS
	usual n="$(scaled 25)" ways=whole,reset,leave,disconnect
	count "$(ip -n a -s xfrm state | sed -n 's/.*[^0-9]\([0-9][0-9]*\)(packets).*/esp_packets=\1/p' |
		tr '\n' ' ')"
	count flows_unsprayed=$(($(counter label_xfrm) - flows)) \
		labels=$(($(labels_written) - written))
	at_least 100 esp_packets
	at_least 1 flows_unsprayed
	test "$(counted labels)" = 0 || wrong "packets were sprayed under IPsec"
}

campaign_esp_transport() { campaign_esp transport; }
campaign_esp_tunnel() { campaign_esp tunnel; }

campaign_vxlan()
{
	load
	fresh
	for n in a:1:2 b:2:1; do
		name=${n%%:*} own=${n#*:}
		ip -n "$name" link add vx0 type vxlan id 7 dstport 4789 dev "ve_$name" \
			local "fd09::${own%:*}" remote "fd09::${own#*:}"
		ip -n "$name" addr add "fd0b::${own%:*}/64" dev vx0 nodad
		ip -n "$name" addr add "10.11.0.${own%:*}/24" dev vx0
		ip -n "$name" link set vx0 up
	done
	spray oblivious
	netem a delay 1ms
	serve $PORT cc=$OURS
	for to in fd0b::2 10.11.0.2; do
		send $to cc=$OURS,$STOCK n="$(scaled 15)" par=12 bytes=100000 back=50000 \
			switchers=3 ways=whole,reset,leave,disconnect
	done
}

campaign_bridge()
{
	load
	fresh
	ip -n a link add br0 type bridge
	ip -n a addr flush dev ve_a
	ip -n a link set ve_a master br0
	ip -n a link set br0 up
	ip -n a addr add fd09::1/64 dev br0 nodad
	tc -n a qdisc replace dev br0 root netem delay 1ms
	spray mixed
	serve $PORT cc=$OURS
	usual n="$(scaled 25)" ways=whole,reset,leave,disconnect
}

# Output by a light-weight tunnel: the packet passes LOCAL_OUT again.
campaign_seg6()
{
	load
	fresh
	for conf in all ve_b; do
		in_b sysctl -q -w net.ipv6.conf.$conf.seg6_enabled=1
	done
	ip -n b addr add fd0a::2/128 dev lo nodad
	spray reps
	netem a delay 1ms
	serve $PORT cc=$OURS
	for mode in encap inline; do
		ip -n a -6 route replace fd0a::2/128 encap seg6 mode $mode segs fd09::2 dev ve_a ||
			wrong "no SRv6 route, mode $mode"
		send fd0a::2 cc=$OURS,$STOCK n="$(scaled 15)" par=12 bytes=100000 \
			switchers=3 ways=whole,reset,leave,disconnect
	done
}

# as_user NAME CC: user_NAME of user.sh, as nobody in particular, who is root
# only of own namespaces.
as_user()
{
	setpriv --reuid 1000 --regid 1000 --clear-groups \
		unshare -Urn sh /user.sh "$1" "$2" "$SCALE" >>$COUNTS || wrong "user.sh $1 $2"
}

campaign_vrf_control() { as_user vrf $STOCK; at_least "$(scaled 300)" packets_through_hook_twice; }
campaign_vrf() { load; as_user vrf $OURS,$STOCK; at_least "$(scaled 300)" packets_through_hook_twice; }
campaign_nfqueue_control() { as_user nfqueue $STOCK; at_least "$(scaled 300)" verdicts; }
campaign_nfqueue() { load; as_user nfqueue $OURS,$STOCK; at_least "$(scaled 300)" verdicts; }

# More packets in flight than a flow has records at first: its memory grows. That
# there are more, records that may not grow tell by running over.
campaign_records()
{
	load
	local overrun
	overrun=$(counter records_overrun)
	fresh
	spray oblivious
	all_knobs init_cwnd 200
	for n in a b; do
		netem $n delay 300ms
	done
	serve $PORT cc=$OURS
	all_knobs records 16
	usual n="$(scaled 40)" bytes=500000 cc=$OURS switchers=0
	count overruns=$(($(counter records_overrun) - overrun))
	at_least 1 overruns
	all_knobs records 1024
	usual n="$(scaled 40)" bytes=500000 cc=$OURS switchers=0
	usual n="$(scaled 40)" bytes=500000 switchers=1 ways=whole,whole,reset,leave,disconnect
}

# With the default target, too, which is far below the emulator's noise: windows
# below one packet.
campaign_ends()
{
	load
	fresh
	spray reps
	knob target_qdelay_us 25 swift lswift mswift
	netem a delay 1ms
	serve $PORT cc=$OURS
	usual n="$(scaled 100)" par=16 ways=whole,reset,leave,half,disconnect,listen
	send 10.9.0.2 cc=$OURS,$STOCK n="$(scaled 50)" par=16 bytes=60000 \
		ways=whole,reset,leave,half,disconnect,listen
}

# Flows that their algorithm holds, since no delay is short enough for it, until threads
# give them another algorithm, for long enough that data gets through, and back; ended
# in every way meanwhile, and then all at once with their namespaces.
campaign_held()
{
	local suspensions probes
	load
	fresh
	spray oblivious
	hold_on
	netem a delay 1ms loss 1%
	serve $PORT cc=cubic
	suspensions=$(counter suspensions)
	probes=$(counter probes_sent)
	for to in fd09::2 10.9.0.2; do
		send $to cc=prioplus,prioplus_ledbat,cubic n="$(scaled 100)" par=16 bytes=60000 \
			back=20000 switchers=3 pause_ms=40 watchers=1 \
			ways=whole,reset,leave,half,disconnect
	done
	nsenter -n$NS/a storm send fd09::2 $PORT cc=prioplus n=16 par=16 bytes=60000 \
		switchers=0 watchers=1 lenient=1 timeout=1000 >/dev/null 2>&1 &
	sender=$!
	retry 60 some_held || wrong "no flow is held"
	count held_at_the_end="$(held_now)"
	count suspensions=$(($(counter suspensions) - suspensions)) probes=$(($(counter probes_sent) - probes))
	at_least "$(scaled 100)" holds
	at_least "$(scaled 1000)" probes
	unload
	kill $sender 2>/dev/null
	wait $sender 2>/dev/null
}

# hold_on: flows of prioplus in both namespaces stay suspended.
hold_on()
{
	local knob
	for knob in base_rtt_ns:1000 eps_ns:0 channel_fluct_ns:1 channel_noise_ns:1; do
		knob ${knob%:*} ${knob#*:} prioplus prioplus_ledbat
	done
}

# Peers that close their windows, acknowledge in pieces, tell of what never came.
campaign_hostile()
{
	local cc mode source
	load
	fresh
	hold_on
	modprobe -q tun
	for cc in prioplus mswift nscc oscar; do
		for mode in open zero small divide dsack sack; do
			nsenter -n$NS/a hostile source $cc $PORT 50000 &
			source=$!
			retry 60 listens $PORT in_a || wrong "no source"
			in_a hostile peer $mode 8 "$(scaled 5000)" 0 >>$COUNTS || wrong "$cc, $mode"
			kill $source
			wait $source 2>/dev/null
			count kinds_of_peers=1
		done
	done
	at_least 24 kinds_of_peers
	unload
}

# A BPF program gives sockets another algorithm within an algorithm's own calls.
campaign_sockops()
{
	local cgroup=/tmp/cgroups/ops
	load
	fresh
	mkdir -p /tmp/cgroups
	mount -t cgroup2 cgroup2 /tmp/cgroups
	mkdir $cgroup
	hostile sockops $cgroup nscc bbr || wrong "no sockops program"
	netem a loss 10% ecn delay 1ms
	(echo 0 >$cgroup/cgroup.procs; exec nsenter -n$NS/b xfer serve $PORT) &
	servers="$servers $!"
	retry 60 listens $PORT in_b || wrong "no server on port $PORT"
	for _ in $(seq "$(scaled 20)"); do
		in_a xfer send fd09::2 $PORT 500000 cc=nscc >/tmp/sent || wrong "$(cat /tmp/sent)"
		count transfers=1
	done
	unload
	rmdir $cgroup
	umount /tmp/cgroups
}

# Connections live on as cubic's while the modules go, come, and go.
campaign_switched()
{
	local fifo=/tmp/go switched
	mkfifo $fifo
	for _ in $(seq "$(scaled 10)"); do
		load
		hostile switched $fifo $ALGORITHMS >/tmp/switched &
		switched=$!
		retry 60 grep -q switched= /tmp/switched || wrong "none is switched"
		modules_go || wrong "the modules stay"
		load
		modules_go || wrong "the modules stay"
		: >$fifo
		wait $switched || wrong "not all send on"
		cat /tmp/switched >>$COUNTS
	done
	rm $fifo
	at_least "$(scaled 100)" sent_on
}

# Connections with data that waits, and nothing on its way.
held_now() { in_a ss -tinH dport = :$PORT | grep prioplus | grep -c notsent; }
some_held() { test "$(held_now)" -ge 8; }

# while_sending COMMAND...: repeats it until the traffic started before ends.
while_sending()
{
	while kill -0 "$sender" 2>/dev/null; do
		"$@"
	done
	wait "$sender" || wrong "traffic meanwhile: $*"
	cat /tmp/sent >>$COUNTS
}

# background OPTION...: the usual traffic, beside which something happens.
background()
{
	nsenter -n$NS/a storm send fd09::2 $PORT "$@" cc=$OURS,$STOCK par=8 bytes=200000 \
		back=50000 switchers=2 watchers=1 >/tmp/sent &
	sender=$!
}

one_flap()
{
	for mtu in 1300 9000 1280 1400 1500; do
		ip -n a link set ve_a mtu $mtu
		ip -n b link set ve_b mtu $mtu
		sleep 0.2
	done
	ip -n b link set ve_b down
	sleep 0.3
	ip -n b link set ve_b up
	ip -n b addr add fd09::2/64 dev ve_b nodad 2>/dev/null
	sleep 1
	count flaps=1 mtu_changes=10
}

campaign_flaps()
{
	load
	fresh
	spray oblivious
	netem a delay 1ms
	serve $PORT cc=$OURS
	background n="$(scaled 100)" lenient=1
	while_sending one_flap
	at_least 1 flaps
}

# A life of dcc_offload: switched, and gone, in the midst of packets. An unload waits for all
# that is in it, so nothing here waits.
one_offload()
{
	modprobe dcc_offload gro=1 || wrong "dcc_offload does not load"
	sleep 0.5
	echo 0 >$OFFLOAD/gro
	echo 1 >$OFFLOAD/gro
	sleep 0.5
	count offload_lives=1 joined="$(cat $OFFLOAD/gro_joined)" runs="$(cat $OFFLOAD/gro_runs)"
	rmmod dcc_offload || wrong "dcc_offload does not go"
}

# GRO as a card's, of packets that are lost, copied, changed and late, and besides captured
# and mirrored to where they are sent on.
campaign_offload()
{
	load
	fresh
	spray oblivious
	netem a "$BAD_NETWORK"
	in_a card ve_a tso off
	in_a card ve_a hash off
	in_b card ve_b gro on
	tc -n b qdisc replace dev ve_b clsact
	tc -n b filter add dev ve_b ingress matchall action mirred egress mirror dev lo ||
		wrong "no mirror"
	nsenter -n$NS/b xfer labels ve_b >/dev/null &
	local capture=$!
	serve $PORT cc=$OURS
	background n="$(scaled 500)" lenient=1
	while_sending one_offload
	kill $capture
	wait $capture 2>/dev/null
	at_least 1 offload_lives
	at_least 20 joined
	at_least 10 runs
}

toggle_spray()
{
	for value in oblivious off; do
		in_a sysctl -q -w net.dcc.spray=$value
		in_b sysctl -q -w net.dcc.spray=$value
		sleep 0.1
	done
	count spray_toggles=4
}

# Whatever is written, nothing may break; but a flow may be as slow as it was told.
campaign_knobs()
{
	load
	fresh
	netem a delay 1ms
	serve $PORT cc=$OURS,$STOCK
	background n="$(scaled 50)" lenient=1 timeout=30
	nsenter -n$NS/a fuzz "$(printf '/sys/module/%s/parameters,' tcp_dcc $MODULES)/proc/sys/net/dcc" \
		n="$(scaled 1000)" par=2 >>$COUNTS || wrong "fuzz"
	while_sending toggle_spray
	unload
}

campaign_knobs_user()
{
	load
	as_user knobs $OURS,$STOCK
}

campaign_namespaces()
{
	load
	churn namespaces n="$(scaled 500)" cc=$OURS >>$COUNTS || wrong "churn namespaces"
}

# TCP sockets on the machine, in whatever namespace, closed by their owners or not.
sockets() { sed -n 's/^TCP: .* alloc \([0-9]*\) .*/\1/p' /proc/net/sockstat; }

modules_go() { modprobe -q -r $MODULES 2>/dev/null; }

# What still sends, or waits for its end, would keep the modules for minutes.
# Where nobody can reach it, in a namespace that has lost its name, we wait; but
# without a socket nothing may keep them.
unload()
{
	local n idle=0 before=0
	end_servers
	for n in a b; do
		ss -N $n -t -a -K >/dev/null 2>&1
		ip netns del $n 2>/dev/null
	done
	until modules_go; do
		test "$(sockets)" -gt 0 || idle=$((idle + 1))
		if test $idle -ge $UNLOAD_PATIENCE_S; then
			wrong "no socket is left, and the modules do not unload: $(lsmod | grep tcp_ | tr '\n' ' ')"
			return
		fi
		test "$(sockets)" = "$before" || note "$campaign: waits for $(sockets) sockets to end"
		before=$(sockets)
		sleep 1
	done
}

# What a campaign leaves: no module, no socket, no namespace but the one that the stack keeps
# for the next. Where KASAN keeps what was freed for a while kmemleak tells instead.
all_end()
{
	unload
	has_kmemleak && return
	retry $UNLOAD_PATIENCE_S all_gone 1 ||
		wrong "left in memory: $(grep -E '^(TCP|TCPv6|net_namespace) ' /proc/slabinfo | awk '{ print $1 "=" $2 }' | xargs)"
}

campaign_modules()
{
	unload
	churn modules "$MODULE_FOLDER" "tcp_dcc $MODULES" n="$(scaled 1000)" pause_ms=20 >>$COUNTS ||
		wrong "churn modules"
	at_least "$(scaled 1000)" unloads
	unload
}

# One life of the modules with their trace event on, to the end of it.
traced_life()
{
	load
	echo 1 >$TRACING/events/dcc/dcc_ack/enable || wrong "no event dcc:dcc_ack"
	storm serve 7001 cc=$OURS &
	local server=$!
	retry 60 listens 7001 || wrong "no server on port 7001"
	storm send ::1 7001 cc=$OURS n=10 bytes=50000 ways=whole,reset >>$COUNTS ||
		wrong "traffic while traced"
	kill $server
	wait $server 2>/dev/null
	count events="$(grep -c dcc_ack: $TRACING/trace)"
	unload
	count traced_unloads=1
}

campaign_traced()
{
	unload
	for _ in $(seq "$(scaled 10)"); do
		traced_life
		note "traced: $(all_counts)"
		# what is in the buffer outlives the module that wrote it
		cat $TRACING/trace >/dev/null
		echo >$TRACING/trace
	done
	at_least 1 events
}

# many_of CC COUNT NAME: held at once, and counted by this name.
many_of()
{
	hold n="$2" cc=$1 >/tmp/held || wrong "hold $1"
	note "$(cat /tmp/held)"
	sed "s/^cc=[^ ]* //; s/held/held_$3/; s/bytes/$3_bytes/" /tmp/held >>$COUNTS
}

# What one takes is told of equal numbers, each of which has sent a little. It is
# shown here, and held against its bound by selftests/real (memory, memory_charged):
# kernels that watch themselves put zones around all objects.
campaign_many()
{
	load
	sysctl -q -w net.ipv4.ip_local_port_range="10000 64999"
	many_of mswift "$(scaled 20000)" many
	for cc in cubic mswift nscc oscar prioplus; do
		many_of $cc "$(scaled 2000)" $cc
	done
}

one_look()
{
	in_a ss -tine >/tmp/ss
	in_b ss -tinem >/tmp/ss
	count looks_by_ss=2
}

campaign_ss()
{
	load
	fresh
	spray mixed
	netem a delay 2ms
	serve $PORT cc=$OURS
	# few that send: the emulator's processors are for those that look
	background n="$(scaled 50)" par=4 switchers=1
	while_sending one_look
	at_least "$(scaled 10)" looks_by_ss
}

# The last of every machine that can: what was leaked shows when nothing that
# could refer to it is left.
campaign_leaks()
{
	unload
	# younger ones it does not tell
	sleep 5
	for _ in 1 2; do
		echo scan >$LEAKS
		sleep 2
	done
	cat $LEAKS >/tmp/leaks
	count leaks="$(grep -c '^unreferenced' /tmp/leaks)"
	if test -s /tmp/leaks; then
		wrong "kmemleak found something"
		head -n 80 /tmp/leaks | sed 's/^/# /'
	fi
}

# failslab_on PERCENT INTERVAL TASK_FILTER: of so many allocations one is looked
# at, and fails with that probability. The watchers' own memory never fails.
failslab_on()
{
	for cache in /sys/kernel/slab/*/failslab; do
		case $cache in
		*kmemleak*|*debug_objects*) ;;
		*) echo 1 >"$cache" 2>/dev/null ;;
		esac
	done
	echo Y >$FAILSLAB/cache-filter
	echo "$2" >$FAILSLAB/interval
	echo "$3" >$FAILSLAB/task-filter
	echo $((1 - $3)) >$FAILSLAB/ignore-gfp-wait
	echo -1 >$FAILSLAB/times
	echo 0 >$FAILSLAB/verbose
	echo "$1" >$FAILSLAB/probability
}

failslab_off() { echo 0 >$FAILSLAB/probability; }

# A flow that began without memory has it with the next data, once there is some.
campaign_starved()
{
	load
	fresh
	in_b xfer serve 7001 &
	servers="$servers $!"
	retry 60 listens 7001 in_b || wrong "no server on port 7001"
	failslab_on 0 1 0
	for cc in $ALGORITHMS; do
		got=$(in_a abuse starved $cc fd09::2 7001 "echo 100 >$FAILSLAB/probability" \
			"echo 0 >$FAILSLAB/probability" 300000 2>&1)
		test "$got" = "without=1 then=0" || wrong "$cc: $got"
		count starved=1
	done
	unload
}

# Loading with allocations of the loader's that fail, sleeping ones too.
campaign_failing_loads()
{
	# tracing warns when it has no memory for a module's event
	tolerated='event_define_fields|trace_module_(add|remove)_events|event_create_dir|event_file_put'
	unload
	# loading takes thousands of allocations
	for interval in 2000 500 100; do
		failslab_on 50 $interval 1
		churn modules "$MODULE_FOLDER" "tcp_dcc $MODULES" n="$(scaled 40)" fail=1 >>$COUNTS ||
			wrong "churn modules with failing allocations"
		failslab_off
		note "failing loads: $(all_counts)"
	done
	unload
}

# Allocations that may not sleep fail, in interrupts, too.
campaign_failslab()
{
	load
	fresh
	serve $PORT cc=$OURS
	for percent in 5 10 20 30; do
		for selector in reps oblivious; do
			spray $selector
			failslab_on $percent 1 0
			send fd09::2 cc=$OURS,$STOCK n="$(scaled 15)" par=12 bytes=40000 \
				switchers=3 lenient=1 timeout=30 ways=whole,reset,leave,disconnect
			failslab_off
		done
		note "failslab: $percent % done"
	done
	at_least 1 ok
	unload
}
