// SPDX-License-Identifier: GPL-2.0
/* Filters as in ss; see filter.h. */
#include <arpa/inet.h>
#include <stdio.h>

#include "../replay/csv.h"
#include "filter.h"

#define NEST_MAX	16	/* parentheses and "not" within one another */
#define PORT_MAX	65535

/* Numbers of the kernel's enum in net/tcp_states.h. */
static const char *const states[] = {
	[1] = "established", [2] = "syn-sent", [3] = "syn-recv", [4] = "fin-wait-1",
	[5] = "fin-wait-2", [6] = "time-wait", [7] = "closed", [8] = "close-wait",
	[9] = "last-ack", [STATE_LISTENING] = "listening", [11] = "closing",
};

#define BIT_OF(state)	(1U << (state))
#define CONNECTED	(STATES_ALL & ~(BIT_OF(7) | BIT_OF(10)))
#define SYNCHRONIZED	(CONNECTED & ~BIT_OF(2))
#define BUCKET		(BIT_OF(3) | BIT_OF(6))
#define BY_DEFAULT	(CONNECTED & ~BUCKET)
#define ALLOWED_STATES							\
	"all, connected, synchronized, bucket, big, established, syn-sent, "	\
	"syn-recv, fin-wait-1, fin-wait-2, time-wait, closed, close-wait, "	\
	"last-ack, listening, closing"

static const struct {
	const char *name;
	u32 states;
} groups[] = {
	{ "all", STATES_ALL }, { "connected", CONNECTED },
	{ "synchronized", SYNCHRONIZED }, { "bucket", BUCKET },
	{ "big", STATES_ALL & ~BUCKET },
};

static const struct {
	const char *name;
	enum compare compare;
} compares[] = {
	{ "=", CMP_EQ }, { "==", CMP_EQ }, { "eq", CMP_EQ },
	{ "!=", CMP_NE }, { "ne", CMP_NE }, { "neq", CMP_NE },
	{ "<", CMP_LT }, { "lt", CMP_LT }, { "<=", CMP_LE }, { "le", CMP_LE },
	{ ">", CMP_GT }, { "gt", CMP_GT }, { ">=", CMP_GE }, { "ge", CMP_GE },
};

#define ALLOWED_WORDS	"state exclude sport dport src dst cc, and or not ( )"

/**
 * struct parser - words on their way to a filter
 * @filter: what they become
 * @word: those left
 * @count: how many
 * @at: of the first, where to go on
 * @token: the next one; "": none
 * @why: what was wrong
 * @failed: was anything?
 */
struct parser {
	struct filter *filter;
	char *const *word;
	int count;
	const char *at;
	char token[FILTER_TEXT];
	char *why;
	bool failed;
};

const char *state_name(u8 state)
{
	return state < ARRAY_SIZE(states) && states[state] ? states[state] : "unknown";
}

/* The first reason counts. */
__attribute__((format(printf, 2, 3)))
static void wrong(struct parser *p, const char *format, ...)
{
	va_list args;

	if (p->failed)
		return;
	p->failed = true;
	va_start(args, format);
	vsnprintf(p->why, WHY_TEXT, format, args);
	va_end(args);
}

/* How long the token at the start of a text is. */
static size_t token_length(const char *text)
{
	if (strchr("()", *text))
		return 1;
	if (strchr("!=<>&|", *text))
		return 1 + (text[1] == '=' || ((*text == '&' || *text == '|') &&
					       text[1] == *text));
	return strcspn(text, " \t()!=<>&|");
}

/* Make the next token the current one. */
static void advance(struct parser *p)
{
	size_t len;

	p->token[0] = '\0';
	for (;;) {
		if (p->at)
			p->at += strspn(p->at, " \t");
		if (p->at && *p->at)
			break;
		if (!p->count)
			return;
		p->at = *p->word++;
		p->count--;
	}
	len = token_length(p->at);
	if (len >= FILTER_TEXT) {
		wrong(p, "filter: '%.40s...' is too long; allowed: %d characters",
		      p->at, FILTER_TEXT - 1);
		return;
	}
	memcpy(p->token, p->at, len);
	p->token[len] = '\0';
	p->at += len;
}

static bool is_token(const struct parser *p, const char *a, const char *b, const char *c)
{
	return !strcmp(p->token, a) || !strcmp(p->token, b) || !strcmp(p->token, c);
}

static u32 states_of(struct parser *p)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(groups[i].name, p->token))
			return groups[i].states;
	for (i = 0; i < ARRAY_SIZE(states); i++)
		if (states[i] && !strcmp(states[i], p->token))
			return BIT_OF(i);
	wrong(p, "filter: state '%s'; allowed: " ALLOWED_STATES, p->token);
	return 0;
}

static void parse_states(struct parser *p)
{
	u32 wanted = 0, unwanted = 0;

	while (!p->failed && is_token(p, "state", "exclude", "state")) {
		u32 *set = *p->token == 's' ? &wanted : &unwanted;

		advance(p);
		*set |= states_of(p);
		advance(p);
	}
	if (!wanted)
		wanted = unwanted ? STATES_ALL : BY_DEFAULT;
	p->filter->states = wanted & ~unwanted;
}

static u8 add(struct parser *p, const struct node *node)
{
	struct filter *f = p->filter;

	if (f->nodes == FILTER_NODES) {
		wrong(p, "filter: too long; allowed: %d words that compare or combine",
		      FILTER_NODES);
		return 0;
	}
	f->node[f->nodes] = *node;
	return f->nodes++;
}

/* "=" and so on, which may be left out. */
static void parse_compare(struct parser *p, struct node *node)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(compares); i++)
		if (!strcmp(compares[i].name, p->token)) {
			node->compare = compares[i].compare;
			advance(p);
			return;
		}
}

static int parse_port(struct parser *p, const char *text)
{
	u64 value;

	if (text_number(text, &value) || value > PORT_MAX) {
		wrong(p, "filter: port '%s'; allowed: 0 to %d", text, PORT_MAX);
		return -1;
	}
	return (int)value;
}

static void parse_address(struct parser *p, struct node *node, char *text)
{
	char *slash = strchr(text, '/');
	u64 bits = 0;

	if (slash)
		*slash++ = '\0';
	if (inet_pton(AF_INET, text, node->address) == 1)
		node->family = AF_INET;
	else if (inet_pton(AF_INET6, text, node->address) == 1)
		node->family = AF_INET6;
	else
		wrong(p, "filter: address '%s'; allowed: IPv4 IPv6 * /BITS :PORT", text);
	node->bits = node->family == AF_INET ? 32 : 128;
	if (slash && (text_number(slash, &bits) || bits > node->bits))
		wrong(p, "filter: /%s; allowed: /0 to /%u", slash, node->bits);
	if (slash && !p->failed)
		node->bits = (u8)bits;
}

/*
 * Where the port begins, NULL: there is none. An IPv6 address has more than one
 * colon, so one with a port is in brackets, which are taken off.
 */
static char *split_host(struct parser *p, char **text)
{
	char *close = strchr(*text, ']'), *colon;

	if (**text == '[' && close) {
		if (close[1] && close[1] != ':' && close[1] != '/')
			wrong(p, "filter: '%s' behind ']'; allowed: :PORT /BITS", close + 1);
		(*text)++;
		memmove(close, close + 1, strlen(close));
		colon = *close == '/' ? strchr(close, ':') : close;
		if (!colon || *colon != ':')
			return NULL;
		*colon = '\0';
		return colon + 1;
	}
	colon = strchr(*text, ':');
	if (!colon || strchr(colon + 1, ':'))
		return NULL;
	*colon = '\0';
	return colon + 1;
}

static void parse_host(struct parser *p, struct node *node)
{
	char text[FILTER_TEXT], *host = text, *port;

	snprintf(text, sizeof(text), "%s", p->token);
	port = split_host(p, &host);
	node->kind = NODE_HOST;
	node->port = port && strcmp(port, "*") ? parse_port(p, port) : -1;
	if (node->compare != CMP_EQ && node->compare != CMP_NE)
		wrong(p, "filter: addresses have no order; allowed: = !=");
	if (*host && strcmp(host, "*")) {
		p->filter->hosts = true;
		parse_address(p, node, host);
	} else if (!port && !*host) {
		wrong(p, "filter: an address is missing after src or dst");
	}
}

static void parse_cc(struct parser *p, struct node *node)
{
	size_t len = strlen(p->token);

	node->kind = NODE_CC;
	if (node->compare != CMP_EQ && node->compare != CMP_NE)
		wrong(p, "filter: algorithms have no order; allowed: = !=");
	if (!len || len >= CC_TEXT)
		wrong(p, "filter: algorithm '%s'; allowed: 1 to %d characters", p->token,
		      CC_TEXT - 1);
	else
		memcpy(node->cc, p->token, len + 1);
}

static u8 parse_predicate(struct parser *p)
{
	struct node node = { .port = -1 };
	char what[FILTER_TEXT];

	if (!*p->token)
		wrong(p, "filter: it ends where one of these is wanted: " ALLOWED_WORDS);
	memcpy(what, p->token, sizeof(what));
	advance(p);
	parse_compare(p, &node);
	node.dst = what[0] == 'd';
	if (!strcmp(what, "sport") || !strcmp(what, "dport")) {
		node.kind = NODE_PORT;
		node.port = parse_port(p, p->token + (*p->token == ':'));
	} else if (!strcmp(what, "src") || !strcmp(what, "dst")) {
		parse_host(p, &node);
	} else if (!strcmp(what, "cc")) {
		parse_cc(p, &node);
	} else {
		wrong(p, "filter: '%s'; allowed: " ALLOWED_WORDS, what);
	}
	advance(p);
	return add(p, &node);
}

static u8 parse_or(struct parser *p, int depth);

static u8 parse_not(struct parser *p, int depth)
{
	struct node node = { .kind = NODE_NOT };
	u8 inner;

	if (depth > NEST_MAX)
		wrong(p, "filter: nested too deeply; allowed: %d levels", NEST_MAX);
	if (p->failed)
		return 0;
	if (is_token(p, "not", "!", "not")) {
		advance(p);
		node.left = parse_not(p, depth + 1);
		return add(p, &node);
	}
	if (!is_token(p, "(", "(", "("))
		return parse_predicate(p);
	advance(p);
	inner = parse_or(p, depth + 1);
	if (strcmp(p->token, ")"))
		wrong(p, "filter: ')' is missing before '%s'", p->token);
	advance(p);
	return inner;
}

/* Beside each other means and, as in ss. */
static u8 parse_and(struct parser *p, int depth)
{
	u8 left = parse_not(p, depth);

	while (!p->failed && *p->token && !is_token(p, "or", "|", "||") &&
	       !is_token(p, ")", ")", ")")) {
		struct node node = { .kind = NODE_AND, .left = left };

		if (is_token(p, "and", "&", "&&"))
			advance(p);
		node.right = parse_not(p, depth);
		left = add(p, &node);
	}
	return left;
}

static u8 parse_or(struct parser *p, int depth)
{
	u8 left = parse_and(p, depth);

	while (!p->failed && is_token(p, "or", "|", "||")) {
		struct node node = { .kind = NODE_OR, .left = left };

		advance(p);
		node.right = parse_and(p, depth);
		left = add(p, &node);
	}
	return left;
}

/**
 * filter_parse() - read a filter
 * @filter: set
 * @count: words
 * @words: they; cut in any way, "dport = :80" and "dport=:80" are the same
 * @why: set on failure
 *
 * Return: 0, or -EINVAL.
 */
int filter_parse(struct filter *filter, int count, char *const *words, char why[WHY_TEXT])
{
	struct parser p = { .filter = filter, .word = words, .count = count, .why = why };
	const struct node all = { .kind = NODE_TRUE };

	memset(filter, 0, sizeof(*filter));
	advance(&p);
	parse_states(&p);
	if (*p.token)
		filter->root = parse_or(&p, 0);
	else
		filter->root = add(&p, &all);
	if (*p.token)
		wrong(&p, "filter: '%s' is too much", p.token);
	return p.failed ? -EINVAL : 0;
}

static bool compare(enum compare how, int a, int b)
{
	switch (how) {
	case CMP_EQ:
		return a == b;
	case CMP_NE:
		return a != b;
	case CMP_LT:
		return a < b;
	case CMP_LE:
		return a <= b;
	case CMP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

/* The first so many bits are the same? */
static bool same_bits(const u8 *a, const u8 *b, u32 bits)
{
	u8 mask = (u8)(0xff00 >> bits % 8);

	if (memcmp(a, b, bits / 8))
		return false;
	return !(bits % 8) || !((a[bits / 8] ^ b[bits / 8]) & mask);
}

/* IPv4 within IPv6, as sockets of both families have it. */
static bool is_mapped(const u8 *address)
{
	static const u8 prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(address, prefix, sizeof(prefix));
}

static bool host_is(const struct node *n, const struct flow *flow)
{
	const u8 *address = n->dst ? flow->dst : flow->src;
	u8 family = flow->family;

	if (n->port >= 0 && n->port != (n->dst ? flow->dport : flow->sport))
		return false;
	if (!n->family)
		return true;
	if (family == AF_INET6 && n->family == AF_INET && is_mapped(address)) {
		family = AF_INET;
		address += 12;
	}
	return family == n->family && same_bits(address, n->address, n->bits);
}

static bool match(const struct filter *filter, u8 index, const struct flow *flow)
{
	const struct node *n = &filter->node[index];

	switch (n->kind) {
	case NODE_AND:
		return match(filter, n->left, flow) && match(filter, n->right, flow);
	case NODE_OR:
		return match(filter, n->left, flow) || match(filter, n->right, flow);
	case NODE_NOT:
		return !match(filter, n->left, flow);
	case NODE_PORT:
		return compare(n->compare, n->dst ? flow->dport : flow->sport, n->port);
	case NODE_HOST:
		return host_is(n, flow) == (n->compare == CMP_EQ);
	case NODE_CC:
		return !strcmp(flow->cc, n->cc) == (n->compare == CMP_EQ);
	default:
		return true;
	}
}

/**
 * filter_match() - is a flow one of those?
 * @filter: as filter_parse() made it
 * @flow: the flow
 */
bool filter_match(const struct filter *filter, const struct flow *flow)
{
	if (flow->state >= 32 || !(filter->states & BIT_OF(flow->state)))
		return false;
	return match(filter, filter->root, flow);
}
