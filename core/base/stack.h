/* How deep a recursion may go on the calling thread. The command runs on a stack of its own; a
 * thread of a program that uses the library may have 192 KB. If the size of the stack is not known,
 * depth is not limited here. */
#ifndef CORE_BASE_STACK_H
#define CORE_BASE_STACK_H

#include <stdint.h>

/* The number of levels of a recursion over an expression that fit into the rest of the stack. A
 * level counts as more than the largest frames of such recursions. */
[[nodiscard]] uint32_t stack_levels(void);
/* True if little stack is left, so that a recursion should reject now. Cheap enough for every
 * level. */
[[nodiscard]] bool stack_is_low(void);
static constexpr char stack_low_text[] = "the stack of this thread is nearly used up";

#endif
