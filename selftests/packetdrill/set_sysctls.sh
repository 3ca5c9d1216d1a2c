#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In place of set_sysctls.py, which does the same in 15 times the instructions:
# sets FILE=VALUE..., and leaves a program that puts the old values back where
# packetdrill's scripts look for it.
restore=/tmp/sysctl_restore_$PACKETDRILL_PID.sh

echo '#!/bin/sh' >"$restore"
for word in "$@"; do
	file=${word%%=*}
	read -r old <"$file"
	echo "echo '$old' >$file" >>"$restore"
	echo "${word#*=}" >"$file"
done
chmod u+x "$restore"
