/* A process that is killed leaves its own children, which are adopted in turn, so that the list is
 * read again until it has none. The number of rounds is bounded: a process that forks faster than
 * it is killed is met by the limit on processes of its user. */
#define _GNU_SOURCE 1

#include "judge/engines/orphans.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static constexpr int most_rounds = 1'000;

static pid_t engines[64]; /* 0: free. Where it is full nothing is killed. */
static constexpr size_t engine_count = sizeof engines / sizeof *engines;

static pid_t *orphans_find(pid_t child) {
  for (size_t i = 0; i < engine_count; i++)
    if (engines[i] == child) return &engines[i];
  return nullptr;
}

void orphans_adopt(pid_t child) {
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t *free = orphans_find(0);
  if (free != nullptr) *free = child;
}

/* One that has ended keeps its group until it is waited for. */
static bool kill_child(pid_t child) {
  pid_t group = getpgid(child);
  if (group < 0 || group == getpgrp() || orphans_find(child) != nullptr) return false;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return true;
}

static bool kill_listed(const char *path) {
  FILE *list = fopen(path, "re");
  bool is_any = false;
  for (long child; list != nullptr && fscanf(list, "%ld", &child) == 1;)
    is_any = kill_child((pid_t)child) || is_any;
  if (list != nullptr) fclose(list);
  return is_any;
}

/* Each thread has a list of its own. */
static bool kill_round(void) {
  glob_t lists = {};
  bool is_any = false;
  if (glob("/proc/self/task/*/children", 0, nullptr, &lists) == 0)
    for (size_t i = 0; i < lists.gl_pathc; i++) is_any = kill_listed(lists.gl_pathv[i]) || is_any;
  globfree(&lists);
  return is_any;
}

void orphans_kill(pid_t child) {
  pid_t *engine = orphans_find(child);
  if (engine == nullptr) return;
  *engine = 0;
  for (int round = 0; round < most_rounds && kill_round(); round++) continue;
}
