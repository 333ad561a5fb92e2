/* Identifies the running program by a hash of its file's bytes. Data that depends on the program,
 * such as a stored proof or a journal, is filed under this number. */
#ifndef CORE_BASE_PROGRAM_H
#define CORE_BASE_PROGRAM_H

#include <stdint.h>

/* 0 if the program's file cannot be read; then nothing may be reused from another run. */
[[nodiscard]] uint64_t program_hash(void);
/* The hash of any file; 0 if it cannot be read. */
[[nodiscard]] uint64_t program_file_hash(const char *path);

#endif
