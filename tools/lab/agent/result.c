// SPDX-License-Identifier: GPL-2.0
/* The record of the run: result.tsv. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "flow.h"
#include "lablink.h"
#include "traffic.h"

#define RESULT_FILE	"result.tsv"
#define DCC_COUNTERS	"/sys/module/tcp_dcc/counters"
/* klogctl(2) */
#define KLOG_READ_ALL	3
#define KLOG_SIZE	10

/* Counters that tell of trouble or of a receiver's or sender's decisions */
static const char *const counters[] = {
	"IpInHdrErrors", "IpInAddrErrors", "IpInDiscards", "IpOutDiscards",
	"IpOutNoRoutes", "Ip6InHdrErrors", "Ip6InAddrErrors", "Ip6InDiscards",
	"Ip6InNoRoutes", "Ip6InTooBigErrors", "Ip6OutDiscards",
	"Ip6OutNoRoutes", "TcpAttemptFails", "TcpEstabResets", "TcpRetransSegs",
	"TcpInErrs", "TcpOutRsts", "TcpExtTCPTimeouts",
	"TcpExtTCPLostRetransmit", "TcpExtTCPFastRetrans",
	"TcpExtTCPSlowStartRetrans", "TcpExtTCPRetransFail",
	"TcpExtTCPSynRetrans", "TcpExtTCPLossProbes",
	"TcpExtTCPLossProbeRecovery", "TcpExtTCPSpuriousRTOs",
	"TcpExtTCPSackRecovery", "TcpExtTCPSackRecoveryFail",
	"TcpExtTCPSackFailures", "TcpExtTCPLossFailures",
	"TcpExtTCPDSACKRecv", "TcpExtTCPDSACKOfoRecv",
	"TcpExtTCPDSACKOldSent", "TcpExtTCPDSACKOfoSent",
	"TcpExtTCPDSACKUndo", "TcpExtTCPFullUndo", "TcpExtTCPPartialUndo",
	"TcpExtTCPLossUndo", "TcpExtTCPSACKReorder", "TcpExtTCPTSReorder",
	"TcpExtTCPRenoReorder", "TcpExtTCPOFOQueue", "TcpExtTCPOFODrop",
	"TcpExtTCPOFOMerge", "TcpExtTCPRcvQDrop", "TcpExtTCPBacklogDrop",
	"TcpExtTCPRcvCollapsed", "TcpExtPruneCalled", "TcpExtRcvPruned",
	"TcpExtOfoPruned", "TcpExtTCPZeroWindowDrop",
	"TcpExtTCPToZeroWindowAdv", "TcpExtTCPFromZeroWindowAdv",
	"TcpExtTCPWantZeroWindowAdv", "TcpExtListenOverflows",
	"TcpExtListenDrops", "TcpExtTCPReqQFullDrop",
	"TcpExtTCPMemoryPressures", "TcpExtTCPAbortOnMemory",
	"TcpExtTCPAbortOnTimeout", "TcpExtPAWSEstab", "TcpExtDelayedACKs",
	"TcpExtDelayedACKLost", "TcpExtTCPDeliveredCE",
	"TcpExtTcpTimeoutRehash", "TcpExtTcpDuplicateDataRehash",
	"TcpExtTCPPLBRehash",
};

/* Words by which the kernel's log tells of a bug */
#define LOG_FILE	"kernel.log"
#define LEAKS		"/sys/kernel/debug/kmemleak"
#define LEAK_AGE_S	6

static const char *const oops_words[] = {
	"WARNING:", "BUG:", "Oops", "general protection fault", "INFO: task",
	"list_add corruption", "list_del corruption", "refcount_t:",
	"ODEBUG:", "suspected memory leaks",
};

static bool counter_wanted(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (!strcmp(name, counters[i]))
			return true;
	return false;
}

static void put_counter(FILE *out, const char *name, const char *value)
{
	if (strcmp(value, "0") && counter_wanted(name))
		fprintf(out, "\t%s=%s", name, value);
}

/* "Tcp: A B\nTcp: 1 2\n" as snmp and netstat have it: TcpA=1, TcpB=2 */
static void put_pairs(FILE *out, char *names, char *values)
{
	char full[128];
	char *colon = strchr(names, ':');
	char *name, *value, *next_name, *next_value;

	if (!colon)
		return;
	*colon = '\0';
	name = strtok_r(colon + 1, " ", &next_name);
	strtok_r(values, " ", &next_value);
	while (name && (value = strtok_r(NULL, " ", &next_value))) {
		snprintf(full, sizeof(full), "%s%s", names, name);
		put_counter(out, full, value);
		name = strtok_r(NULL, " ", &next_name);
	}
}

static void put_paired_file(FILE *out, const char *path)
{
	size_t len;
	char *text = read_file(path, &len);
	char *names, *values, *next = NULL;

	if (!text)
		fail_errno("%s", path);
	for (names = strtok_r(text, "\n", &next); names;
	     names = strtok_r(NULL, "\n", &next)) {
		values = strtok_r(NULL, "\n", &next);
		if (values)
			put_pairs(out, names, values);
	}
	free(text);
}

/* "name   value" on each line, as snmp6 has it */
static void put_snmp6(FILE *out)
{
	size_t len;
	char *text = read_file("/proc/self/net/snmp6", &len);
	char *name, *value, *next = NULL;

	if (!text)
		return;
	for (name = strtok_r(text, " \t\n", &next); name;
	     name = strtok_r(NULL, " \t\n", &next)) {
		value = strtok_r(NULL, " \t\n", &next);
		if (value)
			put_counter(out, name, value);
	}
	free(text);
}

static void put_nodes(FILE *out)
{
	unsigned int i;

	for (i = 0; i < node_names.count; i++) {
		node_enter(&nodes[i]);
		fprintf(out, "node\tname=%s", nodes[i].name);
		put_paired_file(out, "/proc/self/net/snmp");
		put_paired_file(out, "/proc/self/net/netstat");
		put_snmp6(out);
		putc('\n', out);
	}
}

/* Times that never came are -1 */
static long long or_minus_one(u64 when)
{
	return when == NEVER ? -1 : (long long)when;
}

static void put_flow(FILE *out, struct flow *flow)
{
	const struct tcp_report *tx = &flow->report.tx;
	const struct tcp_report *rx = &flow->report.rx;
	unsigned int i;

	flow_report_last(flow);
	fprintf(out, "flow\tid=%s\tstart=%lld\testablished=%lld\tend=%lld",
		flow->name, or_minus_one(flow->started),
		or_minus_one(flow->established), or_minus_one(flow->ended));
	fprintf(out, "\tbytes_acked=%llu\tbytes_received=%llu\tcc=%s",
		tx->bytes_acked, rx->bytes_received,
		flow->report.cc[0] ? flow->report.cc : "-");
	fprintf(out, "\tsegs_out=%u\tdata_segs_out=%u\tretrans=%u",
		tx->segs_out, tx->data_segs_out, tx->total_retrans);
	fprintf(out, "\tbytes_retrans=%llu\tdsack_dups=%u\treord_seen=%u",
		tx->bytes_retrans, tx->dsack_dups, tx->reord_seen);
	fprintf(out, "\trcv_ooo=%u\trto=%u\trehash=%u\tdelivered=%u",
		rx->rcv_ooopack, tx->total_rto, tx->rehash, tx->delivered);
	fprintf(out, "\tdelivered_ce=%u\tcwnd=%u\trtt_us=%u\tmin_rtt_us=%u",
		tx->delivered_ce, tx->snd_cwnd, tx->rtt, tx->min_rtt);
	fprintf(out, "\tarrived=%u\tacks=%u", rx->data_segs_in,
		rx->segs_out - rx->data_segs_out);
	fprintf(out, "\tmss=%u\tca_state=%u\terror=%d\tccinfo=", tx->snd_mss,
		tx->ca_state, flow->error);
	for (i = 0; i < flow->report.cc_info_len; i++)
		fprintf(out, "%02x", flow->report.cc_info[i]);
	if (flow->mptcp)
		fprintf(out, "\tsubflows=%u", flow->report.subflows);
	putc('\n', out);
}

static void put_flows(FILE *out)
{
	unsigned int i;

	for (i = 0; i < flow_names.count; i++)
		put_flow(out, &flows[i]);
}

/* Of a direction whose receiving end merges */
static void put_merged(FILE *out, const struct lab_stats *s)
{
	if (s->interrupts)
		fprintf(out, "\tinterrupts=%llu\tgro_packets=%llu\tgro_skbs=%llu",
			s->interrupts, s->gro_packets, s->gro_skbs);
}

static void put_links(FILE *out)
{
	unsigned int count, i;
	const struct lab_stats *stats = lablink_stats(&count);

	for (i = 0; i < count; i++) {
		const struct lab_stats *s = &stats[i];

		fprintf(out, "link\tid=%s\tdir=%s\ttx_packets=%llu",
			links[s->link].name, dir_name[s->dir],
			s->tx_packets);
		fprintf(out, "\ttx_bytes=%llu\tdrops=%llu\tdrop_bytes=%llu",
			s->tx_bytes, s->drops, s->drop_bytes);
		fprintf(out, "\tlost=%llu\tdown=%llu\tmarks=%llu",
			s->lost, s->down, s->marks);
		fprintf(out, "\tmax_queue=%llu\twait_ns_sum=%llu",
			s->max_queue, s->wait_ns_sum);
		fprintf(out, "\tqueue_byte_ns=%llu\tbusy_ns=%llu",
			s->queue_byte_ns, s->busy_ns);
		fprintf(out, "\tqueued_ns=%llu", s->queued_ns);
		put_merged(out, s);
		putc('\n', out);
	}
}

/* What the congestion-control modules' common part counts, where it is loaded */
static void put_dcc(FILE *out)
{
	struct dirent **entry;
	char path[sizeof(DCC_COUNTERS) + NAME_MAX + 1];
	int count = scandir(DCC_COUNTERS, &entry, NULL, alphasort);
	size_t len;
	char *text;
	int i;

	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), DCC_COUNTERS "/%s",
			 entry[i]->d_name);
		text = entry[i]->d_name[0] == '.' ? NULL :
						    read_file(path, &len);
		if (text)
			fprintf(out, "counter\tname=%s\tvalue=%.*s\n",
				entry[i]->d_name, (int)strcspn(text, "\n"),
				text);
		free(text);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
}

static bool put_oops_line(FILE *out, char *line)
{
	char *tab;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(oops_words); i++) {
		if (!strstr(line, oops_words[i]))
			continue;
		while ((tab = strchr(line, '\t')))
			*tab = ' ';
		fprintf(out, "oops\ttext=%s\n", line);
		return true;
	}
	return false;
}

/* One line does not say who did it: the whole log, in a file of its own */
static void keep_log(const char *log)
{
	FILE *out = open_output(LOG_FILE);
	FILE *leaks = fopen(LEAKS, "re");
	int c;

	fputs(log, out);
	while (leaks && (c = getc(leaks)) != EOF)
		putc(c, out);
	if (leaks)
		fclose(leaks);
	close_output(out, LOG_FILE);
}

/* What a flow left behind shows only when it has ended */
static void end_flows(void)
{
	unsigned int i;

	for (i = 0; i < flow_names.count; i++) {
		close(flows[i].tx);
		close(flows[i].rx);
	}
}

/*
 * The debug kernel looks for memory that nothing points to any more, when it is
 * told to, and older than 5 s: the wait is free, the clock is virtual. It calls
 * lost what two scans in a row find lost and unchanged; that is in its log.
 */
static void find_leaks(void)
{
	int fd = open(LEAKS, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	end_flows();
	sleep(LEAK_AGE_S);
	if (write(fd, "scan", 4) != 4 || write(fd, "scan", 4) != 4)
		fail_errno(LEAKS);
	close(fd);
}

static void put_oopses(FILE *out)
{
	int size = klogctl(KLOG_SIZE, NULL, 0);
	char *log = zalloc(size > 0 ? size + 1 : 1);
	char *whole, *line, *next = NULL;
	bool any = false;

	if (size < 0 || klogctl(KLOG_READ_ALL, log, size) < 0)
		fail_errno("the kernel's log");
	whole = strdup(log);
	for (line = strtok_r(log, "\n", &next); line;
	     line = strtok_r(NULL, "\n", &next))
		any |= put_oops_line(out, line);
	if (any && whole)
		keep_log(whole);
	free(whole);
	free(log);
}

static void put_run(FILE *out, const struct run *run)
{
	struct lab_info info;

	lablink_info(&info);
	fprintf(out, "run\tsetup_ns=%llu\tend_ns=%llu\twhy=%s", run->setup_ns,
		run->end_ns, run->ended_all ? "all" : "stop");
	fprintf(out, "\ttrace_hash=%016llx\ttrace_lost=%llu",
		info.trace_hash, info.trace_lost);
	fprintf(out, "\tlate_ns=%llu", info.now > run->end_ns ? info.now - run->end_ns : 0);
	fprintf(out, "\trecord_lost=%llu\n", record_close());
}

void result_write(const struct run *run)
{
	FILE *out = open_output(RESULT_FILE);

	put_run(out, run);
	put_links(out);
	put_flows(out);
	put_dcc(out);
	put_nodes(out);
	find_leaks();
	put_oopses(out);
	fputs("end\n", out);
	close_output(out, RESULT_FILE);
}
