/* One child at a time. Requests go through a socket pair (writing to an ended peer is an error, not
 * SIGPIPE); answers and standard error come through pipes. All I/O is nonblocking, under one
 * deadline. Every request has a number that the answer must repeat.
 *   the child ends                 crashed, aborted or exited, by the cause
 *   no whole line by the deadline  hung; the deadline is extended by the time for which the child
 *                                  was ready but had no processor
 *   a line beyond the limit        endless output
 *   too much in all its processes  out of memory
 *   another number or word, or a second line   garbage
 * The child's output is judged before its end, even if a request could not be written because the
 * child had ended: its output is read to the end first. In all these cases, the child's process
 * group and the processes that it left in other sessions (orphans.h) are killed before the reply is
 * returned. */
#define _GNU_SOURCE /* pipe2, sigabbrev_np, sigdescr_np */

#include "judge/engines/engine_process.h"

#include "core/base/clock.h"
#include "core/base/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/engines/complaint.h"
#include "judge/engines/orphans.h"

static constexpr uint64_t largest_file = (uint64_t)1 << 30;
static constexpr uint64_t most_processes = 4'096; /* for the user, including processes outside
                                                     the engine */
static constexpr uint32_t most_reads = 64;        /* at a time: standard error may be endless */

struct EngineProcess {
  const char *const *argv;
  EngineLimits limits;
  double end;                    /* by clock_wall, of all requests; 0: none */
  bool (*stop)(void);            /* all requests end if it returns true; nullptr: none */
  pid_t owner, child;            /* child 0: none runs; other owner: the process belongs to
                                    another process after a fork */
  int requests, answers, errors; /* our ends of the pipes */
  bool is_up;                    /* it has sent its greeting */
  uint64_t number, starts;
  uint64_t served; /* requests answered by the current or last child */
  uint64_t interrupted, requests_made;
  double waited; /* seconds for which the child waited for a processor, at the last check */
  Arena *arena;  /* for its greeting and the current line */
  const char *name, *offers;
  char *line;                       /* malloc'ed: bytes read and not yet consumed */
  size_t length, capacity, scanned; /* scanned: number of bytes known to contain no line break */
  Complaint complaint;              /* of the current or last child */
};

const char *engine_kind_text(EngineKind kind) {
  static const char *const texts[] = {
#define KIND(id, text, answer, help) text,
#include "judge/engines/engine_kinds.def"
#undef KIND
  };
  return texts[kind];
}

EngineProcess *engine_process_create(const char *const *argv, const EngineLimits *limits) {
  assert(argv[0] != nullptr && limits->milliseconds > 0 && limits->output > 0);
  EngineProcess *process = calloc(1, sizeof *process);
  if (process == nullptr) arena_out_of_memory(sizeof *process);
  *process = (EngineProcess){.argv = argv,
      .limits = *limits,
      .arena = arena_create(),
      .requests = -1,
      .answers = -1,
      .errors = -1};
  return process;
}

static void close_ends(EngineProcess *process) {
  int *ends[] = {&process->requests, &process->answers, &process->errors};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    if (*ends[i] >= 0) close(*ends[i]);
    *ends[i] = -1;
  }
  process->child = 0;
  process->is_up = false;
  process->length = process->scanned = 0;
}

/* Kills the child unless it was reaped, and kills the processes that it left in other sessions. */
static void end_child(EngineProcess *process, bool is_reaped) {
  if (process->owner == getpid() && process->child > 0) {
    orphans_lock();
    if (!is_reaped) (void)process_kill(process->child);
    orphans_kill(process->child);
    orphans_unlock();
  }
  close_ends(process);
}

void engine_process_destroy(EngineProcess *process) {
  if (process == nullptr) return;
  end_child(process, false);
  arena_destroy(process->arena);
  free(process->line);
  free(process);
}

uint64_t engine_process_starts(const EngineProcess *process) { return process->starts; }
uint64_t engine_process_requests(const EngineProcess *process) { return process->requests_made; }
uint64_t engine_process_set_time(EngineProcess *process, uint64_t milliseconds) {
  uint64_t before = process->limits.milliseconds;
  assert(milliseconds > 0);
  process->limits.milliseconds = milliseconds;
  return before;
}
void engine_process_set_end(EngineProcess *process, double end) { process->end = end; }
void engine_process_set_stop(EngineProcess *process, bool (*stop)(void)) { process->stop = stop; }
uint64_t engine_process_interrupted(const EngineProcess *process) { return process->interrupted; }
uint64_t engine_process_served(const EngineProcess *process) { return process->served; }

/* --- the child --- */

/* Fails if an end is a standard descriptor, because dup2 would then close one with the other. */
static bool make_ends(int in[2], int out[2], int err[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) return false;
  if (pipe2(out, O_CLOEXEC) != 0) return false;
  if (pipe2(err, O_CLOEXEC) != 0) return false;
  return in[1] > STDERR_FILENO && out[1] > STDERR_FILENO && err[1] > STDERR_FILENO;
}

static bool engine_process_start(EngineProcess *process) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  assert(process->child == 0 && process->requests < 0);
  pid_t child = -1;
  orphans_lock();
  if (make_ends(in, out, err))
    child = process_start(&(ProcessStart){.argv = (char *const *)process->argv,
        .in = in[1],
        .out = out[1],
        .err = err[1],
        .memory = process->limits.memory,
        .file_size = largest_file,
        .processes = most_processes});
  if (child > 0) orphans_adopt(child);
  int problem = errno;
  orphans_unlock();
  int mine[] = {in[0], out[0], err[0]}, its[] = {in[1], out[1], err[1]};
  for (size_t i = 0; i < 3; i++) {
    if (its[i] >= 0) close(its[i]);
    if (child < 0 && mine[i] >= 0) close(mine[i]);
    if (child > 0) (void)fcntl(mine[i], F_SETFL, O_NONBLOCK);
  }
  errno = problem;
  if (child < 0) return false;
  process->child = child;
  process->owner = getpid();
  process->requests = in[0], process->answers = out[0], process->errors = err[0];
  process->complaint = (Complaint){};
  process->starts++;
  process->served = 0;
  process->waited = 0;
  return true;
}

/* --- one exchange --- */

typedef struct EngineExchange {
  EngineProcess *process;
  const Text *request;
  size_t sent;
  bool is_deaf, is_mute;             /* the process reads no more; it writes no more */
  double begin, deadline, next_look; /* next_look: when to check the memory of its processes */
  bool has_looked, is_stopped;
  EngineReply *reply;
  Text *answer;
} EngineExchange;

static constexpr double look_seconds = 0.2;
static constexpr double longest_wait = 20; /* wall-clock limit, as a multiple of the time limit */
static constexpr double least_wait = 0.001;

static void read_complaint(EngineProcess *process) {
  char bytes[512];
  ssize_t got;
  for (uint32_t i = 0; i < most_reads && (got = read(process->errors, bytes, sizeof bytes)) > 0;
      i++) {
    complaint_take(&process->complaint, bytes, (size_t)got);
    if ((size_t)got < sizeof bytes) return;
  }
}

/* Sets the reason, followed by the process's output to standard error. */
static void set_reason(EngineProcess *process, const char *reason, const char *ignored,
    Arena *arena, EngineReply *reply) {
  if (process->errors >= 0) read_complaint(process);
  Text why = text_create(arena);
  text_string(&why, reason);
  size_t used = why.length;
  complaint_print(&process->complaint, ignored, &why);
  reply->why = why.bytes;
  if (why.length > used) reply->words = used;
}

static void give_up(
    EngineProcess *process, Arena *arena, EngineReply *reply, EngineKind kind, const char *what) {
  reply->kind = kind;
  set_reason(process, what, nullptr, arena, reply);
  end_child(process, false);
}

/* The signal that ended the process, or its child if the process is a shell: a shell exits with 128
 * plus the signal. 0: none. */
static int signal_of(const EngineProcess *process, int state) {
  static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSYS};
  if (WIFSIGNALED(state)) return WTERMSIG(state);
  if (strcmp(process->argv[0], "/bin/sh") != 0) return 0;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (WEXITSTATUS(state) == 128 + faults[i]) return faults[i];
  return 0;
}

/* True for a signal that a person, a supervisor or a kernel without memory may have sent. */
static bool is_end_by_others(const EngineProcess *process, int state) {
  static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGKILL};
  bool is_shell = strcmp(process->argv[0], "/bin/sh") == 0;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    if (WIFSIGNALED(state) && WTERMSIG(state) == signals[i]) return true;
    if (is_shell && WIFEXITED(state) && WEXITSTATUS(state) == 128 + signals[i]) return true;
  }
  return false;
}

static void note_end(EngineProcess *process, int state, Arena *arena, EngineReply *reply) {
  int ended_by = signal_of(process, state);
  reply->by_others = is_end_by_others(process, state);
  const char *name = sigabbrev_np(ended_by), *reason;
  if (ended_by != 0) {
    reply->kind = ended_by == SIGABRT ? ENGINE_ABORTED : ENGINE_CRASHED;
    reason = arena_printf(arena, "SIG%s", name == nullptr ? "?" : name);
  } else {
    reply->kind = ENGINE_EXITED;
    reason = arena_printf(arena, "with status %d", WEXITSTATUS(state));
  }
  set_reason(process, reason, ended_by == 0 ? nullptr : sigdescr_np(ended_by), arena, reply);
  end_child(process, true);
}

/* Returns false if the process cannot be read or has closed its output. */
static bool take_answer(EngineProcess *process) {
  for (;;) {
    if (process->length + 1 >= process->capacity) {
      size_t capacity = process->capacity == 0 ? 4096 : 2 * process->capacity;
      char *line = realloc(process->line, capacity);
      if (line == nullptr) arena_out_of_memory(capacity);
      process->line = line;
      process->capacity = capacity;
    }
    size_t capacity = process->capacity - process->length;
    ssize_t got = read(process->answers, process->line + process->length, capacity);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    process->length += (size_t)got;
    if ((size_t)got < capacity || process->length > process->limits.output) return true;
  }
}

static bool send_request(EngineExchange *exchange) {
  const Text *request = exchange->request;
  while (exchange->sent < request->length) {
    ssize_t sent = send(exchange->process->requests, request->bytes + exchange->sent,
        request->length - exchange->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    exchange->sent += (size_t)sent;
  }
  return true;
}

static void exchange_give_up(EngineExchange *exchange, EngineKind kind, const char *what) {
  give_up(exchange->process, exchange->answer->arena, exchange->reply, kind, what);
}

/* Says how the process ended, or that it is hung if it does not end until the deadline. One that
 * has ended may have left a child that holds its end of the pipe. */
static void wait_for_end(EngineExchange *exchange, const char *hung) {
  int state;
  double left = exchange->deadline - clock_wall();
  if (process_wait(exchange->process->child, left > 0 ? left : 0, &state))
    note_end(exchange->process, state, exchange->answer->arena, exchange->reply);
  else exchange_give_up(exchange, ENGINE_HUNG, hung);
}

static void wait_for_bytes(EngineExchange *exchange, double seconds) {
  EngineProcess *process = exchange->process;
  bool is_sending = !exchange->is_deaf && exchange->sent < exchange->request->length;
  struct pollfd ends[] = {{.fd = process->answers, .events = POLLIN},
      {.fd = process->errors, .events = POLLIN},
      {.fd = is_sending ? process->requests : -1, .events = POLLOUT}};
  if (poll(ends, 3, (int)(seconds * 1000) + 1) <= 0) return;
  if ((ends[1].revents & POLLIN) != 0) read_complaint(process);
  if ((ends[1].revents & POLLIN) == 0 && ends[1].revents != 0) {
    close(process->errors);
    process->errors = -1;
  }
  if (ends[0].revents != 0) exchange->is_mute = !take_answer(process);
}

static bool has_line(EngineProcess *process) {
  assert(process->scanned <= process->length);
  if (process->length == process->scanned) return false;
  const char *end =
      memchr(process->line + process->scanned, '\n', process->length - process->scanned);
  if (end == nullptr) process->scanned = process->length;
  return end != nullptr;
}

/* Checks the memory of all processes together, because a limit on address space applies to each
 * alone. Answers within the usual time are not checked. */
static bool holds_too_much(EngineExchange *exchange) {
  EngineProcess *process = exchange->process;
  double now = clock_wall();
  if (now < exchange->next_look) return false;
  exchange->next_look = now + look_seconds;
  if (!exchange->has_looked) process->waited = orphans_waited(process->child);
  exchange->has_looked = true;
  return process->limits.memory > 0 && orphans_memory(process->child) > process->limits.memory;
}

static bool has_ended_all(const EngineProcess *process) {
  return process->end > 0 && clock_wall() >= process->end;
}

/* A busy machine must not make an engine hang: the time that it waited for a processor since the
 * last check is added to its deadline. Returns false if it did not wait, or waited too long. */
static bool gets_more_time(EngineExchange *exchange) {
  double limit = (double)exchange->process->limits.milliseconds * 1e-3;
  if (clock_wall() - exchange->begin >= longest_wait * limit) return false;
  double waited = orphans_waited(exchange->process->child),
         more = waited - exchange->process->waited;
  exchange->process->waited = waited;
  if (more < least_wait || has_ended_all(exchange->process)) return false;
  exchange->deadline += more;
  return true;
}

/* Returns true when a whole line was read; else the reply says what happened. */
static bool exchange_line(EngineExchange *exchange) {
  EngineProcess *process = exchange->process;
  for (;;) {
    if (!exchange->is_deaf) exchange->is_deaf = !send_request(exchange);
    if (has_line(process)) return true;
    double left = exchange->deadline - clock_wall();
    if (process->length > process->limits.output)
      exchange_give_up(exchange, ENGINE_ENDLESS, "an answer longer than the limit");
    else if (exchange->is_mute)
      wait_for_end(exchange, "has closed its end of the pipe and does not end");
    else if (left <= 0 && !gets_more_time(exchange)) wait_for_end(exchange, "no answer in time");
    else if (process->stop != nullptr && (exchange->is_stopped = process->stop()))
      exchange_give_up(exchange, ENGINE_HUNG, "the run ends before its answer");
    else if (holds_too_much(exchange))
      exchange_give_up(exchange, ENGINE_MEMORY, "its processes together are past the limit");
    if (process->child == 0) return false;
    wait_for_bytes(exchange, left <= 0 ? 0 : left < look_seconds ? left : look_seconds);
  }
}

/* --- fields --- */

static void append_escaped(Text *text, const char *field) {
  for (const char *at = field; *at != 0;) {
    size_t plain = strcspn(at, "\\\t\n");
    text_append(text, at, plain);
    at += plain;
    if (*at == 0) return;
    text_string(text, *at == '\\' ? "\\\\" : *at == '\t' ? "\\t" : "\\n");
    at++;
  }
}

/* Tabs are kept: they separate further fields. */
static void append_unescaped(Text *text, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char byte = bytes[i];
    if (byte == '\\' && i + 1 < length) {
      byte = bytes[++i];
      byte = byte == 'n' ? '\n' : byte == 't' ? '\t' : byte;
    }
    text_append(text, &byte, 1);
  }
}

static Text make_request(EngineProcess *process, uint32_t count, const char *const *fields) {
  Text request = text_create(process->arena);
  text_printf(&request, "%" PRIu64, ++process->number);
  for (uint32_t i = 0; i < count; i++) {
    text_string(&request, "\t");
    append_escaped(&request, fields[i]);
  }
  text_string(&request, "\n");
  return request;
}

/* Tabs are allowed: they separate fields. */
static bool has_control_byte(const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (((unsigned char)bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] == 0x7f) return true;
  return false;
}

static bool skip_number(const EngineProcess *process, const char **at, const char *end) {
  char number[24];
  size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64 "\t", process->number);
  if ((size_t)(end - *at) < length || memcmp(*at, number, length) != 0) return false;
  *at += length;
  return true;
}

static bool read_word(const char **at, const char *end, EngineKind *kind) {
  static const struct {
    const char *word;
    EngineKind kind;
  } words[] = {{"answer", ENGINE_ANSWERED}, {"engine", ENGINE_ANSWERED},
      {"undefined", ENGINE_UNDEFINED}, {"not-offered", ENGINE_NOT_OFFERED},
      {"rejected", ENGINE_REJECTED}, {"refused", ENGINE_REJECTED}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if ((size_t)(end - *at) < length || memcmp(*at, words[i].word, length) != 0) continue;
    if (*at + length < end && (*at)[length] != '\t') continue;
    *kind = words[i].kind;
    *at += length + (*at + length < end);
    return true;
  }
  return false;
}

static void read_reply(EngineProcess *process, Text *answer, EngineReply *reply) {
  const char *at = process->line, *end = memchr(process->line, '\n', process->length);
  assert(end != nullptr);
  bool is_last = end + 1 == process->line + process->length;
  if (has_control_byte(at, (size_t)(end - at)) || !skip_number(process, &at, end) ||
      !read_word(&at, end, &reply->kind)) {
    char printable[200];
    size_t shown = (size_t)(end - process->line) < 80 ? (size_t)(end - process->line) : 80;
    for (size_t i = 0; i < shown; i++)
      printable[i] = (unsigned char)process->line[i] < ' ' || (unsigned char)process->line[i] > '~'
                         ? '?'
                         : process->line[i];
    printable[shown] = 0;
    const char *what = arena_printf(answer->arena,
        "a line that is no answer to request %" PRIu64 ": %s", process->number, printable);
    give_up(process, answer->arena, reply, ENGINE_GARBAGE, what);
    reply->quoted = (size_t)(strchr(what, ':') - what);
    return;
  }
  append_unescaped(answer, at, (size_t)(end - at));
  reply->length = answer->length;
  if (reply->kind != ENGINE_ANSWERED) {
    char *why = arena_text(answer->arena, answer->bytes, answer->length);
    for (char *byte = why; *byte != 0; byte++)
      if ((unsigned char)*byte < ' ') *byte = ' ';
    reply->why = why;
  }
  process->length = process->scanned = 0;
  if (!is_last)
    give_up(process, answer->arena, reply, ENGINE_GARBAGE, "more than one line for one request");
}

static void exchange(EngineProcess *process, uint32_t count, const char *const *fields,
    Text *answer, EngineReply *reply) {
  ArenaMark mark = arena_mark(process->arena);
  Text request = make_request(process, count, fields);
  double begin = clock_wall(), due = begin + (double)process->limits.milliseconds * 1e-3;
  bool is_short = process->end > 0 && process->end < due;
  EngineExchange one = {.process = process,
      .request = &request,
      .begin = begin,
      .deadline = is_short ? process->end : due,
      .next_look = begin + look_seconds,
      .reply = reply,
      .answer = answer};
  if (exchange_line(&one)) read_reply(process, answer, reply);
  reply->seconds = clock_wall() - begin;
  reply->is_cut = (is_short || one.is_stopped) && reply->kind == ENGINE_HUNG;
  arena_rewind(process->arena, mark);
}

/* Parses `1 NAME OFFERS`, separated by tabs. */
static bool read_hello(EngineProcess *process, const Text *text, EngineReply *reply) {
  if (has_control_byte(text->bytes, text->length)) {
    give_up(process, text->arena, reply, ENGINE_GARBAGE,
        "a line break in the engine's name or its offers");
    return false;
  }
  const char *name = strchr(text->bytes, '\t');
  const char *offers = name == nullptr ? nullptr : strchr(name + 1, '\t');
  if (offers == nullptr || strncmp(text->bytes, "1\t", 2) != 0) {
    const char *what = arena_printf(
        text->arena, "does not support version 1 of the protocol: engine %s", text->bytes);
    give_up(process, text->arena, reply, ENGINE_GARBAGE, what);
    return false;
  }
  if (process->name != nullptr) return true;
  process->name = arena_text(process->arena, name + 1, (size_t)(offers - name - 1));
  process->offers = arena_text(process->arena, offers + 1, strlen(offers + 1));
  return true;
}

/* Ensures that our own process is running and has sent its greeting; else the reply, in `arena`,
 * has the reason. */
static bool bring_up(EngineProcess *process, Arena *arena, EngineReply *reply) {
  *reply = (EngineReply){.why = ""};
  if (process->child > 0 && process->owner != getpid()) close_ends(process);
  if (process->child > 0 && process->is_up) return true;
  if (!engine_process_start(process)) {
    reply->kind = ENGINE_EXITED;
    reply->why = arena_printf(arena, "cannot be started: %s", strerror(errno));
    return false;
  }
  Text hello = text_create(arena);
  static const char *const fields[] = {"hello", "1"};
  exchange(process, 2, fields, &hello, reply);
  process->is_up = reply->kind == ENGINE_ANSWERED && read_hello(process, &hello, reply);
  if (process->is_up) return true;
  end_child(process, false);
  return false;
}

bool engine_process_hello(EngineProcess *process, Arena *arena, const char **name,
    const char **offers, EngineReply *reply) {
  assert(arena != process->arena);
  if (!bring_up(process, arena, reply)) return false;
  *name = process->name;
  *offers = process->offers;
  return true;
}

static void query_once(EngineProcess *process, uint32_t count, const char *const *fields,
    Text *answer, EngineReply *reply) {
  process->requests_made++;
  if (!bring_up(process, answer->arena, reply)) return;
  *reply = (EngineReply){.why = ""};
  exchange(process, count, fields, answer, reply);
  process->served += process->is_up;
}

void engine_process_query(EngineProcess *process, uint32_t count, const char *const *fields,
    Text *answer, EngineReply *reply) {
  static constexpr uint32_t most_processes_ended = 3;
  assert(answer->arena != process->arena);
  query_once(process, count, fields, answer, reply);
  uint32_t ended = reply->by_others;
  while (reply->by_others && ended < most_processes_ended) {
    process->interrupted++;
    query_once(process, count, fields, answer, reply);
    ended += reply->by_others;
  }
}
