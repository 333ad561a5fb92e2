/* The values that a witness assigns to variables. The sentence for people and JSON are both printed
 * from these fields. */
#ifndef CORE_BASE_BINDINGS_H
#define CORE_BASE_BINDINGS_H

#include "core/base/text.h"

typedef struct Binding {
  const char *name, *value; /* as printed */
  bool is_integer;          /* the value is decimal digits, with an optional minus sign */
} Binding;

/* Items are allocated in the arena that the binding functions were called with. */
typedef struct Bindings {
  uint32_t count, capacity;
  Binding *items;
} Bindings;

/* KEEP: the name. */
void bindings_integer(Arena *arena, Bindings *bindings, const char *name, int64_t value);
/* KEEP: name and value. */
void bindings_text(Arena *arena, Bindings *bindings, const char *name, const char *value);
/* A copy; its names and values are copied into the arena too. */
[[nodiscard]] Bindings bindings_copy(Arena *arena, const Bindings *bindings);
/* `d0 = 8, s1 = 3` */
void bindings_print(Text *text, const Bindings *bindings);

#endif
