#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The scenario language: what is read, what is refused and in which words."""

import math
import re
import sys
import tempfile
import unittest
from collections import Counter
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

from lablib import errors, lexer, plan, scenario, sizes, topology, units  # noqa: E402
from lablib.draw import Draw  # noqa: E402

MINIMAL = """
topology star hosts=2
flow f1 h1 -> h2 size=1MB cc=cubic
"""


def load(text, **options):
    return scenario.load("title test\n" + text, **options)


def compiled(text, **options):
    loaded = load(text, **options)
    return plan.compile_plan(loaded, lambda name: f"/modules/{name}.ko").splitlines()


class Files(unittest.TestCase):
    def test_one_that_is_not_there(self):
        for name, told in (("incast", r"lab: \S*scenarios/incast\.lab$"),
                           ("none/incast.lab", r"lab: \S*scenarios/incast\.lab$"),
                           ("incasts.lab", r"No such file or directory: 'incasts\.lab'$")):
            with self.subTest(name), self.assertRaisesRegex(errors.LabError, told):
                scenario.load(name)


class Modules(unittest.TestCase):
    """Files that `module` names."""

    def test_what_is_none_is_refused(self):
        head = b"\x7fELF" + bytes(60)
        for content, ok in ((head + b".gnu.linkonce.this_module\0", True), (head, False),
                            (b"", False), (b".gnu.linkonce.this_module\0", False)):
            with self.subTest(content), tempfile.NamedTemporaryFile(suffix=".ko") as file:
                file.write(content)
                file.flush()
                text = MINIMAL + f"module {file.name}\n"
                if ok:
                    self.assertEqual(load(text).modules[0].path, file.name)
                    continue
                with self.assertRaisesRegex(errors.ProblemsError, f"'{file.name}' is no kernel"
                                            r" module; allowed: a \.ko file"):
                    load(text)

    def test_what_has_no_end_is_not_read(self):
        with self.assertRaisesRegex(errors.ProblemsError, "'/dev/zero' is no kernel module"):
            load(MINIMAL + "module /dev/zero\n")


class Variables(unittest.TestCase):
    """What follows from a variable that is not there is not told, what does not is."""

    def told(self, text):
        with self.assertRaises(errors.ProblemsError) as caught:
            load("topology star hosts=2\n" + text)
        return [(line, said.partition(";")[0]) for _, line, said in caught.exception.problems]

    def test_one_that_nobody_set(self):
        self.assertEqual(self.told("flow f h1 -> h2 cc=$alg\nexpect flow f fct <= 1s\n"),
                         [(3, "the variable 'alg' is unknown")])
        self.assertEqual(self.told("flow f h1 -> h9 cc=${alg}\nflow g h1 -> h9\n"),
                         [(3, "the variable 'alg' is unknown"), (4, "the host 'h9' is unknown")])

    def test_a_dollar_is_none(self):
        self.assertEqual(self.told('flow f h1 -> h9\nhost h9 run "echo $$x"\n'),
                         [(3, "the host 'h9' is unknown"), (4, "the host 'h9' is unknown")])

    def test_one_whose_value_needs_such_a_one(self):
        self.assertEqual(self.told("set cc $alg\nset other $cc\nflow f h1 -> h2 cc=$other\n"),
                         [(3, "the variable 'alg' is unknown")])


class Units(unittest.TestCase):
    def test_reads_what_people_write(self):
        for text, parse, value in (
                ("120us", units.parse_time, 120000),
                ("1.5ms", units.parse_time, 1500000),
                ("0", units.parse_time, 0),
                ("10Gbps", units.parse_rate, 10**10),
                ("8MB", units.parse_size, 8 * 10**6),
                ("8MiB", units.parse_size, 8 * 2**20),
                ("0.1%", units.parse_fraction, 0.001),
                ("0.25", units.parse_fraction, 0.25)):
            with self.subTest(text):
                self.assertEqual(parse(text), value)

    def test_refuses_the_rest_with_what_is_allowed(self):
        for text, parse, said in (
                ("120", units.parse_time, "no unit"),
                ("120uS", units.parse_time, "unit 'uS'"),
                ("10GB", units.parse_rate, "unit 'GB'"),
                ("-1us", units.parse_time, "out of range"),
                ("fast", units.parse_rate, "not a rate"),
                ("101%", units.parse_fraction, "not a fraction"),
                ("1001s", units.parse_time, "out of range"),
                ("nan", units.parse_size, "not a size"),
                ("1e999999s", units.parse_time, "out of range"),
                ("1e400s", units.parse_any, "out of range"),
                ("1e999999", units.parse_any, "out of range"),
                ("1" * 5000, units.parse_count, "not allowed here")):
            with self.subTest(text):
                with self.assertRaises(errors.BadValue) as caught:
                    parse(text)
                self.assertIn(said, str(caught.exception))
                self.assertIn("allowed", str(caught.exception))

    def test_extra_units_of_a_topology(self):
        self.assertEqual(units.parse_size("3pkt", {"pkt": 4096}), 12288)


class Lexer(unittest.TestCase):
    def words(self, text):
        problems = errors.Problems("t")
        found, _ = lexer.statements(text, {}, problems)
        problems.check()
        return [statement.words for statement in found]

    def test_comments_quotes_variables(self):
        self.assertEqual(self.words(
            'set n 4\n# all $unknown\na b#c "d e" # f\nx=${n}0 $n "say \\"$$n\\""'),
            [["a", "b#c", "d e"], ["x=40", "4", 'say "$n"']])

    def test_open_quote(self):
        with self.assertRaisesRegex(errors.ProblemsError, "t:1: .*quote"):
            self.words('title "open')

    def test_unknown_variable_suggests(self):
        with self.assertRaisesRegex(errors.ProblemsError, "mean 'paths'"):
            self.words("set paths 3\ntitle $path")

    def test_override_of_a_variable_nobody_sets(self):
        with self.assertRaisesRegex(errors.ProblemsError, "--set"):
            load(MINIMAL, sets={"cc": "reno"})

    def test_override_wins(self):
        loaded = load("set cc cubic\ntopology star\nflow f h1 -> h2 cc=$cc",
                      sets={"cc": "reno"})
        self.assertEqual(loaded.flows[0].cc, "reno")


class Refusals(unittest.TestCase):
    """Each line alone is wrong, and the message says where, what, allowed."""

    CASES = (
        ("topologie star", "unknown; did you mean 'topology'"),
        ("link h9-s rate=1Gbps", "the link 'h9-s' is unknown"),
        ("link h1-s speed=1Gbps", "the key 'speed' is unknown"),
        ("link h1-s rate=1GB", "rate: '1GB' has the unit 'GB'"),
        ("link h1-s drr=100B", "drr: '100B' is out of range"),
        ("link h1-s strict=2", "strict: '2' is not allowed here"),
        ("link h1-s:up rate=1Gbps", "allowed: ab, ba"),
        ("link h1-s red=9KB,3KB,10%", "MIN >= MAX"),
        ("link h1-s noise=30us", "the shape '30us' is unknown; allowed: uniform, nic"),
        ("link h1-s noise=nic", "'nic' is not SHAPE,TIME"),
        ("link h1-s noise=nic,3us,pass", "is not SHAPE,TIME"),
        ("link h1-s noise=uniform,2s", "'2s' is out of range; allowed: 0 to 1s"),
        ("link h1-s noise+=uniform,2us", "'+=' is not allowed here"),
        ("link h1-s rate*=0", "'*=0' leads to 0; allowed: 1 to "),
        ("link h1-s rate*=1e20", "leads to 1e+30; allowed: 1 to "),
        ("link h1-s delay+=600s\nlink h1-s delay+=600s", "allowed: 0 to "),
        ("link h1-s loss=1.5e-6", "no whole number of millionths"),
        ("link h1-s loss=1%,0", "'0' is not allowed here; allowed: a whole number from 1 to 1000"),
        ("link h1-s loss=67%,2", "'67%,2' loses more than 2 of 3"),
        ("flow f2 h1 -> h2 mptcp=9", "'9' is not allowed here; allowed: a whole number from 0 to 8"),
        ("flow f2 h1 -> h2 mptcp=2 family=4", "one IPv4 address each; allowed: family=6"),
        ("flow f2 h1 -> h2 mptcp=2 dscp=8 maxrate=1Gbps", "does not go with dscp maxrate"),
        ("flow f2 h1 -> h2 mptcp=2\nflow f3 h1 -> h2 mptcp=3",
         "'3' of the flow 'f3', but h1 has flows with 2; allowed: one number a host"),
        ("link h1-s red=3KB,9KB,1e-7", "no whole number of millionths"),
        ("fail h1-s\nflow f2 h1 -> h2", "has no way from h1 to h2"),
        ("fail access\nworkload poisson sizes=websearch load=50% until=1ms", "links that work"),
        ('flow "a b" h1 -> h2', "the flow's name 'a b' is not allowed"),
        ("flow a,b h1 -> h2", "the flow's name 'a,b' is not allowed"),
        ("flow \u00e4 h1 -> h2", "is not allowed; allowed: up to 63 letters"),
        ("flow f2 h1 -> h3", "the host 'h3' is unknown"),
        ("flow f2 h1 to h2", "is no flow"),
        ("flow f2 h1 -> h1", "to itself"),
        ("flow f1 h1 -> h2", "exists already"),
        ("flow f2 h1 -> h2 cc=cubik", "the algorithm 'cubik' is unknown;"
                                      " did you mean 'cubic'"),
        ("flow f2 h1 -> h2 size=0", "no size"),
        ("flow f2 h1 -> h2 family=5", "allowed: 4, 6"),
        ("flow f2 h1 -> h2 dscp=64", "a whole number from 0 to 63, or size"),
        ("flow f2 h1 -> h2 prio=size size=forever", "'f2' has no size to go by"),
        ("flow f2 h1 -> h2 prio=size\nsizegroups 1B 2B 3B 4B 5B 6B 7B 8B",
         "9 groups of sizegroups; allowed by size: up to 8"),
        ("flow f2 h1 -> h2 on=1ms", "on and off go together"),
        ("flow f2 h1 -> h2 calls=3", "calls need a request; allowed: with request=SIZE"),
        ("flow f2 h1 -> h2 request=5KB", "'5KB' is out of range; allowed: 1B to 4096B"),
        ("flow f2 h1 -> h2 request=1B drain=1Gbps", "a request does not go with drain"),
        ("flow f2 h1 -> h2 request=1B size=forever", "a request does not go with size=forever"),
        ("flow f2 h1 -> h2 write=100B", "write needs a rate"),
        ("flow f2 h1 -> h2 rate=1Mbps writes=2", "writes needs a write"),
        ("flow f2 h1 -> h2 rate=1Mbps write=2MiB", "allowed: 1B to 1MiB"),
        ("flow f2 h1 -> h2 dscp=64", "0 to 63"),
        ("flow f2 h1 -> h2 after=f9", "after: the flow 'f9' is unknown"),
        ("flow f2 h1 -> h2 size=1MB size=2MB", "given twice"),
        ("flow f2 h1 -> h2 warm=-1ms", "warm: '-1ms' is out of range"),
        ("flow f2 h1 -> h2 warm=10", "warm: '10' has no unit"),
        ("flow f2 h1 -> h2 warm=1us", "'1us' of the flow 'f2' is too short to"
                                      " connect; allowed: 0, or"),
        ("host * offload", "'offload' says nothing; allowed: tso=0|1, gro=TIME"),
        ("host * offload tso=2", "tso: '2' is not allowed here"),
        ("host * offload gro=20", "gro: '20' has no unit"),
        ("host * offload gro=2s", "gro: '2s' is out of range; allowed: 0 to 1s"),
        ("host * offload lro=1", "the key 'lro' is unknown; did you mean 'gro'?; allowed: tso, gro"),
        ("host h9 offload tso=1", "the host 'h9' is unknown"),
        ("host * nic", "'' is no NIC; allowed: ordinary, ideal"),
        ("host * nic fast", "'fast' is no NIC; allowed: ordinary, ideal"),
        ("switch * offload tso=1", "'offload tso=1' is no setting"),
        ("at 1ms host * offload tso=1", "'offload tso=1' is no setting"),
        ("link h1-s gro=20us", "the key 'gro' is unknown"),
        ("host * knob msvift.spray=off", "did you mean 'mswift'"),
        ("host * knob spray=oblivios", "did you mean 'oblivious'"),
        ("host * knob spray_path=64", "did you mean 'spray_paths'"),
        ("host * knob spray_paths=100", "no power of two"),
        ("host * knob spray_segs=1", "the knob 'spray_segs' is unknown"),
        ("host * knob spray_segs=1", "allowed: ledbat.spray_segs=1, mnscc.spray_segs=1"),
        ("host * knob spray=reps", "mswift.spray=reps"),
        ("stop at=1s\nstop when=done", "a second line 'stop', the first is line"),
        ("sample every=1ms\nsample every=2ms", "a second line 'sample'"),
        (f"module {ROOT}/Documentation", "without a Kbuild file"),
        ("host * knob mswift.percentile=101", "0 to 100"),
        ("host * knob oscar.slow_start=off", "the knob 'slow_start' is unknown"),
        ("host * knob prioplus.drain_rtts=0", "the knob 'drain_rtts' is unknown"),
        ("host * knob mswift.ai=fast", "'fast' is not allowed"),
        ("at 61s link h1-s down", "when the run is over"),
        ("flow f2 h1 -> h2 start=61s", "when the run is over"),
        ("flow f2 h1 -> h2 size=forever\nflow f3 h1 -> h2 after=f2", "never ends"),
        ("expect flows sum(retrans) <= 1%", "sum of shares"),
        ("expect flow f1 fct <= 90% of bound +- 1Gbps", "another unit"),
        ("set a 1\nset a 2", "set twice"),
        ("host * sysctl tcp_ecn=1", "no sysctl"),
        ("host * sysctl net.ipv4.tcp_congestion_control=bbrr", "'bbrr'"),
        ("host * route rto_min=0", "out of range"),
        ("host x sysctl net.ipv4.tcp_ecn=1", "the host 'x' is unknown"),
        ("host @elephants run \"true\"", "the group"),
        ("switch h1 run \"true\"", "the switch 'h1' is unknown"),
        ("workload permutations", "did you mean 'permutation'"),
        ("workload permutation elephants=1", "nobody to send to"),
        ("workload incast n=7", "up to 1"),
        ("at 5 link h1-s down", "'5' has no unit"),
        ("at 5ms cable h1-s down", "'cable' is unknown"),
        ("at 5ms flow f9 cc=reno", "the flow 'f9' is unknown"),
        ("expect flow f1 goodputt >= 1Gbps", "did you mean 'goodput'"),
        ("expect flow f9 goodput >= 1Gbps", "the flow 'f9' is unknown"),
        ("expect flow f1 goodput => 1Gbps", "the comparison '=>'"),
        ("expect flow f1 goodput >= 5ms", "allowed: a rate"),
        ("expect flow f1 goodput >= 97% of lime", "did you mean 'line'"),
        ("expect flow f1 goodput >= 1Gbps from=5ms", "need time series"),
        ("expect flow f1 fct <= 5ms from=1ms", "a part of the run"),
        ("expect jain >= 0.9 from=5ms to=2ms", "is empty"),
        ("expect mean(cct) <= 5ms", "aggregates nothing"),
        ("expect flow f1 cc >= cubic", "cannot compare names"),
        ("sample every=10ns", "out of range"),
        ("stop", "'stop' says nothing"),
        ("limit wall=1ms", "out of range"),
        ("tolerance 2", "not a fraction"),
        ("seed x", "whole number"),
        ("module ./none.ko", "does not exist"),
        ("module tcp_mswif", "did you mean 'tcp_mswift'"),
        ("topology ring", "the topology 'ring' is unknown"),
        ("routing random", "allowed: ecmp, adaptive"),
        ("fail h1-s p=2", "not a fraction"),
        ("trace h7*", "the link 'h7*' is unknown"),
        ("pcap h7*", "the link 'h7*' is unknown"),
        ("pcap", "'pcap' names nothing; allowed: pcap LINK ..."),
        ("record f9", "the flow 'f9' is unknown"),
        ("record f1", "no algorithm of 'f1' tells what it decides"),
        ("record", "'record' names nothing"),
        ("labels", "'labels' names nothing"),
        ("labels f1", "no algorithm of 'f1' tells what it decides"),
        ("sizegroups 1MB 100KB", "are no groups"),
        ("sizegroups 0 1MB", "are no groups"),
        ("sizegroups 1", "'1' has no unit"),
        ("expect flows fct <= 5ms above=1", "'1' has no unit"),
        ("expect flows fct <= 5ms above=1MB upto=1MB", "is empty"),
        ("expect cct <= 5ms upto=1MB", "above= and upto= are of flows"),
        ("flow f2 h1 -> h2 lasts=1ms", "lasts is of a flow without a size"),
        ("flow f2 h1 -> h2 size=forever lasts=0", "out of range"),
        ("flow f2 h1 -> h2 after=g*", "after: the flow 'g*' is unknown"),
        ("flow f2 h1 -> h2 size=forever lasts=1ms\nflow f3 h1 -> h2 after=f2 size=0",
         "no size"),
        ("routing adaptive marked=spray", "allowed: adaptive, ecmp"),
        ("workload permutation elephant_dscp=64", "0 to 63"),
        ("workload ring shuffle=3", "'3' does not divide the 2 hosts"),
        ("workload alltoall groups=2", "leaves one alone; allowed: 1 to 1"),
        ("workload alltoall after=x.*", "after: the flow 'x.*' is unknown"),
        ("workload ring steps=0", "1 to 10000"),
        ("workload ring wait=1", "'1' has no unit"),
        ("workload ring hosts=h1,h7", "the host 'h7' is unknown"),
        ("workload poisson load=50% until=1ms", "poisson has no sizes"),
        ("workload poisson sizes=websearch until=1ms", "poisson has no load"),
        ("workload poisson sizes=websearch load=50%", "poisson has no until"),
        ("workload poisson sizes=websurch load=50% until=1ms",
         "did you mean 'websearch'"),
        ("workload poisson sizes=websearch size=1MB load=50% until=1ms", "both given"),
        ("workload poisson sizes=websearch load=0% until=1ms", "no load"),
        ("workload poisson sizes=websearch load=120% until=1ms", "not a fraction"),
        ("workload poisson sizes=websearch load=50% until=0", "out of range"),
        ("workload poisson sizes=websearch load=50% until=1ms start=1ms",
         "not after the start; allowed: more than 1ms"),
        ("workload poisson sizes=websearch load=50% until=1ms of=h9-s",
         "neither a rate nor a link"),
        ("workload poisson sizes=websearch load=50% until=1ms of=10GB", "unit 'GB'"),
        ("workload poisson sizes=websearch load=50% until=1ms scale=0", "not a factor"),
        ("workload poisson sizes=websearch load=50% until=1ms from=h1 to=h1",
         "nobody but h1"),
        ("workload poisson sizes=websearch load=50% until=1ms to=h3",
         "the host 'h3' is unknown"),
        ("workload poisson sizes=websearch scale=0.001 load=50% until=1s",
         "more than 20000 until 1s"),
    )

    def test_each(self):
        for line, said in self.CASES:
            with self.subTest(line):
                with self.assertRaises(errors.ProblemsError) as caught:
                    load(MINIMAL + line + "\n")
                self.assertIn(said, str(caught.exception))
                self.assertRegex(str(caught.exception), r"^scenario:\d+: ")
                self.assertEqual(caught.exception.exit_code, errors.EXIT_USAGE)

    def test_all_problems_of_a_file_are_told(self):
        with self.assertRaises(errors.ProblemsError) as caught:
            load("topology star hosts=many\nflow f h1 -> h9\nfoo\n"
                 "flow g h1 -> h2 cc=nix\n")
        lines = [line for _, line, _ in caught.exception.problems]
        self.assertEqual(lines, [2, 3, 4, 5])

    def test_topology_values(self):
        for words, said in (("star rtt=1us", "shorter than the serialisation"),
                            ("star rtt=1ms delay=1us", "both given"),
                            ("star mtu=900B", "1280B to 65535B"),
                            ("fattree k=5", "odd"),
                            ("paths n=0", "1 to 250")):
            with self.subTest(words):
                with self.assertRaisesRegex(errors.ProblemsError, said):
                    load(f"topology {words}\n")

    def test_no_topology(self):
        with self.assertRaisesRegex(errors.ProblemsError, "no topology"):
            load("flow f a -> b\n")

    def test_endless_run(self):
        with self.assertRaisesRegex(errors.ProblemsError, "never end"):
            load("topology star\nflow f h1 -> h2 size=forever\n")


class Topologies(unittest.TestCase):
    def network(self, words):
        return load(f"topology {words}\nstop at=1ms\n").network

    def round_trip(self, network, source, target):
        """By hand: every link's serialisation and delay, both ways, in ps."""
        total = 0
        for start, end, length in ((source, target, network.mtu),
                                   (target, source, topology.ACK_BYTES)):
            for stage in network.stages(start, end):
                link, direction = stage[0]
                params = link.params[direction]
                total += params["delay"] * 1000
                total += length * 8 * 10**12 // params["rate"]
        return total

    def test_rtt_is_that_of_a_full_packet_and_its_ack(self):
        for words, ends in (("star rtt=120us rate=10Gbps mtu=4096B", ("h1", "h2")),
                            ("paths n=4 rtt=120us", ("a", "b")),
                            ("chain hops=1 rtt=50us", ("a", "b")),
                            ("chain hops=7 rtt=777777ns", ("a", "b")),
                            ("leafspine rtt=80us inter_rate=40Gbps", ("h1", "h16")),
                            ("fattree k=4 rtt=333333ns rate=8Gbps", ("h1", "h16"))):
            with self.subTest(words):
                network = self.network(words)
                wanted = units.parse_time(words.split("rtt=")[1].split()[0])
                got = self.round_trip(network, *ends)
                self.assertLessEqual(abs(got - wanted * 1000), 2000)

    def test_fattree_counts(self):
        network = self.network("fattree k=8")
        self.assertEqual((len(network.hosts()), len(network.nodes),
                          len(network.links)), (128, 208, 384))
        table = topology.routes(network)
        self.assertEqual(sum(len(entries) for entries in table.values()), 576)
        hops = [len(stage) for stage in network.stages("h1", "h128")]
        self.assertEqual(hops, [1, 4, 16, 16, 4, 1])

    def test_routes_lead_to_the_target_only(self):
        network = self.network("leafspine leaves=3 spines=2 hosts=2")
        table = topology.routes(network)
        place = network.nodes["h5"].place
        for name in network.nodes:
            seen = [name]
            while seen[-1] != "h5":
                entries = table[seen[-1]]
                best = max((short for short in entries
                            if place[:len(short)] == short), key=len)
                seen.append(entries[best][0][0].receiver(entries[best][0][1]))
                self.assertLess(len(seen), 6, seen)

    def test_overrides_by_glob_and_relative(self):
        network = load("topology paths n=3 delay=10us rate=10Gbps\n"
                       "link path* rate=5Gbps\nlink path1:ab delay+=100us\n"
                       "link inter-switch rate*=0.5\nstop at=1ms").network
        path = network.links["path1"].params
        self.assertEqual((path["ab"]["delay"], path["ba"]["delay"]), (110000, 10000))
        self.assertEqual(path["ab"]["rate"], 25 * 10**8)
        self.assertEqual(network.links["a-s1"].params["ab"]["rate"], 10**10)

    def test_changes_go_by_time_wherever_they_stand(self):
        timed = load("topology star hosts=2 rate=10Gbps\nat 2ms link h2-s:ab rate*=0.5\n"
                     "at 1ms link h2-s:ab rate*=0.1\nflow f h1 -> h2\n").timed
        self.assertEqual([(change.when, change.words[3]["rate"]) for change in timed],
                         [(10**6, 10**9), (2 * 10**6, 5 * 10**8)])

    def test_failures_are_seeded_and_routed_around(self):
        text = "topology fattree k=4\nfail inter-switch p=0.1\nstop at=1ms"
        failed = [[link.name for link in load(text, seed=seed).network.links.values()
                   if link.failed] for seed in (1, 1, 2)]
        self.assertEqual(failed[0], failed[1])
        self.assertNotEqual(failed[0], failed[2])
        network = load(text, seed=1).network
        used = {link.name for table in topology.routes(network).values()
                for hops in table.values() for link, _ in hops}
        self.assertTrue(failed[0])
        self.assertFalse(used & set(failed[0]))

    def test_buffer_in_packets_and_bdp(self):
        network = self.network("star mtu=1500B buffer=10pkt ecn=0.5bdp"
                               " rtt=120us rate=10Gbps")
        params = network.links["h1-s"].params["ba"]
        self.assertEqual(params["buffer"], 15000)
        self.assertAlmostEqual(params["ecn"], 75000, delta=10)

    def test_a_hosts_own_queue_is_linuxs(self):
        """The topology's buffers and marks are those of switches."""
        words = "nic=ideal buffer=10pkt ecn=5pkt drr=3000B strict=1 rate=10Gbps loss=0.5"
        params = self.network("star " + words).links["h1-s"].params
        self.assertEqual(params["ab"], {"rate": 10**10, "delay": params["ab"]["delay"],
                                        "buffer": 1500000, "loss": (0.5, 1)})
        self.assertEqual((params["ba"]["buffer"], params["ba"]["ecn"]), (15000, 7500))
        both = self.network("chain hops=1 " + words).links["a-b"].params
        self.assertEqual((both["ab"]["buffer"], both["ba"]["ecn"]), (15000, 7500))


class Graphs(unittest.TestCase):
    """Networks that a scenario draws."""

    #        s2
    #   a - s1  s3 - b     two ways of the same length, a host on one of them; a parallel link
    #        s4 - c
    TEXT = """
topology graph rate=10Gbps delay=1us mtu=1500B buffer=20pkt ecn=0.5bdp
link a s1
link s1 s2 rate=1Gbps
link s2 s3 delay=5us
link s4 s1
link s4 s3
link s3 s4 name=further rate*=0.5 loss=1% buffer=2bdp
link c s4 ecn=3KB
link s3 b
switch s1 s2 s3 s4
host a
host b c
stop at=1ms
"""

    def network(self, more=""):
        return load(self.TEXT + more).network

    def test_nodes_links_and_their_parameters(self):
        network = self.network("link a-s1:ab loss=5%\nlink further delay+=1us\n")
        self.assertEqual((network.hosts(), network.switches()),
                         (["a", "b", "c"], ["s1", "s2", "s3", "s4"]))
        self.assertEqual(list(network.links), ["a-s1", "s1-s2", "s2-s3", "s4-s1", "s4-s3",
                                               "further", "c-s4", "s3-b"])
        params = {name: link.params for name, link in network.links.items()}
        self.assertEqual(params["s1-s2"]["ba"]["rate"], 10**9)
        self.assertEqual(params["s2-s3"]["ab"]["delay"], 5000)
        self.assertEqual((params["further"]["ab"]["rate"], params["further"]["ba"]["delay"]),
                         (5 * 10**9, 2000))
        self.assertEqual(params["further"]["ab"]["loss"], (0.01, 1))
        self.assertEqual([params["a-s1"][way].get("loss") for way in topology.DIRECTIONS],
                         [(0.05, 1), None])

    def test_a_hosts_own_queue_is_linuxs_here_too(self):
        params = self.network().links["c-s4"].params
        self.assertEqual((params["ab"]["buffer"], params["ab"].get("ecn")), (1500000, None))
        self.assertEqual((params["ba"]["buffer"], params["ba"]["ecn"]), (30000, 3000))

    def test_a_bdp_is_that_of_the_longest_way(self):
        """a - s1 - s2 - s3 - b, there with 1500 bytes and back with 72."""
        network = self.network()
        rtt_ps = 3 * (2000_000 + 1572 * 800) + 2000_000 + 1572 * 8000 + 8000_000
        bdp = network.units["bdp"]
        self.assertEqual(bdp, 10 * rtt_ps // 8000)
        self.assertEqual(network.links["further"].params["ab"]["buffer"], 2 * bdp)
        self.assertEqual(network.links["s1-s2"].params["ab"]["ecn"], bdp // 2)

    def test_routes_are_all_shortest_ways(self):
        network = self.network()
        stages = [sorted(link.name for link, _ in stage) for stage in network.stages("a", "b")]
        self.assertEqual(stages, [["a-s1"], ["s1-s2", "s4-s1"],
                                  ["further", "s2-s3", "s4-s3"], ["s3-b"]])
        self.assertEqual([len(stage) for stage in network.stages("c", "b")], [1, 2, 1])
        table = topology.routes(network)
        place = network.nodes["b"].place
        hops = table["s1"].get(place, table["s1"].get(()))
        self.assertEqual([link.interface(way) for link, way in hops], ["p2", "p3"])
        self.assertIn("route s4 fd00::1:1/128 dev=p2,p3", compiled(self.TEXT))

    def test_hosts_of_a_switch_share_a_prefix(self):
        hosts = " ".join(f"h{number}" for number in range(600))
        links = "".join(f"link h{number} {'t' if number < 599 else 's'}\n"
                        for number in range(600))
        network = load("topology graph\nswitch s t\nlink s t\n" + links +
                       f"host {hosts}\nstop at=1ms").network
        self.assertEqual([network.nodes[f"h{number}"].place for number in (0, 249, 250, 598, 599)],
                         [(0, 0, 0), (0, 0, 249), (0, 1, 0), (0, 2, 98), (0, 3, 0)])
        self.assertEqual(len({network.nodes[name].address(6) for name in network.hosts()}), 600)
        self.assertLessEqual(len(topology.routes(network)["s"]), 2)

    def test_settings_stay_settings(self):
        """Lines with a second word of the language change what is drawn."""
        plan_text = compiled(self.TEXT + "host a route initcwnd=7\nswitch s* sysctl net.a.b=1\n"
                             "host a knob mswift.spray=off\nlink s1-s2 down\n")
        self.assertIn("sysctl s4 net/a/b 1", plan_text)
        self.assertEqual(len([line for line in plan_text if "initcwnd=7" in line]), 2)
        self.assertTrue(any(line.startswith("dir s1-s2 ab") and "up=0" in line
                            for line in plan_text))

    def test_only_a_graph_is_drawn(self):
        for line, said in (("host h1", "'host h1' sets nothing"),
                           ("switch s", "'switch s' sets nothing"),
                           ("link h1 s", "the link 'h1' is unknown"),
                           ("link h1-s s", "'s' is not key=value")):
            with self.subTest(line), self.assertRaisesRegex(errors.ProblemsError, said):
                load(MINIMAL + line + "\n")

    def test_refusals(self):
        base = "topology graph\nswitch s t\nhost a b\nlink a s\nlink b t\nlink s t\n"
        for more, line, said in (
                ("host c", 8, "the host 'c' has no link; allowed: one or more, by lines link A B"),
                ("switch u", 8, "the switch 'u' has no link"),
                ("switch u v\nlink u v", 8, "there is no way from 'a' to 'u'; allowed: a graph in"
                                            " one piece"),
                ("host a", 8, "'a' is named a second time, the first is line 4"),
                ("switch a", 8, "'a' is named a second time, the first is line 4"),
                ("link s u", 8, "the node 'u' is unknown; allowed: s, t, a, b"),
                ("link s s", 8, "'s' is linked to itself; allowed: two nodes"),
                ("link a t", 8, "a second link of the host 'a'; allowed: one"),
                ("link s t", 8, "a second link 's-t'; allowed: one, further ones between the same"
                                " nodes with name=NAME"),
                ("link t s rate=1Gbps", 8, "a second link 't-s'"),
                ("link t s name=s-t", 8, "a second link 's-t'"),
                ("link t s name=access", 8, "'access' is a word of the language"),
                ("link t s name=", 8, "name: nothing after '='"),
                ("link t s name=x speed=1", 8, "the key 'speed' is unknown"),
                ("link t s name=x rate=1GB", 8, "rate: '1GB' has the unit 'GB'"),
                ("link t s name=x fast", 8, "'fast' is not key=value"),
                ("switch knob", 8, "'knob' is a word of the language; allowed: any other name"),
                ("host h*", 8, "'h*' is no name; allowed: a letter, then letters, digits and . _"),
                ("switch " + "x" * 33, 8, "is no name"),
                ("host 7up", 8, "'7up' is no name"),
                ("host " + " ".join(f"h{number}" for number in range(4000)), 8,
                 "4002 nodes of the kind 'host'; allowed: up to 4000"),
                ("\n".join(f"link s t name=l{number}" for number in range(250)), 3,
                 "the switch 's' has 251 links to others; allowed: up to 250")):
            with self.subTest(more[:40]):
                with self.assertRaises(errors.ProblemsError) as caught:
                    load(base + more + "\nstop at=1ms\n")
                found = [text for _, at, text in caught.exception.problems if at == line]
                self.assertIn(said, " | ".join(found))

    def test_few_hosts_and_other_keys(self):
        for text, said in (("topology graph\nswitch s\nhost a\nlink a s", "1 hosts; allowed: 2"),
                           ("topology graph", "0 hosts; allowed: 2 to 4000, named by lines host"),
                           ("topology graph rtt=1ms", "the key 'rtt' is unknown"),
                           ("topology graph ecn=fast\nhost a b\nlink a b ecn+=3KB",
                            "ecn: 'fast' is not a size")):
            with self.subTest(text), self.assertRaisesRegex(errors.ProblemsError, said):
                load(text + "\nstop at=1ms\n")

    def test_two_hosts_and_a_link(self):
        network = load("topology graph buffer=10pkt\nhost a b\nlink a b\nstop at=1ms").network
        self.assertEqual(network.links["a-b"].params["ab"]["buffer"], 15000)
        self.assertEqual(len(network.stages("a", "b")), 1)


class Plans(unittest.TestCase):
    def test_bursts_of_loss(self):
        lines = compiled(MINIMAL + "link h1-s loss=1%,4\nlink h2-s loss=2%,1")
        lost = [line for line in lines if "loss=" in line]
        self.assertRegex(lost[0], r"^dir h1-s ab .* loss=10000 burst=4( |$)")
        self.assertRegex(lost[2], r"^dir h2-s ab .* loss=20000(?! burst)( |$)")

    def test_an_address_for_each_subflow(self):
        """Hosts that open them have addresses, to which there are ways; both ends a limit."""
        lines = compiled("topology leafspine leaves=2 spines=2 hosts=2\n"
                         "flow f h1 -> h3 mptcp=3 cc=cubic\nflow g h2 -> h3 cc=cubic")
        more = ["fd00::1:101", "fd00::1:201"]
        for address in more:
            self.assertIn(f"addr h1 eth0 {address}/128 preferred=0", lines)
            self.assertIn(f"route leaf1 {address}/128 dev=p1", lines)
        self.assertEqual([line for line in lines if line.startswith("mptcp ")],
                         [f"mptcp h1 2 {' '.join(more)}", "mptcp h3 2"])
        flows = [line for line in lines if line.startswith("flow ")]
        self.assertEqual([line.endswith(" mptcp=1") for line in flows], [True, False])

    def test_elephants_have_subflows_of_their_own_if_said(self):
        text = "topology star hosts=8\nworkload permutation mptcp=2 elephants=2 size=1MB"
        for words, want in (("", 2), (" elephant_mptcp=4", 4), (" elephant_mptcp=0", 0)):
            with self.subTest(words):
                flows = load(text + words).flows
                self.assertEqual({flow.mptcp for flow in flows if "elephant" in flow.name},
                                 {want})

    def test_memory_for_every_connection(self):
        """The kernel's table has a slot for each MiB, of both ends of a connection."""
        text = "topology star hosts=2\nflow f h1 -> h2 size=1KB mptcp=2 count={}"
        for count in (1, 500, 2000):
            with self.subTest(count):
                self.assertGreaterEqual(plan.memory(load(text.format(count))),
                                        2 * count * plan.MIB)

    def test_requests_and_responses(self):
        line, = (line for line in compiled("topology star hosts=2\nflow f h1 -> h2 size=1KB"
                                           " request=20B calls=3\n") if line.startswith("flow "))
        self.assertIn(" bytes=3000 ", line)
        self.assertIn(" call=1000 request=20", line)

    def test_what_is_traced_and_captured(self):
        lines = compiled("topology star hosts=3 rate=10Gbps rtt=120us\n"
                         "flow f h1 -> h2 size=1MB\n"
                         "trace h1-s h2-s:ab\npcap h2-s:ab h3-s:ba\n")
        found = {tuple(line.split()[1:3]): word for line in lines if line.startswith("dir ")
                 for word in line.split() if word.startswith("trace=")}
        self.assertEqual(found, {("h1-s", "ab"): "trace=1", ("h1-s", "ba"): "trace=1",
                                 ("h2-s", "ab"): "trace=3", ("h3-s", "ba"): "trace=2"})

    def test_classes(self):
        """Of links and of receivers, and by the size of flows."""
        lines = compiled("topology star\nlink h1-s:ba strict=1\nsizegroups 10KB 1MB\n"
                         "default prio=size dscp=size ackdscp=56\n"
                         "flow f h1 -> h2 size=10KB\nflow g h1 -> h2 size=10001B\n"
                         "flow h h1 -> h2 size=2MB dscp=3")
        self.assertEqual([line.endswith(" strict=1") for line in lines
                          if line.startswith("dir h1-s ")], [False, True])
        self.assertEqual(
            [[word for word in line.split() if word.startswith(("prio", "tcl", "ackt"))]
             for line in lines if line.startswith("flow")],
            [["prio=2", "tclass=64", "acktclass=224"], ["prio=1", "tclass=32", "acktclass=224"],
             ["prio=0", "tclass=12", "acktclass=224"]])

    def test_order_of_directives(self):
        lines = compiled(MINIMAL + "host h1 run \"true\"\nat 1ms link h1-s down\n")
        order = ["plan", "module", "node", "link", "dir", "addr", "sysctl", "route",
                 "exec", "flow", "at", "stop", "until", "end"]
        seen = list(dict.fromkeys(line.split()[0] for line in lines))
        self.assertEqual(seen, order)

    def test_receivers(self):
        """An ACK per packet and any window, for whom the last line says so."""
        text = ("topology star hosts=3\nhost * receiver ideal\n"
                "host h2 receiver ordinary\nflow f h1 -> h2\n")
        lines = compiled(text)
        rmem = {line.split()[1]: line.split(" ", 3)[3] for line in lines
                if line.startswith("sysctl h") and "tcp_rmem" in line}
        self.assertEqual(rmem, {"h1": "4096 268435456 268435456",
                                "h2": "4096 131072 6291456",
                                "h3": "4096 268435456 268435456"})
        quick = {line.split()[1] for line in lines
                 if line.startswith("route h") and line.endswith(" quickack=1")}
        self.assertEqual(quick, {"h1", "h3"})

    def test_no_such_receiver(self):
        for words in ("lazy", "ideal ordinary"):
            with self.subTest(words), self.assertRaisesRegex(
                    errors.ProblemsError, f"'{words}'.*allowed: ordinary, ideal"):
                load(f"topology star\nhost h1 receiver {words}\n")

    def test_flow_line(self):
        lines = compiled("topology star\nflow f h1 -> h2 size=1KB start=5us cc=reno"
                         " family=4 dscp=10 maxrate=8Mbps rate=1Gbps on=1ms off=2ms")
        self.assertIn("flow f src=h1 dst=h2 daddr=10.0.0.2 port=10000 bytes=1000"
                      " start=5000 cc=reno rate=1000000000 on=1000000 off=2000000"
                      " tclass=40 maxrate=1000000", lines)

    def test_writes_of_a_request(self):
        lines = compiled("topology star\nflow f h1 -> h2 size=forever cc=reno"
                         " rate=32kbps write=100B writes=2\nstop at=1s")
        self.assertTrue(any(line.endswith(" cc=reno rate=32000 write=100 writes=2")
                            for line in lines), lines)

    def test_warm_flows_say_so(self):
        lines = compiled("topology star\ndefault warm=10ms\n"
                         "flow f h1 -> h2 size=1KB cc=reno\n"
                         "flow g h1 -> h2 size=1KB cc=reno warm=0")
        ends = [line.split(" cc=reno")[1] for line in lines
                if line.startswith("flow ")]
        self.assertEqual(ends, [" warm=10000000", ""])

    def test_shortest_warm_time(self):
        """SYN and SYN-ACK of 80 bytes, then 73 bytes each way, 2 links of 1 us."""
        need = 2 * (2 * 80 + 2 * 73) * 8 + 8 * 1000
        text = "topology star rate=1Gbps delay=1us nic=ideal\nflow f h1 -> h2 warm={}ns"
        load(text.format(need))
        with self.assertRaisesRegex(errors.ProblemsError, "too short"):
            load(text.format(need - 1))

    def test_many_flows_walk_the_globs(self):
        loaded = load("topology paths hosts=3 n=1\nflow f a* -> b* count=4"
                      " spacing=1us")
        self.assertEqual([(flow.name, flow.source, flow.target, flow.start)
                          for flow in loaded.flows],
                         [("f.1", "a1", "b1", 0), ("f.2", "a2", "b2", 1000),
                          ("f.3", "a3", "b3", 2000), ("f.4", "a1", "b1", 3000)])

    def test_knobs_load_the_helper_and_become_sysctls(self):
        lines = compiled("topology star\nflow f h1 -> h2 cc=cubic\n"
                         "host h1 knob spray=oblivious\n")
        self.assertIn("sysctl h1 net/dcc/spray oblivious", lines)
        self.assertIn("module /modules/tcp_dcc.ko", lines)
        lines = compiled("topology star\nflow f h1 -> h2 cc=lswift\n"
                         "host h1 knob mswift.spray=oblivious\n")
        self.assertIn("sysctl h1 net/dcc/mswift/spray oblivious", lines)
        self.assertIn("module /modules/tcp_mswift.ko", lines)

    def test_adaptive_routing_makes_groups(self):
        lines = compiled("topology paths n=2\nrouting adaptive quantum=4096B\n"
                         "flow f a -> b")
        self.assertIn("group s1.g1 s1 g1 mtu=1500 quantum=4096"
                      " members=path1:ab,path2:ab", lines)
        self.assertIn("route s1 fd00::1:1/128 dev=g1", lines)
        lines = compiled("topology paths n=2\nrouting adaptive marked=ecmp\n"
                         "flow f a -> b")
        self.assertIn("group s1.g1 s1 g1 mtu=1500 quantum=0 marked_ecmp=1"
                      " members=path1:ab,path2:ab", lines)

    def test_timed_changes_are_relative_to_what_was_before(self):
        lines = compiled("topology star rate=10Gbps\nflow f h1 -> h2\n"
                         "at 1ms link h1-s:ab rate*=0.5\n"
                         "at 2ms link h1-s:ab rate*=0.5\nat 3ms flow f cc=reno\n"
                         "at 4ms link h1-s:ab up")
        self.assertEqual([line for line in lines if line.startswith("at ")],
                         ["at 1000000 dir h1-s ab rate=5000000000",
                          "at 2000000 dir h1-s ab rate=2500000000",
                          "at 3000000 setcc f reno",
                          "at 4000000 dir h1-s ab up=1"])

    def test_noise_of_a_link(self):
        lines = compiled("topology star\nlink h1-s:ba noise=nic,3us\nflow f h1 -> h2\n"
                         "link h2-s:ab noise=uniform,30us,overtake\n"
                         "at 1ms link h1-s:ba noise=0")
        noise = [line for line in lines if "noise" in line]
        self.assertEqual(len(noise), 3)
        self.assertRegex(noise[0], "^dir h1-s ba .*noise=nic,3000,0$")
        self.assertRegex(noise[1], "^dir h2-s ab .*noise=uniform,30000,1$")
        self.assertEqual(noise[2], "at 1000000 dir h1-s ba noise=uniform,0,0")

    def test_ordinary_nics_are_chosen_by_the_seed(self):
        text = "topology star hosts=40\nflow f h1 -> h2\n"

        def interrupts(text, seed):
            network = load(text, seed=seed).network
            return [link.back(way)["gro"] for host in network.hosts()
                    for link, way in network.leaving(host) if link.params[way].get("tso")]
        first = interrupts(text, 1)
        self.assertEqual((len(first), set(first)), (40, {8000, 16000, 32000, 64000}))
        self.assertEqual(interrupts(text, 1), first)
        self.assertNotEqual(interrupts(text, 2), first)
        self.assertEqual(interrupts(text + "host * nic ideal\n", 1), [])
        self.assertEqual(interrupts(text.replace("=40", "=40 nic=ideal"), 1), [])
        self.assertEqual(interrupts("topology graph\nswitch s\nhost a b\nlink a s\nlink b s\n"
                                    "flow f a -> b\nhost b nic ideal\n", 1), [16000])
        self.assertEqual(set(interrupts(text + "host * offload gro=5us\n", 1)), {5000})

    def test_offloads_of_hosts(self):
        lines = compiled("topology paths n=2\nhost * offload tso=1 gro=20us\n"
                         "host b offload tso=0\nflow f a -> b")
        cards = [re.sub(r" (?:rate|delay|buffer)=\S+", "", line) for line in lines
                 if "tso" in line or "gro" in line]
        self.assertEqual(cards, ["dir a-s1 ab tso=1", "dir a-s1 ba gro=20000",
                                 "dir s2-b ab gro=20000", "dir s2-b ba tso=0"])

    def test_offloads_of_hosts_without_a_switch(self):
        lines = compiled("topology chain hops=1 nic=ideal\nhost a offload tso=1 gro=1us\n"
                         "flow f a -> b")
        self.assertEqual([re.findall("(?:tso|gro)=.*", line) for line in lines
                          if line.startswith("dir")], [["tso=1"], ["gro=1000"]])

    def test_connecting_takes_interrupts_too(self):
        text = ("topology star nic=ideal\nhost h2 offload gro=$gro\n"
                "flow f h1 -> h2 warm=1us\nset gro ")
        allowed = [re.search(r"allowed: 0, or (\S+)us", self.refused(text + gro)).group(1)
                   for gro in ("20us", "0")]
        self.assertAlmostEqual(float(allowed[0]) - float(allowed[1]), 40)

    def refused(self, text):
        with self.assertRaises(errors.ProblemsError) as caught:
            load(text)
        return str(caught.exception)

    def test_same_seed_same_plan_other_seed_other_plan(self):
        text = "topology star hosts=8\nworkload permutation\n"
        self.assertEqual(compiled(text, seed=4), compiled(text, seed=4))
        self.assertNotEqual(compiled(text, seed=4), compiled(text, seed=5))

    def test_memory_grows_with_the_scenario(self):
        small = load(MINIMAL)
        large = load("topology fattree k=8\nworkload permutation size=8MB")
        self.assertLess(plan.memory(small), plan.memory(large))
        self.assertLessEqual(plan.memory(large), 4 * 2**30)


class Workloads(unittest.TestCase):
    def test_permutation_is_one(self):
        loaded = load("topology star hosts=20\nworkload permutation")
        self.assertEqual(sorted(flow.source for flow in loaded.flows),
                         sorted(flow.target for flow in loaded.flows))
        self.assertEqual(len(loaded.flows), 20)

    def test_elephants_are_apart(self):
        loaded = load("topology fattree k=4\nworkload permutation elephants=4"
                      " elephant_cc=reno cc=cubic size=1MB\nhost @elephant"
                      " sysctl net.ipv4.tcp_ecn=1")
        big = [flow for flow in loaded.flows if flow.forever]
        small = [flow for flow in loaded.flows if not flow.forever]
        self.assertEqual((len(big), len(small)), (4, 12))
        apart = {flow.source for flow in big} | {flow.target for flow in big}
        self.assertEqual(len(apart), 4)
        self.assertFalse(apart & {flow.source for flow in small})
        self.assertEqual({flow.cc for flow in big}, {"reno"})
        self.assertEqual({node for node, *_ in loaded.sysctls}, apart)

    def test_elephants_are_marked_apart(self):
        for keys, wanted in (("elephant_dscp=8", (None, 8)), ("dscp=8", (8, 8)),
                             ("dscp=8 elephant_dscp=0", (8, 0))):
            flows = load("topology fattree k=4\nworkload permutation elephants=4"
                         f" {keys}").flows
            found = {flow.forever: set() for flow in flows}
            for flow in flows:
                found[flow.forever].add(flow.dscp)
            self.assertEqual((found[False], found[True]), tuple({one} for one in wanted))

    def test_incast(self):
        loaded = load("topology star hosts=9\nworkload incast n=5 to=h3")
        self.assertEqual({flow.target for flow in loaded.flows}, {"h3"})
        self.assertEqual(len({flow.source for flow in loaded.flows} - {"h3"}), 5)

    def test_ring_passes_on_what_came(self):
        """An all-reduce of 4: 6 steps; each sends on what it has just received."""
        flows = load("topology star hosts=4\nworkload ring start=1ms wait=5us").flows
        self.assertEqual(len(flows), 4 * 6)
        by_name = {flow.name: flow for flow in flows}
        for number, flow in enumerate(flows):
            step, after = divmod(number, 4)[0], flow.after
            if step == 0:
                self.assertEqual((flow.start, after), (10**6, None))
                continue
            self.assertEqual((flow.start, len(after)), (5000, 1))
            self.assertEqual(by_name[after[0]].target, flow.source)
            self.assertEqual(flows.index(by_name[after[0]]) // 4, step - 1)

    def test_groups_are_dealt_out(self):
        flows = load("topology star hosts=6\nworkload alltoall groups=2").flows
        self.assertEqual(len(flows), 2 * 3 * 2)
        self.assertEqual({flow.name: (flow.source, flow.target) for flow in flows[:3]},
                         {"alltoall.1": ("h1", "h3"), "alltoall.2": ("h3", "h5"),
                          "alltoall.3": ("h5", "h1")})

    def test_servers_stand_at_random(self):
        """4 servers of 2: each host sends to the one of its number in the next server."""
        seen = set()
        for seed in range(1, 9):
            flows = load("topology star hosts=8\nworkload ring groups=2 shuffle=2 steps=1",
                         seed=seed).flows
            ways = {int(flow.source[1:]) - 1: int(flow.target[1:]) - 1 for flow in flows}
            self.assertEqual(sorted(ways.values()), list(range(8)))
            self.assertTrue(all(a % 2 == b % 2 and ways[a ^ 1] == b ^ 1
                                for a, b in ways.items()))
            order = [0]
            while ways[order[-1]]:
                order.append(ways[order[-1]])
            self.assertEqual(len(order), 4)
            seen.add(tuple(order))
        self.assertGreater(len(seen), 1)

    def test_one_workload_after_another(self):
        flows = load("topology star hosts=3\nworkload ring name=a steps=1\n"
                     "workload ring name=b steps=2 after=a.*").flows
        self.assertEqual([flow.after for flow in flows[3:6]], [["a.1", "a.2", "a.3"]] * 3)
        self.assertEqual([flow.after for flow in flows[6:]], [["b.3"], ["b.1"], ["b.2"]])

    def test_too_many_waits(self):
        with self.assertRaisesRegex(errors.ProblemsError, "1440000 waits"):
            load("topology star hosts=2\nflow f h1 -> h2 count=1200\n"
                 "flow g h2 -> h1 count=1200 after=f.*")

    def test_a_flow_that_lasts(self):
        loaded = load("topology star\nflow f h1 -> h2 size=forever lasts=2ms cc=reno\n"
                      "flow g h2 -> h1 after=f cc=reno")
        self.assertEqual([flow.endless for flow in loaded.flows], [False, False])
        self.assertIn("flow f src=h1 dst=h2 daddr=fd00::1 port=10000 bytes=0 start=0"
                      " cc=reno lasts=2000000",
                      [line.replace("fd00::1:0:2", "fd00::1").replace("fd00::2", "fd00::1")
                       for line in plan.compile_plan(loaded, str).splitlines()])

    def test_recorded_flows(self):
        """Those of this project's algorithms, now or after a change; each once."""
        text = ("topology star\nflow f h1 -> h2 cc=oscar\nflow g h1 -> h2 cc=cubic\n"
                "flow h h1 -> h2 cc=cubic\nat 1ms flow h cc=nscc\nrecord * f\nlabels f\n")
        lines = compiled(text)
        self.assertIn("record f h", lines)
        self.assertIn("labels f", lines)
        self.assertIn("module /modules/tcp_dcc.ko", lines)

    def test_draws_are_even(self):
        draw = Draw(1, "even")
        seen = [0] * 10
        for _ in range(10000):
            seen[draw.below(10)] += 1
        self.assertTrue(all(900 < count < 1100 for count in seen), seen)


class FromFile(unittest.TestCase):
    """Flows as a file has them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "some.flows"

    def flows(self, text, more="", hosts="h*"):
        self.file.write_text(text)
        return load(f"topology star hosts=3 rate=10Gbps\n"
                    f"workload trace file={self.file} hosts={hosts} {more}\n").flows

    def test_each_line_is_a_flow(self):
        flows = self.flows("# a trace\n0 h1 h2 1MB\n1.5us,h3,h1,2KB,prio=3 cc=reno # the last\n\n",
                           "start=1ms cc=cubic")
        self.assertEqual([(f.name, f.source, f.target, f.start, f.size, f.cc, f.prio)
                          for f in flows],
                         [("trace.1", "h1", "h2", 1000000, 1000000, "cubic", None),
                          ("trace.2", "h3", "h1", 1001500, 2000, "reno", 3)])

    def test_numbers_count_the_hosts(self):
        flow, = self.flows("0 1 0 1MB", hosts="h3,h2")
        self.assertEqual((flow.source, flow.target), ("h2", "h3"))

    def test_starts_and_sizes_have_factors(self):
        flow, = self.flows("10us h1 h2 1KB", "start=1us stretch=50% scale=1.5")
        self.assertEqual((flow.start, flow.size), (6000, 1500))
        self.assertEqual(self.flows("0 h1 h2 1B", "scale=0.1")[0].size, 1)

    def test_what_is_wrong_names_its_line(self):
        for line, said in (
                ("x h1 h2 1MB", "'x' is not a time"),
                ("0 h1 h2", "'0 h1 h2' is no flow; allowed: START FROM TO SIZE"),
                ("0 h1 h9 1MB", "the host 'h9' is unknown; allowed: h1, h2, h3, 0 to 2"),
                ("0 0 3 1MB", "the host '3' is unknown"),
                ("0 h1 0 1MB", "'h1' sends to itself"),
                ("0 h1 h2 0B", "'0B' is no size; allowed: 1B or more"),
                ("0 h1 h2 1MB nope=1", "the key 'nope' is unknown"),
                ("0 h1 h2 1MB start=1us", "the key 'start' is unknown")):
            with self.subTest(line), self.assertRaisesRegex(
                    errors.ProblemsError, rf"some\.flows:2: {re.escape(said)}"):
                self.flows(f"0 h1 h2 1KB\n{line}\n")

    def test_what_goes_together(self):
        for text, more, said in (
                ("# none", "", "has no flow; allowed: lines START"),
                ("0 h1 h2 1KB", "size=1MB", "file and size are both given"),
                ("0 h1 h2 1KB on=1us", "", "on and off go together")):
            with self.subTest(text + more), self.assertRaisesRegex(errors.ProblemsError, said):
                self.flows(text, more)
        for words, said in (("", "trace has no file; allowed: workload trace file=FILE"),
                            ("file=/none", "the flows '/none' cannot be read: No such file")):
            with self.subTest(words), self.assertRaisesRegex(errors.ProblemsError, said):
                load(f"topology star hosts=3\nworkload trace {words}\n")


FIRST_DRAWS = [(949521, 75544, "h11"), (2364263, 5646577, "h11")]
POISSON = ("topology star hosts=11 rate=10Gbps\nworkload poisson sizes={sizes}"
           " load={load} until={until} from={senders} to={targets} {more}")


class Poisson(unittest.TestCase):
    """Against the process's own arithmetic, with 4 standard errors of room."""

    def flows(self, sizes="websearch", load_="80%", until="1s", senders="h*",
              targets="h1", more="", **options):
        return load(POISSON.format(sizes=sizes, load=load_, until=until, more=more,
                                   senders=senders, targets=targets), **options).flows

    def test_named_distributions(self):
        """The means that the files state, and half of the flows below the median."""
        for name, mean, median in (("websearch", Fraction(1711250), 73077),
                                   ("cachefollower", Fraction(687667797, 1000), 28270),
                                   ("hadoop", Fraction(481683, 4), 700),
                                   ("alistorage", Fraction(204349, 5), 6340)):
            with self.subTest(name):
                known = sizes.load(name, ".")
                self.assertEqual(round(known.mean()), round(mean))
                self.assertEqual(known.at(Fraction(1, 2)), median)
                text = (sizes.FOLDER / f"{name}.cdf").read_text()
                self.assertIn(str(round(known.mean())), text)
                self.assertIn(str(median), text)

    def test_mean_is_the_integral(self):
        """2 * 0.25 at 100, and from there a straight line to 300: 25 + 0.75 * 200."""
        known = sizes.Sizes(sizes.parse("100 0.25 # an atom\n300 1\n", "t"))
        self.assertEqual(known.mean(), 25 + Fraction(3, 4) * 200)
        self.assertEqual([known.at(Fraction(share, 100)) for share in (0, 24, 25, 40, 99)],
                         [100, 100, 100, 140, 297])

    def test_files_that_are_none(self):
        for text, said in (("", "t: the last probability is not 1"),
                           ("5 0.5\n", "is not 1"), ("5\n", "t:1: '5' is no point"),
                           ("5 x\n", "no point"), ("5 0.2\n4 1\n", "t:2: '4 1' is below"),
                           ("5 0.2\n6 0.1\n", "t:2:"), ("-1 1\n", "'-1' bytes"),
                           ("5 50\n", "the probability '50' is out of range"),
                           ("0 1\n", "all sizes are 0")):
            with self.subTest(text), self.assertRaises(errors.BadValue) as caught:
                sizes.parse(text, "t")
            self.assertIn(said, str(caught.exception))

    def test_a_file_beside_the_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "one.cdf").write_text("1000 1\n")
            Path(folder, "t.lab").write_text("title t\n" + POISSON.format(
                sizes="one.cdf", load="1%", until="1ms", more="scale=2.5",
                senders="h*", targets="h1"))
            flows = scenario.load(str(Path(folder, "t.lab"))).flows
        self.assertEqual({flow.size for flow in flows}, {2500})

    def test_number_load_and_gaps(self):
        mean = 1711250 * 8 / (0.8 * 10e9)
        flows = self.flows(until="10s")
        count = 10 / mean
        self.assertLess(abs(len(flows) - count), 4 * count ** 0.5)
        starts = [flow.start for flow in flows]
        self.assertEqual(starts, sorted(starts))
        gaps = [b - a for a, b in zip([0, *starts], starts)]
        for times in (0.5, 1, 2):
            share = sum(gap > times * mean * 1e9 for gap in gaps) / len(gaps)
            wanted = math.exp(-times)
            self.assertLess(abs(share - wanted),
                            4 * (wanted * (1 - wanted) / len(gaps)) ** 0.5)

    def test_sizes_follow_the_points(self):
        flows = self.flows(until="10s", seed=3)
        for size, share in ((10000, .15), (80000, .53), (10**6, .7), (10**7, .97)):
            found = sum(flow.size <= size for flow in flows) / len(flows)
            self.assertLess(abs(found - share),
                            4 * (share * (1 - share) / len(flows)) ** 0.5, size)

    def test_pairs_are_even_and_never_to_oneself(self):
        flows = self.flows(targets="h*", sizes="cachefollower", until="1s")
        counts = Counter((flow.source, flow.target) for flow in flows)
        mean = len(flows) / 110
        self.assertEqual(len(counts), 110)
        self.assertFalse([pair for pair in counts if pair[0] == pair[1]])
        self.assertLess(sum((count - mean) ** 2 / mean for count in counts.values()), 170)

    def test_what_the_load_is_of(self):
        """10 to 1: the receiver's link; 11 to 11: eleven; of a rate; of links."""
        def rate(**options):
            flows = self.flows(sizes="cachefollower", until="500ms", **options)
            return len(flows) * 687668 * 8 / 0.5e9 / 0.5
        for options, wanted in (({}, 10), ({"targets": "h*"}, 110),
                                ({"more": "of=20Gbps"}, 20),
                                ({"more": "of=h[1-3]-s"}, 30)):
            with self.subTest(options):
                found = rate(load_="50%", **options)
                count = wanted * 1e9 * 0.5 * 0.5 / 8 / 687668
                self.assertLess(abs(found / wanted - 1), 4 / count ** 0.5)

    def test_same_seed_same_flows(self):
        """The very draws, so that no machine, no Python ever draws others."""
        one = [(flow.start, flow.size, flow.source) for flow in self.flows()]
        self.assertEqual(one, [(flow.start, flow.size, flow.source)
                               for flow in self.flows()])
        self.assertNotEqual(one, [(flow.start, flow.size, flow.source)
                                  for flow in self.flows(seed=2)])
        self.assertEqual(one[:2], FIRST_DRAWS)


if __name__ == "__main__":
    unittest.main()
