// SPDX-License-Identifier: GPL-2.0
/*
 * How a socket's packets come to pass by its flow. TCP hands each packet of a connection to
 * the socket's queue_xmit() operation, once, with the socket locked, before there is an IP
 * header. A flow of this project has a copy of its socket's operations in which that one is
 * another (dcc_tx.c).
 *
 * Of TCP's it writes icsk_af_ops.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <net/inet6_connection_sock.h>
#include <net/ip.h>
#include <net/tcp.h>

#include "dcc_core.h"

/*
 * One copy for each set of operations there is: TCP has three, MPTCP four. They
 * live as long as this module, since the stack also reads them without the lock.
 */
#define WRAP_MAX	8

struct wrap {
	struct inet_connection_sock_af_ops ops;
	const struct inet_connection_sock_af_ops *original;
};

static struct wrap wraps[WRAP_MAX];
static unsigned int wrap_count;
static DEFINE_SPINLOCK(wrap_lock);

/* Is this copy still what its original says? One may have been freed since. */
static bool wrap_is_of(const struct wrap *w,
		       const struct inet_connection_sock_af_ops *original)
{
	struct inet_connection_sock_af_ops ops;

	memcpy(&ops, original, sizeof(ops));
	ops.queue_xmit = w->ops.queue_xmit;
	return w->original == original && !memcmp(&ops, &w->ops, sizeof(ops));
}

/* Fill in a copy; false if its packets leave in a way that is not known here. */
static bool wrap_make(struct wrap *w, const struct inet_connection_sock_af_ops *original,
		      const struct dcc_queue_xmit *xmit)
{
	w->original = original;
	memcpy(&w->ops, original, sizeof(w->ops));
	if (original->queue_xmit == ip_queue_xmit)
		w->ops.queue_xmit = xmit->ipv4;
#if IS_ENABLED(CONFIG_IPV6)
	else if (original->queue_xmit == inet6_csk_xmit)
		w->ops.queue_xmit = xmit->ipv6;
#endif
	else
		return false;
	return true;
}

static const struct wrap *
wrap_find(const struct inet_connection_sock_af_ops *original)
{
	/* pairs with the release in wrap_get(): so many are complete */
	unsigned int i, n = smp_load_acquire(&wrap_count);

	for (i = 0; i < n; i++)
		if (wrap_is_of(&wraps[i], original))
			return &wraps[i];
	return NULL;
}

/*
 * Are they a part of something that comes and goes? SMC has a set in each of its
 * sockets, and may leave it in a TCP socket that never listened: any user's few
 * would take all places, for good. Those that are worth one are static data.
 */
static bool wrap_is_transient(const struct inet_connection_sock_af_ops *ops)
{
	return virt_addr_valid(ops) && PageSlab(virt_to_head_page(ops));
}

/* The copy of these operations, made if need be; NULL if it cannot be had. */
static const struct wrap *
wrap_get(const struct inet_connection_sock_af_ops *original,
	 const struct dcc_queue_xmit *xmit)
{
	const struct wrap *w = wrap_find(original);

	if (w || wrap_is_transient(original))
		return w;
	spin_lock_bh(&wrap_lock);
	w = wrap_find(original);
	if (!w && wrap_count < WRAP_MAX &&
	    wrap_make(&wraps[wrap_count], original, xmit)) {
		w = &wraps[wrap_count];
		/* pairs with the acquire in wrap_find() */
		smp_store_release(&wrap_count, wrap_count + 1);
	}
	spin_unlock_bh(&wrap_lock);
	return w;
}

/* The copy that a socket has; NULL: none of these. */
static const struct wrap *wrap_of(const struct sock *sk)
{
	const struct inet_connection_sock_af_ops *ops =
		READ_ONCE(inet_csk(sk)->icsk_af_ops);

	if (ops < &wraps[0].ops || ops > &wraps[WRAP_MAX - 1].ops)
		return NULL;
	return container_of(ops, const struct wrap, ops);
}

/**
 * dcc_is_wrapped() - do a socket's packets pass by its flow?
 * @sk: a TCP socket, locked
 *
 * Return: true if they do.
 */
bool dcc_is_wrapped(const struct sock *sk)
{
	return wrap_of(sk);
}

/**
 * dcc_wrap() - have a socket's packets pass by its flow
 * @sk: a TCP socket of this project's, locked
 * @xmit: where they pass by; static, and always the same
 *
 * Return: false if that cannot be done.
 */
bool dcc_wrap(struct sock *sk, const struct dcc_queue_xmit *xmit)
{
	const struct wrap *w;

	if (likely(dcc_is_wrapped(sk)))
		return true;
	w = wrap_get(inet_csk(sk)->icsk_af_ops, xmit);
	if (w)
		WRITE_ONCE(inet_csk(sk)->icsk_af_ops, &w->ops);
	else
		pr_info_once("dcc: a socket's operations are not TCP's own: no labels, no send records\n");
	return w;
}

/**
 * dcc_unwrap() - give a socket its own operations back
 * @sk: a TCP socket, locked
 *
 * Unless others have been put there since.
 */
void dcc_unwrap(struct sock *sk)
{
	const struct wrap *w = wrap_of(sk);

	if (w)
		WRITE_ONCE(inet_csk(sk)->icsk_af_ops, w->original);
}

/**
 * dcc_wrap_exit() - no task looks into the copies any more
 *
 * No socket has one when the module goes. But setsockopt() reads the operations
 * without the lock, and a task may have been preempted in between: wait until
 * each has been seen elsewhere.
 */
void dcc_wrap_exit(void)
{
	if (wrap_count)
		synchronize_rcu_tasks();
}
