/* Where the elements of a node come from, when their values are needed as indices. */
#ifndef ORACLE_VALUE_FORM_H
#define ORACLE_VALUE_FORM_H

#include "oracle/evaluate/flow.h"

typedef enum ValueForm : uint8_t {
  VALUE_DRAWN,   /* anything: parameters, floats turned into integers, reductions, other devices'
                    values */
  VALUE_LITERAL, /* stands in the text */
  VALUE_IOTA,
  VALUE_COMPUTED, /* integer arithmetic of operands' elements at the same index (or of scalars) */
  VALUE_MOVED,    /* is one element of one data operand: the one that the read set names */
} ValueForm;

[[nodiscard]] ValueForm value_form(const Node *node);
/* Known without drawing anything, given is_fixed of the operands. False for inputs, whose values
 * lie outside. */
[[nodiscard]] bool node_is_fixed(const Node *node);
/* The operands whose values decide what the others are read at: first .. end - 1; first == end
 * where there are none. */
void index_operands(const Instruction *instruction, uint32_t *first, uint32_t *end);
/* The operands that are read at places which those values decide: first .. end - 1. What else is
 * read is read wherever they point. */
void placed_operands(const Instruction *instruction, uint32_t *first, uint32_t *end);

#endif
