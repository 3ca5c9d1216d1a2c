// SPDX-License-Identifier: GPL-2.0

package ccinfo

import (
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"testing"
)

// TestGiven reads what the environment has, for selftests/unit/test_ccinfo.py.
func TestGiven(t *testing.T) {
	data, err := hex.DecodeString(os.Getenv("CCINFO_HEX"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := Read(data)
	if err != nil {
		fmt.Println("refused:", err)
		return
	}
	fmt.Println("read:", info.Bits, info.DelayNs, info.BaseRTTNs, info.Priority,
		info.Words())
}

// TestAsks asks a flow of the machine's default algorithm, which is not ours.
func TestAsks(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	raw, err := connection.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		info, err := Of(fd)
		fmt.Println("asked:", info, err)
	})
	if err != nil {
		t.Fatal(err)
	}
}
