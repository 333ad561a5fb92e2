/* Each form consists of its choices, its instruction, and one function that computes an element
 * from its index. */
#include "exhaust/scopes/graph_forms.h"

#include <string.h>

int64_t array_elements(const Array *array) {
  int64_t count = 1;
  for (uint32_t i = 0; i < array->rank; i++) count *= array->sizes[i];
  return count;
}

bool array_same_shape(const Array *a, const Array *b) {
  return a->rank == b->rank && memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
}

static void index_of(const Array *array, int64_t at, int64_t *index) {
  for (uint32_t i = array->rank; i-- > 0;) {
    index[i] = at % array->sizes[i];
    at /= array->sizes[i];
  }
}

static int64_t position_of(const Array *array, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < array->rank; i++) at = at * array->sizes[i] + index[i];
  return at;
}

/* Powers of one number modulo a prime: distinct integers of both signs, in another order in each
 * assignment. No sum and no difference of parameters is constant, or a linear function of the
 * index: else values that other places have would be equal. With these three numbers, every pair of
 * the tier `full` that any of 60 assignments shows to differ is shown by one of the three. */
static int64_t assigned(uint32_t assignment, uint32_t parameter, int64_t at) {
  static constexpr int64_t prime = 10007, bases[assignments] = {7884, 6803, 2479};
  int64_t power = 1;
  for (int64_t i = 0; i <= at + 37 * parameter; i++) power = power * bases[assignment] % prime;
  return power - prime / 2;
}

static int64_t offset_of(uint32_t assignment) {
  static const int64_t offsets[assignments] = {0, 1, 9};
  return offsets[assignment];
}

Array parameter_of(const Array *start, uint32_t number) {
  Array array = *start;
  for (uint32_t a = 0; a < assignments; a++)
    for (int64_t i = 0; i < array_elements(start); i++) array.values[a][i] = assigned(a, number, i);
  return array;
}

/* Computes the new value element by element with `element`, and appends its instruction. */
struct NewValue {
  Array out;
  const Array *in, *other;
  uint32_t dimension, way, assignment;
};
typedef int64_t ElementOfValue(const NewValue *made, int64_t *index);

static void chain_make(
    OperationChain *chain, NewValue *made, ElementOfValue *element, Instruction *built) {
  int64_t index[most_rank];
  assert(array_elements(&made->out) <= most_elements);
  for (uint32_t a = 0; a < assignments; a++) {
    made->assignment = a;
    for (int64_t i = 0; i < array_elements(&made->out); i++) {
      index_of(&made->out, i, index);
      made->out.values[a][i] = element(made, index);
    }
  }
  chain->made++;
  if (chain->graph != nullptr) chain->graph->at_hand = built;
  chain->value = made->out;
}

/* Builds nothing if only the values are wanted. */
#define CHAIN_BUILD(...) (graph == nullptr ? nullptr : (__VA_ARGS__))

const Shape *array_shape(Builder *body, const Array *array) {
  return hlo_build_shape(body, TYPE_f32, array->rank, array->sizes);
}

static bool choose_dimension(OperationChain *chain, uint32_t *dimension) {
  *dimension = 0;
  chain->is_illegal |= chain->value.rank == 0;
  if (chain->value.rank > 0) *dimension = (uint32_t)choose(chain->choices, chain->value.rank);
  return chain->value.rank > 0;
}

static int64_t element_negated(const NewValue *made, int64_t *index) {
  return -made->in->values[made->assignment][position_of(made->in, index)];
}

static void form_negate(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain_make(
      chain, made, element_negated, CHAIN_BUILD(BUILD(&graph->body, NEGATE, graph->at_hand)));
}

static int64_t element_combined(const NewValue *made, int64_t *index) {
  int64_t at = position_of(made->in, index), x = made->in->values[made->assignment][at],
          y = made->other->values[made->assignment][at];
  return made->way == 0 ? x - y : made->way == 1 ? y - x : x + y;
}

/* x - p1 and p1 - x, or x + p1 and p1 + x. */
static void chain_combine(OperationChain *chain, FormGraph *graph, NewValue *made, bool is_sum) {
  if (!array_same_shape(&chain->value, chain->start)) {
    chain->is_illegal = true;
    return;
  }
  Array other = parameter_of(chain->start, 1);
  uint32_t way = (uint32_t)choose(chain->choices, 2);
  made->other = &other;
  made->way = is_sum ? 2 : way;
  chain_make(chain, made, element_combined,
      CHAIN_BUILD(hlo_build_elementwise(&graph->body, is_sum ? HLO_ADD : HLO_SUBTRACT,
          OPERANDS(way == 0 ? graph->at_hand : graph->other,
              way == 0 ? graph->other : graph->at_hand))));
}

static void form_subtract(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain_combine(chain, graph, made, false);
}
static void form_add(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain_combine(chain, graph, made, true);
}

static int64_t element_moved(const NewValue *made, int64_t *index) {
  return made->in->values[made->assignment][position_of(made->in, index)];
}

static int64_t element_reversed(const NewValue *made, int64_t *index) {
  index[made->dimension] = made->in->sizes[made->dimension] - 1 - index[made->dimension];
  return element_moved(made, index);
}

static void form_reverse(OperationChain *chain, FormGraph *graph, NewValue *made) {
  if (!choose_dimension(chain, &made->dimension)) return;
  int64_t dimension = made->dimension;
  chain_make(chain, made, element_reversed,
      CHAIN_BUILD(hlo_build_dimensions(
          &graph->body, HLO_REVERSE, OPERANDS(graph->at_hand), 1, &dimension, nullptr)));
}

static int64_t element_sliced(const NewValue *made, int64_t *index) {
  index[made->dimension] += made->way;
  return element_moved(made, index);
}

static Instruction *build_slice(FormGraph *graph, const NewValue *made) {
  int64_t starts[most_rank] = {}, limits[most_rank], strides[most_rank];
  starts[made->dimension] = made->way;
  for (uint32_t i = 0; i < made->in->rank; i++) {
    limits[i] = starts[i] + made->out.sizes[i];
    strides[i] = 1;
  }
  return hlo_build_slice(&graph->body, graph->at_hand, starts, limits, strides);
}

/* Drops the first or the last element of a dimension. */
static void form_slice(OperationChain *chain, FormGraph *graph, NewValue *made) {
  if (!choose_dimension(chain, &made->dimension)) return;
  made->way = (uint32_t)choose(chain->choices, 2);
  chain->is_illegal |= made->in->sizes[made->dimension] < 2;
  if (chain->is_illegal) return;
  made->out.sizes[made->dimension]--;
  chain_make(chain, made, element_sliced, CHAIN_BUILD(build_slice(graph, made)));
}

static int64_t element_joined(const NewValue *made, int64_t *index) {
  int64_t size = made->in->sizes[0];
  bool is_second = index[0] >= size;
  const Array *from = is_second == (made->way == 2) ? made->in : made->other;
  if (made->way == 0) from = made->in;
  index[0] -= is_second ? size : 0;
  return from->values[made->assignment][position_of(made->in, index)];
}

/* Concatenates the value with itself, with p1 after it, or with p1 before it. */
static void form_concatenate(OperationChain *chain, FormGraph *graph, NewValue *made) {
  Array other = parameter_of(chain->start, 1);
  chain->is_illegal |= made->in->rank == 0 || array_elements(made->in) > most_elements / 2;
  made->way = (uint32_t)choose(chain->choices, 3);
  chain->is_illegal |= made->way > 0 && !array_same_shape(made->in, chain->start);
  if (chain->is_illegal) return;
  made->other = &other;
  made->out.sizes[0] *= 2;
  chain_make(chain, made, element_joined,
      CHAIN_BUILD(hlo_build_dimensions(&graph->body, HLO_CONCATENATE,
          OPERANDS(made->way == 2 ? graph->other : graph->at_hand,
              made->way == 1 ? graph->other : graph->at_hand),
          1, &(int64_t){0}, nullptr)));
}

static int64_t element_reduced(const NewValue *made, int64_t *index) {
  int64_t inner[most_rank] = {}, total = made->way == 0 ? 0 : INT64_MIN;
  for (uint32_t i = 0; i < made->in->rank; i++)
    if (i != made->dimension) inner[i] = index[i < made->dimension ? i : i - 1];
  for (int64_t r = 0; r < made->in->sizes[made->dimension]; r++) {
    inner[made->dimension] = r;
    int64_t value = made->in->values[made->assignment][position_of(made->in, inner)];
    if (made->way == 0) total += value;
    else if (value > total) total = value;
  }
  return total;
}

static void chain_reduce(OperationChain *chain, FormGraph *graph, NewValue *made, uint32_t way) {
  made->way = way;
  if (!choose_dimension(chain, &made->dimension)) return;
  made->out.rank--;
  for (uint32_t i = made->dimension; i < made->out.rank; i++)
    made->out.sizes[i] = made->in->sizes[i + 1];
  int64_t dimension = made->dimension;
  chain_make(chain, made, element_reduced,
      CHAIN_BUILD(hlo_build_reduce(&graph->body, 1,
          (Instruction *[]){graph->at_hand, way == 0 ? graph->zero : graph->least}, 1, &dimension,
          way == 0 ? graph->sum : graph->largest)));
}

static void form_sum(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain_reduce(chain, graph, made, 0);
}
static void form_maximum(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain_reduce(chain, graph, made, 1);
}

static int64_t element_padded(const NewValue *made, int64_t *index) {
  index[made->dimension] -= made->way == 0;
  bool is_inside =
      index[made->dimension] >= 0 && index[made->dimension] < made->in->sizes[made->dimension];
  return is_inside ? element_moved(made, index) : 0;
}

/* Pads a dimension with one zero, in front or at the end. */
static void form_pad(OperationChain *chain, FormGraph *graph, NewValue *made) {
  PadDim padding[most_rank] = {};
  if (!choose_dimension(chain, &made->dimension)) return;
  made->way = (uint32_t)choose(chain->choices, 2);
  made->out.sizes[made->dimension]++;
  padding[made->dimension] = (PadDim){.low = made->way == 0, .high = made->way == 1};
  chain_make(chain, made, element_padded,
      CHAIN_BUILD(hlo_build_pad(&graph->body, graph->at_hand, graph->zero, padding)));
}

static int64_t element_spread(const NewValue *made, int64_t *index) {
  return element_moved(made, made->way == 0 ? index + 1 : index);
}

/* Adds a dimension of size 2, in front or at the end. */
static void form_broadcast(OperationChain *chain, FormGraph *graph, NewValue *made) {
  made->way = (uint32_t)choose(chain->choices, 2);
  chain->is_illegal |= made->in->rank == most_rank || array_elements(made->in) > most_elements / 2;
  if (chain->is_illegal) return;
  int64_t dimensions[most_rank] = {};
  for (uint32_t i = 0; i < made->in->rank; i++) {
    dimensions[i] = made->way == 0 ? i + 1 : i;
    made->out.sizes[dimensions[i]] = made->in->sizes[i];
  }
  made->out.sizes[made->way == 0 ? 0 : made->in->rank] = 2;
  made->out.rank++;
  chain_make(chain, made, element_spread,
      CHAIN_BUILD(hlo_build_dimensions(&graph->body, HLO_BROADCAST, OPERANDS(graph->at_hand),
          made->in->rank, dimensions, array_shape(&graph->body, &made->out))));
}

static int64_t element_transposed(const NewValue *made, int64_t *index) {
  int64_t first = index[0];
  index[0] = index[1];
  index[1] = first;
  return element_moved(made, index);
}

static void form_transpose(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain->is_illegal |= made->in->rank < 2;
  if (chain->is_illegal) return;
  made->out.sizes[0] = made->in->sizes[1];
  made->out.sizes[1] = made->in->sizes[0];
  static const int64_t order[most_rank] = {1, 0, 2};
  chain_make(chain, made, element_transposed,
      CHAIN_BUILD(hlo_build_dimensions(
          &graph->body, HLO_TRANSPOSE, OPERANDS(graph->at_hand), made->in->rank, order, nullptr)));
}

static int64_t element_reshaped(const NewValue *made, int64_t *index) {
  return made->in->values[made->assignment][position_of(&made->out, index)];
}

/* Flattens to one dimension, or appends a dimension of size 1. */
static void form_reshape(OperationChain *chain, FormGraph *graph, NewValue *made) {
  bool is_longer = choose(chain->choices, 2) == 1;
  chain->is_illegal |= is_longer ? made->in->rank == most_rank : made->in->rank < 2;
  if (chain->is_illegal) return;
  if (is_longer) made->out.sizes[made->out.rank++] = 1;
  else made->out = (Array){.rank = 1, .sizes = {array_elements(made->in)}};
  chain_make(chain, made, element_reshaped,
      CHAIN_BUILD(
          BUILD_AS(&graph->body, array_shape(&graph->body, &made->out), RESHAPE, graph->at_hand)));
}

static int64_t element_at_offset(const NewValue *made, int64_t *index) {
  int64_t offset = offset_of(made->assignment), most = made->in->sizes[0] - made->out.sizes[0];
  index[0] += offset > most ? most : offset;
  return element_moved(made, index);
}

/* Takes all but one element of the first dimension, from offset p2 on. */
static void form_dynamic_slice(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain->is_illegal |= made->in->rank == 0 || made->in->sizes[0] < 2;
  if (chain->is_illegal) return;
  made->out.sizes[0]--;
  chain_make(chain, made, element_at_offset,
      CHAIN_BUILD(hlo_build_dynamic_slice(&graph->body, 1 + made->in->rank,
          (Instruction *[]){graph->at_hand, graph->offset, graph->none, graph->none},
          made->out.sizes)));
}

static int64_t element_contracted(const NewValue *made, int64_t *index) {
  int64_t total = 0;
  (void)index;
  for (int64_t i = 0; i < made->in->sizes[0]; i++) {
    const int64_t *x = made->in->values[made->assignment],
                  *y = made->other->values[made->assignment];
    total += x[i] * y[i];
  }
  return total;
}

static Instruction *build_dot(FormGraph *graph, bool is_second) {
  Builder *body = &graph->body;
  Instruction *x = graph->at_hand, *y = graph->other;
  const DotNumbers numbers = {.lhs_contracting = hlo_build_ints(body, 1, &(int64_t){0}),
      .rhs_contracting = hlo_build_ints(body, 1, &(int64_t){0})};
  return hlo_build_dot(body, HLO_DOT, OPERANDS(is_second ? y : x, is_second ? x : y), &numbers);
}

/* Contracts the only dimension with p1. */
static void form_dot(OperationChain *chain, FormGraph *graph, NewValue *made) {
  Array other = parameter_of(chain->start, 1);
  bool is_second = choose_bool(chain->choices);
  chain->is_illegal |= made->in->rank != 1 || !array_same_shape(made->in, chain->start);
  if (chain->is_illegal) return;
  made->other = &other;
  made->out.rank = 0;
  chain_make(chain, made, element_contracted, CHAIN_BUILD(build_dot(graph, is_second)));
}

static int64_t element_windowed(const NewValue *made, int64_t *index) {
  int64_t first = element_moved(made, index);
  index[0]++;
  return first + element_moved(made, index);
}

/* Sums neighbours in pairs along the first dimension. */
static void form_window(OperationChain *chain, FormGraph *graph, NewValue *made) {
  chain->is_illegal |= made->in->rank == 0 || made->in->sizes[0] < 2;
  if (chain->is_illegal) return;
  made->out.sizes[0]--;
  const WindowDim one = {.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
  WindowDim dims[most_rank] = {one, one, one};
  dims[0].size = 2;
  chain_make(chain, made, element_windowed,
      CHAIN_BUILD(hlo_build_reduce_window(
          &graph->body, 1, (Instruction *[]){graph->at_hand, graph->zero}, dims, graph->sum)));
}

const GraphForm graph_forms[graph_form_count] = {{"negate", form_negate},
    {"x - p1, p1 - x", form_subtract}, {"reverse of a dimension", form_reverse},
    {"slice without the last or first place", form_slice},
    {"concatenate with itself, p1 after, p1 before", form_concatenate},
    {"sum over a dimension", form_sum}, {"pad with a zero in front or after", form_pad},
    {"transpose of the first two dimensions", form_transpose},
    {"broadcast to a new dimension of 2, first or last", form_broadcast},
    {"reshape to one dimension, or to one more of size 1", form_reshape},
    {"dynamic-slice from p2 on", form_dynamic_slice}, {"x + p1, p1 + x", form_add},
    {"dot with p1, either way round", form_dot}, {"maximum over a dimension", form_maximum},
    {"window of two places", form_window}};

void graph_form_make(const GraphForm *form, OperationChain *chain) {
  const Array in = chain->value;
  form->make(chain, chain->graph, &(NewValue){.out = in, .in = &in});
}
