/* Which instruction a runtime variable's source is, seen from the instruction whose maps are
 * judged: one of its own computation, or one of a body that it calls, through which calls. A name
 * that two of them have names none. */
#ifndef SMT_HLO_SOURCE_H
#define SMT_HLO_SOURCE_H

#include "core/map/map.h"
#include "smt/semantics/hlo_reading.h"

typedef enum SourceFound : uint8_t { SOURCE_FOUND, SOURCE_NOT_FOUND, SOURCE_AMBIGUOUS } SourceFound;

[[nodiscard]] SourceFound hlo_find_source(Sums *sums, const Instruction *top,
    const RuntimeSource *source, const Instruction **instruction, const CallSite **frame);

#endif
