/* Prints only text: MLIR and the prover interpret it. Keeps: dimensions x, y; symbols a, b; every
 * divisor is a positive constant, or consists of symbols and is positive for a > 0 and b > 0. */
#include "examples/folds-mlir/generate.h"

#include <inttypes.h>
#include <string.h>

typedef struct Generator {
  Text *text;
  Generate how;
  uint64_t state;
} Generator;

static uint64_t generate_draw(Generator *g, uint64_t below) {
  g->state ^= g->state << 13;
  g->state ^= g->state >> 7;
  g->state ^= g->state << 17;
  return (g->state >> 11) % below;
}

static int64_t large(Generator *g) {
  switch (generate_draw(g, 3)) {
    case 0: return INT64_MAX - (int64_t)generate_draw(g, 3);
    case 1: return INT64_C(1) << generate_draw(g, 63);
    default: return (int64_t)(g->state >> 1) >> generate_draw(g, 60);
  }
}

static int64_t generate_positive(Generator *g) {
  if (g->how.has_large && generate_draw(g, 2) == 0) return large(g) | 1;
  return 1 + (int64_t)generate_draw(g, generate_draw(g, 2) ? 8 : 128);
}

static void literal(Generator *g) {
  if (generate_draw(g, 3) == 0) text_printf(g->text, "(0 - %" PRId64 ")", generate_positive(g));
  else text_printf(g->text, "%" PRId64, generate_positive(g));
}

static void symbolic(Generator *g) {
  static const char *const forms[] = {"a", "a", "a", "b", "b", "(a * b)", "(a * b)", "(a + b + 1)"};
  text_string(g->text, forms[generate_draw(g, sizeof forms / sizeof *forms)]);
}

static bool is_symbolic(Generator *g) { return g->how.has_symbols && generate_draw(g, 2) == 0; }

static void generate_leaf(Generator *g) {
  if (generate_draw(g, 4) == 0) literal(g);
  else if (is_symbolic(g)) text_string(g->text, generate_draw(g, 2) ? "a" : "b");
  else text_string(g->text, generate_draw(g, 2) ? "x" : "y");
}

static void generate_expression(Generator *g, uint32_t depth);

static void right_operand(Generator *g, const char *op, uint32_t depth) {
  if (*op == '+') generate_expression(g, depth);
  else if (is_symbolic(g)) symbolic(g);
  else if (*op == '*') literal(g);
  else text_printf(g->text, "%" PRId64, generate_positive(g));
}

/* Depth: at most `depth`. */
static void generate_expression(Generator *g, uint32_t depth) {
  static const char *const operators[] = {"+", "*", "floordiv", "ceildiv", "mod"};
  if (depth == 0 || generate_draw(g, 6) == 0) {
    generate_leaf(g);
    return;
  }
  const char *op = operators[generate_draw(g, 5)];
  text_string(g->text, "(");
  generate_expression(g, depth - 1);
  text_printf(g->text, " %s ", op);
  right_operand(g, op, depth - 1);
  text_string(g->text, ")");
}

static void guards(Generator *g, const char *left) {
  bool has_a = strchr(left, 'a') != nullptr, has_b = strchr(left, 'b') != nullptr;
  if (has_a || has_b)
    text_printf(g->text, "  when %s%s%s\n", has_a ? "a > 0" : "", has_a && has_b ? ", " : "",
        has_b ? "b > 0" : "");
}

void generate_rules(Text *text, Generate how) {
  Generator g = {text, how, how.seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du};
  for (uint32_t i = 0; i < how.count; i++) {
    size_t start = text->length;
    text_printf(text, "rule g%" PRIu32 "\n  ", i);
    size_t left = text->length;
    generate_expression(&g, how.depth);
    text_string(text, " => 0\n");
    guards(&g, text->bytes + left);
    if (text->bytes[left] != '(' || strpbrk(text->bytes + left, "xyab") == nullptr)
      text->length = start;
  }
  text->bytes[text->length] = 0;
}
