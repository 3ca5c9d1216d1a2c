// SPDX-License-Identifier: GPL-2.0
/*
 * GRO for packets that were sprayed.
 *
 * The stock GRO takes packets of one connection for packets of two flows where their flow
 * labels differ, and keeps one run of a flow: a packet out of order ends it. Of packets that
 * came by many paths it merges none. Here
 *
 *   - the label says nothing within a connection;
 *   - several runs of a connection are held, as many as GRO holds packets, and each packet
 *     joins the run that it continues;
 *   - what continues none begins a run of its own, and waits like the others;
 *   - runs go up to TCP in the order in which they began.
 *
 * What may be merged is still the kernel's decision alone: of all that it holds of the
 * connection, this file shows it the one run that a packet may join, with the packet's label.
 * So traffic class, CE marks, TCP's flags, options, checksums and sizes part packets as they
 * always do.
 *
 * Packets of other hosts' connections, which this one forwards, are left to the stock GRO:
 * merged, they would leave with one label. Packets of one label are left to it, too.
 *
 * Everything here runs in NAPI's poll, in softirq, under the RCU read lock, and without any
 * socket's lock: it reads and writes what GRO holds for this poll only.
 */
#include <net/gro.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "dcc_offload.h"

/**
 * struct runs - what GRO holds of a packet's connection
 * @oldest: the run that began first, or NULL
 * @next: the one that the packet continues, or NULL
 * @hidden: are they hidden from the kernel's GRO? If there are several, or their label is
 *	another than the packet's, and this host's
 */
struct runs {
	struct sk_buff *oldest;
	struct sk_buff *next;
	bool hidden;
};

struct sk_buff *(*dcc_gro_stock)(struct list_head *head, struct sk_buff *skb) __ro_after_init;

static __be32 label_of(const struct ipv6hdr *ip)
{
	return *(__be32 *)ip & IPV6_FLOWLABEL_MASK;
}

/* A packet that GRO holds has been parsed: its headers are where the new one's are. */
static struct ipv6hdr *held_header(const struct sk_buff *held, unsigned int offset)
{
	return (struct ipv6hdr *)(held->data + offset);
}

/* The header of the packet that came, with TCP's behind it; NULL: that has another. */
static __always_inline const struct ipv6hdr *new_header(struct sk_buff *skb, unsigned int offset)
{
	const struct ipv6hdr *ip = skb_gro_header(skb, offset + sizeof(*ip) +
						  sizeof(struct tcphdr), offset);

	return likely(ip) && ip->nexthdr == IPPROTO_TCP ? ip : NULL;
}

static bool same_connection(const struct ipv6hdr *a, const struct ipv6hdr *b)
{
	return b->nexthdr == IPPROTO_TCP && dcc_ports(a) == dcc_ports(b) &&
	       ipv6_addr_equal(&a->saddr, &b->saddr) && ipv6_addr_equal(&a->daddr, &b->daddr);
}

/*
 * A run is continued until its first short segment, as GRO's are; behind a FIN, and behind a
 * packet without data, nothing comes.
 */
static bool is_continued(const struct sk_buff *held, const struct ipv6hdr *its,
			 const struct ipv6hdr *ip)
{
	const struct tcphdr *tcp = dcc_tcp(its);
	u32 len = skb_gro_len(held);

	return ntohl(tcp->seq) + len == ntohl(dcc_tcp(ip)->seq) && len && !tcp->fin &&
	       len == NAPI_GRO_CB(held)->count * skb_shinfo(held)->gso_size;
}

static void hide(struct sk_buff *held)
{
	NAPI_GRO_CB(held)->same_flow = 0;
}

/* False if it is, of a sprayed connection, none of this host's. */
static bool add_run(struct runs *runs, struct sk_buff *p, const struct ipv6hdr *its,
		    const struct sk_buff *skb, const struct ipv6hdr *ip)
{
	if (!runs->hidden && (runs->oldest || label_of(its) != label_of(ip))) {
		if (!dcc_is_local(skb, ip))
			return false;
		runs->hidden = true;
		if (runs->oldest)
			hide(runs->oldest);
	}
	if (runs->hidden)
		hide(p);
	if (!runs->next && is_continued(p, its, ip))
		runs->next = p;
	runs->oldest = p;
	return true;
}

/* The list has the newest first, and is short: MAX_GRO_SKBS of the kernel. */
static struct runs hide_runs(const struct list_head *head, const struct sk_buff *skb,
			     const struct ipv6hdr *ip, unsigned int offset)
{
	const struct ipv6hdr *its;
	struct runs runs = { 0 };
	struct sk_buff *p;

	list_for_each_entry(p, head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		its = held_header(p, offset);
		if (!same_connection(ip, its))
			continue;
		if (!add_run(&runs, p, its, skb, ip)) {
			this_cpu_inc(dcc_gro_count.foreign);
			break;
		}
	}
	return runs;
}

/* The kernel's GRO, which sees of all runs @next, with the packet's label. */
static struct sk_buff *stock_with(struct list_head *head, struct sk_buff *skb,
				  struct sk_buff *next, __be32 label, unsigned int offset)
{
	__be32 *word = (__be32 *)held_header(next, offset), before = *word;
	struct sk_buff *done;

	NAPI_GRO_CB(next)->same_flow = 1;
	*word = (before & ~IPV6_FLOWLABEL_MASK) | label;
	done = dcc_gro_stock(head, skb);
	*word = before;
	return done;
}

/*
 * A packet that GRO would hand up at once waits behind what is held of its connection. One
 * that TCP's part of GRO did not read to the end, whose checksum may be wrong, is left alone,
 * and so is a padded one: the next packet must never be merged with those.
 */
static noinline void wait_in_order(struct sk_buff *skb, unsigned int offset)
{
	const struct ipv6hdr *ip;

	if (skb_is_gso(skb) || skb_has_frag_list(skb))
		return;
	ip = new_header(skb, offset);
	if (ip && skb_gro_offset(skb) == offset + sizeof(*ip) + dcc_tcp(ip)->doff * 4 &&
	    skb->len - offset == sizeof(*ip) + ntohs(ip->payload_len))
		NAPI_GRO_CB(skb)->flush = 0;
}

/**
 * dcc_gro_receive() - the kernel's GRO of a packet over IPv6, for sprayed ones
 * @head: what is held of its hash, the newest first
 * @skb: the packet
 *
 * Context: softirq, in NAPI's poll, under the RCU read lock.
 * Return: as dcc_gro_stock(): the held packet that is to go up now, NULL, or an ERR_PTR().
 */
struct sk_buff *dcc_gro_receive(struct list_head *head, struct sk_buff *skb)
{
	unsigned int offset = skb_gro_offset(skb);
	const struct ipv6hdr *ip;
	struct sk_buff *done;
	struct runs runs;

	if (NAPI_GRO_CB(skb)->encap_mark)
		return dcc_gro_stock(head, skb);
	ip = new_header(skb, offset);
	if (!ip)
		return dcc_gro_stock(head, skb);
	runs = hide_runs(head, skb, ip, offset);
	if (!runs.hidden)
		return dcc_gro_stock(head, skb);
	done = runs.next ? stock_with(head, skb, runs.next, label_of(ip), offset) :
			   dcc_gro_stock(head, skb);
	if (NAPI_GRO_CB(skb)->same_flow) {
		this_cpu_inc(dcc_gro_count.joined);
	} else {
		if (IS_ERR(done))
			return done;
		this_cpu_inc(dcc_gro_count.runs);
		wait_in_order(skb, offset);
	}
	return done == runs.oldest ? done : NULL;
}
