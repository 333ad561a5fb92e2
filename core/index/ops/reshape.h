/* The same element under another shape, in row-major order. */
#ifndef CORE_INDEX_OPS_RESHAPE_H
#define CORE_INDEX_OPS_RESHAPE_H

#include "core/index/ops/build.h"

/* Maps index [from.count] over the sizes `from` to results [to.count] over the sizes `to`; the
 * products of the sizes are equal and not 0. Each minimal group of equal product is linearized and
 * delinearized separately; a target dimension of size 1 gets 0. */
void reshape_index(Build *build, Ints from, const Expr *index, Ints to, Expr *results);

#endif
