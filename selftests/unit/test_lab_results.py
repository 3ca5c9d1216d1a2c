#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The lab's results: closed forms, judging of expects, a guest that fails."""

import contextlib
import io
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

from lablib import bound, cli, errors, expect, plan, results, runner, scenario  # noqa: E402
from lablib import pcap, series  # noqa: E402

TEXT = """
title test
topology star rate=10Gbps delay=10us mtu=1500B
flow f1 h1 -> h2 size=1MB cc=cubic
flow f2 h2 -> h1 size=forever cc=reno
"""
FLOW = ("flow\tid={id}\tstart=0\testablished={up}\tend={end}\tbytes_acked=1\t"
        "bytes_received={got}\tcc={cc}\tsegs_out=1\tdata_segs_out=1000\tretrans=3\t"
        "bytes_retrans=0\tdsack_dups=1\treord_seen=0\trcv_ooo=0\trto=0\trehash=0\t"
        "arrived=990\tacks=495\tdelivered=1000\tdelivered_ce=0\tcwnd=10\trtt_us=50\tmin_rtt_us=40\tmss=1428\t"
        "ca_state=0\terror={error}\tccinfo=")
LINK = ("link\tid={id}\tdir={dir}\ttx_packets=1000\ttx_bytes=1250000\tdrops=0\t"
        "drop_bytes=0\tlost=2\tdown=5\tmarks=100\tmax_queue=15000\twait_ns_sum=2000000\t"
        "queue_byte_ns=4000000000\tbusy_ns=1000000\tqueued_ns=500000")


def records(cc="cubic", error=0, end="end", up=40000, run_end=2000000, gone=()):
    lines = ["run\tsetup_ns=1\tend_ns={run_end}\twhy=all\ttrace_hash=ab12".format(run_end=run_end),
             FLOW.format(id="f1", end=1000000, got=10**6, cc=cc, error=error, up=up),
             FLOW.format(id="f2", end=-1, got=10**6, cc="reno", error=0, up=up)]
    lines += [LINK.format(id=name, dir=direction) for name in ("h1-s", "h2-s")
              for direction in ("ab", "ba") if name not in gone]
    return "\n".join([*lines, "counter\tname=flows\tvalue=2",
                      "node\tname=h1\tTcpInErrs=4", end]) + "\n"


def document(extra="", links=None, flows=None, calls=None, **options):
    loaded = scenario.load(TEXT + extra)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "result.tsv").write_text(records(**options))
        for name, rows in (("links", links), ("flows", flows), ("calls", calls)):
            if rows:
                Path(folder, f"{name}.tsv").write_text(
                    "\n".join("\t".join(map(str, row)) for row in rows) + "\n")
        return results.build(loaded, folder, "plan", "kernel")


class Bounds(unittest.TestCase):
    def bounds(self, text):
        return bound.bounds(scenario.load("title t\n" + text))

    def test_one_packet_over_two_links(self):
        """1428 bytes fill one 1500 byte packet: all by hand."""
        flows, cct = self.bounds("topology star rate=1Gbps delay=10us mtu=1500B\n"
                                 "flow f h1 -> h2 size=1428B")
        syn = 2 * (2 * 80 * 8 + 2 * 10000)
        self.assertEqual(flows["f"].fct(), syn + 2 * 1500 * 8 + 2 * 10000)
        self.assertEqual(cct, flows["f"].fct())

    def test_warm_flow_has_no_handshake(self):
        flows, cct = self.bounds("topology star rate=1Gbps delay=10us mtu=1500B\n"
                                 "flow f h1 -> h2 size=1428B warm=1ms start=5ms")
        self.assertEqual(flows["f"].fct(), 2 * 1500 * 8 + 2 * 10000)
        self.assertEqual(cct, flows["f"].fct())

    def test_requests_and_responses(self):
        """1428 bytes fill one 1500 byte packet; a request of 1429 two, 1500 and 73."""
        flows, _ = self.bounds("topology star rate=1Gbps delay=10us mtu=1500B\n"
                               "flow f h1 -> h2 size=1428B request=1429B calls=3 warm=1ms\n"
                               "flow g h1 -> h2 size=1428B request=1B")
        response = 2 * 1500 * 8 + 20000
        self.assertEqual(flows["f"].fct(), 3 * (2 * 12000 + 73 * 8 + 20000 + response))
        self.assertEqual((flows["f"].flow.size, flows["f"].packets), (3 * 1428, 3))
        handshake = 2 * (2 * 80 * 8 + 20000) + 2 * 72 * 8 + 20000
        self.assertEqual(flows["g"].fct(), handshake + 2 * 73 * 8 + 20000 + response)

    def test_receiver_takes_from_near_and_far(self):
        """8 packets of 1500 B from each of 3 hosts: 288 us at 1 Gbit/s, however far."""
        _, cct = self.bounds("topology leafspine leaves=2 spines=1 hosts=2 rate=1Gbps"
                             " delay=0 mtu=1500B\nworkload incast to=h1 size=11424B")
        self.assertGreaterEqual(cct, 288000)
        self.assertLess(cct, 288000 + 2 * 12000 + 10000)

    def test_warm_incast(self):
        _, cct = self.bounds("topology star hosts=5 rate=1Gbps delay=0\n"
                             "workload incast to=h1 size=1428000B cc=reno warm=1ms")
        self.assertEqual(cct, 12000 + 4 * 1000 * 1500 * 8)

    def test_bottleneck_in_the_middle(self):
        flows, _ = self.bounds(
            "topology chain hops=3 rate=10Gbps delay=0 mtu=1500B\n"
            "link s1-s2 rate=1Gbps\nflow f a -> b size=14280B")
        syn = 2 * (2 * 64 + 640)
        self.assertEqual(flows["f"].fct(), syn + 1200 + 10 * 12000 + 1200)
        self.assertEqual(flows["f"].line, 10**9)
        self.assertAlmostEqual(flows["f"].capacity, 1e9 * 1428 / 1500)

    def test_parallel_paths_count_together(self):
        flows, _ = self.bounds("topology paths n=4 rate=10Gbps inter_rate=5Gbps\n"
                               "flow f a -> b size=8MB")
        self.assertEqual(flows["f"].line, 10**10)

    def test_incast_is_bound_by_the_receiver(self):
        flows, cct = self.bounds("topology star hosts=5 rate=1Gbps delay=0\n"
                                 "workload incast to=h1 size=1428000B cc=reno")
        one = next(iter(flows.values()))
        wire = 4 * 1000 * 1500 * 8
        self.assertEqual(cct, one.handshake // 1000 + 12000 + wire)

    def test_after_waits(self):
        _, cct = self.bounds("topology star rate=1Gbps delay=0\n"
                             "flow f h1 -> h2 size=1428B\n"
                             "flow g h2 -> h1 size=1428B after=f start=1ms")
        self.assertEqual(cct, 2 * (4 * 640 + 24000) + 10**6)

    def test_run_line_is_the_narrowest_cut(self):
        flows, _ = self.bounds("topology paths n=1 hosts=3 rate=10Gbps\n"
                               "flow f a* -> b* size=1MB")
        self.assertEqual(bound.run_line(list(flows.values())), 10**10)


class Documents(unittest.TestCase):
    def test_flows_links_summary(self):
        found = document()
        flow = found["flows"]["f1"]
        self.assertEqual((flow["fct"], flow["goodput"], flow["retrans"]),
                         (10**6, 8e9, 3))
        self.assertAlmostEqual(flow["slowdown"], 10**6 / flow["bound"])
        self.assertIsNone(found["flows"]["f2"]["fct"])
        link = found["links"]["h1-s:ab"]
        self.assertEqual((link["utilisation"], link["queue_delay.mean"],
                          link["queue.mean"], link["queue_delay.max"]),
                         (0.5, 2000, 2000, 10800))
        self.assertEqual(found["summary"]["cct"], 10**6)
        self.assertEqual(found["summary"]["marks"], 400)
        self.assertEqual(found["nodes"], {"h1": {"TcpInErrs": 4}})
        self.assertEqual(found.exit_code, errors.EXIT_OK)

    def test_same_bytes_twice(self):
        self.assertEqual(document().text(), document().text())

    def test_wrong_algorithm_fails_the_run_by_name(self):
        found = document(cc="reno")
        self.assertEqual(found.exit_code, errors.EXIT_RUN)
        self.assertIn("flow f1: 'cubic' was asked for, 'reno' was active",
                      found["problems"][0])

    def test_change_in_time_is_what_is_expected_then(self):
        self.assertEqual(document("at 1us flow f1 cc=reno\n", cc="reno").exit_code, 0)
        self.assertEqual(document("at 1us flow f1 cc=reno\n").exit_code,
                         errors.EXIT_RUN)

    def test_dctcp_without_ecn_is_what_was_asked_for(self):
        """f1 wants cubic; in mid-flow it is told to be DCTCP, and calls itself so."""
        change = "at 1us flow f1 cc=dctcp\n"
        self.assertEqual(document(change, cc="dctcp-reno").exit_code, errors.EXIT_OK)
        self.assertEqual(document(cc="dctcp-reno").exit_code, errors.EXIT_RUN)

    def test_packets_per_ack(self):
        found = document()
        self.assertEqual(found["flows"]["f1"]["packets_per_ack"], 2)
        self.assertEqual(found["summary"]["packets_per_ack"], 1980 / 990)

    def test_what_the_links_carried(self):
        """1.25 MB into each of two hosts in 2 ms, whatever the flows' own times."""
        found = document()
        self.assertEqual(found["summary"]["carried"], 10e9)
        self.assertEqual(found["summary"]["goodput"], 12e9)

    def test_lost_syn(self):
        """The stack's first timeout is a second."""
        for up, run_end, lost, connect in ((10**9 - 1, 2 * 10**9, 0, 10**9 - 1),
                                           (10**9, 2 * 10**9, 1, 10**9),
                                           (-1, 10**9 - 1, 0, None),
                                           (-1, 10**9, 1, None)):
            with self.subTest(up=up, run_end=run_end):
                found = document(up=up, run_end=run_end)
                flow = found["flows"]["f2"]
                self.assertEqual((flow["syn_lost"], flow["connect"]), (lost, connect))
                self.assertEqual(found["summary"]["syn_lost"], 2 * lost)

    def test_broken_connection(self):
        self.assertIn("errno 110", document(error=110)["problems"][0])

    def test_incomplete_results(self):
        with self.assertRaisesRegex(errors.RunError, "in the middle"):
            document(end="")

    def test_deleted_interface(self):
        with self.assertRaisesRegex(errors.RunError, r"link 'h2-s' \(eth0 of h2 and p2 of s\)"
                                    r" is no longer there.* link h2-s down"):
            document(gone=["h2-s"])

    def test_oops(self):
        found = document(end="oops\ttext=WARNING: at net/x.c\nend")
        self.assertIn("WARNING: at net/x.c", found["problems"][0])


class Expects(unittest.TestCase):
    def check(self, line, ok, extra="", **options):
        found = document(f"{extra}\nexpect {line}\n", **options)["expects"][0]
        self.assertEqual(found["ok"], ok, found)
        return found

    def test_whole_run(self):
        for line, ok in (("flow f1 goodput >= 8Gbps", True),
                         ("flow f1 goodput > 8Gbps", False),
                         ("flow f1 goodput >= 79% of line", True),
                         ("flow f1 goodput >= 85% of capacity", False),
                         ("flow f2 goodput == 50% of flow f1", True),
                         ("flow f1 fct <= 112% of bound", True),
                         ("flow f1 fct == 1.01ms +- 1%", True),
                         ("flow f1 fct == 1.01ms +- 5us", False),
                         ("flow f1 fct < 1ms +- 2us", True),
                         ("flow f1 fct >= 1001us +- 1%", True),
                         ("flow f1 fct >= 1.02ms +- 1%", False),
                         ("flow * spurious <= 0.1%", True),
                         ("flow * spurious <= 0.09%", False),
                         ("flows retrans == 3", True),
                         ("flows sum(retrans) == 6", True),
                         ("flows max(rto) > 0", False),
                         ("flow f1 cc == cubic", True),
                         ("flow f1 cc != cubic", False),
                         ("link h1-s:ab queue_delay.mean <= 2us", True),
                         ("links marks <= 9%", False),
                         ("links utilisation == 50%", True),
                         ("jain == 0.9", True), ("cct < 1ms", False),
                         ("unfinished == 0", True)):
            with self.subTest(line):
                self.check(line, ok)

    def test_flows_of_some_sizes(self):
        """f1 has 1 MB, f2 no size."""
        self.check("flows fct <= 1ms above=999KB upto=1MB", True)
        self.check("flows max(fct) <= 1ms upto=1MB", True)
        self.check("flows fct <= 1ms above=1MB", False)
        self.check("flows p99(slowdown) <= 100 above=1MB", False)
        self.check("flows goodput >= 1bps upto=2MB", True)

    def test_queued(self):
        self.check("links queued == 25%", True)
        self.check("link h1-s queued >= 26%", False)

    def test_unfinished_flow_satisfies_nothing(self):
        self.check("flow f2 fct <= 100s", False)
        self.check("flow f2 fct >= 0", False)

    def test_tolerance_directive(self):
        self.check("flow f1 fct == 1.01ms", True, extra="tolerance 1%")
        self.check("flow f1 fct == 1.01ms", False)
        self.check("flow f1 retrans == 4", False, extra="tolerance 50%")

    def test_windows_use_the_series(self):
        flows = [("t", "id", "cwnd", "rtt_us", "bytes_received", "retrans")]
        flows += [(when * 100000, "f1", 10 + when, 50, 1000 * when, when)
                  for when in range(1, 21)]
        for line, ok in (("flow f1 goodput == 80Mbps from=500us to=1ms", True),
                         ("flow f1 retrans == 5 from=500us to=1ms", True),
                         ("flow f1 cwnd == 17.5 from=500us to=1ms", True),
                         ("flow f2 goodput >= 0bps from=500us", False),
                         # between two samples, whatever was asked for
                         ("flow f1 goodput == 80Mbps from=590us to=1090us", True),
                         ("flow f1 goodput == 80Mbps from=1010us to=1090us", False),
                         ("goodput == 80Mbps from=1ms", True),
                         # f2 never connected
                         ("jain == 0.5 from=1ms", True),
                         ("flow f1 goodput >= 50% of flow f2 from=1ms", False)):
            with self.subTest(line):
                self.check(line, ok, extra="sample every=100us", flows=flows)

    def test_what_means_nothing_is_refused(self):
        for line, why in (("flow f1 retrans <= 1% from=1ms", "allowed with from= and to=: a number"),
                          ("goodput >= 50% of flow f1", "is of flows; allowed: expect flow GLOB"),
                          ("flows mean(cc) == cubic", "aggregates names; allowed: cc")):
            with self.subTest(line), self.assertRaisesRegex(errors.LabError, why):
                scenario.load(f"{TEXT}sample every=1ms\nexpect {line}\n")

    def test_queued_in_a_window(self):
        rows = [("t", "id", "dir", "tx_packets", "queued_ns"),
                (10**6, "h1-s", "ab", 0, 100000), (2 * 10**6, "h1-s", "ab", 0, 400000)]
        self.check("link h1-s:ab queued == 30% from=1ms", True,
                   extra="sample every=1ms\n", links=rows)

    def test_a_wait_of_no_packets_is_no_short_one(self):
        rows = [("t", "id", "dir", "tx_packets", "wait_ns_sum"),
                (10**6, "h1-s", "ab", 0, 0), (2 * 10**6, "h1-s", "ab", 10, 5000),
                (3 * 10**6, "h1-s", "ab", 10, 5000)]
        for window, ok in (("from=1ms to=2ms", True), ("from=2ms to=3ms", False)):
            self.check(f"link h1-s:ab queue_delay.mean <= 1us {window}", ok,
                       extra="sample every=1ms\n", links=rows, run_end=3 * 10**6)
        self.check("link h1-s:ab queue_delay.mean <= 1ms", True)
        with mock.patch(f"{__name__}.LINK", LINK.replace("tx_packets=1000", "tx_packets=0")
                        .replace("wait_ns_sum=2000000", "wait_ns_sum=0")):
            self.check("link h1-s:ab queue_delay.mean <= 1ms", False)

    def test_utilisation_of_a_link_that_changes(self):
        """10 Gbit/s for half of the window, then 5: 937500 bytes; 80 % and all of the rest."""
        rows = [("t", "id", "dir", "tx_packets", "tx_bytes")]
        rows += [(when * 500000, "h1-s", "ab", 0, sent)
                 for when, sent in ((2, 1000), (3, 438500), (4, 751000), (5, 1063500))]
        changes = ("sample every=500us\nat 300us link h1-s rate=2Gbps\n"
                   "at 1ms link h1-s rate=10Gbps\nat 1500us link h1-s rate=5Gbps\n")
        for line in ("utilisation == 80% from=1ms to=2ms",
                     "utilisation == 100% from=1500us to=2500us",
                     "utilisation == 70% from=1ms to=1500us"):
            with self.subTest(line):
                self.check(f"link h1-s:ab {line}", True, extra=changes, links=rows,
                           run_end=3000000)

    def test_carried_in_a_window(self):
        links = [("t", "id", "dir", "tx_packets", "tx_bytes", "drops", "marks", "queue",
                  "queue_byte_ns", "wait_ns_sum")]
        links += [(when * 100000, link, "ba", 0, 1000 * when * factor, 0, 0, 0, 0, 0)
                  for when in range(1, 21) for link, factor in (("h1-s", 1), ("h2-s", 2))]
        for line, ok in (("carried == 240Mbps from=500us to=1ms", True),
                         ("carried == 241Mbps from=500us to=1ms", False)):
            with self.subTest(line):
                self.check(line, ok, extra="sample every=100us", links=links)

    def test_percentiles_and_jain(self):
        self.assertEqual(expect.aggregate("p50", [4, 1, 3, 2]), 2)
        self.assertEqual(expect.aggregate("p99", range(1, 201)), 198)
        self.assertEqual(expect.jain([1, 1, 1]), 1)
        self.assertEqual(expect.jain([1, 0, 0, 0]), 0.25)


class Slowdowns(unittest.TestCase):
    def entries(self, *pairs):
        return [{"size": size, "slowdown": slow, "fct": slow} for size, slow in pairs]

    def test_groups_end_where_they_say(self):
        """Edges belong to the smaller group; empty groups are left out."""
        found = results.by_size([1000, 2000, 3000], self.entries(
            (1000, 4.0), (1001, 1.0), (2000, 3.0), (3001, None)))
        self.assertEqual([(group["above"], group["upto"], group["flows"],
                           group["unfinished"], group["mean"]) for group in found],
                         [(0, 1000, 1, 0, 4.0), (1000, 2000, 2, 0, 2.0),
                          (3000, None, 1, 1, None)])

    def test_percentiles(self):
        group, = results.by_size([], self.entries(*((1, n) for n in range(1, 101))))
        self.assertEqual([group[how] for how in ("mean", "p50", "p95", "p99", "max")],
                         [50.5, 50, 95, 99, 100])

    def test_in_the_document(self):
        found = document("sizegroups 500KB 1MB\n")["summary"]["slowdown_by_size"]
        self.assertEqual([(group["above"], group["upto"], group["flows"])
                          for group in found], [(500000, 10**6, 1)])

    def test_a_flow_that_lasts_has_an_end_but_no_bound(self):
        loaded = scenario.load("title t\ntopology star hosts=2 rate=1Gbps delay=0\n"
                               "flow f h1 -> h2 size=forever lasts=5ms\n"
                               "flow g h1 -> h2 size=1428B after=f\n"
                               "flow k h2 -> h1 size=1428B")
        flows, cct = bound.bounds(loaded)
        self.assertEqual(cct, 5 * 10**6 + flows["g"].fct())

    def test_packets_of_links_that_went_down_are_counted(self):
        found = document("expect link h1-s:ab down == 5\nexpect down == 20\n"
                         "expect lost == 8\n")
        self.assertEqual((found["links"]["h1-s:ab"]["down"], found["summary"]["down"]), (5, 20))
        self.assertEqual(found.failed_expects, [])
        found.wall_s, found.folder, out = 1.0, "nowhere", io.StringIO()
        cli.show_result(found, out)
        self.assertIn("lost on links that were down 20,", out.getvalue())

    def test_how_long_responses_took(self):
        found = document("expect flow f1 call.max <= 9us\nexpect flow f2 call.max <= 1s\n",
                         calls=[("t", "id", "ns"), (10000, "f1", 1000), (20000, "f1", 9000),
                                (30000, "f1", 2000)])
        flow = found["flows"]["f1"]
        self.assertEqual((flow["calls"], flow["call.mean"], flow["call.p50"], flow["call.max"]),
                         (3, 4000, 2000, 9000))
        self.assertEqual([item["ok"] for item in found["expects"]], [True, False])
        found.wall_s, found.folder, out = 1.0, "nowhere", io.StringIO()
        cli.show_result(found, out)
        self.assertRegex(out.getvalue(), r"time of a response +calls +mean .*\n +f1 +3 +4 us +2 us")

    def test_lost_records_are_a_problem(self):
        text = records().replace("trace_hash=ab12", "trace_hash=ab12\trecord_lost=7")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "result.tsv").write_text(text)
            found = results.build(scenario.load(TEXT), folder, "plan", "kernel")
        self.assertIn("7 recorded ACKs or labels found no room", found["problems"][0])
        self.assertEqual(found.exit_code, errors.EXIT_RUN)

    def test_a_guest_that_is_late_is_a_problem(self):
        for late, problems in ((results.LATE_NS, 0), (results.LATE_NS + 1, 1)):
            text = records().replace("trace_hash=ab12", f"trace_hash=ab12\tlate_ns={late}")
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "result.tsv").write_text(text)
                found = results.build(scenario.load(TEXT), folder, "plan", "kernel")
            self.assertEqual(len(found["problems"]), problems)


class Series(unittest.TestCase):
    def test_trace_is_put_in_order_of_time(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "trace.tsv").write_text("t\tevent\n20\tb\n3\ta\n20\tc\n")
            series.to_csv(folder)
            self.assertEqual(Path(folder, "trace.csv").read_text(),
                             "t,event\n3,a\n20,b\n20,c\n")

    def test_a_track_for_each_way_of_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "links.csv").write_text(
                "t,id,dir,bytes\n10,a-s,ab,1\n10,a-s,ba,2\n20,a-s,ab,5\n30,a-s,ab,9\n")
            tracks = series.load(folder, "links")
            self.assertEqual(list(tracks), ["a-s:ab", "a-s:ba"])
            track = tracks["a-s:ab"]
            self.assertEqual([track.at(when, "bytes") for when in (9, 10, 29, 99)], [0, 1, 5, 9])
            self.assertEqual(track.grown(10, 30, "bytes"), 8)
            self.assertEqual(track.within(15, 30, "bytes"), [5, 9])
            self.assertEqual(track.times, [10, 20, 30])
            self.assertEqual(track.rows[0], {"t": 10, "id": "a-s", "dir": "ab", "bytes": 1})
            self.assertEqual([row["bytes"] for row in track.rows], [1, 5, 9])
            self.assertEqual(series.load(folder, "flows"), {})

    def test_the_last_column_may_be_text(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "flows.csv").write_text("t,id,ccinfo\n10,f1,0200\n20,f1,02a0\n")
            self.assertEqual([row["ccinfo"] for row in series.load(folder, "flows")["f1"].rows],
                             ["0200", "02a0"])


class Captures(unittest.TestCase):
    def test_packets_are_put_in_order_of_time(self):
        head = struct.pack("=IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 108, 101)
        records = [struct.pack("=IIII", s, ns, len(body), 1500) + body
                   for s, ns, body in ((0, 9, b"late"), (0, 5, b"a"), (0, 5, b"bb"), (1, 0, b""))]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s-b.pcap"
            path.write_bytes(head + b"".join(records))
            pcap.sort(folder)
            self.assertEqual(path.read_bytes(),
                             head + records[1] + records[2] + records[0] + records[3])

    def moved(self, *paths):
        """What is in a run's directory with these, when what is in half has replaced it."""
        with tempfile.TemporaryDirectory() as base:
            folder = runner.prepare(base)
            for path in paths:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(path)
            runner.replace(folder, folder / "half")
            return {str(path.relative_to(folder)): path.read_text()
                    for path in folder.rglob("*") if path.is_file()}

    def test_those_of_an_earlier_run_go(self):
        self.assertEqual(sorted(self.moved("a-s.pcap", "mine.txt", "half/b-s.pcap")),
                         ["b-s.pcap", "mine.txt"])

    def test_what_programs_of_the_hosts_wrote_stays(self):
        self.assertEqual(self.moved("half/source.csv", "half/logs/h1", "logs/h0", "source.csv"),
                         {"source.csv": "half/source.csv", "logs/h1": "half/logs/h1"})
        with self.assertRaisesRegex(OSError, "not empty"):
            self.moved("half/half/x")


class Guests(unittest.TestCase):
    """A guest that misbehaves, played by a shell."""

    def watch(self, script, wall=20.0):
        with tempfile.TemporaryDirectory() as folder:
            guest = runner.Guest(["sh", "-c", script], folder, lambda *_: None)
            guest.watch(wall)
            return Path(folder, "console.log").read_text()

    def test_a_good_one(self):
        self.assertIn("@end", self.watch("echo @up; echo '@t 5 flows_done=0/1';"
                                         " echo @end"))

    def test_error_is_told(self):
        with self.assertRaisesRegex(errors.RunError, "plan line 7: no such knob"):
            self.watch("echo why; echo '@error plan line 7: no such knob'; sleep 60")

    def test_an_error_names_the_line_of_the_scenario(self):
        loaded = scenario.load("title t\ntopology star hosts=2\nflow f h1 -> h2 size=1MB cc=reno\n"
                               "host h1 sysctl net.ipv4.tcp_ecn=7\nhost h1 route initcwnd=7\n"
                               "host h2 run \"exit 7\"\nat 1ms host h2 run \"exit 8\"\n")
        loaded.file = "my.lab"
        lines = plan.compile_plan(loaded, str).splitlines()
        for text, line in (("flow f ", 3), ("sysctl h1 net/ipv4/tcp_ecn 7", 4), ("route h1 ", 5),
                           ("exec h2 exit 7", 6), ("at 1000000 exec", 7)):
            number = 1 + next(i for i, said in enumerate(lines) if said.startswith(text))
            said = plan.blame(loaded, str, f"plan line {number}: it failed")
            self.assertEqual(said, f"my.lab:{line}: it failed")
        for other in ("plan line 1: plan 1: bad", "plan line 9999: x", "memory: none"):
            self.assertEqual(plan.blame(loaded, str, other), other)

    def test_a_container_that_lacks_what_guests_need(self):
        loaded, tools = scenario.load(TEXT), mock.Mock(debug=False)
        tools.where = lambda name: __file__
        for said, told in (
                ("setarch: failed to set personality to x: not implemented",
                 "seccomp=unconfined\n  . setarch"),
                ("@up\nBus error - the host /dev/shm or /tmp mount likely just ran out of space",
                 "/dev/shm is full.*--tmpfs /dev/shm:rw,exec,size=2g\n  . Bus error")):
            refuse = ["printf", f"{said}\n"]
            with self.subTest(said), tempfile.TemporaryDirectory() as folder, \
                    mock.patch.object(runner, "command_line", return_value=refuse):
                with self.assertRaisesRegex(errors.RunError, told):
                    runner.execute(loaded, tools, folder)

    def test_too_slow_is_killed_with_its_children(self):
        begin = time.monotonic()
        child = self.killed("sleep 600 & echo child $!; wait", r"child (\d+)").group(1)
        # On a busy host a killed process may take a while to be gone.
        while self.state(child) not in ("gone", "Z"):
            self.assertLess(time.monotonic() - begin, 300)
            time.sleep(0.1)

    def killed(self, script, pattern):
        """What one said that never ends, as it was told when it was killed."""
        for wall in (0.5, 8, 120):      # a busy host may not let it say a word so soon
            with self.assertRaises(errors.RunError) as caught:
                self.watch(script, wall=wall)
            self.assertIn(f"limit of {wall:g} s", str(caught.exception))
            found = re.search(pattern, str(caught.exception))
            if found:
                return found
        self.fail(f"it never said {pattern}")

    def state(self, pid):
        """One letter, as ps shows it; a killed process may not be reaped yet."""
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return "gone"

    def test_virtual_time_that_stands_still(self):
        with mock.patch.object(runner, "STALL_S", 0.5):
            with self.assertRaisesRegex(errors.RunError, "stood still"):
                self.watch("while :; do echo '@t 5 flows_done=0/1'; sleep 0.1; done")

    def test_last_words_begin_where_the_kernel_broke(self):
        self.killed("echo before; echo 'Kernel panic - not syncing: BUG'; sleep 600",
                    r"killed\n  \| Kernel panic")


class Interrupted(unittest.TestCase):
    """Ctrl-C: the guest ends, and one line tells."""

    def test_guests_end_with_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            started = threading.Event()

            def job():
                guest = runner.Guest(["sh", "-c", "sleep 600"], folder, lambda *_: None)
                started.set()
                guest.watch(600)

            def interrupt(_future):
                started.wait()
                raise KeyboardInterrupt

            with mock.patch("concurrent.futures.Future.result", interrupt):
                with self.assertRaises(KeyboardInterrupt):
                    runner.run_many([job], 1)
        self.assertEqual(runner.Guest.running, set())

    def test_the_command_says_one_line(self):
        err = io.StringIO()
        with mock.patch.object(runner, "Tools", side_effect=KeyboardInterrupt):
            with contextlib.redirect_stderr(err):
                self.assertEqual(cli.main(["build"]), 130)
        self.assertRegex(err.getvalue(), r"^lab: interrupted[^\n]*\n$")


class Process(unittest.TestCase):
    """The command as a shell runs it."""

    def lab(self, command, **env):
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False,
                              env={"PATH": os.environ["PATH"], "LAB": str(ROOT / "tools/lab/lab"),
                                   **env})
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_a_reader_that_has_seen_enough(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            done = subprocess.run([ROOT / "tools/lab/lab", "words"], stdout=pipe, text=True,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_output_that_is_full(self):
        """Little is written at the end, much in between, help by argparse."""
        for words in ("words", "algorithms", "--version", "--help"):
            with self.subTest(words):
                done = self.lab(f"$LAB {words} >/dev/full")
                self.assertEqual((done.returncode, done.stderr), (
                    errors.EXIT_RUN,
                    "lab: standard output: cannot be written: No space left on device\n"))

    def test_results_for_an_output_that_is_full(self):
        program = ("from unittest import mock; import sys; from lablib import cli;"
                   "cli._run = lambda args: cli._report_runs([mock.Mock(exit_code=0,"
                   " text=lambda: 'x' * 100000)], [], args.json);"
                   "sys.exit(cli.main(['run', 'x.lab', '--json']))")
        self.assertEqual(self.lab(f'python3 -c "{program}" >/dev/full',
                                  PYTHONPATH=str(ROOT / "tools/lab")).returncode, 3)

    def test_version(self):
        self.assertRegex(self.lab("$LAB --version").stdout, r"^lab \d+\.\d+\.\d+")

    def test_words_tell_the_counters(self):
        self.assertIn("packets_sprayed", self.lab("$LAB words").stdout)


class Folders(unittest.TestCase):
    def test_one_that_cannot_be_written(self):
        with tempfile.NamedTemporaryFile() as file:
            folder = Path(file.name) / "results"
            with self.assertRaisesRegex(errors.LabError, f"'{folder}': Not a directory.*--out"):
                runner.prepare(folder)

    def test_it_is_told_before_minutes_of_building(self):
        spec = spec_from_loader("demo", SourceFileLoader("demo", str(ROOT / "tools/demo/demo")))
        demo = module_from_spec(spec)
        spec.loader.exec_module(demo)
        for main, argv in ((cli.main, ["run", str(ROOT / "tools/lab/scenarios/single.lab")]),
                           (demo.main, [])):
            err = io.StringIO()
            with tempfile.NamedTemporaryFile() as file, contextlib.redirect_stderr(err), \
                    contextlib.redirect_stdout(io.StringIO()), \
                    mock.patch.object(runner, "Tools", side_effect=AssertionError("built")), \
                    mock.patch("lablib.plot.require"):
                self.assertEqual(main([*argv, "--out", f"{file.name}/x"]), errors.EXIT_USAGE)
            self.assertIn("Not a directory", err.getvalue())

    def test_a_full_disk_is_called_one(self):
        for free, said in ((1000, "the disk of '.*' is full\nthe guest stopped"),
                           (10**9, "^the guest stopped")):
            with tempfile.TemporaryDirectory() as folder, \
                    mock.patch.object(runner, "_execute",
                                      side_effect=errors.RunError("the guest stopped")), \
                    mock.patch.object(runner.shutil, "disk_usage",
                                      return_value=mock.Mock(free=free)):
                with self.assertRaisesRegex(errors.RunError, said):
                    runner.execute(None, None, folder)

    def carry_out(self, folder, results=None):
        """A run that writes its console, and results or fails."""
        def run(_scenario, _tools, _final, half, _progress):
            (half / "console.log").write_text("new")
            if results is None:
                raise errors.RunError("the guest stopped")
            (half / "results.json").write_text(results)
            return mock.Mock()
        with mock.patch.object(runner, "_execute", side_effect=run):
            return runner.execute(None, None, folder)

    def test_a_failed_run_leaves_the_results_of_the_one_before(self):
        with tempfile.TemporaryDirectory() as base:
            folder = Path(base).resolve()
            (folder / "flows.csv").touch()
            with self.assertRaisesRegex(errors.LabError, "has 'flows.csv', and nothing else"):
                self.carry_out(folder, "0")
            (folder / "unfinished").mkdir()
            (folder / "unfinished/notes").touch()
            with self.assertRaisesRegex(errors.LabError, "and nothing else"):
                self.carry_out(folder, "0")
            (folder / "unfinished/notes").unlink()  # as a run that was killed left it
            self.assertEqual(self.carry_out(folder, "1").folder, folder)
            self.assertFalse((folder / "flows.csv").exists())
            with self.assertRaisesRegex(errors.RunError,
                                        f"left is in '{folder}/unfinished'; .* earlier run"):
                self.carry_out(folder)
            self.assertEqual((folder / "results.json").read_text(), "1")
            self.assertEqual((folder / "unfinished/console.log").read_text(), "new")
            self.carry_out(folder, "2")
            self.assertEqual((folder / "results.json").read_text(), "2")
            self.assertFalse((folder / "unfinished").exists())

    def test_one_run_at_a_time(self):
        with tempfile.TemporaryDirectory() as base, runner._alone(Path(base)):
            with self.assertRaisesRegex(errors.RunError, "another run is going on in"):
                self.carry_out(base, "1")

    def test_a_first_run_that_fails_leaves_its_own_files(self):
        with tempfile.TemporaryDirectory() as base:
            with self.assertRaisesRegex(errors.RunError, "stopped$"):
                self.carry_out(base)
            self.assertEqual([path.name for path in Path(base).iterdir()], ["console.log"])

    def test_one_with_blanks_has_a_plain_name_for_the_guest(self):
        with tempfile.TemporaryDirectory(prefix="with a blank ") as base:
            folder = runner.prepare(Path(base) / "run 1")
            with runner._plain_name(folder) as plain:
                self.assertNotRegex(str(plain), r"\s")
                (plain / "plan").write_text("x")
                self.assertTrue((folder / "plan").exists())
            self.assertFalse(plain.exists())


class Command(unittest.TestCase):
    def call(self, *argv):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(list(argv))
        return code, out.getvalue(), err.getvalue()

    def test_every_example_checks(self):
        for path in sorted((ROOT / "tools/lab/scenarios").glob("*.lab")):
            with self.subTest(path.name):
                self.assertEqual(self.call("check", str(path))[0], 0)

    def test_a_wrong_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lab") as file:
            file.write("topology stra\n")
            file.flush()
            code, _, err = self.call("check", file.name)
        self.assertEqual(code, errors.EXIT_USAGE)
        self.assertIn(f"{file.name}:1: the topology 'stra' is unknown; did you"
                      " mean 'star'?", err)

    def test_a_missing_file(self):
        code, _, err = self.call("plan", "/nonexistent.lab")
        self.assertEqual((code, "cannot be read" in err), (errors.EXIT_USAGE, True))

    def test_limits_of_real_time(self):
        single = str(ROOT / "tools/lab/scenarios/single.lab")
        with mock.patch.object(runner, "Tools", side_effect=AssertionError("built")):
            for value in ("inf", "nan", "1e300", "0", "-1", "1000001"):
                with self.subTest(value):
                    code, _, err = self.call("run", single, f"--wall={value}")
                    self.assertEqual(code, errors.EXIT_USAGE)
                    self.assertRegex(err, r"^lab: --wall '[^']*' is out of range; allowed: more"
                                     r" than 0, up to 1000000 seconds\n$")
                    with self.assertRaisesRegex(errors.LabError, "^wall '.*' is out of range"):
                        runner.run(single, wall=float(value))
        self.assertEqual(runner.wall_ns("--wall", 0.5), 5 * 10**8)

    def test_seed_lists(self):
        parsed = cli.parser().parse_args(["run", "--seeds", "1-3,7", "x"])
        self.assertEqual(cli._seeds(parsed), [1, 2, 3, 7])
        for text in ("3-1", "1,1", "1-3,2", "1-10001", f"1-{10**30}", "1" * 5000):
            parsed = cli.parser().parse_args(["run", "--seeds", text, "x"])
            with self.subTest(text), self.assertRaisesRegex(errors.LabError, "allowed: "):
                cli._seeds(parsed)
        parsed = cli.parser().parse_args(["run", "--seeds", "1-2", "--seed", "7", "x"])
        with self.assertRaisesRegex(errors.LabError, "both given"):
            cli._seeds(parsed)
        with self.assertRaisesRegex(errors.LabError, "--set v= is given twice"):
            cli._sets(["v=1", "v=2"])


if __name__ == "__main__":
    unittest.main()
