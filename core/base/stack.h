/* How deep a recursion may go on the calling thread. The program has a stack of its own; a thread
 * of a program that uses the library may have 192 KB. Where the size of a stack is not known
 * nothing is limited here. */
#ifndef CORE_BASE_STACK_H
#define CORE_BASE_STACK_H

#include <stdint.h>

/* Levels of a recursion over an expression that fit into what is left of the stack. A level is
 * counted as more than the largest frames of such recursions take. */
[[nodiscard]] uint32_t stack_levels(void);
/* Little is left: a recursion that can reject should do so now. Cheap enough for each level. */
[[nodiscard]] bool stack_is_low(void);
static constexpr char stack_low_text[] = "the stack of this thread is nearly used up";

#endif
