# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the scripts in the emulated machines share; emu_init puts it at /.

PATH=/bin:/sbin
export PATH

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
