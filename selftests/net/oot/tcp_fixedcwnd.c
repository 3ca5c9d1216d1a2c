// SPDX-License-Identifier: GPL-2.0
/*
 * A congestion control that controls nothing: the window is what the parameter
 * says. Its throughput is known in closed form, window / RTT, so that tests can
 * hold the lab against it; it also stands for any module of other people.
 */
#include <linux/module.h>
#include <net/tcp.h>

static unsigned int window = 10;
module_param(window, uint, 0444);
MODULE_PARM_DESC(window, "packets in flight, always");

static void fixedcwnd_set(struct sock *sk)
{
	tcp_snd_cwnd_set(tcp_sk(sk), window);
}

static void fixedcwnd_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	fixedcwnd_set(sk);
}

static u32 fixedcwnd_ssthresh(struct sock *sk)
{
	return window;
}

static u32 fixedcwnd_undo_cwnd(struct sock *sk)
{
	return window;
}

static struct tcp_congestion_ops fixedcwnd __read_mostly = {
	.init		= fixedcwnd_set,
	.cong_avoid	= fixedcwnd_cong_avoid,
	.ssthresh	= fixedcwnd_ssthresh,
	.undo_cwnd	= fixedcwnd_undo_cwnd,
	.name		= "fixedcwnd",
	.owner		= THIS_MODULE,
};

static int __init fixedcwnd_register(void)
{
	if (!window) {
		pr_err("tcp_fixedcwnd: window=0; allowed: 1 or more\n");
		return -EINVAL;
	}
	return tcp_register_congestion_control(&fixedcwnd);
}

static void __exit fixedcwnd_unregister(void)
{
	tcp_unregister_congestion_control(&fixedcwnd);
}

module_init(fixedcwnd_register);
module_exit(fixedcwnd_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP with a constant congestion window, for tests");
