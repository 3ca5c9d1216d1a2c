/* SPDX-License-Identifier: GPL-2.0 */
/* What links carried, as files that Wireshark and tcpdump read: <link>.pcap. */
#ifndef LAB_AGENT_PCAP_H
#define LAB_AGENT_PCAP_H

#include "lablink.h"

void pcap_open(const char *link, unsigned int number);
void pcap_packet(unsigned int number, u64 t_ns);
void pcap_bytes(const struct lab_trace_bytes *part);
void pcap_end(void);

#endif
