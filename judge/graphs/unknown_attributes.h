/* Attributes that HLO may have and affirm has never heard of. One could change which elements an
 * instruction reads, or what it makes of them. */
#ifndef JUDGE_UNKNOWN_ATTRIBUTES_H
#define JUDGE_UNKNOWN_ATTRIBUTES_H

#include "core/hlo/graph.h"

/* The first attribute of the instruction with a name that is not known; nullptr: it has none. Every
 * attribute of a custom-call is compared as text, so that none is unknown there. */
[[nodiscard]] const Attribute *attribute_beyond_words(const Instruction *instruction);

/* The first instruction of the module that has one; nullptr: there is none. */
[[nodiscard]] const Instruction *instruction_beyond_words(const Module *module);

#endif
