/* Writes the nest: chooses the width and the loop order, writes loops with their carried values,
 * and adds each row to i64 values. Names in the text are unique: %x.. for carried values, %l.. for
 * results of loops, %v.. for everything else. */
#include "core/adapters/mlir/kernel_nest.h"

#include <assert.h>
#include <inttypes.h>

#include "core/adapters/mlir/box.h"

static constexpr uint64_t slab_of_slow_rows = 4096;

static uint64_t largest_of(uint32_t width) { return width == 32 ? INT32_MAX : INT64_MAX; }

/* Checks that loop ends (hi + 1) and the number of points in a row fit. If the map's bounds are
 * narrower than the box's, the differences that test them must fit too. */
static bool variable_fits(NestVariable box, NestVariable map, uint64_t most) {
  bool same = box.bounds.lo == map.bounds.lo && box.bounds.hi == map.bounds.hi;
  return magnitude_of_interval(box.bounds) <= (same ? most - 1 : most / 2) &&
         interval_length(box.bounds) <= most;
}

/* Checks that values, including MLIR's expansions of divisions (-1 - x for floordiv), stay within
 * `most` in magnitude. Conditions are differences of at most twice the magnitude. */
static bool fits_width(KernelNest *nest, const Map *map, uint64_t most) {
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    if (!variable_fits(nest_variable(nest->kernel->box, i), nest_variable(map, i), most))
      return false;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Magnitude size = magnitude(&nest->sizes, map->constraints[i].expr);
    if (size.peak > most || size.value > most / 2) return false;
  }
  for (uint32_t i = 0; i < map->result_count; i++)
    if (magnitude(&nest->sizes, map->results[i]).peak > most) return false;
  return true;
}

bool kernel_choose_width(KernelNest *nest, const Map *a, const Map *b, uint32_t least) {
  for (uint32_t width = least; width <= 64; width += 32) {
    nest->kernel->width = width;
    if (fits_width(nest, a, largest_of(width)) && fits_width(nest, b, largest_of(width)))
      return true;
  }
  return error_set(
      nest->error, ERROR_OVERFLOW, "an expression could leave int64 where it is regrouped");
}

static uint64_t length_of(NestVariable variable) { return interval_length(variable.bounds); }

static bool is_same_variable(NestVariable a, NestVariable b) {
  return a.kind == b.kind && a.index == b.index;
}

static void choose_slabs(KernelNest *nest) {
  Kernel *kernel = nest->kernel;
  assert(kernel->points > 0 && nest->count == map_variable_count(kernel->box));
  uint32_t position = 0;
  while (position + 1 < nest->count && length_of(nest_variable(kernel->box, position)) == 1)
    position++;
  kernel->slabs = nest_variable(kernel->box, position);
  kernel->points_a_step = kernel->points / length_of(kernel->slabs);
  assert(kernel->points_a_step * length_of(kernel->slabs) == kernel->points);
  kernel->least_slab =
      is_same_variable(kernel->slabs, nest->loops[nest->count - 1]) ? slab_of_slow_rows : 1;
}

/* Keeps the order of the loops, except that the longest becomes the last. */
void kernel_order_loops(KernelNest *nest) {
  const Map *box = nest->kernel->box;
  uint32_t longest = 0;
  nest->count = map_variable_count(box);
  assert(nest->count > 0);
  nest->loops = ARENA_NEW(nest->affine.scratch, NestVariable, nest->count);
  for (uint32_t i = 1; i < nest->count; i++)
    if (length_of(nest_variable(box, i)) >= length_of(nest_variable(box, longest))) longest = i;
  uint32_t next = 0;
  for (uint32_t i = 0; i < nest->count; i++)
    if (i != longest) nest->loops[next++] = nest_variable(box, i);
  nest->loops[next] = nest_variable(box, longest);
  choose_slabs(nest);
}

NestVariable kernel_innermost(const KernelNest *nest) { return nest->loops[nest->count - 1]; }

static void variable_name(KernelNest *nest, NestVariable variable) {
  affine_variable(nest->affine.text, variable.kind, variable.index);
}

/* The carried value k at the entry of loop `level`: that of the enclosing loop, or the start
 * value. */
static void carried_into(KernelNest *nest, uint32_t level, uint32_t k) {
  if (level == 0) text_printf(nest->affine.text, "%%start%" PRIu32, k);
  else text_printf(nest->affine.text, "%%x%" PRIu32 "_%" PRIu32, level - 1, k);
}

static void write_types(KernelNest *nest, const char *type) {
  for (uint32_t k = 0; k < nest->carried_count; k++)
    text_printf(nest->affine.text, "%s%s", k == 0 ? "" : ", ", type);
}

static void kernel_nest_write_bounds(KernelNest *nest, NestVariable variable) {
  Text *text = nest->affine.text;
  int64_t lo = variable.bounds.lo, end = variable.bounds.hi + 1;
  if (is_same_variable(variable, nest->kernel->slabs))
    text_printf(text,
        " = max affine_map<()[s0] -> (s0, %" PRId64
        ")>()[%%begin] to min affine_map<()[s0] -> (s0, %" PRId64 ")>()[%%end]",
        lo, end);
  else text_printf(text, " = %" PRId64 " to %" PRId64, lo, end);
}

static void open_loop(KernelNest *nest, uint32_t level) {
  assert(level < nest->count && nest->loops[level].bounds.hi < INT64_MAX);
  Text *text = nest->affine.text;
  bool inner = level + 1 == nest->count;
  affine_line(
      &nest->affine, "%%l%" PRIu32 ":%" PRIu32 " = affine.for ", level, nest->carried_count);
  variable_name(nest, nest->loops[level]);
  kernel_nest_write_bounds(nest, nest->loops[level]);
  text_string(text, " iter_args(");
  for (uint32_t k = 0; k < nest->carried_count; k++) {
    text_printf(text, "%s%%x%" PRIu32 "_%" PRIu32 " = ", k == 0 ? "" : ", ", level, k);
    if (inner) text_string(text, nest->carried[k] == CARRIED_SUM ? "%zero" : "%row_end");
    else carried_into(nest, level, k);
  }
  text_string(text, ") -> (");
  write_types(nest, inner ? "index" : "i64");
  text_string(text, ") {");
  nest->affine.indent += 2;
}

static void close_loop(KernelNest *nest, const char *name, const char *between, const char *type) {
  affine_line(&nest->affine, "affine.yield ");
  for (uint32_t k = 0; k < nest->carried_count; k++)
    text_printf(nest->affine.text, "%s%%%s%s%" PRIu32, k == 0 ? "" : ", ", name, between, k);
  text_string(nest->affine.text, " : ");
  write_types(nest, type);
  nest->affine.indent -= 2;
  affine_line(&nest->affine, "}");
}

static void write_constants(KernelNest *nest) {
  AffineText *affine = &nest->affine;
  affine_line(affine, "%%zero = arith.constant 0 : index");
  affine_line(affine, "%%one = arith.constant 1 : index");
  affine_line(affine, "%%false = arith.constant false");
  affine_line(affine, "%%none = arith.constant %" PRId64 " : i64", INT64_MAX);
  affine_line(affine, "%%row_end = arith.constant %" PRId64 " : index",
      kernel_innermost(nest).bounds.hi + 1);
  affine_line(affine, "%%begin = arith.index_cast %%begin64 : i64 to index");
  affine_line(affine, "%%end = arith.index_cast %%end64 : i64 to index");
  for (uint32_t k = 0; k < nest->carried_count; k++)
    affine_line(affine, "%%start%" PRIu32 " = arith.constant %" PRId64 " : i64", k,
        nest->carried[k] == CARRIED_SUM ? 0 : INT64_MAX);
}

void kernel_open(KernelNest *nest, const char *parameters) {
  assert(nest->carried_count > 0 && nest->carried_count <= most_carried && nest->count > 0);
  text_printf(
      nest->affine.text, "func.func @kernel(%%begin64: i64, %%end64: i64%s) -> (", parameters);
  write_types(nest, "i64");
  text_string(nest->affine.text, ") {");
  nest->affine.indent = 2;
  write_constants(nest);
  for (uint32_t level = 0; level < nest->count; level++) open_loop(nest, level);
}

/* The value k of the innermost loop's row, as i64. */
static uint32_t write_row_value(KernelNest *nest, uint32_t k) {
  uint32_t value = nest->affine.next_value++;
  affine_line(&nest->affine,
      "%%v%" PRIu32 " = arith.index_cast %%l%" PRIu32 "#%" PRIu32 " : index to i64", value,
      nest->count - 1, k);
  return value;
}

/* Writes `sum + (value - lo) * stride` in i64. */
static uint32_t write_step(
    KernelNest *nest, uint32_t sum, uint32_t value, int64_t lo, uint64_t stride) {
  AffineText *affine = &nest->affine;
  uint32_t name = affine->next_value;
  affine->next_value += 5;
  affine_line(affine, "%%v%" PRIu32 " = arith.constant %" PRId64 " : i64", name, lo);
  affine_line(affine, "%%v%" PRIu32 " = arith.subi %%v%" PRIu32 ", %%v%" PRIu32 " : i64", name + 1,
      value, name);
  affine_line(affine, "%%v%" PRIu32 " = arith.constant %" PRIu64 " : i64", name + 2, stride);
  affine_line(affine, "%%v%" PRIu32 " = arith.muli %%v%" PRIu32 ", %%v%" PRIu32 " : i64", name + 3,
      name + 1, name + 2);
  affine_line(affine, "%%v%" PRIu32 " = arith.addi %%v%" PRIu32 ", %%v%" PRIu32 " : i64", name + 4,
      sum, name + 3);
  return name + 4;
}

static uint64_t stride_of(const Map *box, NestVariable variable) {
  uint64_t stride = 1;
  for (uint32_t i = map_variable_count(box); i-- > 0;) {
    NestVariable one = nest_variable(box, i);
    if (is_same_variable(one, variable)) return stride;
    stride *= length_of(one);
  }
  assert(false);
  return 0;
}

/* The linear index of the row's point at which the innermost variable is `value`. */
static uint32_t write_linear_index(KernelNest *nest, uint32_t value) {
  AffineText *affine = &nest->affine;
  uint32_t sum = affine->next_value++;
  affine_line(affine, "%%v%" PRIu32 " = arith.constant 0 : i64", sum);
  for (uint32_t level = 0; level < nest->count; level++) {
    NestVariable variable = nest->loops[level];
    uint32_t wide = value;
    if (level + 1 < nest->count) {
      wide = affine->next_value++;
      affine_line(affine, "%%v%" PRIu32 " = arith.index_cast ", wide);
      variable_name(nest, variable);
      text_string(affine->text, " : index to i64");
    }
    sum = write_step(nest, sum, wide, variable.bounds.lo, stride_of(nest->kernel->box, variable));
  }
  return sum;
}

static void write_fold_sum(KernelNest *nest, uint32_t k) {
  uint32_t value = write_row_value(nest, k);
  affine_line(&nest->affine, "%%folded%" PRIu32 " = arith.addi ", k);
  carried_into(nest, nest->count - 1, k);
  text_printf(nest->affine.text, ", %%v%" PRIu32 " : i64", value);
}

static void write_fold_first(KernelNest *nest, uint32_t k) {
  AffineText *affine = &nest->affine;
  uint32_t linear = write_linear_index(nest, write_row_value(nest, k));
  uint32_t found = affine->next_value++, least = affine->next_value++;
  affine_line(affine,
      "%%v%" PRIu32 " = arith.cmpi slt, %%l%" PRIu32 "#%" PRIu32 ", %%row_end : index", found,
      nest->count - 1, k);
  affine_line(affine, "%%v%" PRIu32 " = arith.select %%v%" PRIu32 ", %%v%" PRIu32 ", %%none : i64",
      least, found, linear);
  affine_line(affine, "%%folded%" PRIu32 " = arith.minsi ", k);
  carried_into(nest, nest->count - 1, k);
  text_printf(affine->text, ", %%v%" PRIu32 " : i64", least);
}

static void close_outer_loop(KernelNest *nest, uint32_t level) {
  assert(level + 1 < nest->count);
  if (level + 2 == nest->count) {
    close_loop(nest, "folded", "", "i64");
    return;
  }
  const char *inner = arena_printf(nest->affine.scratch, "l%" PRIu32, level + 1);
  close_loop(nest, inner, "#", "i64");
}

static void write_return(KernelNest *nest) {
  affine_line(&nest->affine, "return ");
  for (uint32_t k = 0; k < nest->carried_count; k++)
    text_printf(nest->affine.text, "%s%s%" PRIu32, k == 0 ? "" : ", ",
        nest->count == 1 ? "%folded" : "%l0#", k);
  text_string(nest->affine.text, " : ");
  write_types(nest, "i64");
  text_string(nest->affine.text, "\n}\n");
}

void kernel_close(KernelNest *nest) {
  assert((uint32_t)nest->affine.indent == 2 * nest->count + 2);
  affine_line(&nest->affine, "affine.yield ");
  for (uint32_t k = 0; k < nest->carried_count; k++)
    text_printf(nest->affine.text, "%s%%v%" PRIu32, k == 0 ? "" : ", ", nest->next[k]);
  text_string(nest->affine.text, " : ");
  write_types(nest, "index");
  nest->affine.indent -= 2;
  affine_line(&nest->affine, "}");
  for (uint32_t k = 0; k < nest->carried_count; k++) {
    if (nest->carried[k] == CARRIED_SUM) write_fold_sum(nest, k);
    else write_fold_first(nest, k);
  }
  for (uint32_t level = nest->count - 1; level-- > 0;) close_outer_loop(nest, level);
  write_return(nest);
}
