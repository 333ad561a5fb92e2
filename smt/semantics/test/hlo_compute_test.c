/* The formula of every integral operation against machine arithmetic, for all values of all types
 * of up to four bits: of constants, of free operands, and of both. Which of them have a formula is
 * stated too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "smt/semantics/hlo_reading.h"
#include "smt/values/test/values_status.h"

static const char *const types[] = {"pred", "s1", "u1", "s2", "u2", "s4", "u4"};
static const uint32_t widths[] = {1, 1, 1, 2, 2, 4, 4};
static constexpr uint32_t type_count = sizeof types / sizeof *types, most_operands = 3;

static bool is_signed_type(uint32_t type) { return types[type][0] == 's'; }

/* The value of these bits. */
static int64_t of_bits(uint32_t type, int64_t bits) {
  int64_t span = INT64_C(1) << widths[type], low = bits & (span - 1);
  return is_signed_type(type) && low >= span / 2 ? low - span : low;
}

typedef enum FormulaOf : uint8_t {
  OF_ALL,        /* all operands */
  OF_A_CONSTANT, /* one constant operand */
  OF_THE_SECOND, /* a constant second operand */
  OF_CONSTANTS,  /* constants alone */
  OF_LOW_BITS,   /* constants, or one constant 2^n - 1 */
} FormulaOf;

typedef struct ComputedRow {
  const char *text; /* of the instruction, without its type */
  uint32_t operands;
  FormulaOf of;
  bool has_pred; /* a formula for predicates */
} ComputedRow;

static const ComputedRow rows[] = {{"add(p0, p1)", 2, OF_ALL, false},
    {"subtract(p0, p1)", 2, OF_ALL, false}, {"multiply(p0, p1)", 2, OF_A_CONSTANT, false},
    {"divide(p0, p1)", 2, OF_THE_SECOND, false}, {"remainder(p0, p1)", 2, OF_THE_SECOND, false},
    {"maximum(p0, p1)", 2, OF_ALL, true}, {"minimum(p0, p1)", 2, OF_ALL, true},
    {"and(p0, p1)", 2, OF_LOW_BITS, true}, {"or(p0, p1)", 2, OF_CONSTANTS, true},
    {"xor(p0, p1)", 2, OF_CONSTANTS, true}, {"shift-left(p0, p1)", 2, OF_THE_SECOND, false},
    {"shift-right-arithmetic(p0, p1)", 2, OF_THE_SECOND, false},
    {"shift-right-logical(p0, p1)", 2, OF_THE_SECOND, false}, {"not(p0)", 1, OF_ALL, true},
    {"negate(p0)", 1, OF_ALL, false}, {"abs(p0)", 1, OF_ALL, false}, {"sign(p0)", 1, OF_ALL, false},
    {"popcnt(p0)", 1, OF_CONSTANTS, false}, {"count-leading-zeros(p0)", 1, OF_CONSTANTS, false},
    {"clamp(p0, p1, p2)", 3, OF_ALL, true}};

static int64_t bits_set(uint32_t type, int64_t a) {
  int64_t count = 0;
  for (uint32_t i = 0; i < widths[type]; i++) count += a >> i & 1;
  return count;
}

static int64_t zeros_leading(uint32_t type, int64_t a) {
  int64_t count = 0;
  while (count < widths[type] && (a >> (widths[type] - 1 - count) & 1) == 0) count++;
  return count;
}

static int64_t computed_by_machine(const char *text, uint32_t type, const int64_t *x) {
  int64_t a = x[0], b = x[1], bits = widths[type], mask = (INT64_C(1) << bits) - 1;
  bool is_out = b < 0 || b >= bits;
  switch (text[0]) {
    case 'a': return text[1] == 'd' ? a + b : text[1] == 'n' ? a & b : a < 0 ? -a : a;
    case 'm': return text[1] == 'u' ? a * b : text[1] == 'a' ? (a > b ? a : b) : (a < b ? a : b);
    case 'd': return b == 0 ? -1 : a / b;
    case 'r': return b == 0 ? a : a % b;
    case 'o': return a | b;
    case 'x': return a ^ b;
    case 'n': return text[1] == 'o' ? ~a : -a;
    case 'p': return bits_set(type, a);
    case 'c':
      if (text[1] == 'o') return zeros_leading(type, a);
      return (a > b ? a : b) < x[2] ? (a > b ? a : b) : x[2];
    default:
      if (text[1] == 'u') return a - b;
      if (text[1] == 'i') return (a > 0) - (a < 0);
      if (text[6] == 'l') return is_out ? 0 : a * ((int64_t)1 << b);
      if (text[12] == 'l') return is_out ? 0 : (a & mask) >> b;
      /* the sign is the highest bit, of unsigned numbers too */
      return ((a & mask) >> (bits - 1) == 0 ? a & mask : (a & mask) - mask - 1) >>
             (is_out ? bits - 1 : b);
  }
}

static bool has_formula(
    const ComputedRow *row, uint32_t type, uint32_t constants, const int64_t *x) {
  uint32_t all = (1U << row->operands) - 1;
  if (type == 0) return row->has_pred;
  if (row->of == OF_ALL || constants == all) return true;
  if (row->of == OF_A_CONSTANT) return constants != 0;
  if (row->of == OF_THE_SECOND) return (constants & 2) != 0;
  if (row->of == OF_CONSTANTS || constants == 0) return false;
  int64_t c = x[constants == 1 ? 0 : 1];
  return c >= 0 && (c & (c + 1)) == 0;
}

/* Operands and formula of one instruction. The values of operands that are not constant are those
 * of atoms. */
typedef struct Computed {
  Sums *sums;
  uint32_t atoms[most_operands];
  Sum operands[most_operands], value;
  bool has_value;
} Computed;

static Computed compute(const Instruction *root, uint32_t constants, const int64_t *x) {
  Computed made = {.sums = sums_create(arena)};
  for (uint32_t i = 0; i < root->operand_count; i++) {
    Wide lo, hi;
    assert_true(hlo_type_range(root->operands[i]->shape->type, &lo, &hi));
    made.operands[i] = sum_free_within(made.sums, "x", lo, hi);
    assert_true(sum_is_atom(made.sums, made.operands[i], &made.atoms[i]));
    if ((constants >> i & 1) != 0) made.operands[i] = sum_of_constant(made.sums, x[i]);
  }
  made.has_value = hlo_compute(made.sums, root, made.operands, &made.value);
  assert_false(made.sums->overflow);
  return made;
}

static int64_t computed_at(const Computed *made, uint32_t count, const int64_t *x) {
  Wide *values = ARENA_NEW(arena, Wide, made->sums->atom_count), value;
  for (uint32_t i = 0; i < count; i++) values[made->atoms[i]] = x[i];
  assert_true(sums_complete(made->sums, values));
  assert_true(sum_evaluate(made->sums, values, made->value, &value));
  return (int64_t)value;
}

static const Instruction *instruction_of(
    const char *result, const char *text, uint32_t count, const char *const *parameters) {
  Text module = text_create(arena);
  text_string(&module, "HloModule m\nENTRY e {\n");
  for (uint32_t i = 0; i < count; i++)
    text_printf(&module, "p%u = %s[] parameter(%u)\n", i, parameters[i], i);
  text_printf(&module, "ROOT r = %s[] %s\n}\n", result, text);
  return values_entry(module.bytes)->root;
}

static void set_values(uint32_t type, uint32_t count, uint32_t code, int64_t *x) {
  for (uint32_t i = 0; i < count; i++) x[i] = of_bits(type, code >> i * widths[type]);
}

static void check_row(const ComputedRow *row, uint32_t type) {
  const char *parameters[] = {types[type], types[type], types[type]};
  const Instruction *root = instruction_of(types[type], row->text, row->operands, parameters);
  uint32_t codes = 1U << row->operands * widths[type];
  for (uint32_t constants = 0; constants < 1U << row->operands; constants++) {
    ArenaMark mark = arena_mark(arena);
    for (uint32_t fixed = 0; fixed < codes; fixed++) {
      /* `fixed` has the bits of the constants, and only these */
      uint32_t kept = 0, ones = (1U << widths[type]) - 1;
      for (uint32_t i = 0; i < row->operands; i++)
        if ((constants >> i & 1) != 0) kept |= ones << i * widths[type];
      if ((fixed & ~kept) != 0) continue;
      int64_t x[most_operands] = {};
      set_values(type, row->operands, fixed, x);
      Computed made = compute(root, constants, x);
      if (made.has_value != has_formula(row, type, constants, x))
        fail_msg("%s %s: constants %u", types[type], row->text, constants);
      for (uint32_t code = 0; made.has_value && code < codes; code++) {
        if ((code & kept) != fixed) continue;
        set_values(type, row->operands, code, x);
        int64_t wanted = of_bits(type, computed_by_machine(row->text, type, x));
        if (computed_at(&made, row->operands, x) != wanted)
          fail_msg("%s %s of %d, %d, %d is %d", types[type], row->text, (int)x[0], (int)x[1],
              (int)x[2], (int)wanted);
      }
      arena_rewind(arena, mark);
    }
  }
}

static void formulas_are_the_machines(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t type = 0; type < type_count; type++) {
      bool is_of_signed =
          strncmp(rows[i].text, "abs", 3) == 0 || strncmp(rows[i].text, "sign", 4) == 0;
      bool is_known = is_of_signed ? is_signed_type(type) : rows[i].has_pred || type > 0;
      if (is_known && (rows[i].operands < 3 || widths[type] < 4)) check_row(&rows[i], type);
    }
}

static void comparisons_are_of_integers(void **) {
  static const char *const directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  for (uint32_t type = 0; type < type_count; type++)
    for (uint32_t d = 0; d < 6; d++) {
      const char *parameters[] = {types[type], types[type]};
      const Instruction *root = instruction_of("pred",
          arena_printf(arena, "compare(p0, p1), direction=%s", directions[d]), 2, parameters);
      Computed made = compute(root, 0, nullptr);
      assert_true(made.has_value);
      for (uint32_t code = 0; code < 1U << 2 * widths[type]; code++) {
        int64_t x[2];
        set_values(type, 2, code, x);
        const bool holds[] = {
            x[0]<x[1], x[0] <= x[1], x[0]> x[1], x[0] >= x[1], x[0] == x[1], x[0] != x[1]};
        assert_int_equal(computed_at(&made, 2, x), holds[d]);
      }
    }
}

static void conversions_keep_the_low_bits(void **) {
  for (uint32_t from = 0; from < type_count; from++)
    for (uint32_t to = 0; to < type_count; to++) {
      const Instruction *root = instruction_of(types[to], "convert(p0)", 1, &types[from]);
      Computed made = compute(root, 0, nullptr);
      assert_true(made.has_value);
      for (uint32_t code = 0; code < 1U << widths[from]; code++) {
        int64_t x = of_bits(from, code);
        assert_int_equal(computed_at(&made, 1, &x), to == 0 ? x != 0 : of_bits(to, x));
      }
    }
}

static void selections_are_of_either(void **) {
  for (uint32_t type = 0; type < type_count; type++)
    for (uint32_t constants = 0; constants < 8; constants++)
      for (uint32_t code = 0; code < 1U << (1 + 2 * widths[type]); code++) {
        const char *parameters[] = {"pred", types[type], types[type]};
        ArenaMark mark = arena_mark(arena);
        const Instruction *root = instruction_of(types[type], "select(p0, p1, p2)", 3, parameters);
        int64_t x[3] = {code & 1};
        set_values(type, 2, code >> 1, x + 1);
        Computed made = compute(root, constants, x);
        assert_true(made.has_value);
        assert_int_equal(computed_at(&made, 3, x), x[0] != 0 ? x[1] : x[2]);
        arena_rewind(arena, mark);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_are_the_machines),
      cmocka_unit_test(comparisons_are_of_integers),
      cmocka_unit_test(conversions_keep_the_low_bits),
      cmocka_unit_test(selections_are_of_either),
  };
  return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
