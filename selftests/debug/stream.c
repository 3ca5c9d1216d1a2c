// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "stream.h"
#include "util.h"

#define CHUNK 16384

/* Byte pos of a stream is byte pos % 8 of the mixed (seed + pos / 8). */
static void fill(uint64_t seed, uint64_t pos, uint8_t *p, size_t n)
{
	while (n) {
		uint64_t word = mix64(seed + pos / 8);
		size_t from = pos % 8, k = 8 - from < n ? 8 - from : n;

		memcpy(p, (uint8_t *)&word + from, k);
		p += k;
		pos += k;
		n -= k;
	}
}

int write_all(int fd, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n) {
		ssize_t k = send(fd, p, n, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		p += k;
		n -= k;
	}
	return 0;
}

int read_all(int fd, void *data, size_t n)
{
	uint8_t *p = data;

	while (n) {
		ssize_t k = recv(fd, p, n, 0);

		if (k < 0 && errno == EINTR)
			continue;
		if (k == 0)
			errno = EPIPE;
		if (k <= 0)
			return -1;
		p += k;
		n -= k;
	}
	return 0;
}

int send_stream(int fd, uint64_t seed, uint64_t bytes)
{
	uint8_t buffer[CHUNK];
	uint64_t pos = 0;

	while (pos < bytes) {
		size_t n = 1 + random64() % CHUNK;

		if (n > bytes - pos)
			n = bytes - pos;
		fill(seed, pos, buffer, n);
		if (write_all(fd, buffer, n))
			return -1;
		pos += n;
	}
	return 0;
}

int read_stream(int fd, uint64_t seed, uint64_t bytes)
{
	uint8_t got[CHUNK], wanted[CHUNK];
	uint64_t pos = 0;
	int wrong = 0;

	while (pos < bytes) {
		size_t n = bytes - pos < CHUNK ? bytes - pos : CHUNK;

		if (read_all(fd, got, n))
			return -1;
		fill(seed, pos, wanted, n);
		wrong |= memcmp(got, wanted, n) != 0;
		pos += n;
	}
	return wrong;
}
