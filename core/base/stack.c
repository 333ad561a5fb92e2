/* The lower end of a thread's stack is looked up once. The size of a level was measured with maps
 * and modules of the greatest depth on ever smaller stacks: 256 to 512 bytes in simplifying,
 * enumerating and proving. Instrumented frames were not measured: the tests of depth pass with the
 * same number and a larger reserve. */
#define _GNU_SOURCE
#include "core/base/stack.h"

#include <stddef.h>

#if defined(__linux__)
#include <pthread.h>
#endif

static constexpr size_t level_bytes = 640;
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
static constexpr size_t kept_bytes = 256 << 10;
#else
static constexpr size_t kept_bytes = 48 << 10;
#endif
static constexpr size_t unknown = 1;

static thread_local uintptr_t lower_end; /* 0: not looked up yet */

static uintptr_t find_lower_end(void) {
  uintptr_t found = unknown;
#if defined(__linux__)
  pthread_attr_t attributes;
  void *begin;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return unknown;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) found = (uintptr_t)begin;
  pthread_attr_destroy(&attributes);
#endif
  return found;
}

static size_t stack_left(void) {
  if (lower_end == 0) lower_end = find_lower_end();
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return lower_end == unknown ? SIZE_MAX : here > lower_end ? here - lower_end : 0;
}

uint32_t stack_levels(void) {
  size_t left = stack_left(), levels = left > kept_bytes ? (left - kept_bytes) / level_bytes : 0;
  return levels > UINT32_MAX ? UINT32_MAX : (uint32_t)levels;
}

bool stack_is_low(void) { return stack_left() < kept_bytes; }
