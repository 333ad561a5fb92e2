/* Converts elements to bits and back. */
#ifndef ORACLE_VALUES_BITS_H
#define ORACLE_VALUES_BITS_H

#include "oracle/values/element.h"

/* The element's bits are the lowest bits of the number. False if its type is not supported here, or
 * it is a NaN. */
[[nodiscard]] bool element_bits(const Element *element, uint64_t *bits);
[[nodiscard]] bool element_of_bits(ElementType type, uint64_t bits, Element *element);
/* element_part: part `part` of an element's bits as another type, the lowest first. element_join:
 * elements joined, the first the lowest bits. */
[[nodiscard]] bool element_part(
    ElementType type, uint64_t part, const Element *whole, Element *result);
[[nodiscard]] bool element_join(
    ElementType type, uint32_t count, const Element *parts, Element *result);

#endif
