/* For tests alone: engines that are shell scripts, and how long a test waits for them, in
 * milliseconds. */
#ifndef JUDGE_TEST_ENGINE_SCRIPTS_H
#define JUDGE_TEST_ENGINE_SCRIPTS_H

#include <stdint.h>

/* Longer than anything takes that ends, also on a busy machine. A test of what never ends begins
 * with the first limit and doubles it until the engine reaches the place where it hangs. */
static constexpr uint64_t enough = 120'000, first_limit = 25;

/* Answers the first request, as an engine that simplifies. */
#define GREETING "read -r l; set -- $l; printf \"$1\\tengine\\t1\\tx\\tsimplify\\n\"; "

#endif
