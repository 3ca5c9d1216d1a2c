#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# iperf3.sh HOST [SECONDS] [ALGORITHM...]: one flow to "iperf3 -s" on HOST with each
# algorithm (default: cubic mswift), its goodput and retransmissions. Whether mswift
# sprays is the namespace's affair: sysctl net.dcc.mswift.spray.
set -eu

host=${1:?usage: iperf3.sh HOST [SECONDS] [ALGORITHM...]}
seconds=${2:-5}
test $# -lt 2 || shift
shift
case $seconds in
'' | *[!0-9]* | 0)
	echo "iperf3.sh: SECONDS '$seconds'; allowed: a whole number above 0" >&2
	exit 2
	;;
esac
command -v iperf3 >/dev/null || { echo "iperf3.sh: iperf3 is not here: apt install iperf3" >&2; exit 1; }
for cc in ${*:-cubic mswift}; do
	iperf3 -6 -c "$host" -C "$cc" -t "$seconds" -J | python3 -c '
import json, sys
told = json.loads(sys.stdin.read() or "{}")
if "error" in told or not told.get("end"):
    sys.exit("iperf3.sh: " + told.get("error", "iperf3 failed"))
end = told["end"]
print("{}: {:.1f} Mbit/s received, {} retransmissions".format(
    end["sender_tcp_congestion"], end["sum_received"]["bits_per_second"] / 1e6,
    end["sum_sent"]["retransmits"]))'
done
