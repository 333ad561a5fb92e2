/* Evaluates a narrow program at many points at once, one loop per step, so that the compiler can
 * vectorise.
 * Where the planned interval allows it, a division by a constant is a multiplication and a shift,
 * and a product has 32-bit operands. The loops are compiled twice, for every machine and for
 * machines with 256-bit vectors; the choice is made at run time. */
#include "oracle/evaluate/program.h"

typedef int64_t *restrict ColumnValues;
typedef const int64_t *restrict ColumnInput;

[[gnu::always_inline]] static inline void divide_planned(
    const ProgramStep *step, int64_t add, uint32_t count, ColumnInput x, ColumnValues q) {
  assert(step->value > 0 && step->offset % step->value == 0);
  uint64_t multiplier = step->multiplier;
  uint32_t shift = step->shift;
  int64_t less = step->offset / step->value;
  add += step->offset;
  for (uint32_t i = 0; i < count; i++)
    q[i] = (int64_t)((uint64_t)(uint32_t)(x[i] + add) * (uint32_t)multiplier >> shift) - less;
}

[[gnu::always_inline]] static inline void floordiv(
    const ProgramStep *step, uint32_t count, ColumnInput x, ColumnValues q) {
  int64_t c = step->value;
  assert(c > 0);
  if (step->multiplier != 0 && step->multiplier <= UINT32_MAX) {
    divide_planned(step, 0, count, x, q);
    return;
  }
  for (uint32_t i = 0; i < count; i++) q[i] = x[i] / c - (x[i] % c < 0);
}

[[gnu::always_inline]] static inline void ceildiv(
    const ProgramStep *step, uint32_t count, ColumnInput x, ColumnValues q) {
  int64_t c = step->value;
  assert(c > 0);
  if (step->multiplier != 0 && step->multiplier <= UINT32_MAX) {
    divide_planned(step, c - 1, count, x, q);
    return;
  }
  for (uint32_t i = 0; i < count; i++) q[i] = x[i] / c + (x[i] % c > 0);
}

/* The remainder of the moved numerator, which equals that of the numerator. Quotient and remainder
 * are below 2^31. */
[[gnu::always_inline]] static inline void mod_planned(
    const ProgramStep *step, uint32_t count, ColumnInput x, ColumnValues r) {
  uint32_t multiplier = (uint32_t)step->multiplier, c = (uint32_t)step->value;
  uint32_t shift = step->shift;
  int64_t offset = step->offset;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t moved = (uint32_t)(x[i] + offset);
    uint64_t q = (uint64_t)moved * multiplier >> shift;
    r[i] = (int64_t)(moved - (uint64_t)(uint32_t)q * c);
  }
}

[[gnu::always_inline]] static inline void mod(
    const ProgramStep *step, uint32_t count, ColumnInput x, ColumnValues r) {
  int64_t c = step->value;
  assert(c > 0);
  if (step->multiplier != 0 && step->multiplier <= UINT32_MAX) {
    mod_planned(step, count, x, r);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    int64_t remainder = x[i] % c;
    r[i] = remainder < 0 ? remainder + c : remainder;
  }
}

[[gnu::always_inline]] static inline void multiply(
    const ProgramStep *step, uint32_t count, ColumnInput a, ColumnInput b, ColumnValues product) {
  if (step->is_short)
    for (uint32_t i = 0; i < count; i++)
      product[i] = (int64_t)((uint64_t)(uint32_t)a[i] * (uint32_t)b[i]);
  else
    for (uint32_t i = 0; i < count; i++) product[i] = a[i] * b[i];
}

[[gnu::always_inline]] static inline void apply(
    const ProgramStep *step, uint32_t count, ColumnInput a, ColumnInput b, ColumnValues result) {
  switch (step->op) {
    case EXPR_VAR:
    case EXPR_CONST: return;
    case EXPR_ADD:
      for (uint32_t i = 0; i < count; i++) result[i] = a[i] + b[i];
      return;
    case EXPR_MUL: multiply(step, count, a, b, result); return;
    case EXPR_FLOORDIV: floordiv(step, count, a, result); return;
    case EXPR_CEILDIV: ceildiv(step, count, a, result); return;
    case EXPR_MOD: mod(step, count, a, result); return;
    case EXPR_MIN:
      for (uint32_t i = 0; i < count; i++) result[i] = a[i] < b[i] ? a[i] : b[i];
      return;
    case EXPR_MAX:
      for (uint32_t i = 0; i < count; i++) result[i] = a[i] > b[i] ? a[i] : b[i];
      return;
  }
}

[[gnu::always_inline]] static inline void keep_within(
    uint32_t count, ColumnInput values, Interval in, uint8_t *inside) {
  for (uint32_t i = 0; i < count; i++)
    inside[i] &= (uint8_t)((values[i] >= in.lo) & (values[i] <= in.hi));
}

[[gnu::always_inline]] static inline void keep_bounds(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  const Map *map = program->map;
  for (uint32_t slot = 0; slot < program->variable_count; slot++) {
    Interval bounds = map_variable(map, slot)->bounds, box = program->box[slot];
    if (box.lo < bounds.lo || box.hi > bounds.hi) keep_within(count, columns[slot], bounds, inside);
  }
}

void program_fill_constants(const Program *program, uint32_t capacity, int64_t **columns) {
  for (uint32_t i = 0; i < program->step_count; i++)
    for (uint32_t k = 0; k < capacity && program->steps[i].op == EXPR_CONST; k++)
      columns[program->steps[i].slot][k] = program->steps[i].value;
}

[[gnu::always_inline]] static inline void evaluate(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  for (uint32_t i = 0; i < count; i++) inside[i] = 1;
  keep_bounds(program, count, columns, inside);
  for (uint32_t i = 0; i < program->step_count; i++) {
    const ProgramStep *step = &program->steps[i];
    apply(step, count, columns[step->left], columns[step->right], columns[step->slot]);
  }
  for (uint32_t i = 0; i < program->map->constraint_count; i++)
    keep_within(count, columns[program->constraints[i]], program->map->constraints[i].in, inside);
}

void program_columns_anywhere(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  assert(program->is_narrow);
  evaluate(program, count, columns, inside);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] static void evaluate_wide(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  evaluate(program, count, columns, inside);
}

static bool has_wide_vectors(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
static void evaluate_wide(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  program_columns_anywhere(program, count, columns, inside);
}

static bool has_wide_vectors(void) { return false; }
#endif

void program_columns(const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  assert(program->is_narrow);
  if (has_wide_vectors()) evaluate_wide(program, count, columns, inside);
  else program_columns_anywhere(program, count, columns, inside);
}
