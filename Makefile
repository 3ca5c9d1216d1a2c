# SPDX-License-Identifier: GPL-2.0
# Builds, installs and tests the modules. `make help` lists what there is.

KREL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KREL)/build
INSTALL_MOD_DIR ?= updates/dcc
VERSION = $(eval VERSION := $(shell scripts/version.sh))$(VERSION)
FOLDERS := $(shell sed -n 's/^obj-m += \([a-z_]*\)\//\1/p' Kbuild)

# A compiler named by the user is kept; else kdir-check.sh finds the kernel's.
CC_GIVEN := $(if $(filter default undefined,$(origin CC)),,$(CC))
CHECK_KDIR = scripts/kdir-check.sh '$(KDIR)' '$(CC_GIVEN)' '$(CROSS_COMPILE)' '$(LLVM)'
KBUILD = $(MAKE) -C '$(KDIR)' M='$(CURDIR)'

# Debian's headers carry no signing key: asking for signatures would only
# print an error for each module.
SIGN = $(if $(wildcard $(KDIR)/certs/signing_key.pem),,CONFIG_MODULE_SIG_ALL=)
# Where headers are gone, the place where they would be tells the release.
TARGET_REL = $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
		'$(KDIR)/include/generated/utsrelease.h' 2>/dev/null),$(patsubst \
		/lib/modules/%/build,%,$(filter /lib/modules/%/build,$(KDIR))))
MOD_ROOT = $(INSTALL_MOD_PATH)/lib/modules/$(TARGET_REL)
DEPMOD = depmod $(if $(INSTALL_MOD_PATH),-b '$(INSTALL_MOD_PATH)') $(TARGET_REL)

# What a source package of the modules is made of.
DKMS_SOURCES = Makefile Kbuild dkms.conf COPYING scripts/kdir-check.sh \
	       $(filter-out %.mod.c,$(foreach d,$(FOLDERS),$(wildcard $(d)/Kbuild $(d)/*.[ch] $(d)/*/*.[ch] $(d)/*.mk)))
DKMS_DIR = $(DESTDIR)/usr/src/tcp-dcc-$(VERSION)

# Alpine's akms: its versions know no +, its recipe wants every module by name.
AKMS_DIR = $(DESTDIR)/usr/src/tcp-dcc
AKMS_VERSION = $(shell echo '$(VERSION)' | sed 's/+git\([0-9]*\)\.\([0-9]*\).*/_git\1\2/; s/+.*//')
AKMS_MODULES = $(foreach d,$(FOLDERS),$(d)/$(shell sed -n 's/^obj-m := *\(.*\)\.o$$/\1.ko/p' $(d)/Kbuild))

.PHONY: modules install uninstall clean help dkms dkms-source dkms-remove akms akms-source akms-remove install-man uninstall-man \
	deb deb-dccstat demo check \
	check-all check-debug check-kernels check-packetdrill bench figures families fuzz style
.DEFAULT_GOAL := modules

# kbuild splits names at blanks and would complain of files that are not there.
BLANKS = $(filter-out 1,$(words $(CURDIR)))
modules:
	$(if $(BLANKS),$(error kbuild cannot build in '$(CURDIR)', whose name has blanks: \
		move the tree, or build a copy: scripts/build-for.sh '$(KDIR)' DIR))
	$(if $(shell test -w . || echo no),$(error kbuild cannot write to '$(CURDIR)': \
		build a copy: scripts/build-for.sh '$(KDIR)' DIR))
	+@cc="$$($(CHECK_KDIR))" && $(KBUILD) $${cc:+"$$cc"} modules

install: modules
	+@cc="$$($(CHECK_KDIR))" && \
	$(KBUILD) $${cc:+"$$cc"} INSTALL_MOD_DIR='$(INSTALL_MOD_DIR)' $(SIGN) modules_install
	$(DEPMOD)
	$(if $(INSTALL_MOD_PATH),,@scripts/secure-boot.sh common/tcp_dcc.ko)

# Only what install put there, by name, compressed or not, and folders that are
# empty then: INSTALL_MOD_DIR may name a folder that others use, or none.
uninstall: export UNINSTALL_FROM = $(MOD_ROOT)/$(INSTALL_MOD_DIR)
uninstall:
	@test -n '$(TARGET_REL)' || { $(CHECK_KDIR) >/dev/null && \
		echo 'make: $(KDIR) does not tell its release' >&2; exit 1; }
	@for folder in $(FOLDERS); do \
		test -d "$$UNINSTALL_FROM/$$folder" || continue; \
		for module in $$(sed -n 's/^obj-m *:= *\(.*\)\.o$$/\1/p' $$folder/Kbuild); do \
			for suffix in '' .gz .xz .zst; do \
				rm -fv "$$UNINSTALL_FROM/$$folder/$$module.ko$$suffix" || exit 1; \
			done; \
		done; \
		rmdir --ignore-fail-on-non-empty "$$UNINSTALL_FROM/$$folder" || exit 1; \
	done
	@test ! -d "$$UNINSTALL_FROM" || test "$$UNINSTALL_FROM" -ef '$(MOD_ROOT)' || \
		rmdir --ignore-fail-on-non-empty "$$UNINSTALL_FROM"
	$(DEPMOD)

# Kbuild's own clean needs headers; this one also works without.
clean:
	find $(FOLDERS) $(wildcard $(addsuffix /*/,$(FOLDERS))) . -maxdepth 1 \( -name '*.o' -o -name '*.ko' \
		-o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name '*.a' -o -name '.*.o.d' \) -delete
	rm -f modules.order Module.symvers .Module.symvers.cmd
	rm -f $(addsuffix /modules.order,$(FOLDERS))
	rm -rf build

# copy_sources,DIR: each state of the sources is a version of its own.
define copy_sources
	@for f in $(DKMS_SOURCES); do \
		install -D -p -m "$$(test -x "$$f" && echo 755 || echo 644)" \
			"$$f" '$(1)'/"$$f" || exit 1; \
	done
	@sed -i 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="$(VERSION)"/' '$(1)/dkms.conf'
endef

dkms-source:
	$(call copy_sources,$(DKMS_DIR))

dkms:
	@$(CHECK_KDIR) >/dev/null
	scripts/dkms.sh forget '$(VERSION)' '$(KREL)'
	@$(MAKE) --no-print-directory dkms-source
	scripts/dkms.sh install '$(VERSION)' '$(KREL)'

MANDIR ?= /usr/local/share/man
install-man:
	@for page in $(wildcard Documentation/man/*.[1-9]); do \
		install -D -p -m 644 "$$page" "$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}" || exit 1; \
	done

uninstall-man:
	@for page in $(wildcard Documentation/man/*.[1-9]); do \
		rm -fv "$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}" || exit 1; \
	done

dkms-remove:
	scripts/dkms.sh remove

akms-source:
	$(call copy_sources,$(AKMS_DIR))
	@sed 's|@VERSION@|$(AKMS_VERSION)|; s|@MODULES@|$(AKMS_MODULES)|' \
		packaging/akms/AKMBUILD >'$(AKMS_DIR)/AKMBUILD'

NEEDS_AKMS = @command -v akms >/dev/null || { echo 'make: akms is not here (Alpine: apk add akms)' >&2; exit 1; }
akms:
	$(NEEDS_AKMS)
	@$(MAKE) --no-print-directory akms-source
	akms install -r tcp-dcc

akms-remove:
	$(NEEDS_AKMS)
	-akms uninstall -k all tcp-dcc
	rm -rf '$(AKMS_DIR)'

deb:
	scripts/make-deb.sh '$(VERSION)'

deb-dccstat:
	scripts/make-dccstat-deb.sh '$(VERSION)'

# Packages are installed after asking: SETUP=--yes where nobody can answer. OUT: where
# results are written, if not to the tree.
SETUP ?=
RESULTS = $(if $(OUT), --out '$(OUT)')
demo:
	scripts/setup.sh $(SETUP) demo
	tools/demo/demo$(RESULTS)

# STRICT=--strict: what could not be tested for want of a package has failed.
STRICT ?=
check:
	scripts/setup.sh $(SETUP) real
	selftests/run $(STRICT)

check-all:
	scripts/setup.sh $(SETUP) real
	selftests/run --all

check-debug:
	scripts/setup.sh $(SETUP) real
	selftests/debug/run.sh debug

check-kernels:
	scripts/check-kernels.sh

PACKETDRILL ?=
check-packetdrill: export PACKETDRILL := $(PACKETDRILL)
check-packetdrill:
	selftests/packetdrill/run.sh

bench:
	scripts/setup.sh $(SETUP) real
	selftests/bench/run.sh

# What is not given is as in the paper: all figures, seeds 1 to 5, 128 hosts.
figures:
	scripts/setup.sh $(SETUP) demo
	tools/lab/figures$(RESULTS) $(if $(FIGURE),--figure '$(FIGURE)') \
		$(if $(SEEDS),--seeds '$(SEEDS)') $(if $(HOSTS),--hosts '$(HOSTS)') \
		$(if $(BALANCER),--balancer '$(BALANCER)') $(if $(ALGORITHM),--cc '$(ALGORITHM)')

# What is not given: all families, 60 draws of each, ours and the controls.
families:
	scripts/setup.sh $(SETUP) demo
	tools/lab/families run$(RESULTS) $(if $(FAMILY),--family '$(FAMILY)') \
		$(if $(DRAWS),--draws '$(DRAWS)') $(if $(FIRST),--first '$(FIRST)') \
		$(if $(ALGORITHM),--algorithm '$(ALGORITHM)') \
		$(if $(ENGINE),--engine '$(ENGINE)') $(if $(HOSTS),--hosts '$(HOSTS)')

MINUTES ?= 10
fuzz:
	$(MAKE) -s -C selftests/unit fuzz MINUTES='$(MINUTES)'

style:
	scripts/style.sh

help:
	@echo 'make                 modules for the running kernel'
	@echo 'make KDIR=DIR        modules for the kernel whose headers are in DIR'
	@echo 'make install         install them there and run depmod (INSTALL_MOD_PATH=ROOT honoured)'
	@echo 'make uninstall       take them out again'
	@echo 'make install-man     the manual pages, below $(DESTDIR)$(MANDIR); uninstall-man'
	@echo 'make dkms            install by DKMS: rebuilt with every kernel update'
	@echo 'make dkms-remove     take them out of DKMS again, every version'
	@echo 'make akms            install by Alpine'\''s akms, the same there'
	@echo 'make akms-remove     take them out of akms again'
	@echo 'make deb             build/tcp-dcc-dkms_$(VERSION)_all.deb, the same as a Debian package'
	@echo 'make deb-dccstat     build/dccstat_$(VERSION)_ARCH.deb, the tool (tools/dccstat)'
	@echo 'make demo            the headline comparison on the real stack, no hardware needed'
	@echo 'make check           the tests (groups: style build unit lab real bench; see selftests/run --help)'
	@echo 'make check-all       the same with all seeds and long programs, all of it on each stock kernel'
	@echo 'make check-debug     campaigns on a kernel that watches memory, locks and leaks (long; goes on where it was stopped)'
	@echo 'make check-kernels   compile against every kernel whose headers can be had'
	@echo 'make check-packetdrill PACKETDRILL=P  packetdrill scripts in virtual time; P: its tarball or folder'
	@echo 'make bench           what a packet and an ACK cost, in instructions, against the baseline'
	@echo 'make figures         the MSwift paper'\''s evaluation; says first how long it takes, goes on where it was stopped'
	@echo '     FIGURE=4,6 SEEDS=1-5 HOSTS=16|54|128|250 BALANCER=reps ALGORITHM=mswift,lswift: only that, or smaller'
	@echo 'make families        all algorithms and the controls on networks drawn at random; goes on where it was stopped'
	@echo '     FAMILY=joins,rpc DRAWS=60 FIRST=1 ALGORITHM=mswift,oscar+reps,dctcp+mptcp8: only that'
	@echo '     ENGINE=parallel HOSTS=FILE | ENGINE=slurm: by many machines (Documentation/families.md)'
	@echo 'make fuzz MINUTES=N  random lives of algorithms, path selectors, send records and knobs'
	@echo 'make style           checkpatch, sparse, W=1 and the house rules'
	@echo 'make clean           remove what the build made'
	@echo
	@echo 'STRICT=--strict      of check: what could not be had, and was skipped, has failed'
	@echo 'SETUP=--yes          demo and check install missing packages without asking (scripts/setup.sh --help)'
	@echo 'OUT=DIR              where demo, figures and families write, instead of demo-results and build/...'
	@echo 'CC=...               compiler, when the one the kernel was built with is not to be used'
