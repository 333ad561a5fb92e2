/* Operations that read whole dimensions or prefixes of one: sort, topk, scan, cholesky,
 * triangular-solve, fft. */
#include "generate/operations/operation.h"

static const char *const flags[] = {"false", "true"};

/* Compares the first pair of scalars. */
static Computation *sort_comparison(ModuleBuilder *module, uint32_t count, ElementType second) {
  Builder builder = hlo_build_computation(module, "less");
  Instruction *scalars[4];
  for (uint32_t i = 0; i < 2 * count; i++)
    scalars[i] = hlo_build_parameter(
        &builder, hlo_build_shape(&builder, i < 2 ? TYPE_f32 : second, 0, nullptr));
  Instruction *compare = hlo_build_begin(&builder, HLO_COMPARE, 2, scalars);
  hlo_build_attribute(&builder, compare, "direction", "LT");
  return hlo_build_finish(&builder, hlo_build_end(&builder, compare, nullptr));
}

/* sort: any dimension, one array or two, stable or not. */
bool generate_sort(OperationCase *at_hand) {
  if (at_hand->in.rank == 0 || at_hand->type != TYPE_f32) return false;
  int64_t dimension = (int64_t)choose(at_hand->choices, at_hand->in.rank);
  uint32_t arrays = 1 + choose_bool(at_hand->choices);
  bool is_stable = choose_bool(at_hand->choices);
  at_hand->out = at_hand->in;
  if (at_hand->builder == nullptr) return true;
  OperandSource *source = at_hand->source;
  Instruction *operands[2] = {at_hand->operand};
  if (arrays == 2) operands[1] = source->array(source, TYPE_s32, &at_hand->in);
  Instruction *sort = hlo_build_begin(at_hand->builder, HLO_SORT, arrays, operands);
  if (sort != nullptr) {
    sort->dimensions = hlo_build_ints(at_hand->builder, 1, &dimension);
    sort->flag = is_stable;
    hlo_build_call(at_hand->builder, sort, "to_apply",
        source->called(source, sort_comparison(at_hand->builder->module, arrays, TYPE_s32)));
  }
  at_hand->result = hlo_build_end(at_hand->builder, sort, nullptr);
  return true;
}

/* topk: k from 0 to the size, largest or smallest. */
bool generate_topk(OperationCase *at_hand) {
  if (at_hand->in.rank == 0 || at_hand->type != TYPE_f32) return false;
  bool is_largest = choose_bool(at_hand->choices);
  int64_t k = choose_between(at_hand->choices, 0, at_hand->in.sizes[at_hand->in.rank - 1]);
  at_hand->out = at_hand->in;
  at_hand->out.sizes[at_hand->in.rank - 1] = k;
  if (at_hand->builder == nullptr) return true;
  Instruction *topk = hlo_build_begin(at_hand->builder, HLO_TOPK, 1, &at_hand->operand);
  if (topk != nullptr) {
    topk->number = k;
    topk->flag = is_largest;
  }
  at_hand->result = hlo_build_end(at_hand->builder, topk, nullptr);
  return true;
}

/* Every output and carry of the step is the sum of all its parameters, or the negated parameter if
 * there is only one. */
static Computation *scan_step(ModuleBuilder *module, ElementType type, const Tensor *slice,
    uint32_t inputs, uint32_t carries) {
  Builder builder = hlo_build_computation(module, "step");
  const Shape *shape = hlo_build_shape(&builder, type, slice->rank, slice->sizes);
  Instruction *parameters[3], *outputs[2];
  for (uint32_t i = 0; i < inputs + carries; i++)
    parameters[i] = hlo_build_parameter(&builder, shape);
  Instruction *sum = parameters[0];
  if (inputs + carries == 1) sum = hlo_build_elementwise(&builder, HLO_NEGATE, 1, &sum);
  for (uint32_t i = 1; i < inputs + carries; i++)
    sum = hlo_build_elementwise(&builder, HLO_ADD, 2, (Instruction *[]){sum, parameters[i]});
  for (uint32_t i = 0; i < 1 + carries; i++) outputs[i] = sum;
  return hlo_build_finish(&builder, hlo_build_tuple(&builder, 1 + carries, outputs));
}

/* scan: any dimension, both directions, one input or two, no carry or one. */
bool generate_scan(OperationCase *at_hand) {
  Tensor slice = {};
  if (at_hand->in.rank == 0) return false;
  int64_t dimension = (int64_t)choose(at_hand->choices, at_hand->in.rank);
  bool is_reverse = choose_bool(at_hand->choices);
  uint32_t inputs = 1 + choose_bool(at_hand->choices), carries = choose_bool(at_hand->choices),
           count = 1;
  at_hand->out = at_hand->in;
  if (at_hand->builder == nullptr) return true;
  for (uint32_t i = 0; i < at_hand->in.rank; i++)
    if (i != dimension) slice.sizes[slice.rank++] = at_hand->in.sizes[i];
  OperandSource *source = at_hand->source;
  Builder *builder = at_hand->builder;
  Instruction *operands[3] = {at_hand->operand};
  if (inputs == 2) operands[count++] = source->array(source, at_hand->type, &at_hand->in);
  if (carries == 1) operands[count++] = source->array(source, at_hand->type, &slice);
  Instruction *scan = hlo_build_begin(builder, HLO_SCAN, count, operands);
  if (scan != nullptr) {
    scan->dimensions = hlo_build_ints(builder, 1, &dimension);
    scan->number = carries;
    scan->flag = is_reverse;
    hlo_build_call(builder, scan, "to_apply",
        source->called(source, scan_step(builder->module, at_hand->type, &slice, inputs, carries)));
  }
  const Shape *outputs[] = {
      hlo_build_shape(builder, at_hand->type, at_hand->in.rank, at_hand->in.sizes),
      hlo_build_shape(builder, at_hand->type, slice.rank, slice.sizes)};
  at_hand->result =
      hlo_build_end(builder, scan, shape_tuple(builder->module->arena, 1 + carries, outputs));
  return true;
}

/* The operand or, with own_square, a separate square array, because few operands are square. */
static bool choose_square(OperationCase *at_hand, Tensor *square) {
  *square = at_hand->in;
  if (at_hand->type != TYPE_f32) return false;
  if (at_hand->limits->own_square > 0) {
    *square = (Tensor){.rank = 2 + choose_bool(at_hand->choices), .sizes = {2}};
    int64_t size = choose_between(at_hand->choices, 1, at_hand->limits->own_square);
    square->sizes[square->rank - 1] = square->sizes[square->rank - 2] = size;
  }
  return square->rank >= 2 && square->sizes[square->rank - 1] == square->sizes[square->rank - 2];
}

static Instruction *square_operand(OperationCase *at_hand, const Tensor *square) {
  return at_hand->limits->own_square > 0 ? at_hand->source->array(at_hand->source, TYPE_f32, square)
                                         : at_hand->operand;
}

bool generate_cholesky(OperationCase *at_hand) {
  Tensor square;
  if (!choose_square(at_hand, &square)) return false;
  bool is_lower = choose_bool(at_hand->choices);
  at_hand->out = square;
  if (at_hand->builder == nullptr) return true;
  Instruction *operand = square_operand(at_hand, &square),
              *cholesky = hlo_build_begin(at_hand->builder, HLO_CHOLESKY, 1, &operand);
  if (cholesky != nullptr) cholesky->flag = is_lower;
  at_hand->result = hlo_build_end(at_hand->builder, cholesky, nullptr);
  return true;
}

/* triangular-solve: both sides, both triangles, unit diagonal or not, three kinds of transposes. */
bool generate_triangular_solve(OperationCase *at_hand) {
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  Tensor square;
  if (!choose_square(at_hand, &square)) return false;
  bool is_left = choose_bool(at_hand->choices), is_lower = choose_bool(at_hand->choices),
       is_unit = choose_bool(at_hand->choices);
  uint64_t transpose = choose(at_hand->choices, 3);
  at_hand->out = square;
  at_hand->out.sizes[square.rank - (is_left ? 1 : 2)] =
      choose_between(at_hand->choices, at_hand->limits->least_sides, at_hand->limits->most_sides);
  if (at_hand->builder == nullptr) return true;
  Builder *builder = at_hand->builder;
  Instruction *operands[] = {square_operand(at_hand, &square),
      at_hand->source->array(at_hand->source, TYPE_f32, &at_hand->out)};
  Instruction *solve = hlo_build_begin(builder, HLO_TRIANGULAR_SOLVE, 2, operands);
  if (solve != nullptr) solve->flag = is_left;
  hlo_build_attribute(builder, solve, "lower", flags[is_lower]);
  hlo_build_attribute(builder, solve, "unit_diagonal", flags[is_unit]);
  hlo_build_attribute(builder, solve, "transpose_a", transposes[transpose]);
  at_hand->result = hlo_build_end(builder, solve, nullptr);
  return true;
}

typedef enum FftKind : uint8_t { FFT, IFFT, RFFT, IRFFT, IRFFT_EVEN } FftKind;

/* Chooses the kind. IRFFT goes to each length with this half size: 2n - 1 and, if not 0, 2n - 2. */
static bool choose_fft(OperationCase *at_hand, FftKind *kind) {
  static const FftKind of_reals[] = {FFT, IFFT, RFFT, IRFFT, IRFFT_EVEN},
                       of_complex[] = {FFT, IFFT, IRFFT, IRFFT_EVEN};
  bool is_complex = at_hand->type == TYPE_c64;
  if (at_hand->in.rank == 0 || (!is_complex && at_hand->type != TYPE_f32)) return false;
  int64_t last = at_hand->in.sizes[at_hand->in.rank - 1];
  uint32_t count = (is_complex ? 4 : 5) - (last == 1);
  if (last == 0) count = 2;
  uint64_t chosen = choose(at_hand->choices, count);
  *kind = is_complex ? of_complex[chosen] : of_reals[chosen];
  return true;
}

/* fft: over one, two or three dimensions. */
bool generate_fft(OperationCase *at_hand) {
  static const char *const types[] = {"FFT", "IFFT", "RFFT", "IRFFT", "IRFFT"};
  FftKind kind;
  if (!choose_fft(at_hand, &kind)) return false;
  uint32_t rank = at_hand->in.rank,
           count = 1 + (uint32_t)choose(at_hand->choices, rank < 3 ? rank : 3);
  int64_t lengths[3], *last = &lengths[count - 1];
  for (uint32_t i = 0; i < count; i++) lengths[i] = at_hand->in.sizes[rank - count + i];
  at_hand->out = at_hand->in;
  if (kind == RFFT) at_hand->out.sizes[rank - 1] = *last / 2 + 1;
  if (kind >= IRFFT) at_hand->out.sizes[rank - 1] = *last = 2 * *last - (kind == IRFFT ? 1 : 2);
  if (at_hand->builder == nullptr) return true;
  Builder *builder = at_hand->builder;
  Instruction *operand = kind == RFFT || at_hand->type == TYPE_c64
                             ? at_hand->operand
                             : at_hand->source->array(at_hand->source, TYPE_c64, &at_hand->in),
              *fft = hlo_build_begin(builder, HLO_FFT, 1, &operand);
  if (fft != nullptr) fft->sizes = hlo_build_ints(builder, count, lengths);
  hlo_build_attribute(builder, fft, "fft_type", types[kind]);
  at_hand->result = hlo_build_end(builder, fft, nullptr);
  return true;
}
