/* One thread watches all checks of the process. It is created at the first check with a `stop` or a
 * time budget, because a thread per check costs more than most checks. It sleeps while there is no
 * such check. Z3 can miss an interrupt between two of its steps, so the interrupt is repeated until
 * the check has ended. */
#include "smt/solver/watch.h"

#include <pthread.h>
#include <time.h>

#include "core/base/budget.h"
#include "smt/solver/z3_context.h"

static constexpr long look_nanoseconds = 20'000'000;
/* A watcher that is not asleep need not be woken by the next check. */
static constexpr uint32_t looks_before_sleep = 5;

/* A running check: on the stack of its thread, and in the list while Z3 works. */
typedef struct Watch {
  struct Watch *next;
  Z3_context z3;
  bool (*stop)(void); /* may be null */
  Budget *budget;     /* of the checking thread; may be null */
} Watch;

static struct {
  pthread_mutex_t mutex; /* protects everything below */
  pthread_cond_t changed;
  Watch *first;
  pthread_t thread;
  bool is_forked_with; /* the fork handlers of the mutex are registered */
  bool is_running;
  bool is_asleep;
  bool is_ending;
} watcher = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool should_end(const Watch *watch) {
  return (watch->stop != nullptr && watch->stop()) ||
         (watch->budget != nullptr && budget_look(watch->budget));
}

static void wait_for_look(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += look_nanoseconds;
  if (time.tv_nsec >= 1'000'000'000) {
    time.tv_nsec -= 1'000'000'000;
    time.tv_sec++;
  }
  pthread_cond_timedwait(&watcher.changed, &watcher.mutex, &time);
}

static void *watcher_look(void *unused) {
  (void)unused;
  pthread_mutex_lock(&watcher.mutex);
  for (uint32_t idle = 0; !watcher.is_ending;) {
    watcher.is_asleep = watcher.first == nullptr && idle >= looks_before_sleep;
    if (watcher.is_asleep) pthread_cond_wait(&watcher.changed, &watcher.mutex);
    else wait_for_look();
    idle = watcher.first == nullptr ? idle + !watcher.is_asleep : 0;
    for (const Watch *watch = watcher.first; watch != nullptr; watch = watch->next)
      if (should_end(watch)) Z3_interrupt(watch->z3);
  }
  pthread_mutex_unlock(&watcher.mutex);
  return nullptr;
}

static void before_fork(void) { pthread_mutex_lock(&watcher.mutex); }
static void after_fork(void) { pthread_mutex_unlock(&watcher.mutex); }

/* The child has neither the watcher nor the threads of the watched checks. */
static void after_fork_in_child(void) {
  watcher.first = nullptr;
  watcher.is_running = watcher.is_asleep = false;
  pthread_cond_init(&watcher.changed, nullptr);
  pthread_mutex_unlock(&watcher.mutex);
}

/* Requires the mutex. If no thread can be created, checks are not watched. */
static void watcher_start(void) {
  if (!watcher.is_forked_with)
    watcher.is_forked_with = pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
  if (!watcher.is_running && watcher.is_forked_with)
    watcher.is_running = pthread_create(&watcher.thread, nullptr, watcher_look, nullptr) == 0;
  if (watcher.is_asleep) pthread_cond_signal(&watcher.changed);
  watcher.is_asleep = false;
}

/* Ends the watcher before its code is unloaded, because a library may be closed. */
__attribute__((destructor)) static void watcher_end(void) {
  pthread_mutex_lock(&watcher.mutex);
  bool is_running = watcher.is_running;
  watcher.is_ending = true;
  watcher.is_running = false;
  pthread_cond_signal(&watcher.changed);
  pthread_mutex_unlock(&watcher.mutex);
  if (is_running) pthread_join(watcher.thread, nullptr);
}

static void watch_begin(Watch *watch) {
  pthread_mutex_lock(&watcher.mutex);
  watch->next = watcher.first;
  watcher.first = watch;
  if (!watcher.is_ending) watcher_start();
  pthread_mutex_unlock(&watcher.mutex);
}

static void watch_end(const Watch *watch) {
  pthread_mutex_lock(&watcher.mutex);
  Watch **link = &watcher.first;
  while (*link != watch) link = &(*link)->next;
  *link = watch->next;
  pthread_mutex_unlock(&watcher.mutex);
}

_Thread_local uint64_t z3_errors;

/* A check that runs out of memory is undecided. */
static Z3_lbool watch_check(Z3_context z3, Z3_solver solver) {
  Z3_set_error_handler(z3, nullptr);
  Z3_lbool answer = Z3_solver_check(z3, solver);
  if (Z3_get_error_code(z3) != Z3_OK) answer = Z3_L_UNDEF;
  Z3_set_error_handler(z3, z3_note_error);
  return answer;
}

Z3_lbool watched_check(Z3_context z3, Z3_solver solver, bool (*stop)(void)) {
  Watch watch = {.z3 = z3, .stop = stop, .budget = budget_running()};
  if (stop == nullptr && watch.budget == nullptr) return watch_check(z3, solver);
  if (should_end(&watch)) return Z3_L_UNDEF;
  watch_begin(&watch);
  Z3_lbool answer = watch_check(z3, solver);
  watch_end(&watch);
  return answer;
}
