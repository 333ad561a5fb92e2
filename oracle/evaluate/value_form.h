/* Where the elements of a node come from, if their values are needed as indices. */
#ifndef ORACLE_EVALUATE_VALUE_FORM_H
#define ORACLE_EVALUATE_VALUE_FORM_H

#include "oracle/evaluate/flow.h"

typedef enum ValueForm : uint8_t {
  VALUE_CHOSEN,  /* drawn: parameters, floats converted to integers, reductions, other devices'
                    values */
  VALUE_LITERAL, /* a literal in the text */
  VALUE_IOTA,
  VALUE_COMPUTED, /* integer arithmetic of the operands' elements at the same index (or of
                     scalars) */
  VALUE_MOVED,    /* one element of one data operand: the one that the read set names */
} ValueForm;

[[nodiscard]] ValueForm value_form(const Node *node);
/* Whether the value is known without any draw, given is_fixed of the operands. False for inputs,
 * whose values lie outside. */
[[nodiscard]] bool node_is_fixed(const Node *node);
/* The operands whose values decide where the others are read: first .. end - 1; first == end if
 * there are none. */
void index_operands(const Instruction *instruction, uint32_t *first, uint32_t *end);
/* The operands that are read at positions decided by index operands: first .. end - 1. The
 * positions of all other reads do not depend on them. */
void placed_operands(const Instruction *instruction, uint32_t *first, uint32_t *end);

#endif
