#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The readers of TCP_CC_INFO in C, Python and Go read the same, and refuse the same."""

import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "ccinfo"))

import dcc_cc_info  # noqa: E402

TIMEOUT_S = 300
WHOLE = struct.pack("=2H3I", 2, 64 | 1024 | 0x8000, 137212, 120011, 3)
C_PROGRAM = r"""
#include <stdio.h>
#include "common/ctl/dcc_cc_info.h"

#define SHOW(number, name, word, help)	printf("%u=%s\n", DCC_INFO_##name, word);

int main(void)
{
	unsigned char data[DCC_CC_INFO_ROOM];
	struct dcc_cc_info info;
	size_t len = fread(data, 1, sizeof(data), stdin);

	printf("status=%d\n", dcc_cc_info_read(&info, data, len));
	printf("read=%u %u %u %u %u\n", info.layout, info.bits, info.delay_ns,
	       info.base_rtt_ns, info.priority);
	DCC_CC_INFO_BITS(SHOW)
	return 0;
}
"""


def layout(number):
    """What a flow tells in another layout."""
    return struct.pack("=H", number) + WHOLE[2:]


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "read"
        source = Path(cls.folder.name) / "read.c"
        source.write_text(C_PROGRAM)
        subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}",
                        "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o",
                        cls.program, source], check=True, timeout=TIMEOUT_S)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def in_c(self, data):
        """What the header makes of it: status, fields."""
        text = subprocess.run([self.program], input=data, capture_output=True, check=True,
                              timeout=TIMEOUT_S).stdout.decode()
        return (int(re.search("status=(.*)", text)[1]),
                [int(n) for n in re.search("read=(.*)", text)[1].split()],
                {int(bit): word for bit, word in re.findall(r"(\d+)=([\w-]+)\n", text)})

    def test_the_same_numbers(self):
        for more in (b"", bytes(4), bytes(40)):
            status, fields, _ = self.in_c(WHOLE + more)
            self.assertEqual((status, fields), (0, [2, 33856, 137212, 120011, 3]))
            self.assertEqual(dcc_cc_info.read(WHOLE + more),
                             (33856, 137212, 120011, 3))

    def test_the_same_words(self):
        bits = self.in_c(WHOLE)[2]
        self.assertEqual(dcc_cc_info.BITS, bits)

    def test_bits_without_a_name(self):
        self.assertEqual(dcc_cc_info.read(WHOLE).words(), ["sprays", "suspended"])

    def test_too_short(self):
        for size in (0, 15):
            self.assertEqual(self.in_c(WHOLE[:size])[:2], (1, [0, 0, 0, 0, 0]))
            with self.assertRaisesRegex(dcc_cc_info.NotOurs, f"^{size} bytes; allowed: 16"):
                dcc_cc_info.read(WHOLE[:size])

    def test_other_layouts(self):
        for number in (0, 1):
            self.assertEqual(self.in_c(layout(number))[:2], (2, [number, 0, 0, 0, 0]))
            with self.assertRaisesRegex(dcc_cc_info.NotOurs, f"layout {number} is dctcp's"):
                dcc_cc_info.read(layout(number))
        for number in (3, 65535):
            self.assertEqual(self.in_c(layout(number))[:2], (3, [number, 0, 0, 0, 0]))
            with self.assertRaisesRegex(dcc_cc_info.NotOurs, f"layout {number} is newer"):
                dcc_cc_info.read(layout(number))

    def test_of_a_socket(self):
        """No algorithm of ours is on this machine; the kernel is asked all the same."""
        with socket.create_server(("127.0.0.1", 0)) as server, \
                socket.create_connection(server.getsockname()) as connection:
            with self.assertRaisesRegex(dcc_cc_info.NotOurs, "allowed"):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
                dcc_cc_info.of(connection)


@unittest.skipUnless(shutil.which("go"), "no Go here (scripts/setup.sh full)")
class Go(unittest.TestCase):
    def go(self, data):
        """What the package says of the bytes, and of a flow of this machine."""
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(
                ["go", "test", "-count=1", "-v", "."], cwd=ROOT / "tools/ccinfo/go", text=True,
                env={**os.environ, "CCINFO_HEX": data.hex(), "GOCACHE": cache,
                     "GOFLAGS": "-mod=mod", "GOPROXY": "off"},
                capture_output=True, check=False, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_same_numbers_and_words(self):
        data = struct.pack("=2H3I", 2, 0xffff, 137212, 120011, 3)
        words = " ".join(dcc_cc_info.BITS.values())
        text = self.go(data)
        self.assertIn(f"read: 65535 137212 120011 3 [{words}]\n", text)
        self.assertRegex(text, "asked: .*allowed: 16 or more|asked: .*allowed: 2")

    def test_refused(self):
        self.assertIn("refused: 15 bytes; allowed: 16", self.go(WHOLE[:15]))
        self.assertIn("refused: layout 1 is dctcp's own", self.go(layout(1)))
        self.assertIn("refused: layout 3 is newer", self.go(layout(3)))


if __name__ == "__main__":
    unittest.main()
