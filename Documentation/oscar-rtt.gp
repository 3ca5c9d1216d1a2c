# SPDX-License-Identifier: GPL-2.0
# Draws Documentation/oscar-rtt.svg from what the test prints (see oscar.md):
#
#   selftests/net/oscar_paths.py >oscar_paths.log
#   gnuplot -e "log='oscar_paths.log'" Documentation/oscar-rtt.gp >Documentation/oscar-rtt.svg

set terminal svg size 760,400 noenhanced font 'sans-serif,14' background '#ffffff'
set border 3
set tics nomirror
set grid ytics lc rgb '#dfe3e9' lt 1
set logscale xy
set xrange [90:1100]
set yrange [0.05:200]
set xtics (100, 200, 400, 1000)
set xlabel "base RTT of the longer way, us (the other's: 40)"
set ylabel "its rate over the other's"
set key outside right center samplen 2 spacing 1.15

row(name) = sprintf("< awk -v want='%s' '$2 == \"fairness\" { n = $0; sub(/^(# )?fairness( [0-9.]+)+ /, \"\", n); if (n == want) print $3, $4, $5, $6 }' %s", name, log)

plot 1 with lines lw 1.5 dt 3 lc rgb '#5a6270' title 'equal', \
     row('oscar') with yerrorlines lw 1.8 dt 2 pt 9 ps 0.7 lc rgb '#1a1f70' title 'oscar', \
     row('oscar, one queue') with yerrorlines lw 3 pt 7 ps 0.7 lc rgb '#1a1f70' title 'oscar, target_queue_ns', \
     row('swift') with yerrorlines lw 2.4 pt 13 ps 0.9 lc rgb '#c2560a' title 'swift'
