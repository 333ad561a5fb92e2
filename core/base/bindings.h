/* What a witness gives its variables, as fields: a sentence and JSON are printed from the same. */
#ifndef CORE_BASE_BINDINGS_H
#define CORE_BASE_BINDINGS_H

#include "core/base/text.h"

typedef struct Binding {
  const char *name, *value; /* as they are printed */
  bool is_integer;          /* the value is decimal digits, perhaps with a sign */
} Binding;

/* All in the arena that they were bound in. */
typedef struct Bindings {
  uint32_t count, capacity;
  Binding *items;
} Bindings;

/* KEEP: the name. */
void bindings_integer(Arena *arena, Bindings *bindings, const char *name, int64_t value);
/* KEEP: name and value. */
void bindings_text(Arena *arena, Bindings *bindings, const char *name, const char *value);
/* A copy whose texts are in the arena too. */
[[nodiscard]] Bindings bindings_copy(Arena *arena, const Bindings *bindings);
/* `d0 = 8, s1 = 3` */
void bindings_print(Text *text, const Bindings *bindings);

#endif
