/* Windows that fold all elements of f[2,2] once, with more or less padding and holes around them:
 * two of them have the same value if they have as many positions, or if the initial value may be
 * folded once more. Of floats the padding must also be at the same places of the sequence. A
 * reduction has no padding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/values/test/values_status.h"

/* One dimension of a window whose only output is over everything. */
typedef struct PaddedDim {
  uint32_t low, high, dilation;
} PaddedDim;

/* No dimension has padding or holes in a reduction. */
typedef struct PaddedFold {
  bool is_reduction;
  PaddedDim dims[2];
} PaddedFold;

static constexpr uint32_t operand_size = 2;

/* The operand's elements, the holes between them, and the padding at both ends. */
static uint32_t padded_size(PaddedDim dim) {
  return dim.low + dim.dilation * (operand_size - 1) + 1 + dim.high;
}

static uint32_t padded_positions(const PaddedFold *fold) {
  return padded_size(fold->dims[0]) * padded_size(fold->dims[1]);
}

static bool is_element(PaddedDim dim, uint32_t at) {
  return at >= dim.low && at < padded_size(dim) - dim.high && (at - dim.low) % dim.dilation == 0;
}

/* Whether the position of the sequence, in row-major order, is an element. */
static bool has_element_at(const PaddedFold *fold, uint32_t position) {
  uint32_t columns = padded_size(fold->dims[1]);
  return is_element(fold->dims[0], position / columns) &&
         is_element(fold->dims[1], position % columns);
}

static bool have_same_places(const PaddedFold *a, const PaddedFold *b) {
  uint32_t count = padded_positions(a);
  bool is_same = count == padded_positions(b);
  for (uint32_t i = 0; i < count && is_same; i++)
    is_same = has_element_at(a, i) == has_element_at(b, i);
  return is_same;
}

/* Windows with holes are matched only if they are the same. */
static bool has_holes(const PaddedFold *fold) {
  return fold->dims[0].dilation > 1 || fold->dims[1].dilation > 1;
}

static const char *padded_fold_text(const PaddedFold *fold, const char *type) {
  const PaddedDim *x = &fold->dims[0], *y = &fold->dims[1];
  if (fold->is_reduction)
    return arena_printf(arena, "ROOT r = %s[] reduce(p, z), dimensions={0,1}, to_apply=f\n", type);
  return arena_printf(arena,
      "w = %s[1,1] reduce-window(p, z), window={size=%ux%u pad=%u_%ux%u_%u lhs_dilate=%ux%u}, "
      "to_apply=f\nROOT r = %s[] reshape(w)\n",
      type, padded_size(*x), padded_size(*y), x->low, x->high, y->low, y->high, x->dilation,
      y->dilation, type);
}

static const Computation *padded_graph(
    const PaddedFold *fold, const char *type, const char *opcode, const char *initial) {
  return values_entry(arena_printf(arena,
      "HloModule m\nf { x = %s[] parameter(0) y = %s[] parameter(1) ROOT s = %s[] %s(x, y) }\n"
      "ENTRY e { p = %s[2,2] parameter(0) z = %s[] constant(%s)\n%s}\n",
      type, type, type, opcode, type, type, initial, padded_fold_text(fold, type)));
}

static const PaddedFold padded_folds[] = {
    {.is_reduction = true, .dims = {{0, 0, 1}, {0, 0, 1}}}, /*  4 positions */
    {.dims = {{0, 0, 1}, {0, 1, 1}}},                       /*  6 */
    {.dims = {{1, 0, 1}, {0, 0, 1}}},                       /*  6 */
    {.dims = {{1, 1, 1}, {1, 0, 1}}},                       /* 12 */
    {.dims = {{0, 0, 1}, {3, 1, 1}}},                       /* 12 */
    {.dims = {{0, 0, 2}, {0, 2, 1}}},                       /* 12 */
    {.dims = {{0, 0, 1}, {0, 0, 2}}},                       /*  6 */
};

/* `repeats`: op(initial, initial) is the initial value, bit by bit. */
static const struct {
  const char *type, *opcode, *initial;
  bool repeats;
} padded_rows[] = {
    {"f32", "add", "0", true},
    {"f32", "add", "-0", true},
    {"f32", "add", "1", false},
    {"f32", "multiply", "1", true},
    {"f32", "multiply", "0", true},
    {"f32", "multiply", "-0", false},
    {"f32", "multiply", "2", false},
    {"f32", "maximum", "3", true},
    {"s32", "minimum", "3", true},
    {"s32", "add", "0", true},
    {"s32", "add", "-1", false},
    {"s32", "multiply", "-1", false},
    {"pred", "and", "false", true},
    {"s32", "or", "5", true},
    {"s32", "xor", "5", false},
};

static void padding_counts_if_the_initial_value_does_not_repeat(void **) {
  static constexpr uint32_t count = sizeof padded_folds / sizeof *padded_folds;
  const uint32_t step = test_length(1, 4, 12);
  for (uint32_t row = 0, at = 0; row < sizeof padded_rows / sizeof *padded_rows; row++)
    for (uint32_t pair = 0; pair < count * count; pair++, at++) {
      if (at % step != 0) continue;
      const PaddedFold *a = &padded_folds[pair / count], *b = &padded_folds[pair % count];
      const char *type = padded_rows[row].type, *opcode = padded_rows[row].opcode,
                 *initial = padded_rows[row].initial;
      bool is_same =
          padded_rows[row].repeats ||
          (type[0] == 'f' ? have_same_places(a, b) : padded_positions(a) == padded_positions(b));
      VerdictStatus status = values_status(padded_graph(a, type, opcode, initial),
          padded_graph(b, type, opcode, initial), LAW_EXACT);
      bool is_wanted = is_same && (a == b || (!has_holes(a) && !has_holes(b)));
      if (is_wanted ? status != VERDICT_PROVED : status == VERDICT_PROVED && !is_same)
        fail_msg("%s %s(%s), %u and %u positions: status %u\n%s%s", type, opcode, initial,
            padded_positions(a), padded_positions(b), status, padded_fold_text(a, type),
            padded_fold_text(b, type));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(
          padding_counts_if_the_initial_value_does_not_repeat, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
