# SPDX-License-Identifier: GPL-2.0
# Sizes of flows in a web search cluster: DCTCP (Alizadeh et al., SIGCOMM 2010),
# Figure 4, in the twelve points that the published simulators of HPCC (SIGCOMM
# 2019) and its successors use. Straight lines between the points: mean 1711250
# bytes, half of the flows below 73077 bytes.
0 0
10000 0.15
20000 0.20
30000 0.30
50000 0.40
80000 0.53
200000 0.60
1000000 0.70
2000000 0.80
5000000 0.90
10000000 0.97
30000000 1
