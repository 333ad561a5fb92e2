/* Values of index operands, element by element, under one assignment of everything that is known
 * only at run time.
 * Constants, iotas and integer arithmetic are computed with HLO's arithmetic, and moved elements
 * are followed to their sources. Every other value is drawn, that is, chosen nondeterministically:
 * one value for each (instruction, element) within an assignment.
 * The candidates of a draw are the numbers in the ranges that users query, cut to the element type.
 * A query's range contains the feasible values, one below and one above. value_ranges.c moves it
 * through the arithmetic in between. A range of more than value_capacity numbers is cut to its
 * ends, and counts as a sample. So does a draw whose ranges are cut, or are partial while it has
 * another user. A drawn value that is computed from others may be one that never occurs
 * (free_draw.h). An assignment is the sequence of drawn values, in the order of the queries.
 * Enumeration advances the last draw. If a later query widens the range of an earlier draw,
 * enumeration restarts with the wider ranges. */
#ifndef ORACLE_EVALUATE_VALUES_H
#define ORACLE_EVALUATE_VALUES_H

#include "core/base/text.h"
#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/value_ranges.h"

static constexpr uint32_t value_capacity = 4098;
static constexpr uint32_t value_max_depth = 1000;

/* An element whose value is chosen. */
typedef struct ChosenValue {
  const Node *node;
  uint32_t leaf;
  int64_t element;
  uint32_t count, capacity;
  Wide *items;   /* ascending, without repetition */
  uint64_t path; /* the assignment in which `choice` was made */
  uint32_t choice;
  const Node *source;        /* of which every value is given, under that assignment; nullptr: of
                                none, some candidate may not occur (free_draw.h) */
  uint64_t numbering, place; /* of its choices in values_number */
} ChosenValue;

/* An element whose value has been queried. */
typedef struct ValueEntry {
  const Node *node; /* nullptr: free */
  uint32_t leaf;
  int64_t element;
  uint64_t path; /* the assignment in which `value` is valid */
  Wide value;
  Wide lo, hi;           /* and the range that was passed on */
  Ranges *ranges;        /* the ranges, if `lo` .. `hi` is not the only one */
  bool has_many, is_cut; /* of the ranges: there are several; some outcome may be missing */
  uint32_t askings;      /* how often the ranges grew under this assignment */
  uint64_t enumeration;  /* in which the users are known */
  bool has_whole;        /* a user's ranges were whole */
  const Node *partial;   /* the only user with partial ranges, and which of its elements */
  int64_t partial_element;
  ChosenValue *chosen;
} ValueEntry;

typedef struct ChosenValues {
  uint32_t count, capacity;
  ChosenValue **items;
} ChosenValues;

typedef enum DrawMode : uint8_t { DRAW_IN_ORDER, DRAW_LOWEST, DRAW_HIGHEST, DRAW_RANDOM } DrawMode;

struct Values {
  Arena *arena;
  Flow *flow;
  Rejection *rejection;
  ValueEntry *table; /* nullptr until a value is queried */
  uint32_t table_mask, used;
  uint64_t path;        /* of the current assignment, from 1 on: entries start with 0 */
  uint64_t enumeration; /* from 1 on as well */
  ChosenValues tape;    /* what has been chosen under this assignment, in order */
  uint32_t position;
  uint32_t prefix;   /* number of first draws that repeat their choices, except the last of them */
  NodeList computed; /* what has been drawn under this assignment, without parameters */
  bool is_doubtful;  /* some draw of this assignment is not free: it may never occur */
  bool is_tangled;   /* some draw that is free decides one that is not */
  uint64_t numbering, next_place; /* of values_number */
  bool was_widened;
  bool was_cut; /* some range was cut: enumeration is not complete */
  DrawMode mode;
  uint64_t random;
  uint32_t depth;
};
typedef struct Values Values;

/* A query of one element: the ranges that its user distinguishes, and the user, which matters only
 * if the ranges are partial. */
typedef struct ValueQuery {
  const Ranges *ranges;
  const Node *user;
  int64_t user_element;
} ValueQuery;

void values_create(Values *values, Flow *flow);
[[nodiscard]] bool value_of(Values *values, const Node *node, uint32_t leaf, int64_t element,
    ValueQuery query, Wide *value);

/* for (values_restart(v);;) { values_begin(v); ...; if (!values_next(v)) break; } enumerates all
 * assignments. values_next also restarts if was_widened; the caller tests was_widened before, to
 * discard its counts. */
void values_restart(Values *values);
void values_begin(Values *values);
[[nodiscard]] bool values_next(Values *values);
/* The number of assignments if each has as many draws, from as many candidates, as the current
 * assignment; at most `most` + 1. */
[[nodiscard]] uint64_t values_estimate(const Values *values, uint64_t most);
/* The number of the draws of the current assignment that are not free: another one if the values of
 * these draws are others. If a free draw decides one of them, it is counted too. Returns false if
 * there are more than `most` within the enumeration. */
[[nodiscard]] bool values_number(Values *values, uint64_t most, uint64_t *number);
/* Begins one assignment of a sample: number 0 draws the lowest values, 1 the highest, others at
 * random, the same in every run. */
void values_begin_sample(Values *values, uint64_t seed, uint64_t number);

/* Prints the first draws of the current assignment, as "of1 = 3, indices[2,0] = -1"; prints nothing
 * if there are none. */
void values_print(Text *text, const Values *values);

#endif
