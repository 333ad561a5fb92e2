/* The limit of Z3's memory: 4096 MB, or three fifths of the process limit if that is less. It is a
 * parameter of the whole process, also of other users of the same Z3, so it is set once, before
 * the first context, and not changed afterwards. Z3 does not guard it against a second thread. */
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <threads.h>

#include "smt/solver/z3_context.h"

static void set_memory_limit(void) {
  static constexpr uint64_t megabyte = (uint64_t)1 << 20;
  uint64_t most = 4'096;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur / 5 * 3 / megabyte < most)
    most = limit.rlim_cur / 5 * 3 / megabyte;
  char number[24];
  snprintf(number, sizeof number, "%u", (unsigned)most);
  Z3_global_param_set("memory_max_size", number);
}

void z3_limit_memory(void) {
  static once_flag is_set = ONCE_FLAG_INIT;
  call_once(&is_set, set_memory_limit);
}
