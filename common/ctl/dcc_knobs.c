// SPDX-License-Identifier: GPL-2.0
/*
 * Knobs made visible: /sys/module/<mod>/parameters/<knob> holds the value of
 * the machine, net.dcc.<alg>.<knob> that of a network namespace, which is the
 * machine's until it is written ("inherit" undoes that).
 *
 * A flow that starts takes a snapshot: values that stood together at one instant,
 * so that of two knobs written one after the other it never has the second and not
 * the first. Writers are ordered by sequence locks, one of the machine's values, one
 * of each namespace's; flows on all processors read without writing anything. Who
 * finds a writer at work waits for his turn, so that nobody who writes without end
 * (his own namespace's, that is) can have others try for ever.
 */
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <net/netns/generic.h>

#include "dcc_compat.h"
#include "dcc_knobs.h"

static DEFINE_SEQLOCK(machine_lock);

/**
 * struct dcc_knob_slot - one knob of one algorithm in one namespace
 * @knob: its line
 * @global: the machine's value
 * @value: the namespace's own
 * @set: does the namespace have its own?
 * @guest: does the namespace belong to a user who does not administer the machine? Then
 *	what costs memory is bounded by the machine's value, and nothing that is
 *	written fills the machine's log
 */
struct dcc_knob_slot {
	const struct dcc_knob *knob;
	const u32 *global;
	u32 value;
	bool set;
	bool guest;
};

/* Is the machine's value the largest this slot may have? */
static bool slot_is_bounded(const struct dcc_knob_slot *slot)
{
	return slot->guest && slot->knob->algs & DCC_KNOB_BOUNDED;
}

static u32 slot_value(const struct dcc_knob_slot *slot)
{
	u32 global = READ_ONCE(*slot->global), value;

	/* pairs with the release in slot_write(): if set, the value is there */
	if (!smp_load_acquire(&slot->set))
		return global;
	value = READ_ONCE(slot->value);
	return slot_is_bounded(slot) ? min(value, global) : value;
}

/* Say what is allowed, to the administrator: -EINVAL alone does not say. */
static void knob_refused(const struct dcc_knob *k, const char *text)
{
	pr_notice_ratelimited("dcc: knob %s: '%*pE' refused, allowed: %u to %u [%s]\n",
			      k->name, (int)strcspn(text, "\n"), text, k->min,
			      k->max, k->unit);
}

static int param_set(const char *text, const struct kernel_param *kp)
{
	const struct dcc_knob_param *p = kp->arg;
	u32 value;

	if (dcc_knob_parse(p->knob, text, &value)) {
		knob_refused(p->knob, text);
		return -EINVAL;
	}
	write_seqlock_bh(&machine_lock);
	WRITE_ONCE(*p->value, value);
	write_sequnlock_bh(&machine_lock);
	return 0;
}

static int param_get(char *text, const struct kernel_param *kp)
{
	const struct dcc_knob_param *p = kp->arg;
	int len = dcc_knob_show(p->knob, READ_ONCE(*p->value), text,
				DCC_KNOB_TEXT);

	text[len] = '\n';
	return len + 1;
}

/* Operations behind every sysfs knob; kp->arg is a struct dcc_knob_param. */
const struct kernel_param_ops dcc_knob_param_ops = {
	.set = param_set,
	.get = param_get,
};
EXPORT_SYMBOL_GPL(dcc_knob_param_ops);

/* What a text asks of a slot; -EINVAL if it is not allowed. */
static int slot_parse(const struct dcc_knob_slot *slot, const char *text,
		      u32 *value)
{
	int err = dcc_knob_parse(slot->knob, text, value);

	if (err && !slot->guest)
		knob_refused(slot->knob, text);
	if (!err && slot_is_bounded(slot) && *value > READ_ONCE(*slot->global))
		err = -EINVAL;
	return err;
}

/* One change of a slot; gives what was there before, to go back to. */
static struct dcc_knob_slot slot_set(struct dcc_knob_net *kn,
				     struct dcc_knob_slot *slot, bool set,
				     u32 value)
{
	struct dcc_knob_slot before;

	write_seqlock_bh(&kn->lock);
	before = *slot;
	if (set)
		WRITE_ONCE(slot->value, value);
	/* pairs with the acquire in slot_value(): the value is there first */
	smp_store_release(&slot->set, set);
	write_sequnlock_bh(&kn->lock);
	return before;
}

/* Take what was written to a sysctl; all or nothing. */
static int slot_write(struct net *net, const struct dcc_knob_table *t,
		      struct dcc_knob_slot *slot, const char *text)
{
	struct dcc_knob_net *kn = net_generic(net, t->net_id);
	bool inherit = sysfs_streq(text, "inherit");
	struct dcc_knob_slot before;
	u32 value = 0;
	int err = inherit ? 0 : slot_parse(slot, text, &value);

	if (err)
		return err;
	before = slot_set(kn, slot, !inherit, value);
	err = t->changed ? t->changed(net) : 0;
	if (err)
		slot_set(kn, slot, before.set, before.value);
	return err;
}

/* The sysctl handler: text in, text out, through a table of its own. */
static int slot_handler(DCC_CTL_TABLE *ctl, int write, void *buffer,
			size_t *lenp, loff_t *ppos)
{
	struct dcc_knob_slot *slot = ctl->data;
	char text[DCC_KNOB_TEXT] = "";
	struct ctl_table line = { .data = text, .maxlen = sizeof(text) };
	int err;

	if (!write)
		dcc_knob_show(slot->knob, slot_value(slot), text, sizeof(text));
	err = proc_dostring(&line, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	return slot_write(ctl->extra1, ctl->extra2, slot, text);
}

static void knob_ctl(struct ctl_table *ctl, struct net *net,
		     const struct dcc_knob_table *t, struct dcc_knob_slot *slot)
{
	ctl->extra1 = net;
	ctl->extra2 = (void *)t;
	ctl->procname = slot->knob->name;
	ctl->data = slot;
	ctl->maxlen = DCC_KNOB_TEXT;
	ctl->mode = 0644;
	ctl->proc_handler = slot_handler;
}

/* The sysctl directory of one algorithm: only the knobs it uses. */
static int knobs_register(struct net *net, struct dcc_knob_net *kn,
			  const struct dcc_knob_table *t, unsigned int alg)
{
	/* one spare entry ends the table on kernels that want an end */
	struct ctl_table *ctl = &kn->ctl[alg * (t->count + 1)];
	char path[32];
	unsigned int i, n = 0;

	for (i = 0; i < t->count; i++)
		if (t->knob[i].algs & BIT(alg))
			knob_ctl(&ctl[n++], net, t,
				 &kn->slot[alg * t->count + i]);
	snprintf(path, sizeof(path), "net/dcc%s%s", *t->algs[alg] ? "/" : "",
		 t->algs[alg]);
	kn->header[alg] = dcc_register_net_sysctl(net, path, ctl, n);
	return kn->header[alg] ? 0 : -ENOMEM;
}

static void slots_init(struct dcc_knob_net *kn, const struct net *net,
		       const struct dcc_knob_table *t)
{
	unsigned int i;

	for (i = 0; i < t->alg_count * t->count; i++) {
		kn->slot[i].knob = &t->knob[i % t->count];
		kn->slot[i].global = &t->global[i % t->count];
		kn->slot[i].guest = net->user_ns != &init_user_ns;
	}
}

/**
 * dcc_knobs_net_init() - give a namespace its sysctls
 * @net: the namespace
 * @t: a table whose net_id is registered with struct dcc_knob_net as size
 *
 * Call from the module's pernet init; process context. Who makes the namespace, or
 * loads the module, is charged for the memory, as for that of sysctls in general.
 *
 * Return: 0 or -ENOMEM, with nothing left behind.
 */
int dcc_knobs_net_init(struct net *net, const struct dcc_knob_table *t)
{
	struct dcc_knob_net *kn = net_generic(net, t->net_id);
	unsigned int alg;
	int err = -ENOMEM;

	if (WARN_ON_ONCE(t->alg_count > DCC_KNOB_MAX_ALGS))
		return -EINVAL;
	seqlock_init(&kn->lock);
	kn->slot = kcalloc(t->alg_count * t->count, sizeof(*kn->slot),
			   GFP_KERNEL_ACCOUNT);
	kn->ctl = kcalloc(t->alg_count * (t->count + 1), sizeof(*kn->ctl),
			  GFP_KERNEL_ACCOUNT);
	if (!kn->slot || !kn->ctl)
		goto fail;
	slots_init(kn, net, t);
	for (alg = 0; alg < t->alg_count; alg++) {
		err = knobs_register(net, kn, t, alg);
		if (err)
			goto fail;
	}
	return 0;
fail:
	dcc_knobs_net_exit(net, t);
	return err;
}
EXPORT_SYMBOL_GPL(dcc_knobs_net_init);

/**
 * dcc_knobs_net_exit() - take a namespace's sysctls back
 * @net: the namespace
 * @t: the table given to dcc_knobs_net_init()
 *
 * Safe on what a failed dcc_knobs_net_init() left. Process context; no socket
 * of the namespace is left by then.
 */
void dcc_knobs_net_exit(struct net *net, const struct dcc_knob_table *t)
{
	struct dcc_knob_net *kn = net_generic(net, t->net_id);
	unsigned int alg;

	for (alg = t->alg_count; alg-- > 0;)
		if (kn->header[alg])
			unregister_net_sysctl_table(kn->header[alg]);
	kfree(kn->ctl);
	kfree(kn->slot);
	memset(kn, 0, sizeof(*kn));
}
EXPORT_SYMBOL_GPL(dcc_knobs_net_exit);

static void snapshot_copy(const struct dcc_knob_net *kn,
			  const struct dcc_knob_table *t, unsigned int alg,
			  u32 *values)
{
	unsigned int i;

	for (i = 0; i < t->count; i++)
		values[i] = slot_value(&kn->slot[alg * t->count + i]);
}

/* Was nothing written meanwhile? */
static bool snapshot_try(const struct dcc_knob_net *kn,
			 const struct dcc_knob_table *t, unsigned int alg,
			 u32 *values)
{
	unsigned int machine = read_seqbegin(&machine_lock);
	unsigned int own = read_seqbegin(&kn->lock);

	snapshot_copy(kn, t, alg, values);
	return !read_seqretry(&kn->lock, own) &&
	       !read_seqretry(&machine_lock, machine);
}

/**
 * dcc_knobs_snapshot() - all knobs of an algorithm at one instant
 * @net: the namespace
 * @t: the table
 * @alg: the algorithm's number there
 * @values: where to put t->count values
 *
 * Any context.
 */
void dcc_knobs_snapshot(const struct net *net, const struct dcc_knob_table *t,
			unsigned int alg, u32 *values)
{
	struct dcc_knob_net *kn = net_generic(net, t->net_id);

	if (snapshot_try(kn, t, alg, values))
		return;
	read_seqlock_excl_bh(&kn->lock);
	read_seqlock_excl_bh(&machine_lock);
	snapshot_copy(kn, t, alg, values);
	read_sequnlock_excl_bh(&machine_lock);
	read_sequnlock_excl_bh(&kn->lock);
}
EXPORT_SYMBOL_GPL(dcc_knobs_snapshot);

/**
 * dcc_knob_value() - one knob, now
 * @net: the namespace
 * @t: the table
 * @alg: the algorithm's number there
 * @index: the knob's line
 *
 * Any context. Return: its value.
 */
u32 dcc_knob_value(const struct net *net, const struct dcc_knob_table *t,
		   unsigned int alg, unsigned int index)
{
	const struct dcc_knob_net *kn = net_generic(net, t->net_id);

	return slot_value(&kn->slot[alg * t->count + index]);
}
EXPORT_SYMBOL_GPL(dcc_knob_value);
