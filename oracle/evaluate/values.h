/* Values of index operands, element by element, under one assignment of everything that is only
 * known at run time.
 * Constants, iotas and integer arithmetic are computed with HLO's arithmetic, moved elements are
 * followed to where they come from; what is left is drawn: one value for each (instruction,
 * element), the same wherever it is asked for. The values that an element can be drawn from are
 * those in the ranges that its users ask for (one below and one above the feasible ones, moved
 * through the arithmetic in between), cut to its type; a range of more than value_capacity numbers
 * is cut to its ends, and counts as a sample. Enumeration: an assignment is the sequence of values
 * drawn, in the order of asking. All sequences are gone through by counting the last draw up; when
 * a later question widens the range of an earlier draw, everything starts again with the wider
 * ranges. */
#ifndef ORACLE_VALUES_H
#define ORACLE_VALUES_H

#include "core/base/text.h"
#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/wide.h"

static constexpr uint32_t value_capacity = 4098;
static constexpr uint32_t value_max_depth = 1000;

/* An element whose value is drawn. */
typedef struct Drawn {
  const Node *node;
  uint32_t leaf;
  int64_t element;
  uint32_t count, capacity;
  Wide *items;   /* ascending, without repetition */
  uint64_t path; /* the assignment in which `choice` was drawn */
  uint32_t choice;
} Drawn;

/* An element whose value has been asked for. */
typedef struct ValueEntry {
  const Node *node; /* nullptr: free */
  uint32_t leaf;
  int64_t element;
  uint64_t path;      /* the assignment for which `value` holds */
  Wide value, lo, hi; /* and the range that was passed on */
  uint32_t askings;   /* how often the range grew under this assignment */
  Drawn *drawn;
} ValueEntry;

typedef struct DrawnList {
  uint32_t count, capacity;
  Drawn **items;
} DrawnList;

typedef enum DrawMode : uint8_t { DRAW_IN_ORDER, DRAW_LOWEST, DRAW_HIGHEST, DRAW_RANDOM } DrawMode;

struct Values {
  Arena *arena;
  Flow *flow;
  Rejection *rejection;
  ValueEntry *table; /* nullptr until a value is asked for */
  uint32_t table_mask, used;
  uint64_t path;  /* of the current assignment, from 1 on: entries start with 0 */
  DrawnList tape; /* what has been drawn under this assignment, in order */
  uint32_t position;
  uint32_t prefix; /* the first draws repeat their choices: all but the last of these */
  bool was_widened;
  bool was_cut; /* some range was cut: enumeration is not complete */
  DrawMode mode;
  uint64_t random;
  uint32_t depth;
};
typedef struct Values Values;

void values_create(Values *values, Flow *flow);
[[nodiscard]] bool value_of(Values *values, const Node *node, uint32_t leaf, int64_t element,
    Wide lo, Wide hi, Wide *value);

/* for (values_restart(v);;) { values_begin(v); ...; if (!values_next(v)) break; }: all assignments;
 * values_next also starts again where was_widened, which the caller looks at first, to forget what
 * it has counted. */
void values_restart(Values *values);
void values_begin(Values *values);
[[nodiscard]] bool values_next(Values *values);
/* How many assignments there are if each takes as many draws, from as many values, as the current
 * one; at most `most` + 1. */
[[nodiscard]] uint64_t values_estimate(const Values *values, uint64_t most);
/* One assignment of a sample: number 0 draws the lowest values, 1 the highest, further ones at
 * random, the same in every run. */
void values_begin_sample(Values *values, uint64_t seed, uint64_t number);

/* "of1 = 3, indices[2,0] = -1": the first draws of the current assignment; nothing when there are
 * none. */
void values_print(Text *text, const Values *values);

#endif
