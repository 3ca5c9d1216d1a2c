// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

#define MAX_NAMES 16
#define NAME_SIZE 16 /* TCP_CA_NAME_MAX */

static char **words;
static int word_count;
static char names[MAX_NAMES][NAME_SIZE];
static int name_count;

void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

const char *option_text(const char *key, const char *otherwise)
{
	size_t n = strlen(key);
	int i;

	for (i = 0; i < word_count; i++)
		if (!strncmp(words[i], key, n) && words[i][n] == '=')
			return words[i] + n + 1;
	return otherwise;
}

long option_number(const char *key, long otherwise)
{
	const char *value = option_text(key, NULL);
	char *end;
	long number;

	if (!value)
		return otherwise;
	number = strtol(value, &end, 0);
	if (*end || end == value) {
		fprintf(stderr, "option %s=%s: a number is wanted\n", key, value);
		exit(2);
	}
	return number;
}

static void read_names(const char *list)
{
	while (*list && name_count < MAX_NAMES) {
		size_t n = strcspn(list, ",");

		snprintf(names[name_count++], NAME_SIZE, "%.*s", (int)n, list);
		list += n + (list[n] == ',');
	}
}

void options_read(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (strchr(argv[i], '='))
			continue;
		fprintf(stderr, "'%s': key=value is wanted\n", argv[i]);
		exit(2);
	}
	words = argv;
	word_count = argc;
	read_names(option_text("cc", getenv("OURS") ?: ""));
	if (!name_count) {
		fprintf(stderr, "cc=A,B: algorithms are wanted, or OURS in the environment\n");
		exit(2);
	}
}

uint64_t mix64(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL; /* splitmix64 */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

uint64_t random64(void)
{
	static __thread uint64_t state;
	static __thread pid_t owner;
	pid_t self = syscall(SYS_gettid);
	struct timespec now;

	if (owner != self) { /* a new thread, or the child of a fork */
		clock_gettime(CLOCK_MONOTONIC, &now);
		state = mix64((uint64_t)now.tv_nsec ^ (uint64_t)self << 32);
		owner = self;
	}
	return mix64(state++);
}

int one_in(unsigned int n)
{
	return random64() % n == 0;
}

const char *cc_any(void)
{
	return names[random64() % name_count];
}

int cc_set(int fd, const char *name)
{
	return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name));
}

int cc_set_again(int fd)
{
	char name[NAME_SIZE] = "";
	socklen_t size = sizeof(name) - 1;

	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size))
		return -1;
	return cc_set(fd, name);
}

void files_allow(unsigned long count)
{
	struct rlimit limit = { count, count };

	if (setrlimit(RLIMIT_NOFILE, &limit))
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 4096, 4096 });
}

void heartbeat(const char *what, long done, long all)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static time_t last;
	time_t now = time(NULL);

	pthread_mutex_lock(&lock);
	if (!last)
		last = now;
	if (now - last >= HEARTBEAT_S) {
		fprintf(stderr, "# %s: %ld of %ld\n", what, done, all);
		last = now;
	}
	pthread_mutex_unlock(&lock);
}
