// SPDX-License-Identifier: GPL-2.0
/*
 * A flow as JSON. What is not known is absent: 0 would be a value. Jansson because
 * nftables, which every Debian has, depends on it (libjansson4), and because it
 * refuses what is no UTF-8, as names from elsewhere may be.
 */
#include <arpa/inet.h>
#include <stdio.h>

#include "filter.h"
#include "../replay/csv.h"
#include "json.h"

/* JSON has 63 bits here; more is no number that a flow could have. */
static void put(json_t *object, const char *name, u64 value)
{
	if (value <= INT64_MAX)
		json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void put_known(json_t *object, const char *name, u64 value)
{
	if (value)
		put(object, name, value);
}

static void put_text(json_t *object, const char *name, const char *text)
{
	json_t *value = json_string(text);

	if (value)
		json_object_set_new(object, name, value);
}

static void put_endpoint(json_t *object, const char *name, const struct flow *flow, bool dst)
{
	char host[INET6_ADDRSTRLEN] = "";
	json_t *end = json_object();

	inet_ntop(flow->family, dst ? flow->dst : flow->src, host, sizeof(host));
	put_text(end, "address", host);
	put(end, "port", dst ? flow->dport : flow->sport);
	json_object_set_new(object, name, end);
}

/* put_known() where 0 says that the stack has not measured any. */
#define PUT_TCP(how, object, flow, name, field)	\
	do {								\
		if (FLOW_HAS(flow, field))				\
			how(object, name, (flow)->tcp.field);		\
	} while (0)

/* The stack's: as far as this kernel's struct tcp_info reaches. A listener has none. */
static void put_stack(json_t *object, const struct flow *flow)
{
	if (flow->state == STATE_LISTENING)
		return;			/* some of them are its queue's there */
	PUT_TCP(put, object, flow, "window_packets", tcpi_snd_cwnd);
	PUT_TCP(put_known, object, flow, "mss", tcpi_snd_mss);
	PUT_TCP(put, object, flow, "in_flight_packets", tcpi_unacked);
	PUT_TCP(put_known, object, flow, "srtt_us", tcpi_rtt);
	PUT_TCP(put_known, object, flow, "pacing_rate", tcpi_pacing_rate);
	PUT_TCP(put_known, object, flow, "delivery_rate", tcpi_delivery_rate);
	PUT_TCP(put, object, flow, "bytes_acked", tcpi_bytes_acked);
	PUT_TCP(put, object, flow, "delivered_packets", tcpi_delivered);
	PUT_TCP(put, object, flow, "marked_packets", tcpi_delivered_ce);
	PUT_TCP(put, object, flow, "lost_now_packets", tcpi_lost);
	PUT_TCP(put, object, flow, "resent_packets", tcpi_total_retrans);
	if (FLOW_HAS(flow, tcpi_options))
		json_object_set_new(object, "ecn", json_boolean(flow->tcp.tcpi_options &
								TCPI_OPT_ECN));
}

/* What the algorithm tells of itself. */
static void put_own(json_t *object, const struct flow *flow)
{
	const struct dcc_cc_info *own = flow_own(flow);
	json_t *words;
	u32 i;

	if (flow->told && flow->own_status == DCC_CC_INFO_OTHER)
		put(object, "unknown_layout", flow->own.layout);
	if (!own)
		return;
	put_known(object, "delay_ns", own->delay_ns);
	put_known(object, "base_rtt_ns", own->base_rtt_ns);
	put_known(object, "priority", own->priority);
	put(object, "bits", own->bits);
	words = json_array();
	for (i = 0; i < told_word_count; i++)
		if (own->bits & told_words[i].bit)
			json_array_append_new(words, json_string(told_words[i].word));
	json_object_set_new(object, "tells", words);
}

/* What the trace event has, of the last ACK: a whole decision, unlike the rest. */
static void put_traced(json_t *object, const struct flow *flow)
{
	const struct ack *a = &flow->ack;
	json_t *last = json_object();
	char rule[RULE_TEXT];

	rule_name(a->alg, a->branch, rule, sizeof(rule));
	put(last, "now_ns", a->now);
	put_known(last, "rtt_ns", a->rtt);
	put_known(last, "delay_ns", a->delay);
	put_known(last, "target_ns", a->target);
	put_known(last, "base_rtt_ns", a->base);
	put_known(last, "srtt_ns", a->srtt);
	put_text(last, "rule", rule);
	put(last, "window_bytes", a->cwnd >> 8);
	put(last, "pacing_rate", a->pacing);
	put(last, "marked_packets", a->ce);
	put(last, "lost_packets", a->losses);
	put_known(last, "labels", flow_sprays(flow) ? a->labels : 0);
	if (a->labels && flow_sprays(flow))
		put(last, "labels_avoided", a->avoided);
	put_known(last, "share_ppm", a->share);
	if (a->share)
		json_object_set_new(last, "gradient_ppm", json_integer(a->gradient));
	json_object_set_new(object, "last_ack", last);
}

/**
 * json_flow() - a flow as an object
 * @flow: the flow
 *
 * Return: the object, to be given back by json_decref().
 */
json_t *json_flow(const struct flow *flow)
{
	json_t *object = json_object();

	if (flow->net)
		put_text(object, "netns", flow->net);
	put_text(object, "state", state_name(flow->state));
	put_endpoint(object, "local", flow, false);
	put_endpoint(object, "peer", flow, true);
	put(object, "uid", flow->uid);
	put(object, "inode", flow->inode);
	put_text(object, "cc", flow->cc);
	put_stack(object, flow);
	put_own(object, flow);
	if (flow->traced && !flow->twins)
		put_traced(object, flow);
	else if (flow->traced)
		put(object, "twins", flow->twins);
	return object;
}

/**
 * json_check() - end the program if a text from elsewhere cannot be said in JSON
 * @text: it
 */
void json_check(const char *text)
{
	json_t *value = json_string(text);

	if (!value)
		fail("'%s' is no UTF-8, as JSON must be", text);
	json_decref(value);
}

/**
 * json_say() - print a value on a line, or lines, of its own, and give it back
 * @value: what to print
 * @flags: of json_dumpf()
 */
void json_say(json_t *value, size_t flags)
{
	json_dumpf(value, stdout, flags);
	putchar('\n');
	json_decref(value);
}
