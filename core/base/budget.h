/* What one question may cost: processor time of the thread that asks it. The user may interrupt it
 * earlier. Everything that works on a question checks the budget in its loops. Once the budget is
 * spent, the verdict is unknown, never a pass.
 *
 * Keeps: a spent budget stays spent until the question ends. The outermost question of a thread
 * owns the budget; nested questions share it. The limit is processor time, so that a busy machine
 * changes no verdict. It is far above the usual cost (a median of 20 ms), so a verdict depends on
 * the clock only for questions that would run for minutes. */
#ifndef CORE_BASE_BUDGET_H
#define CORE_BASE_BUDGET_H

#include <stdint.h>

static constexpr uint32_t budget_usual_seconds = 20;

typedef struct Budget Budget;

/* Returns true if a budget starts here and false if one is already running. Pass the result to
 * `budget_end`. `seconds` 0 means budget_usual_seconds; they count from the 64th look, or from when another
 * thread begins to watch. `stop` may be null; other threads call it too. */
[[nodiscard]] bool budget_begin(uint32_t seconds, bool (*stop)(void));
void budget_end(bool began);

/* True if the budget of the calling thread's question is spent; false if the thread has no budget.
 * Cheap enough for a loop of microseconds. */
[[nodiscard]] bool budget_is_spent(void);
/* After the budget is spent: "interrupted" or "out of time". */
[[nodiscard]] const char *budget_reason(void);

/* The calling thread's running budget, for another thread that watches it with budget_look; null if
 * none runs. */
[[nodiscard]] Budget *budget_running(void);
[[nodiscard]] bool budget_look(Budget *budget);

#endif
