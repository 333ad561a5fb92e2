/* The same element under another shape, in row-major order. */
#ifndef CORE_INDEX_RESHAPE_H
#define CORE_INDEX_RESHAPE_H

#include "core/index/ops/build.h"

/* index [from.count] over the sizes `from` gives results [to.count] over the sizes `to`; the
 * products of the sizes agree and are not 0. Minimal groups of equal product are linearized and
 * delinearized each on its own; a target dimension of size 1 gets 0. */
void reshape_index(Build *build, Ints from, const Expr *index, Ints to, Expr *results);

#endif
