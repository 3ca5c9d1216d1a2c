// SPDX-License-Identifier: GPL-2.0
/*
 * The link kind "lablink": a pair of devices, made and deleted together, each
 * holding the direction it transmits (struct lab_dir) as its private area.
 * All links are in lab_links by id; that table, like everything about devices
 * here, is under the rtnl lock.
 */
#include <linux/if_arp.h>
#include <linux/xarray.h>
#include <net/rtnetlink.h>

#include "lab_link.h"

#define LAB_MBIT	1000000U	/* ethtool's unit of speed */

static DEFINE_XARRAY(lab_links);	/* id -> end A */

static int lab_dev_stop(struct net_device *dev)
{
	lab_rx_stop(dev);
	lab_dir_close(netdev_priv(dev));
	return 0;
}

/* The other end; NULL once the link is being deleted. */
struct net_device *lab_dev_peer(struct net_device *dev)
{
	return rtnl_dereference(((struct lab_dir *)netdev_priv(dev))->peer);
}

static int lab_dev_iflink(const struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct net_device *peer;
	int iflink;

	rcu_read_lock();
	peer = rcu_dereference(d->peer);
	iflink = peer ? READ_ONCE(peer->ifindex) : 0;
	rcu_read_unlock();
	return iflink;
}

/* "ip -s link": this end sends one direction and receives the other. */
static void lab_dev_stats64(struct net_device *dev,
			    struct rtnl_link_stats64 *to)
{
	struct lab_dir *d = netdev_priv(dev);
	struct net_device *peer;
	struct lab_stats stats;

	lab_dir_stats(d, lab_now(), &stats);
	to->tx_packets = stats.tx_packets;
	to->tx_bytes = stats.tx_bytes;
	to->tx_dropped = stats.drops + stats.down;
	rcu_read_lock();
	peer = rcu_dereference(d->peer);
	if (peer) {
		lab_dir_stats(netdev_priv(peer), lab_now(), &stats);
		to->rx_packets = stats.rx_packets;
		to->rx_bytes = stats.rx_bytes;
	}
	rcu_read_unlock();
}

static const struct net_device_ops lab_dev_ops = {
	.ndo_uninit		= lab_rx_free,
	.ndo_stop		= lab_dev_stop,
	.ndo_start_xmit		= lab_dir_xmit,
	.ndo_get_iflink		= lab_dev_iflink,
	.ndo_get_stats64	= lab_dev_stats64,
};

/* What ethtool shows, and congestion controls that ask for the line rate. */
void lab_dev_ksettings(struct ethtool_link_ksettings *cmd, u64 rate)
{
	u64 speed = rate / LAB_MBIT;

	cmd->base.speed = speed ? min_t(u64, speed, INT_MAX) : SPEED_UNKNOWN;
	cmd->base.duplex = DUPLEX_FULL;
	cmd->base.port = PORT_OTHER;
	cmd->base.autoneg = AUTONEG_DISABLE;
}

static int lab_dev_get_ksettings(struct net_device *dev,
				 struct ethtool_link_ksettings *cmd)
{
	struct lab_dir *d = netdev_priv(dev);

	lab_dev_ksettings(cmd, READ_ONCE(d->params.rate));
	return 0;
}

static const struct ethtool_ops lab_dev_ethtool = {
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= lab_dev_get_ksettings,
	.get_ts_info		= ethtool_op_get_ts_info,
};

/*
 * What both kinds have in common. Checksums are left to us, that is to nobody:
 * the wire does not corrupt. No TSO unless asked for (lab_link_offload.c): the
 * stack segments before the link, whose unit is the packet; and TCP does not even
 * build GSO packets, which would arrive in bursts (gso_max_segs; can be raised
 * per device).
 */
void lab_dev_setup(struct net_device *dev, const struct net_device_ops *ops)
{
	dev->netdev_ops = ops;
	dev->type = ARPHRD_NONE;
	dev->flags = IFF_POINTOPOINT | IFF_NOARP;
	dev->priv_flags |= IFF_NO_QUEUE;
	dev->lltx = true;
	dev->mtu = ETH_DATA_LEN;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = ETH_MAX_MTU;
	dev->features |= NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA |
			 NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	dev->hw_features |= NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	dev->gso_max_segs = LAB_ONE_SEGMENT;
	dev->needs_free_netdev = true;
}

static void lab_link_setup(struct net_device *dev)
{
	lab_dev_setup(dev, &lab_dev_ops);
	dev->ethtool_ops = &lab_dev_ethtool;
	dev->hw_features |= NETIF_F_ALL_TSO;
	lab_dir_init(netdev_priv(dev), dev);
}

static int lab_link_validate(struct nlattr *tb[], struct nlattr *data[],
			     struct netlink_ext_ack *extack)
{
	if (!data || !data[LABLINK_ID]) {
		NL_SET_ERR_MSG(extack, "lablink: LABLINK_ID is missing");
		return -EINVAL;
	}
	return 0;
}

/* Creates and registers end B, in its own namespace. */
static struct net_device *lab_link_make_peer(struct net *src_net,
					     struct nlattr *nest,
					     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[IFLA_MAX + 1] = {};
	struct ifinfomsg *ifmp = NULL;
	char name[IFNAMSIZ] = LABLINK_KIND "%d";
	struct net_device *peer;
	struct net *net;
	int err;

	if (nest) {
		err = rtnl_nla_parse_ifinfomsg(tb, nest, extack);
		if (err < 0)
			return ERR_PTR(err);
		ifmp = nla_data(nest);
	}
	if (tb[IFLA_IFNAME])
		nla_strscpy(name, tb[IFLA_IFNAME], IFNAMSIZ);
	net = rtnl_link_get_net(src_net, tb);
	if (IS_ERR(net))
		return ERR_CAST(net);
	peer = rtnl_create_link(net, name, tb[IFLA_IFNAME] ? NET_NAME_USER :
				NET_NAME_ENUM, &lab_link_ops, tb, extack);
	if (IS_ERR(peer)) {
		put_net(net);
		return peer;
	}
	if (ifmp)
		peer->ifindex = ifmp->ifi_index;
	err = register_netdevice(peer);
	put_net(net);
	if (err < 0) {
		free_netdev(peer);
		return ERR_PTR(err);
	}
	err = rtnl_configure_link(peer, ifmp, 0, NULL);
	if (err < 0) {
		unregister_netdevice(peer);
		return ERR_PTR(err);
	}
	return peer;
}

/* Ties two registered ends into a link. */
static void lab_link_tie(struct net_device *a, struct net_device *b, u32 id)
{
	struct lab_dir *ab = netdev_priv(a);
	struct lab_dir *ba = netdev_priv(b);

	lab_dir_name(ab, id, LAB_AB);
	lab_dir_name(ba, id, LAB_BA);
	rcu_assign_pointer(ab->peer, b);
	rcu_assign_pointer(ba->peer, a);
}

static int lab_link_new(struct net *src_net, struct net_device *dev,
			struct nlattr *tb[], struct nlattr *data[],
			struct netlink_ext_ack *extack)
{
	u32 id = nla_get_u32(data[LABLINK_ID]);
	struct net_device *peer;
	int err;

	err = lab_timer_reserve();
	if (err)
		return err;
	err = xa_insert(&lab_links, id, dev, GFP_KERNEL);
	if (err == -EBUSY) {
		NL_SET_ERR_MSG(extack, "lablink: this LABLINK_ID exists");
		return -EEXIST;
	}
	if (err)
		return err;
	peer = lab_link_make_peer(src_net, data[LABLINK_PEER], extack);
	if (IS_ERR(peer)) {
		err = PTR_ERR(peer);
		goto no_peer;
	}
	err = register_netdevice(dev);
	if (err < 0)
		goto no_dev;
	lab_link_tie(dev, peer, id);
	return 0;

no_dev:
	unregister_netdevice(peer);
no_peer:
	xa_erase(&lab_links, id);
	return err;
}

/* Takes one end out; its timer and packets go when it is closed. */
static void lab_link_remove(struct net_device *dev, struct list_head *head)
{
	struct lab_dir *d = netdev_priv(dev);

	lab_group_forget(d);
	RCU_INIT_POINTER(d->peer, NULL);
	unregister_netdevice_queue(dev, head);
}

static void lab_link_del(struct net_device *dev, struct list_head *head)
{
	struct lab_dir *d = netdev_priv(dev);
	struct net_device *peer = lab_dev_peer(dev);

	if (!peer)
		return;
	xa_erase(&lab_links, d->params.link);
	lab_link_remove(dev, head);
	lab_link_remove(peer, head);
}

static size_t lab_link_size(const struct net_device *dev)
{
	return nla_total_size(sizeof(u32));
}

static int lab_link_fill(struct sk_buff *skb, const struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);

	return nla_put_u32(skb, LABLINK_ID, d->params.link);
}

static struct net *lab_link_net(const struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(d->peer);

	return peer ? dev_net(peer) : dev_net(dev);
}

static const struct nla_policy lab_link_policy[LABLINK_MAX + 1] = {
	[LABLINK_ID]	= { .type = NLA_U32 },
	[LABLINK_PEER]	= { .len = sizeof(struct ifinfomsg) },
};

struct rtnl_link_ops lab_link_ops __read_mostly = {
	.kind		= LABLINK_KIND,
	.priv_size	= sizeof(struct lab_dir),
	.setup		= lab_link_setup,
	.maxtype	= LABLINK_MAX,
	.policy		= lab_link_policy,
	.validate	= lab_link_validate,
	.newlink	= lab_link_new,
	.dellink	= lab_link_del,
	.get_size	= lab_link_size,
	.fill_info	= lab_link_fill,
	.get_link_net	= lab_link_net,
};

/* The direction `dir` of link `link`, or NULL; under rtnl. */
struct lab_dir *lab_dir_find(u32 link, u32 dir)
{
	struct net_device *dev = xa_load(&lab_links, link);

	if (!dev || dir > LAB_BA)
		return NULL;
	return netdev_priv(dir == LAB_AB ? dev : lab_dev_peer(dev));
}

/* Calls fn for every direction by id, AB before BA, until it fails. */
int lab_dir_for_each(int (*fn)(struct lab_dir *d, void *arg), void *arg)
{
	struct net_device *dev;
	unsigned long id;
	int err = 0;

	ASSERT_RTNL();
	xa_for_each(&lab_links, id, dev) {
		err = fn(netdev_priv(dev), arg);
		if (!err)
			err = fn(netdev_priv(lab_dev_peer(dev)), arg);
		if (err)
			break;
	}
	return err;
}
