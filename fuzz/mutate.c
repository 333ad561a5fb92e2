/* What a step can do: insert, delete, repeat, swap or replace an operation; change one byte of its attributes (an operand, a size, a
 * stride); make a dimension 1 or 0; reverse the result; wrap in a fusion or unwrap; ask for more outputs; turn the order of the records around. */
#include "fuzz/mutate.h"

#include <assert.h>
#include <string.h>

#include "fuzz/decode.h"

/* The first byte of a record, by the name of its operation. */
enum : uint8_t {
#define FUZZ_OPERATION(name) FUZZ_##name,
#include "fuzz/operations.def"
#undef FUZZ_OPERATION
};

typedef struct Mutation {
  uint8_t *bytes;
  size_t records, room; /* in records */
  uint64_t state;
} Mutation;

static uint32_t draw(Mutation *mutation, size_t below) {
  uint64_t z = mutation->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z ^= z >> 29;
  return below == 0 ? 0 : (uint32_t)(z % below);
}

static uint8_t *record(const Mutation *mutation, size_t at) {
  return mutation->bytes + fuzz_header_bytes + at * fuzz_record_bytes;
}

static void fill(Mutation *mutation, uint8_t *at) {
  for (size_t i = 0; i < fuzz_record_bytes; i++) at[i] = (uint8_t)draw(mutation, 256);
  if (draw(mutation, 2) == 0) memset(at + 1, 0, 1); /* half of the new operations use the newest value */
}

static void open_gap(Mutation *mutation, size_t at) {
  memmove(record(mutation, at + 1), record(mutation, at), (mutation->records - at) * fuzz_record_bytes);
  mutation->records++;
}

static void insert(Mutation *mutation) {
  if (mutation->records == mutation->room) return;
  size_t at = draw(mutation, mutation->records + 1);
  open_gap(mutation, at);
  fill(mutation, record(mutation, at));
}

static void repeat(Mutation *mutation) {
  if (mutation->records == 0 || mutation->records == mutation->room) return;
  size_t from = draw(mutation, mutation->records), to = draw(mutation, mutation->records + 1);
  uint8_t copy[fuzz_record_bytes];
  memcpy(copy, record(mutation, from), sizeof copy);
  open_gap(mutation, to);
  memcpy(record(mutation, to), copy, sizeof copy);
}

static void delete(Mutation *mutation) {
  if (mutation->records == 0) return;
  size_t at = draw(mutation, mutation->records);
  memmove(record(mutation, at), record(mutation, at + 1), (mutation->records - at - 1) * fuzz_record_bytes);
  mutation->records--;
}

static void swap_records(Mutation *mutation, size_t a, size_t b) {
  uint8_t copy[fuzz_record_bytes];
  memcpy(copy, record(mutation, a), sizeof copy);
  memmove(record(mutation, a), record(mutation, b), sizeof copy);
  memcpy(record(mutation, b), copy, sizeof copy);
}

static void swap(Mutation *mutation) {
  if (mutation->records < 2) return;
  swap_records(mutation, draw(mutation, mutation->records), draw(mutation, mutation->records));
}

static void turn_around(Mutation *mutation) {
  for (size_t i = 0; 2 * i + 1 < mutation->records; i++) swap_records(mutation, i, mutation->records - 1 - i);
}

static void replace_operation(Mutation *mutation) {
  if (mutation->records > 0) record(mutation, draw(mutation, mutation->records))[0] = (uint8_t)draw(mutation, 256);
}

static void change_attribute(Mutation *mutation) {
  if (mutation->records == 0) return;
  uint8_t *at = record(mutation, draw(mutation, mutation->records)) + 1 + draw(mutation, fuzz_record_bytes - 1);
  switch (draw(mutation, 4)) {
    case 0: *at = (uint8_t)draw(mutation, 256); break;
    case 1: *at = (uint8_t)(*at + 1); break;
    case 2: *at = (uint8_t)(*at - 1); break;
    default: *at ^= (uint8_t)(1u << draw(mutation, 8)); break;
  }
}

/* The record of an operation by its place in operations.def, on the newest value. */
static uint8_t *insert_operation(Mutation *mutation, uint8_t operation) {
  if (mutation->records == mutation->room) return nullptr;
  open_gap(mutation, mutation->records);
  uint8_t *at = record(mutation, mutation->records - 1);
  fill(mutation, at);
  at[0] = operation;
  at[1] = 0;
  return at;
}

static void reverse_result(Mutation *mutation) { (void)insert_operation(mutation, FUZZ_reverse); }

/* The first parameter, or a new one, gets dimensions of size 1 or 0. */
static void make_dimension_small(Mutation *mutation) {
  if (draw(mutation, 2) == 0) {
    mutation->bytes[2] = (uint8_t)((mutation->bytes[2] & 0xe3) | (6 + draw(mutation, 2)) << 2);
    return;
  }
  uint8_t *at = insert_operation(mutation, FUZZ_parameter);
  if (at != nullptr) at[3 + draw(mutation, 4)] = draw(mutation, 2) == 0 ? 3 : 11;
}

static void change_header(Mutation *mutation) {
  mutation->bytes[draw(mutation, fuzz_header_bytes)] = (uint8_t)draw(mutation, 256);
}

static void wrap_or_unwrap(Mutation *mutation) { mutation->bytes[0] ^= (uint8_t)(1u << draw(mutation, 4)); }

static void (*const steps[])(Mutation *) = {insert, insert, repeat, delete, swap, turn_around, replace_operation,
                                            change_attribute, change_attribute, change_attribute, change_header, wrap_or_unwrap, reverse_result,
                                            make_dimension_small};

size_t fuzz_mutate_graph(uint8_t *bytes, size_t size, size_t room, uint32_t seed) {
  if (room < fuzz_header_bytes + fuzz_record_bytes) return size < room ? size : room;
  Mutation mutation = {.bytes = bytes, .room = (room - fuzz_header_bytes) / fuzz_record_bytes, .state = seed};
  if (mutation.room > fuzz_max_operations) mutation.room = fuzz_max_operations;
  if (size < fuzz_header_bytes) memset(bytes + size, 0, fuzz_header_bytes - size);
  mutation.records = size <= fuzz_header_bytes ? 0 : (size - fuzz_header_bytes + fuzz_record_bytes - 1) / fuzz_record_bytes;
  if (mutation.records > mutation.room) mutation.records = mutation.room;
  size_t whole = fuzz_header_bytes + mutation.records * fuzz_record_bytes;
  if (size < whole) memset(bytes + size, 0, whole - size);
  for (uint32_t count = 1 + draw(&mutation, 3); count > 0; count--)
    steps[draw(&mutation, sizeof steps / sizeof *steps)](&mutation);
  assert(mutation.records <= mutation.room);
  return fuzz_header_bytes + mutation.records * fuzz_record_bytes;
}

static size_t whole_records(size_t size) {
  return size <= fuzz_header_bytes ? 0 : (size - fuzz_header_bytes) / fuzz_record_bytes;
}

size_t fuzz_cross_graphs(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size, uint8_t *out,
                         size_t room, uint32_t seed) {
  if (room < fuzz_header_bytes || first_size < fuzz_header_bytes) return 0;
  Mutation mutation = {.bytes = out, .room = (room - fuzz_header_bytes) / fuzz_record_bytes, .state = seed};
  size_t left = whole_records(first_size), right = whole_records(second_size);
  size_t head = draw(&mutation, left + 1), tail = draw(&mutation, right + 1);
  if (head > mutation.room) head = mutation.room;
  if (tail > mutation.room - head) tail = mutation.room - head;
  memcpy(out, first, fuzz_header_bytes + head * fuzz_record_bytes);
  if (tail > 0)
    memcpy(out + fuzz_header_bytes + head * fuzz_record_bytes, second + fuzz_header_bytes + (right - tail) * fuzz_record_bytes,
           tail * fuzz_record_bytes);
  return fuzz_header_bytes + (head + tail) * fuzz_record_bytes;
}
