/* Offsets and indices that are computed instead of a plain parameter or constant. An engine may
 * fold them, and must then clamp the folded value as it would clamp the computed one.
 * computed_offset: a dynamic-slice. Along one dimension the slice has any size and the offset one
 * of the forms below; along the others the slice is whole. known_indices: a gather of slices along
 * one dimension by a vector of indices that is constant, an iota, or computed. */
#include "generate/operations/compose.h"

/* x: a parameter; k: a constant from -1 to the size. */
typedef Instruction *WriteOffset(Builder *builder, Instruction *x, int64_t k);

static Instruction *computed_number(Builder *builder, int64_t k) {
  return build_number(builder, TYPE_s32, k);
}
static Instruction *computed_added(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, ADD, x, computed_number(builder, k));
}
static Instruction *subtracted(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, SUBTRACT, computed_number(builder, k), x);
}
static Instruction *computed_multiplied(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, MULTIPLY, x, computed_number(builder, k));
}
static Instruction *at_least(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, MAXIMUM, x, computed_number(builder, k));
}
static Instruction *at_most(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, MINIMUM, computed_number(builder, k), x);
}
static Instruction *computed_clamped(Builder *builder, Instruction *x, int64_t k) {
  return BUILD(builder, CLAMP, computed_number(builder, 0), x, computed_number(builder, k));
}
static Instruction *minus_and_plus(Builder *builder, Instruction *, int64_t k) {
  Instruction *constant = computed_number(builder, k);
  return BUILD(builder, ADD, BUILD(builder, NEGATE, constant), constant);
}
static Instruction *doubled(Builder *builder, Instruction *, int64_t k) {
  return BUILD(builder, MULTIPLY, computed_number(builder, k), computed_number(builder, 2));
}
static Instruction *halved(Builder *builder, Instruction *, int64_t k) {
  return BUILD(builder, DIVIDE, computed_number(builder, k), computed_number(builder, 2));
}
static Instruction *remainder_of_two(Builder *builder, Instruction *, int64_t k) {
  return BUILD(builder, REMAINDER, computed_number(builder, k), computed_number(builder, 2));
}
static Instruction *computed_widened(Builder *builder, Instruction *, int64_t k) {
  return BUILD_AS(
      builder, shape_of_scalar(builder, TYPE_s32), CONVERT, build_number(builder, TYPE_s8, k));
}
static Instruction *narrowed(Builder *builder, Instruction *, int64_t k) {
  return BUILD_AS(builder, shape_of_scalar(builder, TYPE_u8), CONVERT, computed_number(builder, k));
}
/* Extracts one element of a vector as a scalar. */
static Instruction *element_of(Builder *builder, Instruction *vector, int64_t at) {
  Instruction *slice = hlo_build_slice(builder, vector, &at, &(int64_t){at + 1}, &(int64_t){1});
  return BUILD_AS(builder, shape_of_scalar(builder, TYPE_s32), RESHAPE, slice);
}
static Instruction *element_of_constant(Builder *builder, Instruction *, int64_t k) {
  Instruction *vector =
      hlo_build_constant(builder, shape_of_vector(builder, TYPE_s32, 2), (int64_t[]){0, k});
  return element_of(builder, vector, 1);
}
static Instruction *element_less(Builder *builder, Instruction *, int64_t k) {
  Instruction *constant = computed_number(builder, k),
              *iota = build_iota(builder, shape_of_vector(builder, TYPE_s32, 3));
  return BUILD(builder, SUBTRACT, element_of(builder, iota, 2), constant);
}
static Instruction *computed_selected(Builder *builder, Instruction *x, int64_t k) {
  Instruction *constant = computed_number(builder, k),
              *is_below = build_compare(builder, x, computed_number(builder, 0), "LT");
  return BUILD(builder, SELECT, is_below, constant, x);
}
static Instruction *element_of_iota(Builder *builder, Instruction *, int64_t k) {
  return element_of(builder, build_iota(builder, shape_of_vector(builder, TYPE_s32, k + 2)), k + 1);
}

static WriteOffset *const offset_forms[] = {computed_added, subtracted, computed_multiplied,
    at_least, at_most, computed_clamped, minus_and_plus, doubled, halved, remainder_of_two,
    computed_widened, narrowed, element_of_constant, element_less, computed_selected,
    element_of_iota};
static constexpr uint32_t offset_form_count = sizeof offset_forms / sizeof *offset_forms;

static void build_sliced(OperationCase *at_hand, uint32_t along, int64_t k, WriteOffset *form) {
  Builder *builder = at_hand->builder;
  Instruction *operands[1 + tensor_max_rank] = {at_hand->operand};
  Instruction *offset = form(builder, scalar_given(at_hand, TYPE_s32), k);
  Instruction *zero = build_number(builder, form == narrowed ? TYPE_u8 : TYPE_s32, 0);
  for (uint32_t i = 0; i < at_hand->in.rank; i++) operands[1 + i] = i == along ? offset : zero;
  at_hand->result =
      hlo_build_dynamic_slice(builder, 1 + at_hand->in.rank, operands, at_hand->out.sizes);
}

bool generate_computed_offset(OperationCase *at_hand) {
  if (at_hand->in.rank == 0) return false;
  uint32_t along = (uint32_t)choose(at_hand->choices, at_hand->in.rank);
  int64_t size = at_hand->in.sizes[along];
  at_hand->out = at_hand->in;
  at_hand->out.sizes[along] = choose_between(at_hand->choices, 0, size);
  int64_t k = choose_between(at_hand->choices, -1, size);
  WriteOffset *form = offset_forms[choose(at_hand->choices, offset_form_count)];
  if (at_hand->builder != nullptr) build_sliced(at_hand, along, k, form);
  return true;
}

/* Builds n indices as an array of n one-element vectors. */
typedef Instruction *IndicesForm(OperationCase *at_hand, const Shape *shape, int64_t k);

static Instruction *filled(OperationCase *at_hand, const Shape *shape, int64_t k) {
  return build_filled(at_hand->builder, computed_number(at_hand->builder, k), shape);
}
static Instruction *computed_known(OperationCase *at_hand, const Shape *shape, int64_t k) {
  int64_t values[3] = {k, -1, 0};
  return hlo_build_constant(at_hand->builder, shape, values);
}
static Instruction *counted_from(OperationCase *at_hand, const Shape *shape, int64_t k) {
  Instruction *iota = build_iota(at_hand->builder, shape);
  return BUILD(at_hand->builder, ADD, iota, filled(at_hand, shape, k));
}
static Instruction *counted_by(OperationCase *at_hand, const Shape *shape, int64_t k) {
  Instruction *iota = build_iota(at_hand->builder, shape);
  return BUILD(at_hand->builder, MULTIPLY, iota, filled(at_hand, shape, k));
}
static Instruction *counted_down(OperationCase *at_hand, const Shape *shape, int64_t k) {
  Instruction *iota = build_iota(at_hand->builder, shape);
  return BUILD(at_hand->builder, SUBTRACT, filled(at_hand, shape, k), iota);
}
static Instruction *part_of_iota(OperationCase *at_hand, const Shape *shape, int64_t k) {
  Builder *builder = at_hand->builder;
  if (k < 0) return build_iota(builder, shape);
  int64_t end = k + shape->sizes[0];
  Instruction *iota = build_iota(builder, shape_of_vector(builder, TYPE_s32, end)),
              *part = hlo_build_slice(builder, iota, &k, &end, &(int64_t){1});
  return BUILD_AS(builder, shape, RESHAPE, part);
}
static Instruction *computed_moved(OperationCase *at_hand, const Shape *shape, int64_t k) {
  Instruction *given = at_hand->source->parameter(at_hand->source, shape);
  return BUILD(at_hand->builder, ADD, given, filled(at_hand, shape, k));
}

static IndicesForm *const indices_forms[] = {
    computed_known, counted_from, counted_by, counted_down, filled, part_of_iota, computed_moved};
static constexpr uint32_t indices_form_count = sizeof indices_forms / sizeof *indices_forms;
static constexpr int64_t most_indices = 3;

static void build_gathered(
    OperationCase *at_hand, uint32_t along, const Tensor *slice, int64_t k, IndicesForm *form) {
  Builder *builder = at_hand->builder;
  int64_t offsets[tensor_max_rank], dimension = along;
  for (uint32_t i = 0; i < slice->rank; i++) offsets[i] = i + 1;
  const Tensor indices = {2, {at_hand->out.sizes[0], 1}};
  const GatherNumbers numbers = {.offset_dims = hlo_build_ints(builder, slice->rank, offsets),
      .start_index_map = hlo_build_ints(builder, 1, &dimension),
      .slice_sizes = hlo_build_ints(builder, slice->rank, slice->sizes),
      .index_vector_dim = 1};
  Instruction *made = form(at_hand, shape_of_tensor(builder, TYPE_s32, &indices), k);
  at_hand->result = hlo_build_gather(builder, at_hand->operand, made, &numbers);
}

bool generate_known_indices(OperationCase *at_hand) {
  const Tensor *in = &at_hand->in;
  Tensor slice = *in;
  if (in->rank == 0) return false;
  uint32_t along = (uint32_t)choose(at_hand->choices, in->rank);
  int64_t k = choose_between(at_hand->choices, -1, in->sizes[along]);
  slice.sizes[along] = choose_between(at_hand->choices, 0, in->sizes[along]);
  IndicesForm *form = indices_forms[choose(at_hand->choices, indices_form_count)];
  at_hand->out =
      (Tensor){.rank = in->rank + 1, .sizes = {choose_between(at_hand->choices, 1, most_indices)}};
  for (uint32_t i = 0; i < in->rank; i++) at_hand->out.sizes[i + 1] = slice.sizes[i];
  if (at_hand->builder != nullptr) build_gathered(at_hand, along, &slice, k, form);
  return true;
}
