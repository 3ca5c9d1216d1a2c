// SPDX-License-Identifier: GPL-2.0
/*
 * Packets with the mark of congestion, as a switch would send them on. No socket can set
 * it on TCP's packets, so a BPF program at this process' cgroup does, on packets of one
 * socket alone. Its hold is a file descriptor: it goes when this program does, however it
 * ends. Takes root.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"
#include "peer.h"

#define OF_CGROUP2	"0::"	/* its line of /proc/PID/cgroup begins so */
#define LET_PASS	1	/* what such a program returns */
#define INSN(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }
#define MOVE(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define NUMBER(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ ## f)
#define WIDE(d, s, v)	INSN(BPF_LD | BPF_DW | BPF_IMM, d, s, 0, (s32)(v)), \
			INSN(0, 0, 0, 0, (s32)((u64)(v) >> 32))

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(__NR_bpf, command, attr, sizeof(*attr));
}

static int new_count(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(u32),
		.value_size = sizeof(u64), .max_entries = 1,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

/*
 * if (socket's cookie == @cookie && skb->len <= @most && bpf_skb_ecn_set_ce(skb))
 *	++*count;
 * A packet that is not ECN's (SYN, ACK) is let be by the helper itself. Jumps are
 * counted from the next instruction; a wide number is two.
 */
static int new_program(u64 cookie, u32 most, int map)
{
	struct bpf_insn insns[] = {
		MOVE(6, 1),
		CALL(get_socket_cookie),
		WIDE(2, 0, cookie),
		INSN(BPF_JMP | BPF_JNE | BPF_X, 0, 2, 13, 0),
		INSN(BPF_LDX | BPF_W | BPF_MEM, 2, 6, offsetof(struct __sk_buff, len), 0),
		INSN(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 11, (s32)most),
		MOVE(1, 6),
		CALL(skb_ecn_set_ce),
		MOVE(7, 0),
		INSN(BPF_ST | BPF_W | BPF_MEM, 10, 0, -4, 0),
		WIDE(1, BPF_PSEUDO_MAP_FD, map),
		MOVE(2, 10),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		CALL(map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0),
		INSN(BPF_STX | BPF_DW | BPF_ATOMIC, 0, 7, 0, BPF_ADD),
		NUMBER(0, LET_PASS),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_CGROUP_SKB,
		.expected_attach_type = BPF_CGROUP_INET_EGRESS,
		.insns = (uintptr_t)insns, .insn_cnt = ARRAY_SIZE(insns),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

/* Where cgroups are; "ip netns exec" hides them behind a /sys of its own. */
static const char *cgroups(void)
{
	static const char *const at[] = {
		"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
		"/proc/1/root/sys/fs/cgroup", "/proc/1/root/sys/fs/cgroup/unified",
	};
	struct statfs fs;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(at); i++)
		if (!statfs(at[i], &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
			return at[i];
	return NULL;
}

/* This process' own cgroup, where sockets that it makes belong; -1: not to be found. */
static int own_cgroup(void)
{
	FILE *file = fopen("/proc/self/cgroup", "r");
	char line[PATH_TEXT], path[2 * PATH_TEXT];
	const char *at = cgroups();
	int fd = -1;

	while (at && file && fd < 0 && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, OF_CGROUP2, strlen(OF_CGROUP2)))
			continue;
		snprintf(path, sizeof(path), "%s%s", at, line + strlen(OF_CGROUP2));
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (file)
		fclose(file);
	return fd;
}

static int hold(int program, int cgroup)
{
	union bpf_attr attr = { .link_create = {
		.prog_fd = (u32)program, .target_fd = (u32)cgroup,
		.attach_type = BPF_CGROUP_INET_EGRESS,
	} };

	return bpf(BPF_LINK_CREATE, &attr);
}

static void close_if(int fd)
{
	if (fd >= 0)
		close(fd);
}

/**
 * marker_open() - mark a socket's small packets from now on
 * @marker: set; to be closed if true is returned
 * @socket: the socket
 * @most_bytes: what is small, its IPv6 header with it
 * @why: set if false is returned
 */
bool marker_open(struct marker *marker, int socket, u32 most_bytes, char why[ECHO_TEXT])
{
	int cgroup = -1, program = -1;
	socklen_t len = sizeof(u64);
	u64 cookie = 0;

	*marker = (struct marker) { .link = -1, .map = new_count() };
	if (marker->map >= 0 && !getsockopt(socket, SOL_SOCKET, SO_COOKIE, &cookie, &len))
		program = new_program(cookie, most_bytes, marker->map);
	if (program >= 0)
		cgroup = own_cgroup();
	if (cgroup >= 0)
		marker->link = hold(program, cgroup);
	if (marker->link < 0 && errno == EPERM)
		snprintf(why, ECHO_TEXT, "only root can mark packets");
	else if (program >= 0 && cgroup < 0)
		snprintf(why, ECHO_TEXT, "no cgroup2 at /sys/fs/cgroup to mark packets by");
	else if (marker->link < 0)
		snprintf(why, ECHO_TEXT, "packets cannot be marked: %s", strerror(errno));
	close_if(program);
	close_if(cgroup);
	if (marker->link < 0)
		close_if(marker->map);
	return marker->link >= 0;
}

/* Return: how many packets it has marked. */
u32 marker_close(struct marker *marker)
{
	u32 key = 0;
	u64 count = 0;
	union bpf_attr attr = {
		.map_fd = (u32)marker->map, .key = (uintptr_t)&key, .value = (uintptr_t)&count,
	};

	bpf(BPF_MAP_LOOKUP_ELEM, &attr);
	close(marker->link);
	close(marker->map);
	return (u32)count;
}
