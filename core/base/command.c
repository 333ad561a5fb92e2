/* A whole program under a deadline. Its input goes through a socket, so that a program that does
 * not read raises no SIGPIPE. Its output and errors come through pipes; one poll serves all three.
 *
 * Keeps: the program's process group is killed however the program ends, so that none of it
 * outlives the call. The call ends at the deadline even if a grandchild holds a stream open. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/command.h"

#include "core/base/clock.h"
#include "core/base/process.h"
#include "core/base/text.h"

static constexpr size_t usual_output = (size_t)16 << 20;
static constexpr int look_milliseconds = 50;

typedef struct Talk {
  const ProgramRun *run;
  ProgramResult *result;
  pid_t child;
  int ends[3]; /* input, output, errors; -1: closed */
  size_t sent;
  Text texts[2]; /* output, errors */
  double begin;
} Talk;

static void talk_close(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

static bool talk_make_ends(int in[2], int out[2], int err[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 &&
         pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 && in[1] > STDERR_FILENO &&
         out[1] > STDERR_FILENO && err[1] > STDERR_FILENO;
}

static bool talk_start(Talk *talk) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  if (talk_make_ends(in, out, err))
    talk->child = process_start(&(ProcessStart){.argv = talk->run->argv,
        .in = in[1],
        .out = out[1],
        .err = talk->run->is_joined ? out[1] : err[1]});
  int problem = errno;
  talk_close(&in[1]), talk_close(&out[1]), talk_close(&err[1]);
  int ends[] = {in[0], out[0], err[0]};
  for (size_t i = 0; i < 3; i++) {
    if (ends[i] >= 0) (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
    talk->ends[i] = ends[i];
  }
  errno = problem;
  return talk->child > 0;
}

static void talk_send(Talk *talk) {
  while (talk->ends[0] >= 0 && talk->sent < talk->run->length) {
    ssize_t sent = send(talk->ends[0], talk->run->input + talk->sent,
        talk->run->length - talk->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (sent < 0) break;
    talk->sent += (size_t)sent;
  }
  talk_close(&talk->ends[0]);
}

/* At most 64 reads at a time, so that the deadline is checked even while a program prints without
 * end. */
static void talk_receive(Talk *talk, size_t stream) {
  static constexpr uint32_t most_reads = 64;
  size_t most = talk->run->most_output == 0 ? usual_output : talk->run->most_output;
  char bytes[4096];
  for (uint32_t i = 0; i < most_reads; i++) {
    ssize_t got = read(talk->ends[1 + stream], bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      talk_close(&talk->ends[1 + stream]);
      return;
    }
    size_t left = most - talk->texts[stream].length,
           taken = (size_t)got < left ? (size_t)got : left;
    text_append(&talk->texts[stream], bytes, taken);
    talk->result->is_cut |= taken < (size_t)got;
  }
}

static bool talk_is_over(const Talk *talk) {
  const ProgramRun *run = talk->run;
  if (run->stop != nullptr && run->stop()) {
    talk->result->end = PROGRAM_STOPPED;
    return true;
  }
  bool is_late =
      clock_wall() - talk->begin >= run->wall_seconds ||
      (run->processor_seconds > 0 && process_seconds(talk->child) >= run->processor_seconds);
  if (is_late) talk->result->end = PROGRAM_LATE;
  return is_late;
}

/* Serves the streams until the child has ended, then reads what is left in the pipes. Does not wait
 * for a grandchild that holds them open. */
static void talk_until_end(Talk *talk) {
  bool has_ended = false;
  while (!has_ended && !talk_is_over(talk)) {
    struct pollfd ends[] = {{.fd = talk->ends[0], .events = POLLOUT},
        {.fd = talk->ends[1], .events = POLLIN}, {.fd = talk->ends[2], .events = POLLIN}};
    bool is_open = talk->ends[0] >= 0 || talk->ends[1] >= 0 || talk->ends[2] >= 0;
    int ready = poll(ends, 3, is_open ? look_milliseconds : 1);
    if (ready > 0 && ends[0].revents != 0) talk_send(talk);
    for (size_t i = 0; i < 2; i++)
      if (ready > 0 && ends[1 + i].revents != 0) talk_receive(talk, i);
    has_ended = process_wait(talk->child, 0, &talk->result->state);
  }
  if (!has_ended) talk->result->state = process_kill(talk->child);
  for (size_t i = 0; i < 2; i++)
    if (talk->ends[1 + i] >= 0) talk_receive(talk, i);
}

/* A program that has ended by itself before it was killed is not stopped. */
static void talk_note_end(ProgramResult *result) {
  if (result->end == PROGRAM_STOPPED && WIFEXITED(result->state)) result->end = PROGRAM_EXITED;
  if (result->end != PROGRAM_EXITED) return;
  if (WIFSIGNALED(result->state)) {
    result->end = PROGRAM_SIGNALED;
    result->code = WTERMSIG(result->state);
    return;
  }
  result->code = WEXITSTATUS(result->state);
}

void program_run(Arena *arena, const ProgramRun *run, ProgramResult *result) {
  assert(run->wall_seconds > 0 && run->wall_seconds <= 86'400);
  *result = (ProgramResult){};
  Talk talk = {.run = run,
      .result = result,
      .ends = {-1, -1, -1},
      .texts = {text_create(arena), text_create(arena)},
      .begin = clock_wall()};
  if (talk_start(&talk)) {
    if (run->length == 0) talk_close(&talk.ends[0]);
    talk_until_end(&talk);
    talk_note_end(result);
  } else {
    result->end = PROGRAM_NOT_STARTED;
    result->code = errno;
  }
  for (size_t i = 0; i < 3; i++) talk_close(&talk.ends[i]);
  result->output = talk.texts[0].bytes, result->output_length = talk.texts[0].length;
  result->errors = talk.texts[1].bytes, result->error_length = talk.texts[1].length;
  result->seconds = clock_wall() - talk.begin;
}
