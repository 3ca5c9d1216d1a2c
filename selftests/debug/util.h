/* SPDX-License-Identifier: GPL-2.0 */
/* What the campaigns' programs share: options, chance, algorithms, signs of life. */
#ifndef DEBUG_UTIL_H
#define DEBUG_UTIL_H

#include <stdint.h>

#define HEARTBEAT_S 10

/* Words "key=value" of the command line; what is not one ends the program. */
void options_read(int argc, char **argv);
long option_number(const char *key, long otherwise);
const char *option_text(const char *key, const char *otherwise);

/* Random numbers, independent of each other in every thread and process. */
uint64_t mix64(uint64_t x);
uint64_t random64(void);
int one_in(unsigned int n);

/* One of the names of option cc=NAME,NAME... */
const char *cc_any(void);
/* 0 or -1 with errno */
int cc_set(int fd, const char *name);
/* Sets the algorithm that the socket has already. */
int cc_set_again(int fd);

/* More open files than the usual limit. */
void files_allow(unsigned long count);

/* Says how far it is, at most once in HEARTBEAT_S: a silent machine is ended. */
void heartbeat(const char *what, long done, long all);

__attribute__((noreturn)) void die(const char *what);

#endif
