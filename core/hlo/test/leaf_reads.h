/* Test support: a small operation as text, and the elements of its operands' leaves that each
 * element of its results reads. */
#ifndef CORE_HLO_TEST_LEAF_READS_H
#define CORE_HLO_TEST_LEAF_READS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"

static constexpr uint32_t leaf_rank = 3, leaf_elements = 64, leaf_slots = 8, leaf_results = 8;

/* An array of at most 64 elements. */
typedef struct LeafShape {
  uint32_t rank;
  int64_t sizes[leaf_rank];
} LeafShape;

/* Of each slot, a leaf of an operand: its elements, one bit each. */
typedef struct LeafSet {
  uint64_t of[leaf_slots];
} LeafSet;

typedef struct LeafReads {
  uint64_t random;
  Arena *arena;
  const char *computations, *root; /* "SHAPE opcode(..), attributes" */
  Text parameters;
  uint32_t slot_count, result_count;
  struct {
    uint32_t operand, leaf;
    LeafShape shape;
  } slots[leaf_slots];
  LeafShape results[leaf_results];
  LeafSet sets[leaf_results][leaf_elements];
} LeafReads;

static uint32_t leaf_below(LeafReads *reads, uint32_t end) {
  reads->random = reads->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(reads->random >> 33) % end;
}

static uint32_t leaf_count(LeafShape shape) {
  int64_t count = 1;
  for (uint32_t i = 0; i < shape.rank; i++) count *= shape.sizes[i];
  assert_true(count <= leaf_elements);
  return (uint32_t)count;
}

static void leaf_at(LeafShape shape, uint32_t element, int64_t *at) {
  for (uint32_t i = shape.rank; i > 0; i--) {
    at[i - 1] = element % shape.sizes[i - 1];
    element /= (uint32_t)shape.sizes[i - 1];
  }
}

static uint32_t leaf_number(LeafShape shape, const int64_t *at) {
  int64_t number = 0;
  for (uint32_t i = 0; i < shape.rank; i++) {
    assert_true(at[i] >= 0 && at[i] < shape.sizes[i]);
    number = number * shape.sizes[i] + at[i];
  }
  return (uint32_t)number;
}

static LeafShape draw_leaf_shape(LeafReads *reads, uint32_t least_rank, uint32_t most) {
  LeafShape shape = {.rank = least_rank + leaf_below(reads, leaf_rank + 1 - least_rank)};
  for (uint32_t i = 0; i < shape.rank; i++) shape.sizes[i] = 1 + leaf_below(reads, most);
  return shape;
}

static LeafShape without_dimension(LeafShape shape, uint32_t dimension) {
  for (uint32_t i = dimension; i + 1 < shape.rank; i++) shape.sizes[i] = shape.sizes[i + 1];
  shape.rank--;
  return shape;
}

static const char *leaf_text(Arena *arena, const char *type, LeafShape shape) {
  Text text = text_create(arena);
  text_printf(&text, "%s[", type);
  for (uint32_t i = 0; i < shape.rank; i++)
    text_printf(&text, "%s%lld", i == 0 ? "" : ",", (long long)shape.sizes[i]);
  text_string(&text, "]");
  return text.bytes;
}

/* A parameter of its own. Returns its slot. */
static uint32_t add_leaf_operand(LeafReads *reads, const char *type, LeafShape shape) {
  uint32_t slot = reads->slot_count++;
  assert_true(slot < leaf_slots);
  reads->slots[slot].operand = slot;
  reads->slots[slot].shape = shape;
  text_printf(&reads->parameters, "p%u = %s parameter(%u)\n", slot,
      leaf_text(reads->arena, type, shape), slot);
  return slot;
}

static LeafSet *add_leaf_result(LeafReads *reads, LeafShape shape) {
  assert_true(reads->result_count < leaf_results);
  reads->results[reads->result_count] = shape;
  return reads->sets[reads->result_count++];
}

static LeafSet one_element(uint32_t slot, uint32_t element) {
  LeafSet set = {};
  set.of[slot] = UINT64_C(1) << element;
  return set;
}

static LeafSet joined_sets(LeafSet a, LeafSet b) {
  for (uint32_t i = 0; i < leaf_slots; i++) a.of[i] |= b.of[i];
  return a;
}

typedef void DrawLeafReads(LeafReads *reads);

#endif
