#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs packetdrill's scripts inside the emulated machine; this is its init.
#
# The command line says what: dcc_cc=a,b (algorithms), dcc_ip=ipv4,ipv6,
# dcc_ours=ipv6 (families for the scripts in /pd/ours alone), dcc_rate=MBPS
# (line rate for our algorithms). The scripts lie in /pd/SET/... ;
# each runs in a network namespace of its own, with the algorithm as default of
# the machine, hence of the namespace. One line for each, fields separated by
# tabs:
#
#   RESULT cc ip script pass|fail flows samples us reason
#
# flows, samples: how many flows of our modules the script made, and how many
# delays they were told (a script that never starts one says nothing about us);
# us: how long it took, in virtual time.

. /guest-lib.sh
TAB=$(printf '\t')
COUNTERS=/sys/module/tcp_dcc/counters
SCRIPT_LIMIT_S=300
SYN='> *S  *[0-9]'

# word NAME: NAME=value of the kernel's command line, commas made blanks.
word() { sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" /proc/cmdline | tr , ' '; }

counter() { cat "$COUNTERS/$1" 2>/dev/null || echo 0; }

now_us() { cut -d ' ' -f 1 /proc/uptime | tr -d .; }

load_modules()
{
	modprobe tun
	modprobe -a sch_fq $MODULES 2>&1 || echo "# cannot load the modules"
	# A tun device names 10 Gbit/s and the modules do not believe it: they would
	# pace by the window, as on no real device.
	for module in $MODULES; do
		word dcc_rate >/sys/module/$module/parameters/line_rate_mbps
	done
	# The scripts' round trips vary by far more than any channel: a flow of a
	# lower priority than others would stand aside for nobody.
	echo 1 >/sys/module/tcp_prioplus/parameters/prio_levels
}

# packetdrill has its packets' times taken by the kernel, which patches its code
# when the first socket asks for that, and takes milliseconds for it: some in
# the middle of a test. One that always asks prevents it.
keep_timestamps()
{
	python3 -c 'import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, 29, 1)    # SO_TIMESTAMP
time.sleep(1e6)' &
	sleep 2	# starting python takes time, too; waiting is free
}

# What packetdrill and the kernel's own runner pass.
arguments()
{
	case $1 in
	ipv4)
		echo --ip_version=ipv4 --local_ip=192.168.0.1 --gateway_ip=192.168.0.1 \
			--netmask_ip=255.255.0.0 --remote_ip=192.0.2.1 \
			-D TFO_COOKIE=3021b9d889017eeb -D TFO_COOKIE_ZERO=b7c12350a90dc8f5 \
			-D CODE=host_unreachable \
			-D CMSG_LEVEL_IP=SOL_IP -D CMSG_TYPE_RECVERR=IP_RECVERR
		;;
	ipv4-mapped-ipv6)
		echo --ip_version=ipv4-mapped-ipv6 --local_ip=192.168.0.1 \
			--gateway_ip=192.168.0.1 --netmask_ip=255.255.0.0 --remote_ip=192.0.2.1 \
			-D TFO_COOKIE=3021b9d889017eeb -D TFO_COOKIE_ZERO=b7c12350a90dc8f5 \
			-D CODE=host_unreachable \
			-D CMSG_LEVEL_IP=SOL_IPV6 -D CMSG_TYPE_RECVERR=IPV6_RECVERR
		;;
	ipv6)
		echo --ip_version=ipv6 --mtu=1520 --local_ip=fd3d:0a0b:17d6::1 \
			--gateway_ip=fd3d:0a0b:17d6:8888::1 --remote_ip=fd3d:fa7b:d17d::1 \
			-D TFO_COOKIE=c1d1e9742a47a9bc -D TFO_COOKIE_ZERO=82af1a8f9a205c34 \
			-D CMSG_LEVEL_IP=SOL_IPV6 -D CMSG_TYPE_RECVERR=IPV6_RECVERR
		;;
	esac
}

# adapt CC FILE: prints the file to run. nscc and mnscc ask for ECN by themselves;
# a script that is told so in its SYNs goes on to what it is about, without ECN,
# since its peer does not answer to that. (A SYN that is sent again, with no new
# connection begun since, does not ask.)
adapt()
{
	local copy=${2%.pkt}.asks-ecn
	case $1 in
	*nscc)
		if grep -q "$SYN" "$2"; then
			awk -v syn="$SYN" '
				/socket\(|connect\(|MSG_FASTOPEN/ { asked = 0 }
				$0 ~ syn && !asked { sub(/> *S /, "> SEW "); asked = 1 }
				{ print }' "$2" >"$copy"
			echo "$copy"
			return
		fi
		;;
	esac
	echo "$2"
}

# run_script CC IP FILE
run_script()
{
	local cc=$1 ip=$2 file=$3 run flows samples status=pass start end
	run=$(adapt "$cc" "$file")
	flows=$(counter flows)
	samples=$(counter samples)
	start=$(now_us)
	cd "${file%/*}" || return
	# shellcheck disable=SC2046 # a list of words
	DCC_CC=$cc BASH_ENV=/etc/sysctl.bash timeout $SCRIPT_LIMIT_S unshare -n \
		sh -c 'ip link set lo up; exec packetdrill "$@"' sh $(arguments "$ip") \
		--send_omit_free "${run##*/}" >/tmp/out 2>&1 </dev/null || status=fail
	end=$(now_us)
	echo "RESULT$TAB$cc$TAB$ip$TAB${file#/pd/}$TAB$status$TAB$(($(counter flows) - flows))\
$TAB$(($(counter samples) - samples))$TAB$(((end - start) * 10000))\
$TAB$(grep -v '^$' /tmp/out | tail -n 3 | tr '\t\n' '  ' | cut -c 1-300)"
	rm -f /tmp/sysctl_restore_*
}

# wants CC IP FILE: does the script say that it is not for these?
# Our own name the algorithms they are for: "// cc: nscc mnscc", "// ip: ipv6".
# packetdrill's own runner goes by the names. Nor is it run for an algorithm of
# ours if the control has failed it.
wants()
{
	local line
	case $2:$3 in
	ipv4*:*v6.pkt | ipv6:*v4.pkt) return 1 ;;
	esac
	! grep -qxF "$2 ${3#/pd/}" /control-fails 2>/dev/null || return 1
	for line in "cc $1" "ip $2"; do
		grep -q "^// ${line% *}:" "$3" || continue
		grep "^// ${line% *}:" "$3" | grep -qw "${line#* }" || return 1
	done
	return 0
}

# run_scripts CC IP FOLDER
run_scripts()
{
	local file
	find "$3" -name '*.pkt' | sort >/run/scripts
	# the first of its kind waits for what is made once
	read -r file </run/scripts && run_script "$1" "$2" "$file" >/dev/null
	while read -r file; do
		wants "$1" "$2" "$file" && run_script "$1" "$2" "$file"
	done </run/scripts
}

main()
{
	mount_all
	mkdir -p /run/netns
	load_modules
	keep_timestamps
	for cc in $(word dcc_cc); do
		sysctl -q -w net.ipv4.tcp_congestion_control="$cc" || echo "# no algorithm $cc"
		for ip in $(word dcc_ip); do
			run_scripts "$cc" "$ip" /pd
		done
		for ip in $(word dcc_ours); do
			run_scripts "$cc" "$ip" /pd/ours
		done
	done
	dmesg | grep -E 'BUG|WARNING|Call Trace|Oops' | sed 's/^/KERNEL /'
	echo "GUEST-END"
	poweroff -f
}

main
