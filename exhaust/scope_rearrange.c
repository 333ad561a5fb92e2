/* Ways to apply the operations that move elements without offsets: a way is a number in mixed
 * radix, one digit a choice. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exhaust/scope_operation.h"

static const Tensor scalar = {};

static void write_operand(ScopeWriter *writer, uint32_t number) {
  char name[16];
  snprintf(name, sizeof name, ", p%u", number);
  text_string(writer->text, name);
}

uint64_t count_elementwise(const ScopeLimits *, const Tensor *) { return 6; }

void write_elementwise(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  static const char *const names[] = {"negate", "add", "add", "subtract", "select", "clamp"};
  static const uint32_t further[] = {0, 0, 1, 1, 2, 2};
  assert(way < 6);
  char at_hand[16];
  memcpy(at_hand, writer->at_hand, sizeof at_hand);
  uint32_t first = writer->parameter_count;
  if (way == 4) (void)scope_write_parameter(writer, "pred", &scalar);
  if (way == 5) (void)scope_write_parameter(writer, "f32", &scalar);
  if (further[way] > 0) (void)scope_write_parameter(writer, "f32", way == 5 ? &scalar : in);
  if (way >= 4) snprintf(writer->at_hand, sizeof writer->at_hand, "p%u", first);
  scope_write_begin(writer, out, names[way]);
  if (way == 1 || way >= 4) {
    text_string(writer->text, ", ");
    text_string(writer->text, at_hand);
  }
  if (further[way] > 0) write_operand(writer, writer->parameter_count - 1);
  text_string(writer->text, ")");
  scope_write_end(writer);
}

uint64_t count_transpose(const ScopeLimits *, const Tensor *in) {
  return arrangements(in->rank, in->rank);
}

void write_transpose(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  uint32_t from[tensor_max_rank] = {};
  arrangement_at(in->rank, in->rank, way, from);
  out->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++) out->sizes[i] = in->sizes[from[i]];
  if (writer == nullptr) return;
  scope_write_begin(writer, out, "transpose");
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "dimensions", in->rank, from);
  scope_write_end(writer);
}

static uint32_t members(uint64_t set, uint32_t rank, uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if ((set >> i & 1) != 0) list[count++] = i;
  return count;
}

uint64_t count_reverse(const ScopeLimits *, const Tensor *in) { return UINT64_C(1) << in->rank; }

void write_reverse(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  uint32_t list[tensor_max_rank];
  uint32_t count = members(way, in->rank, list);
  scope_write_begin(writer, out, "reverse");
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "dimensions", count, list);
  scope_write_end(writer);
}

/* New dimensions: a tensor of rank `added` that multiplies the elements, by its number among those
 * of that rank. */
static const Tensor *new_dimensions(const ScopeLimits *limits, const Tensor *in, uint32_t added,
    uint64_t *number, uint64_t *count) {
  const TensorList *list = limits->tensors;
  int64_t elements = tensor_elements(in);
  uint32_t end = elements == 0 ? list->count : list->first[limits->elements / elements + 1];
  *count = 0;
  for (uint32_t i = 0; i < end; i++) {
    if (list->items[i].rank != added) continue;
    if (number != nullptr && *count == *number) return &list->items[i];
    ++*count;
  }
  return nullptr;
}

static uint32_t most_added(const ScopeLimits *limits, const Tensor *in) {
  uint32_t room = limits->rank - in->rank;
  return room < limits->ranges.added ? room : limits->ranges.added;
}

static uint64_t broadcast_ways(const ScopeLimits *limits, const Tensor *in, uint32_t added) {
  uint64_t sizes;
  (void)new_dimensions(limits, in, added, nullptr, &sizes);
  return sizes * arrangements(in->rank + added, in->rank);
}

uint64_t count_broadcast(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 0;
  for (uint32_t added = 0; added <= most_added(limits, in); added++)
    count += broadcast_ways(limits, in, added);
  return count;
}

void write_broadcast(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  uint32_t added = 0;
  for (uint64_t ways; way >= (ways = broadcast_ways(limits, in, added)); added++) way -= ways;
  uint32_t to[tensor_max_rank] = {};
  out->rank = in->rank + added;
  arrangement_at(out->rank, in->rank, digit_take(&way, arrangements(out->rank, in->rank)), to);
  uint64_t count;
  const Tensor *sizes = new_dimensions(limits, in, added, &way, &count);
  assert(sizes != nullptr);
  bool taken[tensor_max_rank] = {};
  for (uint32_t i = 0; i < in->rank; i++) {
    taken[to[i]] = true;
    out->sizes[to[i]] = in->sizes[i];
  }
  for (uint32_t i = 0, next = 0; i < out->rank; i++)
    if (!taken[i]) out->sizes[i] = sizes->sizes[next++];
  if (writer == nullptr) return;
  scope_write_begin(writer, out, "broadcast");
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "dimensions", in->rank, to);
  scope_write_end(writer);
}

static uint32_t first_like(const ScopeLimits *limits, const Tensor *in) {
  return limits->tensors->first[tensor_elements(in)];
}
static uint32_t end_like(const ScopeLimits *limits, const Tensor *in) {
  return limits->tensors->first[tensor_elements(in) + 1];
}

uint64_t count_reshape(const ScopeLimits *limits, const Tensor *in) {
  return end_like(limits, in) - first_like(limits, in);
}

void write_reshape(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = limits->tensors->items[first_like(limits, in) + way];
  if (writer == nullptr) return;
  scope_write_begin(writer, out, "reshape");
  text_string(writer->text, ")");
  scope_write_end(writer);
}

uint64_t count_bitcast(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 0;
  for (uint32_t i = first_like(limits, in); i < end_like(limits, in); i++) {
    uint32_t rank = limits->tensors->items[i].rank;
    count += arrangements(rank, rank);
  }
  return limits->ranges.all_layouts ? count * arrangements(in->rank, in->rank) : count;
}

/* In all layouts the operand is a parameter of its own, which has the layout; p0 stays unread. */
void write_bitcast(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  uint32_t from[tensor_max_rank] = {}, to[tensor_max_rank] = {};
  if (limits->ranges.all_layouts)
    arrangement_at(in->rank, in->rank, digit_take(&way, arrangements(in->rank, in->rank)), from);
  uint32_t at = first_like(limits, in);
  for (;; at++) {
    uint32_t rank = limits->tensors->items[at].rank;
    uint64_t ways = arrangements(rank, rank);
    if (way < ways) break;
    way -= ways;
  }
  *out = limits->tensors->items[at];
  arrangement_at(out->rank, out->rank, way, to);
  if (writer == nullptr) return;
  if (limits->ranges.all_layouts) {
    text_string(writer->text, "  laid = ");
    scope_write_shape(writer->text, "f32", in, from);
    assert(writer->parameter_count == 1);
    text_string(writer->text, " parameter(1)\n");
    snprintf(writer->at_hand, sizeof writer->at_hand, "laid");
  }
  scope_write_begin_with(writer, "f32", out, to, "bitcast");
  text_string(writer->text, ")");
  scope_write_end(writer);
}

/* Two or three operands, each new with size 0 to 2 along the dimension or (kind 3) the value at
 * hand, which stands there at least once. */
static constexpr uint32_t kind_at_hand = 3, pairs_at_hand = 4 * 4 - 3 * 3,
                          triples_at_hand = 4 * 4 * 4 - 3 * 3 * 3;

uint64_t count_concatenate(const ScopeLimits *, const Tensor *in) {
  return in->rank * (pairs_at_hand + triples_at_hand);
}

static uint32_t kinds_at(uint64_t way, uint32_t *kinds) {
  uint32_t count = way < pairs_at_hand ? 2 : 3;
  uint64_t left = way < pairs_at_hand ? way : way - pairs_at_hand;
  for (uint32_t code = 0;; code++) {
    bool has_at_hand = false;
    for (uint32_t i = 0; i < count; i++) {
      kinds[i] = code >> 2 * i & 3;
      has_at_hand |= kinds[i] == kind_at_hand;
    }
    if (has_at_hand && left-- == 0) return count;
  }
}

static void name_operand(ScopeWriter *writer, const Tensor *in, uint32_t dimension, uint32_t kind,
    char *name, size_t room) {
  if (kind == kind_at_hand) {
    snprintf(name, room, "%s", writer->at_hand);
    return;
  }
  Tensor part = *in;
  part.sizes[dimension] = kind;
  snprintf(name, room, "p%u", scope_write_parameter(writer, "f32", &part));
}

void write_concatenate(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  uint32_t dimension = (uint32_t)digit_take(&way, in->rank), kinds[3], count = kinds_at(way, kinds);
  *out = *in;
  out->sizes[dimension] = 0;
  for (uint32_t i = 0; i < count; i++)
    out->sizes[dimension] += kinds[i] == kind_at_hand ? in->sizes[dimension] : kinds[i];
  if (writer == nullptr) return;
  char names[3][16];
  for (uint32_t i = 0; i < count; i++)
    name_operand(writer, in, dimension, kinds[i], names[i], sizeof names[i]);
  memcpy(writer->at_hand, names[0], sizeof names[0]);
  scope_write_begin(writer, out, "concatenate");
  for (uint32_t i = 1; i < count; i++) {
    text_string(writer->text, ", ");
    text_string(writer->text, names[i]);
  }
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "dimensions", 1, &dimension);
  scope_write_end(writer);
}
