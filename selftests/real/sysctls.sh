#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The sysctls of this network namespace, as "path value" lines in order; without
# those of single devices, those sized by the machine's memory, and the lists of
# algorithms that are there.
cd /proc/sys || exit
grep -rs . net/ipv4 net/ipv6 net/core |
	grep -Ev '/conf/|/neigh/|(tw_buckets|syn_backlog|hash_entries):|(allowed|available)_congestion_control:' |
	sed 's/:/ /; s/\t/ /g' | LC_ALL=C sort
