/* Describes what each computation of a module does with the memory of its parameters. */
#ifndef JUDGE_HAZARDS_BUFFER_DESCRIBE_H
#define JUDGE_HAZARDS_BUFFER_DESCRIBE_H

#include "judge/hazards/buffer_callee.h"

/* One pass over the instructions, callees before callers. */
[[nodiscard]] Buffers buffers_create(Arena *arena, const Module *module);

#endif
