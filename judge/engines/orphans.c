/* A killed process leaves its own children, which are adopted in turn, so the list is read again
 * until it is empty. The number of rounds is bounded: a process that forks faster than it is killed
 * runs into its user's process limit. */
#define _GNU_SOURCE

#include "judge/engines/orphans.h"

#include <errno.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/process.h"

static constexpr int most_rounds = 1'000;
static constexpr uint32_t deepest_tree = 64;

static pid_t engines[64]; /* 0: free. If it is full, nothing is killed. */
static constexpr size_t engine_count = sizeof engines / sizeof *engines;
static pid_t owner; /* of the engines: a forked process has none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void orphans_lock(void) { pthread_mutex_lock(&lock); }
void orphans_unlock(void) { pthread_mutex_unlock(&lock); }

static pid_t *orphans_find(pid_t child) {
  for (size_t i = 0; i < engine_count; i++)
    if (engines[i] == child) return &engines[i];
  return nullptr;
}

void orphans_adopt(pid_t child) {
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (owner != getpid()) memset(engines, 0, sizeof engines);
  owner = getpid();
  pid_t *free = orphans_find(0);
  if (free != nullptr) *free = child;
}

/* An ended process keeps its group until it is waited for. */
static bool kill_child(pid_t child) {
  pid_t group = getpgid(child);
  if (group < 0 || group == getpgrp() || orphans_find(child) != nullptr) return false;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return true;
}

/* Reads the next number; false at the end of the file, or at a word that is no number. */
static bool read_number(FILE *file, uint64_t *number) {
  char word[32], *end;
  if (file == nullptr || fscanf(file, "%31s", word) != 1) return false;
  errno = 0;
  *number = strtoull(word, &end, 10);
  return errno == 0 && end != word && *end == '\0';
}

static bool kill_listed(const char *path) {
  FILE *list = fopen(path, "re");
  bool is_any = false;
  for (uint64_t child; read_number(list, &child);)
    is_any = kill_child((pid_t)child) || is_any;
  if (list != nullptr) fclose(list);
  return is_any;
}

/* Each thread has its own list of children. */
static bool kill_round(void) {
  glob_t lists = {};
  bool is_any = false;
  if (glob("/proc/self/task/*/children", 0, nullptr, &lists) == 0)
    for (size_t i = 0; i < lists.gl_pathc; i++) is_any = kill_listed(lists.gl_pathv[i]) || is_any;
  globfree(&lists);
  return is_any;
}

/* ---- memory and waiting time of a process tree ---- */

/* Shared pages are counted in proportion if the kernel reports it. */
static uint64_t memory_of(pid_t process) {
  char path[64], line[256];
  static const char shared[] = "Pss:";
  uint64_t kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)process);
  FILE *file = fopen(path, "re");
  bool is_found = false;
  while (file != nullptr && !is_found && fgets(line, sizeof line, file) != nullptr)
    is_found = strncmp(line, shared, sizeof shared - 1) == 0;
  if (is_found) kilobytes = strtoull(line + sizeof shared - 1, nullptr, 10);
  if (file != nullptr) fclose(file);
  return is_found ? kilobytes << 10 : process_memory(process);
}

/* The longest time in nanoseconds that a thread of the process waited for a processor. */
static uint64_t wait_of(pid_t process) {
  char pattern[64];
  glob_t threads = {};
  uint64_t longest = 0;
  snprintf(pattern, sizeof pattern, "/proc/%ld/task/*/schedstat", (long)process);
  if (glob(pattern, 0, nullptr, &threads) == 0)
    for (size_t i = 0; i < threads.gl_pathc; i++) {
      uint64_t ran, waited;
      FILE *file = fopen(threads.gl_pathv[i], "re");
      if (read_number(file, &ran) && read_number(file, &waited) && waited > longest)
        longest = waited;
      if (file != nullptr) fclose(file);
    }
  globfree(&threads);
  return longest;
}

static uint64_t measure_sum(uint64_t a, uint64_t b) { return a + b; }
static uint64_t measure_larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

typedef struct TreeMeasure {
  uint64_t (*of)(pid_t process);
  uint64_t (*join)(uint64_t a, uint64_t b);
} TreeMeasure;
static const TreeMeasure tree_memory = {memory_of, measure_sum},
                         tree_wait = {wait_of, measure_larger};

static uint64_t measure_tree(const TreeMeasure *measure, pid_t process, uint32_t depth);

/* Without processes that are engines themselves. */
static uint64_t measure_children(const TreeMeasure *measure, const char *pattern, uint32_t depth) {
  glob_t lists = {};
  uint64_t all = 0;
  if (depth < deepest_tree && glob(pattern, 0, nullptr, &lists) == 0)
    for (size_t i = 0; i < lists.gl_pathc; i++) {
      FILE *list = fopen(lists.gl_pathv[i], "re");
      for (uint64_t child; read_number(list, &child);)
        if (orphans_find((pid_t)child) == nullptr && getpgid((pid_t)child) != getpgrp())
          all = measure->join(all, measure_tree(measure, (pid_t)child, depth + 1));
      if (list != nullptr) fclose(list);
    }
  globfree(&lists);
  return all;
}

static uint64_t measure_tree(const TreeMeasure *measure, pid_t process, uint32_t depth) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "/proc/%ld/task/*/children", (long)process);
  return measure->join(measure->of(process), measure_children(measure, pattern, depth));
}

static uint64_t measure_engine(const TreeMeasure *measure, pid_t child) {
  return measure->join(
      measure_tree(measure, child, 0), measure_children(measure, "/proc/self/task/*/children", 0));
}

uint64_t orphans_memory(pid_t child) { return measure_engine(&tree_memory, child); }
double orphans_waited(pid_t child) { return (double)measure_engine(&tree_wait, child) * 1e-9; }

void orphans_kill(pid_t child) {
  pid_t *engine = orphans_find(child);
  if (engine == nullptr) return;
  *engine = 0;
  for (int round = 0; round < most_rounds && kill_round(); round++) continue;
}

/* The lock stays held. */
void orphans_end(void) {
  orphans_lock();
  for (size_t i = 0; i < engine_count && owner == getpid(); i++) {
    pid_t child = engines[i];
    if (child == 0) continue;
    (void)process_kill(child);
    orphans_kill(child);
  }
}
