/* Attributes that affirm does not know. They could change which elements an instruction reads, or
 * what it computes. */
#ifndef JUDGE_GRAPHS_UNKNOWN_ATTRIBUTES_H
#define JUDGE_GRAPHS_UNKNOWN_ATTRIBUTES_H

#include "core/hlo/graph.h"

/* The instruction's first attribute with an unknown name, or nullptr. A custom-call has none,
 * because all its attributes are compared as text. */
[[nodiscard]] const Attribute *attribute_beyond_words(const Instruction *instruction);

/* The first instruction of the module with such an attribute, or nullptr. */
[[nodiscard]] const Instruction *instruction_beyond_words(const Module *module);

#endif
