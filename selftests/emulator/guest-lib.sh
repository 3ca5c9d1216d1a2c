# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the emulated machines' init scripts share; emu_init puts it at /.

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
