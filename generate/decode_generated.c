/* Records of operations from generate/operations. The record after its first two bytes holds their
 * choices, as bits, or as bytes if those suffice. An operation that becomes too large is undone
 * completely. */

#include "generate/decoder.h"

/* How the decoder uses a generator. */
typedef struct Generated {
  GeneratedOperation id;
  uint32_t first_choice;  /* byte of the record; 0: the one after opcode and operand */
  bool by_bytes;          /* choices are bytes, which the mutator can write */
  bool takes_any_type;    /* else only f32 and s32, */
  bool takes_complex;     /* and c64 */
  bool keeps_layout;      /* the result has the operand's layout */
  bool binds;             /* adds as many variables as the operand has dimensions */
  uint32_t filler_pieces; /* extra maps per dimension of the operand, for a filler around it */
  OperationLimits limits;
} Generated;

static Choices *choices_of(OperandSource *source) { return &((Decoder *)source)->choices.choices; }

static bool is_small(const Tensor *tensor) {
  return tensor->rank <= fuzz_max_rank &&
         fuzz_capacity(tensor->rank, tensor->sizes) <= fuzz_max_elements;
}

/* An existing value or a new parameter. */
static Instruction *record_array(OperandSource *source, ElementType type, const Tensor *tensor) {
  Decoder *decoder = (Decoder *)source;
  if (!is_small(tensor)) return nullptr;
  return choose_bool(choices_of(source))
             ? add_parameter(decoder, type, tensor)
             : value_or_parameter(decoder, type, tensor, (uint32_t)choose(choices_of(source), 16));
}

static Instruction *record_parameter(OperandSource *source, const Shape *shape) {
  return hlo_build_parameter(&((Decoder *)source)->body, shape);
}

static Instruction *record_indices(OperandSource *source, const Tensor *tensor) {
  return is_small(tensor) ? add_indices((Decoder *)source, tensor) : nullptr;
}

static Instruction *record_as(
    Decoder *decoder, Opcode opcode, Instruction *operand, ElementType type) {
  Shape *shape = ARENA_NEW(decoder->arena, Shape, 1);
  *shape = *operand->shape;
  shape->type = type;
  Instruction *made = hlo_build_begin(&decoder->body, opcode, 1, &operand);
  return add_value(decoder, hlo_build_end(&decoder->body, made, shape));
}

/* The operand, converted if its type differs. Of a complex one only the real part is. */
static Instruction *record_of_type(
    OperandSource *source, Instruction *operand, ElementType type, const Tensor *) {
  Decoder *decoder = (Decoder *)source;
  ElementType from = operand->shape->type;
  if (element_type_is_complex(from) && !element_type_is_complex(type))
    operand = record_as(decoder, HLO_REAL, operand, from == TYPE_c64 ? TYPE_f32 : TYPE_f64);
  if (operand == nullptr || operand->shape->type == type) return operand;
  return record_as(decoder, HLO_CONVERT, operand, type);
}

static Instruction *record_offset(OperandSource *source) {
  return add_offset((Decoder *)source, (uint32_t)choose(choices_of(source), 256));
}

static Instruction *record_scalar(OperandSource *source, ElementType type) {
  bool is_parameter = choose_bool(choices_of(source)) || type == TYPE_pred;
  return is_parameter ? add_parameter((Decoder *)source, type, &(Tensor){})
                      : add_constant((Decoder *)source, type, 0);
}

static Computation *record_called(OperandSource *source, Computation *computation) {
  Decoder *decoder = (Decoder *)source;
  if (computation == nullptr) return nullptr; /* the module has failed */
  computation->name =
      arena_printf(decoder->arena, "%s_%u", computation->name, decoder->module.computations.count);
  return computation;
}

/* One reducer for each list of types. */
static Computation *record_reducer(
    OperandSource *source, uint32_t count, const ElementType *types) {
  Decoder *decoder = (Decoder *)source;
  const char *name = "reduce";
  for (uint32_t i = 0; i < count; i++)
    name = arena_printf(decoder->arena, "%s_%s", name, element_type_name(types[i]));
  Computation *found = hlo_built_computation(&decoder->module, name);
  return found != nullptr ? found
                          : hlo_build_combiner(&decoder->module, name, HLO_MAXIMUM, count, types);
}

static Computation *record_comparison(OperandSource *source) {
  ModuleBuilder *module = &((Decoder *)source)->module;
  Computation *found = hlo_built_computation(module, "at_least");
  return found != nullptr ? found : operation_comparison(module);
}

/* Returns false if the operation does not accept the operand or needs an array that is too
 * large. */
static bool build_record(
    Decoder *decoder, const Generated *generated, Instruction *operand, Instruction **result) {
  uint32_t first_choice = generated->first_choice > 0 ? generated->first_choice : 2;
  const uint8_t *record = decoder->record + first_choice;
  decoder->choices = generated->by_bytes
                         ? choices_of_bytes(record, fuzz_record_bytes - first_choice)
                         : choices_of_bits(record, fuzz_record_bytes - first_choice);
  decoder->source = (OperandSource){.array = record_array,
      .parameter = record_parameter,
      .of_type = record_of_type,
      .offset = record_offset,
      .scalar = record_scalar,
      .indices = record_indices,
      .reducer = record_reducer,
      .called = record_called,
      .comparison = record_comparison};
  OperationCase at_hand = {.choices = &decoder->choices.choices,
      .limits = &generated->limits,
      .type = operand->shape->type,
      .in = {.rank = operand->shape->rank},
      .builder = &decoder->body,
      .operand = operand,
      .source = &decoder->source};
  for (uint32_t i = 0; i < operand->shape->rank; i++)
    at_hand.in.sizes[i] = operand->shape->sizes[i];
  bool is_made = operation_generators[generated->id](&at_hand);
  *result = at_hand.result;
  return is_made && at_hand.result != nullptr;
}

static bool shape_fits(const Shape *shape) {
  bool all = true;
  for (uint32_t i = 0; i < shape->element_count; i++) all &= shape_fits(shape->elements[i]);
  return all && (!shape_is_array(shape) ||
                    (shape->rank <= fuzz_max_rank &&
                        fuzz_capacity(shape->rank, shape->sizes) <= fuzz_max_elements));
}

/* The boxes around an update: one on each side of a dimension that it does not fill. */
static uint32_t pieces_of(const Instruction *result) {
  uint32_t pieces = 0;
  for (uint32_t i = 0; result->opcode == HLO_DYNAMIC_UPDATE_SLICE && i < result->shape->rank; i++)
    pieces += result->operands[1]->shape->sizes[i] < result->shape->sizes[i] ? 2 : 0;
  return pieces > 1 ? pieces : 1;
}

/* Adds the arrays of the result as values, the first one last. */
static void add_result(Decoder *decoder, Instruction *result) {
  if (shape_is_array(result->shape)) (void)add_value(decoder, result);
  for (uint32_t i = result->shape->element_count; i-- > 0;) {
    const Shape *element = result->shape->elements[i];
    if (shape_is_tuple(element) || shape_is_array(element))
      add_result(decoder, hlo_build_element(&decoder->body, result, i));
  }
}

static void keep_layout(Decoder *decoder, Instruction *result, const Shape *operand) {
  if (operand->has_layout && shape_is_array(result->shape))
    result->shape = hlo_build_laid_shape(&decoder->body, result->shape->type, result->shape->rank,
        result->shape->sizes, operand->minor_to_major);
}

/* The decoder's state before a record, to undo a record that does not fit. */
typedef struct DecoderMark {
  uint32_t computations, instructions, parameters, values, named, constants;
} DecoderMark;

static void decoder_rewind(Decoder *decoder, const DecoderMark *mark) {
  decoder->module.computations.count = mark->computations;
  decoder->module.error = (Error){};
  decoder->body.instructions.count = mark->instructions;
  decoder->body.parameters.count = mark->parameters;
  decoder->body.value_count = mark->named;
  decoder->body.constant_count = mark->constants;
  decoder->value_count = mark->values;
}

static bool takes_type(const Generated *generated, ElementType type) {
  return generated->takes_any_type || type == TYPE_f32 || type == TYPE_s32 ||
         (generated->takes_complex && type == TYPE_c64);
}

static bool decode_generated(Decoder *decoder, const Generated *generated) {
  const DecoderMark mark = {decoder->module.computations.count, decoder->body.instructions.count,
      decoder->body.parameters.count, decoder->value_count, decoder->body.value_count,
      decoder->body.constant_count};
  Instruction *operand = pick_value(decoder, record_choose(decoder, 1, 64)), *result;
  if (!takes_type(generated, operand->shape->type)) return false;
  if (generated->binds) decoder->bound = operand->shape->rank;
  decoder->maps += generated->filler_pieces * operand->shape->rank;
  if (!build_record(decoder, generated, operand, &result) || !shape_fits(result->shape)) {
    decoder_rewind(decoder, &mark);
    return false;
  }
  if (generated->keeps_layout) keep_layout(decoder, result, operand->shape);
  decoder->pieces = pieces_of(result);
  add_result(decoder, result);
  return true;
}

static constexpr OperationLimits windows = {
    .window = 4, .stride = 3, .window_low = -2, .window_high = 3, .dilation = 2};
static constexpr OperationLimits pooling = {
    .window = 4, .stride = 3, .window_low = 0, .window_high = 3, .dilation = 1};
static constexpr OperationLimits convolutions = {.window = 3,
    .stride = 3,
    .window_low = -2,
    .window_high = 3,
    .dilation = 2,
    .spatial = 2,
    .all_labels = true};

static constexpr OperationLimits gathers = {
    .batch_shapes = 7, .may_batch = true, .has_two_arrays = true};

static constexpr OperationLimits arrangements_of_all = {.most_rank = fuzz_max_rank,
    .most_elements = fuzz_max_elements,
    .added = fuzz_max_rank,
    .added_size = 4,
    .part_size = 4,
    .has_single_part = true};

static constexpr OperationLimits parts = {.draws_offsets = true};
static constexpr OperationLimits dots = {
    .added = 1, .columns = 4, .ragged_groups = 3, .has_ragged_batch = true};
static constexpr OperationLimits orders = {.own_square = 5, .most_sides = 3};

#define RECORD_OF(name, id, ...) \
  bool decode_##name(Decoder *decoder) { \
    static constexpr Generated generated = {GENERATED_##id, __VA_ARGS__}; \
    return decode_generated(decoder, &generated); \
  }
#define RECORD(name, ...) RECORD_OF(name, name, __VA_ARGS__)
#define RECORD_OF_OPCODE(name, opcode) \
  RECORD_OF(name, opcodes, .takes_complex = true, .keeps_layout = true, \
      .limits = {.all_forms = true, .one_opcode = HLO_##opcode + 1})
RECORD(slice, .by_bytes = true, .takes_any_type = true,
    .limits = {.slice_stride = 3, .has_edges = true})
RECORD(pad, .by_bytes = true, .takes_any_type = true, .filler_pieces = 2,
    .limits = {.edge = 3, .interior = 2, .has_edges = true})
RECORD(reduce, .limits = {})
RECORD(reduce_variadic, .limits = {})
RECORD(reduce_window, .binds = true, .limits = windows)
RECORD(reduce_window_variadic, .binds = true, .limits = windows)
RECORD(select_and_scatter, .binds = true, .limits = pooling)
RECORD(convolution, .binds = true, .limits = convolutions)
RECORD(gather, .takes_any_type = true, .binds = true, .limits = gathers)
RECORD(scatter, .binds = true, .limits = gathers)
RECORD(transpose, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(reverse, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(broadcast, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(reshape, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(bitcast, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(concatenate, .takes_any_type = true, .limits = arrangements_of_all)
RECORD(dynamic_slice, .by_bytes = true, .takes_any_type = true, .binds = true, .limits = parts)
RECORD(
    dynamic_update_slice, .by_bytes = true, .takes_any_type = true, .binds = true, .limits = parts)
RECORD(dot, .limits = dots)
RECORD(scaled_dot, .limits = dots)
RECORD(ragged_dot, .limits = dots)
RECORD(sort, .limits = orders)
RECORD_OF(elementwise, opcodes, .takes_any_type = true, .keeps_layout = true,
    .limits = {.all_forms = true})
RECORD_OF(binary, elementwise, .keeps_layout = true, .limits = {.all_forms = true})
RECORD_OF_OPCODE(select, SELECT)
RECORD_OF_OPCODE(clamp, CLAMP)
RECORD_OF_OPCODE(convert, CONVERT)
RECORD_OF_OPCODE(map, MAP)
RECORD(bitcast_convert, .takes_any_type = true, .limits = {.all_forms = true})

RECORD(structure, .by_bytes = true, .takes_any_type = true, .limits = {.is_finished = true})
RECORD(collective, .by_bytes = true, .takes_any_type = true, .limits = {.any_groups = true})
RECORD_OF(async, boundary, .by_bytes = true, .limits = {.first_form = 15, .forms = 3})
/* By bytes, because the mutator writes one of its choices: a fusion that reverses. */
RECORD_OF(control, boundary, .by_bytes = true, .limits = {.is_finished = true})

bool decode_opaque(Decoder *decoder) {
  static constexpr Generated unknown = {GENERATED_unknown, .first_choice = 3, .by_bytes = true,
                                 .takes_any_type = true, .limits = {.is_finished = true}},
                             batch_norm = {
                                 GENERATED_batch_norm, .first_choice = 3, .by_bytes = true};
  return decode_generated(decoder, record_choose(decoder, 2, 4) == 3 ? &batch_norm : &unknown);
}

bool decode_order(Decoder *decoder) {
  static const struct {
    uint32_t number; /* of FUZZED, starting at 1; 0: not in this record */
    Generated generated;
  } all[] = {
#define OPERATION(id, name, uses, ranges) \
  {(uses) >> 8, {GENERATED_##id, .first_choice = 3, .takes_complex = ((uses) & COMPLEX) != 0, \
                    .filler_pieces = ((uses) & FILLED) != 0, .limits = orders}},
#include "generate/operations/scope.def"
  };
  uint32_t count = 0, at = 0;
  for (uint32_t i = 0; i < generated_count; i++) count += all[i].number > 0;
  uint32_t number = record_choose(decoder, 2, count) + 1;
  while (all[at].number != number) at++;
  return decode_generated(decoder, &all[at].generated);
}
