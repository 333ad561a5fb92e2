/* The reads of one operation for one element of its output: a list of (operand, leaf of the
 * operand, element). Each family of operations has one function that appends to the list; it is
 * written from the operation semantics alone. A function may skip operands for which read_wants is
 * false, so that index values are drawn only where they matter. */
#ifndef ORACLE_SEMANTICS_READING_H
#define ORACLE_SEMANTICS_READING_H

#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/wide.h"

typedef struct Read {
  uint32_t operand, leaf;
  int64_t element;
} Read;

typedef struct Values Values;
typedef struct Reading Reading;

/* Returns the value of an element of an integral operand. Values outside of [lo, hi] make no
 * difference to the caller; drawn values are taken from that range. */
typedef bool ReadValue(
    Reading *reading, uint32_t operand, int64_t element, Wide lo, Wide hi, Wide *value);
ReadValue values_read;

struct Reading {
  Arena *arena;
  Rejection *rejection;
  Values *values;         /* supplies elements of index operands */
  ReadValue *read_value;  /* queries `values` */
  uint32_t operand_limit; /* operands from this one on are not wanted */
  bool only_reaching;     /* wants only operands that depend on the target */
  bool is_bound;          /* some list since the start may contain reads that are never made */
  const uint8_t *rows;    /* of scatters: the index rows whose updates are wanted; nullptr for all
                             rows */
  uint32_t count, capacity;
  Read *items;
  const Node *node; /* the operation, its output leaf, and the element in two forms */
  uint32_t leaf;
  int64_t element;
  const int64_t *at;
  int64_t *scratch; /* buffer for lists of positions; the current operation uses it up to
                       `scratch_used` */
  size_t scratch_used, scratch_capacity;
};

[[nodiscard]] static inline bool read_wants(const Reading *reading, uint32_t operand) {
  return operand < reading->operand_limit &&
         (!reading->only_reaching || reading->node->operands[operand]->reaches);
}

[[nodiscard]] static inline const Leaf *read_operand(const Reading *reading, uint32_t operand) {
  return &reading->node->operands[operand]->leaves[0];
}

static inline void read_leaf_element(
    Reading *reading, uint32_t operand, uint32_t leaf, int64_t element) {
  assert(element >= 0 && element < reading->node->operands[operand]->leaves[leaf].elements);
  *ARENA_PUSH(reading->arena, reading) =
      (Read){.operand = operand, .leaf = leaf, .element = element};
}

static inline void read_element(Reading *reading, uint32_t operand, int64_t element) {
  read_leaf_element(reading, operand, 0, element);
}

static inline void read_index(Reading *reading, uint32_t operand, const int64_t *at) {
  read_leaf_element(reading, operand, 0, leaf_element(read_operand(reading, operand), at));
}

/* Clears the list and lists the reads of one element. `at` is the index of `element` in the output
 * leaf. */
[[nodiscard]] bool read_operation(
    Reading *reading, const Node *node, uint32_t leaf, int64_t element, const int64_t *at);

/* For operations that only arrange leaves: the operand leaf that equals an output leaf, or
 * no_operand for a leaf that the operation creates. False for all other operations. */
static constexpr uint32_t no_operand = UINT32_MAX;
[[nodiscard]] bool structure_leaf(
    const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf);

/* One function per group of opcodes, called for an element of reading->node's output leaf. The
 * macros name groups that share the function of another group. */
typedef bool ReadRule(Reading *reading);
#define read_copy read_structure
#define read_async_start read_structure
#define read_async read_structure
#define read_collective_done read_structure
#define read_after_all read_source
#define read_get_dimension_size read_source
#define GROUP(group, family) ReadRule read_##group;
#include "core/hlo/opcodes.def"
#undef GROUP

/* Whether the root of a body depends on parameter `number`. */
[[nodiscard]] bool body_uses(Arena *arena, const Computation *body, int64_t number);
/* For semantics that are not written: rejects with the operation's name. */
[[nodiscard]] bool read_unsupported(Reading *reading);
/* Rejects with the reason why the operation can have no semantics here. */
[[nodiscard]] bool read_unknowable(Reading *reading, const char *reason);

#endif
