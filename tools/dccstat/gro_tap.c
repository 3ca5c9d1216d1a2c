// SPDX-License-Identifier: GPL-2.0
/*
 * Listens for what comes to TCP over IPv6, for gro.c. What a tap of a protocol sees GRO has
 * merged before. A filter in the kernel drops all but data of TCP, so other traffic costs
 * next to nothing; of those, headers alone come into a ring that both sides see, each with
 * its time, and no call of the kernel's is made for a packet. It takes CAP_NET_RAW.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "doctor.h"
#include "io.h"

#define FRAME_BYTES	256	/* the ring's own header, and GRO_HEADERS */
#define BLOCK_BYTES	65536
#define BLOCKS		64
#define FRAMES		(BLOCK_BYTES / FRAME_BYTES * BLOCKS)
#define LOOK_US		5000	/* a ring is full after that at 3 million packets a second */

/**
 * struct tap - an open one
 * @fd: its socket
 * @ring: frames that the kernel and this program hand each other
 * @next: frame that the kernel fills next
 */
struct tap {
	int fd;
	u8 *ring;
	u32 next;
};

/* offsets from IPv6's header on: a tap of this kind has no other before it */
#define AT_LENGTH	4
#define AT_NEXT		6
#define AT_TCP_WORDS	52
#define TCP_WORDS_SHIFT	2	/* its upper four bits are words: (b >> 4) * 4 */
#define TCP_WORDS_MASK	0x3c

/* Data of TCP that came for this machine's MAC address; the loopback device has no GRO. */
static bool set_filter(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (u32)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_HOST, 0, 10),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, AT_NEXT),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_TCP, 0, 8),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (u32)(SKF_AD_OFF + SKF_AD_HATYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARPHRD_LOOPBACK, 6, 0),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, AT_TCP_WORDS),
		BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, TCP_WORDS_SHIFT),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, TCP_WORDS_MASK),
		BPF_STMT(BPF_MISC | BPF_TAX, 0),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, AT_LENGTH),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_X, 0, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, GRO_HEADERS),
	};
	struct sock_fprog filter = { .len = ARRAY_SIZE(code), .filter = code };

	return !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter));
}

static bool set_ring(struct tap *tap)
{
	struct tpacket_req ring = {
		.tp_block_size = BLOCK_BYTES, .tp_block_nr = BLOCKS,
		.tp_frame_size = FRAME_BYTES, .tp_frame_nr = FRAMES,
	};
	int version = TPACKET_V2;

	if (setsockopt(tap->fd, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) ||
	    setsockopt(tap->fd, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring)))
		return false;
	tap->ring = mmap(NULL, (size_t)BLOCK_BYTES * BLOCKS, PROT_READ | PROT_WRITE, MAP_SHARED,
			 tap->fd, 0);
	return tap->ring != MAP_FAILED;
}

/* Nothing comes before it is bound: there is no packet that was not filtered. */
static bool set_up(struct tap *tap)
{
	struct sockaddr_ll all = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IPV6),
	};

	return set_filter(tap->fd) && set_ring(tap) &&
	       !bind(tap->fd, (struct sockaddr *)&all, sizeof(all));
}

/* Return: why not, as errno; 0: it is open. */
static int open_tap(struct tap *tap)
{
	int error = 0;

	tap->fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (tap->fd < 0)
		return errno;
	if (!set_up(tap)) {
		error = errno;
		close(tap->fd);
	}
	return error;
}

static void close_tap(struct tap *tap)
{
	munmap(tap->ring, (size_t)BLOCK_BYTES * BLOCKS);
	close(tap->fd);
}

static void take_frame(const struct tpacket2_hdr *frame, struct gro_table *table)
{
	const u8 *start = (const u8 *)frame;
	const struct sockaddr_ll *by = (const void *)(start + TPACKET_ALIGN(sizeof(*frame)));
	struct gro_packet p = {
		.now = frame->tp_sec * (u64)NSEC_PER_SEC + frame->tp_nsec,
		.device = (u32)by->sll_ifindex,
	};

	if (gro_parse(start + frame->tp_net, frame->tp_snaplen, &p))
		gro_take(table, &p);
}

/* All that are there now, and no more: somebody may send faster than this reads. */
static void take_frames(struct tap *tap, struct gro_table *table)
{
	u32 i;

	for (i = 0; i < FRAMES; i++) {
		struct tpacket2_hdr *frame =
			(void *)(tap->ring + (size_t)tap->next * FRAME_BYTES);

		if (!(__atomic_load_n(&frame->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER))
			return;
		take_frame(frame, table);
		__atomic_store_n(&frame->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
		tap->next = (tap->next + 1) % FRAMES;
	}
}

static void listen_to(struct tap *tap, struct gro_table *table)
{
	u64 until = now_ns() + GRO_LISTEN_MS * (u64)NSEC_PER_MSEC;
	struct tpacket_stats stats = { 0 };
	socklen_t len = sizeof(stats);

	do {
		usleep(LOOK_US);
		take_frames(tap, table);
	} while (now_ns() < until && !is_stopped());
	if (!getsockopt(tap->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
		table->unseen += stats.tp_drops;
}

static bool is_ours(const struct in6_addr *address, const struct ifaddrs *list)
{
	for (; list; list = list->ifa_next) {
		const struct sockaddr_in6 *own = (const void *)list->ifa_addr;

		if (own && own->sin6_family == AF_INET6 &&
		    !memcmp(&own->sin6_addr, address, sizeof(*address)))
			return true;
	}
	return false;
}

/* A router gets packets of others, too, which no GRO may merge. */
static void mark_foreign(struct gro_table *table)
{
	struct ifaddrs *list;
	u32 i;

	if (getifaddrs(&list))
		cannot("no answer about this host's addresses: %s", strerror(errno));
	for (i = 0; i < GRO_CONNECTIONS; i++)
		table->at[i].foreign = !is_ours(&table->at[i].ends.to, list);
	freeifaddrs(list);
}

/* Does a device merge nothing? One that has gone meanwhile is not known to. */
static bool is_off(u32 index, char name[IF_NAMESIZE])
{
	struct ethtool_value value = { .cmd = ETHTOOL_GGRO };
	struct ifreq request = { .ifr_data = (void *)&value };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool off = false;

	if (fd >= 0 && if_indextoname(index, name)) {
		memcpy(request.ifr_name, name, sizeof(request.ifr_name));
		off = !ioctl(fd, SIOCETHTOOL, &request) && !value.data;
	}
	if (fd >= 0)
		close(fd);
	return off;
}

static void find_off(const struct gro_table *table, char off[DEVICE_TEXT])
{
	char name[IF_NAMESIZE];
	u32 i;

	for (i = 0; i < GRO_CONNECTIONS && !*off; i++)
		if (gro_counts(&table->at[i]) && is_off(table->at[i].device, name))
			snprintf(off, DEVICE_TEXT, "%s", name);
}

/**
 * gro_measure() - what would dcc_offload merge of what comes now?
 * @gro: its @error, @seen and @off are set
 */
void gro_measure(struct gro *gro)
{
	static struct gro_table table;
	struct tap tap = { 0 };

	memset(&table, 0, sizeof(table));
	gro->error = open_tap(&tap);
	if (gro->error)
		return;
	listen_to(&tap, &table);
	close_tap(&tap);
	mark_foreign(&table);
	find_off(&table, gro->off);
	gro_sum(&table, &gro->seen);
}
