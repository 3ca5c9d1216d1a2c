#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# route-congctl.sh PREFIX ALGORITHM: flows to this IPv6 prefix use the algorithm, others
# what they used before; for connections that are accepted, too. "none" undoes it. As root.
#
#   sudo examples/route-congctl.sh fd00:1::/64 mswift
#
# It writes the route that is there once more, with the word congctl: a route of its own
# beside the kernel's (metric 256) would never be taken.
set -eu

prefix=${1:?usage: route-congctl.sh PREFIX ALGORITHM|none}
algorithm=${2:?usage: route-congctl.sh PREFIX ALGORITHM|none}
# What ip prints and does not read goes: the algorithm, states of the device, units; and of
# a nexthop object its number says all.
route=$(ip -6 route show exact "$prefix" | sed -E 's/ congctl (lock )?[^ ]+//; s/ pref [a-z]+//
	s/ (linkdown|dead)( |$)/\2/g; s/ expires ([0-9]+)sec/ expires \1/
	s/( nhid [0-9]+)( via [^ ]+)?( dev [^ ]+)?/\1/')
case $route in
'')
	echo "route-congctl.sh: no route to '$prefix'; allowed: a prefix that 'ip -6 route' lists" >&2
	exit 1
	;;
*"
"*)
	echo "route-congctl.sh: '$prefix' has several routes, or several ways; allowed: one line of 'ip -6 route'" >&2
	exit 1
	;;
esac
test "$algorithm" = none || route="$route congctl $algorithm"
# shellcheck disable=SC2086 # a list of words
ip -6 route replace $route
ip -6 route show exact "$prefix"
