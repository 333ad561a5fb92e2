/* Offsets and indices of small element types into an array that ends near the type's last value:
 * dynamic-slice, dynamic-update-slice, gather and scatter. Along a dimension of size n, the array
 * has n elements more than the type's last value, and slices have 0 to n + 1 elements. The last
 * valid offset is thus above, at, or below that value. The array is a separate parameter; the
 * operand is not used. */
#include "generate/operations/compose.h"

static const struct {
  ElementType type;
  int64_t first, last;
} types[] = {{TYPE_s1, -1, 0}, {TYPE_u1, 0, 1}, {TYPE_s2, -2, 1}, {TYPE_u2, 0, 3}, {TYPE_s4, -8, 7},
    {TYPE_u4, 0, 15}, {TYPE_s8, -128, 127}, {TYPE_u8, 0, 255}};
static constexpr uint64_t type_count = sizeof types / sizeof *types;

typedef enum TypedForm : uint8_t {
  TYPED_SLICE,
  TYPED_UPDATE,
  TYPED_GATHER,
  TYPED_SCATTER
} TypedForm;
static constexpr uint64_t form_count = 4;
/* Kinds of an offset: a parameter, the type's first value, its last value. */
static constexpr uint64_t offset_kinds = 3;
/* Kinds of indices: one index vector or two, a parameter or the type's ends. */
static constexpr uint64_t index_kinds = 4;

static bool has_offsets(TypedForm form) { return form == TYPED_SLICE || form == TYPED_UPDATE; }

typedef struct TypedWay {
  uint32_t along;
  TypedForm form;
  uint64_t type;
  uint64_t kinds[tensor_max_rank]; /* the first one is for all indices */
  Tensor whole, part, gathered;    /* gathered: the parts of all index vectors */
} TypedWay;

static bool has_batch(const TypedWay *typed) {
  return !has_offsets(typed->form) && (typed->kinds[0] & 1) != 0;
}

/* A part may have one element more than the array has beyond the last value. For types whose last
 * value is 0, that would exceed the array. */
static void choose_parts(OperationCase *at_hand, TypedWay *typed) {
  int64_t last = types[typed->type].last;
  uint32_t rank = at_hand->in.rank;
  typed->whole = at_hand->in;
  typed->part.rank = rank;
  for (uint32_t i = 0; i < rank; i++) {
    operation_join(at_hand, GENERATED_typed_offset, i,
        typed->along + 16 * (typed->form + form_count * typed->type));
    typed->part.sizes[i] =
        choose_between(at_hand->choices, 0, at_hand->in.sizes[i] + (i == typed->along && last > 0));
    if (has_offsets(typed->form)) typed->kinds[i] = choose(at_hand->choices, offset_kinds);
  }
  if (!has_offsets(typed->form)) typed->kinds[0] = choose(at_hand->choices, index_kinds);
  typed->whole.sizes[typed->along] += last;
  typed->gathered = typed->part;
  if (!has_batch(typed)) return;
  typed->gathered = (Tensor){.rank = rank + 1, .sizes = {2}};
  for (uint32_t i = 0; i < rank; i++) typed->gathered.sizes[i + 1] = typed->part.sizes[i];
}

/* For types whose last value is 0 the array is the same along any dimension, so only dimension 0 is
 * used. */
static bool choose_typed(OperationCase *at_hand, TypedWay *typed) {
  if (at_hand->in.rank == 0) return false;
  typed->along = (uint32_t)choose(at_hand->choices, at_hand->in.rank);
  typed->form = (TypedForm)choose(at_hand->choices, form_count);
  typed->type = choose(at_hand->choices, type_count);
  if (types[typed->type].last == 0 && typed->along > 0) return false;
  choose_parts(at_hand, typed);
  return true;
}

static Instruction *array_of(OperationCase *at_hand, const Tensor *tensor) {
  return at_hand->source->array(at_hand->source, at_hand->type, tensor);
}

static void build_sliced(OperationCase *at_hand, const TypedWay *typed) {
  Instruction *operands[2 + tensor_max_rank] = {array_of(at_hand, &typed->whole)};
  ElementType type = types[typed->type].type;
  uint32_t count = 1;
  bool is_update = typed->form == TYPED_UPDATE;
  if (is_update) operands[count++] = array_of(at_hand, &typed->part);
  for (uint32_t i = 0; i < typed->whole.rank; i++) {
    uint64_t kind = typed->kinds[i];
    operands[count++] = kind == 0
                            ? scalar_given(at_hand, type)
                            : build_number(at_hand->builder, type,
                                  kind == 2 ? types[typed->type].last : types[typed->type].first);
  }
  at_hand->result =
      is_update ? hlo_build_elementwise(at_hand->builder, HLO_DYNAMIC_UPDATE_SLICE, count, operands)
                : hlo_build_dynamic_slice(at_hand->builder, count, operands, typed->part.sizes);
}

/* A parameter, or a constant that alternates between the type's ends; a second vector exchanges
 * them. */
static Instruction *indices_of(OperationCase *at_hand, const TypedWay *typed) {
  Builder *builder = at_hand->builder;
  uint32_t rank = typed->whole.rank;
  Tensor tensor = has_batch(typed) ? (Tensor){2, {2, rank}} : (Tensor){1, {rank}};
  ElementType type = types[typed->type].type;
  int64_t values[2 * tensor_max_rank];
  if ((typed->kinds[0] & 2) == 0) return at_hand->source->array(at_hand->source, type, &tensor);
  for (uint32_t row = 0; row < 2; row++)
    for (uint32_t i = 0; i < rank; i++)
      values[row * rank + i] =
          (i + row) % 2 == 0 ? types[typed->type].last : types[typed->type].first;
  return hlo_build_constant(builder, shape_of_tensor(builder, type, &tensor), values);
}

static void build_gathered(OperationCase *at_hand, const TypedWay *typed) {
  Builder *builder = at_hand->builder;
  OperandSource *source = at_hand->source;
  uint32_t rank = typed->whole.rank;
  int64_t all[tensor_max_rank], window[tensor_max_rank];
  for (uint32_t i = 0; i < rank; i++) {
    all[i] = i;
    window[i] = i + has_batch(typed);
  }
  const GatherNumbers numbers = {.offset_dims = hlo_build_ints(builder, rank, window),
      .start_index_map = hlo_build_ints(builder, rank, all),
      .slice_sizes = hlo_build_ints(builder, rank, typed->part.sizes),
      .index_vector_dim = has_batch(typed)};
  Instruction *operands[3] = {array_of(at_hand, &typed->whole)};
  if (typed->form == TYPED_SCATTER) operands[2] = array_of(at_hand, &typed->gathered);
  operands[1] = indices_of(at_hand, typed);
  at_hand->result = typed->form == TYPED_SCATTER
                        ? hlo_build_scatter(builder, 1, operands, &numbers,
                              source->reducer(source, 1, &at_hand->type))
                        : hlo_build_gather(builder, operands[0], operands[1], &numbers);
}

bool generate_typed_offset(OperationCase *at_hand) {
  TypedWay typed = {};
  if (!choose_typed(at_hand, &typed)) return false;
  at_hand->out = typed.form == TYPED_SLICE    ? typed.part
                 : typed.form == TYPED_GATHER ? typed.gathered
                                              : typed.whole;
  if (at_hand->builder == nullptr) return true;
  if (has_offsets(typed.form)) build_sliced(at_hand, &typed);
  else build_gathered(at_hand, &typed);
  return true;
}
