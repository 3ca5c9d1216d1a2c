// SPDX-License-Identifier: GPL-2.0
/*
 * What a network card does for the stack, switched on and off on a device that is
 * none; the part of ethtool that veth needs.
 *
 *   card DEVICE tso|gro on|off
 *   card DEVICE hash off
 *
 * tso   the device takes GSO packets; off: the stack cuts them after the queue
 * gro   what arrives is merged, in NAPI's polls as by a driver's
 * hash  off: what leaves takes no hash along. The sender's is of the label it chose, and
 *       GRO, which sorts what it holds by the hash, would let packets of one flow go in
 *       the order of their labels' hashes; a card has one for addresses and ports
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "../real/peer.h"

#define TCX_EGRESS	47	/* BPF_TCX_EGRESS of the kernel, newer than the header */

static void switch_feature(const char *device, unsigned int command, bool on)
{
	struct ethtool_value value = { .cmd = command, .data = on };
	struct ifreq request = { .ifr_data = (void *)&value };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	snprintf(request.ifr_name, IFNAMSIZ, "%s", device);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request))
		die("cannot switch a feature of", device);
	close(fd);
}

static int bpf(int command, union bpf_attr *attr)
{
	int result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	if (result < 0)
		die("bpf", "for a packet's hash");
	return result;
}

/* A program on what leaves; it stays as long as the device. */
static void hash_off(const char *device)
{
	static const struct bpf_insn forget[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_set_hash_invalid },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_SCHED_CLS,
		.insns = (uintptr_t)forget,
		.insn_cnt = sizeof(forget) / sizeof(*forget),
		.license = (uintptr_t)"GPL",
	};
	union bpf_attr attach = {
		.target_fd = if_nametoindex(device),
		.attach_type = TCX_EGRESS,
	};

	attach.attach_bpf_fd = bpf(BPF_PROG_LOAD, &load);
	bpf(BPF_PROG_ATTACH, &attach);
}

int main(int argc, char **argv)
{
	bool on = argc == 4 && !strcmp(argv[3], "on");

	if (argc == 4 && (on || !strcmp(argv[3], "off"))) {
		if (!strcmp(argv[2], "tso")) {
			switch_feature(argv[1], ETHTOOL_STSO, on);
			return 0;
		}
		if (!strcmp(argv[2], "gro")) {
			switch_feature(argv[1], ETHTOOL_SGRO, on);
			return 0;
		}
		if (!strcmp(argv[2], "hash") && !on) {
			hash_off(argv[1]);
			return 0;
		}
	}
	fprintf(stderr, "usage: card DEVICE tso|gro on|off\n"
		"       card DEVICE hash off\n");
	return 2;
}
