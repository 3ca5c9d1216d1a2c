#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# secure-boot.sh MODULE.ko [ROOT]: will the running kernel load it, as far as
# signatures go? Says so before "Key was rejected by service" does. Always
# succeeds: the module may be for another machine. ROOT has sys/ and proc/.
set -u

module=${1:?usage: secure-boot.sh MODULE.ko [ROOT]; make install runs it}
root=${2-}
SECURE_BOOT=$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
ENFORCE=$root/sys/module/module/parameters/sig_enforce
LOCKDOWN=$root/sys/kernel/security/lockdown

# Behind four bytes of attributes.
is_secure_boot()
{
	test "$(od -An -t u1 -j 4 -N 1 "$SECURE_BOOT" 2>/dev/null | tr -d ' ')" = 1
}

# Why unsigned modules are refused; nothing if they are not.
reason()
{
	if test "$(cat "$ENFORCE" 2>/dev/null)" = Y; then
		echo "this kernel loads signed modules only (module.sig_enforce)"
	elif grep -q '\[none\]' "$LOCKDOWN" 2>/dev/null; then
		return
	elif test -e "$LOCKDOWN"; then
		echo "this kernel is locked down ($(tr -d '\n' <"$LOCKDOWN"))"
	elif is_secure_boot; then
		echo "the kernel may refuse modules without a signature"
	fi
}

# The kernel shows the end of a key's identifier.
is_trusted()
{
	id=$(modinfo -F sig_key "$module" 2>/dev/null | tr -d ': ' | tr 'A-F' 'a-f')
	test -n "$id" || return 1
	sed -n 's/.*X509\.[^ ]* \([0-9a-f]*\).*/\1/p' "$root/proc/keys" 2>/dev/null |
		while read -r key; do
			case $id in *"$key"*) echo "$key" ;; esac
		done | grep -q .
}

boot=off
is_secure_boot && boot=on
why=$(reason)
signer=$(modinfo -F signer "$module" 2>/dev/null)
if test -z "$why"; then
	echo "Secure Boot is $boot; modules without a signature can be loaded."
elif test -n "$signer" && is_trusted; then
	echo "Secure Boot is $boot, $why. The modules are signed by $signer, which it trusts."
else
	how="not signed"
	test -z "$signer" || how="signed by $signer, with a key that it does not know"
	echo "Secure Boot is $boot, $why. The modules are $how."
	if ! test -d "$root/sys/firmware/efi"; then
		echo "They will be rejected: this machine has no EFI, and so no keys that one could"
		echo "enroll. The kernel trusts those that it was built with; or boot it without"
		echo "module.sig_enforce and lockdown=."
		exit 0
	fi
	cat <<-END
	They will be rejected. DKMS signs them by itself (make uninstall dkms); its key is
	enrolled once, with a password that the firmware asks for at the next boot:
	  mokutil --import /var/lib/dkms/mok.pub
	(on Ubuntu /var/lib/shim-signed/mok/MOK.der)
	END
fi
