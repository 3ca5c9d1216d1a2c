// SPDX-License-Identifier: GPL-2.0
/* /dev/lab: parameters, statistics and traces of all links (root only). */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "lab_link.h"

/* Says which parameter of which direction is wrong and what is allowed. */
static int lab_bad(const struct lab_params *p, const char *field, u64 value,
		   const char *allowed)
{
	pr_err("lab: link %u %s: %s=%llu: allowed %s\n", p->link,
	       p->dir == LAB_AB ? "ab" : "ba", field, value, allowed);
	return -EINVAL;
}

/* RED needs min < max and ppm <= 10^6; max = 0 turns it off. */
static int lab_red_check(const struct lab_params *p)
{
	if (p->red_max > U32_MAX)
		return lab_bad(p, "red max", p->red_max, "0..4294967295");
	if (p->red_max && p->red_min >= p->red_max)
		return lab_bad(p, "red min", p->red_min, "less than red max");
	if (p->red_ppm > LAB_PPM)
		return lab_bad(p, "red ppm", p->red_ppm, "0..1000000");
	return 0;
}

/* A share that bursts of this length, with one packet between, cannot make. */
static int lab_loss_check(const struct lab_params *p)
{
	if (p->loss > LAB_PPM)
		return lab_bad(p, "loss", p->loss, "0..1000000 ppm");
	if (p->burst < 1 || p->burst > LAB_MAX_BURST)
		return lab_bad(p, "burst", p->burst, "1..1000 packets");
	if (p->burst > 1 && p->loss > LAB_PPM * p->burst / (p->burst + 1))
		return lab_bad(p, "loss", p->loss, "burst / (burst + 1) of all");
	return 0;
}

static int lab_noise_check(const struct lab_params *p)
{
	if (p->noise > LAB_MAX_NOISE)
		return lab_bad(p, "noise", p->noise, "0..10^9 ns");
	if (p->noise_shape >= LAB_NOISE_SHAPES)
		return lab_bad(p, "noise shape", p->noise_shape, "0 or 1");
	if (p->noise_overtake > 1)
		return lab_bad(p, "noise overtake", p->noise_overtake, "0 or 1");
	return 0;
}

/* Checks what the mask says is to be changed; the rest is not looked at. */
static int lab_params_check(const struct lab_params *p)
{
	if (p->mask & ~LAB_SET_ALL)
		return lab_bad(p, "mask", p->mask, "LAB_SET_* bits");
	if (p->mask & LAB_SET_UP && p->up > 1)
		return lab_bad(p, "up", p->up, "0 or 1");
	if (p->mask & LAB_SET_RATE && p->rate > LAB_MAX_RATE)
		return lab_bad(p, "rate", p->rate, "0..10^15 bit/s");
	if (p->mask & LAB_SET_DELAY && p->delay > LAB_MAX_DELAY)
		return lab_bad(p, "delay", p->delay, "0..10^12 ns");
	if (p->mask & LAB_SET_LOSS && lab_loss_check(p))
		return -EINVAL;
	if (p->mask & LAB_SET_DRR && p->drr &&
	    (p->drr < LAB_MIN_DRR || p->drr > LAB_MAX_DRR))
		return lab_bad(p, "drr", p->drr, "0 or 256..16777216 bytes");
	if (p->mask & LAB_SET_STRICT && p->strict > 1)
		return lab_bad(p, "strict", p->strict, "0 or 1");
	if (p->mask & LAB_SET_OVERHEAD && p->overhead > LAB_MAX_OVERHEAD)
		return lab_bad(p, "overhead", p->overhead, "0..65535 bytes");
	if (p->mask & LAB_SET_TRACE && p->trace > LAB_TRACE_ALL)
		return lab_bad(p, "trace", p->trace, "0 to 3");
	if (p->mask & LAB_SET_TSO && p->tso > 1)
		return lab_bad(p, "tso", p->tso, "0 or 1");
	if (p->mask & LAB_SET_GRO && p->gro > LAB_MAX_GRO)
		return lab_bad(p, "gro", p->gro, "0..10^9 ns");
	if (p->mask & LAB_SET_NOISE && lab_noise_check(p))
		return -EINVAL;
	if (p->mask & LAB_SET_RED)
		return lab_red_check(p);
	return 0;
}

/* The offloads of a direction's two ends: one cuts, the other merges. */
static int lab_offload_set(struct lab_dir *d, const struct lab_params *p)
{
	if (p->mask & LAB_SET_TSO)
		lab_tso_set(d->dev, p->tso);
	if (p->mask & LAB_SET_GRO)
		return lab_rx_set(lab_dev_peer(d->dev), p->gro);
	return 0;
}

/* A change of rate is announced, for those who keep the line rate (ethtool). */
static int lab_ioc_set(void __user *arg)
{
	struct lab_params p;
	struct lab_dir *d;
	u64 rate;
	int err;

	if (copy_from_user(&p, arg, sizeof(p)))
		return -EFAULT;
	rtnl_lock();
	d = lab_dir_find(p.link, p.dir);
	if (!d) {
		pr_err("lab: no direction %u of link %u\n", p.dir, p.link);
		err = -ENOENT;
		goto out;
	}
	err = lab_params_check(&p);
	if (!err)
		err = lab_offload_set(d, &p);
	if (err)
		goto out;
	rate = d->params.rate;
	lab_dir_apply(d, &p);
	if (rate != d->params.rate)
		netdev_state_change(d->dev);
out:
	rtnl_unlock();
	return err;
}

static int lab_ioc_set_group(void __user *arg)
{
	struct lab_group_member *member;
	struct lab_group_set set;
	int err;

	if (copy_from_user(&set, arg, sizeof(set)))
		return -EFAULT;
	if (!set.count || set.count > LAB_GROUP_MAX ||
	    set.flags & ~LAB_GROUP_MARKED_ECMP) {
		pr_err("lab: group %u: count=%u flags=%#x: allowed 1..%u and up to %#x\n",
		       set.group, set.count, set.flags, LAB_GROUP_MAX,
		       LAB_GROUP_MARKED_ECMP);
		return -EINVAL;
	}
	member = memdup_array_user(u64_to_user_ptr(set.members), set.count,
				   sizeof(*member));
	if (IS_ERR(member))
		return PTR_ERR(member);
	rtnl_lock();
	err = lab_group_set(&set, member);
	rtnl_unlock();
	kfree(member);
	return err;
}

static int lab_start_one(struct lab_dir *d, void *arg)
{
	const struct lab_start *start = arg;

	lab_dir_start(d, start->t0, start->seed);
	lab_rx_start(d->dev);
	return 0;
}

static int lab_ioc_start(void __user *arg)
{
	struct lab_start start;

	if (copy_from_user(&start, arg, sizeof(start)))
		return -EFAULT;
	rtnl_lock();
	start.t0 = lab_now();
	lab_dir_for_each(lab_start_one, &start);
	lab_trace_start(start.t0);	/* what they notice now was before it */
	lab_group_start(start.seed);
	rtnl_unlock();
	return copy_to_user(arg, &start, sizeof(start)) ? -EFAULT : 0;
}

/* Walks the directions for LAB_IOC_STATS: copies while there is room. */
struct lab_stats_walk {
	struct lab_stats __user *to;
	struct lab_stats_req req;
	u64 now;
};

static int lab_stats_one(struct lab_dir *d, void *arg)
{
	struct lab_stats_walk *walk = arg;
	u32 n = walk->req.count++;
	struct lab_stats stats;

	if (n >= walk->req.capacity)
		return 0;
	lab_dir_stats(d, walk->now, &stats);
	lab_rx_stats(lab_dev_peer(d->dev), &stats);
	return copy_to_user(walk->to + n, &stats, sizeof(stats)) ? -EFAULT : 0;
}

static int lab_ioc_stats(void __user *arg)
{
	struct lab_stats_walk walk;
	int err;

	if (copy_from_user(&walk.req, arg, sizeof(walk.req)))
		return -EFAULT;
	walk.to = u64_to_user_ptr(walk.req.ptr);
	walk.req.count = 0;
	rtnl_lock();
	walk.now = lab_now();
	walk.req.now = walk.now - lab_trace_t0();
	err = lab_dir_for_each(lab_stats_one, &walk);
	rtnl_unlock();
	if (err)
		return err;
	if (copy_to_user(arg, &walk.req, sizeof(walk.req)))
		return -EFAULT;
	return walk.req.count > walk.req.capacity ? -ENOSPC : 0;
}

/* Adds one direction to the totals. */
static int lab_info_one(struct lab_dir *d, void *arg)
{
	struct lab_info *info = arg;
	struct lab_stats stats;

	lab_dir_stats(d, info->now, &stats);
	info->trace_hash += stats.hash;
	info->links += d->params.dir == LAB_AB;
	return 0;
}

static int lab_ioc_info(void __user *arg)
{
	struct lab_info info = {};

	rtnl_lock();
	info.now = lab_now();
	lab_dir_for_each(lab_info_one, &info);
	info.now -= lab_trace_t0();
	info.groups = lab_group_count();
	rtnl_unlock();
	lab_trace_count(&info);
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long lab_ctl_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	void __user *to = (void __user *)arg;

	switch (cmd) {
	case LAB_IOC_SET:
		return lab_ioc_set(to);
	case LAB_IOC_SET_GROUP:
		return lab_ioc_set_group(to);
	case LAB_IOC_START:
		return lab_ioc_start(to);
	case LAB_IOC_STATS:
		return lab_ioc_stats(to);
	case LAB_IOC_INFO:
		return lab_ioc_info(to);
	}
	return -ENOTTY;
}

static ssize_t lab_ctl_read(struct file *file, char __user *to, size_t size,
			    loff_t *pos)
{
	return lab_trace_read(to, size);
}

static const struct file_operations lab_ctl_fops = {
	.owner		= THIS_MODULE,
	.read		= lab_ctl_read,
	.unlocked_ioctl	= lab_ctl_ioctl,
};

static struct miscdevice lab_ctl_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "lab",
	.fops	= &lab_ctl_fops,
	.mode	= 0600,
};

int lab_ctl_register(void)
{
	return misc_register(&lab_ctl_device);
}

void lab_ctl_unregister(void)
{
	misc_deregister(&lab_ctl_device);
}
