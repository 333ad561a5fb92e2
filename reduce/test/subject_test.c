/* What a file asks to reduce: its form, the kind of the finding, and the text. They follow from the
 * name of the file, the verb of a case, or the report of a fuzz target. */
#include "reduce/shrink.h"
#include "reduce/shrink_subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"

static Arena *arena;

typedef struct SubjectRow {
  const char *path, *file;
  ShrinkForm form;
  const char *kind, *text;
} SubjectRow;

#define HLO "hlo\np = f32[4] parameter(0)\nROOT r = f32[4] reverse(p), dimensions={0}\nend\n"
#define MODULE \
  "ENTRY case {\np = f32[4] parameter(0)\nROOT r = f32[4] reverse(p), dimensions={0}\n}\n"
#define RULE "rule r\n  x + 0 => x\n"
#define MAP_A "(d0) -> (d0), domain: d0 in [0, 9]"
#define MAP_B "(d0) -> (d0 + 0), domain: d0 in [0, 9]"

static const SubjectRow rows[] = {
    {"a.rules", RULE, FORM_RULES, "", RULE},
    {"a.text", MAP_A, FORM_TEXT, "", MAP_A},
    {"a.maps", "# a remark\n" MAP_A "\n", FORM_MAP, "", MAP_A},
    {"a.maps", "KNOWN EMPTY\n", FORM_MAP, "", "KNOWN EMPTY"},
    {"a.hlo", "HloModule m\n" MODULE, FORM_MODULE, "", "HloModule m\n" MODULE},
    {"a.case", "# one\nsimplify " MAP_A "\n= x\n", FORM_MAP, "", MAP_A},
    {"a.case", "# one\nkeeps " MAP_A "\nproved\n", FORM_MAP, "", MAP_A},
    {"a.case", "# one\nmlir " MAP_A "\nproved\n", FORM_MAP, "round_trip", MAP_A},
    {"a.case", "# one\ncompose " MAP_A " ; " MAP_B "\n= x\n", FORM_COMPOSE, "", MAP_A " ; " MAP_B},
    {"a.case", "# one\nsame " MAP_A " ; " MAP_B "\nproved\n", FORM_SAME, "", MAP_A " ; " MAP_B},
    {"a.case", "# one_round_trip\nsame " MAP_A " ; " MAP_B "\nproved\n", FORM_MAP, "round_trip",
        MAP_A},
    {"a.case", "# one\nsame-relation " MAP_A " ; " MAP_B "\nproved\n", FORM_RELATION, "",
        MAP_A " ; " MAP_B},
    {"a.case", "# one\nalgebra drop-dims " MAP_A "\n= x\n", FORM_MAP, "drop-dims", MAP_A},
    {"a.case", "# one\nparse " MAP_A "\n= x\n", FORM_TEXT, "map_text", MAP_A},
    {"a.case", "# one\nread-rules\nrules\n" RULE "end\nexact\n", FORM_TEXT, "rule_text", RULE},
    {"a.case", "# one\nprove rules\n" RULE "end\nproved\n", FORM_RULES, "", RULE},
    {"a.case", "# one\ncheck o2i 0 0 " HLO "exact\n", FORM_MODULE, "", MODULE},
    {"a.case", "# one\nmap o2i 0 0 " HLO "= x\n", FORM_MODULE, "", MODULE},
    {"a.case", "# one\ncheck o2i 0 0 hlo\n" MODULE "end\nexact\n", FORM_MODULE, "", MODULE},
    {"log", "INFO: Seed: 123\n# fuzz_found_unsound\n# note: a remark\nsimplify " MAP_A "\n== 1\n",
        FORM_MAP, "unsound", MAP_A},
    {"log", "# fuzz_found_wrong\n# note: a remark\nHloModule m\n" MODULE "\n== 1\n", FORM_MODULE,
        "wrong", "HloModule m\n" MODULE},
    {"log", "# fuzz_found_false_step\n# note: a remark\n" RULE "\n== 1\n", FORM_RULES, "false_step",
        RULE},
    {"log", "# fuzz_found_map_text\n# note: a remark\nany (\n bytes\n== 1\n", FORM_TEXT, "map_text",
        "any (\n bytes"},
    {"a.case", "# one\nholds bijective () () -> ()\nproved\n", FORM_MAP, "bijective", "() -> ()"},
    {"a.case", "# one\nholds sub-map 1,0 " MAP_A "\nproved\n", FORM_MAP, "sub-map", MAP_A},
    {"a.case", "# one\nholds points UNDEFINED\nproved\n", FORM_MAP, "points", "UNDEFINED"},
    {"a.case", "# one\nholds contained " MAP_A "\nproved\n", FORM_MAP, "", "contained " MAP_A},
    {"a.case", "# one\ncontained " MAP_A " ; " MAP_B "\nproved\n", FORM_CONTAINED, "",
        MAP_A " ; " MAP_B},
};

static Source source_of(const char *name, const char *text) {
  return (Source){.name = name, .text = text, .length = strlen(text), .first_line = 1};
}

static void each_file_is_recognised(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const SubjectRow *row = &rows[i];
    Source file = source_of(row->path, row->file);
    Subjects subjects;
    Error error = {};
    if (!subjects_read(arena, row->path, &file, &subjects, &error))
      fail_msg("%s: %s", row->file, error.message);
    assert_int_equal(subjects.count, 1);
    const Subject *one = &subjects.items[0];
    bool is_right = one->form == row->form && strcmp(one->kind, row->kind) == 0 &&
                    strcmp(one->text.text, row->text) == 0 &&
                    one->text.length == strlen(one->text.text);
    if (!is_right)
      fail_msg(
          "%s\nform %d, kind '%s', text '%s'", row->file, one->form, one->kind, one->text.text);
  }
}

static void each_map_rule_and_case_is_a_subject(void **) {
  Subjects subjects;
  Error error = {};
  Source maps = source_of("a.maps", MAP_A "\n\n# between\n" MAP_B "\n");
  assert_true(subjects_read(arena, "a.maps", &maps, &subjects, &error));
  assert_int_equal(subjects.count, 2);
  assert_string_equal(subjects.items[1].name, "line 4");
  assert_string_equal(subjects.items[1].text.text, MAP_B);
  Source rules = source_of("a.rules", "# a remark\n\n" RULE "\n rule\tq\n x + 1\n => x\n");
  assert_true(subjects_read(arena, "a.rules", &rules, &subjects, &error));
  assert_int_equal(subjects.count, 2);
  assert_string_equal(subjects.items[0].text.text, "# a remark\n\n" RULE "\n");
  assert_string_equal(subjects.items[1].name, "line 6");
  assert_string_equal(subjects.items[1].text.text, " rule\tq\n x + 1\n => x\n");
  assert_int_equal(subjects.items[1].text.first_line, 6);
  Source cases = source_of("a.case", "# one\nparse A\n= A\n\n# two\nsimplify B\n= B\n");
  assert_true(subjects_read(arena, "a.case", &cases, &subjects, &error));
  assert_int_equal(subjects.count, 2);
  assert_string_equal(subjects.items[1].name, "two");
  Source log = source_of("log", rows[19].file);
  assert_true(subjects_read(arena, "log", &log, &subjects, &error));
  assert_string_equal(subjects.seed, "123");
  Source none = source_of("a.case", "no case\n");
  assert_false(subjects_read(arena, "a.case", &none, &subjects, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
}

static void a_log_without_a_report_is_none(void **) {
  Subject subject;
  assert_false(subject_of_report(arena, "INFO: Seed: 1\nDone\n", &subject));
  assert_false(subject_of_report(arena, "# fuzz_found_wrong\nHloModule m\n", &subject));
  assert_false(subject_of_report(arena, "# fuzz_found_wrong\n# note: x\nnothing\n", &subject));
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

/* What each text is: its bit for each form is set if it parses as that form. */
static void each_form_reads_its_own_texts(void **) {
  static const struct {
    const char *text;
    uint32_t forms;
  } texts[] = {
      {MAP_A, 1u << FORM_MAP},
      {"KNOWN EMPTY", 1u << FORM_MAP},
      {MAP_A " ; " MAP_B, 1u << FORM_MAP | 1u << FORM_COMPOSE | 1u << FORM_SAME |
                              1u << FORM_RELATION | 1u << FORM_CONTAINED},
      {MAP_A " ; (d0) -> (d1), domain: d0 in [0, 1]", 0},
      {"(d0) -> (d1), domain: d0 in [0, 1] ; " MAP_A, 0},
      {"(d0) -> (d1), domain: d0 in [0, 1]", 0},
      {"HloModule m\n" MODULE, 1u << FORM_MODULE},
      {"HloModule m\nENTRY case {\nROOT r = f32[4] reverse(p), dimensions={0}\n}\n", 0},
      {RULE, 1u << FORM_RULES},
      {"rule r\n  x + 0 = x\n", 0},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (uint32_t form = FORM_MODULE; form <= FORM_TEXT; form++) {
      Source subject = source_of("subject", texts[i].text);
      Error error = {};
      bool reads = (texts[i].forms >> form & 1) != 0 || form == FORM_TEXT;
      if (shrink_subject_reads((ShrinkForm)form, &subject, &error) != reads)
        fail_msg("form %u of %s: %s", form, texts[i].text, error.message);
      assert_int_equal(error.kind == ERROR_NONE, reads);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_form_reads_its_own_texts),
      cmocka_unit_test(each_file_is_recognised),
      cmocka_unit_test(each_map_rule_and_case_is_a_subject),
      cmocka_unit_test(a_log_without_a_report_is_none),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
