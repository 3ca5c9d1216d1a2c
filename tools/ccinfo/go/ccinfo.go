// SPDX-License-Identifier: GPL-2.0

// Package ccinfo reads what a flow tells by getsockopt(TCP_CC_INFO):
// common/ctl/dcc_cc_info.h for Go.
//
//	info, err := ccinfo.Of(fd)
//
// It needs the standard library alone. Numbers keep their meaning as long as the
// layout is the same; another one is refused.
package ccinfo

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

const (
	// Layout is the one that this package reads.
	Layout = 2
	// TCPCCInfo is TCP_CC_INFO of linux/tcp.h.
	TCPCCInfo = 26

	size = 16
	room = 64 // union tcp_cc_info has 20 bytes, and may grow
)

// Word is a bit and what people call it.
type Word struct {
	Bit  uint16
	Name string
}

// Words are all bits of the layout.
var Words = []Word{
	{1, "no-memory"}, {2, "ipv4"}, {4, "label-off"}, {8, "label-owned"},
	{16, "no-line-rate"}, {32, "overrun"}, {64, "sprays"}, {128, "no-ecn"},
	{256, "ipsec"}, {512, "not-wrapped"}, {1024, "suspended"}, {2048, "no-probes"},
	{4096, "auto-instead"}, {8192, "one-flow"},
}

// Info is what a flow told. DelayNs: what the algorithm acted on last, 0: its last ACK
// told none; BaseRTTNs: 0: unknown; Priority: from 1, 0: the algorithm has none.
type Info struct {
	Bits      uint16
	DelayNs   uint32
	BaseRTTNs uint32
	Priority  uint32
}

// Words has the bits by name; one that is not known here is left out.
func (i Info) Words() []string {
	var names []string
	for _, w := range Words {
		if i.Bits&w.Bit != 0 {
			names = append(names, w.Name)
		}
	}
	return names
}

// The kernel tells in the order of the machine.
func order() binary.ByteOrder {
	one := uint16(1)
	if *(*byte)(unsafe.Pointer(&one)) == 1 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// Read takes what a flow told.
func Read(data []byte) (Info, error) {
	if len(data) < size {
		return Info{}, fmt.Errorf("%d bytes; allowed: %d or more, of an algorithm of tcp_dcc",
			len(data), size)
	}
	o := order()
	layout := o.Uint16(data)
	if layout < Layout {
		return Info{}, fmt.Errorf("layout %d is dctcp's own; allowed: %d", layout, Layout)
	}
	if layout > Layout {
		return Info{}, fmt.Errorf("layout %d is newer than this reader; allowed: %d",
			layout, Layout)
	}
	return Info{o.Uint16(data[2:]), o.Uint32(data[4:]), o.Uint32(data[8:]),
		o.Uint32(data[12:])}, nil
}
