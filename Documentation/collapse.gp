# SPDX-License-Identifier: GPL-2.0
# Draws Documentation/collapse.svg from what the test prints (see experiments.md):
#
#   selftests/net/mswift_collapse.py >collapse.log
#   gnuplot -e "log='collapse.log'" Documentation/collapse.gp >Documentation/collapse.svg

set terminal svg size 860,420 noenhanced font 'sans-serif,14' background '#ffffff'
set border 3
set tics nomirror
set grid ytics lc rgb '#dfe3e9' lt 1
set logscale x 2
set xrange [0.0066:0.29]
set yrange [0:10]
set xtics ('0' 1.0/128, '1/64' 1.0/64, '1/32' 1.0/32, '1/16' 1.0/16, '1/8' 1.0/8, '1/4' 1.0/4)
set xlabel 'q: share of packets on the one path that is 100 us longer'
set ylabel 'throughput, Gbit/s (line: 10)'
set key outside right center samplen 2 spacing 1.15

# One row of the table as points: q = 1/4 ... 1/64, and q = 0 drawn at 1/128.
row(name) = sprintf("< awk -v want='%s' '{ n = substr($0, 3, 22); sub(/ +$/, \"\", n) } n == want { s = substr($0, 25); gsub(/[(][ 0-9%%]*[)]/, \"\", s); k = split(s, v, \" \"); for (i = 1; i <= k; i++) print 1 / 2 ^ (i + 1), v[i] }' %s", name, log)

plot row('mswift') with linespoints lw 3 pt 7 ps 0.7 lc rgb '#2563c9' title 'mswift', \
     row('cubic') with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#1b8a4a' title 'cubic', \
     row('reno') with linespoints lw 1.8 pt 5 ps 0.6 lc rgb '#8a6d00' title 'reno (dctcp: no dip)', \
     row('lswift') with linespoints lw 2.4 pt 13 ps 0.9 lc rgb '#c5283d' title 'swift, lswift', \
     row('cubic (classic stack)') with linespoints lw 1.8 dt 2 pt 8 ps 0.7 lc rgb '#1b8a4a' title 'cubic, textbook TCP', \
     row('reno (classic stack)') with linespoints lw 1.8 dt 2 pt 4 ps 0.6 lc rgb '#8a6d00' title 'reno, textbook TCP', \
     row('Table I, tcp') with lines lw 1.5 dt 3 lc rgb '#5a6270' title 'paper, Table I (TCP)'
