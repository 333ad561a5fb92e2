/* Runs mutated real files through every command that reads files, in child processes. One child
 * runs many inputs in sequence, so an input costs only the command and not the start of a program.
 * A child that does not exit by itself, a status above 3, and exceeding an input's limit on
 * processor time or memory are faults. A fault is kept with its command if it happens again in a
 * child of its own.
 *     hostile [-s SEED] [-n COUNT] [-t SECONDS] [-m MEGABYTES] [-o DIRECTORY] [-c COMMAND] FILE...
 * The kind of a file is its extension: .hlo, .rules, .case, .txt (a map a line), .pairs, .triples,
 * .journal, .sqlite, .report. */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ci/hard/mutate_text.h"
#include "cli/commands.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/process.h"

static constexpr size_t largest_input = (size_t)1 << 20;
static constexpr uint32_t batch = 400, most_words = 11, status_count = 4;

/* @ is the mutated file, % the original file, ^ a directory with both as steps of a compilation, ~
 * a scratch file. A command is run for one in `seldom` inputs; those that take ten times as long
 * have a larger `seldom`. */
typedef struct HostileCommand {
  const char *ending, *words[most_words];
  uint32_t seldom;
} HostileCommand;

static const HostileCommand commands[] = {
    {"hlo", {"map", "@"}, 1},
    {"hlo", {"map", "--all", "--json", "@"}, 1},
    {"hlo", {"map", "--producers", "@"}, 1},
    {"hlo", {"map", "--threads", "128,4", "@"}, 1},
    {"hlo", {"map", "--devices", "2,2", "--raw", "@"}, 1},
    {"hlo", {"check", "--quiet", "@"}, 20},
    {"hlo", {"check", "--all", "--json", "--junit", "~", "@"}, 20},
    {"hlo", {"check", "--all", "--exact", "--sarif", "~", "@"}, 20},
    {"hlo", {"equiv", "@", "%"}, 1},
    {"hlo", {"equiv", "--json", "%", "@"}, 1},
    {"hlo", {"equiv", "--reads", "@", "%"}, 20},
    {"hlo", {"hazard", "@"}, 1},
    {"hlo", {"use", "--all", "@"}, 20},
    {"hlo", {"emit", "--form", "isl", "@"}, 1},
    {"hlo", {"emit", "--form", "smt2", "@"}, 1},
    {"hlo", {"emit", "--form", "affine", "@"}, 20},
    {"hlo", {"report", "--page", "~", "@"}, 20},
    {"hlo", {"score", "--enumerate", "@"}, 1},
    {"hlo", {"watch", "--jobs", "1", "--seconds", "2", "^"}, 10},
    {"hlo", {"reduce", "--seconds", "1", "--trials", "30", "--output", "~", "@"}, 20},
    {"txt", {"simplify", "--prove", "@"}, 1},
    {"txt", {"simplify", "@"}, 1},
    {"txt", {"check", "--json", "@"}, 1},
    {"txt", {"score", "--enumerate", "@"}, 1},
    {"txt", {"reduce", "--seconds", "1", "--trials", "30", "--output", "~", "@"}, 20},
    {"pairs", {"audit", "--pairs", "@"}, 1},
    {"triples", {"audit", "--compose", "@"}, 1},
    {"rules", {"prove", "--no-store", "--rlimit", "200000", "@"}, 400},
    {"rules", {"prove", "--no-store", "--rlimit", "200000", "--json", "--certificate", "~", "@"},
        400},
    {"rules", {"prove", "--order", "@"}, 1},
    {"rules",
        {"simplify", "--rules", "@",
            "(d0, d1) -> ((d0 * 8 + d1) floordiv 8, d1 mod 4), domain: d0 in [0, 9], d1 in [0, 7]"},
        1},
    {"case", {"check", "@"}, 10},
    {"case", {"audit", "@"}, 1},
    {"case", {"score", "--enumerate", "@"}, 10},
    {"case", {"reduce", "--seconds", "1", "--trials", "30", "--output", "~", "@"}, 20},
    {"journal", {"merge", "@"}, 1},
    {"journal",
        {"exhaust", "--scope", "reverse", "--cases", "1", "--jobs", "1", "--journal", "@",
            "--resume"},
        1},
    {"sqlite", {"prove", "--store", "@", "%.rules"}, 10},
    {"report", {"reduce", "--seconds", "1", "--trials", "30", "--output", "~", "@"}, 20},
};
static constexpr size_t command_count = sizeof commands / sizeof *commands;

typedef struct HostileFile {
  const char *path, *ending, *bytes;
  size_t length;
} HostileFile;

/* Shared by parent and child: the current input, and how the finished ones ended. */
typedef struct HostileShared {
  _Atomic uint64_t at, ended[status_count], runs[command_count], microseconds[command_count];
  _Atomic int status; /* of the last input: above 3 is a fault */
} HostileShared;

typedef struct Hostile {
  Arena *arena;
  uint64_t seed, count, megabytes;
  double seconds;
  const char *kept, *only, *directory;
  HostileFile *files;
  uint32_t file_count;
  bool has_file[command_count];
  HostileShared *shared;
  uint64_t from, until; /* of the child */
  uint64_t faults, repeated, limits;
} Hostile;

/* ---- one input ---- */

typedef struct HostileInput {
  const HostileFile *file;
  const HostileCommand *command;
  TextMutation text;
} HostileInput;

static bool takes_ending(
    const Hostile *hostile, const HostileCommand *command, const char *ending) {
  return strcmp(command->ending, ending) == 0 &&
         (hostile->only == nullptr || strcmp(hostile->only, command->words[0]) == 0);
}

static bool is_sampled(const Hostile *hostile, TextMutation *text, const HostileCommand *command) {
  return hostile->has_file[command - commands] && text_mutate_draw(text, command->seldom) == 0;
}

static void make_input(const Hostile *hostile, uint64_t number, HostileInput *input) {
  static char bytes[largest_input];
  input->text = (TextMutation){.state = hostile->seed * UINT64_C(0x2545f4914f6cdd1d) + number,
      .bytes = bytes,
      .capacity = largest_input};
  do input->command = &commands[text_mutate_draw(&input->text, command_count)];
  while (!is_sampled(hostile, &input->text, input->command));
  do input->file = &hostile->files[text_mutate_draw(&input->text, hostile->file_count)];
  while (!takes_ending(hostile, input->command, input->file->ending));
  const HostileFile *other = &hostile->files[text_mutate_draw(&input->text, hostile->file_count)];
  input->text.other = other->bytes;
  input->text.other_length = other->length;
  input->text.length = input->file->length;
  memcpy(bytes, input->file->bytes, input->file->length);
  text_mutate(&input->text);
}

static bool write_plainly(const char *path, const char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  bool written = file != nullptr && fwrite(bytes, 1, length, file) == length;
  return file != nullptr && fclose(file) == 0 && written;
}

/* The command's argument; creates the files that it names. */
static char *hostile_word(
    const Hostile *hostile, Arena *arena, const HostileInput *input, const char *word) {
  const char *directory = hostile->directory;
  char *path = arena_printf(arena, "%s/input.%s", directory, input->file->ending);
  bool made = true;
  if (strcmp(word, "@") == 0) made = write_plainly(path, input->text.bytes, input->text.length);
  else if (strcmp(word, "%") == 0)
    return arena_text(arena, input->file->path, strlen(input->file->path));
  else if (strcmp(word, "%.rules") == 0) return arena_printf(arena, "%s.rules", input->file->path);
  else if (strcmp(word, "~") == 0) path = arena_printf(arena, "%s/output", directory);
  else if (strcmp(word, "^") == 0) {
    path = arena_printf(arena, "%s/dump", directory);
    (void)mkdir(path, 0777);
    made = write_plainly(arena_printf(arena, "%s/m.0001.a.hlo", path), input->file->bytes,
               input->file->length) &&
           write_plainly(
               arena_printf(arena, "%s/m.0002.b.hlo", path), input->text.bytes, input->text.length);
  } else return arena_text(arena, word, strlen(word));
  if (!made) perror(path);
  return path;
}

static int run_command(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {
#define COMMAND(name, function, help) {name, function},
#include "cli/commands.def"
#undef COMMAND
  };
  assert(argc > 0 && argv[0] != nullptr);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, argv[0]) == 0) return table[i].run(argc, argv);
  return -1;
}

static int run_input(const Hostile *hostile, uint64_t number) {
  HostileInput input;
  Arena *arena = arena_create();
  char *argv[most_words + 1] = {};
  int argc = 0;
  make_input(hostile, number, &input);
  while (argc < (int)most_words && input.command->words[argc] != nullptr) {
    argv[argc] = hostile_word(hostile, arena, &input, input.command->words[argc]);
    argc++;
  }
  ptrdiff_t row = input.command - commands;
  double start = clock_processor();
  int status = run_command(argc, argv);
  atomic_fetch_add(&hostile->shared->runs[row], 1);
  atomic_fetch_add(
      &hostile->shared->microseconds[row], (uint64_t)((clock_processor() - start) * 1e6));
  arena_destroy(arena);
  return status;
}

/* ---- the child ---- */

static void *run_inputs(void *state) {
  const Hostile *hostile = state;
  for (uint64_t i = hostile->from; i < hostile->until; i++) {
    atomic_store(&hostile->shared->at, i);
    if (ftruncate(STDERR_FILENO, 0) != 0) return nullptr;
    lseek(STDERR_FILENO, 0, SEEK_SET);
    int status = run_input(hostile, i);
    atomic_store(&hostile->shared->status, status);
    if (status < 0 || status >= (int)status_count) return nullptr;
    atomic_fetch_add(&hostile->shared->ended[status], 1);
  }
  atomic_store(&hostile->shared->at, hostile->until);
  return nullptr;
}

/* Like affirm_main; otherwise freeing and allocating pages for each input takes a third of the
 * time. All threads use one heap, because only that heap keeps its pages. */
static void hostile_keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

/* Runs on a stack as large as affirm's own. */
static int serve(void *state) {
  pthread_attr_t attributes;
  pthread_t thread;
  signal(SIGPIPE, SIG_IGN);
  hostile_keep_memory();
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstacksize(&attributes, (size_t)256 << 20) != 0 ||
      pthread_create(&thread, &attributes, run_inputs, state) != 0)
    return 125;
  pthread_join(thread, nullptr);
  fflush(stdout);
  _exit(0);
}

typedef enum HostileEnd : uint8_t {
  HOSTILE_DONE,
  HOSTILE_LIMIT,
  HOSTILE_ENDED,
  HOSTILE_LONG,
  HOSTILE_LARGE,
  HOSTILE_STATUS
} HostileEnd;
static const char *const end_words[] = {
    "done", "no memory, and said so", "ended", "too long", "too large", "a status past 3"};

static bool log_contains(const char *path, const char *words) {
  char text[65536];
  FILE *file = fopen(path, "rb");
  size_t length = file == nullptr ? 0 : fread(text, 1, sizeof text - 1, file);
  if (file != nullptr) fclose(file);
  text[length] = 0;
  return strstr(text, words) != nullptr;
}

/* Runs inputs [from, until) in one child; if it stops early, `*at` is the current input. */
static HostileEnd run_child(Hostile *hostile, uint64_t from, uint64_t until, uint64_t *at) {
  char *log = arena_printf(hostile->arena, "%s/log", hostile->directory);
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC),
      errors = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), state = 0;
  hostile->from = from, hostile->until = until;
  atomic_store(&hostile->shared->at, from);
  atomic_store(&hostile->shared->status, 0);
  pid_t child = process_start(
      &(ProcessStart){.body = serve, .state = hostile, .in = -1, .out = null, .err = errors});
  close(null), close(errors);
  double used_before = 0;
  HostileEnd end = HOSTILE_DONE;
  *at = from;
  while (end == HOSTILE_DONE && !process_wait(child, 0.05, &state)) {
    uint64_t now = atomic_load(&hostile->shared->at);
    double used = process_seconds(child);
    if (now != *at) *at = now, used_before = used;
    if (used - used_before > hostile->seconds) end = HOSTILE_LONG;
    if (process_memory(child) >> 20 > hostile->megabytes) end = HOSTILE_LARGE;
  }
  if (end != HOSTILE_DONE) {
    (void)process_kill(child);
    return end;
  }
  *at = atomic_load(&hostile->shared->at);
  int status = atomic_load(&hostile->shared->status);
  if (status < 0 || status >= (int)status_count) return HOSTILE_STATUS;
  if (*at == until) return HOSTILE_DONE;
  return WIFEXITED(state) && WEXITSTATUS(state) == 3 && log_contains(log, "out of memory")
             ? HOSTILE_LIMIT
             : HOSTILE_ENDED;
}

/* ---- faults ---- */

static void print_command(const Hostile *hostile, const HostileInput *input, FILE *file) {
  (void)hostile;
  for (uint32_t i = 0; i < most_words && input->command->words[i] != nullptr; i++)
    fprintf(file, " %s", input->command->words[i]);
  fprintf(file, "   (a mutation of %s)\n", input->file->path);
}

/* Repeats the input alone; keeps the input, its command and the output. */
static void hostile_fault(Hostile *hostile, HostileEnd end, uint64_t number) {
  HostileInput input;
  uint64_t at;
  HostileEnd again = run_child(hostile, number, number + 1, &at);
  bool is_limit = end == HOSTILE_LONG || end == HOSTILE_LARGE;
  if (is_limit && again == HOSTILE_DONE) return;
  make_input(hostile, number, &input);
  hostile->faults++;
  hostile->repeated += again != HOSTILE_DONE;
  char *name = arena_printf(hostile->arena, "%s/%llu-%llu", hostile->kept,
      (unsigned long long)hostile->seed, (unsigned long long)number);
  (void)write_plainly(arena_printf(hostile->arena, "%s.%s", name, input.file->ending),
      input.text.bytes, input.text.length);
  char log[65536];
  FILE *file = fopen(arena_printf(hostile->arena, "%s/log", hostile->directory), "rb");
  size_t length = file == nullptr ? 0 : fread(log, 1, sizeof log, file);
  if (file != nullptr) fclose(file);
  (void)write_plainly(arena_printf(hostile->arena, "%s.log", name), log, length);
  printf("FAULT: input %llu %s%s:", (unsigned long long)number, end_words[end],
      again == HOSTILE_DONE ? ", not when alone" : "");
  print_command(hostile, &input, stdout);
  fflush(stdout);
}

static void hostile_run(Hostile *hostile) {
  for (uint64_t next = 0; next < hostile->count;) {
    uint64_t at, until = next + batch < hostile->count ? next + batch : hostile->count;
    HostileEnd end = run_child(hostile, next, until, &at);
    next = end == HOSTILE_DONE ? until : at + 1;
    if (end == HOSTILE_LIMIT) hostile->limits++;
    else if (end != HOSTILE_DONE) hostile_fault(hostile, end, at);
  }
}

/* --- all inputs --- */

static void add_file(Hostile *hostile, const char *path) {
  Source source;
  Error error = {};
  const char *dot = strrchr(path, '.');
  bool is_known = false;
  for (size_t i = 0; i < command_count && dot != nullptr; i++)
    is_known |= takes_ending(hostile, &commands[i], dot + 1);
  if (!is_known) return;
  if (!file_read(hostile->arena, path, largest_input / 2, &source, &error)) {
    fprintf(stderr, "%s: left out: %s\n", path, error.message);
    return;
  }
  for (size_t i = 0; i < command_count; i++)
    hostile->has_file[i] |= takes_ending(hostile, &commands[i], dot + 1);
  hostile->files[hostile->file_count++] =
      (HostileFile){.path = path, .ending = dot + 1, .bytes = source.text, .length = source.length};
}

static void hostile_usage(void) {
  fprintf(stderr,
      "hostile [-s SEED] [-n COUNT] [-t SECONDS] [-m MEGABYTES] [-o DIRECTORY] [-c COMMAND] FILE...\n");
  exit(3);
}

static void read_options(Hostile *hostile, int argc, char **argv) {
  for (int option; (option = getopt(argc, argv, "s:n:t:m:o:c:")) >= 0;) {
    if (option == 's') hostile->seed = strtoull(optarg, nullptr, 10);
    else if (option == 'n') hostile->count = strtoull(optarg, nullptr, 10);
    else if (option == 't') hostile->seconds = strtod(optarg, nullptr);
    else if (option == 'm') hostile->megabytes = strtoull(optarg, nullptr, 10);
    else if (option == 'o') hostile->kept = optarg;
    else if (option == 'c') hostile->only = optarg;
    else hostile_usage();
  }
}

/* Prints the share of each command. */
static void print_commands(const Hostile *hostile) {
  for (size_t i = 0; i < command_count; i++) {
    uint64_t runs = hostile->shared->runs[i];
    if (runs == 0) continue;
    printf("%9llu in %9.1f s:", (unsigned long long)runs,
        (double)hostile->shared->microseconds[i] / 1e6);
    for (uint32_t k = 0; k < most_words && commands[i].words[k] != nullptr; k++)
      printf(" %s", commands[i].words[k]);
    printf("   of .%s\n", commands[i].ending);
  }
}

int main(int argc, char **argv) {
  Hostile hostile = {.arena = arena_create(),
      .seed = 1,
      .count = 1000,
      .seconds = 10,
      .megabytes = 1024,
      .kept = "."};
  char directory[512];
  read_options(&hostile, argc, argv);
  hostile.files = ARENA_NEW(hostile.arena, HostileFile, (size_t)argc);
  for (int i = optind; i < argc; i++) add_file(&hostile, argv[i]);
  if (hostile.file_count == 0) hostile_usage();
  file_scratch(sizeof directory, directory, "hostile");
  hostile.directory = mkdtemp(directory);
  hostile.shared = mmap(
      nullptr, sizeof *hostile.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (hostile.directory == nullptr || hostile.shared == MAP_FAILED) return 3;
  (void)mkdir(hostile.kept, 0777);
  hostile_run(&hostile);
  printf(
      "%llu inputs of %u files, status 0 %llu, 1 %llu, 2 %llu, 3 %llu, out of memory %llu; faults %llu, of them %llu again when alone\n",
      (unsigned long long)hostile.count, hostile.file_count,
      (unsigned long long)hostile.shared->ended[0], (unsigned long long)hostile.shared->ended[1],
      (unsigned long long)hostile.shared->ended[2], (unsigned long long)hostile.shared->ended[3],
      (unsigned long long)hostile.limits, (unsigned long long)hostile.faults,
      (unsigned long long)hostile.repeated);
  print_commands(&hostile);
  char *argv_clean[] = {"rm", "-rf", directory, nullptr};
  int state;
  pid_t clean = process_start(&(ProcessStart){.argv = argv_clean, .in = -1, .out = -1, .err = -1});
  if (clean > 0) (void)process_wait(clean, 10, &state);
  return hostile.faults == 0 ? 0 : 1;
}
