/* Names of variables. A variable keeps the name of its text; without one it is named by its kind
 * and index. Operations that join or drop variables can bring one name together twice: the later
 * variable with it is named by kind and index then, with underscores if that is a name too. */
#include <string.h>

#include "core/base/table.h"
#include "core/map/map.h"

/* The first variable with this name of its own; or UINT32_MAX. */
static uint32_t name_owner(const Table *table, const Map *map, const char *name) {
  uint32_t number;
  for (TableProbe probe = table_probe(table, hash_text(0, name));
      table_next(table, &probe, &number);)
    if (strcmp(map_variable(map, number)->name, name) == 0) return number;
  return UINT32_MAX;
}

static const char *name_by_index(Arena *owner, const Table *own, const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  const char *name = arena_printf(owner, "%s%u", variable_prefix(id.kind), id.index);
  while (name_owner(own, map, name) != UINT32_MAX) name = arena_printf(owner, "%s_", name);
  return name;
}

bool map_has_names(const Map *map) {
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    if (map_variable(map, i)->name != nullptr) return true;
  return false;
}

const char **map_names(Arena *owner, const Map *map) {
  uint32_t count = map_variable_count(map);
  const char **names = ARENA_NEW(owner, const char *, count + 1);
  Table own = {};
  for (uint32_t i = 0; i < count; i++) {
    const char *name = map_variable(map, i)->name;
    if (name != nullptr && name_owner(&own, map, name) == UINT32_MAX)
      table_add(&own, owner, hash_text(0, name), i);
  }
  for (uint32_t i = 0; i < count; i++) {
    const char *name = map_variable(map, i)->name;
    names[i] = name != nullptr && name_owner(&own, map, name) == i
                   ? name
                   : name_by_index(owner, &own, map, i);
  }
  return names;
}

const char *map_variable_name(Arena *owner, const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  return map_has_names(map) ? map_names(owner, map)[number]
                            : arena_printf(owner, "%s%u", variable_prefix(id.kind), id.index);
}

Bindings map_bindings(Arena *owner, const Map *map, const int64_t *values) {
  Bindings bindings = {};
  const char **names = map_names(owner, map);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    bindings_integer(owner, &bindings, names[i], values[i]);
  return bindings;
}
