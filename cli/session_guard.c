/* The guard thread waits for a semaphore, which a signal handler may post. It belongs to the
 * process that created it: a forked child has no guard and is ended by its parent. */
#include "cli/session_guard.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session.h"
#include "judge/engines/orphans.h"

static constexpr long patience_nanoseconds = 500'000'000;
static constexpr time_t seconds_to_end = 10; /* grace for work that has announced its end */
static constexpr size_t capacity = 512;
static constexpr uint32_t most_ends = 4;

static struct {
  sem_t woken;
  pid_t owner;
  _Atomic bool is_ending, has_fault, has_bad_input;
  bool is_reported;
  pthread_mutex_t lock;
  char at[capacity];
  uint32_t ends; /* number of the functions below */
  struct {
    void (*finish)(void *state);
    void *state;
  } end[most_ends];
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void sleep_through(struct timespec left) {
  while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

/* Prints the totals of --json. The work may hold the stream while its reader is slow: then the
 * buffered output is lost. */
static void finish_output(Status status) {
  if (ftrylockfile(stdout) != 0) return;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  json_totals(&text, (int)status, true);
  if (text.length > 0) (void)session_print(text.bytes);
  arena_destroy(arena);
  (void)fflush(stdout);
  funlockfile(stdout);
}

/* Reports once: on a busy machine both the work and the guard may reach this. */
static void say_interrupted(void) {
  if (guard.is_reported) return;
  guard.is_reported = true;
  session_warn("%s%s%s; what comes after it is left out",
      session_is_out_of_time() ? "out of time" : "interrupted", guard.at[0] == 0 ? "" : " at ",
      guard.at);
}

void session_say_interrupted(void) {
  pthread_mutex_lock(&guard.lock);
  say_interrupted();
  pthread_mutex_unlock(&guard.lock);
}

static Status worst_status(void) {
  if (guard.has_fault) return STATUS_REFUTED;
  return guard.has_bad_input ? STATUS_BAD : STATUS_UNDECIDED;
}

static void *wait_and_end(void *) {
  while (sem_wait(&guard.woken) != 0) continue;
  sleep_through((struct timespec){.tv_nsec = patience_nanoseconds});
  if (guard.is_ending) sleep_through((struct timespec){.tv_sec = seconds_to_end});
  pthread_mutex_lock(&guard.lock);
  say_interrupted();
  while (guard.ends-- > 0) guard.end[guard.ends].finish(guard.end[guard.ends].state);
  const Status status = worst_status();
  finish_output(status);
  orphans_end();
  _exit((int)status);
}

void session_start_guard(void) {
  if (guard.owner == getpid() || sem_init(&guard.woken, 0, 0) != 0) return;
  guard.owner = getpid();
  guard.has_fault = guard.has_bad_input = false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, wait_and_end, nullptr) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void session_wake_guard(void) {
  if (guard.owner == getpid()) (void)sem_post(&guard.woken);
}

void session_say_ending(void) { guard.is_ending = true; }

bool session_must_end(void) {
  if (!session_is_interrupted()) return false;
  session_say_ending();
  return true;
}

void session_note(Status status) {
  if (status == STATUS_REFUTED) guard.has_fault = true;
  if (status == STATUS_BAD) guard.has_bad_input = true;
}

void session_worsen(Status *whole, Status status) {
  session_note(status);
  *whole = status_worse(*whole, status);
}

/* Ignores positions after an interrupt: writing the results sets some too, which would be
 * misleading. */
[[gnu::format(printf, 1, 0)]] static void guard_at(const char *format, va_list arguments) {
  if (session_is_interrupted()) return;
  pthread_mutex_lock(&guard.lock);
  guard.at[0] = 0;
  if (format != nullptr) vsnprintf(guard.at, capacity, format, arguments);
  pthread_mutex_unlock(&guard.lock);
}

void session_at(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  guard_at(format, arguments);
  va_end(arguments);
  if (format != nullptr) progress_label(guard.at);
}

void session_item(uint64_t done, uint64_t all, const char *unit, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  guard_at(format, arguments);
  va_end(arguments);
  progress_item(done, all, unit, guard.at);
}

void session_not_on_end(const void *state) {
  uint32_t kept = 0;
  pthread_mutex_lock(&guard.lock);
  for (uint32_t i = 0; i < guard.ends; i++)
    if (guard.end[i].state != state) guard.end[kept++] = guard.end[i];
  guard.ends = kept;
  pthread_mutex_unlock(&guard.lock);
}

void session_on_end(void (*finish)(void *state), void *state) {
  session_not_on_end(state);
  pthread_mutex_lock(&guard.lock);
  assert(guard.ends < most_ends);
  if (guard.ends < most_ends) {
    guard.end[guard.ends].finish = finish;
    guard.end[guard.ends++].state = state;
  }
  pthread_mutex_unlock(&guard.lock);
}
