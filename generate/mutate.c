/* One function per mutator step; it returns true if it changed anything. Byte 0 of a record is its
 * operation, byte 1 its operand (0: the newest value) for most operations, and the rest are
 * attributes. Most inserted records are connected: they read the newest value, and the next record
 * reads theirs. */
#include "generate/mutate.h"

#include <assert.h>
#include <string.h>

#include "generate/decode.h"
#include "generate/operations/operation.h"

/* The first byte of a record, by operation name. */
enum : uint8_t {
#define FUZZ_OPERATION(name) FUZZ_##name,
#include "generate/operations.def"
#undef FUZZ_OPERATION
  FUZZ_operation_count
};

typedef struct Mutation {
  uint8_t *bytes;
  size_t records, capacity; /* in records */
  uint64_t state;
} Mutation;

static uint32_t mutate_draw(Mutation *mutation, size_t below) {
  uint64_t z = mutation->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z ^= z >> 29;
  return below == 0 ? 0 : (uint32_t)(z % below);
}

static uint8_t *mutate_record(const Mutation *mutation, size_t at) {
  assert(at <= mutation->capacity);
  return mutation->bytes + fuzz_header_bytes + at * fuzz_record_bytes;
}

static void mutate_fill(Mutation *mutation, uint8_t *at) {
  for (size_t i = 0; i < fuzz_record_bytes; i++) at[i] = (uint8_t)mutate_draw(mutation, 256);
  if (mutate_draw(mutation, 2) == 0) at[1] = 0;
}

static bool open_gap(Mutation *mutation, size_t at, size_t count) {
  if (mutation->records + count > mutation->capacity) return false;
  memmove(mutate_record(mutation, at + count), mutate_record(mutation, at),
      (mutation->records - at) * fuzz_record_bytes);
  mutation->records += count;
  return true;
}

/* Connects records [at, at + count): the first reads the newest value, and the record after them
 * reads theirs. */
static void feed(const Mutation *mutation, size_t at, size_t count) {
  mutate_record(mutation, at)[1] = 0;
  if (at + count < mutation->records) mutate_record(mutation, at + count)[1] = 0;
}

/* Inserts a connected record of zeros with this operation at a random position; nullptr if there is
 * no capacity. */
static uint8_t *insert_operation(Mutation *mutation, uint8_t operation) {
  size_t at = mutate_draw(mutation, mutation->records + 1);
  if (!open_gap(mutation, at, 1)) return nullptr;
  memset(mutate_record(mutation, at), 0, fuzz_record_bytes);
  mutate_record(mutation, at)[0] = operation;
  feed(mutation, at, 1);
  return mutate_record(mutation, at);
}

static bool step_insert(Mutation *mutation) {
  size_t at = mutate_draw(mutation, mutation->records + 1);
  if (!open_gap(mutation, at, 1)) return false;
  mutate_fill(mutation, mutate_record(mutation, at));
  return true;
}

static bool step_repeat(Mutation *mutation) {
  if (mutation->records == 0) return false;
  size_t from = mutate_draw(mutation, mutation->records),
         to = mutate_draw(mutation, mutation->records + 1);
  uint8_t copy[fuzz_record_bytes];
  memcpy(copy, mutate_record(mutation, from), sizeof copy);
  if (!open_gap(mutation, to, 1)) return false;
  memcpy(mutate_record(mutation, to), copy, sizeof copy);
  return true;
}

static bool step_delete(Mutation *mutation) {
  if (mutation->records == 0) return false;
  size_t at = mutate_draw(mutation, mutation->records);
  memmove(mutate_record(mutation, at), mutate_record(mutation, at + 1),
      (mutation->records - at - 1) * fuzz_record_bytes);
  mutation->records--;
  return true;
}

static bool swap_records(Mutation *mutation, size_t a, size_t b) {
  uint8_t copy[fuzz_record_bytes];
  if (memcmp(mutate_record(mutation, a), mutate_record(mutation, b), sizeof copy) == 0)
    return false;
  memcpy(copy, mutate_record(mutation, a), sizeof copy);
  memcpy(mutate_record(mutation, a), mutate_record(mutation, b), sizeof copy);
  memcpy(mutate_record(mutation, b), copy, sizeof copy);
  return true;
}

static bool step_swap(Mutation *mutation) {
  if (mutation->records < 2) return false;
  size_t a = mutate_draw(mutation, mutation->records),
         step = 1 + mutate_draw(mutation, mutation->records - 1);
  return swap_records(mutation, a, (a + step) % mutation->records);
}

static bool step_turn_around(Mutation *mutation) {
  bool changed = false;
  for (size_t i = 0; 2 * i + 1 < mutation->records; i++)
    changed |= swap_records(mutation, i, mutation->records - 1 - i);
  return changed;
}

static bool step_replace(Mutation *mutation) {
  if (mutation->records == 0) return false;
  uint8_t *at = mutate_record(mutation, mutate_draw(mutation, mutation->records)),
          other = (uint8_t)(1 + mutate_draw(mutation, FUZZ_operation_count - 1));
  *at = (uint8_t)((*at + other) % FUZZ_operation_count);
  return true;
}

static bool step_graft(Mutation *mutation) {
  if (mutation->records == 0) return false;
  uint8_t piece[fuzz_max_operations * fuzz_record_bytes];
  size_t from = mutate_draw(mutation, mutation->records),
         count = 1 + mutate_draw(mutation, mutation->records - from);
  memcpy(piece, mutate_record(mutation, from), count * fuzz_record_bytes);
  size_t at = mutate_draw(mutation, mutation->records + 1);
  if (!open_gap(mutation, at, count)) return false;
  memcpy(mutate_record(mutation, at), piece, count * fuzz_record_bytes);
  feed(mutation, at, count);
  return true;
}

static bool step_change_operand(Mutation *mutation) {
  if (mutation->records == 0) return false;
  uint8_t *at = mutate_record(mutation, mutate_draw(mutation, mutation->records)) + 1;
  *at = (uint8_t)(*at + 1 + mutate_draw(mutation, 63)) % 64;
  return true;
}

static void change_byte(Mutation *mutation, uint8_t *at) {
  switch (mutate_draw(mutation, 4)) {
    case 0: *at = (uint8_t)mutate_draw(mutation, 256); break;
    case 1: *at = (uint8_t)(*at + 1); break;
    case 2: *at = (uint8_t)(*at - 1); break;
    default: *at ^= (uint8_t)(1u << mutate_draw(mutation, 8)); break;
  }
}

/* The first bytes of a record matter more than the last ones, so they are chosen more often. */
static bool step_change_attribute(Mutation *mutation) {
  if (mutation->records == 0) return false;
  uint32_t a = mutate_draw(mutation, fuzz_record_bytes - 2),
           b = mutate_draw(mutation, fuzz_record_bytes - 2),
           c = mutate_draw(mutation, fuzz_record_bytes - 2);
  uint32_t least = a < b ? a : b;
  change_byte(mutation, mutate_record(mutation, mutate_draw(mutation, mutation->records)) + 2 +
                            (least < c ? least : c));
  return true;
}

/* Inserts a record of the operation. Half of the time, and if there is no capacity, changes the
 * header byte with the same effect on the first parameter instead. */
static uint8_t *insert_or_change_header(Mutation *mutation, uint8_t operation, size_t at) {
  uint8_t *made = mutate_draw(mutation, 2) == 0 ? nullptr : insert_operation(mutation, operation);
  if (made == nullptr)
    mutation->bytes[at] = (uint8_t)(mutation->bytes[at] + 1 + mutate_draw(mutation, 255));
  return made;
}

static bool step_change_shape(Mutation *mutation) {
  uint8_t *at = insert_or_change_header(mutation, FUZZ_reshape, 2);
  for (size_t i = 2; at != nullptr && i < 8; i++) at[i] = (uint8_t)mutate_draw(mutation, 256);
  return true;
}

/* Inserts a copy with another layout. */
static bool step_change_layout(Mutation *mutation) {
  uint8_t *at = insert_or_change_header(mutation, FUZZ_unary, 3);
  if (at == nullptr) return true;
  at[3] = 2;
  at[4] = (uint8_t)(1 + mutate_draw(mutation, 255));
  return true;
}

/* Inserts a slice of one or several dimensions. `end` is -2, which leaves size 1, or -1, which
 * leaves size 0, modulo each of 2, 3, 4, 5 and 6; it works for sizes up to 5. */
static bool slice_dimensions(Mutation *mutation, uint8_t end) {
  uint8_t *at = insert_operation(mutation, FUZZ_slice);
  if (at == nullptr) return false;
  uint32_t dimensions = 1 + mutate_draw(mutation, 15);
  for (uint32_t i = 0; i < 4; i++) at[3 + 3 * i] = (dimensions >> i & 1) != 0 ? end : 0;
  return true;
}

static bool step_make_one(Mutation *mutation) { return slice_dimensions(mutation, 58); }

static bool step_make_zero(Mutation *mutation) { return slice_dimensions(mutation, 59); }

static bool step_reverse(Mutation *mutation) {
  uint8_t *at = insert_operation(mutation, FUZZ_reverse);
  if (at != nullptr) at[2] = (uint8_t)mutate_draw(mutation, 16);
  return at != nullptr;
}

/* Header bits as in fuzz_decode_graph: 1 no fusion around the body, 2 one more around it, 4 a call
 * instead. */
static bool step_wrap(Mutation *mutation) {
  uint8_t before = mutation->bytes[0];
  if (mutate_draw(mutation, 2) == 0) {
    mutation->bytes[0] = (before & 1) != 0 ? before & (uint8_t)~7u : (uint8_t)((before & ~4u) | 2u);
    if (mutation->bytes[0] != before) return true;
  }
  uint8_t *at = insert_operation(mutation, FUZZ_control);
  if (at == nullptr) return false;
  at[2] = generate_reversing_fusion();
  for (size_t i = 3; i < 6; i++) at[i] = (uint8_t)mutate_draw(mutation, 256);
  return true;
}

static bool step_unwrap(Mutation *mutation) {
  if ((mutation->bytes[0] & 1) != 0) return false;
  if ((mutation->bytes[0] & 2) != 0) mutation->bytes[0] ^= 2;
  else mutation->bytes[0] |= 1;
  return true;
}

static bool step_change_outputs(Mutation *mutation) {
  mutation->bytes[1] = (uint8_t)(mutation->bytes[1] + 1 + mutate_draw(mutation, 11));
  return true;
}

static bool (*const steps[])(Mutation *) = {
#define FUZZ_MUTATION(name, weight) step_##name,
#include "generate/mutations.def"
#undef FUZZ_MUTATION
};

static const uint32_t weights[] = {
#define FUZZ_MUTATION(name, weight) weight,
#include "generate/mutations.def"
#undef FUZZ_MUTATION
};

const char *fuzz_mutation_name(FuzzMutation mutation) {
  static const char *const names[] = {
#define FUZZ_MUTATION(name, weight) #name,
#include "generate/mutations.def"
#undef FUZZ_MUTATION
  };
  assert(mutation < fuzz_mutation_count);
  return names[mutation];
}

static FuzzMutation choose_mutation(Mutation *mutation) {
  uint32_t all = 0, chosen = 0;
  for (uint32_t i = 0; i < fuzz_mutation_count; i++) all += weights[i];
  for (uint32_t left = mutate_draw(mutation, all); left >= weights[chosen]; chosen++)
    left -= weights[chosen];
  return (FuzzMutation)chosen;
}

static size_t capacity_in_records(size_t capacity) {
  size_t records = (capacity - fuzz_header_bytes) / fuzz_record_bytes;
  return records < fuzz_max_operations ? records : fuzz_max_operations;
}

size_t fuzz_mutate_graph(
    uint8_t *bytes, size_t size, size_t capacity, uint32_t seed, uint32_t *taken) {
  uint32_t ignored;
  if (taken == nullptr) taken = &ignored;
  *taken = 0;
  if (capacity < fuzz_header_bytes + fuzz_record_bytes) return size < capacity ? size : capacity;
  Mutation mutation = {.bytes = bytes, .capacity = capacity_in_records(capacity), .state = seed};
  if (size < fuzz_header_bytes) memset(bytes + size, 0, fuzz_header_bytes - size);
  mutation.records = size <= fuzz_header_bytes
                         ? 0
                         : (size - fuzz_header_bytes + fuzz_record_bytes - 1) / fuzz_record_bytes;
  if (mutation.records > mutation.capacity) mutation.records = mutation.capacity;
  size_t whole = fuzz_header_bytes + mutation.records * fuzz_record_bytes;
  if (size < whole) memset(bytes + size, 0, whole - size);
  for (uint32_t count = 1 + mutate_draw(&mutation, 3); count > 0; count--) {
    FuzzMutation chosen = choose_mutation(&mutation);
    if (steps[chosen](&mutation)) *taken |= 1u << chosen;
  }
  assert(mutation.records <= mutation.capacity);
  return fuzz_header_bytes + mutation.records * fuzz_record_bytes;
}

static size_t whole_records(size_t size) {
  size_t records = size <= fuzz_header_bytes ? 0 : (size - fuzz_header_bytes) / fuzz_record_bytes;
  return records < fuzz_max_operations ? records : fuzz_max_operations;
}

size_t fuzz_graft_graph(const uint8_t *first, size_t first_size, const uint8_t *second,
    FuzzGraft graft, uint8_t *out, size_t capacity) {
  Mutation mutation = {.bytes = out,
      .capacity = capacity_in_records(capacity),
      .records = whole_records(first_size)};
  if (mutation.records > mutation.capacity) mutation.records = mutation.capacity;
  if (graft.at > mutation.records) graft.at = mutation.records;
  if (graft.count > mutation.capacity - mutation.records)
    graft.count = mutation.capacity - mutation.records;
  memcpy(out, first, fuzz_header_bytes + mutation.records * fuzz_record_bytes);
  if (graft.count > 0 && open_gap(&mutation, graft.at, graft.count)) {
    memcpy(mutate_record(&mutation, graft.at),
        second + fuzz_header_bytes + graft.from * fuzz_record_bytes,
        graft.count * fuzz_record_bytes);
    feed(&mutation, graft.at, graft.count);
  }
  return fuzz_header_bytes + mutation.records * fuzz_record_bytes;
}

/* Joins a head of the first graph and a tail of the second. */
static size_t mutate_append(
    Mutation *mutation, const uint8_t *first, size_t left, const uint8_t *second, size_t right) {
  size_t head = mutate_draw(mutation, left + 1), tail = mutate_draw(mutation, right + 1);
  if (head > mutation->capacity) head = mutation->capacity;
  if (tail > mutation->capacity - head) tail = mutation->capacity - head;
  memcpy(mutation->bytes, first, fuzz_header_bytes + head * fuzz_record_bytes);
  if (tail > 0)
    memcpy(mutate_record(mutation, head),
        second + fuzz_header_bytes + (right - tail) * fuzz_record_bytes, tail * fuzz_record_bytes);
  return fuzz_header_bytes + (head + tail) * fuzz_record_bytes;
}

size_t fuzz_cross_graphs(const uint8_t *first, size_t first_size, const uint8_t *second,
    size_t second_size, uint8_t *out, size_t capacity, uint32_t seed) {
  if (capacity < fuzz_header_bytes || first_size < fuzz_header_bytes) return 0;
  Mutation mutation = {.bytes = out, .capacity = capacity_in_records(capacity), .state = seed};
  size_t left = whole_records(first_size), right = whole_records(second_size);
  if (right == 0 || left >= mutation.capacity || mutate_draw(&mutation, 3) == 0)
    return mutate_append(&mutation, first, left, second, right);
  size_t from = mutate_draw(&mutation, right), count = 1 + mutate_draw(&mutation, right - from);
  return fuzz_graft_graph(first, first_size, second,
      (FuzzGraft){from, count, mutate_draw(&mutation, left + 1)}, out, capacity);
}
