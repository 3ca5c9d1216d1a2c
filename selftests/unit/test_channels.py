#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/channels: delays in, channels out; and what is refused, in which words."""

import importlib.machinery
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

TOOL = Path(__file__).resolve().parents[2] / "tools" / "channels"
sys.path.insert(0, str(TOOL))

import choose  # noqa: E402

GBPS100 = choose.Network(rate=100e9 / 8, mss=1000)


def program():
    """The command as a module: its name has no .py."""
    loader = importlib.machinery.SourceFileLoader("channels", str(TOOL / "channels"))
    spec = importlib.util.spec_from_loader("channels", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Version(unittest.TestCase):
    def test_as_the_lab_has_it(self):
        said = [subprocess.run([TOOL.parent / name / name, "--version"], capture_output=True,
                               text=True, check=True).stdout for name in ("channels", "lab")]
        self.assertRegex(said[0], r"^channels [0-9.]+")
        self.assertEqual(said[0].partition(" ")[2], said[1].partition(" ")[2])


class Interrupted(unittest.TestCase):
    def test_is_told_by_the_status(self):
        channels = program()
        with mock.patch.object(sys, "argv", ["channels", "serve"]), \
                mock.patch.object(channels, "serve", side_effect=KeyboardInterrupt):
            self.assertEqual(channels.main(), 130)

    def test_the_load_ends_with_it(self):
        """Ctrl-C is for both: that the load is gone then is no news."""
        channels = program()
        load = channels.Load(None, 1)
        with mock.patch.object(channels, "WARM_UP_S", 0), \
                mock.patch.object(channels, "connect", side_effect=channels.Failed("none")):
            with self.assertRaises(KeyboardInterrupt), load:
                os.waitid(os.P_PID, load.child, os.WEXITED | os.WNOWAIT)
                raise KeyboardInterrupt
            with self.assertRaisesRegex(channels.Failed, "the load ended early"), load:
                os.waitid(os.P_PID, load.child, os.WEXITED | os.WNOWAIT)


class Ended(unittest.TestCase):
    def test_by_others(self):
        """What it has started ends with it, so it must not be ended where it stands."""
        with socket.create_server(("", 0)) as free:
            port = str(free.getsockname()[1])
        for number in (signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen([sys.executable, "-B", str(TOOL / "channels"), "serve", port],
                                  stdout=subprocess.PIPE, text=True) as serving:
                self.assertIn(f"port {port}", serving.stdout.readline())
                serving.send_signal(number)
                self.assertEqual(serving.wait(60), 128 + number)


class Percentiles(unittest.TestCase):
    def test_nearest_rank(self):
        values = list(range(1, 10001))
        for percent, want in ((50, 5000), (99, 9900), (99.85, 9985), (99.99, 9999),
                              (100, 10000)):
            self.assertEqual(choose.percentile(values, percent), want)
        self.assertEqual(choose.percentile([7], 99.85), 7)

    def test_is_told_with_five_samples_beyond_it(self):
        self.assertTrue(choose.tells(3334, 99.85))
        self.assertFalse(choose.tells(3333, 99.85))
        self.assertTrue(choose.tells(500, 99))
        self.assertFalse(choose.tells(499, 99))
        noise = choose.noise_of(list(range(1000, 1600)), 1000)
        self.assertEqual(list(noise.percent), [50, 99])

    def test_noise_is_what_is_above_the_base(self):
        noise = choose.noise_of([1300, 1000, 1100, 1200], 1000)
        self.assertEqual((noise.count, noise.base, noise.mean, noise.most),
                         (4, 1000, 150, 300))

    def test_below_the_base_or_none_is_refused(self):
        with self.assertRaisesRegex(choose.ChooseError, "999 ns is below.*allowed: 1000"):
            choose.noise_of([999], 1000)
        with self.assertRaisesRegex(choose.ChooseError, "no delay"):
            choose.noise_of([], 0)

    def test_two_in_a_row(self):
        self.assertEqual(choose.pairs_beyond([9, 1, 9, 9, 9, 1], 8), 2)
        self.assertEqual(choose.pairs_beyond([8, 8, 8], 8), 0)


class Widths(unittest.TestCase):
    def test_the_papers_fluctuation(self):
        """150 flows of 150 B per RTT at 100 Gbit/s: what it calls 3.2 us."""
        network = choose.Network(100e9 / 8, 1000, ai=150, flows=150)
        self.assertAlmostEqual(choose.fluctuation(network), 3240)

    def test_the_papers_channels(self):
        """A 3.2, B 0.8: D_target 4 i us, D_limit 4 i + 2.4 us (4.3.2)."""
        channels = choose.Channels(12000, 3200, 800, 1000, 8, 0)
        for level in range(1, 9):
            self.assertEqual(channels.target(level), 4000 * level)
            self.assertEqual(channels.limit(level), 4000 * level + 2400)

    def test_choose(self):
        chosen = choose.choose(12000, 760, GBPS100)
        # 1.8 * 16 packets of 80 ns = 2304; eps: 8 packets, but B if that is more
        self.assertEqual(chosen.knobs(), {
            "base_rtt_ns": 12000, "eps_ns": 800, "channel_fluct_ns": 2400,
            "channel_noise_ns": 800, "prio_levels": 8})
        self.assertEqual(choose.choose(12000, 100, GBPS100).empty, 700)
        few = choose.Network(100e9 / 8, 1000, flows=1)
        self.assertEqual(choose.choose(12000, 100, few).empty, 100 + 200 // 2)

    def test_next_lower_channel_ends_below_the_target(self):
        for flows in (1, 16, 300):
            for noise in (0, 1, 800, 30000):
                network = choose.Network(100e9 / 8, 1000, flows=flows)
                chosen = choose.choose(12000, noise, network)
                self.assertLess(chosen.limit(1), chosen.target(2))
                self.assertLessEqual(chosen.empty, chosen.target(1))

    def test_noise_is_tolerated_in_full(self):
        for noise in (1, 99, 100, 101, 12345):
            self.assertGreaterEqual(choose.choose(12000, noise, GBPS100).noise, noise)

    def test_buffer_bounds_the_levels(self):
        need = choose.choose(12000, 800, GBPS100).buffer
        # the highest limit is 27.6 us: 345 packets of 1086 bytes in a switch
        self.assertEqual(need, 345 * 1086)
        for size, levels in ((need, 8), (need - 1, 7), (10 * need, 8)):
            network = choose.Network(100e9 / 8, 1000, buffer=size)
            self.assertEqual(choose.choose(12000, 800, network).levels, levels)

    def test_more_levels_than_the_buffer_holds(self):
        network = choose.Network(100e9 / 8, 1000, levels=9, buffer=374670)
        with self.assertRaisesRegex(choose.ChooseError,
                                    "buffer: 374670 bytes hold 8 channels; 9 need"):
            choose.choose(12000, 800, network)
        network = choose.Network(100e9 / 8, 1000, buffer=1000)
        with self.assertRaisesRegex(choose.ChooseError, "hold 0 channels; 1 need"):
            choose.choose(12000, 800, network)

    def test_refusals_name_thing_value_and_range(self):
        for network, said in (
                (choose.Network(0, 1000), "rate: 0 is not allowed; allowed: 1 to"),
                (choose.Network(1e9, 1000, flows=0), "flows: 0 is not allowed"),
                (choose.Network(1e9, 1000, levels=65), "levels: 65 .*allowed: 0 to 64"),
                (choose.Network(1e9, 0), "packet: 0 is not allowed")):
            with self.assertRaisesRegex(choose.ChooseError, said):
                choose.choose(12000, 800, network)
        with self.assertRaisesRegex(choose.ChooseError, "channel_noise_ns: 2000000000"):
            choose.choose(12000, 2 * 10**9, GBPS100)
        with self.assertRaisesRegex(choose.ChooseError, "base_rtt_ns: 0 is"):
            choose.choose(0, 800, GBPS100)
        with self.assertRaisesRegex(choose.ChooseError, "channel_fluct_ns: .*fewer flows"):
            choose.choose(12000, 800, choose.Network(1e6, 1000, flows=10**6))

    def test_lines_to_write(self):
        knobs = {"base_rtt_ns": 12000, "eps_ns": 800}
        self.assertEqual(choose.sysctl_line(knobs),
                         "sudo sysctl -w net.dcc.prioplus.base_rtt_ns=12000"
                         " net.dcc.prioplus.eps_ns=800")
        self.assertEqual(choose.modprobe_line(knobs),
                         "echo options tcp_prioplus base_rtt_ns=12000 eps_ns=800"
                         " | sudo tee /etc/modprobe.d/dcc-prioplus.conf")

    def test_knobs_are_the_modules_and_in_their_ranges(self):
        header = (TOOL.parents[1] / "tcp_prioplus/prioplus.h").read_text("utf-8")
        for name in choose.choose(12000, 800, GBPS100).knobs():
            self.assertIn(f"K({name}, ", header)
        self.assertEqual(header.count(f"0, {choose.KNOB_MAX_NS}, "), 4)
        self.assertIn(f'prio_levels, "priorities", 1, {choose.MOST_LEVELS},'
                      f" {choose.DEFAULT_LEVELS},", header)


class Samples(unittest.TestCase):
    LINE = ("  <idle>-0 [000] ..s2. 1.2: dcc_ack: alg=ledbat sport={} dport={} now=9"
            " sent=8 rtt={} base=70 srtt=80 delay=70 target=90 acked={} ce=0 losses={}"
            " run=0 inflight=10 limited=0 branch=1 cwnd=1 pacing=1230000000 share=0"
            " gradient=0\n")

    def test_one_flow_its_delays_no_losses(self):
        text = "".join(self.LINE.format(*row) for row in (
            (5000, 7711, 100, 2, 0), (5001, 7711, 999, 2, 0), (5000, 7712, 998, 2, 0),
            (5000, 7711, 0, 2, 0), (5000, 7711, 300, 2, 1), (5000, 7711, 200, 1, 0))) + "LOST 3 EVENTS\n"
        self.assertEqual(program().samples_of(text, (5000, 7711)),
                         ([(8, 100, 2), (8, 200, 1)], 1230000000))

    def test_last_packet_of_each_burst(self):
        ms = 10**6
        for samples, want in (
                ([(0, 7, 2), (ms, 8, 2)], [7, 8]),
                ([(0, 7, 1), (900, 9, 1), (ms, 8, 2)], [9, 8]),     # one by one
                ([(0, 7, 2), (ms, 40 * ms, 1)], [7]),               # held back
                ([(0, 40 * ms, 2)], [40 * ms]), ([], [])):
            self.assertEqual(program().of_bursts(samples), want)

    def test_worse_phase_counts(self):
        class Asked:
            rate = 0
        idle = [1100 + n % 100 for n in range(4000)]
        loaded = [1000 + n for n in range(10000)]       # p99 9899, p99.85 9984
        answer = program().decide({"idle": idle, "loaded": loaded}, GBPS100, Asked)
        self.assertEqual(answer["worst"], "loaded")
        self.assertEqual(answer["knobs"]["channel_noise_ns"], 10000)
        self.assertEqual(answer["knobs"]["base_rtt_ns"], 1000)
        self.assertNotIn("line_rate_mbps", answer["knobs"])
        Asked.rate = 40000
        answer = program().decide({"idle": idle}, GBPS100, Asked)
        self.assertEqual(answer["knobs"]["line_rate_mbps"], 40000)


class Command(unittest.TestCase):
    def run_tool(self, *words):
        done = subprocess.run([sys.executable, "-B", str(TOOL / "channels"), *words],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_wrong_words(self):
        for words, said in (
                (["measure", "h", "--levels", "65"], "levels '65' is not allowed;"
                                                     " allowed: 1 to 64"),
                (["measure", "h", "--buffer", "4GB"], "buffer '4GB' is not allowed"),
                (["measure", "h", "0"], "port '0' is not allowed; allowed: 1 to 65535"),
                (["listen"], "invalid choice: 'listen'")):
            status, error = self.run_tool(*words)
            self.assertEqual(status, 2)
            self.assertIn(said, error)

    def test_without_the_module_says_what_to_do(self):
        if Path("/proc/sys/net/dcc/prioplus").exists():
            self.skipTest("tcp_prioplus is loaded")
        status, error = self.run_tool("measure", "localhost")
        self.assertEqual(status, 1)
        self.assertIn("is not loaded: sudo modprobe tcp_prioplus", error)


if __name__ == "__main__":
    unittest.main()
