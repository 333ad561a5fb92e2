/* The forms of operations of the scope `graphs`: each takes the value at hand and leaves a new one,
 * its values under three assignments of distinct integers beside the instruction. The values are
 * computed form by form, by nobody else's semantics. */
#ifndef EXHAUST_GRAPH_FORMS_H
#define EXHAUST_GRAPH_FORMS_H

#include "generate/operations/compose.h"

enum : uint32_t { most_rank = 3, most_elements = 96, assignments = 3 };

typedef struct Array {
  uint32_t rank;
  int64_t sizes[most_rank];
  int64_t values[assignments][most_elements];
} Array;

/* A graph as it is built: p1 and p2, what pads and windows begin with, and what reduces. */
typedef struct FormGraph {
  ModuleBuilder module;
  Builder body;
  Instruction *at_hand, *other, *offset, *none, *zero, *least;
  Computation *sum, *largest;
} FormGraph;

typedef struct OperationChain {
  FormGraph *graph;   /* null: values alone */
  const Array *start; /* of p1 */
  Array value;
  uint32_t made;
  Choices *choices;
  bool is_illegal;
} OperationChain;

/* The choices that the form makes are a function of the chain; `is_illegal` is set where the value
 * at hand does not take it. */
typedef struct GraphForm {
  const char *words;
  void (*make)(OperationChain *chain);
} GraphForm;
static constexpr uint32_t graph_form_count = 15;
extern const GraphForm graph_forms[graph_form_count];

[[nodiscard]] int64_t array_elements(const Array *array);
[[nodiscard]] bool array_same_shape(const Array *a, const Array *b);
[[nodiscard]] const Shape *array_shape(Builder *body, const Array *array);
/* An array of that shape with the values of parameter `number`. */
[[nodiscard]] Array parameter_of(const Array *start, uint32_t number);

#endif
