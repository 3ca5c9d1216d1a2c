#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/mininet: the importer and the plan of routes, by topologies that answer as
mininet's Topo does. The real one: selftests/programs/run.sh mininet."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools" / "lab"), str(ROOT / "tools" / "mininet")]

import fabric_routes  # noqa: E402
import mn2lab  # noqa: E402
from lablib import scenario  # noqa: E402
from lablib.errors import LabError  # noqa: E402


class Topo:
    """Nodes and links with what they were given; parts of mininet.topo.Topo."""

    def __init__(self, hosts, switches, links, **info):
        self.names, self.inner, self.info = hosts.split(), switches.split(), info
        self.cables = [(*pair.split("-"), {**common, "port1": 1, "node1": pair.split("-")[0]})
                       for pairs, common in links for pair in pairs.split()]

    def hosts(self):
        return self.names

    def switches(self):
        return self.inner

    def links(self, sort, withInfo):
        assert sort and withInfo
        return self.cables

    def nodeInfo(self, name):
        return self.info.get(name, {})


def leafspine(**options):
    cables = "h1-l1 h2-l1 h3-l2 h4-l2", "l1-x l1-y l2-x l2-y"
    return Topo("h1 h2 h3 h4", "l1 l2 x y", [(" ".join(cables), {"bw": 10, **options})])


def fattree():
    """k=4, named by chance: aggregation switches m..., cores z..."""
    links = []
    for pod in range(4):
        for one in "12":
            links += [f"m{pod}{one}-z{one}{core}" for core in "12"]
            links += [f"t{pod}{one}-m{pod}{other}" for other in "12"]
            links += [f"h{pod}{one}{number}-t{pod}{one}" for number in "12"]
    nodes = {end for link in links for end in link.split("-")}
    of = {kind: " ".join(sorted(name for name in nodes if name[0] in kind)) for kind in ("h", "mtz")}
    return Topo(of["h"], of["mtz"], [(" ".join(links), {"bw": 100})])


def read(topo, **options):
    """The lab's reading of what the importer writes."""
    return scenario.load(mn2lab.convert(topo, "test", **options))


def link_of(loaded, name, direction="ab"):
    return loaded.network.links[name].params[direction]


class Shapes(unittest.TestCase):
    def words(self, topo):
        text = mn2lab.convert(topo, "test")
        scenario.load(text)
        return next(line.split(" overhead")[0] for line in text.splitlines()
                    if line.startswith("topology "))[len("topology "):]

    def test_each_shape_is_found(self):
        ten = {"bw": 10}
        for wanted, topo in (
                ("star hosts=3", Topo("a b c", "s", [("a-s b-s s-c", ten)])),
                ("chain hops=1", Topo("a b", "", [("a-b", ten)])),
                ("chain hops=4", Topo("a b", "s1 s2 s3", [("a-s2 s2-s1 s1-s3 s3-b", ten)])),
                ("paths n=3 hosts=1", Topo("a b", "s1 s2", [("a-s1 s1-s2 s2-s1 s1-s2 s2-b", ten)])),
                ("paths n=1 hosts=2", Topo("a b c d", "s1 s2",
                                           [("a-s1 b-s1 s1-s2 s2-c s2-d", ten)])),
                ("leafspine leaves=2 spines=2 hosts=2", leafspine()),
                ("fattree k=4", fattree())):
            with self.subTest(wanted):
                self.assertEqual(self.words(topo), wanted)

    def test_names_that_change_are_told(self):
        text = mn2lab.convert(leafspine(), "test")
        self.assertIn("# leaf1 is l1, leaf2 is l2, spine1 is x, spine2 is y", text)
        self.assertNotIn("h1 is", text)

    def test_other_shapes_are_drawn(self):
        ten = {"bw": 10}
        ring = Topo("a b c", "s1 s2 s3", [("a-s1 b-s2 c-s3 s1-s2 s2-s3 s3-s1", ten)])
        torn = Topo("h1 h2", "l1 l2 x y", [("h1-l1 h2-l2 l1-x l1-y l2-x", ten)])
        uneven = Topo("a b c", "s1 s2", [("a-s1 b-s1 s1-s2 s2-s1 s2-c", ten)])
        crossed, torn_tree, odd_tree = fattree(), fattree(), fattree()
        crossed.cables.append(("z11", "z22", {"bw": 100}))
        torn_tree.cables = [cable for cable in torn_tree.cables if cable[:2] != ("m01", "z11")]
        odd_tree.cables = [(one, "m11" if (one, two) == ("t01", "m01") else two, info)
                           for one, two, info in odd_tree.cables]
        for topo in (ring, torn, uneven, crossed, torn_tree, odd_tree):
            with self.subTest(topo.cables[0]):
                self.assertEqual(self.words(topo), "graph")
                network = read(topo).network
                self.assertEqual((network.hosts(), network.switches()),
                                 (topo.names, topo.inner))
                self.assertEqual([link.ends for link in network.links.values()],
                                 [cable[:2] for cable in topo.cables])
        text = mn2lab.convert(uneven, "test")
        self.assertIn("\nswitch s1 s2\nhost a b c\nlink a s1\nlink b s1\nlink s1 s2\n"
                      "link s2 s1 name=s2-s1.2\nlink s2 c\n", text)
        self.assertNotIn(" is ", text)

    def test_links_of_a_drawn_one_keep_what_they_were_given(self):
        topo = Topo("a b c", "s1 s2", [
            ("a-s1 b-s1 s2-c", {"bw": 10}), ("s1-s2", {"bw": 5, "delay": "3ms"}),
            ("s2-s1", {"params1": {"bw": 3}, "params2": {"bw": 4}})])
        loaded = read(topo)
        self.assertEqual(link_of(loaded, "s1-s2")["delay"], 3 * 10**6)
        self.assertEqual([link_of(loaded, "s2-s1.2", way)["rate"] for way in ("ab", "ba")],
                         [3 * 10**6, 4 * 10**6])
        self.assertEqual(link_of(loaded, "a-s1")["buffer"], 1000 * 1514)

    def test_what_is_no_network_is_refused(self):
        ten = {"bw": 10}
        for topo, said in (
                (Topo("a b", "s1 s2", [("a-s1 a-s2 b-s1 s1-s2", ten)]),
                 "host a has 2 links; allowed: 1"),
                (Topo("a b c", "s1 s2", [("a-s1 b-s1 c-s2", ten)]),
                 "there is no way from 'a' to 's2'"),
                (Topo("a b:1 c", "s1 s2", [("a-s1 b:1-s1 s1-s2 c-s2", ten)]),
                 "'b:1' is no name; allowed: a letter")):
            with self.subTest(said):
                with self.assertRaisesRegex(LabError, said):
                    mn2lab.convert(topo, "test")


class Links(unittest.TestCase):
    def test_options_arrive(self):
        params = link_of(read(leafspine(delay="2ms", loss=1, max_queue_size=50)), "leaf1-spine2")
        self.assertEqual((params["rate"], params["delay"], params["loss"], params["buffer"]),
                         (10**7, 2 * 10**6, (0.01, 1), 50 * 1514))

    def test_tc_times(self):
        for text, ns in (("5ms", 5 * 10**6), ("1.5ms", 1500000), ("20us", 20000), ("7", 7000),
                         (7, 7000), ("1sec", 10**9), ("3msecs", 3 * 10**6)):
            with self.subTest(text):
                self.assertEqual(link_of(read(leafspine(delay=text)), "h1-leaf1")["delay"], ns)

    def test_jitter_is_early_and_late(self):
        params = link_of(read(leafspine(delay="5ms", jitter="1ms")), "h1-leaf1")
        self.assertEqual((params["delay"], params["noise"]),
                         (4 * 10**6, ("uniform", 2 * 10**6, 1)))

    def test_each_end_has_its_own(self):
        topo = Topo("a b", "s", [("a-s", {"params1": {"bw": 3}, "params2": {"bw": 4}}),
                                 ("b-s", {"bw": 5, "params1": {"bw": 9}})])
        loaded = read(topo)
        self.assertEqual([link_of(loaded, "h1-s", way)["rate"] for way in ("ab", "ba")],
                         [3 * 10**6, 4 * 10**6])
        # mininet lets what is said of the link win
        self.assertEqual(link_of(loaded, "h2-s")["rate"], 5 * 10**6)

    def test_ends_are_the_topologys_not_the_labs(self):
        topo = Topo("a b", "s", [("s-a", {"params1": {"bw": 3}, "params2": {"bw": 4}}),
                                 ("b-s", {"bw": 5})])
        loaded = read(topo)
        self.assertEqual([link_of(loaded, "h1-s", way)["rate"] for way in ("ab", "ba")],
                         [4 * 10**6, 3 * 10**6])

    def test_red_of_mininet_where_it_is_asked_for(self):
        topo = Topo("a b", "s", [("a-s", {"bw": 10, "enable_ecn": True}), ("b-s", {"bw": 10})])
        loaded = read(topo)
        self.assertEqual(link_of(loaded, "h1-s")["red"], (30000, 35000, 1.0))
        self.assertFalse(link_of(loaded, "h2-s").get("red"))

    def test_a_rate_for_links_without(self):
        topo = Topo("a b", "s", [("a-s", {}), ("b-s", {"bw": 10})])
        self.assertEqual(link_of(read(topo, rate="40Gbps"), "h1-s")["rate"], 4 * 10**10)
        with self.assertRaisesRegex(LabError, "link a-s: no bw; allowed: bw in Mbit/s, or --rate"):
            mn2lab.convert(topo, "test")

    def test_what_cannot_be_said_is_named_with_value_and_what_is_allowed(self):
        for option, said in (
                ({"bw": 0}, "link h1-l1: bw=0 cannot be expressed; allowed: a number above 0"),
                ({"bw": "10m"}, "bw='10m' cannot be expressed"),
                ({"delay": "5parsec"}, "delay='5parsec' cannot be expressed; allowed: a time"),
                ({"delay": "1ms", "jitter": "2ms"}, "jitter='2ms' .* up to the delay, 1ms"),
                ({"loss": 101}, "loss=101 cannot be expressed; allowed: 0 to 100"),
                ({"loss": .01234}, "loss=0.01234 cannot .* in steps of 0.0001"),
                ({"max_queue_size": 0}, "max_queue_size=0 .* a whole number of packets"),
                ({"max_queue_size": 1.5}, "max_queue_size=1.5 .* a whole number of packets"),
                ({"use_tbf": True}, "use_tbf=True .* allowed: max_queue_size"),
                ({"enable_red": True}, "enable_red=True .* allowed: enable_ecn"),
                ({"speedup": 4}, "the option 'speedup' is unknown; allowed: bw, delay"),
                ({"dealy": "1ms"}, "'dealy' is unknown; did you mean 'delay'")):
            with self.subTest(option):
                with self.assertRaisesRegex(LabError, said):
                    mn2lab.convert(leafspine(**option), "test")


# Found first, it is mininet where there is one, too.
NO_MININET = "raise ModuleNotFoundError(\"No module named 'mininet'\", name='mininet')\n"
TOPO = """class Topo:
    def __init__(self, bw=10): self.bw = bw
    def hosts(self): return ["a", "b"]
    def switches(self): return ["s"]
    def links(self, sort, withInfo): return [(h, "s", {"bw": self.bw}) for h in self.hosts()]
    def nodeInfo(self, name): return {}
topos = {"my": Topo, "none": lambda: None, "bad": lambda: 1 / 0}
"""


class Command(unittest.TestCase):
    """The commands, without mininet: one line says what is wrong."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "t.py"
        (self.file.parent / "mininet.py").write_text(NO_MININET)

    def call(self, program, *words):
        return subprocess.run([sys.executable, ROOT / "tools/mininet" / program, *words],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(self.file.parent)})

    def refused(self, said, content, name="my", *words):
        self.file.write_bytes(content if isinstance(content, bytes) else content.encode())
        done = self.call("mn2lab.py", str(self.file), name, *words)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"^mn2lab: {said}[^\n]*\n$")

    def test_arguments_are_the_scenarios(self):
        self.file.write_text(TOPO)
        done = self.call("mn2lab.py", str(self.file), "my", "--size", "2MB", "--cc", "cubic")
        self.assertIn("workload permutation size=2MB cc=$cc\n", done.stdout)
        for option, value, said in (
                ("--size", "1XB", "'1XB' has the unit 'XB'; allowed: a number with B, KB, MB"),
                ("--size", "0", "'0' is no size; allowed: 1B or more"),
                ("--cc", "bogus", "the algorithm 'bogus' is unknown; allowed: bbr, .*mswift"),
                ("--cc", "mswfit", "the algorithm 'mswfit' is unknown; did you mean 'mswift'"),
                ("--rate", "0", "'0' is out of range; allowed: 1bps"),
                ("--rate", "", "'' is not a rate; allowed: ")):
            with self.subTest(f"{option} {value}"):
                self.refused(f"{option}: {said}", TOPO, "my", option, value)

    def test_files_that_are_no_topology(self):
        for content, name, said in (
                ("from mininet.topo import Topo\n", "my", "the Python package 'mininet' is missing"
                 " for /[^;]*; on Debian: apt-get install .*mininet"),
                ("import nonesuch\n", "my", "the Python package 'nonesuch' is missing"),
                ("\ndef x(:\n", "my", "SyntaxError: "), (bytes(range(256)), "my", "SyntaxError: "),
                ("", "my", "no dictionary 'topos'"), ("topos = 3\n", "my", "no dictionary 'topos'"),
                ("\nraise ValueError('so')\n", "my", "ValueError: so"),
                (TOPO, "none", "the topology 'none' is no Topo"),
                (TOPO, "bad", "ZeroDivisionError: "),
                (TOPO, "my,speed=3", "TypeError: .*'speed'")):
            with self.subTest(said):
                self.refused(rf"{self.file}:[ :0-9]*{said}", content, name)

    def test_speeds_that_are_none(self):
        for bw in ("x", "1e-12", "nan", "inf"):
            with self.subTest(bw):
                self.refused("link a-s: bw=.* allowed: a number above 0", TOPO, f"my,bw={bw}")

    def test_the_example(self):
        done = self.call("leafspine.py")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^leafspine: the Python package 'mininet' is missing for"
                         r" /[^;]*; on Debian: apt-get install [^\n]*mininet, which [^\n]*\n$")
        for option, value, said in (("spines", "0", "from 1 to 1000"), ("hosts", "x", "from 1"),
                                    ("mbps", "nan", "more than 0, up to 1000"),
                                    ("size", "-1", "from 1 to"), ("cc", "a,,b", "like mswift")):
            with self.subTest(option):
                done = self.call("leafspine.py", f"--{option}={value}")
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"argument --{option}: '{value}' is not allowed", done.stderr)
                self.assertIn(said, done.stderr)


class Hosts(unittest.TestCase):
    def test_algorithms_and_knobs_of_hosts(self):
        topo = leafspine()
        topo.info["h2"] = {"cc": "nscc", "spray": "reps", "knobs": {"spray_paths": 128},
                           "sysctls": {"net.ipv4.tcp_ecn": 1}, "ip": "10.0.0.7"}
        text = mn2lab.convert(topo, "test")
        for line in ("host h2 route congctl=nscc", "host h2 knob nscc.spray=reps",
                     "host h2 knob nscc.spray_paths=128", "host h2 sysctl net.ipv4.tcp_ecn=1"):
            self.assertIn(line + "\n", text)
        scenario.load(text)

    def test_what_would_be_lost_is_refused(self):
        for node, info, options, said in (
                ("h2", {"spray": "reps"}, {}, "host h2: knobs spray without cc"),
                ("h2", {"cc": "nscc"}, {"cc": "cubic"}, "--cc: 'cubic' beside hosts that say cc="),
                ("h2", {"queue": 0}, {}, "queue=0 cannot be expressed"),
                ("l1", {"hash_policy": 1}, {}, "switch l1: hash_policy=1 cannot"),
                ("l1", {"sysctls": {"a": 1}}, {}, "switch l1: sysctls=")):
            topo = leafspine()
            topo.info[node] = info
            with self.subTest(info), self.assertRaisesRegex(LabError, said):
                mn2lab.convert(topo, "test", **options)

    def test_targets_of_slow_links(self):
        """As DccHost has them, and no more than the knobs take: ten packets, or queue=."""
        topo = leafspine(bw=10)
        topo.info["h2"] = {"cc": "nscc", "queue": 50}
        text = mn2lab.convert(topo, "test")
        self.assertIn("host * knob nscc.target_qdelay_ns=12000000\n", text)
        self.assertIn("host h2 knob nscc.target_qdelay_ns=60000000\n", text)
        scenario.load(text)
        loaded = read(leafspine(bw=.1), cc="ledbat")
        self.assertIn("ledbat.target_qdelay_us=100000", loaded.text)
        self.assertIn("mswift.target_qdelay_us=1000000", loaded.text)

    def test_numbers_and_titles_as_the_lab_reads_them(self):
        text = mn2lab.convert(leafspine(bw=100.12345, loss=0.0123), "a$b#c.py my")
        self.assertIn("100.12345Mbps", text)
        self.assertIn("loss=0.0123%", text)
        self.assertEqual(scenario.load(text).title, "abc.py my")

    def test_without_them_the_algorithm_is_a_variable(self):
        loaded = read(leafspine(), cc="cubic")
        self.assertEqual({flow.keys["cc"] for flow in loaded.flows}, {"cubic"})
        self.assertNotIn("spray=", loaded.text)
        self.assertIn("mswift.spray=oblivious", read(leafspine()).text)

    def test_a_share_of_a_processor_is_refused(self):
        topo = leafspine()
        topo.info["h2"] = {"cpu": 0.5}
        with self.assertRaisesRegex(LabError, "host h2: cpu=0.5 .* no processor of their own"):
            mn2lab.convert(topo, "test")


class Routes(unittest.TestCase):
    #   h1 - s1 = s2 - h2      two links between the routers, one way over s3
    #          \- s3 -/
    LINKS = [("h1", "h1-eth0", "s1", "s1-eth1"), ("s1", "s1-eth2", "s2", "s2-eth1"),
             ("s1", "s1-eth3", "s2", "s2-eth2"), ("s2", "s2-eth3", "h2", "h2-eth0"),
             ("s1", "s1-eth4", "s3", "s3-eth1"), ("s3", "s3-eth2", "s2", "s2-eth4")]
    HOSTS = {"h1": "10.0.0.1", "h2": "10.0.0.2"}

    def plan(self):
        return fabric_routes.plan(self.LINKS, self.HOSTS, ["s1", "s2", "s3"])

    def test_all_shortest_ways_and_no_other(self):
        plan = self.plan()
        self.assertIn("route add fd00:0:0:2::/64 nexthop via fe80::2 dev s1-eth2"
                      " nexthop via fe80::2 dev s1-eth3", plan["s1"].six)
        self.assertIn("route add fd00:0:0:1::/64 nexthop via fe80::1 dev s3-eth1",
                      plan["s3"].six)
        self.assertIn("route add 10.0.0.2/32 nexthop via inet6 fe80::2 dev s1-eth2"
                      " nexthop via inet6 fe80::2 dev s1-eth3", plan["s1"].four)
        self.assertIn("route add 10.0.0.1/32 dev s1-eth1", plan["s1"].four)

    def test_hosts_and_their_routers_share_a_prefix(self):
        plan = self.plan()
        self.assertEqual(plan["h2"].six, ["addr add fd00:0:0:2::1/64 dev h2-eth0 nodad",
                                          "route add default via fe80::2 dev h2-eth0"])
        self.assertIn("addr add fd00:0:0:2::fe/64 dev s2-eth3 nodad", plan["s2"].six)
        self.assertEqual([line for line in plan["s2"].six if "fd00:0:0:2::/64" in line], [])

    def test_a_host_has_one_link_and_a_router_behind_it(self):
        for links, said in (
                (self.LINKS + [("h1", "h1-eth1", "s2", "s2-eth9")],
                 "host h1 has 2 links; allowed: 1"),
                (self.LINKS[1:], "host h1 has 0 links; allowed: 1"),
                ([("h1", "h1-eth0", "h2", "h2-eth0")], "host h1 is linked to h2")):
            with self.subTest(said):
                with self.assertRaisesRegex(fabric_routes.FabricError, said):
                    fabric_routes.plan(links, self.HOSTS, ["s1", "s2", "s3"])


if __name__ == "__main__":
    unittest.main()
