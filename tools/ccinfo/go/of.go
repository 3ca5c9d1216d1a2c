// SPDX-License-Identifier: GPL-2.0

//go:build linux && !386

// 386 has one system call for all of sockets, which package syscall does not offer; whoever
// has the bytes from elsewhere has Read.

package ccinfo

import (
	"fmt"
	"syscall"
	"unsafe"
)

// Of asks the flow of a socket, by its file descriptor.
func Of(fd uintptr) (Info, error) {
	data := make([]byte, room)
	length := uint32(len(data))
	_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, fd, syscall.IPPROTO_TCP, TCPCCInfo,
		uintptr(unsafe.Pointer(&data[0])), uintptr(unsafe.Pointer(&length)), 0)
	if errno != 0 {
		return Info{}, fmt.Errorf("TCP_CC_INFO: %w", errno)
	}
	return Read(data[:length])
}
