/* Prints a module as HLO text that parses to the same graph (names, shapes, layouts, operands,
 * attributes, root). */
#ifndef CORE_HLO_PRINT_PRINT_H
#define CORE_HLO_PRINT_PRINT_H

#include "core/hlo/graph.h"

void hlo_print(Text *text, const Module *module);
void hlo_print_computation(Text *text, const Computation *computation);
void hlo_print_instruction(Text *text, const Instruction *instruction);

#endif
