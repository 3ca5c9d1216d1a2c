// SPDX-License-Identifier: GPL-2.0
/* A server and its flows: what they are, and what all may ask of them. */
#include <stdlib.h>

#include "net.h"

/**
 * nc_net_add_flow() - one more source
 * @net: the network; before nc_net_run()
 *
 * Return: the flow, all 0, to be filled in; NULL without memory. The flows
 * before it may have moved.
 */
struct nc_flow *nc_net_add_flow(struct nc_net *net)
{
	size_t n = net->flows + 1;
	struct nc_flow *flow = realloc(net->flow, n * sizeof(*flow));

	if (!flow)
		return NULL;
	net->flow = flow;
	net->flows = n;
	flow[n - 1] = (struct nc_flow){
		.mark.due = NC_INF, .feedback = NC_ZERO, .hole = NC_INF,
	};
	return &flow[n - 1];
}

/**
 * nc_net_free() - give back what a network holds
 * @net: the network; empty afterwards
 */
void nc_net_free(struct nc_net *net)
{
	size_t i;

	for (i = 0; i < net->flows; i++) {
		nc_curve_free(&net->flow[i].arrived);
		nc_curve_free(&net->flow[i].in);
		nc_curve_free(&net->flow[i].kept);
		nc_curve_free(&net->flow[i].out);
		nc_curve_free(&net->flow[i].acks);
		if (net->flow[i].control.ops && net->flow[i].control.ops->stop)
			net->flow[i].control.ops->stop(&net->flow[i].control);
	}
	free(net->flow);
	nc_curve_free(&net->offered);
	nc_curve_free(&net->in);
	nc_curve_free(&net->out);
	*net = (struct nc_net){ 0 };
}

/* What is acknowledged at the source: D(t - dR), or whole packets of it. */
struct nc_view nc_flow_acked(const struct nc_flow *flow)
{
	if (flow->control.packet_acks)
		return nc_view(&flow->acks);
	return nc_view_late(&flow->out, flow->feedback);
}

/* B(t): what waits at the server, bytes. */
struct nc_q nc_net_backlog(const struct nc_net *net, struct nc_q t)
{
	return nc_q_sub(nc_curve_at(&net->in, t), nc_curve_at(&net->out, t));
}
