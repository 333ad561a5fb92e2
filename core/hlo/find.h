/* The instruction that a user names. */
#ifndef CORE_HLO_FIND_H
#define CORE_HLO_FIND_H

#include "core/hlo/graph.h"

/* NAME is an instruction of the entry, or else of another computation; COMPUTATION/NAME is an
 * instruction of this computation. Each of them may begin with '%'. *found is nullptr if the module
 * has no such instruction. Rejects a NAME that several computations have and the entry does not. */
[[nodiscard]] bool instruction_find(
    const Module *module, const char *name, const Instruction **found, Error *error);

#endif
