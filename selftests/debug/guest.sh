#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The emulated machine's init: runs the campaigns of campaigns.sh and looks into
# the kernel's log after each. From the kernel's command line:
#
#   CAMPAIGNS=a,b   which ones
#   SCALE=N         per cent of the usual amounts (100)
#
# Every campaign makes two tests: what it did, with counts, and what the kernel
# said about it (nothing is wanted). run.sh reads them, and where a campaign
# begins (CAMPAIGN name) and ends (PASSED name, FAILED name). KEEP: what passed is
# not to be doubted any more; where leaks can be looked for, after that.

. /guest-lib.sh
SCALE=${SCALE:-100}
COUNTS=/tmp/counts
LOG=/tmp/kernel.log
TRACING=/sys/kernel/tracing
LEAKS=/sys/kernel/debug/kmemleak
FAILSLAB=/sys/kernel/debug/failslab
# What a kernel that watches itself says when something is wrong.
REPORTS='KASAN|UBSAN|BUG|WARNING|INFO: (task|possible|trying|rcu)|ODEBUG'
REPORTS="$REPORTS|possible (recursive|circular|irq|unsafe|deadlock)|suspicious RCU"
REPORTS="$REPORTS|[Ii]nconsistent lock|sleeping function|soft lockup|rcu.*stall"
REPORTS="$REPORTS|Poison overwritten|Redzone|[Oo]bject already free|refcount_t|bad: scheduling"
REPORTS="$REPORTS|general protection|Oops|Call Trace|list_(add|del) corruption"
REPORTS="$REPORTS|unregister_netdevice: waiting|new suspected memory leaks"
REPORT_LINES=70
# The emulator delays packets by milliseconds: with the default target (25 us)
# every flow would believe in a queue, and crawl.
TARGET_QDELAY_US=200000

# result STATUS TEXT: one of the tests of the campaign that runs.
result()
{
	if test "$1" = 0; then
		echo "ok - $2"
	else
		verdict=FAILED
		echo "not ok - $2"
	fi
}

# A sign of life, and where the machine is.
note()
{
	echo "$*" | sed 's/^/# /'
}

# wrong TEXT: the campaign that runs has failed, for this reason.
wrong()
{
	note "$campaign: $*"
	campaign_failed=1
}

# scaled N: so many, at the chosen scale.
scaled()
{
	echo $((($1 * SCALE + 99) / 100))
}

# count KEY=NUMBER...: to be added up and shown with the campaign.
count()
{
	echo "$*" >>$COUNTS
}

# The value of KEY added up so far.
counted()
{
	tr ' ' '\n' <$COUNTS | awk -F= -v key="$1" '$1 == key { n += $2 } END { print n + 0 }'
}

# at_least NUMBER KEY: a campaign that did less has tested nothing.
at_least()
{
	test "$(counted "$2")" -ge "$1" || wrong "$2=$(counted "$2"), at least $1 is wanted"
}

all_counts()
{
	tr ' ' '\n' <$COUNTS | awk -F= '
		NF == 2 && $2 ~ /^-?[0-9]+$/ {
			if (!($1 in sum)) order[++n] = $1
			sum[$1] += $2 }
		END { for (i = 1; i <= n; i++) printf " %s=%d", order[i], sum[order[i]] }'
}

has_lockdep() { test -e /proc/lockdep_stats; }
has_kmemleak() { test -e $LEAKS; }
has_failslab() { test -e $FAILSLAB; }

# lockdep ends itself after its first report or when a table is full.
lockdep_is_off()
{
	has_lockdep && ! grep -q 'debug_locks: *1' /proc/lockdep_stats
}

# Without the warnings that come from functions in $tolerated: a campaign names
# those of the kernel's own that its doings bring about. Allocations that fail,
# which such a campaign is about, are no reports either.
drop_tolerated()
{
	awk -v known="$tolerated" '
		/vmalloc error|page allocation failure/ && known { skip = 1 }
		/Mem-Info|cut here|BUG|UBSAN|INFO/ { skip = 0 }
		skip { next }
		/cut here/ && known { inside = 1; block = "" }
		!inside { print; next }
		{ block = block $0 "\n" }
		/end trace/ { inside = 0; if (block !~ "RIP.*(" known ")") printf "%s", block }
		END { if (inside) printf "%s", block }'
}

# After a report the machine is not to be trusted with another campaign: lockdep
# is off, memory may be broken.
look_into_log()
{
	dmesg -c | drop_tolerated >$LOG
	if grep -Eq "$REPORTS" $LOG; then
		broken=yes
		result 1 "$campaign: the kernel's log"
		grep -E -B 2 -A $REPORT_LINES -m 1 "$REPORTS" $LOG | sed 's/^/# /'
		note "lines of reports in all: $(grep -Ec "$REPORTS" $LOG)"
	elif lockdep_is_off; then
		broken=yes
		result 1 "$campaign: lockdep has switched itself off"
	else
		result 0 "$campaign: the kernel's log has no report"
	fi
}

uptime_s() { cut -d. -f1 /proc/uptime; }

run_campaign()
{
	local begin
	campaign=$1
	campaign_failed=0
	verdict=PASSED
	tolerated=
	: >$COUNTS
	begin=$(uptime_s)
	echo "CAMPAIGN $campaign"
	note "$campaign begins at $begin s"
	"campaign_$campaign"
	all_end
	result $campaign_failed "$campaign:$(all_counts) guest_seconds=$(($(uptime_s) - begin))"
	look_into_log
	echo "$verdict $campaign"
}

mount_all
mount -t debugfs debug /sys/kernel/debug
mount -t tracefs tracing $TRACING
chmod 1777 /tmp
# An emulated processor is slow, not stuck.
echo 60 >/proc/sys/kernel/watchdog_thresh
mkdir -p /etc/modprobe.d
cat >/etc/modprobe.d/dcc.conf <<EOF
options tcp_mswift target_qdelay_us=$TARGET_QDELAY_US
options tcp_mnscc target_qdelay_ns=${TARGET_QDELAY_US}000
options tcp_prioplus channel_noise_ns=${TARGET_QDELAY_US}000
options tcp_ledbat target_qdelay_us=100000
EOF
. /campaigns.sh
note "kernel $(uname -r), $(nproc) processors, scale $SCALE %"
dmesg -c >/tmp/boot.log
has_kmemleak && echo clear >$LEAKS
broken=
for name in $(echo "$CAMPAIGNS" | tr ',' ' '); do
	run_campaign "$name"
	test -z "$broken" || break
	has_kmemleak || echo KEEP
done
if has_kmemleak && test -z "$broken"; then
	run_campaign leaks
	test $verdict = PASSED && echo KEEP
fi
echo "GUEST-END"
# Ends the emulator; the debug kernel does not know how to switch off.
reboot -f
