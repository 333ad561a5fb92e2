/* Starts, waits for and ends a child. Between fork and exec a child calls only async-signal-safe
 * functions. A child that becomes a program is made by vfork: copying the page tables of a process
 * that has used the solver takes longer than many children run. A wait sleeps half a millisecond at
 * first and then doubles, up to ten. */
#define _GNU_SOURCE
#include "core/base/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/checked.h"
#include "core/base/clock.h"

/* Keeps a limit that is already lower. */
static void process_limit(int what, uint64_t most) {
  struct rlimit both = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  (void)getrlimit(what, &both);
  if (both.rlim_max > most) both.rlim_max = most;
  if (both.rlim_cur > most) both.rlim_cur = most;
  (void)setrlimit(what, &both);
}

/* State from before the fork that a child needs. */
typedef struct ChildOrigin {
  pid_t parent;
  int problem;      /* the write end of the pipe that reports errno */
  sigset_t signals; /* the mask from before; all signals are blocked until the child has reset its
                     * handlers */
} ChildOrigin;

[[noreturn]] static void process_become(const ProcessStart *start, const ChildOrigin *origin) {
  static constexpr int usual[] = {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGXFSZ};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != origin->parent) _exit(126);
  if (start->in >= 0) dup2(start->in, STDIN_FILENO);
  if (start->out >= 0) dup2(start->out, STDOUT_FILENO);
  if (start->err >= 0) dup2(start->err, STDERR_FILENO);
  process_limit(RLIMIT_CORE, 0);
  if (start->memory > 0) process_limit(RLIMIT_AS, start->memory);
  if (start->file_size > 0) process_limit(RLIMIT_FSIZE, start->file_size);
  if (start->processes > 0) process_limit(RLIMIT_NPROC, start->processes);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
  if (signal(SIGHUP, SIG_DFL) == SIG_IGN) signal(SIGHUP, SIG_IGN); /* as under nohup */
  pthread_sigmask(SIG_SETMASK, &origin->signals, nullptr);
  if (start->argv == nullptr) {
    close(origin->problem);
    _exit(start->body(start->state));
  }
  execvp(start->argv[0], start->argv);
  (void)!write(origin->problem, &errno, sizeof errno);
  _exit(127);
}

/* Kills the group first, while its leader still holds the number. A child that has already ended
 * keeps its state. */
int process_kill(pid_t child) {
  int state = 0;
  if (child <= 0) return state;
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {}
  return state;
}

/* The child's end of the pipe closes at exec. If exec fails, errno comes through the pipe. */
static bool process_has_become(int problem, pid_t child) {
  int error = 0;
  ssize_t got;
  do got = read(problem, &error, sizeof error);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return true;
  (void)process_kill(child);
  errno = error;
  return false;
}

pid_t process_start(const ProcessStart *start) {
  assert((start->argv == nullptr) != (start->body == nullptr));
  assert(start->in < 0 || start->in > STDERR_FILENO);
  int problem[2];
  if (pipe2(problem, O_CLOEXEC) != 0) return -1;
  if (start->body != nullptr) fflush(nullptr);
  ChildOrigin origin = {.parent = getpid(), .problem = problem[1]};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &origin.signals);
  /* Until it becomes a program, the child of vfork only makes system calls, with all signals
   * blocked. NOLINTNEXTLINE(*vfork*,*Vfork*,bugprone-unsafe-functions,cert-msc*) */
  pid_t child = start->body != nullptr ? fork() : vfork();
  if (child == 0) process_become(start, &origin);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &origin.signals, nullptr);
  close(problem[1]);
  if (child > 0) setpgid(child, child);
  bool has_become = child > 0 && process_has_become(problem[0], child);
  if (child > 0) error = errno;
  close(problem[0]);
  errno = error;
  return has_become ? child : -1;
}

bool process_wait(pid_t child, double seconds, int *state) {
  static constexpr long shortest = 500'000, longest = 10'000'000; /* nanoseconds */
  assert(child > 0 && seconds >= 0 && seconds <= 86'400);
  double end = clock_wall() + seconds;
  for (long nap = shortest;; nap = nap < longest / 2 ? 2 * nap : longest) {
    siginfo_t ended = {};
    if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0) {
      if (ended.si_pid == child) *state = process_kill(child);
      if (ended.si_pid == child) return true;
    } else if (errno == ECHILD) {
      *state = 127 << 8;
      return true;
    }
    if (clock_wall() >= end) return false;
    nanosleep(&(struct timespec){.tv_nsec = nap}, nullptr);
  }
}

double process_seconds(pid_t process) {
  clockid_t clock;
  if (clock_getcpuclockid(process, &clock) != 0) return 0;
  return (double)max64(clock_nanoseconds(clock), 0) * 1e-9;
}

/* The second number of statm is the resident pages. */
uint64_t process_memory(pid_t process) {
  char path[48], text[128];
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  char *second;
  (void)strtoull(text, &second, 10);
  return strtoull(second, nullptr, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}
