/* The size of a case, by which witnesses are compared: operations, rank, elements and the largest
 * constant, compared in this order. It is computed from the text alone, so that cases of all
 * scopes, modules of a file and maps of a table have sizes.
 *
 * The size of a module: the number of instructions other than parameters, constants and fusions,
 * without combiners, which are computations of scalars that no fusion or loop names; the most
 * dimensions and the most elements of an array; the largest number in an attribute or a constant.
 * The size of a map: the operators of results and constraints; the variables; the points of their
 * box; the largest number in a result or a constraint. The size of several maps or modules in one
 * text: the sum of the operations, and the largest of each other number. */
#ifndef EXHAUST_CASE_SIZE_H
#define EXHAUST_CASE_SIZE_H

#include <stdint.h>

typedef struct CaseSize {
  uint64_t operations, rank, elements, constant; /* UINT64_MAX: that or more */
} CaseSize;

[[nodiscard]] CaseSize case_size(const char *text);
/* Below, at or above 0 as the first size is smaller, the same or larger. */
[[nodiscard]] int case_size_compare(const CaseSize *first, const CaseSize *second);

#endif
