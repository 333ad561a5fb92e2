/* How long a repeating test is. With a sanitizer (AFFIRM_FEW) it repeats less, and least in the
 * ordinary run of ci/test (AFFIRM_BRIEF, which comes with AFFIRM_FEW). The release build always
 * repeats in full. */
#ifndef CORE_BASE_TEST_LENGTH_H
#define CORE_BASE_TEST_LENGTH_H

#include <stdint.h>
#include <stdlib.h>

[[maybe_unused]] static bool test_is_brief(void) { return getenv("AFFIRM_BRIEF") != nullptr; }

[[maybe_unused]] static uint32_t test_length(uint32_t whole, uint32_t few, uint32_t brief) {
  return getenv("AFFIRM_FEW") == nullptr ? whole : test_is_brief() ? brief : few;
}

#endif
