/* The integers at which the results of operations change: small ones, constants of the terms with
 * their neighbours, powers of two with theirs, which include the limits of all types, and powers of
 * ten. */
#ifndef ORACLE_VALUES_NOTABLE_H
#define ORACLE_VALUES_NOTABLE_H

#include "oracle/values/inputs.h"

/* How many numbers the list of a type has; some are there more than once. */
[[nodiscard]] uint32_t notable_count(const InputConstants *constants, ElementType type);
/* How many of them are small or next to a constant; they are the first ones. */
[[nodiscard]] uint32_t notable_first(const InputConstants *constants);
/* Number `at` of the list, wrapped to the type; past its end the list begins again. */
[[nodiscard]] int64_t notable_value(const InputConstants *constants, ElementType type, uint64_t at);

#endif
