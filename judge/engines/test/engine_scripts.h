/* For tests: engines that are shell scripts, and how long a test waits for them, in
 * milliseconds. */
#ifndef JUDGE_ENGINES_TEST_ENGINE_SCRIPTS_H
#define JUDGE_ENGINES_TEST_ENGINE_SCRIPTS_H

#include <stdint.h>

/* `enough` exceeds the time of everything that ends, even on a busy machine. A test of an endless
 * engine starts with first_limit and doubles it until the engine reaches the point where it
 * hangs. */
static constexpr uint64_t enough = 120'000, first_limit = 25;

/* Answers the first request with the greeting of an engine that simplifies. */
#define GREETING "read -r l; set -- $l; printf \"$1\\tengine\\t1\\tx\\tsimplify\\n\"; "

#endif
