/* The precision at which a contraction reads its operands. */
#ifndef ORACLE_SYMBOLIC_PRECISION_H
#define ORACLE_SYMBOLIC_PRECISION_H

#include "core/hlo/graph.h"

typedef enum OperandPrecision : uint8_t {
  PRECISION_DEFAULT, /* of every operand */
  PRECISION_HIGHER,  /* of some operand; products of numbers as usual */
  PRECISION_OTHER    /* two numbers in each byte of an operand, or a word that is not known here:
                        another function, without semantics here */
} OperandPrecision;

/* nullptr: the attribute is not given. */
[[nodiscard]] OperandPrecision operand_precision(const Attribute *attribute);

#endif
