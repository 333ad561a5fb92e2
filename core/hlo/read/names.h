/* A table for all scopes of a module: (scope, name) -> value. KEEP: the names are not copied and
 * must outlive the table. */
#ifndef CORE_HLO_READ_NAMES_H
#define CORE_HLO_READ_NAMES_H

#include "core/base/table.h"

typedef struct NameEntry {
  const char *name;
  uint32_t length;
  uint32_t scope;
  void *value;
} NameEntry;

typedef struct Names {
  uint32_t count, capacity;
  NameEntry *items;
  Table table; /* of indices into `items` */
} Names;

[[nodiscard]] void *names_find(const Names *names, uint32_t scope, const char *name, size_t length);
/* False, without a change, if the scope already has the name. */
[[nodiscard]] bool names_add(
    Names *names, Arena *arena, uint32_t scope, const char *name, size_t length, void *value);

#endif
