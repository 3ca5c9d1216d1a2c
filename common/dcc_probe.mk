# SPDX-License-Identifier: GPL-2.0
# Features of the kernel being built against, found in its headers (stable
# kernels backport, so version numbers would lie). Included by every Kbuild.
# A dot in a pattern stands for a character that make would take as its own.
dcc-probe = $(shell grep -qE '$(2)' $(srctree)/include/$(1) && echo -D$(3))

ccflags-y += $(call dcc-probe,net/tcp.h,cong_control..struct sock .sk. u32 ack,DCC_HAVE_CONG_CONTROL_ACK)
ccflags-y += $(call dcc-probe,net/tcp.h,.cwnd_event_tx_start..struct sock,DCC_HAVE_CWND_EVENT_TX_START)
ccflags-y += $(call dcc-probe,net/tcp.h,[*]tso_segs..struct sock,DCC_HAVE_TSO_SEGS_OP)
ccflags-y += $(call dcc-probe,linux/sysctl.h,typedef int proc_handler.const struct ctl_table,DCC_HAVE_CONST_CTL_TABLE)
ccflags-y += $(call dcc-probe,net/net_namespace.h,register_net_sysctl_sz,DCC_HAVE_NET_SYSCTL_SZ)
ccflags-y += $(call dcc-probe,linux/tcp.h,u32[[:space:]]+reordering;,DCC_HAVE_TP_REORDERING)
ccflags-y += $(call dcc-probe,linux/module.h,[*]show..const struct module_attribute,DCC_HAVE_CONST_MODULE_ATTR)
ccflags-y += $(call dcc-probe,net/tcp.h,void __tcp_send_ack.struct sock .sk. u32 rcv_nxt. u16 flags,DCC_HAVE_SEND_ACK_FLAGS)
ccflags-y += $(call dcc-probe,net/tcp.h,bool tcp_ecn_mode_any,DCC_HAVE_ECN_MODE)
ccflags-y += $(call dcc-probe,net/tcp.h,TCP_CONG_NEEDS_ACCECN,DCC_HAVE_ACCECN)
ccflags-y += $(call dcc-probe,net/inet_sock.h,INET_FLAGS_AUTOFLOWLABEL_SET,DCC_HAVE_INET6_BITS)
ccflags-y += $(call dcc-probe,net/tcp.h,u32 tcp_clock_ts,DCC_HAVE_TCP_CLOCK_TS)
ccflags-y += $(call dcc-probe,net/tcp.h,[*]owns_dsack..struct sock,DCC_HAVE_OWNS_DSACK)
ccflags-y += $(call dcc-probe,net/tcp.h,bool tcp_repair_is_out,DCC_HAVE_RECOVERY_TLP)
ccflags-y += $(call dcc-probe,net/inet6_hashtables.h,__inet6_lookup_established.net. saddr,DCC_HAVE_LOOKUP_BY_NET)
