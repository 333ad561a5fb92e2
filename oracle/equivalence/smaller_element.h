/* Minimises a difference in an array that is too large to enumerate. */
#ifndef ORACLE_EQUIVALENCE_SMALLER_ELEMENT_H
#define ORACLE_EQUIVALENCE_SMALLER_ELEMENT_H

#include "oracle/equivalence/values_state.h"

/* Searches for a smaller element that differs: first among the first elements of the array, then
 * dimension by dimension. The resulting element differs, and its neighbours with one smaller index
 * do not, unless the limit of elements was reached. */
void smaller_element(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict);

#endif
