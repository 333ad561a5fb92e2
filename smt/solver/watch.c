/* One thread a check, made only where there is something to look at. An interrupt can fall between
 * two of Z3's steps and be lost, so it is repeated until the check has ended. */
#include "smt/solver/watch.h"

#include <pthread.h>
#include <time.h>

#include "core/base/budget.h"
#include "smt/solver/z3_context.h"

static constexpr long look_nanoseconds = 20'000'000;

typedef struct Watch {
  Z3_context z3;
  bool (*stop)(void); /* may be null */
  Budget *budget;     /* of the thread that checks; may be null */
  bool ended;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} Watch;

static bool should_end(const Watch *watch) {
  return (watch->stop != nullptr && watch->stop()) ||
         (watch->budget != nullptr && budget_look(watch->budget));
}

static struct timespec next_look(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += look_nanoseconds;
  if (time.tv_nsec >= 1'000'000'000) {
    time.tv_nsec -= 1'000'000'000;
    time.tv_sec++;
  }
  return time;
}

static void *watch_look(void *owner) {
  Watch *watch = owner;
  pthread_mutex_lock(&watch->mutex);
  while (!watch->ended) {
    struct timespec until = next_look();
    pthread_cond_timedwait(&watch->changed, &watch->mutex, &until);
    if (!watch->ended && should_end(watch)) Z3_interrupt(watch->z3);
  }
  pthread_mutex_unlock(&watch->mutex);
  return nullptr;
}

/* Out of memory in a check is an answer that nobody has. */
static Z3_lbool watch_check(Z3_context z3, Z3_solver solver) {
  Z3_set_error_handler(z3, nullptr);
  Z3_lbool answer = Z3_solver_check(z3, solver);
  if (Z3_get_error_code(z3) != Z3_OK) answer = Z3_L_UNDEF;
  Z3_set_error_handler(z3, z3_out_of_memory);
  return answer;
}

Z3_lbool watched_check(Z3_context z3, Z3_solver solver, bool (*stop)(void)) {
  Watch watch = {.z3 = z3,
      .stop = stop,
      .budget = budget_running(),
      .mutex = PTHREAD_MUTEX_INITIALIZER,
      .changed = PTHREAD_COND_INITIALIZER};
  if (stop == nullptr && watch.budget == nullptr) return watch_check(z3, solver);
  if (should_end(&watch)) return Z3_L_UNDEF;
  pthread_t thread;
  bool is_watched = pthread_create(&thread, nullptr, watch_look, &watch) == 0;
  Z3_lbool answer = watch_check(z3, solver);
  if (!is_watched) return answer;
  pthread_mutex_lock(&watch.mutex);
  watch.ended = true;
  pthread_cond_signal(&watch.changed);
  pthread_mutex_unlock(&watch.mutex);
  pthread_join(thread, nullptr);
  return answer;
}
