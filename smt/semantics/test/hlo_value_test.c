/* Compares values as formulas with the machine's own arithmetic: every 8-bit value of one operand,
 * several of the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "smt/semantics/hlo_reading.h"

typedef enum HloValueKind : uint8_t { SIGNED, UNSIGNED, PREDICATE } HloValueKind;

/* The operation on 8-bit values (or predicates) in C; the caller cuts the result to 8 bits. */
static int64_t machine(const char *op, HloValueKind kind, int64_t a, int64_t b) {
  if (strcmp(op, "add") == 0) return a + b;
  if (strcmp(op, "subtract") == 0) return a - b;
  if (strcmp(op, "multiply") == 0) return a * b;
  if (strcmp(op, "divide") == 0) return b == 0 ? -1 : a / b;
  if (strcmp(op, "remainder") == 0) return b == 0 ? a : a % b;
  if (strcmp(op, "maximum") == 0) return a > b ? a : b;
  if (strcmp(op, "minimum") == 0) return a < b ? a : b;
  if (strcmp(op, "and") == 0) return a & b;
  if (strcmp(op, "or") == 0) return a | b;
  if (strcmp(op, "xor") == 0) return a ^ b;
  if (strcmp(op, "negate") == 0) return -a;
  if (strcmp(op, "abs") == 0) return a < 0 ? -a : a;
  if (strcmp(op, "not") == 0) return kind == PREDICATE ? !a : ~a;
  if (strcmp(op, "sign") == 0) return (a > 0) - (a < 0);
  bool is_out = b < 0 || b > 7;
  if (strcmp(op, "shift-left") == 0) return is_out ? 0 : (uint8_t)a << b;
  if (strcmp(op, "shift-right-arithmetic") == 0) return (int8_t)a >> (is_out ? 7 : b);
  if (strcmp(op, "shift-right-logical") == 0) return is_out ? 0 : (uint8_t)a >> b;
  if (strcmp(op, "LT") == 0) return a < b;
  if (strcmp(op, "LE") == 0) return a <= b;
  if (strcmp(op, "GT") == 0) return a > b;
  if (strcmp(op, "GE") == 0) return a >= b;
  if (strcmp(op, "EQ") == 0) return a == b;
  assert_string_equal(op, "NE");
  return a != b;
}

static int64_t hlo_value_cut(HloValueKind kind, int64_t value) {
  return kind == SIGNED ? (int8_t)value : kind == UNSIGNED ? (uint8_t)value : value & 1;
}

typedef struct HloValueGraph {
  Arena *arena;
  Sums *sums;
  Sum value;
} HloValueGraph;

static HloValueGraph graph_of(const char *text) {
  HloValueGraph graph = {.arena = arena_create()};
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(graph.arena, &source, &module, &error)) {
    error_print(&error, stderr);
    fail_msg("%s", text);
  }
  graph.sums = sums_create(graph.arena);
  Sum none = {};
  graph.value = hlo_value(graph.sums, nullptr, module->entry->root, 0, &none);
  return graph;
}

/* The value with all value atoms set to `a` (there is one parameter); *followed is false if an
 * operation without a formula is in the way. */
static int64_t value_at(const HloValueGraph *graph, int64_t a, bool *followed) {
  Wide *values = ARENA_NEW(graph->arena, Wide, graph->sums->atom_count), value = 0;
  for (uint32_t i = 0; i < graph->sums->atom_count; i++) {
    values[i] = a;
    if (graph->sums->atoms[i].kind == ATOM_VALUE &&
        hlo_value_kind(graph->sums, i) != VALUE_OF_PARAMETER)
      *followed = false;
  }
  assert_true(sums_complete(graph->sums, values));
  assert_true(sum_evaluate(graph->sums, values, graph->value, &value));
  return (int64_t)value;
}

static void check_all_values(const char *text, const char *op, HloValueKind from, HloValueKind to,
    int64_t b, bool must_follow) {
  HloValueGraph graph = graph_of(text);
  bool followed = true;
  int64_t lo = from == SIGNED ? -128 : 0, hi = from == SIGNED ? 127 : from == UNSIGNED ? 255 : 1;
  for (int64_t a = lo; a <= hi && followed; a++) {
    int64_t wanted = hlo_value_cut(to, machine(op, from, a, b)),
            found = value_at(&graph, a, &followed);
    if (followed && found != wanted)
      fail_msg("%s of %d and %d is %d, not %d", op, (int)a, (int)b, (int)wanted, (int)found);
  }
  if (must_follow && !followed) fail_msg("%s is not followed", op);
  arena_destroy(graph.arena);
}

static void arithmetic_is_the_machines(void **state) {
  (void)state;
  static const char *const ops[] = {
      "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"};
  static const int64_t others[] = {0, 1, 2, 3, 7, 100, 127};
  char text[400];
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
      for (HloValueKind kind = SIGNED; kind <= UNSIGNED; kind++) {
        const char *type = kind == SIGNED ? "s8" : "u8";
        snprintf(text, sizeof text,
            "HloModule m\nENTRY e { a = %s[] parameter(0) b = %s[] constant(%d) ROOT r = %s[] %s(a, b) }",
            type, type, (int)others[k], type, ops[o]);
        check_all_values(text, ops[o], kind, kind, others[k], true);
      }
    }
  }
}

static void negative_operands(void **state) {
  (void)state;
  static const char *const ops[] = {
      "add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder"};
  char text[400];
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
    for (int b = -128; b < 0; b += b < -5 ? 41 : 1) {
      snprintf(text, sizeof text,
          "HloModule m\nENTRY e { a = s8[] parameter(0) b = s8[] constant(%d) ROOT r = s8[] %s(a, b) }",
          b, ops[o]);
      check_all_values(text, ops[o], SIGNED, SIGNED, b, true);
    }
  }
}

/* Each shift of each type by amounts inside the width, at its edge and outside. */
static void shifts_are_of_bits(void **) {
  static const char *const ops[] = {"shift-left", "shift-right-arithmetic", "shift-right-logical"};
  static const int64_t amounts[] = {-128, -8, -1, 0, 1, 3, 7, 8, 9, 64, 127, 128, 200, 255};
  char text[400];
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
    for (size_t k = 0; k < sizeof amounts / sizeof amounts[0]; k++) {
      for (HloValueKind kind = SIGNED; kind <= UNSIGNED; kind++) {
        const char *type = kind == SIGNED ? "s8" : "u8";
        if (kind == SIGNED ? amounts[k] > 127 : amounts[k] < 0) continue;
        snprintf(text, sizeof text,
            "HloModule m\nENTRY e { a = %s[] parameter(0) b = %s[] constant(%d) ROOT r = %s[] %s(a, b) }",
            type, type, (int)amounts[k], type, ops[o]);
        check_all_values(text, ops[o], kind, kind, amounts[k], true);
      }
    }
  }
}

static void single_operands(void **state) {
  (void)state;
  static const char *const ops[] = {"negate", "abs", "not", "sign"};
  char text[400];
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
    snprintf(text, sizeof text,
        "HloModule m\nENTRY e { a = s8[] parameter(0) ROOT r = s8[] %s(a) }", ops[o]);
    check_all_values(text, ops[o], SIGNED, SIGNED, 0, true);
  }
  check_all_values("HloModule m\nENTRY e { a = u8[] parameter(0) ROOT r = u8[] not(a) }", "not",
      UNSIGNED, UNSIGNED, 0, true);
  check_all_values("HloModule m\nENTRY e { a = pred[] parameter(0) ROOT r = pred[] not(a) }", "not",
      PREDICATE, PREDICATE, 0, true);
}

static void comparisons_and_masks(void **state) {
  (void)state;
  static const char *const directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  static const int64_t others[] = {-128, -3, 0, 5, 127};
  char text[400];
  for (size_t d = 0; d < sizeof directions / sizeof directions[0]; d++) {
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
      snprintf(text, sizeof text,
          "HloModule m\nENTRY e { a = s8[] parameter(0) b = s8[] constant(%d) ROOT r = pred[] compare(a, b), direction=%s }",
          (int)others[k], directions[d]);
      check_all_values(text, directions[d], SIGNED, PREDICATE, others[k], true);
    }
  }
  check_all_values(
      "HloModule m\nENTRY e { a = s8[] parameter(0) b = s8[] constant(15) ROOT r = s8[] and(a, b) }",
      "and", SIGNED, SIGNED, 15, true);
  check_all_values(
      "HloModule m\nENTRY e { a = u8[] parameter(0) b = u8[] constant(63) ROOT r = u8[] and(b, a) }",
      "and", UNSIGNED, UNSIGNED, 63, true);
  check_all_values(
      "HloModule m\nENTRY e { a = s8[] parameter(0) b = s8[] constant(3) ROOT r = s8[] shift-right-arithmetic(a, b) }",
      "shift-right-arithmetic", SIGNED, SIGNED, 3, true);
  check_all_values(
      "HloModule m\nENTRY e { a = u8[] parameter(0) b = u8[] constant(3) ROOT r = u8[] shift-right-logical(a, b) }",
      "shift-right-logical", UNSIGNED, UNSIGNED, 3, true);
  check_all_values(
      "HloModule m\nENTRY e { a = pred[] parameter(0) b = pred[] constant(true) ROOT r = pred[] xor(a, b) }",
      "xor", PREDICATE, PREDICATE, 1, true);
  check_all_values(
      "HloModule m\nENTRY e { a = pred[] parameter(0) b = pred[] constant(true) ROOT r = pred[] and(a, b) }",
      "and", PREDICATE, PREDICATE, 1, true);
  check_all_values(
      "HloModule m\nENTRY e { a = pred[] parameter(0) b = pred[] constant(false) ROOT r = pred[] or(a, b) }",
      "or", PREDICATE, PREDICATE, 0, true);
}

/* a < 0 ? a + 100 : a, in 8 bits; also through a body, a broadcast and a reshape. */
static void selections_and_movement(void **state) {
  (void)state;
  static const char *const texts[] = {
      "HloModule m\nENTRY e { a = s8[] parameter(0) z = s8[] constant(0) n = s8[] constant(100) l = pred[] compare(a, z), direction=LT p = s8[] add(a, n) ROOT r = s8[] select(l, p, a) }",
      "HloModule m\nf { x = s8[4] parameter(0) z = s8[] constant(0) zb = s8[4] broadcast(z), dimensions={} n = s8[] constant(100) nb = s8[4] broadcast(n), dimensions={} l = pred[4] compare(x, zb), direction=LT "
      "p = s8[4] add(x, nb) ROOT r = s8[4] select(l, p, x) }\n"
      "ENTRY e { a = s8[] parameter(0) b = s8[4] broadcast(a), dimensions={} c = s8[4] fusion(b), kind=kLoop, calls=f s = s8[1] slice(c), slice={[2:3]} ROOT r = s8[] reshape(s) }",
  };
  for (size_t t = 0; t < 2; t++) {
    HloValueGraph graph = graph_of(texts[t]);
    bool followed = true;
    for (int64_t a = -128; a <= 127; a++)
      assert_int_equal(value_at(&graph, a, &followed), a < 0 ? (int8_t)(a + 100) : a);
    assert_true(followed);
    arena_destroy(graph.arena);
  }
}

static void conversions(void **state) {
  (void)state;
  HloValueGraph narrower =
      graph_of("HloModule m\nENTRY e { a = s32[] parameter(0) ROOT r = s8[] convert(a) }");
  HloValueGraph wider =
      graph_of("HloModule m\nENTRY e { a = s8[] parameter(0) ROOT r = u32[] convert(a) }");
  bool followed = true;
  for (int64_t a = -1000; a <= 1000; a++)
    assert_int_equal(value_at(&narrower, a, &followed), (int8_t)a);
  for (int64_t a = -128; a <= 127; a++)
    assert_int_equal(value_at(&wider, a, &followed), (uint32_t)a);
  assert_true(followed);
  arena_destroy(narrower.arena);
  arena_destroy(wider.arena);
}

static int64_t bits_expected(const char *op, uint8_t a, uint8_t b) {
  if (strcmp(op, "and") == 0) return a & b;
  if (strcmp(op, "or") == 0) return a | b;
  if (strcmp(op, "xor") == 0) return a ^ b;
  if (strcmp(op, "popcnt") == 0) return __builtin_popcount(a);
  return a == 0 ? 8 : __builtin_clz(a) - 24;
}

/* Operations on the bits of constants, of each value of 8 bits. */
static void bits_of_constants(void **) {
  static const char *const ops[] = {"and", "or", "xor", "popcnt", "count-leading-zeros"};
  char text[300];
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
    for (int a = -128; a < 256; a++) {
      const char *type = a < 128 ? "s8" : "u8";
      snprintf(text, sizeof text,
          "HloModule m\nENTRY e { a = %s[] constant(%d) b = %s[] constant(90) ROOT r = %s[] %s(a%s) }",
          type, a, type, type, ops[o], o < 3 ? ", b" : "");
      HloValueGraph graph = graph_of(text);
      bool followed = true;
      int64_t expected = bits_expected(ops[o], (uint8_t)a, 90),
              value = value_at(&graph, 0, &followed);
      if (a < 128) expected = (int8_t)expected;
      if (value != expected || !followed)
        fail_msg("%s of %d is %lld, not %lld", ops[o], a, (long long)value, (long long)expected);
      arena_destroy(graph.arena);
    }
  }
}

/* The bits of an integer as one of another type with as many. */
static void bits_of_another_type(void **) {
  HloValueGraph with_sign = graph_of(
      "HloModule m\nENTRY e { a = u8[] parameter(0) ROOT r = s8[] bitcast-convert(a) }");
  HloValueGraph without = graph_of(
      "HloModule m\nENTRY e { a = s8[] parameter(0) ROOT r = u8[] bitcast-convert(a) }");
  bool followed = true;
  for (int64_t a = 0; a < 256; a++)
    assert_int_equal(value_at(&with_sign, a, &followed), (int8_t)a);
  for (int64_t a = -128; a < 128; a++)
    assert_int_equal(value_at(&without, a, &followed), (uint8_t)a);
  assert_true(followed);
  arena_destroy(with_sign.arena);
  arena_destroy(without.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_the_machines),
      cmocka_unit_test(negative_operands),
      cmocka_unit_test(single_operands),
      cmocka_unit_test(comparisons_and_masks),
      cmocka_unit_test(selections_and_movement),
      cmocka_unit_test(conversions),
      cmocka_unit_test(shifts_are_of_bits),
      cmocka_unit_test(bits_of_constants),
      cmocka_unit_test(bits_of_another_type),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
