/* The child process that examines texts: examinations that crash, hang or find nothing, the
 * signatures of their ends, and a text that is reduced to the part that crashes. */
#include "reduce/shrink_child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/test/length.h"
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

/* The text of a number in base `strlen(letters)`, without the leading 1: all texts in turn. */
static void write_letters(char *text, const char *letters, uint32_t number) {
  size_t base = strlen(letters), length = 0;
  for (; number > 1; number /= (uint32_t)base) text[length++] = letters[number % base];
  text[length] = 0;
}

/* A wanted signature matches itself, and whatever has more words. */
static void signatures_match_by_words(void **) {
  char wanted[16], signature[16], longer[16];
  for (uint32_t i = 1; i < 3 * 81; i++)
    for (uint32_t k = 1; k < 3 * 243; k++) {
      write_letters(wanted, "ab ", i);
      write_letters(signature, "ab ", k);
      bool is_wanted = wanted[0] == 0 || strcmp(wanted, signature) == 0;
      strcpy(longer, signature);
      for (size_t cut = strlen(longer); cut > 0; cut--) {
        bool is_word = longer[cut - 1] == ' ';
        longer[cut - 1] = 0;
        is_wanted |= is_word && strcmp(wanted, longer) == 0;
      }
      if (signature_is_wanted(wanted, signature) != is_wanted)
        fail_msg("'%s' wanted, '%s'", wanted, signature);
    }
}

/* Without hexadecimal numbers; of each word what is after its last slash. */
static void write_without_places(char *to, const char *from) {
  char numbers[32], word[32] = "";
  size_t length = 0, word_length = 0, end = 0;
  for (size_t i = 0; from[i] != 0;)
    if (from[i] == '0' && from[i + 1] == 'x') {
      for (i += 2; from[i] == '0' || from[i] == 'f'; i++) continue;
    } else numbers[length++] = from[i++];
  numbers[length] = 0;
  for (size_t i = 0; i <= length; i++) {
    if (numbers[i] == '/') word_length = 0;
    else if (numbers[i] != ' ' && numbers[i] != 0) word[word_length++] = numbers[i];
    else {
      for (size_t k = 0; k < word_length; k++) to[end++] = word[k];
      to[end++] = numbers[i];
      word_length = 0;
    }
  }
}

static void places_are_left_out_of_every_line(void **) {
  char line[32], log[64], wanted[64] = "crash SUMMARY: ";
  for (uint32_t i = 1; i < 5 * 15625; i += test_length(1, 3, 17)) {
    FaultSignature signature = {};
    write_letters(line, "0xf/ ", i);
    snprintf(log, sizeof log, "x\nSUMMARY: %s\n0xf/f", line);
    write_without_places(wanted + 15, line);
    crash_signature(log, 0, &signature);
    assert_string_equal(signature.text, wanted);
  }
}

/* The report of the harness first, then the marks in their order, wherever they stand; else how
 * the process ended. */
static void signatures_name_the_end(void **) {
  static const char *const lines[] = {"# fuzz_found_odd /a/b 0x1", "x: Assertion `a' failed.",
      "SUMMARY: s", "y: runtime error: r", "none"};
  static const char *const names[] = {
      "odd b ", "crash Assertion `a' failed.", "crash SUMMARY: s", "crash runtime error: r"};
  for (uint32_t first = 0; first < 5; first++)
    for (uint32_t second = 0; second < 5; second++)
      for (int end = 0; end < 4; end++) {
        static const int statuses[] = {0, 7 << 8, SIGSEGV, SIGKILL | 0x80};
        static const char *const ends[] = {
            "crash exit 0", "crash exit 7", "crash signal 11", "crash signal 9"};
        uint32_t least = first < second ? first : second;
        FaultSignature signature = {};
        crash_signature(arena_printf(arena, "%s\n%s\n", lines[first], lines[second]), statuses[end],
            &signature);
        const char *wanted = least < 4 ? names[least] : ends[end];
        assert_string_equal(signature.text, wanted);
        assert_int_equal(signature_is_crash(&signature), least > 0);
      }
  static const struct {
    const char *text;
    bool is_crash;
  } rows[] = {{"timeout", true}, {"timeouts", false}, {"", false}, {"cras", false},
      {"a crash", false}, {"crash exit 3", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    FaultSignature signature = {};
    signature_set(&signature, rows[i].text);
    assert_int_equal(signature_is_crash(&signature), rows[i].is_crash);
  }
}

static void signatures_of_every_length_are_one_line(void **) {
  char text[2 * signature_capacity];
  for (size_t length = 0; length + 1 < sizeof text; length++) {
    FaultSignature signature;
    memset(&signature, 'y', sizeof signature);
    for (size_t i = 0; i < length; i++) text[i] = i % 7 == 3 ? '\n' : (char)('a' + i % 26);
    text[length] = 0;
    signature_set(&signature, text);
    for (size_t i = 0; i < signature_capacity; i++) {
      char wanted = i >= length || i + 1 == signature_capacity ? 0 : i % 7 == 3 ? ' ' : text[i];
      assert_int_equal(signature.text[i], wanted);
    }
  }
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
      cmocka_unit_test(signatures_match_by_words),
      cmocka_unit_test(places_are_left_out_of_every_line),
      cmocka_unit_test(signatures_name_the_end),
      cmocka_unit_test(signatures_of_every_length_are_one_line),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
