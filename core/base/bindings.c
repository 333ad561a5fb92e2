/* Lists that grow by one binding. A value that consists only of decimal digits, after an optional
 * sign, is an integer. */
#include "core/base/bindings.h"

#include <inttypes.h>
#include <string.h>

void bindings_text(Arena *arena, Bindings *bindings, const char *name, const char *value) {
  size_t sign = *value == '-';
  bool is_integer = value[sign] != 0 && strspn(value + sign, "0123456789") == strlen(value + sign);
  *ARENA_PUSH(arena, bindings) = (Binding){name, value, is_integer};
}

void bindings_integer(Arena *arena, Bindings *bindings, const char *name, int64_t value) {
  bindings_text(arena, bindings, name, arena_printf(arena, "%" PRId64, value));
}

Bindings bindings_copy(Arena *arena, const Bindings *bindings) {
  Bindings copy = {};
  for (uint32_t i = 0; i < bindings->count; i++) {
    const Binding *from = &bindings->items[i];
    bindings_text(arena, &copy, arena_text(arena, from->name, strlen(from->name)),
        arena_text(arena, from->value, strlen(from->value)));
  }
  return copy;
}

void bindings_print(Text *text, const Bindings *bindings) {
  for (uint32_t i = 0; i < bindings->count; i++)
    text_printf(
        text, "%s%s = %s", i == 0 ? "" : ", ", bindings->items[i].name, bindings->items[i].value);
}
