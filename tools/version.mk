# SPDX-License-Identifier: GPL-2.0
# What --version says: the project's version, and the commit that the program was built
# from, where the tree is a checkout. $(TOP) is the tree.
VERSION = $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' $(TOP)/dkms.conf)
COMMIT = $(shell test -e $(TOP)/.git && git -C $(TOP) describe --always --dirty 2>/dev/null)
VERSION_FLAG = -DVERSION='"$(VERSION)$(if $(COMMIT), ($(COMMIT)))"'
VERSION_FROM = $(TOP)/dkms.conf $(TOP)/tools/version.mk
