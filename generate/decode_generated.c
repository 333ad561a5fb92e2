/* Records of operations that generate/operations makes: the record after its first two bytes is
 * their choices, by bits, or by bytes where these are enough. What is built is printed into the
 * body, beside the records that still write their text. An operation that comes out too large
 * leaves no trace. */
#include <assert.h>

#include "core/hlo/print/print.h"
#include "generate/choices/drivers.h"
#include "generate/decoder.h"
#include "generate/operations/operation.h"

/* How the fuzzer uses a generator. */
typedef struct Generated {
  GeneratedOperation id;
  uint32_t first_choice;  /* byte of the record; 0: the one after opcode and operand */
  bool by_bytes;          /* choices are bytes, as the mutator writes them */
  bool takes_any_type;    /* else numbers of f32 and s32 alone, and */
  bool takes_complex;     /* of c64 */
  bool keeps_layout;      /* the result has the operand's layout */
  bool binds;             /* as many variables as the operand has dimensions */
  uint32_t filler_pieces; /* for each dimension: around the operand */
  OperationLimits limits;
} Generated;

static const char *value_name(const Decoder *decoder, uint32_t id) {
  static constexpr uint32_t digits = 10;
  char *name = ARENA_NEW(decoder->arena, char, digits + 2), *at = name + digits + 1;
  do *--at = (char)('0' + id % 10);
  while ((id /= 10) > 0);
  *--at = 'v';
  return at;
}

static Instruction *operand_of(Decoder *decoder, Builder *builder, const FuzzValue *value) {
  Instruction *operand = ARENA_NEW(decoder->arena, Instruction, 1);
  *operand = (Instruction){.name = value_name(decoder, value->id),
      .opcode = HLO_PARAMETER,
      .shape = hlo_build_shape(builder, value->type, value->rank, value->sizes)};
  return operand;
}

/* Further operands: values made before, new parameters, or zeros. */
typedef struct RecordSource {
  OperandSource source;
  Decoder *decoder;
  Builder *builder;
  Choices *choices;
  const FuzzValue *operand;
} RecordSource;

/* False: too large. */
static bool value_of_tensor(ElementType type, const Tensor *tensor, FuzzValue *value) {
  *value = (FuzzValue){.type = type, .rank = tensor->rank};
  if (tensor->rank > fuzz_max_rank) return false;
  for (uint32_t i = 0; i < tensor->rank; i++) value->sizes[i] = tensor->sizes[i];
  return fuzz_capacity(value) <= fuzz_max_elements;
}

static Instruction *record_array(OperandSource *source, ElementType type, const Tensor *tensor) {
  RecordSource *of = (RecordSource *)source;
  FuzzValue value;
  if (!value_of_tensor(type, tensor, &value)) return nullptr;
  value = choose_bool(of->choices)
              ? add_parameter(of->decoder, value)
              : value_or_parameter(of->decoder, value, (uint32_t)choose(of->choices, 16));
  return operand_of(of->decoder, of->builder, &value);
}

static Instruction *record_indices(OperandSource *source, const Tensor *tensor) {
  RecordSource *of = (RecordSource *)source;
  FuzzValue value;
  if (!value_of_tensor(TYPE_s32, tensor, &value)) return nullptr;
  value = add_indices(of->decoder, value, of->choices);
  return operand_of(of->decoder, of->builder, &value);
}

/* A conversion of the operand. */
static Instruction *record_of_type(
    OperandSource *source, Instruction *operand, ElementType type, const Tensor *) {
  RecordSource *of = (RecordSource *)source;
  if (operand->shape->type == type) return operand;
  FuzzValue value = *of->operand;
  value.type = type;
  begin_value(of->decoder, &value);
  text_printf(&of->decoder->body, "convert(%s)", operand->name);
  finish_value(of->decoder, &value);
  return operand_of(of->decoder, of->builder, &value);
}

static Instruction *record_offset(OperandSource *source) {
  RecordSource *of = (RecordSource *)source;
  FuzzValue value = add_offset(of->decoder, (uint32_t)choose(of->choices, 256));
  return operand_of(of->decoder, of->builder, &value);
}

static Instruction *record_scalar(OperandSource *source, ElementType type) {
  RecordSource *of = (RecordSource *)source;
  bool is_parameter = choose_bool(of->choices) || type == TYPE_pred;
  FuzzValue value = is_parameter ? add_parameter(of->decoder, (FuzzValue){.type = type})
                                 : add_constant(of->decoder, type, 0);
  return operand_of(of->decoder, of->builder, &value);
}

/* Once for each name; bit `number` says that it is written. */
static Computation *computation_once(Decoder *decoder, Computation *computation, uint32_t number) {
  assert(computation != nullptr && number < 32);
  if ((decoder->reducers >> number & 1) != 0) return computation;
  decoder->reducers |= 1u << number;
  hlo_print_computation(&decoder->computations, computation);
  text_string(&decoder->computations, "\n");
  return computation;
}

static Computation *record_called(OperandSource *source, Computation *computation) {
  RecordSource *of = (RecordSource *)source;
  computation->name =
      arena_printf(of->decoder->arena, "%s_%u", computation->name, of->decoder->next_id++);
  hlo_print_computation(&of->decoder->computations, computation);
  text_string(&of->decoder->computations, "\n");
  return computation;
}

static uint32_t type_digit(ElementType type) {
  return type == TYPE_f32 ? 0 : type == TYPE_s32 ? 1 : 2;
}

static Computation *make_reducer(
    Decoder *decoder, ModuleBuilder *module, uint32_t count, const ElementType *types) {
  static const uint32_t first[] = {0, 3, 12}; /* of one, two and three types */
  const char *name = "reduce";
  uint32_t code = 0;
  for (uint32_t i = 0; i < count; i++) {
    code = (count == 3 ? 2 : 3) * code + type_digit(types[i]);
    name = arena_printf(decoder->arena, "%s_%s", name, element_type_name(types[i]));
  }
  return computation_once(decoder, hlo_build_combiner(module, name, HLO_MAXIMUM, count, types),
      first[count - 1] + code);
}

const char *reducer_name(Decoder *decoder, uint32_t count, const FuzzValue *values) {
  ModuleBuilder module = hlo_module_builder(decoder->arena);
  ElementType types[combiner_capacity];
  assert(count <= combiner_capacity);
  for (uint32_t i = 0; i < count; i++) types[i] = values[i].type;
  return make_reducer(decoder, &module, count, types)->name;
}

static constexpr uint32_t comparison_number = 30;

static Computation *record_reducer(
    OperandSource *source, uint32_t count, const ElementType *types) {
  RecordSource *of = (RecordSource *)source;
  return make_reducer(of->decoder, of->builder->module, count, types);
}

static Computation *record_comparison(OperandSource *source) {
  RecordSource *of = (RecordSource *)source;
  return computation_once(
      of->decoder, operation_comparison(of->builder->module), comparison_number);
}

/* False where the operation does not take the operand, or an array of it is too large. */
static bool build_record(Decoder *decoder, Builder *builder, const Generated *generated,
    const FuzzValue *operand, Instruction **result) {
  uint32_t first_choice = generated->first_choice > 0 ? generated->first_choice : 2;
  const uint8_t *record = decoder->record + first_choice;
  ByteChoices bytes = generated->by_bytes
                          ? choices_of_bytes(record, fuzz_record_bytes - first_choice)
                          : choices_of_bits(record, fuzz_record_bytes - first_choice);
  RecordSource source = {.source = {.array = record_array,
                             .of_type = record_of_type,
                             .offset = record_offset,
                             .scalar = record_scalar,
                             .indices = record_indices,
                             .reducer = record_reducer,
                             .called = record_called,
                             .comparison = record_comparison},
      .decoder = decoder,
      .builder = builder,
      .choices = &bytes.choices,
      .operand = operand};
  OperationCase at_hand = {.choices = &bytes.choices,
      .limits = &generated->limits,
      .type = operand->type,
      .in = {.rank = operand->rank},
      .builder = builder,
      .operand = operand_of(decoder, builder, operand),
      .source = &source.source};
  for (uint32_t i = 0; i < operand->rank; i++) at_hand.in.sizes[i] = operand->sizes[i];
  bool is_made = operation_generators[generated->id](&at_hand);
  *result = at_hand.result;
  return is_made && at_hand.result != nullptr;
}

static bool value_of(const Shape *shape, FuzzValue *value) {
  *value = (FuzzValue){.type = shape->type, .rank = shape->rank};
  if (shape->rank > fuzz_max_rank) return false;
  value->has_layout = shape->has_layout;
  for (uint32_t i = 0; i < shape->rank; i++) {
    value->sizes[i] = shape->sizes[i];
    if (shape->has_layout) value->minor_to_major[i] = shape->minor_to_major[i];
  }
  return fuzz_capacity(value) <= fuzz_max_elements;
}

/* Boxes around the update, one on each side of a dimension that it does not fill. */
static uint32_t pieces_of(const Instruction *result) {
  uint32_t pieces = 0;
  for (uint32_t i = 0; result->opcode == HLO_DYNAMIC_UPDATE_SLICE && i < result->shape->rank; i++)
    pieces += result->operands[1]->shape->sizes[i] < result->shape->sizes[i] ? 2 : 0;
  return pieces > 1 ? pieces : 1;
}

/* The arrays of the result become values, the first one last. */
static bool write_result(Decoder *decoder, Builder *builder, const Generated *generated,
    const FuzzValue *operand, Instruction *result) {
  FuzzValue values[combiner_capacity];
  bool is_tuple = shape_is_tuple(result->shape);
  uint32_t count = is_tuple ? result->shape->element_count : 1, id = decoder->next_id;
  assert(count <= combiner_capacity);
  for (uint32_t i = 0; i < count; i++)
    if (!value_of(is_tuple ? result->shape->elements[i] : result->shape, &values[i])) return false;
  if (generated->keeps_layout && operand->has_layout) {
    result->shape = hlo_build_laid_shape(
        builder, values[0].type, values[0].rank, values[0].sizes, operand->minor_to_major);
    (void)value_of(result->shape, &values[0]);
  }
  values[0].id = decoder->next_id++;
  decoder->pieces = pieces_of(result);
  result->name = value_name(decoder, id);
  text_string(&decoder->body, "  ");
  hlo_print_instruction(&decoder->body, result);
  if (is_tuple) text_string(&decoder->body, "\n");
  for (uint32_t i = count; is_tuple && i > 0; i--) take_element(decoder, id, i - 1, values[i - 1]);
  if (!is_tuple) finish_value(decoder, &values[0]);
  return true;
}

/* What a record may have written when it turns out not to fit. */
typedef struct DecoderMark {
  size_t body, computations;
  uint32_t next_id, values, parameters, reducers;
} DecoderMark;

static void text_cut(Text *text, size_t length) {
  text->length = length;
  if (text->bytes != nullptr) text->bytes[length] = 0;
}

static void decoder_rewind(Decoder *decoder, const DecoderMark *mark) {
  text_cut(&decoder->body, mark->body);
  text_cut(&decoder->computations, mark->computations);
  decoder->next_id = mark->next_id;
  decoder->value_count = mark->values;
  decoder->parameter_count = mark->parameters;
  decoder->reducers = mark->reducers;
}

static bool takes_type(const Generated *generated, ElementType type) {
  return generated->takes_any_type || type == TYPE_f32 || type == TYPE_s32 ||
         (generated->takes_complex && type == TYPE_c64);
}

static bool write_generated(Decoder *decoder, const Generated *generated) {
  const DecoderMark mark = {decoder->body.length, decoder->computations.length, decoder->next_id,
      decoder->value_count, decoder->parameter_count, decoder->reducers};
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  ModuleBuilder module = hlo_module_builder(decoder->arena);
  Builder builder = hlo_build_computation(&module, "body");
  Instruction *result;
  if (!takes_type(generated, operand.type)) return false;
  if (generated->binds) decoder->bound = operand.rank;
  decoder->maps += generated->filler_pieces * operand.rank;
  if (build_record(decoder, &builder, generated, &operand, &result) &&
      write_result(decoder, &builder, generated, &operand, result))
    return true;
  decoder_rewind(decoder, &mark);
  return false;
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
  bool fuzz_write_##name(Decoder *decoder) { \
    static constexpr Generated generated = {GENERATED_##id, __VA_ARGS__}; \
    return write_generated(decoder, &generated); \
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

bool fuzz_write_order(Decoder *decoder) {
  static constexpr Generated all[] = {{GENERATED_topk, .first_choice = 3, .limits = orders},
      {GENERATED_scan, .first_choice = 3, .limits = orders},
      {GENERATED_fft, .first_choice = 3, .takes_complex = true, .limits = orders},
      {GENERATED_cholesky, .first_choice = 3, .filler_pieces = 1, .limits = orders},
      {GENERATED_triangular_solve, .first_choice = 3, .limits = orders}};
  return write_generated(decoder, &all[record_choose(decoder, 2, sizeof all / sizeof *all)]);
}
