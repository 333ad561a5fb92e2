/* Identifies the running program by a hash of its file's bytes, and finds what is installed beside
 * it. Data that depends on the program, such as a stored proof or a journal, is filed under the
 * hash. */
#ifndef CORE_BASE_PROGRAM_H
#define CORE_BASE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* 0 if the program's file cannot be read; then nothing may be reused from another run. */
[[nodiscard]] uint64_t program_hash(void);
/* The hash of any file; 0 if it cannot be read. */
[[nodiscard]] uint64_t program_file_hash(const char *path);
/* The directory of the running program's file. False, with an empty path, if /proc does not name
 * the file. */
[[nodiscard]] bool program_directory(size_t capacity, char directory[]);

#endif
