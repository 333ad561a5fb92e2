/* Every map of the corpus prints, parses back to the same map, and prints the same again; so do the
 * maps of print_indexing if that directory exists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "core/map/test/each_map.h"
#include "core/map/text.h"

typedef struct CorpusTally {
  uint32_t maps;
} CorpusTally;

static void read_back(
    void *user, MapContext *context, const Map *map, const char *path, uint32_t line) {
  ((CorpusTally *)user)->maps++;
  for (MapStyle style = MAP_STYLE_LINE; style <= MAP_STYLE_XLA; style++) {
    Text once = text_create(context->arena), twice = text_create(context->arena);
    map_print(&once, context, map, style);
    Source source = {.name = path, .text = once.bytes, .length = once.length, .first_line = line};
    const Map *again;
    Error error = {};
    if (!map_parse(context, &source, &again, &error)) {
      error_print(&error, stderr);
      fail();
    }
    assert_true(map_identical(context, map, again));
    map_print(&twice, context, again, style);
    assert_string_equal(once.bytes, twice.bytes);
  }
}

static void the_corpus_reads_back(void **state) {
  (void)state;
  CorpusTally tally = {};
  assert_in_range(each_map(AFFIRM_SOURCE_DIR "/corpus", read_back, &tally), 1, INT32_MAX);
  printf("%u maps of the corpus\n", tally.maps);
  assert_in_range(tally.maps, 150, UINT32_MAX);
}

static void print_indexing_reads_back(void **state) {
  (void)state;
  CorpusTally tally = {};
  if (each_map(AFFIRM_DATA_DIR "/print_indexing", read_back, &tally) == 0) {
    printf("skipped: no directory %s\n", AFFIRM_DATA_DIR "/print_indexing");
    skip();
  }
  printf("%u maps of print_indexing\n", tally.maps);
  assert_in_range(tally.maps, 300, UINT32_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_corpus_reads_back),
      cmocka_unit_test(print_indexing_reads_back),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
