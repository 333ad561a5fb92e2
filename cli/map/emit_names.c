/* A table of the names that an emission has used. */
#include "cli/map/emit_names.h"

#include <string.h>

#include "core/adapters/isl/names.h"

static EmitName *name_find(const EmitNames *names, const char *folded) {
  uint32_t item;
  for (TableProbe probe = table_probe(&names->table, hash_text(0, folded));
      table_next(&names->table, &probe, &item);)
    if (strcmp(names->items[item].folded, folded) == 0) return &names->items[item];
  return nullptr;
}

static const char *name_keep(EmitNames *names, const char *name, const char *folded) {
  table_add(&names->table, names->arena, hash_text(0, folded), names->count);
  *ARENA_PUSH(names->arena, names) = (EmitName){.folded = folded, .next = 2};
  return name;
}

const char *emit_names_add(EmitNames *names, const char *wanted) {
  Arena *arena = names->arena;
  const char *folded = relation_name(arena, 0, wanted);
  EmitName *taken = name_find(names, folded);
  if (taken == nullptr) return name_keep(names, arena_printf(arena, "%s", wanted), folded);
  for (;; taken->next++) {
    const char *other = arena_printf(arena, "%s_n%u", wanted, taken->next);
    folded = relation_name(arena, 0, other);
    if (name_find(names, folded) == nullptr) return name_keep(names, other, folded);
  }
}
