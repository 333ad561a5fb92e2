/* Finds the instruction of a runtime variable's source, relative to the judged instruction: in its
 * own computation, otherwise in a body that it calls, with the calls leading there (docs/formats.md).
 * Two of one name in these bodies are ambiguous. */
#ifndef SMT_SEMANTICS_HLO_SOURCE_H
#define SMT_SEMANTICS_HLO_SOURCE_H

#include "core/map/map.h"
#include "smt/semantics/hlo_reading.h"

typedef enum SourceFound : uint8_t { SOURCE_FOUND, SOURCE_NOT_FOUND, SOURCE_AMBIGUOUS } SourceFound;

[[nodiscard]] SourceFound hlo_find_source(Sums *sums, const Instruction *top,
    const RuntimeSource *source, const Instruction **instruction, const CallSite **frame);

#endif
