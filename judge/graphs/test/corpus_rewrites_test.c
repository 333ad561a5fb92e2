/* The rewrites of the corpus: each keeps values or reads, its broken twin differs for exactly the
 * outputs and parameters that its file names, and open questions stay open for exactly the pairs
 * that are named. One judge alone never says the opposite. AFFIRM_FEW: a third of the values for
 * one judge alone, and for small limits. A brief run has a third of them, and a fourth of the
 * reads: there oracle_corpus_values_test and smt_corpus_pairs_test judge each pair by one judge. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_open.h"

#define REWRITES AFFIRM_SOURCE_DIR "/corpus/rewrites"

static Arena *arena;

typedef struct RewriteFile {
  const char *text;
  const Module *module;
} RewriteFile;

static RewriteFile read_rewrite(const char *directory, const char *name, const char *kind) {
  Source source;
  RewriteFile file = {};
  Error error = {};
  const char *path = arena_printf(arena, "%s/%s.%s.hlo", directory, name, kind);
  if (!file_read(arena, path, (size_t)1 << 24, &source, &error) ||
      !hlo_read(arena, &source, &file.module, &error))
    fail_msg("%s: %s", path, error.message);
  file.text = source.text;
  return file;
}

/* Calls `check` with each name; returns their number. */
static uint32_t for_each(const char *directory, void (*check)(const char *, const char *)) {
  uint32_t count = 0;
  DIR *files = opendir(directory);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    const char *end = strstr(file->d_name, ".before.hlo");
    if (end == nullptr) continue;
    ArenaMark mark = arena_mark(arena);
    check(directory, arena_printf(arena, "%.*s", (int)(end - file->d_name), file->d_name));
    arena_rewind(arena, mark);
    count++;
  }
  closedir(files);
  return count;
}

typedef enum Asked : uint8_t { ASK_BOTH, ASK_ORACLE } Asked;
static Asked asked;

static ValuesLimits limits = {.grade = LAW_EXACT};

/* A judge keeps what it learned of a module, so that each pair of modules has its own. */
static Judge *judge_open(void) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = asked == ASK_ORACLE}, &error);
  assert_non_null(judge);
  return judge;
}

/* The worst answer of all outputs: refuted before unknown before proved. */
static Status values_status(const RewriteFile *before, const RewriteFile *after) {
  EquivValues values;
  Error error = {};
  Judge *judge = judge_open();
  if (!equiv_values_open(arena, before->module, after->module, &limits,
          asked == ASK_ORACLE ? nullptr : judge->smt, &values, &error))
    fail_msg("%s", error.message);
  Status worst = STATUS_PROVED;
  for (uint32_t leaf = 0; leaf < values.leaf_count; leaf++) {
    EquivValuesVerdict verdict;
    equiv_values_judge(&values, leaf, &verdict);
    Status status = equiv_values_status(verdict.answer);
    assert_string_not_equal(equiv_values_text(verdict.answer), "");
    if (verdict.answer == REASON_DISSENT) fail_msg("dissent: %s", verdict.reason);
    if (status == STATUS_REFUTED || (status != STATUS_PROVED && worst == STATUS_PROVED))
      worst = status;
  }
  equiv_values_close(&values);
  judge_destroy(judge);
  return worst;
}

static void check_values(const char *directory, const char *name) {
  RewriteFile before = read_rewrite(directory, name, "before"),
              after = read_rewrite(directory, name, "after"),
              broken = read_rewrite(directory, name, "broken");
  Status kept = values_status(&before, &after), differs = values_status(&before, &broken);
  bool is_whole = asked == ASK_BOTH && limits.elements == 0;
  if (kept == STATUS_REFUTED || (is_whole && kept != STATUS_PROVED))
    fail_msg("%s: status %d", name, kept);
  if (differs == STATUS_PROVED || (is_whole && differs != STATUS_REFUTED))
    fail_msg("%s: the broken twin has status %d", name, differs);
}

/* The pairs with this answer, as the files name them. */
static const char *pairs_with(
    const RewriteFile *before, const RewriteFile *after, VerdictReason answer) {
  Equiv equiv;
  EquivPairs pairs = {};
  Error error = {};
  const char *named = "";
  Judge *judge = judge_open();
  if (!equiv_create(judge, arena, before->module, after->module, &equiv, &error))
    fail_msg("%s", error.message);
  equiv_pairs(&equiv, arena, &pairs);
  for (uint32_t i = 0; i < pairs.count; i++) {
    EquivVerdict verdict;
    equiv_judge(&equiv, pairs.items[i], &verdict);
    assert_non_null(equiv_answer_text(verdict.answer));
    assert_int_not_equal(verdict.answer, REASON_DISSENT);
    if (verdict.answer != answer) continue;
    const Instruction *parameter = before->module->entry->parameters[pairs.items[i].parameter];
    named = arena_printf(arena, "%s%soutput %u parameter %u", named, *named == 0 ? "" : ", ",
        pairs.items[i].output, pairs.items[i].parameter);
    if (shape_leaf_count(parameter->shape) > 1)
      named = arena_printf(arena, "%s.%u", named, pairs.items[i].parameter_leaf);
  }
  judge_destroy(judge);
  return named;
}

/* "// Different: output 0 parameter 1." in the second line. */
static const char *named_pairs(const RewriteFile *file, const char *word) {
  const char *at = strstr(file->text, arena_printf(arena, "\n// %s: ", word));
  if (at == nullptr) return "";
  at += strlen("\n// : ") + strlen(word);
  return arena_printf(arena, "%.*s", (int)strcspn(at, "\n") - 1, at);
}

static void check_reads(const char *directory, const char *name) {
  RewriteFile before = read_rewrite(directory, name, "before"),
              after = read_rewrite(directory, name, "after"),
              broken = read_rewrite(directory, name, "broken");
  bool is_wider = strstr(name, "convolution_padding_legalization") != nullptr;
  const char *open = pairs_with(&before, &after, REASON_OPEN),
             *more = pairs_with(&before, &after, REASON_EXTRA),
             *differ = pairs_with(&before, &after, REASON_DIFFERENT),
             *found = pairs_with(&before, &broken, REASON_DIFFERENT);
  if (*open != 0 || *differ != 0 || (*more != 0) != is_wider)
    fail_msg("%s: open %s, different %s, more %s", name, open, differ, more);
  if (strcmp(found, named_pairs(&broken, "Different")) != 0)
    fail_msg("%s: %s, named %s", name, found, named_pairs(&broken, "Different"));
}

static void check_open(const char *directory, const char *name) {
  RewriteFile before = read_rewrite(directory, name, "before"),
              after = read_rewrite(directory, name, "after");
  assert_string_equal(pairs_with(&before, &after, REASON_DIFFERENT), "");
  assert_string_equal(pairs_with(&before, &after, REASON_OPEN), named_pairs(&after, "Unknown"));
}

/* The sum of a name's bytes chooses one of `parts`. */
static bool is_chosen(const char *name, uint32_t parts) {
  uint32_t sum = 0;
  for (const char *byte = name; *byte != 0; byte++) sum += (unsigned char)*byte;
  return sum % parts == 0;
}

static void say_left_out(uint32_t parts) {
  if (parts > 1) print_message("skipped: all but one of %u rewrites\n", parts);
}

static void check_values_if_chosen(const char *directory, const char *name) {
  if (is_chosen(name, test_length(1, 1, 3))) check_values(directory, name);
}

static void rewrites_keep_values(void **) {
  asked = ASK_BOTH;
  say_left_out(test_length(1, 1, 3));
  assert_true(for_each(REWRITES "/values", check_values_if_chosen) >= 62);
}

static void check_values_of_some(const char *directory, const char *name) {
  if (is_chosen(name, test_length(1, 3, 9))) check_values(directory, name);
}

static void the_oracle_alone_agrees(void **) {
  asked = ASK_ORACLE;
  say_left_out(test_length(1, 3, 9));
  assert_true(for_each(REWRITES "/values", check_values_of_some) >= 62);
}

/* Past a limit an output is open, or the solver decides it. */
static void no_limit_turns_an_answer(void **) {
  asked = ASK_BOTH;
  limits.elements = 10;
  assert_true(for_each(REWRITES "/values", check_values_of_some) >= 62);
  limits.elements = 0;
}

static void check_reads_if_chosen(const char *directory, const char *name) {
  if (is_chosen(name, test_length(1, 1, 4))) check_reads(directory, name);
}

static void rewrites_keep_reads(void **) {
  asked = ASK_BOTH;
  say_left_out(test_length(1, 1, 4));
  assert_true(for_each(REWRITES, check_reads_if_chosen) >= 33);
}

static void open_questions_stay_open(void **) {
  asked = ASK_BOTH;
  assert_true(for_each(REWRITES "/open", check_open) >= 9);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewrites_keep_values),
      cmocka_unit_test(the_oracle_alone_agrees),
      cmocka_unit_test(no_limit_turns_an_answer),
      cmocka_unit_test(rewrites_keep_reads),
      cmocka_unit_test(open_questions_stay_open),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
