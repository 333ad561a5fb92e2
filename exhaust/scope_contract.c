/* Ways to apply scaled-dot and ragged-dot to a matrix: the tensor at hand is the left side; one of
 * its two dimensions is contracted. */
#include <stdio.h>
#include <string.h>

#include "exhaust/scope_operation.h"

static const Tensor scalar = {};
static constexpr int64_t most_columns = 2;

static uint64_t divisors(int64_t size) {
  uint64_t count = 0;
  for (int64_t d = 1; d <= size; d++) count += size % d == 0;
  return count;
}

static int64_t divisor_at(int64_t size, uint64_t number) {
  for (int64_t d = 1;; d++)
    if (size % d == 0 && number-- == 0) return d;
}

/* A scale: a scalar, or a matrix of blocks. */
static uint64_t scale_ways(const Tensor *of) {
  return 1 + divisors(of->sizes[0]) * divisors(of->sizes[1]);
}

static Tensor scale_at(const Tensor *of, uint64_t way) {
  if (way-- == 0) return scalar;
  Tensor scale = {.rank = 2};
  for (uint32_t i = 0; i < 2; i++)
    scale.sizes[i] = divisor_at(of->sizes[i], digit_take(&way, divisors(of->sizes[i])));
  return scale;
}

/* The right side: contracted dimension and columns, in both orders. */
typedef struct Sides {
  uint32_t left, right; /* contracted dimensions */
  Tensor other;
} Sides;

static Sides sides_at(const Tensor *in, uint64_t *way) {
  Sides sides = {
      .left = (uint32_t)digit_take(way, 2), .right = (uint32_t)digit_take(way, 2), .other.rank = 2};
  sides.other.sizes[sides.right] = in->sizes[sides.left];
  sides.other.sizes[1 - sides.right] = 1 + (int64_t)digit_take(way, most_columns);
  return sides;
}

static constexpr uint64_t side_ways = 4 * most_columns;

uint64_t count_scaled_dot(const ScopeLimits *, const Tensor *in) {
  if (in->rank != 2) return 0;
  uint64_t count = 0;
  for (uint64_t i = 0; i < side_ways; i++) {
    uint64_t way = i;
    Sides sides = sides_at(in, &way);
    count += scale_ways(in) * scale_ways(&sides.other);
  }
  return count;
}

void write_scaled_dot(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  Sides sides;
  for (uint64_t i = 0;; i++) {
    uint64_t number = i;
    sides = sides_at(in, &number);
    uint64_t ways = scale_ways(in) * scale_ways(&sides.other);
    if (way < ways) break;
    way -= ways;
  }
  *out =
      (Tensor){.rank = 2, .sizes = {in->sizes[1 - sides.left], sides.other.sizes[1 - sides.right]}};
  if (writer == nullptr) return;
  Tensor left = scale_at(in, digit_take(&way, scale_ways(in))), right = scale_at(&sides.other, way);
  uint32_t other = scope_write_parameter(writer, "f32", &sides.other);
  uint32_t first = scope_write_parameter(writer, "f32", &left),
           second = scope_write_parameter(writer, "f32", &right);
  scope_write_begin(writer, out, "scaled-dot");
  text_printf(writer->text,
      ", p%u, p%u, p%u), lhs_contracting_dims={%u}, rhs_contracting_dims={%u}", other, first,
      second, sides.left, sides.right);
  scope_write_end(writer);
}

/* One group or two; their sizes a parameter, or constants from 0 to the ragged size. Either
 * dimension of the left side is ragged. */
static constexpr uint64_t most_groups = 2;

static uint64_t group_ways(int64_t size) {
  uint64_t choices = (uint64_t)size + 1;
  return 1 + choices + 1 + choices * choices;
}

typedef struct Groups {
  uint64_t count;
  bool is_known;
  int64_t sizes[most_groups];
} Groups;

static Groups groups_at(int64_t size, uint64_t way) {
  uint64_t choices = (uint64_t)size + 1;
  Groups groups = {.count = way < 1 + choices ? 1 : 2};
  if (groups.count == 2) way -= 1 + choices;
  groups.is_known = way > 0;
  if (!groups.is_known) return groups;
  way--;
  for (uint64_t i = 0; i < groups.count; i++) groups.sizes[i] = (int64_t)digit_take(&way, choices);
  return groups;
}

uint64_t count_ragged_dot(const ScopeLimits *, const Tensor *in) {
  return in->rank != 2 ? 0 : side_ways * (group_ways(in->sizes[0]) + group_ways(in->sizes[1]));
}

static void name_groups(ScopeWriter *writer, const Groups *groups, char *name, size_t room) {
  Tensor tensor = {.rank = 1, .sizes = {(int64_t)groups->count}};
  if (!groups->is_known) {
    snprintf(name, room, "p%u", scope_write_parameter(writer, "s32", &tensor));
    return;
  }
  snprintf(name, room, "g");
  text_printf(writer->text, "  g = s32[%u] constant({", (unsigned)groups->count);
  for (uint64_t i = 0; i < groups->count; i++)
    text_printf(writer->text, "%s%lld", i == 0 ? "" : ", ", (long long)groups->sizes[i]);
  text_string(writer->text, "})\n");
}

void write_ragged_dot(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  Sides sides = sides_at(in, &way);
  uint32_t ragged = way >= group_ways(in->sizes[0]);
  if (ragged == 1) way -= group_ways(in->sizes[0]);
  Groups groups = groups_at(in->sizes[ragged], way);
  bool is_contracted = ragged == sides.left;
  int64_t rows = in->sizes[1 - sides.left], columns = sides.other.sizes[1 - sides.right],
          count = (int64_t)groups.count;
  *out = is_contracted ? (Tensor){.rank = 3, .sizes = {count, rows, columns}}
                       : (Tensor){.rank = 2, .sizes = {rows, columns}};
  if (writer == nullptr) return;
  Tensor other = sides.other;
  if (!is_contracted)
    other = (Tensor){.rank = 3, .sizes = {count, sides.other.sizes[0], sides.other.sizes[1]}};
  uint32_t parameter = scope_write_parameter(writer, "f32", &other);
  char name[16];
  name_groups(writer, &groups, name, sizeof name);
  scope_write_begin(writer, out, "ragged-dot");
  text_printf(writer->text,
      ", p%u, %s), lhs_contracting_dims={%u}, rhs_contracting_dims={%u}, lhs_ragged_dims={%u}",
      parameter, name, sides.left, sides.right + !is_contracted, ragged);
  if (!is_contracted) text_string(writer->text, ", rhs_group_dims={0}");
  scope_write_end(writer);
}
