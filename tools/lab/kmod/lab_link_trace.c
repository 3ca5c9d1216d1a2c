// SPDX-License-Identifier: GPL-2.0
/*
 * The trace hash, of every event of every direction, and the trace records, of
 * the directions that have them on. Records are kept in pages, taken as they
 * are needed up to trace_mib MiB and given back as they are read.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "lab_link.h"

struct lab_page {
	struct list_head list;
	u32 count;
	u32 taken;		/* already read */
	struct lab_trace record[];
};

#define LAB_PAGE_RECORDS \
	((PAGE_SIZE - sizeof(struct lab_page)) / sizeof(struct lab_trace))
#define LAB_PAGES_PER_MIB	(1024 * 1024 / PAGE_SIZE)

static unsigned int trace_mib = 64;
module_param(trace_mib, uint, 0644);
MODULE_PARM_DESC(trace_mib, "MiB of trace records kept until read (default 64)");

static DEFINE_SPINLOCK(lab_trace_lock);		/* BH; of what follows */
static LIST_HEAD(lab_trace_pages);
static unsigned long lab_trace_page_count;
static u64 lab_trace_lost;
static u64 lab_trace_pending;

static DEFINE_MUTEX(lab_trace_reader);		/* one read at a time */
static u64 lab_t0;				/* CLOCK_MONOTONIC of t = 0 */

/* Ports, sequence and acknowledgment numbers of TCP; ports of UDP. */
static void lab_header_transport(const struct sk_buff *skb, int offset,
				 u8 protocol, struct lab_header *h)
{
	const struct tcphdr *tcp;
	struct tcphdr buf;
	u32 len;

	if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP)
		return;
	len = protocol == IPPROTO_TCP ? sizeof(struct tcphdr) :
					sizeof(struct udphdr);
	tcp = skb_header_pointer(skb, offset, len, &buf);
	if (!tcp)
		return;
	h->sport = ntohs(tcp->source);
	h->dport = ntohs(tcp->dest);
	if (protocol == IPPROTO_TCP) {
		h->seq = ntohl(tcp->seq);
		h->ack = ntohl(tcp->ack_seq);
	}
}

/* Reads the headers, without extension headers, tunnels or fragments. */
void lab_header_parse(const struct sk_buff *skb, struct lab_header *h)
{
	int offset = skb_network_offset(skb);
	const struct ipv6hdr *ip6;
	const struct iphdr *ip4;
	struct ipv6hdr buf6;
	struct iphdr buf4;

	memset(h, 0, sizeof(*h));
	if (skb->protocol == htons(ETH_P_IPV6)) {
		ip6 = skb_header_pointer(skb, offset, sizeof(buf6), &buf6);
		if (!ip6)
			return;
		h->label = ntohl(ip6_flowlabel(ip6));
		h->dscp_ecn = ipv6_get_dsfield(ip6);
		lab_header_transport(skb, offset + sizeof(buf6), ip6->nexthdr,
				     h);
	} else if (skb->protocol == htons(ETH_P_IP)) {
		ip4 = skb_header_pointer(skb, offset, sizeof(buf4), &buf4);
		if (!ip4)
			return;
		h->dscp_ecn = ip4->tos;
		if (!ip_is_fragment(ip4))
			lab_header_transport(skb, offset + ip4->ihl * 4,
					     ip4->protocol, h);
	}
}

/* The headers in 32 bits, for the trace hash. */
u32 lab_header_key(const struct lab_header *h)
{
	u64 a = (u64)h->seq << 32 | h->ack;
	u64 b = (u64)h->label << 40 | (u64)h->dscp_ecn << 32 |
		(u32)h->sport << 16 | h->dport;

	return lab_mix(lab_mix(a) + b) >> 32;
}

/* Room for one record, or NULL. */
static struct lab_trace *lab_trace_room(void)
{
	struct lab_page *page;

	if (!list_empty(&lab_trace_pages)) {
		page = list_last_entry(&lab_trace_pages, struct lab_page, list);
		if (page->count < LAB_PAGE_RECORDS)
			return &page->record[page->count++];
	}
	if (lab_trace_page_count >= (u64)trace_mib * LAB_PAGES_PER_MIB)
		return NULL;
	page = (struct lab_page *)__get_free_page(GFP_ATOMIC | __GFP_NOWARN);
	if (!page)
		return NULL;
	page->count = 1;
	page->taken = 0;
	list_add_tail(&page->list, &lab_trace_pages);
	lab_trace_page_count++;
	return &page->record[0];
}

/* Keeps what a packet begins with, behind the record of its event. */
static void lab_trace_bytes(const struct sk_buff *skb)
{
	int offset = skb_network_offset(skb);
	u32 left = min_t(u32, skb->len - offset, LAB_BYTES_MAX);
	struct lab_trace_bytes *r;

	BUILD_BUG_ON(sizeof(struct lab_trace_bytes) != sizeof(struct lab_trace));
	BUILD_BUG_ON(offsetof(struct lab_trace_bytes, event) !=
		     offsetof(struct lab_trace, event));
	for (; left; left -= r->count, offset += r->count) {
		r = (struct lab_trace_bytes *)lab_trace_room();
		if (!r) {
			lab_trace_lost++;
			return;
		}
		memset(r, 0, sizeof(*r));
		r->event = LAB_EV_BYTES;
		r->count = min_t(u32, left, LAB_BYTES_RECORD);
		r->last = r->count == left;
		skb_copy_bits(skb, offset, r->bytes, r->count);
		lab_trace_pending++;
	}
}

/* Keeps a record of an event. */
static void lab_trace_add(struct lab_dir *d, enum lab_event event, u64 t,
			  struct sk_buff *skb)
{
	const struct lab_packet *p = lab_packet(skb);
	u32 asked = d->params.trace;
	struct lab_header h;
	struct lab_trace *r;

	if (event != LAB_EV_TX)
		asked &= ~LAB_TRACE_BYTES;
	if (!asked)
		return;
	lab_header_parse(skb, &h);
	spin_lock(&lab_trace_lock);
	r = lab_trace_room();
	if (r) {
		*r = (struct lab_trace) {
			.t_ns = t, .link = d->params.link,
			.dir = d->params.dir, .event = event, .len = p->len,
			.queue = min_t(u64, d->queue, U32_MAX),
			.hash = p->hash, .label = h.label, .seq = h.seq,
			.sport = h.sport, .dport = h.dport,
			.dscp_ecn = h.dscp_ecn, .flags = asked,
		};
		lab_trace_pending++;
		if (asked & LAB_TRACE_BYTES)
			lab_trace_bytes(skb);
	} else {
		lab_trace_lost++;
	}
	spin_unlock(&lab_trace_lock);
}

/* Every event of a direction passes here, under its lock. */
void lab_event(struct lab_dir *d, enum lab_event event, u64 t,
	       struct sk_buff *skb)
{
	const struct lab_packet *p = lab_packet(skb);

	t -= lab_t0;
	d->stats.hash += lab_event_hash(t, d->where * LAB_EV_MAX + event,
					p->key, p->len);
	if (unlikely(d->params.trace))
		lab_trace_add(d, event, t, skb);
}

/* Takes the oldest page off the list for its reader. */
static struct lab_page *lab_trace_take(void)
{
	struct lab_page *page;

	spin_lock_bh(&lab_trace_lock);
	page = list_first_entry_or_null(&lab_trace_pages, struct lab_page,
					list);
	if (page)
		list_del(&page->list);
	spin_unlock_bh(&lab_trace_lock);
	return page;
}

/* Puts a page back that is not read to its end, frees one that is. */
static void lab_trace_put(struct lab_page *page, u32 taken)
{
	bool done;

	page->taken += taken;
	done = page->taken == page->count;
	spin_lock_bh(&lab_trace_lock);
	lab_trace_pending -= taken;
	if (done)
		lab_trace_page_count--;
	else
		list_add(&page->list, &lab_trace_pages);
	spin_unlock_bh(&lab_trace_lock);
	if (done)
		free_page((unsigned long)page);
}

/* read() of /dev/lab: whole records, as many as fit; 0 if there are none. */
ssize_t lab_trace_read(char __user *to, size_t size)
{
	size_t room = size / sizeof(struct lab_trace);
	struct lab_page *page;
	size_t got = 0;
	int err = 0;
	u32 n;

	if (!room)
		return -EINVAL;
	mutex_lock(&lab_trace_reader);
	while (!err && got < room) {
		page = lab_trace_take();
		if (!page)
			break;
		n = min_t(size_t, room - got, page->count - page->taken);
		if (copy_to_user(to + got * sizeof(struct lab_trace),
				 &page->record[page->taken],
				 n * sizeof(struct lab_trace))) {
			err = -EFAULT;
			n = 0;
		}
		lab_trace_put(page, n);
		got += n;
	}
	mutex_unlock(&lab_trace_reader);
	return got ? got * sizeof(struct lab_trace) : err;
}

/* Throws the records away. */
void lab_trace_free(void)
{
	struct lab_page *page;

	mutex_lock(&lab_trace_reader);
	while ((page = lab_trace_take()))
		lab_trace_put(page, page->count - page->taken);
	mutex_unlock(&lab_trace_reader);
}

/* From now on times count from t0, and there are no records yet. */
void lab_trace_start(u64 t0)
{
	lab_trace_free();
	spin_lock_bh(&lab_trace_lock);
	lab_t0 = t0;
	lab_trace_lost = 0;
	spin_unlock_bh(&lab_trace_lock);
}

u64 lab_trace_t0(void)
{
	return lab_t0;
}

void lab_trace_count(struct lab_info *info)
{
	spin_lock_bh(&lab_trace_lock);
	info->trace_lost = lab_trace_lost;
	info->trace_pending = lab_trace_pending;
	spin_unlock_bh(&lab_trace_lock);
}
