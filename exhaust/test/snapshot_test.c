/* A row's answers depend on its stream and number alone; rows differ from each other; records are
 * read as they were printed, and a damaged one is rejected; a changed digest is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "exhaust/snapshot/composed_points.h"
#include "exhaust/snapshot/record.h"
#include "exhaust/snapshot/snapshot_judge.h"

static Snapshot *snapshot_opened(bool judges) {
  Error error = {};
  Snapshot *snapshot = snapshot_create(judges, &error);
  if (snapshot == nullptr) fail_msg("%s", error.message);
  return snapshot;
}

static uint16_t digest_of(Snapshot *snapshot, SnapshotStream *stream, uint32_t row) {
  SnapshotInput input = snapshot_input(snapshot, stream, row);
  uint16_t digest = snapshot_digest(snapshot_answers(snapshot, &input));
  snapshot_next(snapshot);
  return digest;
}

/* The last rows first, each in a snapshot that has answered others, and alone. */
static void a_row_depends_on_no_other_row(void **) {
  Snapshot *used = snapshot_opened(false);
  for (uint32_t i = 0; i < used->streams.count; i += 3) {
    SnapshotStream *stream = &used->streams.items[i];
    uint32_t row = stream->rows / 2;
    uint16_t first = digest_of(used, stream, row);
    (void)digest_of(used, stream, stream->rows - 1);
    (void)digest_of(used, stream, 0);
    assert_int_equal(digest_of(used, stream, row), first);
    if (i % 9 != 0) continue;
    Snapshot *alone = snapshot_opened(false);
    assert_int_equal(digest_of(alone, snapshot_stream(alone, stream->name), row), first);
    snapshot_destroy(alone);
  }
  snapshot_destroy(used);
}

/* For a reader each answer has lines of its own; the digest is of the same answers without them. */
static void shown_answers_have_lines(void **) {
  Snapshot *snapshot = snapshot_opened(false);
  SnapshotInput input = snapshot_input(snapshot, snapshot_stream(snapshot, "maps"), 17);
  const char *plain = snapshot_answers(snapshot, &input);
  snapshot->breaks_lines = true;
  const char *shown = snapshot_answers(snapshot, &input);
  assert_null(strstr(shown, "](d"));
  assert_non_null(strstr(plain, "](d"));
  uint32_t breaks = 0;
  for (; *shown != 0; shown++) {
    if (*shown == *plain) plain++;
    else breaks += *shown == '\n';
  }
  assert_int_equal(*plain, 0);
  assert_int_equal(breaks, 3);
  snapshot_destroy(snapshot);
}

/* A stream whose rows have few different answers would detect little. */
static void most_rows_of_a_stream_differ(void **) {
  Snapshot *snapshot = snapshot_opened(false);
  for (uint32_t i = 0; i < snapshot->streams.count; i++) {
    SnapshotStream *stream = &snapshot->streams.items[i];
    uint32_t different = 0, rows = stream->rows < 64 ? stream->rows : 64;
    bool *seen = calloc(1 << 16, sizeof *seen);
    for (uint32_t row = 0; row < rows; row++) {
      uint16_t digest = digest_of(snapshot, stream, row);
      different += !seen[digest];
      seen[digest] = true;
    }
    free(seen);
    if (different * 4 < rows) fail_msg("%s: %u of %u rows differ", stream->name, different, rows);
  }
  snapshot_destroy(snapshot);
}

static bool read_text(Arena *arena, const char *text, SnapshotRecord *record, Error *error) {
  Source source = {.name = "record", .text = text, .length = strlen(text), .first_line = 1};
  *record = (SnapshotRecord){};
  *error = (Error){};
  return snapshot_record_read(arena, &source, record, error);
}

static void a_record_reads_as_it_was_printed(void **) {
  Arena *arena = arena_create();
  uint16_t digests[70];
  for (uint32_t i = 0; i < 70; i++) digests[i] = (uint16_t)(i * 2654435761u >> 7);
  RecordStream streams[] = {{"maps", 70, digests}, {"modules/a.case", 1, digests + 3}};
  SnapshotRecord record = {.count = 2, .items = streams}, again;
  Text text = text_create(arena);
  Error error;
  snapshot_record_print(&text, &record);
  assert_true(read_text(arena, text.bytes, &again, &error));
  assert_int_equal(again.count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    const RecordStream *stream = snapshot_record_stream(&again, streams[i].name);
    assert_non_null(stream);
    assert_int_equal(stream->rows, streams[i].rows);
    assert_memory_equal(stream->digests, streams[i].digests, stream->rows * sizeof *digests);
  }
  assert_null(snapshot_record_stream(&again, "map"));
  arena_destroy(arena);
}

static void a_damaged_record_is_rejected(void **) {
  static const char *const texts[] = {"maps 2\n0123\n", "maps 2\n01234567\nffff\n",
      "maps 2\n0123456\n", "maps 2\n0123456g\n", "maps\n0123\n", "maps 0\n", "maps x\n0123\n",
      "maps 1 \n0123\n", "maps 1\n0123\nmaps 1\n0123\n", "maps 99999999\n0123\n", " 1\n0123\n",
      "maps 2\n012345678abc\n"};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SnapshotRecord record;
    Error error;
    if (read_text(arena, texts[i], &record, &error)) fail_msg("accepted: %s", texts[i]);
    assert_true(error.line > 0);
  }
  arena_destroy(arena);
}

static void a_changed_digest_is_found(void **) {
  Snapshot *snapshot = snapshot_opened(false);
  SnapshotStream *stream = snapshot_stream(snapshot, "scope/reverse");
  uint16_t digests[4], digest;
  for (uint32_t row = 0; row < 4; row++)
    assert_int_equal(
        snapshot_record_compare(snapshot, stream, nullptr, row, &digests[row]), ROW_NEW);
  RecordStream kept = {"scope/reverse", 3, digests};
  digests[1] ^= 1;
  static constexpr RowState wanted[] = {ROW_SAME, ROW_CHANGED, ROW_SAME, ROW_NEW};
  for (uint32_t row = 0; row < 4; row++)
    assert_int_equal(snapshot_record_compare(snapshot, stream, &kept, row, &digest), wanted[row]);
  snapshot_destroy(snapshot);
}

static void answers_are_judged(void **) {
  static const SnapshotInput inputs[] = {
      {.kind = SNAPSHOT_MAP, .text = "(d0) -> (d0 mod 8), domain: d0 in [0, 9]"},
      {.kind = SNAPSHOT_PAIR,
          .text =
              "(d0) -> (d0 * 2), domain: d0 in [0, 9] ; (d0) -> (d0 mod 3), domain: d0 in [0, 18]"},
      {.kind = SNAPSHOT_MODULE,
          .text =
              "ENTRY e {\n p = f32[4] parameter(0)\n ROOT r = f32[4] reverse(p), dimensions={0}\n}\n"},
      {.kind = SNAPSHOT_RULE, .text = "rule r  x + 0 => x"},
      {.kind = SNAPSHOT_MAP, .text = "(d0) -> (d0"}};
  static constexpr uint64_t judged[] = {2 + 9, 1 + 2, 2, 0, 0}, in_part[] = {0, 0, 1, 0, 0};
  Snapshot *snapshot = snapshot_opened(true);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
    SnapshotTally tally = {};
    Text words = text_create(snapshot->arena);
    snapshot_judge(snapshot, &inputs[i], &tally, &words);
    if (tally.proved != judged[i] || tally.refuted > 0 || tally.open > 0)
      fail_msg(
          "%s: %llu proved\n%s", inputs[i].text, (unsigned long long)tally.proved, words.bytes);
    assert_int_equal(tally.unjudged, judged[i] == 0);
    assert_int_equal(tally.in_part, in_part[i]);
    snapshot_next(snapshot);
  }
  snapshot_destroy(snapshot);
}

/* Questions of legal inputs that the engine rejects may have had answers: they are open. Maps that
 * do not fit each other have no composition. */
static void rejected_questions_are_open(void **) {
  static const SnapshotInput inputs[] = {
      {.kind = SNAPSHOT_PAIR,
          .text =
              "(d0) -> (d0), domain: d0 in [0, 9] ; (d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 0]"},
      {.kind = SNAPSHOT_MODULE,
          .text =
              "ENTRY e {\n p = f32[1] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[1] pad(p, z), padding=0_0_9223372036854775807\n}\n"},
      {.kind = SNAPSHOT_PAIR,
          .text =
              "(d0) -> (d0), domain: d0 in [0, 9] ; (d0, d1) -> (d0), domain: d0 in [0, 0], d1 in [0, 0]"}};
  static constexpr uint64_t open[] = {1, 4, 0};
  Snapshot *snapshot = snapshot_opened(true);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
    SnapshotTally tally = {};
    Text words = text_create(snapshot->arena);
    snapshot_judge(snapshot, &inputs[i], &tally, &words);
    if (tally.open != open[i] || tally.refuted > 0)
      fail_msg("%s: %llu open\n%s", inputs[i].text, (unsigned long long)tally.open, words.bytes);
    snapshot_next(snapshot);
  }
  snapshot_destroy(snapshot);
}

/* A composition with many points is judged in part: after simplifying it is the same. */
static void a_large_composition_is_judged_in_part(void **) {
  static const char text[] =
      "(d0) -> (d0), domain: d0 in [0, 9999] ; (d0) -> (d0 mod 3), domain: d0 in [0, 9999]";
  Snapshot *snapshot = snapshot_opened(true);
  SnapshotTally tally = {};
  Text words = text_create(snapshot->arena);
  snapshot_judge(snapshot, &(SnapshotInput){.kind = SNAPSHOT_PAIR, .text = text}, &tally, &words);
  assert_int_equal(tally.in_part, 1);
  assert_true(tally.proved == 2 && tally.refuted + tally.open == 0);
  snapshot_destroy(snapshot);
}

static const Map *snapshot_test_map(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

/* Right compositions, then for each change a wrong one: another result, a point too many, one too
 * few, exchanged variables, another rank, no point, another source of a runtime variable, other
 * results far from the bounds of a large box. */
static void wrong_compositions_are_seen(void **) {
  static const struct {
    const char *consumer, *producer, *right, *wrong[4];
  } rows[] = {
      {"(d0) -> (d0 * 2), domain: d0 in [0, 9]", "(d0) -> (d0 mod 3), domain: d0 in [0, 16]",
          "(d0) -> ((d0 * 2) mod 3), domain: d0 in [0, 8]",
          {"(d0) -> ((d0 * 2) mod 3 + 1), domain: d0 in [0, 8]",
              "(d0) -> ((d0 * 2) mod 3), domain: d0 in [0, 9]",
              "(d0) -> ((d0 * 2) mod 3), domain: d0 in [0, 7]",
              "(d0) -> (d0, 0), domain: d0 in [0, 8]"}},
      {"(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 1]",
          "(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 9], s0 in [0, 2]",
          "(d0)[s0, s1]{rt0} -> ((d0 + s0 + rt0) * 3 + s1), domain: d0 in [0, 3], s0 in [0, 1], s1 in [0, 2], rt0 in [0, 1]",
          {"(d0)[s0, s1]{rt0} -> ((d0 + s1 + rt0) * 3 + s0), domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, 1], rt0 in [0, 1]",
              "(d0)[s0]{rt0} -> ((d0 + s0 + rt0) * 3), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 1]",
              "KNOWN EMPTY"}},
      {"(d0) -> (d0 + 1), domain: d0 in [0, 3]",
          "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 2]\n  runtime variables:\n  rt0: i; (d0) -> (d0), domain: d0 in [0, 9]",
          "(d0){rt0} -> (d0 + 1 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]\n  runtime variables:\n  rt0: i; (d0) -> (d0 + 1), domain: d0 in [0, 3]",
          {"(d0){rt0} -> (d0 + 1 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]\n  runtime variables:\n  rt0: i; (d0) -> (d0), domain: d0 in [0, 3]",
              "(d0){rt0} -> (d0 + 1 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]\n  runtime variables:\n  rt0: j; (d0) -> (d0 + 1), domain: d0 in [0, 3]",
              "(d0){rt0} -> (d0 + 1 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]"}},
      {"(d0) -> (d0), domain: d0 in [0, 1099511627776]",
          "(d0) -> (0), domain: d0 in [0, 1099511627776]",
          "(d0) -> (0), domain: d0 in [0, 1099511627776]",
          {"(d0) -> (d0 floordiv 1073741824 - d0 floordiv 1099511627776 * 1024), domain: d0 in [0, 1099511627776]"}},
      {"(d0) -> (d0), domain: d0 in [0, 99999]",
          "(d0) -> (d0 mod 3), domain: d0 in [0, 99999], d0 mod 2 in [0, 0]",
          "(d0) -> (d0 mod 3), domain: d0 in [0, 99999], d0 mod 2 in [0, 0]",
          {"(d0) -> (d0 mod 3), domain: d0 in [0, 99999]"}}};
  Arena *arena = arena_create();
  MapContext *context = map_context_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Map *consumer = snapshot_test_map(context, rows[i].consumer),
              *producer = snapshot_test_map(context, rows[i].producer);
    ComposedPoints points = composed_points(
        arena, context, consumer, producer, snapshot_test_map(context, rows[i].right));
    if (points.difference != nullptr) fail_msg("%s", points.difference);
    assert_int_equal(points.is_whole, i < 3);
    for (size_t k = 0; k < 4 && rows[i].wrong[k] != nullptr; k++)
      if (composed_points(
              arena, context, consumer, producer, snapshot_test_map(context, rows[i].wrong[k]))
              .difference == nullptr)
        fail_msg("not seen: %s", rows[i].wrong[k]);
  }
  const Map *plain = snapshot_test_map(context, rows[0].consumer),
            *empty = snapshot_test_map(context, "KNOWN EMPTY");
  assert_null(composed_points(arena, context, plain, empty, empty).difference);
  assert_non_null(composed_points(arena, context, empty, plain, plain).difference);
  map_context_destroy(context);
  arena_destroy(arena);
}

/* Every byte at every position of a digest. */
static void a_digest_has_four_hexadecimal_digits(void **) {
  for (uint32_t at = 0; at < 4; at++)
    for (uint32_t byte = 0; byte < 256; byte++) {
      Arena *arena = arena_create();
      char text[] = "s 1\n3a0f\n";
      text[4 + at] = (char)byte;
      uint32_t digits[] = {3, 10, 0, 15}, digest = 0;
      bool is_digit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
      digits[at] = byte <= '9' ? byte - '0' : byte - 'a' + 10;
      for (uint32_t i = 0; i < 4; i++) digest = digest * 16 + digits[i];
      Source source = {.name = "record", .text = text, .length = sizeof text - 1, .first_line = 1};
      SnapshotRecord record = {};
      Error error = {};
      assert_int_equal(snapshot_record_read(arena, &source, &record, &error), is_digit);
      if (is_digit) assert_int_equal(snapshot_record_stream(&record, "s")->digests[0], digest);
      else assert_int_equal(error.kind, ERROR_INPUT);
      arena_destroy(arena);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_digest_has_four_hexadecimal_digits),
      cmocka_unit_test(a_row_depends_on_no_other_row), cmocka_unit_test(shown_answers_have_lines),
      cmocka_unit_test(most_rows_of_a_stream_differ),
      cmocka_unit_test(a_record_reads_as_it_was_printed),
      cmocka_unit_test(a_damaged_record_is_rejected), cmocka_unit_test(a_changed_digest_is_found),
      cmocka_unit_test(answers_are_judged), cmocka_unit_test(rejected_questions_are_open),
      cmocka_unit_test(a_large_composition_is_judged_in_part),
      cmocka_unit_test(wrong_compositions_are_seen)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
