/* Prints, from an instruction's fields, the attributes that it does not have as text. */
#ifndef CORE_HLO_PRINT_PRINT_FIELDS_H
#define CORE_HLO_PRINT_PRINT_FIELDS_H

#include "core/hlo/graph.h"

void print_fields(Text *text, const Instruction *instruction);

#endif
