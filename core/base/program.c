/* Finds the program's file through /proc or, if /proc is not mounted, through the auxiliary vector.
 * Files are hashed by words because a program is large; the last bytes are hashed one by one. */
#include "core/base/program.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"

static uint64_t hash_bytes(const char *bytes, size_t length) {
  uint64_t hash = checksum_start, word;
  size_t at = 0;
  for (; at + sizeof word <= length; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    hash = hash_mix(hash, word);
  }
  hash = checksum_bytes(hash, bytes + at, length - at);
  return hash == 0 ? 1 : hash;
}

uint64_t program_file_hash(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat state;
  uint64_t hash = 0;
  if (fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0) {
    void *bytes = mmap(nullptr, (size_t)state.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      hash = hash_bytes(bytes, (size_t)state.st_size);
      munmap(bytes, (size_t)state.st_size);
    }
  }
  close(file);
  return hash;
}

/* Computed once, because the file has megabytes. */
uint64_t program_hash(void) {
  static _Atomic uint64_t known;
  uint64_t hash = atomic_load(&known);
  const char *name = (const char *)getauxval(AT_EXECFN);
  if (hash == 0) hash = program_file_hash("/proc/self/exe");
  if (hash == 0 && name != nullptr) hash = program_file_hash(name);
  atomic_store(&known, hash);
  return hash;
}

bool program_directory(size_t capacity, char directory[]) {
  ssize_t length = readlink("/proc/self/exe", directory, capacity - 1);
  directory[length < 0 ? 0 : length] = 0;
  char *slash = strrchr(directory, '/');
  if (slash == nullptr) directory[0] = 0;
  else *slash = 0;
  return slash != nullptr;
}
