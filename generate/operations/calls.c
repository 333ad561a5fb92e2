/* Operations that call a computation (loops, branches, calls, async pairs, fusions with tuples),
 * and operations that start a transfer; those that end one are in structure.c and collective.c. A
 * form is a function of the operand; x is the shape of the current array. */
#include "generate/operations/compose.h"

typedef Instruction *CallForm(OperationCase *at_hand, Instruction *v);

/* Starts a computation with a single use. */
static Builder begin_callee(OperationCase *at_hand, const char *name) {
  return hlo_build_computation(at_hand->builder->module, name);
}
static Computation *end_callee(OperationCase *at_hand, Builder *callee, Instruction *root) {
  Computation *computation = hlo_build_finish(callee, root);
  return computation == nullptr ? nullptr : at_hand->source->called(at_hand->source, computation);
}
static Computation *of_one(OperationCase *at_hand, const char *name, Opcode opcode) {
  Builder callee = begin_callee(at_hand, name);
  Instruction *a = hlo_build_parameter(&callee, shape_at_hand(at_hand));
  return end_callee(at_hand, &callee, hlo_build_elementwise(&callee, opcode, 1, &a));
}
static Computation *zeros(OperationCase *at_hand) {
  Builder callee = begin_callee(at_hand, "zeros");
  const Shape *x = shape_at_hand(at_hand);
  (void)hlo_build_parameter(&callee, x);
  return end_callee(
      at_hand, &callee, build_filled(&callee, build_number(&callee, at_hand->type, 0), x));
}
static Computation *pair_of(OperationCase *at_hand, const char *name) {
  Builder callee = begin_callee(at_hand, name);
  Instruction *a = hlo_build_parameter(&callee, shape_at_hand(at_hand));
  return end_callee(at_hand, &callee, BUILD(&callee, TUPLE, BUILD(&callee, NEGATE, a), a));
}
static Computation *forever(OperationCase *at_hand, const Shape *shape) {
  Builder callee = begin_callee(at_hand, "forever");
  (void)hlo_build_parameter(&callee, shape);
  return end_callee(at_hand, &callee, build_number(&callee, TYPE_pred, 1));
}
/* Takes two arrays and negates the second. */
static Computation *second_negated(OperationCase *at_hand) {
  Builder callee = begin_callee(at_hand, "second");
  const Shape *x = shape_at_hand(at_hand);
  (void)hlo_build_parameter(&callee, x);
  return end_callee(at_hand, &callee, BUILD(&callee, NEGATE, hlo_build_parameter(&callee, x)));
}

/* Builds a call, a fusion or an async-start. */
static Instruction *call_of(Builder *builder, Opcode opcode, uint32_t count,
    Instruction *const *operands, Computation *callee, const Shape *shape) {
  Instruction *call = hlo_build_begin(builder, opcode, count, operands);
  if (opcode == HLO_FUSION) hlo_build_attribute(builder, call, "kind", "kLoop");
  hlo_build_call(builder, call, opcode == HLO_CALL ? "to_apply" : "calls", callee);
  return hlo_build_end(builder, call, shape);
}
static Instruction *loop_of(
    Builder *builder, Instruction *state, Computation *condition, Computation *body) {
  Instruction *loop = hlo_build_begin(builder, HLO_WHILE, 1, &state);
  hlo_build_call(builder, loop, "condition", condition);
  hlo_build_call(builder, loop, "body", body);
  return hlo_build_end(builder, loop, nullptr);
}
static Instruction *branch_of(
    Builder *builder, uint32_t count, Instruction *const *operands, Computation *const *branches) {
  Instruction *branch = hlo_build_begin(builder, HLO_CONDITIONAL, count, operands);
  for (uint32_t i = 0; i + 1 < count; i++) hlo_build_call(builder, branch, "branch", branches[i]);
  return hlo_build_end(builder, branch, nullptr);
}

static Instruction *loop(OperationCase *at_hand, Instruction *v) {
  return loop_of(at_hand->builder, v, forever(at_hand, shape_at_hand(at_hand)),
      of_one(at_hand, "body", HLO_NEGATE));
}
static Instruction *swapping_loop(OperationCase *at_hand, Instruction *v) {
  Instruction *state = BUILD(at_hand->builder, TUPLE, v, array_alike(at_hand));
  const Shape *x = shape_at_hand(at_hand), *pair = SHAPES(at_hand->builder, x, x);
  Builder body = begin_callee(at_hand, "swap");
  Instruction *b = hlo_build_parameter(&body, pair), *first = hlo_build_element(&body, b, 0),
              *second = hlo_build_element(&body, b, 1);
  Computation *swap = end_callee(at_hand, &body, BUILD(&body, TUPLE, second, first));
  return loop_of(at_hand->builder, state, forever(at_hand, pair), swap);
}
/* A loop whose state is a counter and the array; it runs while the counter is below three. */
static Instruction *counted_loop(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  const Shape *counted =
      SHAPES(builder, shape_of_scalar(builder, TYPE_s32), shape_at_hand(at_hand));
  Instruction *state = BUILD(builder, TUPLE, scalar_given(at_hand, TYPE_s32), v);
  Builder below = begin_callee(at_hand, "below");
  Instruction *k = hlo_build_element(&below, hlo_build_parameter(&below, counted), 0);
  Computation *condition = end_callee(
      at_hand, &below, build_compare(&below, k, build_number(&below, TYPE_s32, 3), "LT"));
  Builder body = begin_callee(at_hand, "count");
  Instruction *b = hlo_build_parameter(&body, counted), *at = hlo_build_element(&body, b, 0);
  Instruction *next = BUILD(&body, ADD, at, build_number(&body, TYPE_s32, 1));
  Computation *count =
      end_callee(at_hand, &body, BUILD(&body, TUPLE, next, hlo_build_element(&body, b, 1)));
  return loop_of(builder, state, condition, count);
}
static Instruction *called_loop(OperationCase *at_hand, Instruction *v) {
  Computation *condition = forever(at_hand, shape_at_hand(at_hand)),
              *body = of_one(at_hand, "body", HLO_NEGATE);
  Builder callee = begin_callee(at_hand, "loop");
  Instruction *a = hlo_build_parameter(&callee, shape_at_hand(at_hand));
  Computation *loops = end_callee(at_hand, &callee, loop_of(&callee, a, condition, body));
  return call_of(at_hand->builder, HLO_CALL, OPERANDS(v), loops, nullptr);
}
static Instruction *branch(OperationCase *at_hand, Instruction *v) {
  return branch_of(at_hand->builder, OPERANDS(scalar_given(at_hand, TYPE_pred), v, v),
      (Computation *[]){of_one(at_hand, "negated", HLO_NEGATE), of_one(at_hand, "same", HLO_COPY)});
}
static Instruction *branch_of_zeros(OperationCase *at_hand, Instruction *v) {
  Instruction *decided = scalar_given(at_hand, TYPE_pred);
  return branch_of(at_hand->builder, OPERANDS(decided, v, array_alike(at_hand)),
      (Computation *[]){of_one(at_hand, "negated", HLO_NEGATE), zeros(at_hand)});
}
static Instruction *branch_of_three(OperationCase *at_hand, Instruction *v) {
  Instruction *number = scalar_given(at_hand, TYPE_s32);
  return branch_of(at_hand->builder, OPERANDS(number, v, array_alike(at_hand), v),
      (Computation *[]){of_one(at_hand, "negated", HLO_NEGATE), of_one(at_hand, "same", HLO_COPY),
          zeros(at_hand)});
}
static Instruction *branch_of_pairs(OperationCase *at_hand, Instruction *v) {
  return branch_of(at_hand->builder, OPERANDS(scalar_given(at_hand, TYPE_pred), v, v),
      (Computation *[]){pair_of(at_hand, "first"), pair_of(at_hand, "other")});
}
static Instruction *branch_of_tuple(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand);
  Instruction *decided = scalar_given(at_hand, TYPE_pred),
              *both = BUILD(builder, TUPLE, v, array_alike(at_hand));
  Builder callee = begin_callee(at_hand, "element");
  Instruction *a = hlo_build_parameter(&callee, SHAPES(builder, x, x));
  Computation *element = end_callee(at_hand, &callee, hlo_build_element(&callee, a, 1));
  return branch_of(builder, OPERANDS(decided, both, v),
      (Computation *[]){element, of_one(at_hand, "negated", HLO_NEGATE)});
}
static Instruction *call(OperationCase *at_hand, Instruction *v) {
  return call_of(
      at_hand->builder, HLO_CALL, OPERANDS(v), of_one(at_hand, "negated", HLO_NEGATE), nullptr);
}
static Instruction *call_of_two(OperationCase *at_hand, Instruction *v) {
  return call_of(at_hand->builder, HLO_CALL, OPERANDS(v, array_alike(at_hand)),
      second_negated(at_hand), nullptr);
}
static Instruction *call_for_tuple(OperationCase *at_hand, Instruction *v) {
  Builder callee = begin_callee(at_hand, "both");
  const Shape *x = shape_at_hand(at_hand);
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  Computation *both =
      end_callee(at_hand, &callee, BUILD(&callee, TUPLE, b, BUILD(&callee, SUBTRACT, b, a)));
  return call_of(at_hand->builder, HLO_CALL, OPERANDS(v, array_alike(at_hand)), both, nullptr);
}
static Instruction *call_of_call(OperationCase *at_hand, Instruction *v) {
  Computation *negated = of_one(at_hand, "negated", HLO_NEGATE);
  Builder callee = begin_callee(at_hand, "passes");
  Instruction *a = hlo_build_parameter(&callee, shape_at_hand(at_hand));
  Computation *passes =
      end_callee(at_hand, &callee, call_of(&callee, HLO_CALL, OPERANDS(a), negated, nullptr));
  return call_of(at_hand->builder, HLO_CALL, OPERANDS(v), passes, nullptr);
}

static Instruction *async_of(
    OperationCase *at_hand, uint32_t count, Instruction *const *operands, Computation *callee) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand), *arguments[] = {x, x};
  const Shape *given = shape_tuple(builder->module->arena, count, arguments);
  return call_of(builder, HLO_ASYNC_START, count, operands, callee,
      SHAPES(builder, given, x, shape_of_scalar(builder, TYPE_u32)));
}
static Instruction *async_start(OperationCase *at_hand, Instruction *v) {
  return async_of(at_hand, OPERANDS(v), of_one(at_hand, "negated", HLO_NEGATE));
}
static Instruction *async_update(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, ASYNC_UPDATE, async_start(at_hand, v));
}
static Instruction *async_done(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, ASYNC_DONE, async_start(at_hand, v));
}
static Instruction *async_updated(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, ASYNC_DONE, async_update(at_hand, v));
}
static Instruction *async_of_two(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, ASYNC_DONE,
      async_of(at_hand, OPERANDS(v, array_alike(at_hand)), second_negated(at_hand)));
}

static Instruction *fusion_for_tuples(OperationCase *at_hand, Instruction *v) {
  Builder callee = begin_callee(at_hand, "nests");
  const Shape *x = shape_at_hand(at_hand);
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  Instruction *inner = BUILD(&callee, TUPLE, b, BUILD(&callee, NEGATE, a));
  Computation *nests = end_callee(at_hand, &callee, BUILD(&callee, TUPLE, inner, a));
  return call_of(at_hand->builder, HLO_FUSION, OPERANDS(v, array_alike(at_hand)), nests, nullptr);
}
static Instruction *fusion_of_tuple(OperationCase *at_hand, Instruction *) {
  Builder *builder = at_hand->builder, callee = begin_callee(at_hand, "takes_apart");
  const Shape *x = shape_at_hand(at_hand),
              *inner = SHAPES(builder, x, shape_of_scalar(builder, TYPE_s32)),
              *outer = SHAPES(builder, x, inner);
  Instruction *a = hlo_build_parameter(&callee, outer), *i = hlo_build_element(&callee, a, 1);
  Instruction *first = hlo_build_element(&callee, a, 0), *second = hlo_build_element(&callee, i, 0);
  Computation *apart = end_callee(at_hand, &callee, BUILD(&callee, SUBTRACT, first, second));
  return call_of(builder, HLO_FUSION, OPERANDS(at_hand->source->parameter(at_hand->source, outer)),
      apart, nullptr);
}
static Instruction *fusion_of_fusion(OperationCase *at_hand, Instruction *v) {
  const Shape *x = shape_at_hand(at_hand);
  Builder inside = begin_callee(at_hand, "swaps");
  Instruction *c = hlo_build_parameter(&inside, x), *d = hlo_build_parameter(&inside, x);
  Computation *swaps = end_callee(at_hand, &inside, BUILD(&inside, TUPLE, d, c));
  Builder callee = begin_callee(at_hand, "takes_second");
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  Instruction *i = call_of(&callee, HLO_FUSION, OPERANDS(b, a), swaps, nullptr);
  Computation *second = end_callee(at_hand, &callee, hlo_build_element(&callee, i, 1));
  return call_of(at_hand->builder, HLO_FUSION, OPERANDS(v, array_alike(at_hand)), second, nullptr);
}
static Instruction *fusion_through_tuples(OperationCase *at_hand, Instruction *v) {
  const Shape *x = shape_at_hand(at_hand);
  Builder callee = begin_callee(at_hand, "through");
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  Instruction *outer = BUILD(&callee, TUPLE, BUILD(&callee, TUPLE, a, b), a);
  Instruction *l = hlo_build_element(&callee, hlo_build_element(&callee, outer, 0), 1);
  Computation *through =
      end_callee(at_hand, &callee, BUILD(&callee, TUPLE, b, BUILD(&callee, TUPLE, l)));
  return call_of(at_hand->builder, HLO_FUSION, OPERANDS(v, array_alike(at_hand)), through, nullptr);
}

/* The root is a reduction with two outputs, without a tuple. */
static Instruction *fusion_of_two_outputs(OperationCase *at_hand, Instruction *v) {
  OperandSource *source = at_hand->source;
  const ElementType types[] = {at_hand->type, at_hand->type};
  const Shape *x = shape_at_hand(at_hand),
              *scalar = shape_of_scalar(at_hand->builder, at_hand->type);
  Computation *adds = source->reducer(source, 2, types);
  Builder callee = begin_callee(at_hand, "adds");
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  Instruction *c = hlo_build_parameter(&callee, scalar), *d = hlo_build_parameter(&callee, scalar);
  Computation *both = end_callee(at_hand, &callee,
      hlo_build_reduce(&callee, 2, (Instruction *[]){a, b, c, d}, 0, nullptr, adds));
  return call_of(at_hand->builder, HLO_FUSION,
      OPERANDS(v, array_alike(at_hand), scalar_given(at_hand, at_hand->type),
          scalar_given(at_hand, at_hand->type)),
      both, nullptr);
}

/* Takes two arrays and reverses the first along the dimensions that are not in `detail`. */
static Computation *reversed(OperationCase *at_hand) {
  Builder callee = begin_callee(at_hand, "reversed");
  const Shape *x = shape_at_hand(at_hand);
  Instruction *a = hlo_build_parameter(&callee, x), *b = hlo_build_parameter(&callee, x);
  int64_t dimensions[tensor_max_rank];
  uint32_t count = 0;
  for (uint32_t i = 0; i < at_hand->in.rank; i++)
    if ((at_hand->detail >> i & 1) == 0) dimensions[count++] = i;
  Instruction *reverse =
      hlo_build_dimensions(&callee, HLO_REVERSE, OPERANDS(a), count, dimensions, nullptr);
  return end_callee(at_hand, &callee, BUILD(&callee, TUPLE, reverse, b));
}
static Instruction *fusion_that_reverses(OperationCase *at_hand, Instruction *v) {
  return call_of(
      at_hand->builder, HLO_FUSION, OPERANDS(v, array_alike(at_hand)), reversed(at_hand), nullptr);
}
static Instruction *call_that_reverses(OperationCase *at_hand, Instruction *v) {
  return call_of(
      at_hand->builder, HLO_CALL, OPERANDS(v, array_alike(at_hand)), reversed(at_hand), nullptr);
}

static Instruction *random_array(OperationCase *at_hand, Instruction *) {
  Instruction *low = scalar_given(at_hand, at_hand->type),
              *high = scalar_given(at_hand, at_hand->type);
  return build_with(at_hand->builder, HLO_RNG, OPERANDS(low, high), shape_at_hand(at_hand),
      "distribution", "rng_uniform");
}
static Instruction *reduction_begun(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  Instruction *begun = hlo_build_begin(builder, HLO_ALL_REDUCE_START, 1, &v);
  hlo_build_attribute(builder, begun, "replica_groups", "{{0,1}}");
  hlo_build_call(
      builder, begun, "to_apply", at_hand->source->reducer(at_hand->source, 1, &at_hand->type));
  return hlo_build_end(builder, begun, shape_at_hand(at_hand));
}
static Instruction *gathering_begun(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand);
  Instruction *begun = hlo_build_begin(builder, HLO_ALL_GATHER_START, 1, &v);
  hlo_build_attribute(builder, begun, "replica_groups", "{{0}}");
  if (begun != nullptr) begun->dimensions = hlo_build_ints(builder, 1, (int64_t[]){0});
  return hlo_build_end(builder, begun, SHAPES(builder, x, x));
}
static Instruction *permute_begun(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand), *context = shape_of_scalar(builder, TYPE_u32);
  return build_with(builder, HLO_COLLECTIVE_PERMUTE_START, OPERANDS(v),
      SHAPES(builder, x, x, context, context), "source_target_pairs", "{{0,1}}");
}

static CallForm *const boundaries[] = {loop, swapping_loop, counted_loop, called_loop, branch,
    branch_of_zeros, branch_of_three, branch_of_pairs, branch_of_tuple, call, call_of_two,
    call_for_tuple, call_of_call, async_start, async_update, async_done, async_updated,
    async_of_two, fusion_for_tuples, fusion_of_tuple, fusion_of_fusion, fusion_through_tuples,
    fusion_of_two_outputs, random_array, reduction_begun, gathering_begun, permute_begun,
    fusion_that_reverses, call_that_reverses};
static constexpr uint64_t of_dimension = 25, /* not for a scalar */
    of_set = 27,                             /* this form and later ones choose a set of
                                                dimensions */
    begun = UINT64_C(3) << 13 | UINT64_C(7) << 24;

uint8_t generate_reversing_fusion(void) {
  uint8_t number = 0;
  for (uint32_t form = 0; boundaries[form] != fusion_that_reverses; form++)
    number += (begun >> form & 1) == 0;
  return number;
}

bool generate_boundary(OperationCase *at_hand) {
  const OperationLimits *limits = at_hand->limits;
  uint64_t form = limits->forms > 0
                      ? limits->first_form + choose(at_hand->choices, limits->forms)
                      : choose_form(at_hand, sizeof boundaries / sizeof *boundaries, begun);
  if (form == of_dimension && at_hand->in.rank == 0) return false;
  if (form >= of_set) at_hand->detail = choose(at_hand->choices, UINT64_C(1) << at_hand->in.rank);
  at_hand->out = at_hand->in;
  if (at_hand->builder != nullptr) at_hand->result = boundaries[form](at_hand, at_hand->operand);
  return true;
}
