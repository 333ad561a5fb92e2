/* Which program runs: a hash over the bytes of its file. What depends on the program, such as a
 * stored proof or a journal, is filed under this number. */
#ifndef CORE_BASE_PROGRAM_H
#define CORE_BASE_PROGRAM_H

#include <stdint.h>

/* 0 where the program's file cannot be read: then nothing may be taken over from another run. */
[[nodiscard]] uint64_t program_hash(void);
/* Of any file; 0 where it cannot be read. */
[[nodiscard]] uint64_t program_file_hash(const char *path);

#endif
