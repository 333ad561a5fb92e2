/* The grade of every law is checked: integers of eight bits and pred exhaustively over two
 * variables and over a choice of values for the third, bf16 exhaustively in one variable against
 * edge values of the second, the third taking turns, f32 and f64 on edge values and random ones.
 * The payload of a NaN is not modelled, so no floating law may be graded exact. Laws that are
 * false, or graded too high, must be refuted. */
#include "oracle/terms/laws.h"
#include "oracle/terms/same_values.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/test/test_module.h"
#include "oracle/values/element.h"

typedef struct Check {
  const Law *law;
  ElementType type;
  Element values[law_variables];
} Check;

/* An instruction is large, so that there is one for all values. */
static Shape applied_shape;
static Instruction applied = {.shape = &applied_shape};

static Element evaluate(const Check *check, const LawPattern *pattern) {
  Element operands[2], result = {};
  bool is_integral = element_type_is_integral(check->type);
  if (pattern->kind == LAW_VARIABLE) return check->values[pattern->variable];
  if (pattern->kind == LAW_CONSTANT)
    return is_integral ? element_of_integer(check->type, pattern->constant)
                       : element_of_real(check->type, (double)pattern->constant);
  for (uint32_t i = 0; i < pattern->count; i++) operands[i] = evaluate(check, pattern->children[i]);
  applied_shape.type = check->type;
  applied.opcode = pattern->opcode;
  applied.operand_count = pattern->count;
  if (!element_apply(&applied, pattern->count, operands, &result))
    fail_msg("%s: no arithmetic for %s", check->law->name, opcode_name(pattern->opcode));
  return result;
}

static bool holds(const Check *check) {
  Element left = evaluate(check, check->law->left), right = evaluate(check, check->law->right);
  if (element_type_is_integral(check->type)) return left.integer == right.integer;
  if (isnan(left.real) || isnan(right.real)) return isnan(left.real) && isnan(right.real);
  return left.real == right.real;
}

static double real_of_bf16(uint32_t bits) {
  float value;
  uint32_t wide = bits << 16;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static const double edges[] = {
    0, -0.0, 1, -1, 2, 0.5, 3, 1e30, -1e30, 1e-40, 3.4e38, INFINITY, -INFINITY, NAN, 16777217, 0.1};
/* AFFIRM_FEW: a part of the random values and of the bf16 numbers, and of three integers every
 * seventeenth first one. */
static uint32_t few(uint32_t many, uint32_t part) {
  return getenv("AFFIRM_FEW") != nullptr ? part : many;
}
static constexpr uint32_t edge_count = sizeof edges / sizeof *edges;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005 + 1442695040888963407;
  return *state >> 11;
}

static bool holds_on_integers(Check *check, ElementType type) {
  static const int64_t third[] = {0, 1, -1, 2, 3, 7, 100, 127, -128, -127, 64, 85};
  check->type = type;
  int64_t count = type == TYPE_pred ? 2 : 256;
  uint32_t thirds = check->law->variable_count > 2 ? sizeof third / sizeof *third : 1;
  int64_t step = thirds > 1 && type != TYPE_pred ? few(1, 17) : 1;
  for (int64_t x = 0; x < count; x += step)
    for (int64_t y = 0; y < (check->law->variable_count > 1 ? count : 1); y++)
      for (uint32_t z = 0; z < thirds; z++) {
        check->values[0] = element_of_integer(type, x);
        check->values[1] = element_of_integer(type, y);
        check->values[2] = element_of_integer(type, third[z]);
        if (!holds(check)) return false;
      }
  return true;
}

static bool holds_on_bf16(Check *check, uint32_t bits) {
  check->type = TYPE_bf16;
  for (uint32_t y = 0; y < (check->law->variable_count > 1 ? edge_count : 1); y++) {
    check->values[0] = element_of_real(TYPE_bf16, real_of_bf16(bits));
    check->values[1] = element_of_real(TYPE_bf16, edges[y]);
    check->values[2] = element_of_real(TYPE_bf16, edges[(y + bits) % edge_count]);
    if (!holds(check)) return false;
  }
  return true;
}

static bool holds_on_edges(Check *check, ElementType type, double x) {
  check->type = type;
  uint32_t pairs = check->law->variable_count > 2   ? edge_count * edge_count
                   : check->law->variable_count > 1 ? edge_count
                                                    : 1;
  for (uint32_t y = 0; y < pairs; y++) {
    check->values[0] = element_of_real(type, x);
    check->values[1] = element_of_real(type, edges[y % edge_count]);
    check->values[2] = element_of_real(type, edges[y / edge_count]);
    if (!holds(check)) return false;
  }
  return true;
}

static bool holds_at_random(Check *check, ElementType type) {
  uint64_t state = 12345;
  check->type = type;
  for (uint32_t i = 0; i < few(200'000, 2'000); i++) {
    for (uint32_t k = 0; k < 3; k++) {
      uint64_t bits = next_random(&state) << 11 ^ next_random(&state);
      double value;
      memcpy(&value, &bits, sizeof value);
      if (type == TYPE_f32) value = ldexp((double)(int32_t)bits, (int)(bits >> 40) % 200 - 100);
      check->values[k] = element_of_real(type, value);
    }
    if (!holds(check)) return false;
  }
  return true;
}

/* Another order of operations: exact on small integers alone. */
static bool holds_on_small_reals(Check *check) {
  check->type = TYPE_f32;
  for (int x = -8; x <= 8; x++)
    for (int y = -8; y <= 8; y++)
      for (int z = -8; z <= 8; z++) {
        check->values[0] = element_of_real(TYPE_f32, x);
        check->values[1] = element_of_real(TYPE_f32, y);
        check->values[2] = element_of_real(TYPE_f32, z);
        if (!holds(check)) return false;
      }
  return true;
}

static bool law_holds(const Law *law) {
  Check check = {.law = law};
  switch (law->types) {
    case LAW_INTEGRAL:
      return holds_on_integers(&check, TYPE_s8) && holds_on_integers(&check, TYPE_u8);
    case LAW_PRED: return holds_on_integers(&check, TYPE_pred);
    case LAW_FLOATING: break;
  }
  if (law->grade == LAW_EXACT) return false;
  if (law->grade == LAW_FAST) return holds_on_small_reals(&check);
  for (uint32_t bits = 0; bits < 1 << 16; bits += few(1, 61))
    if (!holds_on_bf16(&check, bits)) return false;
  for (uint32_t i = 0; i < edge_count; i++)
    if (!holds_on_edges(&check, TYPE_f32, edges[i]) || !holds_on_edges(&check, TYPE_f64, edges[i]))
      return false;
  return holds_at_random(&check, TYPE_f32) && holds_at_random(&check, TYPE_f64);
}

static void own_laws_hold_at_their_grades(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Laws laws;
  Error error = {};
  uint32_t faults = 0;
  if (!laws_own(arena, &laws, &error)) fail_msg("%u: %s", error.line, error.message);
  assert_true(laws.count >= 40);
  if (few(1, 0) == 0)
    print_message("skipped: of three integers all first ones but every seventeenth\n");
  for (uint32_t i = 0; i < laws.count; i++)
    if (!law_holds(&laws.items[i])) {
      print_error("%s: refuted at its grade\n", laws.items[i].name);
      faults++;
    }
  assert_int_equal(faults, 0);
  arena_destroy(arena);
}

static void false_laws_are_refuted(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "law a: add(x, 1) => x on integral grade exact",
      "law b: subtract(x, y) => subtract(y, x) on integral grade exact",
      "law c: add(add(x, y), z) => add(x, add(y, z)) on floating grade ieee",
      "law d: subtract(x, x) => 0 on floating grade ieee",
      "law e: multiply(x, 0) => 0 on floating grade ieee",
      "law f: add(x, 0) => x on floating grade exact",
      "law g: divide(multiply(x, y), y) => x on integral grade exact",
      "law h: subtract(x, y) => x on floating grade fast",
      "law i: and(x, y) => or(x, y) on pred grade exact",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Bench bench = bench_create();
    Laws laws;
    Error error = {};
    assert_true(laws_read(bench.arena, source_of(&bench, wrong[i]), &laws, &error));
    assert_int_equal(laws.count, 1);
    if (law_holds(&laws.items[0])) fail_msg("not refuted: %s", wrong[i]);
    bench_destroy(&bench);
  }
}

static ValuesAnswer answer_at(Bench *bench, const char *type, LawGrade grade) {
  const Computation *graphs[2];
  static const char *const operands[] = {"a, b", "b, a"};
  ValuesVerdict verdict;
  for (int i = 0; i < 2; i++)
    graphs[i] =
        root_of(bench, arena_printf(bench->arena,
                           "a = %s[] parameter(0)\nb = %s[] parameter(1)\nROOT r = %s[] add(%s)",
                           type, type, type, operands[i]))
            ->parent;
  OracleValues *values =
      oracle_values_create(bench->arena, graphs[0], graphs[1], &(ValuesLimits){.grade = grade});
  oracle_values_ask(values, 0, &verdict);
  return verdict.answer;
}

static void laws_are_used_up_to_the_grade(void **state) {
  (void)state;
  Bench bench = bench_create();
  assert_int_equal(answer_at(&bench, "s32", LAW_NONE), VALUES_SAME_READS);
  assert_int_equal(answer_at(&bench, "s32", LAW_EXACT), VALUES_SAME);
  if (answer_at(&bench, "f32", LAW_EXACT) != VALUES_SAME_READS)
    fail_msg("a law of another grade was used");
  assert_int_equal(answer_at(&bench, "f32", LAW_IEEE), VALUES_SAME);
  bench_destroy(&bench);
}

static void bad_lines_are_rejected(void **state) {
  (void)state;
  static const char *const bad[] = {"law", "law a", "law a: x => x on integral grade exact",
      "law a: add(x, y) => z on integral grade exact", "law a: add(x, y) => x on words grade exact",
      "law a: add(x, y) => x on integral grade good",
      "law a: nothing(x) => x on integral grade exact",
      "law a: add(x, y => x on integral grade exact",
      "law a: add(x, y) => x on integral grade exact x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Bench bench = bench_create();
    Laws laws;
    Error error = {};
    if (laws_read(bench.arena, source_of(&bench, bad[i]), &laws, &error))
      fail_msg("read: %s", bad[i]);
    assert_int_equal(error.kind, ERROR_INPUT);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_laws_hold_at_their_grades),
      cmocka_unit_test(false_laws_are_refuted),
      cmocka_unit_test(laws_are_used_up_to_the_grade),
      cmocka_unit_test(bad_lines_are_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
