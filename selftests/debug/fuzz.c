// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz FOLDER,FOLDER... [n=WRITES] [par=PROCESSES]: writes valid and invalid
 * values into all files below, and reads them. Prints counts; fails if there
 * was no file, or if none took or none refused a value.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

#define MAX_FILES 2048
#define MAX_VALUE 8192
#define MAX_OPEN 16

static const char *const values[] = {
	"0", "1", "2", "-1", "100", "4294967295", "4294967296",
	"18446744073709551615", "99999999999999999999999999", "inherit",
	"inherit\n", "inherit\n\n", "off", "oblivious", "bitmap", "reps",
	"mixed", "on", "1024\n", "64\n\n", " 5", "5 ", "0x10", "+3", "\n", "",
	"%s%s%s%n", "64|128", "1e3", "16", "16384", "65536", "1000000",
};

struct counts {
	atomic_long taken, refused, read, closed;
};

static char *files[MAX_FILES];
static int file_count;
static struct counts *counts; /* of all processes */

static int add_file(const char *path, const struct stat *st, int type,
		    struct FTW *where)
{
	(void)st;
	(void)where;
	if (type == FTW_F && file_count < MAX_FILES)
		files[file_count++] = strdup(path);
	return 0;
}

static void find_files(char *folders)
{
	char *folder, *rest = folders;

	while ((folder = strtok_r(rest, ",", &rest)))
		nftw(folder, add_file, MAX_OPEN, FTW_PHYS);
	if (file_count)
		return;
	fprintf(stderr, "fuzz: no file there\n");
	exit(1);
}

static size_t any_value(char *value)
{
	size_t n = random64() % MAX_VALUE, i;

	switch (random64() % 8) {
	case 0:
		n %= 64;
		for (i = 0; i < n; i++)
			value[i] = random64();
		return n;
	case 1:
		memset(value, "19A\n\0 "[random64() % 6], n);
		return n;
	case 2:
		return sprintf(value, "%llu", (unsigned long long)
			       (random64() >> random64() % 64));
	case 3:
		return sprintf(value, "%u", 1U << random64() % 32);
	default:
		i = random64() % (sizeof(values) / sizeof(*values));
		return sprintf(value, "%s", values[i]);
	}
}

static void read_one(const char *path)
{
	char buffer[64];
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return;
	if (one_in(4))
		lseek(fd, random64() % 40, SEEK_SET);
	if (read(fd, buffer, 1 + random64() % sizeof(buffer)) >= 0)
		counts->read++;
	close(fd);
}

static void write_one(const char *path)
{
	char value[MAX_VALUE];
	size_t n = any_value(value);
	int fd = open(path, O_WRONLY);

	if (fd < 0) {
		counts->closed++;
		return;
	}
	if (one_in(8))
		lseek(fd, random64() % 40, SEEK_SET);
	if (write(fd, value, n) < 0)
		counts->refused++;
	else
		counts->taken++;
	close(fd);
}

static void fuzz(long writes)
{
	long i;

	for (i = 0; i < writes; i++) {
		write_one(files[random64() % file_count]);
		if (one_in(3))
			read_one(files[random64() % file_count]);
		heartbeat("fuzz", i, writes);
	}
}

int main(int argc, char **argv)
{
	long par, i;

	if (argc < 2) {
		fprintf(stderr, "usage: fuzz FOLDER,... [n=WRITES] [par=PROCESSES]\n");
		return 2;
	}
	options_read(argc - 2, argv + 2);
	par = option_number("par", 2);
	find_files(argv[1]);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		die("fuzz: memory");
	for (i = 0; i < par; i++) {
		if (fork())
			continue;
		fuzz(option_number("n", 1000) / par);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	printf("files=%d taken=%ld refused=%ld read=%ld unwritable=%ld\n",
	       file_count, (long)counts->taken, (long)counts->refused,
	       (long)counts->read, (long)counts->closed);
	return !counts->taken || !counts->refused;
}
