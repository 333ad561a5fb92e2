/* Queries to the system: hashes of programs and files, the memory of a process, names of scratch
 * files. The checksum has the published values of FNV-1a. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/program.h"

static void the_checksum_is_fnv_1a(void **) {
  static const struct {
    const char *bytes;
    uint64_t sum;
  } rows[] = {{"", UINT64_C(0xcbf29ce484222325)}, {"a", UINT64_C(0xaf63dc4c8601ec8c)},
      {"b", UINT64_C(0xaf63df4c8601f1a5)}, {"fo", UINT64_C(0x08985907b541d342)},
      {"foobar", UINT64_C(0x85944171f73967e8)}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].bytes), first = length / 2;
    assert_true(checksum_bytes(checksum_start, rows[i].bytes, length) == rows[i].sum);
    uint64_t part = checksum_bytes(checksum_start, rows[i].bytes, first);
    assert_true(checksum_bytes(part, rows[i].bytes + first, length - first) == rows[i].sum);
  }
  assert_true(checksum_bytes(checksum_start, "\xff", 1) == checksum_add(checksum_start, 0xff));
}

/* Eight bytes are mixed as one word; what is left over is added byte by byte. */
static uint64_t defined_hash(const unsigned char *bytes, size_t length) {
  uint64_t hash = checksum_start, word;
  for (; length >= 8; bytes += 8, length -= 8) {
    memcpy(&word, bytes, 8);
    hash = hash_mix(hash, word);
  }
  for (size_t i = 0; i < length; i++) hash = checksum_add(hash, bytes[i]);
  return hash;
}

static void the_hash_of_a_file_is_that_of_its_bytes(void **) {
  char path[300];
  unsigned char bytes[40];
  Error error = {};
  file_scratch(sizeof path, path, "program");
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_true(program_file_hash(path) == 0); /* a file without bytes */
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(37 * i + 200);
  for (size_t length = 1; length <= sizeof bytes; length++) {
    assert_true(file_write(path, (const char *)bytes, length, &error));
    assert_true(program_file_hash(path) == defined_hash(bytes, length));
  }
  unlink(path);
  assert_true(program_file_hash(path) == 0);
  assert_true(program_file_hash("/") == 0);
  assert_true(program_file_hash("/dev/null") == 0);
  uint64_t own = program_hash();
  assert_true(own != 0 && own == program_hash() && own == program_file_hash("/proc/self/exe"));
}

static void the_memory_of_a_process_is_what_is_resident(void **) {
  static constexpr size_t bytes = (size_t)32 << 20;
  uint64_t before = process_memory(getpid());
  assert_in_range(before, 1 << 16, UINT64_C(1) << 40);
  void *block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(block != MAP_FAILED);
  memset(block, 1, bytes);
  uint64_t after = process_memory(getpid());
  munmap(block, bytes);
  assert_true(after >= before + bytes / 2 && after <= before + 4 * bytes);
  assert_true(process_memory(-1) == 0);
}

static void scratch_files_are_where_the_user_says(void **) {
  static const struct {
    const char *directory, *path;
  } rows[] = {{nullptr, P_tmpdir "/affirm-a-XXXXXX"}, {"", P_tmpdir "/affirm-a-XXXXXX"},
      {"/elsewhere", "/elsewhere/affirm-a-XXXXXX"}, {".", "./affirm-a-XXXXXX"}};
  const char *own = getenv("TMPDIR");
  char kept[512] = "", path[64];
  if (own != nullptr) snprintf(kept, sizeof kept, "%s", own);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].directory == nullptr) unsetenv("TMPDIR");
    else setenv("TMPDIR", rows[i].directory, 1);
    file_scratch(sizeof path, path, "a");
    assert_string_equal(path, rows[i].path);
    file_scratch(9, path, "a");
    assert_int_equal(strlen(path), 8);
    assert_memory_equal(path, rows[i].path, 8);
  }
  if (own != nullptr) setenv("TMPDIR", kept, 1);
  else unsetenv("TMPDIR");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_checksum_is_fnv_1a),
      cmocka_unit_test(the_hash_of_a_file_is_that_of_its_bytes),
      cmocka_unit_test(the_memory_of_a_process_is_what_is_resident),
      cmocka_unit_test(scratch_files_are_where_the_user_says),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
