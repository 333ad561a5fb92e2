/* Runs files, and the files of folders, through a fuzz target: the saved inputs as an ordinary test, without a fuzzing engine.
 * Prints how many ran, and the most memory that they took; none at all is a failure, so that an empty folder does not pass for a test. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "fuzz/target.h"

static constexpr size_t largest_input = (size_t)1 << 24;

static bool run_file(const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  bool read = file_read(arena, path, largest_input, &source, &error);
  if (read)
    LLVMFuzzerTestOneInput((const uint8_t *)source.text, source.length);
  else
    error_print(&error, stderr);
  arena_destroy(arena);
  return read;
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool run_folder(const char *path, size_t *count) {
  DIR *folder = opendir(path);
  if (folder == nullptr) return false;
  bool all = true;
  for (struct dirent *entry; (entry = readdir(folder)) != nullptr;) {
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] == '.' || is_directory(file)) continue;
    all &= run_file(file);
    ++*count;
  }
  closedir(folder);
  return all;
}

int main(int argc, char **argv) {
  size_t count = 0;
  bool all = true;
  for (int i = 1; i < argc; i++) {
    bool folder = is_directory(argv[i]);
    all &= folder ? run_folder(argv[i], &count) : run_file(argv[i]);
    count += !folder;
  }
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu inputs ran, peak %ld KiB\n", count, usage.ru_maxrss);
  return count == 0 || !all ? 3 : 0;
}
