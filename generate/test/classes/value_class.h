/* Counts by class which values a generator produces for attributes of operations. */
#ifndef GENERATE_TEST_CLASSES_VALUE_CLASS_H
#define GENERATE_TEST_CLASSES_VALUE_CLASS_H

#include "core/base/text.h"
#include "core/hlo/graph.h"

/* EDGE: an edge of 8 bits or more and its neighbours (core/base/edges.h), also negative ones. FEW:
 * 2 to 15. */
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
/* "-01fme", one letter per class. */
extern const char value_class_letters[];

static constexpr uint32_t class_row_capacity = 24; /* of one opcode */
typedef struct ClassRow {
  const char *attribute; /* nullptr: this row and the later ones are free */
  uint64_t seen[value_class_count];
} ClassRow;
typedef struct ClassTable {
  ClassRow rows[opcode_count][class_row_capacity];
} ClassTable;

/* Adds every attribute that is a field of an instruction, ranks of results, and constants. */
void class_table_add(ClassTable *table, const Module *module);
/* nullptr: the attribute never had a value. */
[[nodiscard]] const ClassRow *class_table_find(
    const ClassTable *table, Opcode opcode, const char *attribute);
/* Writes one line per attribute: opcode, attribute, and the count of each class. */
void class_table_write(const ClassTable *table, Text *text);

#endif
