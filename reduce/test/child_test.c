/* The child process that examines texts: examinations that crash, hang or find nothing, the
 * signatures of their ends, and a text that is reduced to the part that crashes. */
#include "reduce/shrink_child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reduce/reduce.h"

static Arena *arena;

static void look(void *, const char *wanted, const char *text, size_t, FaultSignature *signature) {
  if (strstr(text, "boom") != nullptr) {
    fputs("x: Assertion `no boom' failed.\n", stderr);
    raise(SIGABRT);
  }
  if (strstr(text, "fall") != nullptr) raise(SIGKILL);
  while (strstr(text, "hang") != nullptr) pause();
  if (strstr(text, "seven") != nullptr) signature_set(signature, *wanted == 0 ? "seven" : wanted);
}

/* Hanging texts get a short time limit, all others a long one, even for a busy machine. */
static const char *seen(Child *child, const char *wanted, const char *text) {
  double seconds = strstr(text, "hang") == nullptr ? 300 : 0.3;
  static FaultSignature signature;
  Error error = {};
  assert_true(child_query(child, wanted, text, strlen(text), seconds, &signature, &error));
  return signature.text;
}

static void children_crash_and_hang_alone(void **) {
  Child *child = child_create(arena, look, nullptr);
  assert_string_equal(seen(child, "", "nothing"), "");
  assert_string_equal(seen(child, "", "seven"), "seven");
  assert_string_equal(seen(child, "odd", "seven"), "odd");
  assert_string_equal(seen(child, "", "a boom"), "crash Assertion `no boom' failed.");
  assert_string_equal(seen(child, "", "fall"), "crash signal 9");
  assert_string_equal(seen(child, "", "hang"), "timeout");
  assert_string_equal(seen(child, "", "seven"), "seven");
  char *large = ARENA_NEW(arena, char, (1 << 22) + 1);
  memset(large, 'x', 1 << 22);
  assert_string_equal(seen(child, "", large), "");
  child_destroy(child);
}

static void signatures_name_no_directory_and_no_address(void **) {
  FaultSignature signature;
  crash_signature(
      "==1==ERROR\nSUMMARY: AddressSanitizer: SEGV /one/two/three.c:7:9 in walk 0x7f00\n", 0,
      &signature);
  assert_string_equal(signature.text, "crash SUMMARY: AddressSanitizer: SEGV three.c:7:9 in walk ");
  assert_true(signature_is_crash(&signature));
}

static void a_long_signature_is_cut(void **) {
  char text[2 * signature_capacity];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  FaultSignature signatures[2] = {};
  strcpy(signatures[1].text, "next");
  signature_set(&signatures[0], text);
  assert_int_equal(strlen(signatures[0].text), signature_capacity - 1);
  assert_string_equal(signatures[1].text, "next");
}

typedef struct ShrinkWords {
  Child *child;
  const char *signature;
} ShrinkWords;

static bool shrink_shows(void *state, const char *text, size_t length) {
  ShrinkWords *words = state;
  FaultSignature signature;
  Error error = {};
  return child_query(words->child, "", text, length, 1, &signature, &error) &&
         strcmp(signature.text, words->signature) == 0;
}

static void texts_shrink_to_what_crashes(void **) {
  ShrinkWords words = {.child = child_create(arena, look, nullptr),
      .signature = "crash Assertion `no boom' failed."};
  Text text = text_create(arena);
  for (uint32_t i = 0; i < 300; i++)
    text_printf(&text, "line %u of %s\n", i, i == 150 ? "a boom there" : "the text");
  Reduction reduction = {.still_shows = shrink_shows, .state = &words, .most_trials = 5000};
  const char *smallest;
  size_t length = text.length;
  assert_true(reduce_text(arena, &reduction, text.bytes, &length, &smallest));
  assert_string_equal(smallest, "boom");
  assert_int_equal(length, 4);
  words.signature = "seven";
  assert_false(reduce_text(arena, &reduction, text.bytes, &length, &smallest));
  child_destroy(words.child);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_crash_and_hang_alone),
      cmocka_unit_test(signatures_name_no_directory_and_no_address),
      cmocka_unit_test(texts_shrink_to_what_crashes),
      cmocka_unit_test(a_long_signature_is_cut),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
