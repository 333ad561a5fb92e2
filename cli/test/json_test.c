/* Another library parses the written JSON with the same values: escapes, exact integers, bytes that
 * are not UTF-8. */
#include "cli/report/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "cli/report/html.h"

static void strings_read_back(void **) {
  static const char *const values[] = {"", "plain", "quote \" backslash \\ slash /",
      "line\nline\ttab\r\x01", "größe → 位", "\xF0\x9F\x8C\x8D"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    Json json = json_begin(&text);
    json_string(&json, "name \"quoted\"", values[i]);
    json_end(&json);
    assert_true(text.bytes[text.length - 1] == '\n');
    assert_null(memchr(text.bytes, '\n', text.length - 1));
    cJSON *read = cJSON_Parse(text.bytes);
    assert_non_null(read);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(read, "name \"quoted\"")), values[i]);
    cJSON_Delete(read);
    arena_destroy(arena);
  }
}

static void bytes_that_are_no_text_become_replacement_characters(void **) {
  static const char *const values[] = {"a\xFFz", "a\xC0z", "a\xE2\x82z", "a\xF5z", "a\x80z"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    Json json = json_begin(&text);
    json_string(&json, "name", values[i]);
    json_end(&json);
    cJSON *read = cJSON_Parse(text.bytes);
    assert_non_null(read);
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(read, "name"));
    assert_non_null(strstr(value, "\xEF\xBF\xBD"));
    assert_true(value[0] == 'a' && value[strlen(value) - 1] == 'z');
    cJSON_Delete(read);
    arena_destroy(arena);
  }
}

static void integers_are_exact(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  Json json = json_begin(&text);
  json_integer(&json, "least", INT64_MIN);
  json_integers(&json, "list", 3, (const int64_t[]){INT64_MAX, 0, -1});
  json_integers(&json, "none", 0, nullptr);
  json_end(&json);
  assert_string_equal(text.bytes,
      "{\"version\":1,\"least\":-9223372036854775808,\"list\":[9223372036854775807,0,-1],\"none\":[]}\n");
  arena_destroy(arena);
}

static void bindings_are_values(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena), line = text_create(arena);
  Bindings none = {}, all = {};
  bindings_integer(arena, &all, "d0", -7);
  bindings_text(arena, &all, "p0[3,0]", "18446744073709551616");
  bindings_text(arena, &all, "p1[]", "(1, -2)");
  bindings_text(arena, &all, "-", "-");
  Json json = json_begin(&text);
  json_bindings(&json, "none", &none);
  json_bindings(&json, "at", &all);
  json_end(&json);
  assert_string_equal(text.bytes,
      "{\"version\":1,\"at\":{\"d0\":-7,\"p0[3,0]\":18446744073709551616,\"p1[]\":\"(1, -2)\","
      "\"-\":\"-\"}}\n");
  Text zeros = text_create(arena);
  json = json_begin(&zeros);
  json_at(&json, &none);
  json_end(&json);
  assert_string_equal(zeros.bytes, "{\"version\":1,\"at\":{}}\n");
  bindings_print(&line, &all);
  assert_string_equal(line.bytes, "d0 = -7, p0[3,0] = 18446744073709551616, p1[] = (1, -2), - = -");
  arena_destroy(arena);
}

static void totals_count_answers_once(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena), last = text_create(arena);
  json_totals(&last, STATUS_PROVED, false);
  assert_int_equal(last.length, 0);
  json_expect();
  for (uint32_t i = 0; i < 3; i++) {
    Json json = json_begin(&text);
    json_answer(&json, "answer", i == 1 ? "totals wrong" : "totals right");
    json_end(&json);
  }
  json_totals(&last, STATUS_REFUTED, true);
  assert_non_null(strstr(
      last.bytes, ",\"totals right\":2,\"totals wrong\":1},\"status\":1,\"interrupted\":1}\n"));
  size_t length = last.length;
  json_totals(&last, STATUS_REFUTED, true);
  assert_int_equal(last.length, length);
  arena_destroy(arena);
}

/* The names of two groups of findings may begin with the same words. */
static void totals_count_long_answers_apart(void **) {
  static const char *const names[] = {
      "graph-reduce-window-garbage-a-heading-and-neither-a-map-nor-a-reason",
      "graph-reduce-window-garbage-a-heading-and-neither-a-map-nor-an-error"};
  Arena *arena = arena_create();
  Text text = text_create(arena), last = text_create(arena);
  json_expect();
  for (uint32_t i = 0; i < 2; i++) {
    Json json = json_begin(&text);
    json_answer(&json, "answer", names[i]);
    json_end(&json);
  }
  json_totals(&last, STATUS_REFUTED, false);
  for (uint32_t i = 0; i < 2; i++)
    assert_non_null(strstr(last.bytes, arena_printf(arena, "\"%s\":1", names[i])));
  arena_destroy(arena);
}

/* A browser turns a carriage return of a page into a line break, but not a reference to one. */
static void white_space_of_a_page_is_kept(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  html_escape(&text, "a\tb\r\n\x01<");
  assert_string_equal(text.bytes, "a\tb&#13;\n&#xfffd;&lt;");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_read_back),
      cmocka_unit_test(bytes_that_are_no_text_become_replacement_characters),
      cmocka_unit_test(integers_are_exact),
      cmocka_unit_test(bindings_are_values),
      cmocka_unit_test(totals_count_answers_once),
      cmocka_unit_test(totals_count_long_answers_apart),
      cmocka_unit_test(white_space_of_a_page_is_kept),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
