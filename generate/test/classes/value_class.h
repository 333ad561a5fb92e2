/* Which values a generator gives to the attributes of operations, by class: the table that shows
 * what it can produce, made from what it did produce. */
#ifndef GENERATE_VALUE_CLASS_H
#define GENERATE_VALUE_CLASS_H

#include "core/base/text.h"
#include "core/hlo/graph.h"

/* EDGE: an edge of 8 bits or more with its neighbours (core/base/edges.h), also where it is
 * negative. FEW: 2 to 15. */
typedef enum ValueClass : uint8_t {
  VALUE_NEGATIVE,
  VALUE_ZERO,
  VALUE_ONE,
  VALUE_FEW,
  VALUE_MANY,
  VALUE_EDGE
} ValueClass;
static constexpr uint32_t value_class_count = VALUE_EDGE + 1;
[[nodiscard]] ValueClass value_class(int64_t value);
/* "-01fme", a letter each. */
extern const char value_class_letters[];

static constexpr uint32_t class_row_capacity = 24; /* of one opcode */
typedef struct ClassRow {
  const char *attribute; /* nullptr: the row is free, and so are those after it */
  uint64_t seen[value_class_count];
} ClassRow;
typedef struct ClassTable {
  ClassRow rows[opcode_count][class_row_capacity];
} ClassTable;

/* Every attribute of every instruction that has its value in a field of the graph, ranks of results
 * and constants. */
void class_table_add(ClassTable *table, const Module *module);
/* nullptr: the attribute has had no value. */
[[nodiscard]] const ClassRow *class_table_find(
    const ClassTable *table, Opcode opcode, const char *attribute);
/* A line each: opcode, attribute, and how often each class was seen. */
void class_table_write(const ClassTable *table, Text *text);

#endif
