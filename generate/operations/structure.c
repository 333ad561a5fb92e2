/* Operations that pass arrays on (tuples, barriers, copies, tokens), operations about which nothing
 * is known (custom calls, feeds, channels, dynamic sizes), and batch norms. A form is a function of
 * the operand; x is the shape of the current array. */
#include "generate/operations/compose.h"

typedef Instruction *StructureForm(OperationCase *at_hand, Instruction *v);

static Instruction *token(OperationCase *at_hand) {
  return hlo_build_elementwise(at_hand->builder, HLO_AFTER_ALL, 0, nullptr);
}
/* A parameter of shape (x, s32[]). */
static Instruction *pair_with_number(OperationCase *at_hand) {
  Builder *builder = at_hand->builder;
  const Shape *pair = SHAPES(builder, shape_at_hand(at_hand), shape_of_scalar(builder, TYPE_s32));
  return at_hand->source->parameter(at_hand->source, pair);
}

static Instruction *tuple_of_one(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, TUPLE, v);
}
static Instruction *tuple_of_two(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, TUPLE, v, array_alike(at_hand));
}
static Instruction *tuple_of_three(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, TUPLE, v, array_alike(at_hand), v);
}
static Instruction *nested_tuple(OperationCase *at_hand, Instruction *v) {
  Instruction *inner = BUILD(at_hand->builder, TUPLE, array_alike(at_hand), v);
  return BUILD(at_hand->builder, TUPLE, inner, v);
}
static Instruction *element_of_three(OperationCase *at_hand, uint32_t index) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand),
              *three = SHAPES(builder, x, shape_of_scalar(builder, TYPE_s32), x);
  return hlo_build_element(builder, at_hand->source->parameter(at_hand->source, three), index);
}
static Instruction *first_element(OperationCase *at_hand, Instruction *) {
  return element_of_three(at_hand, 0);
}
static Instruction *second_element(OperationCase *at_hand, Instruction *) {
  return element_of_three(at_hand, 1);
}
static Instruction *third_element(OperationCase *at_hand, Instruction *) {
  return element_of_three(at_hand, 2);
}
static Instruction *nested_element(OperationCase *at_hand, Instruction *) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand),
              *inner = SHAPES(builder, x, shape_of_scalar(builder, TYPE_s32));
  return hlo_build_element(
      builder, at_hand->source->parameter(at_hand->source, SHAPES(builder, inner, x)), 0);
}
static Instruction *barrier(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, OPTIMIZATION_BARRIER, v);
}
static Instruction *barrier_of_tuple(OperationCase *at_hand, Instruction *) {
  return BUILD(at_hand->builder, OPTIMIZATION_BARRIER, pair_with_number(at_hand));
}
static Instruction *copy(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, COPY, v);
}
static Instruction *copy_of_tuple(OperationCase *at_hand, Instruction *) {
  return BUILD(at_hand->builder, COPY, pair_with_number(at_hand));
}
static Instruction *copy_start(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  const Shape *x = shape_at_hand(at_hand);
  return BUILD_AS(
      builder, SHAPES(builder, x, x, shape_of_scalar(builder, TYPE_u32)), COPY_START, v);
}
static Instruction *copy_done(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, COPY_DONE, copy_start(at_hand, v));
}
static Instruction *domain(OperationCase *at_hand, Instruction *v) {
  return build_with(at_hand->builder, HLO_DOMAIN, OPERANDS(v), nullptr, "domain",
      "{kind=\"sharding\", entry={maximal device=0}, exit={maximal device=1}}");
}
static Instruction *dependency(OperationCase *at_hand, Instruction *v) {
  return BUILD(at_hand->builder, ADD_DEPENDENCY, v, token(at_hand));
}

static StructureForm *const structures[] = {tuple_of_one, tuple_of_two, tuple_of_three,
    nested_tuple, first_element, second_element, third_element, nested_element, barrier,
    barrier_of_tuple, copy, copy_of_tuple, copy_start, copy_done, domain, dependency};
static constexpr uint64_t begun_structures = UINT64_C(1) << 12;

static Instruction *custom_call(OperationCase *at_hand, Instruction *v) {
  return build_with(at_hand->builder, HLO_CUSTOM_CALL, OPERANDS(v), shape_at_hand(at_hand),
      "custom_call_target", "\"unknown\"");
}
static Instruction *custom_call_of_two(OperationCase *at_hand, Instruction *v) {
  const Shape *x = shape_at_hand(at_hand);
  return build_with(at_hand->builder, HLO_CUSTOM_CALL, OPERANDS(array_alike(at_hand), v),
      SHAPES(at_hand->builder, x, x), "custom_call_target", "\"pair\"");
}
static Instruction *outfeed(OperationCase *at_hand, Instruction *v) {
  return BUILD_AS(
      at_hand->builder, shape_of_scalar(at_hand->builder, TYPE_token), OUTFEED, v, token(at_hand));
}
static Instruction *infeed(OperationCase *at_hand, Instruction *) {
  Builder *builder = at_hand->builder;
  const Shape *fed = SHAPES(builder, shape_at_hand(at_hand), shape_of_scalar(builder, TYPE_token));
  return BUILD_AS(builder, fed, INFEED, token(at_hand));
}
static Instruction *on_channel(OperationCase *at_hand, Opcode opcode, uint32_t count,
    Instruction *const *operands, const Shape *shape) {
  Instruction *made = hlo_build_begin(at_hand->builder, opcode, count, operands);
  if (made != nullptr) made->channel_id = opcode == HLO_SEND || opcode == HLO_SEND_DONE ? 1 : 2;
  return hlo_build_end(at_hand->builder, made, shape);
}
static const Shape *transfer_shape(OperationCase *at_hand) {
  Builder *builder = at_hand->builder;
  return SHAPES(builder, shape_at_hand(at_hand), shape_of_scalar(builder, TYPE_u32),
      shape_of_scalar(builder, TYPE_token));
}
static Instruction *send(OperationCase *at_hand, Instruction *v) {
  return on_channel(at_hand, HLO_SEND, OPERANDS(v, token(at_hand)), transfer_shape(at_hand));
}
static Instruction *send_done(OperationCase *at_hand, Instruction *v) {
  return on_channel(at_hand, HLO_SEND_DONE, OPERANDS(send(at_hand, v)),
      shape_of_scalar(at_hand->builder, TYPE_token));
}
static Instruction *receive(OperationCase *at_hand, Instruction *) {
  return on_channel(at_hand, HLO_RECV, OPERANDS(token(at_hand)), transfer_shape(at_hand));
}
static Instruction *receive_done(OperationCase *at_hand, Instruction *v) {
  Builder *builder = at_hand->builder;
  return on_channel(at_hand, HLO_RECV_DONE, OPERANDS(receive(at_hand, v)),
      SHAPES(builder, shape_at_hand(at_hand), shape_of_scalar(builder, TYPE_token)));
}
static Instruction *bit_generator(OperationCase *at_hand, Instruction *) {
  Builder *builder = at_hand->builder;
  const Shape *state = shape_of_vector(builder, TYPE_u64, 2);
  Instruction *given = at_hand->source->parameter(at_hand->source, state);
  return build_with(builder, HLO_RNG_BIT_GENERATOR, OPERANDS(given),
      SHAPES(builder, state, shape_of_vector(builder, TYPE_u32, 3)), "algorithm", "rng_default");
}
static Instruction *dimension_size(OperationCase *at_hand, Instruction *v) {
  return hlo_build_dimensions(at_hand->builder, HLO_GET_DIMENSION_SIZE, OPERANDS(v), 1,
      (int64_t[]){(int64_t)at_hand->detail}, nullptr);
}
static Instruction *set_dimension_size(OperationCase *at_hand, Instruction *v) {
  return hlo_build_dimensions(at_hand->builder, HLO_SET_DIMENSION_SIZE,
      OPERANDS(v, scalar_given(at_hand, TYPE_s32)), 1, (int64_t[]){(int64_t)at_hand->detail},
      nullptr);
}
/* The result has one dimension, whatever the operand's rank. */
static Instruction *dynamic_reshape(OperationCase *at_hand, Instruction *v) {
  const Shape *all =
      shape_of_vector(at_hand->builder, at_hand->type, tensor_elements(&at_hand->in));
  return BUILD_AS(at_hand->builder, all, DYNAMIC_RESHAPE, v, scalar_given(at_hand, TYPE_s32));
}

/* The last two forms name a dimension. */
static StructureForm *const unknowns[] = {custom_call, custom_call_of_two, outfeed, infeed, send,
    send_done, receive, receive_done, bit_generator, dynamic_reshape, dimension_size,
    set_dimension_size};
static constexpr uint64_t first_of_dimension = 10, begun_unknowns = UINT64_C(1) << 4 | UINT64_C(1)
                                                                                           << 6;

static bool generate_form(OperationCase *at_hand, StructureForm *form) {
  at_hand->out = at_hand->in;
  if (at_hand->builder != nullptr) at_hand->result = form(at_hand, at_hand->operand);
  return true;
}

/* A copy of an empty array is made by `elementwise` instead. */
bool generate_structure(OperationCase *at_hand) {
  StructureForm *form =
      structures[choose_form(at_hand, sizeof structures / sizeof *structures, begun_structures)];
  if (form == copy && tensor_elements(&at_hand->in) == 0) return false;
  return generate_form(at_hand, form);
}

bool generate_unknown(OperationCase *at_hand) {
  uint64_t form = choose_form(at_hand, sizeof unknowns / sizeof *unknowns, begun_unknowns);
  if (form >= first_of_dimension && at_hand->in.rank == 0) return false;
  if (form >= first_of_dimension) at_hand->detail = choose(at_hand->choices, at_hand->in.rank);
  return generate_form(at_hand, unknowns[form]);
}

/* `statistics` operands have the size of the feature dimension: scale, offset, mean and variance. A
 * gradient has no offset, and the gradient of the output follows the statistics. */
static const struct {
  Opcode opcode;
  uint32_t statistics;
} norms[] = {{HLO_BATCH_NORM_TRAINING, 2}, {HLO_BATCH_NORM_INFERENCE, 4}, {HLO_BATCH_NORM_GRAD, 3}};

static void build_norm(OperationCase *at_hand, uint64_t kind, uint32_t along) {
  Builder *builder = at_hand->builder;
  OperandSource *source = at_hand->source;
  const Tensor size = {1, {at_hand->in.sizes[along]}};
  const Shape *x = shape_at_hand(at_hand), *feature = shape_of_tensor(builder, TYPE_f32, &size);
  Opcode opcode = norms[kind].opcode;
  uint32_t count = 1;
  Instruction *operands[6] = {at_hand->operand};
  while (count <= norms[kind].statistics)
    operands[count++] = source->array(source, TYPE_f32, &size);
  if (opcode == HLO_BATCH_NORM_GRAD) operands[count++] = array_alike(at_hand);
  Instruction *norm = hlo_build_begin(builder, opcode, count, operands);
  hlo_build_attribute(builder, norm, "epsilon", "0.001");
  hlo_build_attribute(
      builder, norm, "feature_index", arena_printf(builder->module->arena, "%u", along));
  at_hand->result = hlo_build_end(
      builder, norm, opcode == HLO_BATCH_NORM_INFERENCE ? x : SHAPES(builder, x, feature, feature));
}

bool generate_batch_norm(OperationCase *at_hand) {
  at_hand->out = at_hand->in;
  if (at_hand->in.rank == 0 || at_hand->type != TYPE_f32) return false;
  uint64_t kind = choose(at_hand->choices, sizeof norms / sizeof *norms);
  uint32_t along = (uint32_t)choose(at_hand->choices, at_hand->in.rank);
  if (at_hand->builder != nullptr) build_norm(at_hand, kind, along);
  return true;
}
