// SPDX-License-Identifier: GPL-2.0
/*
 * What links carried, as files that Wireshark and tcpdump read: one of each link,
 * <link>.pcap, both directions. A packet has the time at which its last bit left the
 * sender, and its first LAB_BYTES_MAX bytes from the IP header on.
 */
#include <arpa/inet.h>
#include <netinet/ip6.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcap.h"

#define MAGIC_NS	0xa1b23c4d	/* times in ns */
#define VERSION_MAJOR	2
#define VERSION_MINOR	4
#define LINKTYPE_RAW	101		/* starts with the IP header */

struct file_header {
	u32 magic;
	u16 major, minor;
	u32 zone, accuracy;
	u32 most;		/* bytes of a packet that are kept */
	u32 linktype;
};

struct packet_header {
	u32 s, ns;
	u32 kept;
	u32 len;		/* of the whole packet */
};

/* The files, by the link's number; NULL: nobody asked for it */
static struct capture {
	FILE *file;
	char *name;
} *captures;
static unsigned int capture_count;

/* The packet whose bytes come now */
static struct {
	unsigned int link;
	u64 t_ns;
	u32 kept;
	unsigned char bytes[LAB_BYTES_MAX];
} packet;

static void open_file(const char *link, struct capture *capture)
{
	const struct file_header header = {
		.magic = MAGIC_NS, .major = VERSION_MAJOR,
		.minor = VERSION_MINOR, .most = LAB_BYTES_MAX,
		.linktype = LINKTYPE_RAW,
	};

	if (asprintf(&capture->name, "%s.pcap", link) < 0)
		fail_errno("memory for a file's name");
	capture->file = open_output(capture->name);
	fwrite(&header, sizeof(header), 1, capture->file);
}

/* A link is to be captured: its file is there even if it carries nothing. */
void pcap_open(const char *link, unsigned int number)
{
	while (capture_count <= number) {
		captures = grow(captures, capture_count, sizeof(*captures));
		captures[capture_count++] = (struct capture){ 0 };
	}
	if (!captures[number].file)
		open_file(link, &captures[number]);
}

/* A packet of such a link; its bytes follow. */
void pcap_packet(unsigned int number, u64 t_ns)
{
	packet.link = number;
	packet.t_ns = t_ns;
	packet.kept = 0;
}

/* The IP header tells how long it was. */
static u32 packet_length(void)
{
	u16 length;
	bool ip6 = packet.bytes[0] >> 4 == 6;

	memcpy(&length, packet.bytes + (ip6 ? 4 : 2), sizeof(length));
	return ntohs(length) + (ip6 ? sizeof(struct ip6_hdr) : 0);
}

/* The next of its bytes; with the last it is written. */
void pcap_bytes(const struct lab_trace_bytes *part)
{
	struct packet_header header = {
		.s = packet.t_ns / NSEC_PER_SEC, .ns = packet.t_ns % NSEC_PER_SEC,
	};

	if (packet.kept + part->count > sizeof(packet.bytes))
		fail("a packet of more than %zu bytes from the kernel",
		     sizeof(packet.bytes));
	memcpy(packet.bytes + packet.kept, part->bytes, part->count);
	packet.kept += part->count;
	if (!part->last)
		return;
	header.kept = packet.kept;
	header.len = packet_length();
	fwrite(&header, sizeof(header), 1, captures[packet.link].file);
	fwrite(packet.bytes, packet.kept, 1, captures[packet.link].file);
}

void pcap_end(void)
{
	unsigned int i;

	for (i = 0; i < capture_count; i++)
		if (captures[i].file)
			close_output(captures[i].file, captures[i].name);
}
