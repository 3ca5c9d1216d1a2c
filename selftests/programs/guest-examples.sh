#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# examples/ inside the emulated machine; this is its init. dcc_tests: those to run, by
# name without test_ (default: all). Namespaces a and b as in guest-lib.sh.

. /guest-lib.sh
. /guest-tap.sh
PATH=$PATH:/usr/bin:/usr/sbin
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
MBPS=100
QDELAY_US=2000
FILE_BYTES=5000000
COUNTERS=/sys/module/tcp_dcc/counters

count() { cat "$COUNTERS/$1"; }

# The algorithm of the next hop that packets to the other side take.
chosen() { ip -n "$1" -6 route get "$2" | grep -o 'congctl [a-z]*'; }

test_route()
{
	check "route-congctl.sh for a connected prefix" in_a /examples/route-congctl.sh fd09::/64 mswift
	expect "packets take that route" "congctl mswift" "$(chosen a fd09::2)"
	check "another algorithm" in_a /examples/route-congctl.sh fd09::/64 lswift
	expect "takes its place" "congctl lswift" "$(chosen a fd09::2)"
	check "none" in_a /examples/route-congctl.sh fd09::/64 none
	expect "undoes it" "" "$(chosen a fd09::2)"
	expect "and one route is left" 1 "$(ip -n a -6 route show exact fd09::/64 | wc -l)"
	expect_in "a prefix without a route is refused" "no route to 'fd77::/64'; allowed" \
		"$(in_a /examples/route-congctl.sh fd77::/64 mswift 2>&1)"
	refuse "an algorithm that does not exist, too" in_a /examples/route-congctl.sh fd09::/64 nosuch
	ip -n a -6 route replace fd0a::/64 via fd09::2 dev ve_a
	check "and for one behind a router" in_a /examples/route-congctl.sh fd0a::/64 nscc
	expect "the router stays" 1 "$(ip -n a -6 route show exact fd0a::/64 | grep -c 'via fd09::2 .*congctl nscc')"
}

test_iperf3()
{
	ip netns exec b iperf3 -s >/dev/null 2>&1 &
	server=$!
	retry 60 listens 5201 in_b
	sprayed=$(count packets_sprayed)
	in_a /examples/iperf3.sh fd09::2 1 cubic mswift >/tmp/iperf3 2>&1
	note "$(cat /tmp/iperf3)"
	for cc in cubic mswift; do
		expect_in "iperf3.sh: $cc" "^$cc: [1-9][0-9.]* Mbit/s received" "$(cat /tmp/iperf3)"
	done
	check "mswift sprayed" test $(($(count packets_sprayed) - sprayed)) -ge 1000
	kill $server
}

# The server's flow to this client, while it lasts.
server_has() { in_b ss -tinH sport = :8080 | grep -q " $1 "; }

# fetch CC: whole, and by this algorithm at the server.
fetch()
{
	in_a curl -s --limit-rate 1M -o /tmp/fetched 'http://[fd09::2]:8080/file' &
	client=$!
	check "nginx: the flow to this client is $1" retry 20 server_has "$1"
	wait $client
	expect "curl: the whole file" 0 $?
	check "curl: the same file" cmp /srv/www/file /tmp/fetched
}

test_nginx()
{
	mkdir -p /srv/www /var/lib/nginx /var/log/nginx && chmod 755 /srv /srv/www
	head -c $FILE_BYTES /dev/urandom >/srv/www/file
	ip netns exec b nginx -c /examples/nginx/nginx.conf -g 'daemon off;' >/tmp/nginx 2>&1 &
	retry 60 listens 8080 in_b || note "$(cat /tmp/nginx)"
	check "the route back by mswift" in_b /examples/route-congctl.sh fd09::/64 mswift
	sprayed=$(count packets_sprayed)
	fetch mswift
	check "mswift sprayed" test $(($(count packets_sprayed) - sprayed)) -ge 1000
	in_b nginx -c /examples/nginx/nginx.conf -s quit
	in_b /examples/route-congctl.sh fd09::/64 none
}

# Four ranks, in turn in a and b.
test_allreduce()
{
	ring=fd09::1/7100,fd09::2/7101,fd09::1/7102,fd09::2/7103
	flows=$(count flows)
	ranks=
	for rank in 0 1 2 3; do
		n=$(test $((rank % 2)) = 0 && echo a || echo b)
		ip netns exec $n python3 /examples/allreduce.py $rank $ring --numbers 20000 --cc mswift \
			>/tmp/rank.$rank 2>&1 &
		ranks="$ranks $!"
	done
	rank=0
	for pid in $ranks; do
		wait "$pid"
		expect "allreduce.py: rank $rank ends well" 0 $?
		expect "and its sums are right, each round" 3 "$(grep -c 'sums are right' /tmp/rank.$rank)"
		note "$(cat /tmp/rank.$rank)"
		rank=$((rank + 1))
	done
	check "by mswift" test $(($(count flows) - flows)) -ge 4
}

# connected ADDRESS: the algorithm of a connection from namespace c.
connected()
{
	ip netns exec c python3 -c '
import socket, sys
sock = socket.create_connection((sys.argv[1], 8090), 20)
print(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).strip(b"\0").decode())' "$1"
}

no_tentative() { ! ip -n c -6 addr show tentative | grep -q inet6; }
has_route() { ip -n c -6 route show exact fd00:2::/48 | grep -q via; }

# systemd-networkd alone, in a namespace c with an eth0, to a router d with the example's
# addresses. It does not wait for udev where /sys cannot be written, as in containers.
test_networkd()
{
	for n in c d; do ip netns add $n; done
	ip link add eth0 netns c type veth peer name eth0 netns d
	for dev in lo eth0; do ip -n d link set $dev up; done
	ip -n d addr add fd00:1::1/64 dev eth0 nodad
	ip -n d addr add fd00:2::1/48 dev lo nodad
	mkdir -p /etc/systemd/network /run/systemd/netif
	chown systemd-network:systemd-network /run/systemd/netif
	cp /examples/systemd-networkd/20-fabric.network /etc/systemd/network/
	echo 0123456789abcdef0123456789abcdef >/etc/machine-id	# DHCPv6 names itself by it
	ip netns exec d python3 -c '
import socket
server = socket.create_server(("::", 8090), family=socket.AF_INET6)
while True: server.accept()' &
	server=$!
	ip netns exec c sh -c 'mount -o remount,bind,ro /sys && exec systemd-networkd' \
		>/tmp/networkd 2>&1 &
	networkd=$!
	check "networkd makes the route" retry 60 has_route
	note "$(ip -n c -6 route show exact fd00:2::/48)"
	expect "with the algorithm" "congctl mswift" "$(chosen c fd00:2::1)"
	retry 60 listens 8090 ip netns exec d
	check "its address is nobody else's" retry 60 no_tentative
	expect "a connection over it has it, too" mswift "$(connected fd00:2::1)"
	expect "another one has the default" "$(ip netns exec c sysctl -n net.ipv4.tcp_congestion_control)" \
		"$(connected fd00:1::1)"
	note "$(cat /tmp/networkd)"
	kill $networkd $server
	wait $networkd $server
	for n in c d; do ip netns del $n; done
}

# The container's command, as its container would run it: the host's network, and /modules
# with what the image has.
test_kubernetes()
{
	file=/examples/kubernetes/daemonset.yaml
	check "daemonset.yaml has what a DaemonSet may have" python3 /daemonset.py $file
	sed 's/hostNetwork/hostNet/' $file >/tmp/wrong.yaml
	expect_in "a wrong word would be noticed" "spec.template.spec: .hostNet.; allowed: " \
		"$(python3 /daemonset.py /tmp/wrong.yaml 2>&1)"
	check "no flow holds the modules any more" retry 60 modprobe -r $MODULES
	expect "no module is loaded" "" "$(lsmod | grep dcc)"
	mkdir /modules
	ln -s /lib /modules/lib
	check "its container's command" python3 /daemonset.py $file --run modules
	check "loads the module" test -d /sys/module/tcp_mswift
	expect "makes it the default" mswift "$(sysctl -n net.ipv4.tcp_congestion_control)"
	expect "and sprays" oblivious "$(cat /sys/module/tcp_mswift/parameters/spray)"
	ip netns add pod
	expect "which a new pod's namespace has from it" "mswift oblivious" \
		"$(echo $(ip netns exec pod sysctl -n net.ipv4.tcp_congestion_control net.dcc.mswift.spray))"
	ip netns del pod
}

mount_all
echo "TAP version 13"
note "kernel $(uname -r)"
signs_of_life &
modprobe -a $MODULES
two_namespaces
for n in a b; do
	ip netns exec $n sysctl -q -w net.dcc.mswift.spray=oblivious \
		net.dcc.mswift.line_rate_mbps=$MBPS net.dcc.mswift.target_qdelay_us=$QDELAY_US
done
run_tests $(echo "${dcc_tests:-route iperf3 nginx allreduce networkd kubernetes log}" | tr , " ")
