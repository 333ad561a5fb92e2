/* The operation forms of the scope `graphs`. Each form takes the current value and makes a new one:
 * the instruction, and its values under three assignments of distinct integers. The values are
 * computed here, form by form, independently of every other semantics. */
#ifndef EXHAUST_SCOPES_GRAPH_FORMS_H
#define EXHAUST_SCOPES_GRAPH_FORMS_H

#include "generate/operations/compose.h"

enum : uint32_t { most_rank = 3, most_elements = 96, assignments = 3 };

typedef struct Array {
  uint32_t rank;
  int64_t sizes[most_rank];
  int64_t values[assignments][most_elements];
} Array;

/* A graph under construction: the current value, p1 (`other`), p2 (`offset`), initial values of
 * pads and windows, and the reducers. */
typedef struct FormGraph {
  ModuleBuilder module;
  Builder body;
  Instruction *at_hand, *other, *offset, *none, *zero, *least;
  Computation *sum, *largest;
} FormGraph;

typedef struct OperationChain {
  FormGraph *graph;   /* nullptr: only values are computed */
  const Array *start; /* the shape of p1 */
  Array value;
  uint32_t made;
  Choices *choices;
  bool is_illegal;
} OperationChain;

/* The value that a form makes; it begins as a copy of the current one. */
typedef struct NewValue NewValue;
typedef struct GraphForm {
  const char *words;
  void (*make)(OperationChain *chain, FormGraph *graph, NewValue *made);
} GraphForm;
static constexpr uint32_t graph_form_count = 15;
extern const GraphForm graph_forms[graph_form_count];
/* Chooses by the chain alone. Sets `is_illegal` if the form does not apply to the current value. */
void graph_form_make(const GraphForm *form, OperationChain *chain);

[[nodiscard]] int64_t array_elements(const Array *array);
[[nodiscard]] bool array_same_shape(const Array *a, const Array *b);
[[nodiscard]] const Shape *array_shape(Builder *body, const Array *array);
/* An array of the shape of `start` with the values of parameter `number`. */
[[nodiscard]] Array parameter_of(const Array *start, uint32_t number);

#endif
