/* One budget a thread. The owner reads the clock only at every 64th call of budget_is_spent:
 * reading it costs more than most steps between two calls, and more than many whole questions. So
 * the time counts from the first reading, or from when another thread begins to watch. */
#include "core/base/budget.h"

#include <assert.h>
#include <stdatomic.h>

#include "core/base/clock.h"

static constexpr uint32_t looks_between = 64;

struct Budget {
  bool (*stop)(void);
  clockid_t clock;
  int64_t length; /* nanoseconds */
  int64_t end;    /* by the owner's processor time; 0: not begun; INT64_MAX where its clock cannot be
                     read */
  uint32_t looks;
  bool is_running;
  atomic_bool is_spent, is_interrupted;
};

static thread_local Budget own;

bool budget_begin(uint32_t seconds, bool (*stop)(void)) {
  if (own.is_running) return false;
  own.stop = stop;
  own.looks = 0;
  own.end = 0;
  own.length = (int64_t)(seconds == 0 ? budget_usual_seconds : seconds) * 1'000'000'000;
  atomic_store(&own.is_spent, false);
  atomic_store(&own.is_interrupted, false);
  return own.is_running = true;
}

static void budget_start_clock(void) {
  if (own.end != 0) return;
  int64_t now = clock_of_thread(&own.clock) ? clock_nanoseconds(own.clock) : -1;
  own.end = now < 0 ? INT64_MAX : now + own.length;
}

void budget_end(bool began) {
  assert(own.is_running);
  if (began) own.is_running = false;
}

static bool budget_is_interrupted(Budget *budget) {
  if (atomic_load(&budget->is_spent)) return true;
  if (budget->stop == nullptr || !budget->stop()) return false;
  atomic_store(&budget->is_interrupted, true);
  atomic_store(&budget->is_spent, true);
  return true;
}

bool budget_look(Budget *budget) {
  assert(budget->end != 0);
  if (budget_is_interrupted(budget)) return true;
  bool is_spent = budget->end != INT64_MAX && clock_nanoseconds(budget->clock) >= budget->end;
  if (is_spent) atomic_store(&budget->is_spent, true);
  return is_spent;
}

Budget *budget_running(void) {
  if (!own.is_running) return nullptr;
  budget_start_clock();
  return &own;
}

bool budget_is_spent(void) {
  if (!own.is_running) return false;
  uint32_t look = own.looks++;
  if (look % looks_between != 0) return atomic_load(&own.is_spent);
  if (look == 0) return budget_is_interrupted(&own);
  budget_start_clock();
  return budget_look(&own);
}

const char *budget_reason(void) {
  return atomic_load(&own.is_interrupted) ? "interrupted" : "out of time";
}
