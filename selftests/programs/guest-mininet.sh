#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tools/mininet inside the emulated machine; this is its init. dcc_tests:
# those to run, by name without test_ (default: all).

. /guest-lib.sh
. /guest-tap.sh
PATH=$PATH:/usr/bin:/usr/sbin
PYTHONPATH=/tools/mininet
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
SPINES=4
HOSTS=4
MBPS=10
SIZE=2000000
# Of the links' rate a packet of 1500 bytes has 1448 bytes of data, and a frame 1514.
PAYLOAD=0.956
# Spraying deals 5500 packets and more to four spines by a hash of random labels:
# each has a quarter, with a standard deviation of 0.6 %.
SHARE_MIN=22
SHARE_MAX=28
# The series' steps of 200 ms end up to 20 ms too early or too late.
SERIES_ERROR=1.1

# print_file NAME FILE: for run.sh, which takes it off the console.
print_file()
{
	echo "FILE $1"
	cat "$2"
	echo "FILE-END"
}

# row CC: its line of the table.
row() { grep "^$1 " /tmp/table; }

# judge CC AWK-CONDITION: over whole and slowest (Mbit/s), the largest share of a spine, most (%),
# and whether they are even.
judge()
{
	row "$1" | tr -d ',%' | awk '{
		whole = $3; slowest = $7; n = 0; most = 0
		for (i = 13; i <= NF; i++) { s[++n] = $i; if ($i > most) most = $i }
		even = n == '$SPINES'
		for (i = 1; i <= n; i++) if (s[i] < '$SHARE_MIN' || s[i] > '$SHARE_MAX') even = 0
		held = '"$2"'
	}
	END { exit !held }'
}

# tell_progress PID: while it runs, and more processes were made or more was sent, says so:
# on a busy host it takes longer than a machine may be silent.
tell_progress()
{
	before=
	while kill -0 "$1" 2>/dev/null; do
		sleep 5
		now=$(awk '$1 == "processes" { print $2 }' /proc/stat),$(cat /sys/module/tcp_dcc/counters/samples)
		test "$now" = "$before" || echo "# processes, ACKs: $now"
		before=$now
	done
}

# example OPTIONS...: what it prints is in /tmp/table then.
example()
{
	modprobe tcp_mswift
	python3 /tools/mininet/leafspine.py "$@" --mbps $MBPS >/tmp/table 2>/tmp/said &
	leafspine=$!
	tell_progress $leafspine
	wait $leafspine
	expect "leafspine.py $1: every byte arrived, by both algorithms" 0 $?
	note "$(cat /tmp/table)"
	grep -v '^\*\*\*' /tmp/said | tail -n 20 | sed 's/^/# /'
}

test_leafspine()
{
	example --spines $SPINES --hosts $HOSTS --size $SIZE --series /tmp/series.csv
	check "mswift's packets went over all spines, evenly" judge mswift even
	check "and were at times more than all spines but one can carry" \
		awk -F, '$1 == "mswift" && $3 > '"($SPINES - 1) * $MBPS * $PAYLOAD * $SERIES_ERROR"' { n++ }
			END { exit !n }' /tmp/series.csv
	check "a spine carried no more than its rate" \
		judge mswift "whole * most / 100 < 1.05 * $MBPS * $PAYLOAD"
	check "of cubic neither" judge cubic "whole * most / 100 < 1.05 * $MBPS * $PAYLOAD"
	# Where cubic's flows meet is chance: one time in ten at no spine.
	check "mswift's slowest flow is faster than two that meet at a spine" \
		judge mswift "slowest > $MBPS * $PAYLOAD / 2"
	check "cubic's slowest flow is no faster than those that meet at a spine" \
		judge cubic "slowest < 1.05 * $MBPS * $PAYLOAD / int(most / 100 * $HOSTS + 0.5)"
	print_file series.csv /tmp/series.csv
}

# Eight flows between the pods of a fat-tree over four cores.
test_fattree()
{
	example --fattree 4 --size $((SIZE / 2))
	check "mswift's packets went over all cores, evenly" judge mswift even
	check "mswift's slowest flow is faster than two that meet at a link" \
		judge mswift "slowest > $MBPS * $PAYLOAD / 2"
}

# The README's line, with mn itself; it exits when its input ends.
test_mn()
{
	command=$(sed -n 's/^    sudo \(mn --custom .*\)/\1/p' /README.md)
	note "$command"
	(cd / && echo "h1 ping -6 -c 2 fd00:0:0:5::1
h1 sysctl net.ipv4.tcp_congestion_control net.dcc.mswift.spray net.dcc.mswift.line_rate_mbps
leaf1 ip -6 route show fd00:0:0:5::/64
pingall" | $command) >/tmp/mn 2>&1
	expect "README: mn ends well" 0 $?
	expect_in "mn: hosts behind other routers answer, IPv6" "2 packets received" "$(cat /tmp/mn)"
	expect_in "mn: and IPv4" "Results: 0% dropped" "$(cat /tmp/mn)"
	expect_in "mn: the host's algorithm" "tcp_congestion_control = mswift" "$(cat /tmp/mn)"
	expect_in "mn: its spraying" "spray = oblivious" "$(cat /tmp/mn)"
	expect_in "mn: its link's rate" "line_rate_mbps = 10" "$(cat /tmp/mn)"
	expect "mn: four ways to the other leaf" 4 "$(grep -c 'nexthop via fe80::.* dev leaf1-eth' /tmp/mn)"
	case $failed in 0) ;; *) sed 's/^/# /' /tmp/mn ;; esac
}

test_links()
{
	python3 /links.py >/tmp/links 2>&1
	expect "links.py ends well" 0 $?
	note "$(grep -v '^\*\*\*' /tmp/links)"
	check "FabricLink: the last of a burst waits for the line and then travels" \
		grep -q '^FabricLink: .*add up' /tmp/links
}

test_refusals()
{
	for bad in "cc=nosuch:net.ipv4.tcp_congestion_control=nosuch is refused: .*allowed: .*cubic" \
		"cc=mswift,spray=sideways:net.dcc.mswift.spray=sideways is refused: .*dmesg says" \
		"spray=reps:knobs spray without cc; allowed: with cc=ALGORITHM"; do
		got=$(cd / && mn --custom tools/mininet/dcc_mininet.py --topo single --switch ecmp \
			--host "dcc,${bad%%:*}" --controller none --test none 2>&1)
		expect_in "mn --host dcc,${bad%%:*} is refused" "${bad#*:}" "$got"
	done
}

test_mn2lab()
{
	check "mn2lab.py reads a real Topo" sh -c 'python3 /tools/mininet/mn2lab.py \
		/tools/mininet/dcc_mininet.py leafspine,bw=10,delay=1ms >/tmp/leafspine.lab'
	print_file leafspine.lab /tmp/leafspine.lab
	echo "from mininet.topolib import TorusTopo; topos = {'torus': TorusTopo}" >/tmp/torus.py
	check "mn2lab.py draws mininet's own torus" sh -c 'python3 /tools/mininet/mn2lab.py \
		/tmp/torus.py torus,3,3 --rate 10Gbps >/tmp/torus.lab'
	print_file torus.lab /tmp/torus.lab
}

mount_all
mkdir -p /dev/pts /root
mount -t devpts devpts /dev/pts
echo "TAP version 13"
note "kernel $(uname -r)"
signs_of_life &
run_tests $(echo "${dcc_tests:-mn2lab leafspine fattree mn links refusals log}" | tr , " ")
