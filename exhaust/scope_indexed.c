/* Ways to apply dot, dynamic-slice and dynamic-update-slice. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scope_operation.h"

static const Tensor scalar = {};

static void write_name(ScopeWriter *writer, char letter, uint32_t number) {
  char name[16];
  snprintf(name, sizeof name, ", %c%u", letter, number);
  text_string(writer->text, name);
}

typedef struct DotWay {
  uint32_t batch_count, contracting_count, free_count;
  uint32_t batch[tensor_max_rank], contracting[tensor_max_rank], free[tensor_max_rank];
} DotWay;

static uint64_t power(uint64_t base, uint32_t exponent) {
  uint64_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

static DotWay dot_roles(const Tensor *in, uint64_t roles) {
  DotWay dot = {};
  for (uint32_t i = 0; i < in->rank; i++) switch (digit_take(&roles, 3)) {
      case 0: dot.free[dot.free_count++] = i; break;
      case 1: dot.contracting[dot.contracting_count++] = i; break;
      default: dot.batch[dot.batch_count++] = i; break;
    }
  return dot;
}

/* The other side: its dimensions in every order; without a free one, with one of size 1, with one
 * of size 2. */
static uint64_t dot_ways(const ScopeLimits *limits, const DotWay *dot) {
  uint32_t rank = dot->batch_count + dot->contracting_count;
  uint64_t ways = arrangements(rank, rank);
  return limits->ranges.added == 0 ? ways : ways + 2 * arrangements(rank + 1, rank + 1);
}

uint64_t count_dot(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 0;
  for (uint64_t roles = 0; roles < power(3, in->rank); roles++) {
    DotWay dot = dot_roles(in, roles);
    count += dot_ways(limits, &dot);
  }
  return count;
}

void write_dot(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  DotWay dot = dot_roles(in, 0);
  for (uint64_t roles = 0;; dot = dot_roles(in, ++roles)) {
    uint64_t ways = dot_ways(limits, &dot);
    if (way < ways) break;
    way -= ways;
  }
  uint32_t shared = dot.batch_count + dot.contracting_count;
  bool has_free = way >= arrangements(shared, shared);
  int64_t free_size = 0;
  if (has_free) {
    way -= arrangements(shared, shared);
    free_size = 1 + (int64_t)digit_take(&way, 2);
  }
  Tensor other = {.rank = shared + has_free};
  uint32_t at[tensor_max_rank] = {};
  arrangement_at(other.rank, other.rank, way, at);
  *out = (Tensor){};
  for (uint32_t i = 0; i < dot.batch_count; i++)
    other.sizes[at[i]] = out->sizes[out->rank++] = in->sizes[dot.batch[i]];
  for (uint32_t i = 0; i < dot.contracting_count; i++)
    other.sizes[at[dot.batch_count + i]] = in->sizes[dot.contracting[i]];
  for (uint32_t i = 0; i < dot.free_count; i++) out->sizes[out->rank++] = in->sizes[dot.free[i]];
  if (has_free) other.sizes[at[shared]] = out->sizes[out->rank++] = free_size;
  if (writer == nullptr) return;
  uint32_t parameter = scope_write_parameter(writer, "f32", &other);
  scope_write_begin(writer, out, "dot");
  write_name(writer, 'p', parameter);
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "lhs_batch_dims", dot.batch_count, dot.batch);
  scope_write_numbers(writer->text, "rhs_batch_dims", dot.batch_count, at);
  scope_write_numbers(writer->text, "lhs_contracting_dims", dot.contracting_count, dot.contracting);
  scope_write_numbers(
      writer->text, "rhs_contracting_dims", dot.contracting_count, at + dot.batch_count);
  scope_write_end(writer);
}

/* Offsets: 0 is a parameter, the others constants. */
static uint64_t offset_ways(const ScopeLimits *limits, int64_t size) {
  return limits->ranges.all_offsets ? (uint64_t)size + 3 : 4;
}

static int64_t offset_at(const ScopeLimits *limits, int64_t size, uint64_t way) {
  assert(way > 0);
  if (limits->ranges.all_offsets) return (int64_t)way - 2;
  return way == 1 ? -1 : way == 2 ? 0 : size;
}

uint64_t count_dynamic_slice(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < in->rank; i++)
    count *= (uint64_t)(in->sizes[i] + 1) * offset_ways(limits, in->sizes[i]);
  return count;
}

/* Takes the digits of the sizes, then of the offsets; writes what the offsets need and notes their
 * names. */
typedef struct Offsets {
  Tensor part;
  char kinds[tensor_max_rank];
  uint32_t numbers[tensor_max_rank];
} Offsets;

static void part_sizes(const Tensor *in, uint64_t *way, Tensor *part) {
  part->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++)
    part->sizes[i] = (int64_t)digit_take(way, (uint64_t)in->sizes[i] + 1);
}

static void write_offsets(const ScopeLimits *limits, const Tensor *in, uint64_t way,
    ScopeWriter *writer, Offsets *offsets) {
  for (uint32_t i = 0; i < in->rank; i++) {
    uint64_t offset = digit_take(&way, offset_ways(limits, in->sizes[i]));
    offsets->kinds[i] = offset == 0 ? 'p' : 'c';
    offsets->numbers[i] =
        offset == 0 ? scope_write_parameter(writer, "s32", &scalar)
                    : scope_write_constant(writer, offset_at(limits, in->sizes[i], offset));
  }
}

static void write_offset_names(ScopeWriter *writer, uint32_t rank, const Offsets *offsets) {
  for (uint32_t i = 0; i < rank; i++) write_name(writer, offsets->kinds[i], offsets->numbers[i]);
  text_string(writer->text, ")");
}

void write_dynamic_slice(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  part_sizes(in, &way, out);
  if (writer == nullptr) return;
  Offsets offsets;
  write_offsets(limits, in, way, writer, &offsets);
  scope_write_begin(writer, out, "dynamic-slice");
  write_offset_names(writer, in->rank, &offsets);
  scope_write_sizes(writer->text, "dynamic_slice_sizes", out->rank, out->sizes);
  scope_write_end(writer);
}

uint64_t count_dynamic_update_slice(const ScopeLimits *limits, const Tensor *in) {
  return count_dynamic_slice(limits, in);
}

void write_dynamic_update_slice(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  Offsets offsets;
  part_sizes(in, &way, &offsets.part);
  uint32_t update = scope_write_parameter(writer, "f32", &offsets.part);
  write_offsets(limits, in, way, writer, &offsets);
  scope_write_begin(writer, out, "dynamic-update-slice");
  write_name(writer, 'p', update);
  write_offset_names(writer, in->rank, &offsets);
  scope_write_end(writer);
}
