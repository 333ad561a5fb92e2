/* Two pipes, and a file in memory for the child's output. A query is the length of the wanted
 * signature, the length of the text, and both; the result is a FaultSignature. The child dies with
 * its parent. It never returns from its loop, because exit handlers and open outputs belong to the
 * parent. */
#define _GNU_SOURCE
#include "reduce/shrink_child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/process.h"

/* A child whose pipes are closed exits, unless it hangs. */
static constexpr double seconds_to_end = 10;

struct Child {
  Arena *arena;
  FindFault *look;
  void *state;
  pid_t process; /* 0: none */
  int to, from, log;
  bool (*stop)(void); /* may be nullptr */
};

void signature_set(FaultSignature *signature, const char *text) {
  size_t length = 0;
  for (; text[length] != 0 && length + 1 < signature_capacity; length++)
    signature->text[length] = text[length] == '\n' ? ' ' : text[length];
  memset(signature->text + length, 0, signature_capacity - length);
}

static constexpr char timeout_text[] = "timeout";

bool signature_is_timeout(const FaultSignature *signature) {
  return strcmp(signature->text, timeout_text) == 0;
}

bool signature_is_crash(const FaultSignature *signature) {
  return strncmp(signature->text, "crash", 5) == 0 || signature_is_timeout(signature);
}

bool signature_is_wanted(const char *wanted, const char *signature) {
  size_t length = strlen(wanted);
  return length == 0 || (strncmp(wanted, signature, length) == 0 &&
                            (signature[length] == 0 || signature[length] == ' '));
}

static bool send_all(int file, const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t sent = write(file, at, length);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent, length -= (size_t)sent;
  }
  return true;
}

static bool receive_all(int file, void *bytes, size_t length) {
  for (char *at = bytes; length > 0;) {
    ssize_t got = read(file, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, length -= (size_t)got;
  }
  return true;
}

static bool look_once(const Child *child, int in, int out) {
  size_t lengths[2];
  if (!receive_all(in, lengths, sizeof lengths)) return false;
  char *wanted = ARENA_NEW(child->arena, char, lengths[0] + 1),
       *text = ARENA_NEW(child->arena, char, lengths[1] + 1);
  if (!receive_all(in, wanted, lengths[0]) || !receive_all(in, text, lengths[1])) return false;
  FaultSignature signature = {};
  child->look(child->state, wanted, text, lengths[1], &signature);
  return send_all(out, &signature, sizeof signature);
}

typedef struct ChildStart {
  const Child *child;
  int in, out, closed[2];
} ChildStart;

static int child_serve(void *state) {
  const ChildStart *start = state;
  Arena *arena = start->child->arena;
  close(start->closed[0]), close(start->closed[1]);
  signal(SIGINT, SIG_IGN);
  for (ArenaMark mark = arena_mark(arena); look_once(start->child, start->in, start->out);)
    arena_rewind(arena, mark);
  return 0;
}

static bool shrink_child_start(Child *child, Error *error) {
  int down[2] = {-1, -1}, up[2] = {-1, -1};
  child->log = memfd_create("child", MFD_CLOEXEC);
  if (child->log < 0 || pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0)
    return error_set(error, ERROR_ENVIRONMENT, "no pipe to a child: %s", strerror(errno));
  ChildStart served = {.child = child, .in = down[0], .out = up[1], .closed = {down[1], up[0]}};
  child->process = process_start(&(ProcessStart){
      .body = child_serve, .state = &served, .in = -1, .out = -1, .err = child->log});
  if (child->process < 0)
    return error_set(error, ERROR_ENVIRONMENT, "no child process: %s", strerror(errno));
  close(down[0]), close(up[1]);
  child->to = down[1], child->from = up[0];
  return true;
}

static int stop(Child *child, bool at_once) {
  int state = 0;
  if (child->process <= 0) return state;
  close(child->to), close(child->from);
  if (at_once || !process_wait(child->process, seconds_to_end, &state))
    state = process_kill(child->process);
  child->process = 0;
  return state;
}

Child *child_create(Arena *arena, FindFault *look, void *state) {
  Child *child = ARENA_NEW(arena, Child, 1);
  *child = (Child){.arena = arena, .look = look, .state = state, .log = -1};
  return child;
}

void child_destroy(Child *child) {
  (void)stop(child, true);
  if (child->log >= 0) close(child->log);
  child->log = -1;
}

static void see_end(Child *child, int state, FaultSignature *signature) {
  static constexpr size_t capacity = 1 << 16;
  ArenaMark mark = arena_mark(child->arena);
  char *log = ARENA_NEW(child->arena, char, capacity + 1);
  if (pread(child->log, log, capacity, 0) < 0) log[0] = 0;
  crash_signature(log, state, signature);
  arena_rewind(child->arena, mark);
}

void child_stop_when(Child *child, bool (*stop)(void)) { child->stop = stop; }

static bool answers_in(const Child *child, double seconds) {
  static constexpr double look_seconds = 0.05;
  struct pollfd wait = {.fd = child->from, .events = POLLIN};
  double end = clock_wall() + seconds;
  for (;;) {
    double left = end - clock_wall();
    int ready = poll(&wait, 1, left <= 0 ? 0 : (int)(1000 * fmin(left, look_seconds)) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (left <= 0 || (child->stop != nullptr && child->stop())) return false;
  }
}

bool child_query(Child *child, const char *wanted, const char *text, size_t length, double seconds,
    FaultSignature *signature, Error *error) {
  assert(seconds > 0 && seconds < 1e6);
  *signature = (FaultSignature){};
  if (child->process <= 0) {
    if (child->log >= 0) close(child->log);
    if (!shrink_child_start(child, error)) return false;
  }
  size_t lengths[2] = {strlen(wanted), length};
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  bool sent = send_all(child->to, lengths, sizeof lengths) &&
              send_all(child->to, wanted, lengths[0]) && send_all(child->to, text, length);
  signal(SIGPIPE, before);
  if (sent && !answers_in(child, seconds)) {
    (void)stop(child, true);
    signature_set(signature, timeout_text);
    return true;
  }
  if (sent && receive_all(child->from, signature, sizeof *signature)) return true;
  see_end(child, stop(child, false), signature);
  return true;
}

/* Copies from `at` to the end of the line, without parts that differ between runs and machines:
 * hexadecimal numbers and directories. */
static void copy_line(char *to, size_t capacity, const char *at) {
  size_t length = 0;
  while (*at != 0 && *at != '\n' && length + 1 < capacity) {
    bool is_number = at[0] == '0' && at[1] == 'x';
    while (*at == '/' && length > 0 && to[length - 1] != ' ') length--;
    if (is_number) at += 2 + strspn(at + 2, "0123456789abcdef");
    else if (*at == '/') at++;
    else to[length++] = *at++;
  }
  to[length] = 0;
}

/* The kind of a harness report, else the failed assertion, a sanitizer's summary, or how the
 * process ended. */
void crash_signature(const char *log, int wait_status, FaultSignature *signature) {
  static const char *const marks[] = {"Assertion `", "SUMMARY: ", "runtime error: "};
  static const char report[] = "# fuzz_found_";
  char text[signature_capacity] = "crash ";
  const char *kind = strstr(log, report);
  if (kind != nullptr) {
    copy_line(text, sizeof text, kind + strlen(report));
    signature_set(signature, text);
    return;
  }
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *at = strstr(log, marks[i]);
    if (at == nullptr) continue;
    copy_line(text + 6, sizeof text - 6, at);
    signature_set(signature, text);
    return;
  }
  if (WIFSIGNALED(wait_status))
    snprintf(text, sizeof text, "crash signal %d", WTERMSIG(wait_status));
  else snprintf(text, sizeof text, "crash exit %d", WEXITSTATUS(wait_status));
  signature_set(signature, text);
}
