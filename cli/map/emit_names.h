/* The names of one emission. Names that differ only in what isl and MLIR cannot write, as `a.1` and
 * `a-1`, count as equal: the later ones get a number, so that all names differ in every form. */
#ifndef CLI_MAP_EMIT_NAMES_H
#define CLI_MAP_EMIT_NAMES_H

#include "core/base/table.h"

typedef struct EmitName {
  const char *folded; /* in the alphabet of all forms */
  uint32_t next;      /* the number that the next equal name tries */
} EmitName;

typedef struct EmitNames {
  Arena *arena; /* keeps the names */
  Table table;
  uint32_t count, capacity;
  EmitName *items;
} EmitNames;

/* `wanted`, or `wanted` with _n2, _n3, ... if this emission has the name already. */
[[nodiscard]] const char *emit_names_add(EmitNames *names, const char *wanted);

#endif
