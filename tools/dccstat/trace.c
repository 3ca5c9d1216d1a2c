// SPDX-License-Identifier: GPL-2.0
/*
 * A trace event of tcp_dcc, in an instance of its own, so that nobody else's
 * tracing is touched. The instance is named after the process; those of processes
 * that are gone are removed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"

#define PREFIX		"dccstat-"

static int stopped;
static struct trace *opened;		/* what exit() has to close */

static void on_signal(int number)
{
	(void)number;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
}

/* Was the program told to end? */
bool is_stopped(void)
{
	return __atomic_load_n(&stopped, __ATOMIC_RELAXED);
}

/*
 * Ctrl-C, and a reader of the output that has seen enough, end in order: the instance is
 * removed, files are complete.
 */
void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
}

u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (u64)NSEC_PER_SEC + t.tv_nsec;
}

/* The start of a file, without the line's end. */
bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[max(len, 0)] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return len >= 0;
}

bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = (ssize_t)strlen(text);
	bool ok = fd >= 0 && write(fd, text, (size_t)len) == len;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Where tracing is, NULL: nowhere, or not for this user. */
const char *trace_folder(void)
{
	static const char *const folder[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};
	char path[PATH_TEXT];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(folder); i++) {
		snprintf(path, sizeof(path), "%s/instances", folder[i]);
		if (!access(path, W_OK))
			return folder[i];
	}
	return NULL;
}

/* Of those that were killed. */
static void remove_left(const char *folder)
{
	char path[PATH_TEXT];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/instances", folder);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t pid = !strncmp(entry->d_name, PREFIX, strlen(PREFIX)) ?
			    atoi(entry->d_name + strlen(PREFIX)) : 0;

		if (pid <= 0 || !kill(pid, 0) || errno != ESRCH)
			continue;
		snprintf(path, sizeof(path), "%s/instances/%.200s", folder, entry->d_name);
		rmdir(path);
	}
	if (dir)
		closedir(dir);
}

/* An error ends the program wherever it is met: else the machine would trace for nobody. */
static void close_opened(void)
{
	if (opened)
		trace_close(opened);
}

static bool refuse(struct trace *trace, char why[WHY_TEXT], const char *what)
{
	snprintf(why, WHY_TEXT, "%s (%s)", what, strerror(errno));
	trace_close(trace);
	return false;
}

static bool in_instance(const struct trace *trace, const char *file, const char *text)
{
	char path[PATH_TEXT + 64];

	snprintf(path, sizeof(path), "%s/%s", trace->dir, file);
	return write_text(path, text);
}

/* Each of the events, or the first that there is not. */
static const char *switch_on(const struct trace *trace, const char *const *event)
{
	char path[64];

	for (; *event; event++) {
		snprintf(path, sizeof(path), "events/dcc/%.32s/enable", *event);
		if (!in_instance(trace, path, "1"))
			break;
	}
	return *event;
}

/**
 * trace_open() - begin to trace
 * @trace: filled in
 * @event: names of events of dcc, "dcc_ack" and so on, and NULL
 * @kib: room for what is not yet read, for each processor
 * @why: set on failure: what to do
 *
 * Return: does it?
 */
bool trace_open(struct trace *trace, const char *const *event, u32 kib, char why[WHY_TEXT])
{
	const char *folder = trace_folder(), *absent;
	char path[PATH_TEXT + 64], text[WHY_TEXT];

	memset(trace, 0, sizeof(*trace));
	trace->fd = -1;
	if (!folder) {
		snprintf(why, WHY_TEXT, "tracing takes root, and a mount: " TRACE_MOUNT);
		return false;
	}
	remove_left(folder);
	snprintf(trace->dir, sizeof(trace->dir), "%s/instances/" PREFIX "%d", folder, getpid());
	if (mkdir(trace->dir, 0700)) {
		trace->dir[0] = '\0';
		return refuse(trace, why, "tracing: no instance");
	}
	opened = trace;
	atexit(close_opened);
	snprintf(text, sizeof(text), "%u", kib);
	if (!in_instance(trace, "buffer_size_kb", text))
		return refuse(trace, why, "tracing: no memory");
	absent = switch_on(trace, event);
	if (absent) {
		snprintf(text, sizeof(text), "no event dcc:%s: sudo modprobe tcp_dcc", absent);
		return refuse(trace, why, text);
	}
	snprintf(path, sizeof(path), "%s/trace_pipe", trace->dir);
	trace->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return trace->fd >= 0 || refuse(trace, why, "tracing: no trace_pipe");
}

/* Hands out the whole lines of what was read. */
static void hand_out(struct trace *trace, line_fn *fn, void *data)
{
	char *at = trace->text, *end;

	while ((end = memchr(at, '\n', trace->len - (size_t)(at - trace->text)))) {
		*end = '\0';
		fn(at, data);
		at = end + 1;
	}
	trace->len -= (size_t)(at - trace->text);
	memmove(trace->text, at, trace->len);
	if (trace->len == sizeof(trace->text))	/* no line is so long */
		trace->len = 0;
}

/**
 * trace_read() - what was traced since the last time
 * @trace: the instance
 * @fn: gets each line
 * @data: for @fn
 *
 * As long as it takes: a machine that traces faster than this reads never ends it,
 * so no more than what a second brings is read.
 *
 * Return: is there more?
 */
bool trace_read(struct trace *trace, line_fn *fn, void *data)
{
	u64 until = now_ns() + NSEC_PER_SEC;
	ssize_t len;

	if (trace->fd < 0)
		return false;
	do {
		len = read(trace->fd, trace->text + trace->len,
			   sizeof(trace->text) - trace->len);
		if (len > 0) {
			trace->len += (size_t)len;
			hand_out(trace, fn, data);
		}
	} while (len > 0 && now_ns() < until);
	return len > 0;
}

/* No more is traced; what was can still be read. */
void trace_stop(struct trace *trace)
{
	if (trace->dir[0])
		in_instance(trace, "events/dcc/enable", "0");
}

void trace_close(struct trace *trace)
{
	if (trace->fd >= 0)
		close(trace->fd);
	trace->fd = -1;
	if (trace->dir[0])
		rmdir(trace->dir);
	trace->dir[0] = '\0';
	opened = NULL;
}
