// SPDX-License-Identifier: GPL-2.0
/*
 * Requests and responses: the target of a flow asks, its source answers, as often as
 * the plan says, one after the other over one connection. Nothing is in the buffers
 * when the next request is sent.
 */
#include <errno.h>
#include <sys/socket.h>

#include "flow.h"

#define CALLS_FILE	"calls.tsv"
#define ANY_SIZE	(1024 * 1024)

static FILE *calls_file;
static char request[REQUEST_MAX];

/* The target asks for the next response */
void call_ask(struct flow *flow)
{
	flow->asked_at = clock_now();
	flow->asked++;
	if (send(flow->rx, request, flow->request, MSG_NOSIGNAL) !=
	    (ssize_t)flow->request)
		fail_errno("a request of %llu bytes", flow->request);
}

/* What the source has heard of requests by now, in bytes of responses */
u64 call_heard(struct flow *flow)
{
	ssize_t got = recv(flow->tx, NULL, ANY_SIZE, MSG_TRUNC);

	if (got > 0)
		flow->heard += got;
	return flow->heard / flow->request * flow->call;
}

/* A whole response is here: another request, if it was not the last */
void call_answered(struct flow *flow)
{
	u64 now = clock_now();

	if (!calls_file) {
		calls_file = open_output(CALLS_FILE);
		fputs("t\tid\tns\n", calls_file);
	}
	fprintf(calls_file, "%llu\t%s\t%llu\n", now, flow->name,
		now - flow->asked_at);
	if (flow->received < flow->bytes)
		call_ask(flow);
}

void calls_end(void)
{
	if (calls_file)
		close_output(calls_file, CALLS_FILE);
}
