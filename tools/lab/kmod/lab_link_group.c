// SPDX-License-Identifier: GPL-2.0
/*
 * The link kind "labgroup": adaptive routing. A device without a wire of its
 * own; each packet goes out of the member direction with the shortest queue in
 * units of the quantum, ties broken at random. The packet then takes the usual
 * way out of that member (its qdisc, taps and counters). Of a group that sprays
 * only what is fit for it, marked packets stay with the one member that a hash
 * of their flow says, as without adaptive routing.
 *
 * Members are replaced as a whole; the transmit path reads them under RCU, all
 * else is under the rtnl lock.
 */
#include <net/rtnetlink.h>

#include "lab_link.h"

struct lab_members {
	struct rcu_head rcu;
	u32 quantum;
	u32 flags;
	u32 count;
	struct lab_dir *dir[] __counted_by(count);
};

struct lab_group {
	struct list_head list;		/* in lab_groups */
	struct net_device *dev;
	struct lab_members __rcu *members;
	spinlock_t lock;		/* BH; of choices and counters */
	u64 rng;
	u64 salt;			/* of the hash of marked packets */
	u64 packets;
	u64 bytes;
	u64 dropped;
	u32 id;
	u32 quantum;			/* in force, kept by a set with 0 */
};

/* Keeps the streams of groups apart from those of links (2^34 of them). */
#define LAB_GROUP_STREAM	BIT_ULL(40)
#define LAB_GROUP_SALT		BIT_ULL(41)

static LIST_HEAD(lab_groups);

/* Queue in quanta; U64_MAX stays above any real one: down comes last. */
static u64 lab_group_cost(const struct lab_members *m, u32 i, u64 now)
{
	u64 queue = lab_dir_queue(m->dir[i], now);

	if (queue == U64_MAX || m->quantum < 2)
		return queue;
	return queue / m->quantum;
}

/*
 * The shortest member; `*rng` breaks ties, with one draw for each tie found, so
 * that the k-th equal candidate replaces the choice with probability 1/k.
 */
static struct lab_dir *lab_group_pick(const struct lab_members *m, u64 *rng)
{
	u64 now = ktime_get_ns();
	u64 best = U64_MAX;
	u32 ties = 0;
	u32 choice = 0;
	u32 i;

	for (i = 0; i < m->count; i++) {
		u64 cost = lab_group_cost(m, i, now);

		if (cost > best)
			continue;
		if (cost < best)
			ties = 0;
		best = cost;
		if (!ties++ || !lab_random_below(rng, ties))
			choice = i;
	}
	return m->dir[choice];
}

/* The member of a flow: by its label and ports, and a salt of each group's own. */
static struct lab_dir *lab_group_hashed(const struct lab_members *m, u64 salt,
					const struct lab_header *h)
{
	u64 ports = (u32)h->sport << 16 | h->dport;
	u64 hash = lab_mix(salt ^ lab_mix((u64)h->label << 32 | ports));

	return m->dir[((hash >> 32) * m->count) >> 32];
}

/* Where a packet goes; under the group's lock. */
static struct lab_dir *lab_group_choose(struct lab_group *g,
					const struct lab_members *m,
					const struct sk_buff *skb)
{
	struct lab_header h;

	if (m->flags & LAB_GROUP_MARKED_ECMP) {
		lab_header_parse(skb, &h);
		if (lab_header_class(&h))
			return lab_group_hashed(m, g->salt, &h);
	}
	return lab_group_pick(m, &g->rng);
}

static netdev_tx_t lab_group_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct lab_group *g = netdev_priv(dev);
	struct lab_members *m = rcu_dereference_bh(g->members);

	spin_lock(&g->lock);
	if (!m || !m->count) {
		g->dropped++;
		spin_unlock(&g->lock);
		kfree_skb(skb);
		return NETDEV_TX_OK;
	}
	g->packets++;
	g->bytes += skb->len;
	skb->dev = lab_group_choose(g, m, skb)->dev;
	spin_unlock(&g->lock);
	dev_queue_xmit(skb);
	return NETDEV_TX_OK;
}

static void lab_group_stats64(struct net_device *dev,
			      struct rtnl_link_stats64 *to)
{
	struct lab_group *g = netdev_priv(dev);

	spin_lock_bh(&g->lock);
	to->tx_packets = g->packets;
	to->tx_bytes = g->bytes;
	to->tx_dropped = g->dropped;
	spin_unlock_bh(&g->lock);
}

/* Also runs when registering failed, or for a group never listed. */
static void lab_group_uninit(struct net_device *dev)
{
	struct lab_group *g = netdev_priv(dev);
	struct lab_members *m = rtnl_dereference(g->members);

	list_del_init(&g->list);
	RCU_INIT_POINTER(g->members, NULL);
	if (m)
		kfree_rcu(m, rcu);
}

static const struct net_device_ops lab_group_dev_ops = {
	.ndo_uninit		= lab_group_uninit,
	.ndo_start_xmit		= lab_group_xmit,
	.ndo_get_stats64	= lab_group_stats64,
};

/* A group is as fast as its members together. */
static int lab_group_ksettings(struct net_device *dev,
			       struct ethtool_link_ksettings *cmd)
{
	struct lab_group *g = netdev_priv(dev);
	struct lab_members *m = rtnl_dereference(g->members);
	u64 rate = 0;
	u32 i;

	for (i = 0; m && i < m->count; i++)
		rate += READ_ONCE(m->dir[i]->params.rate);
	lab_dev_ksettings(cmd, rate);
	return 0;
}

static const struct ethtool_ops lab_group_ethtool = {
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= lab_group_ksettings,
};

static void lab_group_setup(struct net_device *dev)
{
	struct lab_group *g = netdev_priv(dev);

	lab_dev_setup(dev, &lab_group_dev_ops);
	dev->ethtool_ops = &lab_group_ethtool;
	g->dev = dev;
	INIT_LIST_HEAD(&g->list);
	spin_lock_init(&g->lock);
}

static int lab_group_validate(struct nlattr *tb[], struct nlattr *data[],
			      struct netlink_ext_ack *extack)
{
	if (!data || !data[LABGROUP_ID]) {
		NL_SET_ERR_MSG(extack, "labgroup: LABGROUP_ID is missing");
		return -EINVAL;
	}
	return 0;
}

static struct lab_group *lab_group_find(u32 id)
{
	struct lab_group *g;

	list_for_each_entry(g, &lab_groups, list)
		if (g->id == id)
			return g;
	return NULL;
}

static void lab_group_seed(struct lab_group *g, u64 seed)
{
	spin_lock_bh(&g->lock);
	g->rng = lab_stream_seed(seed, LAB_GROUP_STREAM | g->id);
	g->salt = lab_stream_seed(seed, LAB_GROUP_SALT | g->id);
	spin_unlock_bh(&g->lock);
}

static int lab_group_new(struct net *src_net, struct net_device *dev,
			 struct nlattr *tb[], struct nlattr *data[],
			 struct netlink_ext_ack *extack)
{
	struct lab_group *g = netdev_priv(dev);
	int err;

	g->id = nla_get_u32(data[LABGROUP_ID]);
	if (lab_group_find(g->id)) {
		NL_SET_ERR_MSG(extack, "labgroup: this LABGROUP_ID exists");
		return -EEXIST;
	}
	if (data[LABGROUP_QUANTUM])
		g->quantum = nla_get_u32(data[LABGROUP_QUANTUM]);
	err = register_netdevice(dev);
	if (err < 0)
		return err;
	lab_group_seed(g, 0);
	list_add_tail(&g->list, &lab_groups);
	return 0;
}

static size_t lab_group_size(const struct net_device *dev)
{
	return 2 * nla_total_size(sizeof(u32));
}

static int lab_group_fill(struct sk_buff *skb, const struct net_device *dev)
{
	struct lab_group *g = netdev_priv(dev);

	if (nla_put_u32(skb, LABGROUP_ID, g->id) ||
	    nla_put_u32(skb, LABGROUP_QUANTUM, g->quantum))
		return -EMSGSIZE;
	return 0;
}

static const struct nla_policy lab_group_policy[LABGROUP_MAX + 1] = {
	[LABGROUP_ID]		= { .type = NLA_U32 },
	[LABGROUP_QUANTUM]	= { .type = NLA_U32 },
};

struct rtnl_link_ops lab_group_ops __read_mostly = {
	.kind		= LABGROUP_KIND,
	.priv_size	= sizeof(struct lab_group),
	.setup		= lab_group_setup,
	.maxtype	= LABGROUP_MAX,
	.policy		= lab_group_policy,
	.validate	= lab_group_validate,
	.newlink	= lab_group_new,
	.get_size	= lab_group_size,
	.fill_info	= lab_group_fill,
};

/* Puts a new set of members in the place of the old one. */
static void lab_group_replace(struct lab_group *g, struct lab_members *m)
{
	m = rcu_replace_pointer(g->members, m, lockdep_rtnl_is_held());
	if (m)
		kfree_rcu(m, rcu);
}

/* LAB_IOC_SET_GROUP, under rtnl. */
int lab_group_set(const struct lab_group_set *set,
		  const struct lab_group_member *member)
{
	struct lab_group *g = lab_group_find(set->group);
	struct lab_members *m;
	u32 i;

	if (!g) {
		pr_err("lab: no group %u\n", set->group);
		return -ENOENT;
	}
	m = kzalloc(struct_size(m, dir, set->count), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	m->quantum = set->quantum ?: g->quantum;
	m->flags = set->flags;
	m->count = set->count;
	for (i = 0; i < set->count; i++) {
		m->dir[i] = lab_dir_find(member[i].link, member[i].dir);
		if (!m->dir[i]) {
			pr_err("lab: group %u: no direction %u of link %u\n",
			       set->group, member[i].dir, member[i].link);
			kfree(m);
			return -ENOENT;
		}
	}
	g->quantum = m->quantum;
	lab_group_replace(g, m);
	netdev_state_change(g->dev);
	return 0;
}

/*
 * A direction is being deleted: it is taken out of the sets where they are (a
 * copy could fail for want of memory), under the lock that choices are made
 * under. A packet just sent its way is done before the device is freed (RCU).
 */
void lab_group_forget(const struct lab_dir *d)
{
	struct lab_members *m;
	struct lab_group *g;
	u32 i;

	list_for_each_entry(g, &lab_groups, list) {
		m = rtnl_dereference(g->members);
		if (!m)
			continue;
		spin_lock_bh(&g->lock);
		for (i = 0; i < m->count; )
			if (m->dir[i] == d)
				m->dir[i] = m->dir[--m->count];
			else
				i++;
		spin_unlock_bh(&g->lock);
	}
}

void lab_group_start(u64 seed)
{
	struct lab_group *g;

	list_for_each_entry(g, &lab_groups, list)
		lab_group_seed(g, seed);
}

u32 lab_group_count(void)
{
	return list_count_nodes(&lab_groups);
}
