/* A map, made ready to be judged: its program, and where the values of its runtime variables come
 * from.
 * Maps without runtime variables are evaluated once, over their whole domain. Of the others, the
 * points that the constraints without runtime variables allow are listed once, by element of the
 * tensor that the map goes from; what they relate is found under each assignment. */
#ifndef ORACLE_PLAN_H
#define ORACLE_PLAN_H

#include "oracle/evaluate/box.h"
#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/sets.h"
#include "oracle/evaluate/values.h"

static constexpr uint32_t plan_max_runtimes = 63;
static constexpr int64_t plan_anywhere = -1; /* also where the element would lie outside: that is a
                                                fault once the point is inside the domain */

typedef enum FaultKind : uint8_t {
  FAULT_NONE,
  FAULT_LEAVES_INT64,   /* at a point of the domain */
  FAULT_FROM_OUTSIDE,   /* the domain names an element that the tensor which the map goes from does
                           not have */
  FAULT_TO_OUTSIDE,     /* a result that the tensor which the map goes to does not have */
  FAULT_SOURCE_OUTSIDE, /* a runtime variable comes from an element that its instruction does not
                           have */
} FaultKind;

typedef struct Fault {
  FaultKind kind;
  const Map *map;
  uint32_t runtime;   /* of FAULT_SOURCE_OUTSIDE */
  int64_t *variables; /* the point */
  int64_t *results;   /* [result_count], of FAULT_TO_OUTSIDE */
  char values[160];   /* what was drawn */
} Fault;

typedef struct PlanSource {
  Node *node;
  Program index;
  int64_t *slots;
  bool uses_runtimes; /* the element depends on other runtime variables */
  uint64_t *paths; /* by element, where there are not too many: the assignment under which `values`
                      has been asked for */
  int64_t *values; /* clamped */
} PlanSource;

typedef struct Plan {
  const Map *map;
  Program program;
  Box box; /* dimensions and ranges; runtimes aside */
  PlanSource *sources;
  int64_t *slots;
  uint32_t point_count, point_capacity;
  uint32_t width; /* of a listed point: all slots where they are kept, else the variables without
                     runtime variables */
  bool keeps_slots;
  int64_t *points;   /* [point_count][width] */
  int64_t *elements; /* [point_count][runtime_count]: of sources that depend on no runtime variable,
                        -1 where there is none */
  int64_t *reaches;  /* [point_count]: the element that the results lead to whatever the values;
                        plan_anywhere where values decide */
  int64_t point;     /* that is being evaluated */
  int64_t
      *first; /* [elements of from + 1]: the points of element e are first[e] .. first[e + 1] - 1 */
  uint64_t needs; /* runtime variables without which results and constraints cannot be computed */
  uint8_t *resolved; /* by runtime variable, at the point that is being evaluated */
} Plan;

/* A runtime variable whose bounds have a value that no value of its source's element type is
 * clamped to. */
typedef struct Excess {
  bool is_set;
  uint32_t runtime;
  int64_t value;
  const char *source;
  int64_t lowest, highest; /* that can occur */
} Excess;

/* The maps' side of a judgement: the tensors, and where a fault goes. */
typedef struct PlanContext {
  Arena *arena;
  const MapContext *maps;
  Rejection *rejection;
  const Leaf *from, *to;
  int64_t limit; /* points, all maps together */
  Fault *fault;
  Excess *excess;
  Values *values;
} PlanContext;

/* Compiles; finds the instructions after runtime variables. */
[[nodiscard]] bool plan_create(PlanContext *context, Flow *flow, const Map *map, Plan *plan);
/* Adds the pairs of a map without runtime variables to a matrix with rows of `words` words. */
[[nodiscard]] bool plan_fill(PlanContext *context, Plan *plan, uint32_t words, uint64_t *matrix);
/* Lists the points of a map with runtime variables. */
[[nodiscard]] bool plan_list(PlanContext *context, Plan *plan);
/* One listed point under the current assignment. ANSWER_INSIDE: `to` is the element that it leads
 * to. A fault answers false. */
[[nodiscard]] bool plan_point(
    PlanContext *context, Plan *plan, int64_t point, PointAnswer *answer, int64_t *to);
/* Whether the results without runtime variables of a listed point allow an element, which has index
 * `at`. */
[[nodiscard]] bool plan_may_reach(Plan *plan, int64_t point, int64_t element, const int64_t *at);

#endif
