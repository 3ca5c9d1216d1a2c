// SPDX-License-Identifier: GPL-2.0
/* Time series: a row for each direction of each link, and for each open flow. */
#include "flow.h"
#include "lablink.h"
#include "traffic.h"

#define LINKS_FILE	"links.tsv"
#define FLOWS_FILE	"flows.tsv"

static FILE *links_file, *flows_file;

void sample_open(void)
{
	if (links_file)
		return;
	links_file = open_output(LINKS_FILE);
	flows_file = open_output(FLOWS_FILE);
	fputs("t\tid\tdir\ttx_packets\ttx_bytes\tdrops\tmarks\tqueue", links_file);
	fputs("\twait_ns_sum\tqueue_byte_ns\tmax_queue\tqueued_ns\n", links_file);
	fputs("t\tid\tcwnd\tssthresh\trtt_us\tbytes_acked", flows_file);
	fputs("\tbytes_received\tretrans\tpacing_rate\tccinfo\n", flows_file);
}

static void sample_links(u64 when)
{
	unsigned int count, i;
	const struct lab_stats *stats = lablink_stats(&count);

	for (i = 0; i < count; i++) {
		const struct lab_stats *s = &stats[i];

		fprintf(links_file,
			"%llu\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
			when, links[s->link].name, dir_name[s->dir],
			s->tx_packets, s->tx_bytes, s->drops,
			s->marks, s->queue, s->wait_ns_sum,
			s->queue_byte_ns, s->max_queue, s->queued_ns);
	}
}

static void sample_flow(struct flow *flow, u64 when)
{
	const struct flow_report *report = &flow->report;
	const struct tcp_report *tx = &report->tx;
	unsigned int i;

	flow_report(flow);
	fprintf(flows_file, "%llu\t%s\t%u\t%u\t%u\t%llu\t%llu\t%u\t%llu\t",
		when, flow->name, tx->snd_cwnd, tx->snd_ssthresh, tx->rtt,
		tx->bytes_acked, report->rx.bytes_received,
		tx->total_retrans, tx->pacing_rate);
	for (i = 0; i < report->cc_info_len; i++)
		fprintf(flows_file, "%02x", report->cc_info[i]);
	putc('\n', flows_file);
}

/* What a flow came to that ends between two samples */
void sample_end(struct flow *flow, u64 when)
{
	if (flows_file)
		sample_flow(flow, when);
}

void sample_take(u64 when)
{
	unsigned int i;

	sample_links(when);
	for (i = 0; i < flow_names.count; i++)
		if (flows[i].state == FLOW_OPEN ||
		    flows[i].state == FLOW_DELIVERED)
			sample_flow(&flows[i], when);
}

void sample_close(void)
{
	if (!links_file)
		return;
	close_output(links_file, LINKS_FILE);
	close_output(flows_file, FLOWS_FILE);
}
