// SPDX-License-Identifier: GPL-2.0
/*
 * An XDP program that sets the flow label of received TCP packets to zero, for hosts that may
 * not load modules. GRO takes packets with different labels for different flows, and merges none
 * of a sprayed connection. XDP comes before GRO, which then sees a single label. The rest of the
 * packet stays, and so do the traffic class and its ECN mark.
 *
 * Only packets of this host's own connections are changed. A packet that is forwarded needs its
 * label on the rest of its path. How to attach it, and what it costs: Documentation/bpf.md.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ipv6.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define TAGS		2		/* VLAN tags in the frame, at most: IEEE 802.1ad has two */
#define TAG_WORDS	2		/* of 16 bits each: the tag's value, the next type */
#define LABEL_MASK	0x000fffff	/* in the header's first 32 bits (RFC 8200, section 3) */

#define INLINE	static inline __attribute__((always_inline))

char _license[] SEC("license") = "GPL";

INLINE bool is_tag(__be16 type)
{
	return type == bpf_htons(ETH_P_8021Q) || type == bpf_htons(ETH_P_8021AD);
}

/* A NIC may leave VLAN tags in the frame: the type of what the frame carries is behind them. */
INLINE __be16 *carried_type(void *frame, void *end)
{
	__be16 *type = frame + offsetof(struct ethhdr, h_proto);
	int tags;

	for (tags = 0; tags < TAGS; tags++) {
		if ((void *)(type + 1) > end)
			return NULL;
		if (!is_tag(*type))
			break;
		type += TAG_WORDS;
	}
	return (void *)(type + 1) > end ? NULL : type;
}

/* The IPv6 header, if TCP's ports follow it at once, else NULL. */
INLINE struct ipv6hdr *tcp_over_ipv6(const struct xdp_md *ctx)
{
	void *end = (void *)(long)ctx->data_end;
	__be16 *type = carried_type((void *)(long)ctx->data, end);
	struct ipv6hdr *ip;

	if (!type || *type != bpf_htons(ETH_P_IPV6))
		return NULL;
	ip = (struct ipv6hdr *)(type + 1);
	if ((void *)(ip + 1) + 2 * sizeof(__be16) > end)
		return NULL;
	return ip->nexthdr == IPPROTO_TCP ? ip : NULL;
}

/*
 * XDP comes before routing, so a socket tells whether the packet is for this host. Addresses and
 * ports follow each other in the packet as the helper expects them. A listening socket does not
 * count: one that is bound to no address is found for every address, also of forwarded packets.
 */
INLINE bool has_connection(struct xdp_md *ctx, const struct ipv6hdr *ip)
{
	struct bpf_sock_tuple *tuple = (struct bpf_sock_tuple *)&ip->saddr;
	struct bpf_sock *sk;
	bool connected;

	sk = bpf_skc_lookup_tcp(ctx, tuple, sizeof(tuple->ipv6), BPF_F_CURRENT_NETNS, 0);
	if (!sk)
		return false;
	connected = sk->state != BPF_TCP_LISTEN;
	bpf_sk_release(sk);
	return connected;
}

/*
 * No checksum covers the label: TCP's has the addresses, the length and the protocol. Headers
 * are in a frame's first piece, so frames may have several, as drivers make of jumbo frames.
 */
SEC("xdp.frags")
int zero_label(struct xdp_md *ctx)
{
	struct ipv6hdr *ip = tcp_over_ipv6(ctx);
	__be32 *first = (__be32 *)ip;

	if (ip && *first & bpf_htonl(LABEL_MASK) && has_connection(ctx, ip))
		*first &= ~bpf_htonl(LABEL_MASK);
	return XDP_PASS;
}
