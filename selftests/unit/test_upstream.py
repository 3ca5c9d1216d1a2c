#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/upstream.py: a series that applies, with nothing in it of its old place."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIGNOFF = "Ann Other <ann@example.org>"
NEEDED = "git perl python3 make gcc rsync flex bison bc tar xz".split()

spec = importlib.util.spec_from_file_location("upstream", ROOT / "scripts/upstream.py")
upstream = importlib.util.module_from_spec(spec)
sys.modules["upstream"] = upstream
spec.loader.exec_module(upstream)

# As much of a kernel as the series touches; its unifdef is the real one's stand-in.
KERNEL = {
    "MAINTAINERS": "Maintainers List\n\nARM/ZZZ\nM:\tA\n\nLPC SUPPORT\nM:\tA\n\n"
                   "DATA ACCESS MONITOR\nM:\tB\n\nDAVICOM\nM:\tC\n\nZORRO\nM:\tD\n",
    "Documentation/networking/index.rst": "   dccp\n   dctcp\n   zz\n",
    "net/ipv4/Kconfig": 'if TCP_CONG_ADVANCED\nchoice\n\tprompt "Default TCP congestion control"\n'
                        "endchoice\nendif\n",
    "net/ipv4/Makefile": "obj-$(CONFIG_TCP_CONG_CUBIC) += tcp_cubic.o\n"
                         "obj-$(CONFIG_TCP_CONG_DCTCP) += tcp_dctcp.o\n",
    "tools/testing/selftests/net/packetdrill/Makefile":
        "TEST_INCLUDES := ksft_runner.sh \\\n\t\t ../../kselftest/ktap_helpers.sh\n",
    "tools/testing/selftests/net/packetdrill/config": "CONFIG_IPV6=y\nCONFIG_TUN=y\n",
    "include/net/inet_sock.h": "",
    "include/net/net_namespace.h": "register_net_sysctl_sz\n",
    "include/linux/module.h": "",
    "include/linux/sysctl.h": "",
    "include/linux/tcp.h": "",
    "net/ipv4/tcp_input.c": "static bool tcp_check_dsack(struct sock *sk)\n{\n"
                            "\tdup_segs = tcp_dsack_seen(tp, a, b, state);\n}\n",
    "net/ipv4/tcp_output.c":
        "\t * not in loss recovery, that are either limited by cwnd or application.\n"
        "\t     icsk->icsk_ca_state != TCP_CA_CWR))\n\n\t\tif (tp->packets_out == 1)\n\t\t\tx();\n"
        "/* When probe timeout (PTO) fires, try send a new segment if possible, else\n */\n"
        "\ttp->tlp_retrans = 0;\n\tskb = tcp_send_head(sk);\n\tif (rearm_timer)\n\t\tx();\n",
}
TCP = ("\t/* get info for inet_diag (optional) */\n"
       '/* This determines how many packets are "in the network" to the best\n */\n')
OLD_TCP = "\tvoid (*cong_control)(struct sock *sk, const struct rate_sample *rs);\n"
NEW_TCP = ("\tvoid (*cong_control)(struct sock *sk, u32 ack, int flag, const struct rate_sample"
           " *rs);\n\tvoid (*cwnd_event_tx_start)(struct sock *sk);\n")
# As unifdef does it, for #ifdef NAME alone: what is known goes, the rest stays.
UNIFDEF = r"""
#include <stdio.h>
#include <string.h>
static int known(int argc, char **argv, const char *name)
{
	for (int i = 2; i < argc - 1; i++)
		if (!strcmp(argv[i] + 2, name))
			return argv[i][1] == 'D' ? 1 : -1;
	return 0;
}
int main(int argc, char **argv)
{
	char line[4096], word[4096], name[4096];
	int state[64] = { 0 }, depth = 0, off = 0;
	FILE *in = fopen(argv[argc - 1], "r");

	while (fgets(line, sizeof(line), in)) {
		word[0] = name[0] = 0;
		sscanf(line, "%s %s", word, name);
		if (!strncmp(word, "#if", 3)) {
			int k = strcmp(word, "#if") ? known(argc, argv, name) : 0;
			state[++depth] = !strcmp(word, "#ifndef") ? -k : k;
			off += state[depth] < 0;
			if (state[depth])
				continue;
		} else if (!strcmp(word, "#else") && state[depth]) {
			off += state[depth] > 0 ? 1 : -1;
			state[depth] = -state[depth];
			continue;
		} else if (!strcmp(word, "#endif")) {
			int s = state[depth--];
			off -= s < 0;
			if (s)
				continue;
		}
		if (!off)
			fputs(line, stdout);
	}
	return 1;
}
"""


def git(folder, *argv):
    """What git says there, whoever runs the test."""
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *argv],
                          cwd=folder, check=True, capture_output=True, text=True).stdout


STEPS = len(upstream.read_series(upstream.TEXTS / "series"))


class Series(unittest.TestCase):
    """Against two small kernels, an old one and a new one."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = {}
        for name, tcp in (("old", OLD_TCP), ("new", NEW_TCP)):
            tree = Path(cls.folder.name) / name
            for path, text in {**KERNEL, "include/net/tcp.h": tcp + TCP,
                               "scripts/unifdef.c": UNIFDEF}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(text)
            out = Path(cls.folder.name) / f"{name}-patches"
            upstream.make_series(tree, out, SIGNOFF)
            git(tree, "init", "-q")
            git(tree, "add", "-A")
            git(tree, "commit", "-q", "-m", "base")
            cls.made[name] = (tree, sorted(out.glob("*.patch")))
            git(tree, "am", "-q", *map(str, cls.made[name][1][1:]))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def text(self, kernel, name):
        """A file as the series leaves it."""
        return (self.made[kernel][0] / name).read_text()

    def test_at_most_15_signed_patches_and_a_letter(self):
        patches = self.made["new"][1]
        self.assertLessEqual(len(patches) - 1, 15)
        self.assertNotIn("***", patches[0].read_text())
        for patch in patches[1:]:
            self.assertIn(f"Signed-off-by: {SIGNOFF}", patch.read_text())
            self.assertRegex(patch.name, r"^\d{4}-[a-zA-Z]")

    def test_lines_of_messages_fit(self):
        for step in upstream.read_series(upstream.TEXTS / "series"):
            self.assertLessEqual(len(step.subject), 75)
            self.assertLessEqual(max(map(len, step.body)), 75, step.subject)
            self.assertGreater(len(" ".join(step.body)), 80, step.subject)

    def test_the_tree_given_is_not_changed_by_making_it(self):
        tree = self.made["new"][0]
        self.assertEqual(git(tree, "show", f"HEAD~{STEPS}:MAINTAINERS"), KERNEL["MAINTAINERS"])
        self.assertEqual(git(tree, "status", "--porcelain"), "")

    def test_every_source_is_there_and_nothing_of_its_old_place(self):
        for kernel in self.made:
            place = self.made[kernel][0] / "net/ipv4/dcc"
            sources = {path.name.replace("compat", "stack") for folder in upstream.folders()
                       for path in (ROOT / folder).rglob("*.[ch]") if ".mod." not in path.name}
            self.assertEqual({path.name for path in place.glob("*.[ch]")}, sources)
            for path in place.iterdir():
                found = re.search(r"DCC_HAVE_|common/|dcc_compat|__KERNEL__|DCC_VERSION|DCC_AUTHOR"
                                  r"|MODULE_VERSION|\.md\b|dkms|DCC_CTL_TABLE|DCC_CONG_CONTROL",
                                  path.read_text())
                self.assertIsNone(found, f"{path.name}: {found and found[0]}")

    def test_probes_are_resolved_for_the_tree(self):
        old, new = ("".join(self.text(kernel, f"net/ipv4/dcc/{name}.h")
                            for name in ("dcc", "dcc_alg")) for kernel in ("old", "new"))
        self.assertIn("\nvoid dcc_cong_control(struct sock *sk, const struct rate_sample *rs);\n", old)
        self.assertIn("\nvoid dcc_cong_control(struct sock *sk, u32 ack, int flag, "
                      "const struct rate_sample *rs);\n", new)
        self.assertNotIn(".cwnd_event_tx_start", old)
        self.assertIn(".cwnd_event_tx_start = dcc_cwnd_event_tx_start", new)

    def test_a_macro_within_a_macro_keeps_its_line_ends(self):
        inside = self.text("new", "net/ipv4/dcc/dcc.h").partition("#define DCC_OPS(")[2]
        lines = inside.partition("\n}\n")[0].split("\n")
        self.assertTrue(all(line.endswith("\\") for line in lines), lines)

    def test_kernel_files_get_their_lines(self):
        self.assertRegex(self.text("new", "MAINTAINERS"),
                         r"M:\tB\n\nDATACENTER TCP [^\n]*\nM:\tAnn Other <ann@example.org>\n"
                         r"(.+\n)+\nDAVICOM\n")
        self.assertRegex(self.text("new", "net/ipv4/Kconfig"),
                         r'source "net/ipv4/dcc/Kconfig"\n\nchoice')
        self.assertIn("+= dcc/\nobj-$(CONFIG_TCP_CONG_DCTCP)", self.text("new", "net/ipv4/Makefile"))
        self.assertIn("   dcc\n   dctcp\n", self.text("new", "Documentation/networking/index.rst"))

    def test_documentation_has_its_tables(self):
        page = self.text("new", "Documentation/networking/dcc.rst")
        self.assertNotIn("@TABLE", page)
        self.assertIn("   * - ``spray``\n     - word\n", page)

    def test_the_stack_asks_and_the_modules_write_nothing_of_its_counts(self):
        for kernel in ("old", "new"):
            self.assertIn("\tif (tcp_ca_owns_dsack(sk, start_seq_0, end_seq_0)) {\n"
                          "\t\tstate->flag |= FLAG_DSACKING_ACK;\n\t\treturn true;\n\t}\n"
                          "\tdup_segs", self.text(kernel, "net/ipv4/tcp_input.c"))
            self.assertIn("\n}\n\n/* When probe timeout", self.text(kernel, "net/ipv4/tcp_output.c"))
            self.assertIn(".owns_dsack = dcc_owns_dsack,", self.text(kernel, "net/ipv4/dcc/dcc.h"))
            for name in ("dcc_dsack", "dcc_tlp"):
                self.assertEqual(written(self.text(kernel, f"net/ipv4/dcc/{name}.c"))
                                 - {"snd_cwnd", "pacing_timer"}, set())

    def test_makefile_grows_with_the_sources(self):
        tree = self.made["new"][0]
        for back, objects in ((STEPS - 1, ["dcc_main", "dcc_knob", "dcc_wide"]),):
            text = git(tree, "show", f"HEAD~{back}:net/ipv4/dcc/Makefile")
            self.assertEqual(sorted(re.findall(r"(dcc_\w+)\.o$", text, re.MULTILINE)),
                             sorted(objects))
        last = self.text("new", "net/ipv4/dcc/Makefile")
        for folder in upstream.folders():
            for name in upstream.objects(folder)[1]:
                self.assertIn(f" {Path(name).name}\n", last)
            self.assertIn(f"config {upstream.symbol(folder)}\n",
                          self.text("new", "net/ipv4/dcc/Kconfig"))


# Of a socket or of a packet in TCP's queue; what a congestion control has for its own
OF_TCP = r"(?:tp|sk|icsk|(?:tcp_sk|inet_csk|TCP_SKB_CB)\(\w+\))->"
OWN = {"snd_ssthresh", "sk_pacing_rate", "sk_max_pacing_rate"}


def written(text):
    """Fields of the stack's that a file of C writes."""
    found = re.findall(OF_TCP + r"([\w.]+) (?:[-+|&]?=) ", text)
    found += re.findall(OF_TCP + r"([\w.]+)(?:\+\+|--);", text)
    found += re.findall(r"\b(?:WRITE_ONCE|cmpxchg)\(&?" + OF_TCP + r"([\w.]+),", text)
    if re.search(r"\bhrtimer_(?:start|try_to_cancel)\(", text):
        found.append("pacing_timer")
    return set(found) - OWN


class Objections(unittest.TestCase):
    def test_every_foreign_field_is_named_where_it_is_written(self):
        text = " ".join((ROOT / "packaging/upstream/objections.md").read_text().split())
        rows = re.findall(r"- ([a-z_., ]+) \((dcc_\w+\.[ch](?:, dcc_\w+\.[ch])*)\):", text)
        told = {}
        for fields, files in rows:
            for name in files.split(", "):
                told.setdefault(name, set()).update(fields.split(", "))
        found = {path.name: written(path.read_text()) for path in (ROOT / "common").rglob("*.[ch]")}
        for name, fields in found.items():
            with self.subTest(name):
                self.assertLessEqual(fields, told.get(name, set()))
        for fields, files in rows:
            together = set().union(*(found[name] for name in files.split(", ")))
            self.assertEqual(set(fields.split(", ")) - together, set())

    def test_what_is_a_write(self):
        text = "\ttp->a = 1;\n\tWRITE_ONCE(sk->b, 2);\n\ttcp_sk(sk)->c |= 4;\n" \
            "\tTCP_SKB_CB(skb)->d &= ~X;\n\tif (tp->e == 1)\n\ttp->f.g++;\n\tcmpxchg(&sk->h, 0, 1);"
        self.assertEqual(written(text), {"a", "b", "c", "d", "f.g", "h"})


class Refusals(unittest.TestCase):
    """What cannot be made is said."""

    def run_script(self, *argv):
        return subprocess.run([ROOT / "scripts/upstream.py", *argv], capture_output=True,
                              text=True, check=False)

    def test_no_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("--tree", folder, "--out", f"{folder}/out",
                                   "--signoff", SIGNOFF)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is no kernel source: MAINTAINERS is not there", done.stderr)

    def test_a_signature_without_a_mail_address(self):
        done = self.run_script("--tree", "/", "--out", "/none", "--signoff", "Ann")
        self.assertIn("signed off by 'Ann'; allowed: --signoff 'NAME <MAIL>'", done.stderr)

    def test_a_folder_with_something_else_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "thesis.txt").write_text("mine")
            with self.assertRaisesRegex(upstream.Refused, "something else than patches"):
                upstream.empty_of_patches(Path(folder))
            self.assertTrue((Path(folder) / "thesis.txt").exists())

    def test_a_kernel_that_an_edit_does_not_know(self):
        edit = upstream.read_edits(upstream.TEXTS / "dsack.edit")[-1]
        for text, count in (("", 0), (2 * KERNEL["net/ipv4/tcp_input.c"], 2)):
            with self.assertRaisesRegex(upstream.Refused, f"tcp_input.c has {count} lines like"):
                edit.of(text)

    def test_a_source_that_no_patch_has(self):
        steps = upstream.read_series(upstream.TEXTS / "series")
        steps[1].add.remove("common/math/dcc_lsq.c")
        with self.assertRaisesRegex(upstream.Refused, r"math/dcc_lsq\.c is in 0 patches"):
            upstream.require_complete(steps)
        steps[1].add += ["common/math/dcc_lsq.c", "common/path/dcc_ring.c", "common/none.c"]
        with self.assertRaisesRegex(upstream.Refused, r"none\.c is in 1 patches, and does not exist"
                                    r"|dcc_ring\.c is in 2 patches"):
            upstream.require_complete(steps)

    def test_the_shell_script_names_what_it_does_not_know(self):
        for argv, text in ((["--nope"], "option '--nope' is not known; allowed: --out"),
                           (["--arch", "vax"], "architecture 'vax' is not known; allowed: x86_64"),
                           (["/nowhere"], "'/nowhere' does not exist; allowed: a kernel's source")):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([ROOT / "scripts/upstream.sh", "--out", folder, *argv],
                                      capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(text, done.stderr)


class Script(unittest.TestCase):
    """upstream.sh with a tree of one's own."""

    @unittest.skipIf(any(shutil.which(name) is None for name in NEEDED), f"takes {NEEDED}")
    def test_a_folder_and_a_tarball_as_tree(self):
        """The same series of both; the folder, a repository, stays as it is."""
        with tempfile.TemporaryDirectory(prefix="with a blank ") as folder:
            tree = Path(folder) / "my kernel"
            for path, text in {**KERNEL, "include/net/tcp.h": NEW_TCP + TCP,
                               "scripts/unifdef.c": UNIFDEF}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(text)
            git(tree, "init", "-q")
            git(tree, "add", "-A")
            git(tree, "commit", "-q", "-m", "mine")
            tarball = Path(folder) / "kernel.tar.xz"
            subprocess.run(["tar", "-C", folder, "--exclude=.git", "-cJf", tarball, tree.name],
                           check=True)
            made = [self.patches_of(source, Path(folder)) for source in (tree, tarball, tree)]
            self.assertEqual(made[0], made[1])
            self.assertEqual(made[0], made[2], "a second time")
            self.assertEqual(git(tree, "status", "--porcelain"), "")
            self.assertEqual(git(tree, "rev-list", "--count", "HEAD").strip(), "1")

    def patches_of(self, source, folder):
        """Names and changes of what it makes."""
        out = folder / "out"
        done = subprocess.run(
            [ROOT / "scripts/upstream.sh", "--series", "--signoff", SIGNOFF, "--out", out, source],
            env={**os.environ, "LAB_CACHE": str(folder / "cache")}, capture_output=True,
            text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("What a maintainer would still object to", done.stdout)
        return {path.name: re.sub(r"^(From|Date:|base-commit:).*$", "", path.read_text(),
                                  flags=re.MULTILINE) for path in out.glob("patches/*.patch")}

    def test_what_is_no_tree_is_refused(self):
        done = subprocess.run([ROOT / "scripts/upstream.sh", "--series", "/nonexistent"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("'/nonexistent' does not exist; allowed: a kernel's source", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
