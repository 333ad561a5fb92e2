/* The affirm command: looks the subcommand up in a table and passes the remaining arguments to
 * it. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/freed_memory.h"
#include "core/base/nearest.h"

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) && \
    !__has_feature(thread_sanitizer)
/* A failed allocation ends the program with STATUS_BAD, whether Z3, another library or affirm made
 * it. Most callers would otherwise use a null pointer. */
[[noreturn]] static void end_without_memory(void) {
  static const char words[] = "affirm: out of memory\n";
  static _Atomic bool is_ending;
  if (!is_ending && ftrylockfile(stdout) == 0) {
    is_ending = true;
    (void)fflush(stdout);
  }
  (void)!write(STDERR_FILENO, words, sizeof words - 1);
  _exit(STATUS_BAD);
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *allocated(void *block) {
  if (block == nullptr) end_without_memory();
  return block;
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size)); }

/* realloc to size 0 frees the block, and its result is null. */
void *realloc(void *block, size_t size) {
  void *larger = __libc_realloc(block, size);
  if (larger == nullptr && size > 0) end_without_memory();
  return larger;
}

void *memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return 0;
}
#endif

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
#define COMMAND(name, function, help) {name, function, help},
#include "cli/commands.def"
#undef COMMAND
};
static constexpr size_t command_count = sizeof commands / sizeof *commands;

static void print_help(FILE *stream) {
  fprintf(stream, "affirm proves or refutes statements about HLO indexing maps.\n\n"
                  "  affirm COMMAND [OPTION]... [FILE]...      affirm help COMMAND says more\n\n");
  for (size_t i = 0; i < command_count; i++)
    fprintf(stream, "  %-12s %s\n", commands[i].name, commands[i].help);
  fprintf(stream, "\n  --version    the version\n  --help       this text\n\nExit status: %s",
      help_statuses);
}

/* The first argument is an option instead of a command. */
static int reject_option(const char *word) {
  Nearest nearest = nearest_begin(word, strlen(word));
  nearest_try(&nearest, "--help");
  nearest_try(&nearest, "--version");
  if (nearest.found != nullptr)
    return session_usage("no option %s; did you mean %s?", word, nearest.found);
  return session_usage("no option %s before a command; affirm --help lists the commands", word);
}

static int reject_command(const char *name) {
  if (name[0] == '-') return reject_option(name);
  Nearest nearest = nearest_begin(name, strlen(name));
  for (size_t i = 0; i < command_count; i++) nearest_try(&nearest, commands[i].name);
  if (nearest.found != nullptr)
    return session_usage("no command '%s'; did you mean %s?", name, nearest.found);
  return session_usage("no command '%s'; affirm --help lists them", name);
}

static int command_run(const char *name, int argc, char **argv) {
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(name, commands[i].name) == 0) return commands[i].run(argc, argv);
  return reject_command(name);
}

static bool is_one_of(const char *word, int count, const char *const names[]) {
  for (int i = 0; i < count; i++)
    if (strcmp(word, names[i]) == 0) return true;
  return false;
}

static int affirm_main_run(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return STATUS_BAD;
  }
  if (is_one_of(argv[1], 3, (const char *const[]){"--help", "-h", "help"})) {
    if (argc == 3) return command_run(argv[2], 2, (char *[]){argv[2], "--help", nullptr});
    if (argc > 3)
      return session_end(session_usage("%s is of one command, and '%s' follows", argv[1], argv[3]));
    print_help(stdout);
    return session_end(STATUS_PROVED);
  }
  if (is_one_of(argv[1], 3, (const char *const[]){"--version", "-V", "version"})) {
    if (argc > 2) return session_end(session_usage("%s takes no word, not '%s'", argv[1], argv[2]));
    printf("affirm %s\n", AFFIRM_VERSION);
    return session_end(STATUS_PROVED);
  }
  session_catch_signals();
  session_at("the start of %s", argv[1]);
  return command_run(argv[1], argc - 1, argv + 1);
}

typedef struct AffirmMainWork {
  int argc, status;
  char **argv;
} AffirmMainWork;

static void *command_work(void *owner) {
  AffirmMainWork *whole = owner;
  whole->status = affirm_main_run(whole->argc, whole->argv);
  return nullptr;
}

/* Runs the command on a large stack, so that expressions of maximal depth fit whatever the user's
 * stack limit is. SIGINT, SIGTERM and SIGHUP are delivered to the working thread. */
static bool work_on_a_large_stack(AffirmMainWork *whole) {
  static constexpr size_t megabyte = (size_t)1 << 20;
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t ends, before;
  bool is_started = false;
  if (pthread_attr_init(&attributes) != 0) return false;
  for (size_t size = 256; size >= 16 && !is_started; size /= 4)
    is_started = pthread_attr_setstacksize(&attributes, size * megabyte) == 0 &&
                 pthread_create(&thread, &attributes, command_work, whole) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_started) return false;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ends, &before);
  pthread_join(thread, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return true;
}

/* Occupies the number of a standard stream that was closed, with a file on which every access fails
 * with EBADF. Otherwise a file that affirm opens would get that number, and child programs would
 * inherit it as their standard stream. */
static void hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) < 0 &&
        open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
      _exit(STATUS_BAD);
}

/* Exceeding `ulimit -f` is a write error, as on a full disk, and not a fatal signal. */
int main(int argc, char **argv) {
  hold_streams();
  freed_memory_keep();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  AffirmMainWork whole = {.argc = argc, .argv = argv};
  return work_on_a_large_stack(&whole) ? whole.status : affirm_main_run(argc, argv);
}
