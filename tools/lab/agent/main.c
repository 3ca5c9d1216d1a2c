// SPDX-License-Identifier: GPL-2.0
/* The order of things: set up, run, write the results, power off. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "flow.h"
#include "lablink.h"
#include "traffic.h"

/* Nothing is high-resolution before the first tick of the guest's clock */
#define SETTLE_NS	(NSEC_PER_SEC / 10)

/* Set by our kernel patch from labdir= (see ../PLAN.md) */
#define LABDIR_FILE	"/proc/labdir"

/* Work in the run's directory: names of files are relative from here on */
static void enter_labdir(void)
{
	size_t len;
	char *dir;

	if (mount("proc", "/proc", "proc", 0, NULL) && errno != EBUSY)
		fail_errno("mount /proc");
	dir = read_file(LABDIR_FILE, &len);
	if (!dir)
		fail_errno(LABDIR_FILE);
	dir[strcspn(dir, "\n")] = '\0';
	if (chdir(dir))
		fail_errno("labdir=%s", dir);
	mount_all(dir);
	setenv("LABDIR", dir, 1);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", dir, 1);
	free(dir);
}

static void set_up(const struct plan *plan)
{
	plan_each(plan, STMT_MODULE, load_module);
	lablink_open();
	nodes_create(plan);
	net_create(plan);
	plan_each(plan, STMT_DIR, lablink_set);
	plan_each(plan, STMT_GROUP, group_set_members);
	net_address(plan);
	nodes_sysctl(plan);
	net_route(plan);
	mptcp_setup(plan);
	plan_each(plan, STMT_EXEC, exec_wait);
}

static u64 uptime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

int main(void)
{
	struct plan plan = { 0 };
	struct run run = { .plan = &plan };

	enter_labdir();
	say("@up");
	plan_read(&plan, "plan");
	set_up(&plan);
	traffic_prepare(&run);
	run.setup_ns = uptime_ns();
	say("@setup-done nodes=%u links=%u", node_names.count,
	    link_names.count);
	timer_sleep(SETTLE_NS);
	traffic_run(&run);
	result_write(&run);
	lablink_trace_end();
	calls_end();
	sample_close();
	say("@end");
	power_off();
}
