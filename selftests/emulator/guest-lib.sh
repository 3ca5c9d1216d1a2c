# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the scripts in the emulated machines share; emu_init puts it at /.

PATH=/bin:/sbin
export PATH

# The project's modules, but for tcp_dcc, which they load, and what they register;
# by commas, as programs take it and as what they take by default: OURS.
MODULES="tcp_mswift tcp_mnscc tcp_oscar tcp_prioplus"
ALGORITHMS="swift lswift mswift nscc mnscc oscar prioplus prioplus_ledbat ledbat"
OURS=$(echo $ALGORITHMS | tr ' ' ,)
export OURS

# What is there when init begins: nothing.
mount_all()
{
	mount -t proc proc /proc
	mount -t sysfs sys /sys
	mount -t devtmpfs dev /dev
	mount -t tmpfs run /run
	mount -t tmpfs tmp /tmp
	ip link set lo up
}

# retry SECONDS COMMAND...: until it succeeds.
retry()
{
	local tries=$(($1 * 5))
	shift
	while test $tries -gt 0; do
		"$@" 2>/dev/null && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	"$@"
}

# listens PORT [IN...]: does anybody? IN runs a command in another namespace.
listens()
{
	local port=$1
	shift
	"$@" ss -tlnH "sport = :$port" | grep -q LISTEN
}
