/* How many levels fit into the rest of a thread's stack: on threads with stacks of several sizes,
 * and after more and more of one is taken. */
#define _GNU_SOURCE
#include "core/base/stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>

typedef struct StackUse {
  size_t taken_later;             /* bytes */
  uint32_t levels, again, deeper; /* at first, again, and after so many bytes are taken */
  bool is_low, is_low_later;
  volatile char *taken;
} StackUse;

[[gnu::noinline]] static void look_deeper(StackUse *use) {
  use->deeper = stack_levels();
  use->is_low_later = stack_is_low();
}

/* Looks with so many bytes of the stack taken. */
[[gnu::noinline]] static void take_stack(StackUse *use, size_t bytes) {
  use->taken = __builtin_alloca(bytes);
  look_deeper(use);
  use->taken[0] = 1;
}

static void *measure_stack(void *argument) {
  StackUse *use = argument;
  use->levels = stack_levels();
  use->is_low = stack_is_low();
  use->again = stack_levels();
  take_stack(use, use->taken_later);
  return nullptr;
}

/* What a thread with so large a stack finds, at first and after it took so many bytes of it. */
static StackUse use_of_stack(size_t size, size_t taken_later) {
  StackUse use = {.taken_later = taken_later};
  pthread_attr_t attributes;
  pthread_t thread;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, size), 0);
  assert_int_equal(pthread_create(&thread, &attributes, measure_stack, &use), 0);
  assert_int_equal(pthread_join(thread, nullptr), 0);
  (void)pthread_attr_destroy(&attributes);
  return use;
}

/* A level takes 256 to 1024 bytes, and at most a half of the smallest stack is kept. The levels at
 * 640 bytes, the size that was measured, fit beside the least that is kept. */
static void levels_are_those_of_the_own_stack(void **) {
  static constexpr size_t sizes[] = {1 << 20, 2 << 20, 4 << 20, 16 << 20};
  for (uint32_t i = 0; i < 4; i++) {
    StackUse use = use_of_stack(sizes[i], sizes[i] / 2);
    assert_true(use.levels == use.again && !use.is_low);
    assert_true(use.levels <= sizes[i] / 256 && use.levels >= sizes[i] / 2 / 1024);
    assert_true(use.levels <= (sizes[i] - (48 << 10)) / 640);
    assert_true(use.deeper < use.levels && !use.is_low_later);
    assert_true(use.levels - use.deeper >= sizes[i] / 2 / 1024);
    assert_true(use.levels - use.deeper <= sizes[i] / 2 / 256);
  }
}

/* The rest of a stack is low before it is used up. */
static void a_stack_is_low_near_its_end(void **) {
  static constexpr size_t size = 2 << 20;
  bool was_low = false;
  for (size_t left = size - (size >> 3); left > 32 << 10; left -= 16 << 10) {
    StackUse use = use_of_stack(size, size - left);
    assert_true(use.is_low_later || !was_low);
    assert_int_equal(use.is_low_later, use.deeper == 0);
    was_low = use.is_low_later;
  }
  assert_true(was_low);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(levels_are_those_of_the_own_stack),
      cmocka_unit_test(a_stack_is_low_near_its_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
