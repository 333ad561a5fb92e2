/* Test support: makes a module of one side of a law of core/rules/values.laws. */
#ifndef CORE_HLO_TEST_LAW_MODULES_H
#define CORE_HLO_TEST_LAW_MODULES_H

#include <ctype.h>
#include <string.h>

#include "core/base/law_grade.h"
#include "core/base/test/test_arena.h"
#include "core/base/text.h"

#define OWN_LAWS AFFIRM_SOURCE_DIR "/core/rules/values.laws"

/* A side of a law as instructions. The variable or constant number `changed` is another one. */
typedef struct LawWriting {
  Text *lines;
  const char *type; /* s32 */
  uint32_t count;   /* instructions so far */
  int leaves;       /* variables and constants so far */
  int changed;
} LawWriting;

static const char *write_constant(LawWriting *writing, const char *value) {
  const char *name = arena_printf(arena, "c%u", writing->count++);
  text_printf(writing->lines, "k%s = %s[] constant(%s)\n%s = %s[8] broadcast(k%s), dimensions={}\n",
      name, writing->type, value, name, writing->type, name);
  return name;
}

/* `at` moves past the tree; the result is the name of its instruction. */
static const char *write_tree(LawWriting *writing, const char **at) {
  size_t length = strcspn(*at, "(), =");
  const char *word = arena_printf(arena, "%.*s", (int)length, *at);
  *at += length;
  if (**at != '(') {
    bool is_changed = writing->leaves++ == writing->changed,
         is_letter = length == 1 && isalpha((unsigned char)*word);
    if (is_letter) return is_changed ? "w" : word;
    return write_constant(writing, !is_changed ? word : strchr(word, '0') != nullptr ? "1" : "0");
  }
  const char *operands = "";
  while (**at != ')') {
    *at += strspn(*at, "(, ");
    operands = arena_printf(
        arena, "%s%s%s", operands, *operands == 0 ? "" : ", ", write_tree(writing, at));
  }
  ++*at;
  const char *name = arena_printf(arena, "r%u", writing->count++);
  text_printf(writing->lines, "%s = %s[8] %s(%s)\n", name, writing->type, word, operands);
  return name;
}

/* The side of a law as a module. Also counts the leaves. */
static const char *law_module(const char *side, const char *type, int changed, int *leaves) {
  Text lines = text_create(arena);
  static const char *const names[] = {"w", "x", "y", "z"};
  text_string(&lines, "HloModule m\nENTRY e {\n");
  for (uint32_t i = 0; i < 4; i++)
    text_printf(&lines, "%s = %s[8] parameter(%u)\n", names[i], type, i);
  LawWriting writing = {.lines = &lines, .type = type, .changed = changed};
  const char *root = write_tree(&writing, &side);
  text_printf(&lines, "ROOT r = %s[8] copy(%s)\n}\n", type, root);
  if (leaves != nullptr) *leaves = writing.leaves;
  return lines.bytes;
}

typedef struct LawLine {
  const char *text, *left, *right, *type;
  LawGrade grade;
} LawLine;

static bool law_of_line(const char *text, LawLine *law) {
  const char *colon = strstr(text, ": "), *arrow = strstr(text, " => "), *on = strstr(text, " on "),
             *grade = strstr(text, " grade ");
  if (strncmp(text, "law ", 4) != 0 || strstr(text, "through") != nullptr ||
      strstr(text, "where") != nullptr)
    return false;
  *law = (LawLine){.text = text,
      .left = arena_printf(arena, "%.*s", (int)(arrow - colon - 2), colon + 2),
      .right = arena_printf(arena, "%.*s", (int)(on - arrow - 4), arrow + 4),
      .type = strncmp(on + 4, "integral", 8) == 0 ? "s32"
              : strncmp(on + 4, "pred", 4) == 0   ? "pred"
                                                  : "f32"};
  return law_grade_named(grade + strlen(" grade "), &law->grade);
}

static uint32_t count_of(const char *side, char letter) {
  uint32_t count = 0;
  for (const char *at = side; *at != 0; at++)
    count += *at == letter && !isalpha((unsigned char)at[1]) &&
             (at == side || !isalpha((unsigned char)at[-1]));
  return count;
}

/* The letter or digit of leaf number `at`. */
static char leaf_of(const char *side, int at) {
  for (; *side != 0; side++) {
    size_t length = strcspn(side, "(), =");
    if (length == 0) continue;
    if (side[length] != '(' && at-- == 0) return side[length - 1];
    side += length - 1;
  }
  return 0;
}

/* The line as a law; in `next` the line after it. False for a line without one, or with a
 * restriction. */
static bool law_of_next(const char **next, LawLine *law) {
  const char *line = arena_printf(arena, "%.*s", (int)strcspn(*next, "\n"), *next);
  *next += strlen(line);
  *next += **next == '\n';
  return law_of_line(line, law);
}

/* Whether leaf `at` of the left side says something: a constant, as the f of inf, or a letter that
 * stands again. */
static bool leaf_counts(const LawLine *law, int at) {
  char leaf = leaf_of(law->left, at);
  return !isalpha((unsigned char)leaf) || leaf == 'f' || count_of(law->right, leaf) > 0 ||
         count_of(law->left, leaf) > 1;
}

#endif
