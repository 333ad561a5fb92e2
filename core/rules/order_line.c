/* Parses an `order:` line by comparing its pieces with the names of the parts. The conditions are
 * whole lines. Rejects every other word, so that a line with a misspelt part claims nothing. */
#include "core/rules/order_line.h"

#include <string.h>

static const char *const part_names[PARTS] = {
    "weight", "nesting", "divisors", "coefficients", "ends", "sign", "late", "constants"};
static const char *const conditions[] = {"cancels", "text", "text, turned", "lighter"};
static const char joint[] = ", then ";

const char order_line_words[] =
    "parts joined by \", then \" (weight, nesting, divisors, coefficients, ends, sign, late, constants), or one of: cancels; lighter; text; text, turned";

const char *order_part_name(OrderPart part) { return part_names[part]; }

static bool piece_is_part(const char *piece, size_t length, OrderPart *part) {
  for (*part = 0; *part < PARTS; ++*part)
    if (strlen(part_names[*part]) == length && memcmp(part_names[*part], piece, length) == 0)
      return true;
  return false;
}

bool order_last_part(const char *line, OrderPart *part) {
  for (const char *then = strstr(line, joint); then != nullptr; then = strstr(line, joint))
    line = then + strlen(joint);
  return piece_is_part(line, strlen(line), part);
}

bool order_line_is_word(const char *line) {
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (strcmp(line, conditions[i]) == 0) return true;
  return false;
}

bool order_line_parses(const char *line) {
  OrderPart part;
  if (order_line_is_word(line)) return true;
  for (const char *then = strstr(line, joint); then != nullptr; then = strstr(line, joint)) {
    if (!piece_is_part(line, (size_t)(then - line), &part)) return false;
    line = then + strlen(joint);
  }
  return piece_is_part(line, strlen(line), &part);
}
