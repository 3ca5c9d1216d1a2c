/* SPDX-License-Identifier: GPL-2.0 */
/* Streams of bytes that show by themselves whether they arrived as sent. */
#ifndef DEBUG_STREAM_H
#define DEBUG_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* All of it, or -1 with errno (EPIPE: the other side ended early). */
int write_all(int fd, const void *data, size_t n);
int read_all(int fd, void *data, size_t n);

/* The stream of a seed, in writes of random sizes. 0 or -1. */
int send_stream(int fd, uint64_t seed, uint64_t bytes);
/* 0: as sent, 1: not as sent, -1: did not arrive. */
int read_stream(int fd, uint64_t seed, uint64_t bytes);

#endif
