#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel's tests inside the emulated machine; this is its init. Prints
#
#   TEST cc name result      (fields separated by tabs)
#   FLOWS cc number          flows of our modules that its tests made
#   LOG text

. /guest-lib.sh
TAB=$(printf '\t')

mount_all
mkdir -p /run/netns /var/run
ln -sfn /run/netns /var/run/netns
modprobe -a tcp_dctcp sch_prio sch_netem cls_u32 act_gact veth dummy af_packet tcp_diag \
	tcp_mswift tcp_mnscc
cd /st/net || exit
flows() { cat /sys/module/tcp_dcc/counters/flows; }

for cc in $(sed -n 's/.*\<dcc_cc=\([^ ]*\).*/\1/p' /proc/cmdline | tr , ' '); do
	sysctl -q -w net.ipv4.tcp_congestion_control="$cc" || echo "LOG no algorithm $cc"
	before=$(flows)
	for script in ./*ecmp*.sh; do
		echo "LOG $cc $script"
		bash "$script" >/tmp/out 2>&1
		echo "LOG status $?"
		sed -n "s/^TEST: \(.*[^ ]\) *\[\(.*\)\]/TEST$TAB$cc$TAB\1$TAB\2/p" /tmp/out
		grep -v '^TEST: .*OK' /tmp/out | sed "s/^/LOG $cc /"
	done
	echo "FLOWS$TAB$cc$TAB$(($(flows) - before))"
done
dmesg | grep -E 'BUG|WARNING|Call Trace' | sed 's/^/LOG KERNEL /'
echo "GUEST-END"
poweroff -f
