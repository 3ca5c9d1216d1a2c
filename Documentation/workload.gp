# SPDX-License-Identifier: GPL-2.0
# Draws Documentation/families/workload.svg from the CSV beside it:
#
#   gnuplot Documentation/workload.gp >Documentation/families/workload.svg

set terminal svg size 860,420 noenhanced font 'sans-serif,14' background '#ffffff'
set datafile separator ','
set border 3
set tics nomirror
set grid xtics ytics lc rgb '#dfe3e9' lt 1
set logscale x
set yrange [0:1.02]
set xlabel 'p99 slowdown of flows up to 150 kB'
set ylabel 'share of the random networks'
set key outside right center samplen 2 spacing 1.15

file = 'Documentation/families/workload.csv'

plot for [each in 'mswift+auto,#2563c9,3 oscar+auto,#c5283d,3 mnscc+auto,#7b3fb5,3 dctcp,#1b8a4a,2 dctcp+plb,#57b37e,2 dctcp+oblivious,#9ad0b0,2 cubic,#8a6d00,2 bbr,#5a6270,2'] file every ::1 \
     using (strcol(1) eq each[1:strstrt(each, ',') - 1] ? $3 : NaN):(1) smooth cnormal \
     lw int(each[strlen(each):*]) lc rgb each[strstrt(each, '#'):strlen(each) - 2] \
     title each[1:strstrt(each, ',') - 1]
