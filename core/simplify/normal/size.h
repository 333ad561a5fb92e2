/* The size of a map: the number of variables, numbers and operators in its text, without signs. */
#ifndef CORE_SIMPLIFY_NORMAL_SIZE_H
#define CORE_SIMPLIFY_NORMAL_SIZE_H

#include "core/expr/memo.h"
#include "core/map/map.h"

/* `-x` counts as x, `x - 3` as three, `x * -3` as three. Constants count as they are joined in our
 * order (given.h): summands of 0 and factors of 1 do not count, and of several constants of a sum or
 * product one does. The size does not depend on the order of operands. A constraint counts its
 * expression, the interval's ends and `in`. */
[[nodiscard]] uint64_t size_of_results(MapContext *context, const Map *map);
[[nodiscard]] uint64_t size_of_constraints(MapContext *context, const Map *map);
[[nodiscard]] uint64_t size_of_expr(MapContext *context, Expr expr);
/* The size counted in a map's text, independent of the functions above: names, numbers and
 * operators, but no sign of a number or of a factor. Unlike above, every factor counts. */
[[nodiscard]] uint64_t size_of_text(const char *text);

#endif
