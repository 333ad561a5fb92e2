/* Test support: random arithmetic on an offset, from a byte, constants and an s32, as text and with
 * its values. */
#ifndef ORACLE_EQUIVALENCE_TEST_OFFSET_STEPS_H
#define ORACLE_EQUIVALENCE_TEST_OFFSET_STEPS_H

#include <stdint.h>

#include "core/base/text.h"

static uint64_t state_of_cases = 17;

static uint32_t case_below(uint32_t end) {
  state_of_cases = state_of_cases * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_cases >> 33) % end;
}

typedef enum CaseStepKind : uint8_t {
  OFFSET_CONSTANT,
  OFFSET_BYTE, /* of s8 or u8, converted to s32 */
  OFFSET_WIDE, /* an s32 */
  OFFSET_ADD,
  OFFSET_SUBTRACT,
  OFFSET_MULTIPLY,
  OFFSET_MAXIMUM,
  OFFSET_MINIMUM,
  OFFSET_CLAMP,
  OFFSET_NARROW,  /* converted to a byte and back */
  OFFSET_COMPARE, /* greater or equal, converted from pred */
  OFFSET_SELECT,  /* `c` if `a` is less than `b`, else 3 */
  OFFSET_AND,     /* with the value, as are the next ones */
  OFFSET_DIVIDE,
  OFFSET_REMAINDER,
  OFFSET_SHIFT_LEFT,
  OFFSET_SHIFT_RIGHT, /* arithmetic */
  OFFSET_SHIFT_DOWN,  /* logical */
} CaseStepKind;

static constexpr uint32_t most_case_steps = 9;

typedef struct CaseSteps {
  uint32_t count;
  bool is_signed; /* the byte */
  struct {
    CaseStepKind kind;
    uint32_t a, b, c;
    int32_t value;
  } steps[most_case_steps];
} CaseSteps;

/* The last steps use the ones before them more often. */
static uint32_t case_operand(uint32_t step) {
  return case_below(2) == 0 ? step - 1 : case_below(step);
}

static int32_t draw_step_value(CaseStepKind kind) {
  static const int32_t divisors[] = {1, 2, 3, 5, 8, -2, -3, 100};
  if (kind == OFFSET_DIVIDE || kind == OFFSET_REMAINDER) return divisors[case_below(8)];
  if (kind >= OFFSET_SHIFT_LEFT) return (int32_t)case_below(6);
  int32_t any = (int32_t)case_below(14) - 1;
  return case_below(6) == 0 ? 200 + (int32_t)case_below(60) : any;
}

/* The first steps are an s32 or a constant, the byte, and a constant. */
[[maybe_unused]] static CaseSteps draw_steps(bool has_wide) {
  CaseSteps made = {.count = 5 + case_below(most_case_steps - 4), .is_signed = case_below(2) == 0};
  for (uint32_t i = 0; i < made.count; i++) {
    uint32_t most = i == 0 ? 1 : i + 1;
    CaseStepKind kind =
        i < 3 ? (CaseStepKind)(2 - i)
              : (CaseStepKind)(OFFSET_ADD + case_below(OFFSET_SHIFT_DOWN - OFFSET_ADD + 1));
    if (i == 0 && !has_wide) kind = OFFSET_CONSTANT;
    if (i > 3 && i + 1 < made.count && case_below(4) == 0) kind = OFFSET_CONSTANT;
    made.steps[i].kind = kind;
    made.steps[i].a = most == 1 ? 0 : case_operand(i);
    made.steps[i].b = most == 1 ? 0 : case_operand(i);
    made.steps[i].c = most == 1 ? 0 : case_operand(i);
    made.steps[i].value = draw_step_value(kind);
  }
  if (case_below(2) ==
      0) { /* a clamp of the constant, the byte and the wide integer, in any order */
    uint32_t first = case_below(3), second = (first + 1 + case_below(2)) % 3;
    made.steps[3].kind = OFFSET_CLAMP;
    made.steps[3].a = first;
    made.steps[3].b = second;
    made.steps[3].c = 3 - first - second;
  }
  return made;
}

static int32_t step_clamped(int32_t lo, int32_t x, int32_t hi) {
  int32_t raised = x < lo ? lo : x;
  return raised > hi ? hi : raised;
}

[[maybe_unused]] static int32_t step_result(
    const CaseSteps *made, uint32_t i, const int32_t *values, int32_t byte, int32_t wide) {
  int32_t a = values[made->steps[i].a], b = values[made->steps[i].b], c = values[made->steps[i].c],
          value = made->steps[i].value;
  switch (made->steps[i].kind) {
    case OFFSET_CONSTANT: return value;
    case OFFSET_BYTE: return byte;
    case OFFSET_WIDE: return wide;
    case OFFSET_ADD: return (int32_t)((uint32_t)a + (uint32_t)b);
    case OFFSET_SUBTRACT: return (int32_t)((uint32_t)a - (uint32_t)b);
    case OFFSET_MULTIPLY: return (int32_t)((uint32_t)a * (uint32_t)b);
    case OFFSET_MAXIMUM: return a > b ? a : b;
    case OFFSET_MINIMUM: return a < b ? a : b;
    case OFFSET_CLAMP: return step_clamped(a, b, c);
    case OFFSET_NARROW: return made->is_signed ? (int8_t)a : (uint8_t)a;
    case OFFSET_COMPARE: return a >= b;
    case OFFSET_SELECT: return a < b ? c : 3;
    case OFFSET_AND: return a & value;
    case OFFSET_DIVIDE: return a / value;
    case OFFSET_REMAINDER: return a % value;
    case OFFSET_SHIFT_LEFT: return (int32_t)((uint32_t)a << value);
    case OFFSET_SHIFT_RIGHT: return a >> value;
    case OFFSET_SHIFT_DOWN: return (int32_t)((uint32_t)a >> value);
  }
  return 0;
}

[[maybe_unused]] static void print_step_text(Text *text, const CaseSteps *made, uint32_t i) {
  static const char *const names[] = {[OFFSET_AND] = "and",
      [OFFSET_DIVIDE] = "divide",
      [OFFSET_REMAINDER] = "remainder",
      [OFFSET_SHIFT_LEFT] = "shift-left",
      [OFFSET_SHIFT_RIGHT] = "shift-right-arithmetic",
      [OFFSET_SHIFT_DOWN] = "shift-right-logical",
      [OFFSET_ADD] = "add",
      [OFFSET_SUBTRACT] = "subtract",
      [OFFSET_MULTIPLY] = "multiply",
      [OFFSET_MAXIMUM] = "maximum",
      [OFFSET_MINIMUM] = "minimum"};
  const char *byte = made->is_signed ? "s8" : "u8";
  uint32_t a = made->steps[i].a, b = made->steps[i].b, c = made->steps[i].c;
  CaseStepKind kind = made->steps[i].kind;
  if (kind == OFFSET_CONSTANT)
    text_printf(text, "v%u = s32[] constant(%d)\n", i, made->steps[i].value);
  else if (kind == OFFSET_BYTE) text_printf(text, "v%u = s32[] convert(q)\n", i);
  else if (kind == OFFSET_WIDE) text_printf(text, "v%u = s32[] parameter(1)\n", i);
  else if (kind == OFFSET_CLAMP)
    text_printf(text, "v%u = s32[] clamp(v%u, v%u, v%u)\n", i, a, b, c);
  else if (kind == OFFSET_NARROW)
    text_printf(text, "n%u = %s[] convert(v%u)\nv%u = s32[] convert(n%u)\n", i, byte, a, i, i);
  else if (kind == OFFSET_COMPARE)
    text_printf(text, "c%u = pred[] compare(v%u, v%u), direction=GE\nv%u = s32[] convert(c%u)\n", i,
        a, b, i, i);
  else if (kind == OFFSET_SELECT)
    text_printf(text,
        "c%u = pred[] compare(v%u, v%u), direction=LT\nk%u = s32[] constant(3)\nv%u = s32[] "
        "select(c%u, v%u, k%u)\n",
        i, a, b, i, i, i, c, i);
  else if (kind >= OFFSET_AND)
    text_printf(text, "k%u = s32[] constant(%d)\nv%u = s32[] %s(v%u, k%u)\n", i,
        made->steps[i].value, i, names[kind], a, i);
  else text_printf(text, "v%u = s32[] %s(v%u, v%u)\n", i, names[kind], a, b);
}

/* ---- arrays of which the element at the offset is taken ---- */

static constexpr uint32_t table_size = 12;

/* The positions that some of the tried values lead to. */
[[maybe_unused]] static uint32_t reached_positions(const CaseSteps *made) {
  uint32_t reached = 0;
  for (int32_t byte = made->is_signed ? -128 : 0; byte <= (made->is_signed ? 127 : 255); byte++)
    for (int32_t code = 0; code < 2 * 40 + 4; code++) {
      static const int32_t ends[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, INT32_MAX};
      int32_t wide = code < 4 ? ends[code] : (code - 4) * 7 - 280 + (byte & 3);
      int32_t values[most_case_steps];
      for (uint32_t i = 0; i < made->count; i++)
        values[i] = step_result(made, i, values, byte, wide);
      reached |= 1u << step_clamped(0, values[made->count - 1], (int32_t)table_size - 1);
    }
  return reached;
}

/* The element of the array at the offset; with a negated element at `changed` of the array. */
[[maybe_unused]] static const char *steps_text(
    Arena *arena, const CaseSteps *made, uint32_t changed) {
  Text text = text_create(arena);
  text_printf(&text, "HloModule m\nENTRY e {\np = f32[%u] parameter(0)\nq = %s[] parameter(2)\n",
      table_size, made->is_signed ? "s8" : "u8");
  if (made->steps[0].kind != OFFSET_WIDE) text_string(&text, "w = s32[] parameter(1)\n");
  for (uint32_t i = 0; i < made->count; i++) print_step_text(&text, made, i);
  if (changed < table_size)
    text_printf(&text,
        "one = f32[1] slice(p), slice={[%u:%u]}\nn = f32[1] negate(one)\nk = s32[] constant(%u)\n"
        "t = f32[%u] dynamic-update-slice(p, n, k)\n",
        changed, changed + 1, changed, table_size);
  text_printf(&text, "ROOT d = f32[1] dynamic-slice(%s, v%u), dynamic_slice_sizes={1}\n}\n",
      changed < table_size ? "t" : "p", made->count - 1);
  return text.bytes;
}

#endif
