# SPDX-License-Identifier: GPL-2.0
# Sizes of flows of a distributed storage system of Alibaba's, in the nine points that
# were published with HPCC (SIGCOMM 2019). Straight lines between the points: mean
# 40870 bytes, half of the flows below 6340 bytes.
0 0
4000 0.2293
8000 0.6921
16000 0.8061
32000 0.9047
64000 0.9353
128000 0.9677
256000 0.9753
2000000 1
