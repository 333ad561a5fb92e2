/* Measures texts that parse. For other texts, it measures everything that looks like a part of a
 * module or map. */
#include "exhaust/case_size.h"

#include <ctype.h>
#include <stdckdint.h>
#include <string.h>

static uint64_t size_max(uint64_t first, uint64_t second) {
  return first > second ? first : second;
}

static void size_join(CaseSize *whole, const CaseSize *part) {
  whole->operations += part->operations;
  whole->rank = size_max(whole->rank, part->rank);
  whole->elements = size_max(whole->elements, part->elements);
  whole->constant = size_max(whole->constant, part->constant);
}

static bool is_word(char letter) { return isalnum((unsigned char)letter) || letter == '_'; }

static uint64_t size_number(const char **at) {
  uint64_t number = 0;
  for (; isdigit((unsigned char)**at); (*at)++)
    if (ckd_mul(&number, number, 10) || ckd_add(&number, number, (uint64_t)(**at - '0')))
      number = UINT64_MAX;
  return number;
}

/* The numbers of words that begin with a digit, as 1_0x-1_1. */
static uint64_t largest_number(const char *at, const char *end) {
  uint64_t largest = 0;
  while (at < end) {
    if (!is_word(*at) && *at != '%') {
      at++;
      continue;
    }
    bool is_name = !isdigit((unsigned char)*at);
    while (at < end && (is_word(*at) || (is_name && strchr("%.-", *at) != nullptr)))
      if (!is_name && isdigit((unsigned char)*at)) largest = size_max(largest, size_number(&at));
      else at++;
  }
  return largest;
}

/* Shapes: the brackets after a word. */
static void size_of_shapes(const char *at, const char *end, CaseSize *size) {
  for (; at < end; at++) {
    if (*at != '[' || !isalnum((unsigned char)at[-1])) continue;
    uint64_t rank = 0, elements = 1;
    for (at++; at < end && *at != ']'; at++) {
      if (!isdigit((unsigned char)*at)) continue;
      uint64_t length = size_number(&at);
      if (ckd_mul(&elements, elements, length)) elements = UINT64_MAX;
      rank++;
      at--;
    }
    size->rank = size_max(size->rank, rank);
    size->elements = size_max(size->elements, elements);
  }
}

static const char *after_parentheses(const char *at, const char *end) {
  uint32_t depth = 0;
  for (; at < end; at++) {
    if (*at == '(') depth++;
    else if (*at == ')' && --depth == 0) return at;
  }
  return end;
}

/* The opcode follows the result's shape. */
static const char *size_opcode(const char *assigned, const char *end) {
  const char *at = assigned + strlen(" = ");
  if (*at == '(') at = after_parentheses(at, end);
  at = at == end ? nullptr : memchr(at, ' ', (size_t)(end - at));
  return at == nullptr ? end : at + 1;
}

static bool opcode_is(const char *opcode, const char *name) {
  return strncmp(opcode, name, strlen(name)) == 0 && opcode[strlen(name)] == '(';
}

/* `assigned` is at the ` = ` of an instruction. */
static void size_of_instruction(const char *assigned, const char *end, CaseSize *size) {
  const char *opcode = size_opcode(assigned, end);
  bool is_constant = opcode_is(opcode, "constant");
  size_of_shapes(assigned, end, size);
  if (!is_constant && !opcode_is(opcode, "parameter") && !opcode_is(opcode, "fusion"))
    size->operations++;
  const char *rest = is_constant ? opcode : after_parentheses(opcode, end);
  size->constant = size_max(size->constant, largest_number(rest, end));
}

static bool is_of_arrays(const char *at, const char *end) {
  for (; at < end; at++)
    if (*at == '[' && isalnum((unsigned char)at[-1]) && isdigit((unsigned char)at[1])) return true;
  return false;
}

/* A fusion or a loop names the computation. */
static bool is_called(const char *text, const char *name, size_t length) {
  static const char *const words[] = {"calls=", "body=", "condition="};
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    for (const char *at = text; (at = strstr(at, words[i])) != nullptr;) {
      at += strlen(words[i]);
      if (strncmp(at, name, length) == 0 && !is_word(at[length])) return true;
    }
  return false;
}

static bool computation_counts(
    const char *text, const char *head, const char *begin, const char *end) {
  return strncmp(head, "ENTRY", 5) == 0 || is_of_arrays(begin, end) ||
         is_called(text, head, strcspn(head, " "));
}

static CaseSize size_of_modules(const char *text) {
  CaseSize whole = {};
  for (const char *at = text; (at = strstr(at, "{\n")) != nullptr;) {
    const char *begin = at, *end = strstr(at, "\n}"), *head = at;
    if (end == nullptr) end = at + strlen(at);
    while (head > text && head[-1] != '\n') head--;
    bool counts = computation_counts(text, head, begin, end);
    for (; counts && (at = strstr(at, " = ")) != nullptr && at < end; at++) {
      CaseSize part = {};
      const char *line = memchr(at, '\n', (size_t)(end - at));
      size_of_instruction(at, line == nullptr ? end : line, &part);
      size_join(&whole, &part);
    }
    at = end;
  }
  return whole;
}

static bool is_operator(const char *at, const char *begin) {
  if (*at == '+' || *at == '*') return true;
  if (*at == '-') return at[1] == ' ' || at[1] == '(' || isalpha((unsigned char)at[1]);
  if (at > begin && is_word(at[-1])) return false;
  static const char *const names[] = {"floordiv ", "ceildiv ", "mod ", "min(", "max("};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(at, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static uint64_t count_operators(const char *begin, const char *end) {
  uint64_t count = 0;
  for (const char *at = begin; at < end; at++) count += is_operator(at, begin);
  return count;
}

/* Points of `[LOW, HIGH]`. */
static uint64_t count_points(const char *at) {
  int64_t ends[2] = {}, points;
  for (uint32_t i = 0; i < 2; i++) {
    while (*at != 0 && *at != '-' && !isdigit((unsigned char)*at)) at++;
    bool is_negative = *at == '-';
    at += is_negative;
    uint64_t number = size_number(&at);
    ends[i] = number > INT64_MAX ? INT64_MAX : (int64_t)number;
    if (is_negative) ends[i] = -ends[i];
  }
  if (ends[1] < ends[0]) return 0;
  return ckd_sub(&points, ends[1], ends[0]) ? UINT64_MAX : (uint64_t)points + 1;
}

/* One ` in [LOW, HIGH]` of a domain: a variable, or a constraint, which has an operator. */
static void size_of_clause(const char *at, const char *in, const char *end, CaseSize *size) {
  uint64_t operators = count_operators(at, in);
  size->operations += operators;
  if (operators > 0) {
    size->constant = size_max(size->constant, largest_number(at, end));
    return;
  }
  size->rank++;
  if (ckd_mul(&size->elements, size->elements, count_points(in))) size->elements = UINT64_MAX;
}

static CaseSize size_of_map(const char *at, const char *end) {
  CaseSize size = {.elements = 1};
  const char *domain = strstr(at, "domain:");
  if (domain == nullptr || domain > end) domain = end;
  size.operations = count_operators(at, domain);
  size.constant = largest_number(at, domain);
  const char *in = domain;
  for (at = domain; (in = strstr(in, " in [")) != nullptr && in < end; at = in) {
    const char *close = memchr(in, ']', (size_t)(end - in));
    if (close == nullptr) break;
    size_of_clause(at, in, close, &size);
    in = close;
  }
  return size;
}

CaseSize case_size(const char *text) {
  if (strstr(text, "ROOT ") != nullptr) return size_of_modules(text);
  CaseSize whole = {};
  for (const char *at = text; at != nullptr;) {
    const char *next = strstr(at, " ; ");
    CaseSize part = size_of_map(at, next == nullptr ? at + strlen(at) : next);
    size_join(&whole, &part);
    at = next == nullptr ? nullptr : next + 3;
  }
  return whole;
}

static int numbers_compare(uint64_t first, uint64_t second) {
  return (first > second) - (first < second);
}

int case_size_compare(const CaseSize *first, const CaseSize *second) {
  int order = numbers_compare(first->operations, second->operations);
  if (order == 0) order = numbers_compare(first->rank, second->rank);
  if (order == 0) order = numbers_compare(first->elements, second->elements);
  return order != 0 ? order : numbers_compare(first->constant, second->constant);
}
