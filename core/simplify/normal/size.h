/* How large a map is: the variables, numbers and operators of what is written, signs aside. */
#ifndef CORE_SIMPLIFY_SIZE_H
#define CORE_SIMPLIFY_SIZE_H

#include "core/expr/memo.h"
#include "core/map/map.h"

/* `-x` counts as x, `x - 3` as three, `x * -3` as three; a factor of 1 does not count, and of a
 * factor that may be joined with another one only one does. The same whatever the order of
 * operands. A constraint counts its expression, the interval's ends and `in`. */
[[nodiscard]] uint64_t size_of_results(MapContext *context, const Map *map);
[[nodiscard]] uint64_t size_of_constraints(MapContext *context, const Map *map);
[[nodiscard]] uint64_t size_of_expr(MapContext *context, Expr expr);
/* The same counted in a map's text, where it shares nothing with the above: names, numbers and
 * operators, but no sign of a number or in front of a factor. What joined factors do not count is
 * counted here. */
[[nodiscard]] uint64_t size_of_text(const char *text);

#endif
