/* The words of an `order:` line: a condition, or parts of the order joined by ", then ". */
#ifndef CORE_RULES_ORDER_LINE_H
#define CORE_RULES_ORDER_LINE_H

#include <stdint.h>

typedef enum OrderPart : uint8_t {
  PART_WEIGHT,
  PART_NESTING,
  PART_DIVISORS,
  PART_COEFFICIENTS,
  PART_ENDS,
  PART_SIGN,
  PART_LATE,
  PART_CONSTANTS,
  PARTS
} OrderPart;

[[nodiscard]] const char *order_part_name(OrderPart part);
/* The last part that the line names, such as constants in `weight, then constants`; false if the
 * line does not end with a part. */
[[nodiscard]] bool order_last_part(const char *line, OrderPart *part);
/* True if the line is one of the words that are a condition and no part. */
[[nodiscard]] bool order_line_is_word(const char *line);
/* True if the line is a condition, or names only parts. */
[[nodiscard]] bool order_line_parses(const char *line);
/* The words of a line, for a message. */
extern const char order_line_words[];

#endif
