/* Operations along whole dimensions: sort, topk, cholesky, triangular-solve, fft. */
#include <inttypes.h>
#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/verify/check.h"

bool infer_sort(const Check *check, const Shape **shape) {
  uint32_t count = check->instruction->operand_count, dimension;
  const Computation *comparator;
  if (!check_arrays(check) ||
      !check_one_dimension(check, operand_shape(check, 0)->rank, &dimension) ||
      !check_called_once(check, "to_apply", &comparator) ||
      !check_scalar_parameters(check, comparator, 2 * count)) {
    return false;
  }
  if (!check_returns_pred(check, comparator)) return false;
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, count);
  for (uint32_t i = 0; i < count; i++) {
    if (!check_same_sizes(check, 0, i) || !check_parameter_takes(check, comparator, 2 * i, i) ||
        !check_parameter_takes(check, comparator, 2 * i + 1, i))
      return false;
    shapes[i] = operand_shape(check, i);
  }
  *shape = make_result(check, count, shapes);
  return true;
}

bool infer_topk(const Check *check, const Shape **shape) {
  if (!check_array(check, 0)) return false;
  const Shape *operand = operand_shape(check, 0);
  int64_t k = check->instruction->number;
  if (operand->rank == 0) return check_fail(check, "operand 0 is a scalar");
  uint32_t last = operand->rank - 1;
  if (k < 0 || k > operand->sizes[last]) {
    return check_fail_at(
        check, "k", "k %" PRId64 " is not in [0, %" PRId64 "]", k, operand->sizes[last]);
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  memcpy(sizes, operand->sizes, operand->rank * sizeof *sizes);
  sizes[last] = k;
  bool *bounds = dimension_set(check, operand->rank);
  bounds_add(bounds, operand);
  bounds[last] = false;
  const Shape *shapes[2];
  if (!make_bounded(check, operand->type, operand->rank, sizes, bounds, &shapes[0]) ||
      !make_bounded(check, TYPE_s32, operand->rank, sizes, bounds, &shapes[1])) {
    return false;
  }
  *shape = shape_tuple(check->arena, 2, shapes);
  return true;
}

static bool check_inexact(const Check *check) {
  ElementType type = operand_shape(check, 0)->type;
  return element_type_is_floating(type) || element_type_is_complex(type) ||
         check_fail(check, "operand 0 has element type %s, not a floating-point or complex one",
             element_type_name(type));
}

static bool check_square(const Check *check, const Shape *shape) {
  uint32_t rank = shape->rank;
  if (rank >= 2 && shape->sizes[rank - 1] == shape->sizes[rank - 2]) return true;
  return check_fail(
      check, "operand 0 is %s, not a batch of square matrices", shape_words(check, shape));
}

bool infer_cholesky(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 0);
  return check_array(check, 0) && check_inexact(check) && check_square(check, *shape);
}

static bool check_transpose(const Check *check) {
  const Instruction *solve = check->instruction;
  return instruction_attribute(solve, "transpose_a") == nullptr ||
         attribute_is(solve, "transpose_a", "NO_TRANSPOSE") ||
         attribute_is(solve, "transpose_a", "TRANSPOSE") ||
         attribute_is(solve, "transpose_a", "ADJOINT") ||
         check_fail_at(check, "transpose_a", "neither NO_TRANSPOSE, TRANSPOSE nor ADJOINT");
}

bool infer_triangular_solve(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 1);
  if (!check_transpose(check) || !check_arrays(check) || !check_inexact(check) ||
      !check_same_types(check, 0, 1))
    return false;
  const Shape *a = operand_shape(check, 0), *b = *shape;
  if (!check_square(check, a)) return false;
  bool same = a->rank == b->rank;
  for (uint32_t i = 0; same && i + 2 < a->rank; i++) same = a->sizes[i] == b->sizes[i];
  uint32_t side = a->rank - (check->instruction->flag ? 2 : 1);
  if (same && a->sizes[a->rank - 1] == b->sizes[side]) return true;
  return check_fail(
      check, "operands %s and %s do not fit", shape_words(check, a), shape_words(check, b));
}

typedef enum FftType : uint8_t { FFT_COMPLEX, FFT_REAL, FFT_TO_REAL, FFT_UNKNOWN } FftType;

static FftType fft_type(const Instruction *instruction) {
  const Attribute *type = instruction_attribute(instruction, "fft_type");
  if (type == nullptr) return FFT_UNKNOWN;
  if (strcmp(type->text, "FFT") == 0 || strcmp(type->text, "IFFT") == 0) return FFT_COMPLEX;
  if (strcmp(type->text, "RFFT") == 0) return FFT_REAL;
  return strcmp(type->text, "IRFFT") == 0 ? FFT_TO_REAL : FFT_UNKNOWN;
}

static ElementType fft_element(FftType type, ElementType operand) {
  if (type == FFT_REAL) return operand == TYPE_f64 ? TYPE_c128 : TYPE_c64;
  if (type == FFT_TO_REAL) return operand == TYPE_c128 ? TYPE_f64 : TYPE_f32;
  return operand;
}

static bool check_fft_element(const Check *check, FftType type, ElementType operand) {
  bool fits = type == FFT_REAL ? operand == TYPE_f32 || operand == TYPE_f64
                               : element_type_is_complex(operand);
  return fits || check_fail(check, "operand 0 has element type %s, not %s",
                     element_type_name(operand), type == FFT_REAL ? "f32 or f64" : "a complex one");
}

static bool check_fft_lengths(
    const Check *check, FftType type, const Shape *operand, Ints lengths) {
  for (uint32_t i = 0; i < lengths.count; i++) {
    int64_t length = lengths.values[i], size = operand->sizes[operand->rank - lengths.count + i];
    bool halved = type == FFT_TO_REAL && i + 1 == lengths.count;
    int64_t wanted = length < 0 ? -1 : halved && length > 0 ? length / 2 + 1 : length;
    if (size == wanted) continue;
    return check_fail_at(check, "fft_length",
        "length %" PRId64 " at place %u does not fit the operand's size %" PRId64, length, i, size);
  }
  return true;
}

bool infer_fft(const Check *check, const Shape **shape) {
  if (!check_array(check, 0)) return false;
  const Shape *operand = operand_shape(check, 0);
  Ints lengths = check->instruction->sizes;
  FftType type = fft_type(check->instruction);
  if (type == FFT_UNKNOWN)
    return check_fail_at(check, "fft_type", "fft_type is not FFT, IFFT, RFFT or IRFFT");
  if (lengths.count < 1 || lengths.count > 3 || lengths.count > operand->rank) {
    return check_fail_at(check, "fft_length", "fft_length has %s for the rank %u",
        counted(lengths.count, "entry"), operand->rank);
  }
  if (!check_fft_element(check, type, operand->type) ||
      !check_fft_lengths(check, type, operand, lengths))
    return false;
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  memcpy(sizes, operand->sizes, operand->rank * sizeof *sizes);
  int64_t last = lengths.values[lengths.count - 1];
  if (type == FFT_TO_REAL) sizes[operand->rank - 1] = last;
  if (type == FFT_REAL && last > 0) sizes[operand->rank - 1] = last / 2 + 1;
  bool *bounds = dimension_set(check, operand->rank);
  bounds_add(bounds, operand);
  if (!make_bounded(check, fft_element(type, operand->type), operand->rank, sizes, bounds, shape))
    return false;
  if (check->instruction->shape == nullptr)
    *shape = shape_with_layout_of(check->arena, *shape, operand);
  return true;
}
