/* The loop bodies: the computation at one point. All arithmetic on expressions is affine;
 * comparisons and sums use arith. */
#include "core/adapters/mlir/kernel.h"

#include <assert.h>
#include <inttypes.h>

#include "core/adapters/mlir/box.h"
#include "core/adapters/mlir/kernel_nest.h"

#define VALUE "%%v%" PRIu32

static uint32_t new_value(KernelNest *nest) { return nest->affine.next_value++; }

/* `%v = operation %va, %vb : type` */
static uint32_t write_pair(
    KernelNest *nest, const char *operation, uint32_t a, uint32_t b, const char *type) {
  uint32_t value = new_value(nest);
  affine_line(&nest->affine, VALUE " = %s " VALUE ", " VALUE " : %s", value, operation, a, b, type);
  return value;
}

static uint32_t write_constant(KernelNest *nest, int64_t constant) {
  uint32_t value = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.constant %" PRId64 " : index", value, constant);
  return value;
}

static uint32_t write_zero_unless(KernelNest *nest, uint32_t condition, uint32_t given) {
  uint32_t value = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.select " VALUE ", " VALUE ", %%zero : index", value,
      condition, given);
  return value;
}

static uint32_t write_is_not_zero(KernelNest *nest, uint32_t given) {
  uint32_t value = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.cmpi ne, " VALUE ", %%zero : index", value, given);
  return value;
}

static void write_count(KernelNest *nest, const Map *map) {
  for (uint32_t i = 0; i < map->constraint_count; i++)
    affine_count(&nest->affine, map->constraints[i].expr);
  for (uint32_t i = 0; i < map->result_count; i++) affine_count(&nest->affine, map->results[i]);
}

/* The SSA value that is 1 inside the map's domain and 0 outside. */
static uint32_t write_inside(KernelNest *nest, const Map *map) {
  AffineText *affine = &nest->affine;
  Domain domain = domain_create(affine, &nest->sizes, map, nest->kernel->box);
  uint32_t inside = domain.set.length == 0 ? write_constant(nest, 1) : new_value(nest);
  if (domain.set.length > 0) {
    affine_line(affine, VALUE " = affine.if ", inside);
    domain_set(affine, affine->text, &domain);
    text_string(affine->text,
        " -> index { affine.yield %one : index } else { affine.yield %zero : index }");
  }
  for (uint32_t i = 0; i < domain.count; i++)
    inside = write_zero_unless(nest, domain_condition(affine, &domain.items[i]), inside);
  return inside;
}

/* Adds `value` to the carried sum k of this row. */
static void yield_sum(KernelNest *nest, uint32_t k, uint32_t value) {
  assert(k < nest->carried_count && nest->carried[k] == CARRIED_SUM);
  nest->next[k] = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.addi %%x%" PRIu32 "_%" PRIu32 ", " VALUE " : index",
      nest->next[k], nest->count - 1, k, value);
}

static void yield_first(KernelNest *nest, uint32_t k, uint32_t condition) {
  assert(k < nest->carried_count && nest->carried[k] == CARRIED_FIRST);
  uint32_t candidate = new_value(nest);
  NestVariable inner = kernel_innermost(nest);
  affine_line(&nest->affine, VALUE " = arith.select " VALUE ", ", candidate, condition);
  affine_variable(nest->affine.text, inner.kind, inner.index);
  text_string(nest->affine.text, ", %row_end : index");
  nest->next[k] = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.minsi %%x%" PRIu32 "_%" PRIu32 ", " VALUE " : index",
      nest->next[k], nest->count - 1, k, candidate);
}

/* The i1 that some result differs. Equal handles are equal expressions. */
static uint32_t write_results_differ(KernelNest *nest, const Map *a, const Map *b) {
  assert(a->result_count == b->result_count);
  uint32_t differ = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.constant false", differ);
  for (uint32_t i = 0; i < a->result_count; i++) {
    if (expr_same(a->results[i], b->results[i])) continue;
    uint32_t left = affine_value(&nest->affine, a->results[i]),
             right = affine_value(&nest->affine, b->results[i]);
    differ = write_pair(
        nest, "arith.ori", differ, write_pair(nest, "arith.cmpi ne,", left, right, "index"), "i1");
  }
  return differ;
}

static void write_same_map(KernelNest *nest, const Map *before, const Map *after) {
  uint32_t in_before = write_inside(nest, before), in_after = write_inside(nest, after);
  uint32_t differ = write_pair(nest, "arith.cmpi ne,", in_before, in_after, "index");
  if (before->state == MAP_PLAIN && after->state == MAP_PLAIN) {
    uint32_t results = write_results_differ(nest, before, after);
    uint32_t inside = write_is_not_zero(nest, in_before);
    differ = write_pair(
        nest, "arith.ori", differ, write_pair(nest, "arith.andi", inside, results, "i1"), "i1");
  }
  yield_sum(nest, 0, in_before);
  yield_first(nest, 1, differ);
}

/* The sum of (k + 1) * result k, in the kernel's width, wrapping. */
static uint32_t write_weighted_sum(KernelNest *nest, const Map *map) {
  uint32_t sum = write_constant(nest, 0);
  for (uint32_t i = 0; i < map->result_count; i++) {
    uint32_t result = affine_value(&nest->affine, map->results[i]);
    uint32_t weight = write_constant(nest, (int64_t)i + 1);
    sum = write_pair(
        nest, "arith.addi", sum, write_pair(nest, "arith.muli", result, weight, "index"), "index");
  }
  return sum;
}

/* The row-major position of the results within `sizes`, and the i1 that all are within them. */
static uint32_t write_position(
    KernelNest *nest, const Map *map, const int64_t *sizes, uint32_t *within) {
  uint32_t position = write_constant(nest, 0);
  *within = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.constant true", *within);
  for (uint32_t i = 0; i < map->result_count; i++) {
    uint32_t result = affine_value(&nest->affine, map->results[i]),
             size = write_constant(nest, sizes[i]);
    uint32_t fits = write_pair(nest, "arith.cmpi ult,", result, size, "index");
    *within = write_pair(nest, "arith.andi", *within, fits, "i1");
    position = write_pair(nest, "arith.addi",
        write_pair(nest, "arith.muli", position, size, "index"), result, "index");
  }
  return position;
}

/* Sets the bit of `place` if the i1 holds; returns 1 if the bit was already set. */
static uint32_t write_mark(KernelNest *nest, uint32_t position, uint32_t holds) {
  AffineText *affine = &nest->affine;
  uint32_t repeated = new_value(nest);
  affine_line(affine, VALUE " = scf.if " VALUE " -> index {", repeated, holds);
  affine_line(affine, "  %%six = arith.constant 6 : index");
  affine_line(affine, "  %%low = arith.constant 63 : index");
  affine_line(affine, "  %%at = arith.shrui " VALUE ", %%six : index", position);
  affine_line(affine, "  %%which = arith.andi " VALUE ", %%low : index", position);
  affine_line(affine, "  %%bit = arith.shli %%one, %%which : index");
  affine_line(affine, "  %%bits = arith.index_cast %%bit : index to i64");
  affine_line(affine, "  %%word = memref.load %%words[%%at] : memref<?xi64>");
  affine_line(affine, "  %%marked = arith.ori %%word, %%bits : i64");
  affine_line(affine, "  memref.store %%marked, %%words[%%at] : memref<?xi64>");
  affine_line(affine, "  %%again = arith.cmpi eq, %%word, %%marked : i64");
  affine_line(affine, "  %%is_again = arith.index_castui %%again : i1 to index");
  affine_line(affine, "  scf.yield %%is_again : index");
  affine_line(affine, "} else { scf.yield %%zero : index }");
  return repeated;
}

static void write_image(KernelNest *nest, const Map *map, const int64_t *sizes) {
  assert(nest->kernel->width == 64 && map->state == MAP_PLAIN);
  uint32_t within, inside = write_inside(nest, map);
  uint32_t position = write_position(nest, map, sizes, &within);
  uint32_t is_inside = write_is_not_zero(nest, inside);
  uint32_t marked = write_pair(nest, "arith.andi", is_inside, within, "i1");
  uint32_t outside = new_value(nest);
  affine_line(&nest->affine, VALUE " = arith.select " VALUE ", %%zero, " VALUE " : index", outside,
      within, inside);
  uint32_t repeated = write_mark(nest, position, marked);
  yield_sum(nest, 0, inside);
  yield_sum(nest, 1, outside);
  yield_sum(nest, 2, repeated);
}

static bool kernel_prepare(MapContext *context, Arena *scratch, const Map *before, const Map *after,
    Kernel *kernel, KernelNest *nest, Error *error) {
  *kernel = (Kernel){.text = text_create(scratch)};
  if (!box_of(context, before, after, &kernel->box, error) ||
      !box_points(kernel->box, &kernel->points, error))
    return false;
  *nest = (KernelNest){.kernel = kernel,
      .affine = affine_text_create(context, scratch, &kernel->text),
      .sizes = magnitudes_create(context, scratch, kernel->box),
      .error = error};
  return true;
}

bool kernel_same_map(MapContext *context, Arena *scratch, const Map *before, const Map *after,
    Kernel *kernel, Error *error) {
  KernelNest nest;
  if (!kernel_prepare(context, scratch, before, after, kernel, &nest, error)) return false;
  bool both = before->state == MAP_PLAIN && after->state == MAP_PLAIN;
  if (both && before->result_count != after->result_count)
    return error_set(error, ERROR_INPUT, "the maps have %" PRIu32 " and %" PRIu32 " results",
        before->result_count, after->result_count);
  if (kernel->points == 0) return true;
  before = box_seen(context, kernel->box, before);
  after = box_seen(context, kernel->box, after);
  if (!kernel_choose_width(&nest, before, after, 32)) return false;
  write_count(&nest, before);
  write_count(&nest, after);
  nest.carried_count = 2;
  nest.carried[1] = CARRIED_FIRST;
  kernel_order_loops(&nest);
  kernel_open(&nest, "");
  write_same_map(&nest, before, after);
  kernel_close(&nest);
  return true;
}

bool kernel_count(
    MapContext *context, Arena *scratch, const Map *map, Kernel *kernel, Error *error) {
  KernelNest nest;
  if (!kernel_prepare(context, scratch, map, map, kernel, &nest, error)) return false;
  if (kernel->points == 0) return true;
  map = box_seen(context, kernel->box, map);
  if (!kernel_choose_width(&nest, map, map, 32)) return false;
  write_count(&nest, map);
  nest.carried_count = 2;
  kernel_order_loops(&nest);
  kernel_open(&nest, "");
  uint32_t inside = write_inside(&nest, map);
  uint32_t sum =
      write_zero_unless(&nest, write_is_not_zero(&nest, inside), write_weighted_sum(&nest, map));
  yield_sum(&nest, 0, inside);
  yield_sum(&nest, 1, sum);
  kernel_close(&nest);
  return true;
}

bool kernel_image(MapContext *context, Arena *scratch, const Map *map, const int64_t *sizes,
    Kernel *kernel, Error *error) {
  KernelNest nest;
  if (!kernel_prepare(context, scratch, map, map, kernel, &nest, error)) return false;
  if (kernel->points == 0) return true;
  map = box_seen(context, kernel->box, map);
  if (!kernel_choose_width(&nest, map, map, 64)) return false;
  write_count(&nest, map);
  nest.carried_count = 3;
  kernel_order_loops(&nest);
  kernel_open(&nest, ", %words: memref<?xi64>");
  write_image(&nest, map, sizes);
  kernel_close(&nest);
  return true;
}
