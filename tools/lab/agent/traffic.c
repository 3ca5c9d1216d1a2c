// SPDX-License-Identifier: GPL-2.0
/*
 * The loop that drives all flows from one process: sockets by epoll, starts
 * and timed changes by one timer.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flow.h"
#include "lablink.h"
#include "traffic.h"

#define EVENTS_AT_ONCE	1024
/*
 * Progress lines begin at this interval, which doubles after each so many, so
 * that short runs show some and long ones not too many.
 */
#define PROGRESS_NS	1000000
#define PROGRESS_LINES	20

struct child {
	int pid;
	unsigned int line;
};

static struct run *the_run;
static int epoll_fd, timer_fd, child_fd;
static bool timer_fired;
static bool stopped;

/* Commands started at their time and still running */
static struct child *children;
static unsigned int child_count;

static void at_stmt(const struct stmt *stmt)
{
	struct stmt action = stmt_timed(stmt);

	if (action.kind != STMT_DIR && action.kind != STMT_SYSCTL &&
	    action.kind != STMT_EXEC && action.kind != STMT_SETCC)
		fail("\"at\" takes dir, sysctl, exec or setcc");
	timer_add(parse_u64("at", stmt->argv[0], INT64_MAX), EVENT_AT,
		  stmt - the_run->plan->stmt);
}

static void sample_stmt(const struct stmt *stmt)
{
	stmt_args(stmt, 1);
	the_run->sample = parse_u64("sample", stmt->argv[0], INT64_MAX);
	if (the_run->sample) {
		sample_open();
		timer_add(the_run->sample, EVENT_SAMPLE, 0);
	}
}

static void stop_stmt(const struct stmt *stmt)
{
	stmt_args(stmt, 1);
	the_run->stop = parse_u64("stop", stmt->argv[0], INT64_MAX);
	timer_add(the_run->stop, EVENT_STOP, 0);
}

static void until_stmt(const struct stmt *stmt)
{
	stmt_args(stmt, 1);
	the_run->until_all = !strcmp(stmt->argv[0], "all");
	if (!the_run->until_all && strcmp(stmt->argv[0], "stop"))
		fail("\"%s\" is neither all nor stop", stmt->argv[0]);
}

/* Ends of commands arrive through a descriptor, like everything else */
static void watch_children(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	child_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (child_fd < 0)
		fail_errno("signalfd");
	watch_add(child_fd, EPOLLIN, WATCH_CHILD, 0);
}

/* All that can be done before t = 0: sockets that listen, the queue of events */
void traffic_prepare(struct run *run)
{
	const struct plan *plan = run->plan;

	the_run = run;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0)
		fail_errno("epoll");
	flow_setup(plan, epoll_fd);
	record_open(plan);
	plan_each(plan, STMT_AT, at_stmt);
	plan_each(plan, STMT_SAMPLE, sample_stmt);
	plan_each(plan, STMT_STOP, stop_stmt);
	plan_each(plan, STMT_UNTIL, until_stmt);
	if (!run->stop)
		fail("the plan has no \"stop\"");
	timer_add(PROGRESS_NS, EVENT_PROGRESS, 0);
	timer_fd = timer_open();
	watch_add(timer_fd, EPOLLIN, WATCH_TIMER, 0);
	watch_children();
}

static void start_child(const struct stmt *stmt)
{
	children = grow(children, child_count, sizeof(*children));
	children[child_count].pid = exec_start(stmt);
	children[child_count++].line = stmt->line;
}

/* Init also inherits strangers' children: those are only reaped */
static void reap_children(void)
{
	struct signalfd_siginfo info;
	int pid, status;
	unsigned int i;

	while (read(child_fd, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 0; i < child_count; i++) {
			if (children[i].pid != pid)
				continue;
			plan_at(children[i].line);
			exec_check(status);
			children[i].pid = 0;
			plan_at(0);
		}
	}
}

static void do_at(unsigned int number)
{
	const struct stmt *at = &the_run->plan->stmt[number];
	struct stmt stmt = stmt_timed(at);

	plan_at(at->line);
	if (stmt.kind == STMT_DIR)
		lablink_set(&stmt);
	else if (stmt.kind == STMT_SYSCTL)
		sysctl_now(&stmt);
	else if (stmt.kind == STMT_EXEC)
		start_child(&stmt);
	else
		flow_setcc(&stmt);
	plan_at(0);
}

/* Also the moment to empty the kernel's trace buffers */
static void progress(u64 when)
{
	static u64 interval = PROGRESS_NS;
	static unsigned int lines;

	say("@t %llu flows_done=%u/%u", when, flows_done,
	    flow_names.count);
	lablink_trace();
	record_take();
	if (++lines % PROGRESS_LINES == 0)
		interval *= 2;
	timer_add(when + interval, EVENT_PROGRESS, 0);
}

static void sample(u64 when)
{
	sample_take(when);
	timer_add(when + the_run->sample, EVENT_SAMPLE, 0);
}

/* t = 0: what the links have carried so far was set-up */
static void zero(void)
{
	if (lablink_present())
		timer_zero(lablink_start());
}

static void do_event(const struct event *event)
{
	switch (event->kind) {
	case EVENT_ZERO:
		zero();
		break;
	case EVENT_CONNECT:
		flow_connect(&flows[event->what]);
		break;
	case EVENT_START:
		flow_start(&flows[event->what], event->when);
		break;
	case EVENT_PACE:
		flow_pace(&flows[event->what], event->when);
		break;
	case EVENT_ON:
		flow_on(&flows[event->what], event->when);
		break;
	case EVENT_OFF:
		flow_off(&flows[event->what], event->when);
		break;
	case EVENT_DRAIN:
		flow_drain(&flows[event->what]);
		break;
	case EVENT_END:
		flow_end(&flows[event->what]);
		break;
	case EVENT_AT:
		do_at(event->what);
		break;
	case EVENT_SAMPLE:
		sample(event->when);
		break;
	case EVENT_PROGRESS:
		progress(event->when);
		break;
	case EVENT_STOP:
		stopped = true;
		break;
	}
}

static void do_timer(void)
{
	struct event event;

	timer_fired = true;
	while (!stopped && timer_next(&event))
		do_event(&event);
}

static void do_ready(const struct epoll_event *ready)
{
	unsigned int index = (u32)ready->data.u64;

	switch ((enum watch)(ready->data.u64 >> 32)) {
	case WATCH_TIMER:
		do_timer();
		break;
	case WATCH_CHILD:
		reap_children();
		break;
	case WATCH_LISTENER:
		flow_accept(index);
		break;
	case WATCH_TX:
		flow_tx_event(&flows[index], ready->events);
		break;
	case WATCH_RX:
		flow_rx_event(&flows[index], ready->events);
		break;
	}
}

/* Flows without an end do not count; neither does an empty plan */
static bool all_done(void)
{
	return the_run->until_all && !flows_left && flows_done;
}

/* Warm connections may have to be made before t = 0 */
static void begin(void)
{
	u64 lead = flow_lead();

	if (lead || !lablink_present())
		timer_zero_in(lead);
	if (!lead)
		zero();
}

/* From t = 0 to the end. The clock is read as seldom as can be: it costs time */
void traffic_run(struct run *run)
{
	static struct epoll_event ready[EVENTS_AT_ONCE];
	int count, i;

	begin();
	while (!stopped && !all_done()) {
		timer_arm(timer_fired);
		timer_fired = false;
		count = epoll_wait(epoll_fd, ready, EVENTS_AT_ONCE, -1);
		if (count < 0 && errno != EINTR)
			fail_errno("epoll_wait");
		clock_round();
		for (i = 0; i < count; i++)
			do_ready(&ready[i]);
	}
	run->ended_all = !stopped;
	run->end_ns = stopped ? run->stop : clock_now();
	if (run->sample)
		sample_take(run->end_ns);
}
