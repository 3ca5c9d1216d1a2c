#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What our scripts start from: the algorithm under test (DCC_CC), nothing of
# TCP's own that would move the packets, and the knobs given:
#
#   setup.sh [FAMILY:]KNOB=VALUE... [net.SYSCTL=VALUE...]
#
# A knob with a family before it (swift, nscc, oscar, prioplus, ledbat) is for the algorithms
# of that module alone.
set -e

sysctl -q -w net.ipv4.tcp_congestion_control="$DCC_CC" \
	net.ipv4.tcp_timestamps=0 net.ipv4.tcp_ecn=0 net.ipv4.tcp_early_retrans=0 \
	net.ipv4.tcp_rmem="4096 540000 15728640" net.ipv4.tcp_wmem="4096 262144 4194304"
tc qdisc replace dev tun0 root pfifo

case $DCC_CC in
*nscc) family=nscc ;;
*swift) family=swift ;;
oscar) family=oscar ;;
prioplus*) family=prioplus ;;
ledbat) family=ledbat ;;
*) family= ;;
esac

for word in "$@"; do
	case $word in
	net.*) sysctl -q -w "$word" ;;
	swift:* | nscc:* | oscar:* | prioplus:* | ledbat:*)
		test "${word%%:*}" != "$family" || sysctl -q -w "net.dcc.$DCC_CC.${word#*:}"
		;;
	*) test -z "$family" || sysctl -q -w "net.dcc.$DCC_CC.$word" ;;
	esac
done
