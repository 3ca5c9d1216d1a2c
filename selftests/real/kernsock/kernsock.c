// SPDX-License-Identifier: GPL-2.0
/*
 * A socket of the kernel's own, as file systems and block devices over TCP have them: it
 * holds no reference to its network namespace, and lives until that ends.
 *
 *   echo CC PORT >/sys/module/kernsock/parameters/connect
 *	connects to 127.0.0.1 in the writer's namespace and sends a byte
 *   cat /sys/module/kernsock/parameters/connect
 *	"cwnd=10 pacing=0": its window, packets, and sk_pacing_status
 *
 * When the namespace ends, and whoever registered later has left it already, the socket
 * is given other algorithms and CC again, and then closed.
 */
#include <linux/in.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/tcp.h>

#define WAIT_MS		100	/* for the ACK of the byte */

static unsigned int kernsock_id __read_mostly;
static char cc_name[TCP_CA_NAME_MAX];

static struct socket **socket_of(const struct net *net)
{
	return net_generic(net, kernsock_id);
}

static int choose(struct socket *sock, const char *cc)
{
	return sock->ops->setsockopt(sock, SOL_TCP, TCP_CONGESTION,
				     KERNEL_SOCKPTR((void *)cc), strlen(cc));
}

/* Newer kernels have another type for an address of unknown size. */
static int connect_to(struct socket *sock, u16 port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	return kernel_connect(sock, (void *)&to, sizeof(to), 0);
}

static int send_byte(struct socket *sock)
{
	struct msghdr message = {};
	struct kvec byte = { .iov_base = cc_name, .iov_len = 1 };
	int sent = kernel_sendmsg(sock, &message, &byte, 1, 1);

	msleep(WAIT_MS);
	return min(sent, 0);
}

static int connect_set(const char *text, const struct kernel_param *param)
{
	struct net *net = current->nsproxy->net_ns;
	struct socket **sock = socket_of(net);
	int error;
	u16 port;

	if (sscanf(text, "%15s %hu", cc_name, &port) != 2)
		return -EINVAL;
	if (*sock)
		return -EBUSY;
	error = sock_create_kern(net, AF_INET, SOCK_STREAM, IPPROTO_TCP, sock);
	if (error)
		return error;
	error = choose(*sock, cc_name) ?: connect_to(*sock, port) ?: send_byte(*sock);
	if (error) {
		sock_release(*sock);
		*sock = NULL;
	}
	return error;
}

static int connect_get(char *text, const struct kernel_param *param)
{
	struct socket *sock = *socket_of(current->nsproxy->net_ns);

	if (!sock)
		return sysfs_emit(text, "none\n");
	return sysfs_emit(text, "cwnd=%u pacing=%u\n", tcp_snd_cwnd(tcp_sk(sock->sk)),
			  READ_ONCE(sock->sk->sk_pacing_status));
}

static const struct kernel_param_ops connect_ops = {
	.set = connect_set, .get = connect_get,
};

module_param_cb(connect, &connect_ops, NULL, 0600);
MODULE_PARM_DESC(connect, "CC PORT");

static void __net_exit kernsock_net_exit(struct net *net)
{
	struct socket *sock = *socket_of(net);

	if (!sock)
		return;
	if (choose(sock, "cubic") || choose(sock, cc_name))
		pr_err("kernsock: no algorithm for a socket whose namespace ends\n");
	sock_no_linger(sock->sk);	/* there is no way to its peer any more */
	sock_release(sock);
}

static struct pernet_operations kernsock_net_ops = {
	.exit = kernsock_net_exit,
	.id = &kernsock_id,
	.size = sizeof(struct socket *),
};

static int __init kernsock_init(void)
{
	return register_pernet_subsys(&kernsock_net_ops);
}

static void __exit kernsock_exit(void)
{
	unregister_pernet_subsys(&kernsock_net_ops);
}

module_init(kernsock_init);
module_exit(kernsock_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A socket of the kernel without a reference to its namespace");
