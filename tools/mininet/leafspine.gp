# SPDX-License-Identifier: GPL-2.0
# Draws what leafspine.py --series wrote:
#
#   gnuplot -e "series='FILE.csv'" tools/mininet/leafspine.gp >leafspine.svg

set terminal svg size 720,360 noenhanced font 'sans-serif,14' background '#ffffff'
set datafile separator comma
set border 3
set tics nomirror
set grid ytics lc rgb '#dfe3e9' lt 1
set xlabel 'time (s)'
set ylabel 'goodput of all flows (Mbit/s)'
set xrange [0:*]
set yrange [0:*]
set key outside right center samplen 2 spacing 1.15

row(cc) = sprintf("< awk -F, '$1 == \"%s\" { print $2 \",\" $3 }' '%s'", cc, series)

plot row('mswift') with steps lw 3 lc rgb '#2563c9' title 'mswift, sprayed', \
     row('cubic') with steps lw 2 lc rgb '#1b8a4a' title 'cubic, ECMP'
