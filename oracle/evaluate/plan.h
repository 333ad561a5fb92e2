/* A map prepared for judging: its program, and the sources of its runtime variables.
 * A map without runtime variables is evaluated once, over its whole domain. For other maps, the
 * points allowed by the constraints without runtime variables are listed once, by element of the
 * tensor of the dimensions. Their results are computed under each assignment. */
#ifndef ORACLE_EVALUATE_PLAN_H
#define ORACLE_EVALUATE_PLAN_H

#include "oracle/evaluate/box.h"
#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/sets.h"
#include "oracle/evaluate/values.h"

static constexpr uint32_t plan_max_runtimes = 63;
static constexpr int64_t plan_anywhere = -1;
static constexpr int64_t plan_outside = -2; /* a fault once the point is inside the domain */

typedef enum FaultKind : uint8_t {
  FAULT_NONE,
  FAULT_LEAVES_INT64,   /* at a point of the domain */
  FAULT_FROM_OUTSIDE,   /* the domain names an element that the tensor of the map's dimensions does
                           not have */
  FAULT_TO_OUTSIDE,     /* a result is no element of the tensor that the map goes to */
  FAULT_SOURCE_OUTSIDE, /* the source of a runtime variable is an element that its instruction does
                           not have */
} FaultKind;

typedef struct Fault {
  FaultKind kind;
  const Map *map;
  uint32_t runtime;   /* of FAULT_SOURCE_OUTSIDE */
  int64_t *variables; /* the point */
  int64_t *results;   /* [result_count], of FAULT_TO_OUTSIDE */
  char values[160];   /* the drawn values */
} Fault;

typedef struct PlanSource {
  Node *node;
  Program index;
  int64_t *slots;
  bool uses_runtimes; /* the source element depends on other runtime variables */
  uint64_t *paths; /* by element, nullptr if there are too many: the assignment under which `values`
                      was queried */
  int64_t *values; /* clamped */
} PlanSource;

typedef struct Plan {
  const Map *map;
  Program program;
  Box box; /* dimensions and ranges, without runtimes */
  PlanSource *sources;
  int64_t *slots;
  uint32_t point_count, point_capacity;
  uint32_t width; /* of a listed point: the kept slots of the program if keeps_slots, otherwise the
                     variables without the runtime variables */
  bool keeps_slots;
  bool bounds_decide; /* some clamped value is outside of its runtime variable's bounds */
  bool is_in_place;   /* keeps_slots, and the values of all sources are kept and depend on no other
                         runtime variable */
  int64_t *points;    /* [point_count][width] */
  int64_t *elements;  /* [point_count][runtime_count]: source elements that depend on no runtime
                         variable, -1 if there is none */
  int64_t *reaches;   /* [point_count]: the result element if it is the same for all values;
                         plan_outside if no values lead to an element; plan_anywhere if values
                         decide */
  int64_t point;      /* the point that is being evaluated */
  int64_t
      *first; /* [elements of from + 1]: the points of element e are first[e] .. first[e + 1] - 1 */
  uint64_t needs;    /* runtime variables without which a result or constraint cannot be computed */
  uint8_t *resolved; /* by runtime variable, at the point that is being evaluated */
} Plan;

/* A runtime variable whose bounds contain a value that the clamp produces from no value of its
 * source's element type. */
typedef struct Excess {
  bool is_set;
  uint32_t runtime;
  int64_t value;
  const char *source;
  int64_t lowest, highest; /* the values that can occur */
} Excess;

/* The inputs and outputs of plans in one judgement: the tensors, and where a fault is stored. */
typedef struct PlanContext {
  Arena *arena;
  const MapContext *maps;
  Rejection *rejection;
  const Leaf *from, *to;
  int64_t limit; /* points of all maps together */
  Fault *fault;
  Excess *excess;
  Values *values;
} PlanContext;

/* Compiles the map and finds the source instructions of its runtime variables. */
[[nodiscard]] bool plan_create(PlanContext *context, Flow *flow, const Map *map, Plan *plan);
/* Adds the pairs of a map without runtime variables to a matrix with rows of `words` words. */
[[nodiscard]] bool plan_fill(PlanContext *context, Plan *plan, uint32_t words, uint64_t *matrix);
/* Lists the points of a map with runtime variables. */
[[nodiscard]] bool plan_list(PlanContext *context, Plan *plan);
/* Evaluates one listed point under the current assignment. For ANSWER_INSIDE, `to` is the result
 * element. Returns false on a fault. */
[[nodiscard]] bool plan_point(
    PlanContext *context, Plan *plan, int64_t point, PointAnswer *answer, int64_t *to);
/* Whether the results that need no runtime variable allow `element`, whose index is `at`, at a
 * listed point. A point that leads outside counts for every element: whoever visits only such
 * points finds its fault. */
[[nodiscard]] bool plan_may_reach(Plan *plan, int64_t point, int64_t element, const int64_t *at);

#endif
