/* What another process uses: processor time of all its threads, and memory that is resident. Zero
 * where it cannot be read, as of a process that is gone. */
#ifndef CORE_BASE_PROCESS_H
#define CORE_BASE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

[[nodiscard]] double process_seconds(pid_t process);
[[nodiscard]] uint64_t process_memory(pid_t process);

#endif
