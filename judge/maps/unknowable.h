/* Operations whose reads the text of a module does not determine. The right answer to a question
 * about them is that there is no map. The engine must answer every other question. */
#ifndef JUDGE_MAPS_UNKNOWABLE_H
#define JUDGE_MAPS_UNKNOWABLE_H

#include "core/hlo/graph.h"

[[nodiscard]] bool is_unknowable(Opcode opcode);

#endif
