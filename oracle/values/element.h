/* One element's value, and HLO's arithmetic on it.
 * An integral element is held in 64 bits as its type holds it; a floating one as a double that is
 * rounded to its type after every operation. `is_exact`: the result is the correctly rounded one,
 * on every platform. */
#ifndef ORACLE_ELEMENT_H
#define ORACLE_ELEMENT_H

#include "core/base/text.h"
#include "core/hlo/graph.h"

typedef struct Element {
  ElementType type;
  bool is_known; /* false: an operation without arithmetic here has taken part */
  bool is_exact;
  bool is_rounded;    /* a floating operation has lost something */
  bool is_stated_nan; /* a NaN, if it is one, comes from a literal */
  bool is_coarse;     /* sums in another order come out otherwise: rounded to 16 bits somewhere, or a
                         sum of summands that are much larger than it */
  int64_t integer;
  double real;
} Element;

[[nodiscard]] Element element_of_constant(ElementType type, uint64_t payload);
[[nodiscard]] Element element_of_integer(ElementType type, int64_t value);
[[nodiscard]] Element element_of_real(ElementType type, double value);
/* All digits: what is printed reads back as the same value. */
void element_print(Text *text, Element value);
/* False where the operation or its types have no arithmetic here, and for a maximum, minimum or
 * clamp of zeros with two signs: which of them it gives is not the same everywhere. */
[[nodiscard]] bool element_apply(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result);
/* The same, with one of the zeros: for laws that hold up to the sign of zeros. */
[[nodiscard]] bool element_apply_any_zero(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result);
/* The product and the sum of a contraction, in the type of its output. */
[[nodiscard]] Element element_multiply_add(
    ElementType type, const Element *sum, const Element *left, const Element *right);
/* The sum of `count` summands, after the last one. `largest`: of the summands and the sums on the
 * way. Where rounding was lost on the way that another order may keep, the sum is coarse. */
void element_end_sum(Element *sum, uint32_t count, double largest);
/* Both are known and are clearly not the same: by more than what rounding explains, or one alone is
 * a NaN of a literal or, by exact operations, infinite; neither is rounded to 16 bits. */
[[nodiscard]] bool elements_differ(const Element *a, const Element *b);
/* One is infinite and the other is finite. */
[[nodiscard]] bool elements_differ_by_overflow(const Element *a, const Element *b);
/* Both are known and are not the same, and no operation has rounded: in whatever order they ran. */
[[nodiscard]] bool elements_differ_exactly(const Element *a, const Element *b);

#endif
