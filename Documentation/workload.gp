# SPDX-License-Identifier: GPL-2.0
# Draws Documentation/families/workload.svg from the CSV beside it:
#
#   gnuplot Documentation/workload.gp >Documentation/families/workload.svg

set terminal svg size 860,420 noenhanced font 'sans-serif,14' background '#ffffff'
set border 3
set tics nomirror
set grid xtics ytics lc rgb '#dfe3e9' lt 1
set logscale x
set yrange [0:1.02]
set xlabel 'p99 slowdown of flows up to 150 kB'
set ylabel 'share of the random networks'
set key outside right center samplen 2 spacing 1.15

file = 'Documentation/families/workload.csv'

row(name) = sprintf("< awk -F, -v want='%s' '$1 == want && $3 != \"\" { print $3 }' %s | sort -g | awk '{ v[NR] = $1 } END { for (i = 1; i <= NR; i++) print v[i], i / NR }'", name, file)

plot row('mswift+auto') with lines lw 3 dt 1 lc rgb '#2563c9' title 'mswift, sprayed', \
     row('oscar+auto') with lines lw 3 dt 1 lc rgb '#1a1f70' title 'oscar, sprayed', \
     row('mnscc+auto') with lines lw 3 dt 1 lc rgb '#7a0f4f' title 'mnscc, sprayed', \
     row('dctcp') with lines lw 2 dt 1 lc rgb '#0b7f8f' title 'dctcp, ECMP', \
     row('dctcp+plb') with lines lw 2 dt 2 lc rgb '#0b7f8f' title 'dctcp, PLB', \
     row('dctcp+mptcp8') with lines lw 2 dt 4 lc rgb '#0b7f8f' title 'dctcp, MPTCP of 8', \
     row('dctcp+oblivious') with lines lw 2 dt 3 lc rgb '#0b7f8f' title 'dctcp, sprayed', \
     row('cubic') with lines lw 2 dt 1 lc rgb '#1b8a4a' title 'cubic, ECMP', \
     row('bbr') with lines lw 2 dt 1 lc rgb '#8a3fc0' title 'bbr, ECMP'
