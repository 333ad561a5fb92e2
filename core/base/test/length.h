/* How long a repeating test is. With a sanitizer, and in the release build of the ordinary ci/test,
 * it repeats less (AFFIRM_FEW), and least with a sanitizer in the ordinary ci/test (AFFIRM_BRIEF,
 * which comes with AFFIRM_FEW). */
#ifndef CORE_BASE_TEST_LENGTH_H
#define CORE_BASE_TEST_LENGTH_H

#include <stdint.h>
#include <stdlib.h>

[[maybe_unused]] static bool test_is_brief(void) { return getenv("AFFIRM_BRIEF") != nullptr; }

[[maybe_unused]] static uint32_t test_length(uint32_t whole, uint32_t few, uint32_t brief) {
  return getenv("AFFIRM_FEW") == nullptr ? whole : test_is_brief() ? brief : few;
}

#endif
