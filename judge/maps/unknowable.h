/* Operations of which the text of a module does not say what they read: the right answer is that
 * there is none. Everything else has to be answered. */
#ifndef JUDGE_UNKNOWABLE_H
#define JUDGE_UNKNOWABLE_H

#include "core/hlo/graph.h"

[[nodiscard]] bool is_unknowable(Opcode opcode);

#endif
