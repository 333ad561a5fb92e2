/* The bits of elements, and elements of bits. */
#ifndef ORACLE_BITS_H
#define ORACLE_BITS_H

#include "oracle/values/element.h"

/* The lowest bits of the number are the element's; false where its type has none here, or it is a
 * NaN. */
[[nodiscard]] bool element_bits(const Element *element, uint64_t *bits);
[[nodiscard]] bool element_of_bits(ElementType type, uint64_t bits, Element *element);
/* Part `part` of an element's bits as another type, the lowest first; and elements joined, the
 * first the lowest bits. */
[[nodiscard]] bool element_part(
    ElementType type, uint64_t part, const Element *whole, Element *result);
[[nodiscard]] bool element_join(
    ElementType type, uint32_t count, const Element *parts, Element *result);

#endif
