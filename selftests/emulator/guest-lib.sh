# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the scripts in the emulated machines share; emu_init puts it at /.

PATH=/bin:/sbin
export PATH

# The project's modules, but for tcp_dcc, which they load, and what they register;
# by commas, as programs take it and as what they take by default: OURS.
MODULES="tcp_mswift tcp_mnscc tcp_oscar tcp_prioplus tcp_ledbat"
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

# Two namespaces and a wire:
#
#     namespace a                           namespace b
#    +------------------+                  +------------------+
#    | 10.9.0.1  fd09::1| ve_a ------ ve_b | 10.9.0.2  fd09::2|
#    +------------------+                  +------------------+
two_namespaces()
{
	ip netns add a
	ip netns add b
	ip link add ve_a netns a type veth peer name ve_b netns b
	for n in a b; do
		ip -n $n link set lo up
		ip -n $n link set "ve_$n" up
	done
	ip -n a addr add 10.9.0.1/24 dev ve_a
	ip -n b addr add 10.9.0.2/24 dev ve_b
	ip -n a addr add fd09::1/64 dev ve_a nodad
	ip -n b addr add fd09::2/64 dev ve_b nodad
}

in_a() { ip netns exec a "$@"; }
in_b() { ip netns exec b "$@"; }

# slab_objects NAME: in use, with what is free on each processor given back.
slab_objects()
{
	echo 1 >"/sys/kernel/slab/$1/shrink"
	awk -v name="$1" '$1 == name { print $2 }' /proc/slabinfo
}

# kmalloc_objects: pieces of memory in use, of all sizes.
kmalloc_objects()
{
	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache"
	done
	awk '/^kmalloc-/ { n += $2 } END { print n }' /proc/slabinfo
}

# all_gone N: is no TCP socket left in memory, and no namespace but N?
all_gone()
{
	test "$(slab_objects TCP)" = 0 && test "$(slab_objects TCPv6)" = 0 &&
		test "$(slab_objects net_namespace)" -le "$1"
}
