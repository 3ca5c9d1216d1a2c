# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the scripts' bash (by BASH_ENV): sysctl without a process for each of the
# 25 values that every script sets. In an emulator those took longer than the
# tests.
sysctl()
{
	local word name
	for word in "$@"; do
		case $word in
		-q | -w | -qw) ;;
		*=*) ;;
		*) command sysctl "$@"; return ;;
		esac
	done
	for word in "$@"; do
		case $word in
		-*) continue ;;
		esac
		name=${word%%=*}
		printf '%s\n' "${word#*=}" >"/proc/sys/${name//.//}" || return
	done
}
