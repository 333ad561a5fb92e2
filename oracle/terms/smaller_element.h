/* One element of an array that is too large to enumerate. */
#ifndef ORACLE_SMALLER_ELEMENT_H
#define ORACLE_SMALLER_ELEMENT_H

#include "oracle/terms/values_state.h"

/* Of a difference: looks for a smaller element that differs, among the first ones of the array,
 * then one dimension after the other. The element that is left differs, and its neighbours with one
 * smaller index do not, unless the limit of elements came first. */
void smaller_element(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict);

#endif
