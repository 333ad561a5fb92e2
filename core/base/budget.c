/* One budget a thread. The owner reads the clock only at every 64th call of budget_is_spent:
 * reading it costs more than most steps between two calls. */
#include "core/base/budget.h"

#include <assert.h>
#include <stdatomic.h>

#include "core/base/clock.h"

static constexpr uint32_t looks_between = 64;

struct Budget {
  bool (*stop)(void);
  clockid_t clock;
  int64_t
      end; /* nanoseconds of the owner's processor time; INT64_MAX where its clock cannot be read */
  uint32_t looks;
  bool is_running;
  atomic_bool is_spent, is_interrupted;
};

static thread_local Budget own;

bool budget_begin(uint32_t seconds, bool (*stop)(void)) {
  if (own.is_running) return false;
  own.stop = stop;
  own.looks = 0;
  own.end = INT64_MAX;
  atomic_store(&own.is_spent, false);
  atomic_store(&own.is_interrupted, false);
  if (clock_of_thread(&own.clock)) {
    int64_t now = clock_nanoseconds(own.clock);
    if (now >= 0)
      own.end = now + (int64_t)(seconds == 0 ? budget_usual_seconds : seconds) * 1'000'000'000;
  }
  return own.is_running = true;
}

void budget_end(bool began) {
  assert(own.is_running);
  if (began) own.is_running = false;
}

bool budget_look(Budget *budget) {
  if (atomic_load(&budget->is_spent)) return true;
  bool is_interrupted = budget->stop != nullptr && budget->stop();
  if (is_interrupted) atomic_store(&budget->is_interrupted, true);
  bool is_spent = is_interrupted ||
                  (budget->end != INT64_MAX && clock_nanoseconds(budget->clock) >= budget->end);
  if (is_spent) atomic_store(&budget->is_spent, true);
  return is_spent;
}

Budget *budget_running(void) { return own.is_running ? &own : nullptr; }

bool budget_is_spent(void) {
  if (!own.is_running) return false;
  if (own.looks++ % looks_between != 0) return atomic_load(&own.is_spent);
  return budget_look(&own);
}

const char *budget_reason(void) {
  return atomic_load(&own.is_interrupted) ? "interrupted" : "out of time";
}
