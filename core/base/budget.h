/* What one question may cost: processor time of the thread that asks it, and the user's patience.
 * Whatever a question is answered by looks at the budget in its loops, and once it is spent the
 * question ends without an answer: unknown, never a pass.
 * Keeps: spent stays spent until the question ends; the outermost question of a thread holds the
 * budget, those inside it share it. Processor time, so that a busy machine changes no answer; far
 * above what questions cost (a median of 20 ms), so that an answer depends on the clock only where
 * there would be none for minutes. */
#ifndef CORE_BASE_BUDGET_H
#define CORE_BASE_BUDGET_H

#include <stdint.h>

static constexpr uint32_t budget_usual_seconds = 20;

typedef struct Budget Budget;

/* True if a budget starts here, false if one runs already; `budget_end` takes that answer.
 * `seconds` 0: the usual ones. `stop` may be null; it is called from other threads too. */
[[nodiscard]] bool budget_begin(uint32_t seconds, bool (*stop)(void));
void budget_end(bool began);

/* Of the question that the calling thread is at; false where there is none. Cheap enough for a loop
 * of microseconds. */
[[nodiscard]] bool budget_is_spent(void);
/* "interrupted" or "out of time", after it was spent. */
[[nodiscard]] const char *budget_reason(void);

/* For another thread that looks on while the owner is elsewhere; null where there is none. */
[[nodiscard]] Budget *budget_running(void);
[[nodiscard]] bool budget_look(Budget *budget);

#endif
