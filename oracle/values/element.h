/* The value of one element, and HLO's arithmetic on it.
 * An integral element is a 64-bit integer with the value of its type; a floating element is a
 * double that is rounded to its type after every operation. `is_exact`: the result is correctly
 * rounded on every platform. */
#ifndef ORACLE_VALUES_ELEMENT_H
#define ORACLE_VALUES_ELEMENT_H

#include <math.h>

#include "core/base/text.h"
#include "core/hlo/graph.h"

typedef struct Element {
  ElementType type;
  bool is_known; /* false: it depends on an operation without arithmetic here */
  bool is_exact;
  bool is_rounded;     /* a floating operation was inexact */
  bool is_stated_nan;  /* if it is a NaN, the NaN comes from a literal */
  bool is_coarse;      /* another order may give another value: rounded to 16 bits somewhere, a sum
                          of much larger summands, or a fold that depends on its order */
  bool is_either_sign; /* an infinity that would have the other sign if a zero had it */
  int64_t integer;
  double real;
  double error; /* of a float: how far rounding may have moved it (rounding.h) */
} Element;

/* The bits of the significand of f16, bf16, f32 or f64, the first included; false for other types.
 */
[[nodiscard]] bool element_precision(ElementType type, int *bits);
/* Whether every value of `from` is a value of `to`; the payload of a NaN may change. */
[[nodiscard]] bool type_keeps_values(ElementType from, ElementType to);
/* Below it platforms may flush to zero. */
[[nodiscard]] double element_smallest_normal(ElementType type);
[[nodiscard]] Element element_of_constant(ElementType type, uint64_t payload);
[[nodiscard]] Element element_of_integer(ElementType type, int64_t value);
[[nodiscard]] Element element_of_real(ElementType type, double value);
/* Prints all digits: the text parses as the same value. */
void element_print(Text *text, Element value);
/* The sum of floats if it is the same number in every order: all values are multiples of one power
 * of two, and the sum of their sizes is below the precision of the type. */
[[nodiscard]] bool element_exact_sum(
    ElementType type, uint32_t count, const double *values, double *sum);
typedef bool ApplyElements(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result);
/* False if the operation or its types have no arithmetic here. Also false for a maximum, minimum or
 * clamp of zeros with different signs, because platforms differ on the resulting zero. */
[[nodiscard]] ApplyElements element_apply;
/* The same, but returns one of the zeros: for laws that hold up to the sign of zeros. */
[[nodiscard]] ApplyElements element_apply_any_zero;
/* Whether the exact result of arithmetic or of a conversion is finite, and beyond the range of its
 * type: in another order it may be within. */
[[nodiscard]] bool element_has_overflowed(
    Opcode opcode, uint32_t count, const Element *operands, const Element *result);
/* What is passed on as an element of the type, as an argument or a result of a function; unknown if
 * the type does not represent the float, which may then be rounded. */
[[nodiscard]] Element element_passed(ElementType type, Element argument);
/* A factor of a contraction whose output has the type: an integer becomes a float of it, and is
 * coarse if it is not represented. Unknown if floats are to become integers, or numbers
 * predicates: how is stated nowhere. */
[[nodiscard]] Element element_factor(ElementType type, Element factor);
/* One step of a contraction, sum + left * right, in the type of its output. */
[[nodiscard]] Element element_multiply_add(
    ElementType type, const Element *sum, const Element *left, const Element *right);
/* What is known of a sum's summands: `largest` is the largest magnitude of them and of the
 * intermediate sums, `total` the sum of their magnitudes, `grain` the lowest bit that one has. */
typedef struct SummandRange {
  uint32_t count;
  double largest, total, grain; /* of the finite ones */
  bool has_infinite;            /* a summand is infinite or a NaN */
} SummandRange;
static constexpr SummandRange no_summands = {.grain = (double)INFINITY};
void element_add_summand(SummandRange *range, double summand, double sum);
/* Completes the sum. If another order may round where this one does not, or rounding may have lost
 * more than another order would, the sum is marked. */
void element_end_sum(Element *sum, const SummandRange *range);
/* The products of a fold's factors whose magnitudes are above one, and of those below. Zeros and
 * infinities only set the flags. */
typedef struct FactorRange {
  double above, below;
  bool has_above, has_below;
} FactorRange;
static constexpr FactorRange no_factors = {.above = 1, .below = 1};
void element_add_factor(FactorRange *range, double factor);
/* Completes the product. If another order may leave the range of the type and this one does not, or
 * the reverse, the product is marked. */
void element_end_product(Element *product, const FactorRange *range);
/* Whether both are known and clearly different: by more than rounding explains, only one is a NaN
 * of a literal, or by exact operations only one is infinite or both are with opposite signs that
 * are not open. False if either is coarse. */
[[nodiscard]] bool elements_differ(const Element *a, const Element *b);
/* Whether one is infinite and the other finite. */
[[nodiscard]] bool elements_differ_by_overflow(const Element *a, const Element *b);
/* Whether both are known, different and computed without rounding, so that no order of operations
 * can explain the difference. */
[[nodiscard]] bool elements_differ_exactly(const Element *a, const Element *b);

#endif
