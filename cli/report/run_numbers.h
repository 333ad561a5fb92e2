/* cJSON holds each number as a double, which rounds integers beyond 2^53. */
#ifndef CLI_REPORT_RUN_NUMBERS_H
#define CLI_REPORT_RUN_NUMBERS_H

#include "core/base/arena.h"

/* The line of JSON with each integer of more than 15 digits as a string, so that its digits stay.
 * Sets its length. */
[[nodiscard]] const char *run_keep_digits(Arena *arena, const char *line, size_t *length);

#endif
