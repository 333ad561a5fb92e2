/* Boxes and descriptions of lists that several generators share. */
#include "generate/maps/map_generator.h"

#include <stdarg.h>
#include <stdio.h>

const ListedInterval linear_bounds[5] = {{0, 3}, {-3, 2}, {0, 2}, {1, 4}, {0, 7}};

void text_where(Text *text, const char *format, ...) {
  char line[256];
  if (text == nullptr) return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  assert(length >= 0 && (size_t)length < sizeof line);
  text_append(text, line, (size_t)length);
}

void choose_linear_domain(Choices *choices, Text *text) {
  const ListedInterval *s = choose_item(choices, linear_bounds),
                       *d = choose_item(choices, linear_bounds);
  text_where(text, ", domain: d0 in [%d, %d], s0 in [%d, %d]", d->lo, d->hi, s->lo, s->hi);
}

void words_intervals(Text *text, const char *what, uint32_t count, const ListedInterval *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, " [%d, %d]", list[i].lo, list[i].hi);
}

void words_integers(Text *text, const char *what, uint32_t count, const int *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, "%s%d", i == 0 ? " " : ", ", list[i]);
}

void words_list(Text *text, const char *what, uint32_t count, const char *const *items) {
  text_printf(text, "%s: ", what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, "%s%s", i == 0 ? "" : " | ", items[i]);
}
