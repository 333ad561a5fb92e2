/* Which reshapes keep the memory: all pairs of small shapes in all layouts, against the positions
 * of all elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/hazards/hazard.h"

static constexpr uint32_t most_rank = 3, shape_codes = 1 + 3 + 9 + 27, layouts_of_three = 6;

typedef struct LaidShape {
  int64_t sizes[most_rank];
  uint32_t minor_to_major[most_rank];
  Shape shape;
} LaidShape;

/* Sizes from 1 to 3, and an order of the dimensions; false if there are fewer orders. */
static bool laid_shape(uint32_t code, uint32_t layout, LaidShape *laid) {
  static const uint32_t orders[layouts_of_three][most_rank] = {
      {0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const uint32_t order_counts[] = {1, 1, 2, layouts_of_three};
  uint32_t rank = 0, count = 1;
  for (; code >= count; count *= 3) code -= count, rank++;
  if (layout >= order_counts[rank]) return false;
  for (uint32_t i = 0; i < rank; i++, code /= 3) {
    laid->sizes[i] = 1 + code % 3;
    laid->minor_to_major[i] = orders[layout][i];
  }
  bool is_default = layout + 1 == order_counts[rank];
  laid->shape = (Shape){.type = TYPE_f32,
      .rank = rank,
      .has_layout = !is_default,
      .sizes = laid->sizes,
      .minor_to_major = is_default ? nullptr : laid->minor_to_major};
  return true;
}

static int64_t laid_elements(const LaidShape *laid) {
  int64_t count = 1;
  for (uint32_t i = 0; i < laid->shape.rank; i++) count *= laid->sizes[i];
  return count;
}

/* The position in memory of an element by its number in row-major order. */
static int64_t laid_position(const LaidShape *laid, int64_t element) {
  int64_t index[most_rank] = {}, position = 0, stride = 1;
  for (uint32_t i = laid->shape.rank; i-- > 0; element /= laid->sizes[i])
    index[i] = element % laid->sizes[i];
  for (uint32_t i = 0; i < laid->shape.rank; i++) {
    uint32_t dimension = laid->minor_to_major[i];
    position += index[dimension] * stride;
    stride *= laid->sizes[dimension];
  }
  return position;
}

static bool moves_nothing(const LaidShape *before, const LaidShape *after) {
  for (int64_t element = 0; element < laid_elements(before); element++)
    if (laid_position(before, element) != laid_position(after, element)) return false;
  return true;
}

static bool is_laid_row_major(const LaidShape *laid) {
  for (int64_t element = 0; element < laid_elements(laid); element++)
    if (laid_position(laid, element) != element) return false;
  return true;
}

/* The sizes that are not 1. */
static bool have_equal_sizes(const LaidShape *a, const LaidShape *b) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->shape.rank; i++) {
    if (a->sizes[i] == 1) continue;
    while (k < b->shape.rank && b->sizes[k] == 1) k++;
    if (k == b->shape.rank || b->sizes[k++] != a->sizes[i]) return false;
  }
  return true;
}

/* Of arrays whose sizes differ otherwise, only those in row-major order are known. */
static void a_reshape_keeps_memory_if_no_element_moves(void **) {
  uint32_t kept = 0, moved = 0;
  for (uint32_t a = 0; a < shape_codes * layouts_of_three; a++)
    for (uint32_t b = 0; b < shape_codes * layouts_of_three; b++) {
      LaidShape before = {}, after = {};
      if (!laid_shape(a / layouts_of_three, a % layouts_of_three, &before) ||
          !laid_shape(b / layouts_of_three, b % layouts_of_three, &after) ||
          laid_elements(&before) != laid_elements(&after))
        continue;
      Instruction operand = {.opcode = HLO_PARAMETER, .shape = &before.shape};
      Instruction *operands[] = {&operand};
      const Instruction reshape = {
          .opcode = HLO_RESHAPE, .shape = &after.shape, .operands = operands, .operand_count = 1};
      bool keeps = oracle_hazard_keeps_memory(&reshape), is_kept = moves_nothing(&before, &after);
      bool is_decided = have_equal_sizes(&before, &after) || is_laid_row_major(&before);
      if (keeps ? !is_kept : is_kept && is_decided)
        fail_msg("shapes %u and %u: %s", a, b, keeps ? "an element moves" : "no element moves");
      kept += keeps;
      moved += !keeps;
    }
  assert_true(kept > 1000 && moved > 1000);
}

/* The floats are of the same width. */
static void a_reshape_to_another_float_makes_a_new_array(void **) {
  LaidShape before = {}, after = {};
  Instruction operand = {.opcode = HLO_PARAMETER, .shape = &before.shape};
  Instruction *operands[] = {&operand};
  const Instruction reshape = {
      .opcode = HLO_RESHAPE, .shape = &after.shape, .operands = operands, .operand_count = 1};
  before.shape.type = after.shape.type = TYPE_f16;
  assert_true(oracle_hazard_keeps_memory(&reshape));
  after.shape.type = TYPE_bf16;
  assert_false(oracle_hazard_keeps_memory(&reshape));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reshape_keeps_memory_if_no_element_moves),
      cmocka_unit_test(a_reshape_to_another_float_makes_a_new_array),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
