/* Runs files, and the files of directories, through a fuzz target: an ordinary test on the saved
 * inputs, without a fuzzing engine.
 *     replay_NAME PATH...
 *         prints the number of inputs and the peak memory; no input at all is a failure, so that an
 *         empty directory does not pass
 *     replay_NAME --again PATH...
 *         judges a text also if it was judged before: a second round does what the first did
 *     replay_NAME --steady COUNT PATH...
 *         runs COUNT inputs in which some bytes are changed, and prints ten times the number of
 *         executions, the resident memory and the memory in use (the allocator caches the rest;
 *         not known under a sanitizer). Memory that grows is a leak of the target. */
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "fuzz/harness/harness.h"
#include "fuzz/targets/target.h"

static constexpr size_t largest_input = (size_t)1 << 24;

/* With --steady: the inputs, which are read first and kept. */
typedef struct ReplayMainInputs {
  uint32_t count, capacity;
  Source *items;
} ReplayMainInputs;
static ReplayMainInputs *kept_inputs;
static Arena *kept;

static bool run_file(const char *path) {
  Arena *arena = kept_inputs != nullptr ? kept : arena_create();
  Source source;
  Error error = {};
  bool read = file_read(arena, path, largest_input, &source, &error);
  if (!read) error_print(&error, stderr);
  else if (kept_inputs != nullptr) *ARENA_PUSH(kept, kept_inputs) = source;
  else LLVMFuzzerTestOneInput((const uint8_t *)source.text, source.length);
  if (kept_inputs == nullptr) arena_destroy(arena);
  return read;
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool run_directory(const char *path, size_t *count) {
  DIR *directory = opendir(path);
  if (directory == nullptr) return false;
  bool all = true;
  for (struct dirent *entry; (entry = readdir(directory)) != nullptr;) {
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] == '.' || is_directory(file)) continue;
    all &= run_file(file);
    ++*count;
  }
  closedir(directory);
  return all;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return z ^ z >> 29;
}

static long resident_kib(void) {
  char line[256] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (fgets(line, sizeof line, file) == nullptr) line[0] = 0;
  fclose(file);
  const char *second = strchr(line, ' ');
  long pages = second == nullptr ? 0 : strtol(second, nullptr, 10);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static size_t used_kib(void) {
  struct mallinfo2 info = mallinfo2();
  return (info.uordblks + info.hblkhd) / 1024;
}

/* Runs the input with one to eight of its bytes changed. */
static void run_changed(const Source *input, uint8_t *capacity, uint64_t *state) {
  memcpy(capacity, input->text, input->length);
  for (uint64_t left = 1 + next_random(state) % 8; left > 0 && input->length > 0; left--)
    capacity[next_random(state) % input->length] = (uint8_t)next_random(state);
  LLVMFuzzerTestOneInput(capacity, input->length);
}

static void run_steadily(const ReplayMainInputs *inputs, uint64_t count) {
  uint64_t state = 1, ran = 0;
  size_t most = 1;
  for (uint32_t i = 0; i < inputs->count; i++)
    if (inputs->items[i].length > most) most = inputs->items[i].length;
  uint8_t *capacity = ARENA_NEW(kept, uint8_t, most);
  for (uint64_t shown = 1; shown <= 10; shown++) {
    for (; ran < count / 10 * shown; ran++)
      run_changed(&inputs->items[next_random(&state) % inputs->count], capacity, &state);
    printf("%10llu executions %8ld KiB, %8zu in use\n", (unsigned long long)ran, resident_kib(),
        used_kib());
    fflush(stdout);
  }
}

static bool run_paths(int count, char **paths, size_t *ran) {
  bool all = true;
  for (int i = 0; i < count; i++) {
    bool directory = is_directory(paths[i]);
    all &= directory ? run_directory(paths[i], ran) : run_file(paths[i]);
    *ran += !directory;
  }
  return all;
}

int main(int argc, char **argv) {
  size_t count = 0;
  ReplayMainInputs inputs = {};
  bool steady = argc > 3 && strcmp(argv[1], "--steady") == 0;
  bool again = argc > 2 && strcmp(argv[1], "--again") == 0;
  int first = steady ? 3 : again ? 2 : 1;
  if (again) harness_forget_texts();
  if (steady) kept_inputs = &inputs, kept = arena_create();
  bool all = run_paths(argc - first, argv + first, &count);
  if (steady && all && inputs.count > 0) run_steadily(&inputs, strtoull(argv[2], nullptr, 10));
  if (steady) arena_destroy(kept);
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu inputs %s, peak %ld KiB\n", count, steady ? "read" : "ran", usage.ru_maxrss);
  return count == 0 || !all ? 3 : 0;
}
