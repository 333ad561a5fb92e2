/* Collectives in several forms: started and done, with groups as lists, iotas and meshes, and in
 * any order. All pairs of forms are judged: two have the same values if and only if they are the
 * same operation over the same set of groups. Each row prints what both judges say, and each judge
 * must decide the equal pairs alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judge/graphs/equiv_open.h"
#include "judge/test/read_module.h"

typedef struct DevicesText {
  const char *text, *set; /* the attribute's value, and its groups in the order of their members */
} DevicesText;

static const DevicesText group_texts[] = {
    {"{{0,1},{2,3}}", "01 23"},
    {"{{2,3},{0,1}}", "01 23"},
    {"[2,2]<=[4]", "01 23"},
    {"[2,2]<=[2,2]T(0,1)", "01 23"},
    {"mesh['x'=2,'y'=2] {'y'}", "01 23"},
    {"{{1,0},{2,3}}", "10 23"},
    {"{{2,3},{1,0}}", "10 23"},
    {"{{0,1},{3,2}}", "01 32"},
    {"{{0,2},{1,3}}", "02 13"},
    {"[2,2]<=[2,2]T(1,0)", "02 13"},
    {"mesh['x'=2,'y'=2] {'x'}", "02 13"},
    {"{{0,3},{1,2}}", "03 12"},
};

static const DevicesText pair_texts[] = {
    {"{{0,1},{1,2}}", "01 12"},
    {"{{1,2},{0,1}}", "01 12"},
    {"{{1,0},{2,1}}", "10 21"},
    {"{{0,1}}", "01"},
    {"{{0,1},{1,2},{2,0}}", "01 12 20"},
    {"{{2,0},{1,2},{0,1}}", "01 12 20"},
};

typedef struct DevicesForm {
  const char *kind, *attribute, *lines;
} DevicesForm;

#define DONE(shape, name) "ROOT r = " shape " " name "-done(s)"

/* `%s` is the attribute. */
static const DevicesForm forms[] = {
    {"all-reduce", "replica_groups", "ROOT r = s32[4] all-reduce(p), to_apply=add, %s"},
    {"all-reduce", "replica_groups",
        "s = s32[4] all-reduce-start(p), to_apply=add, %s\n" DONE("s32[4]", "all-reduce")},
    {"all-reduce by max", "replica_groups", "ROOT r = s32[4] all-reduce(p), to_apply=max, %s"},
    {"all-gather", "replica_groups", "ROOT r = s32[8] all-gather(p), dimensions={0}, %s"},
    {"all-gather", "replica_groups",
        "s = (s32[4], s32[8]) all-gather-start(p), dimensions={0}, %s\n" DONE(
            "s32[8]", "all-gather")},
    {"all-gather", "replica_groups",
        "s = (s32[4], s32[8]) all-gather-start(p), dimensions={0}, %s\n"
        "ROOT r = s32[8] get-tuple-element(s), index=1"},
    {"all-gather of two", "replica_groups",
        "s = ((s32[4], s32[4]), (s32[8], s32[8])) all-gather-start(p, q), dimensions={0}, %s\n"
        "d = (s32[8], s32[8]) all-gather-done(s)\nROOT r = s32[8] get-tuple-element(d), index=1"},
    {"all-gather of two", "replica_groups",
        "d = (s32[8], s32[8]) all-gather(p, q), dimensions={0}, %s\n"
        "ROOT r = s32[8] get-tuple-element(d), index=1"},
    {"the first of two", "replica_groups",
        "d = (s32[8], s32[8]) all-gather(p, q), dimensions={0}, %s\n"
        "ROOT r = s32[8] get-tuple-element(d), index=0"},
    {"scattered", "replica_groups",
        "a = s32[2] reduce-scatter(p), dimensions={0}, to_apply=add, %s\n"
        "ROOT r = s32[4] concatenate(a, a), dimensions={0}"},
    {"exchanged", "replica_groups", "ROOT r = s32[4] all-to-all(p), dimensions={0}, %s"},
    {"broadcast", "replica_groups", "ROOT r = s32[4] collective-broadcast(p), %s"},
    {"permuted", "source_target_pairs", "ROOT r = s32[4] collective-permute(p), %s"},
    {"permuted", "source_target_pairs",
        "s = (s32[4], s32[4], u32[], u32[]) collective-permute-start(p), %s\n" DONE(
            "s32[4]", "collective-permute")},
};

/* Parts of a start that are no result of the collective. */
#define OF_START(index) \
  "HloModule m\nENTRY e {\np = s32[4] parameter(0)\nq = s32[4] parameter(1)\n" \
  "s = (s32[4], s32[8]) all-gather-start(p), dimensions={0}, replica_groups={{0,1}}\n" \
  "ROOT r = s32[4] " index "\n}\n"

static const char *text_of(Arena *arena, const DevicesForm *form, const DevicesText *devices) {
  Text text = text_create(arena);
  const char *at = strstr(form->lines, "%s");
  assert_non_null(at);
  text_string(&text,
      "HloModule m\nadd {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"
      "max {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] maximum(x, y)\n}\n"
      "ENTRY e {\np = s32[4] parameter(0)\nq = s32[4] parameter(1)\n");
  text_printf(&text, "%.*s%s=%s%s\n}\n", (int)(at - form->lines), form->lines, form->attribute,
      devices->text, at + 2);
  return text.bytes;
}

typedef struct DevicesAnswer {
  bool joined, oracle, smt; /* whether the same values are proved */
} DevicesAnswer;

static DevicesAnswer answer_about(const char *before, const char *after) {
  Arena *arena = arena_create();
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  EquivValues values;
  Error error = {};
  EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
  assert_true(equiv_values_open(arena, module_of(arena, before), module_of(arena, after),
      &(ValuesLimits){.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000}, smt, &values,
      &error));
  equiv_values_query(&values, 0, &verdict->values);
  DevicesAnswer answer = {.oracle = verdict->values.answer == REASON_EXACT};
  equiv_values_judge(&values, 0, verdict);
  answer.joined = equiv_values_status(verdict->answer) == STATUS_PROVED;
  answer.smt = verdict->proof.status == VERDICT_PROVED;
  equiv_values_close(&values);
  smt_destroy(smt);
  map_context_destroy(context);
  arena_destroy(arena);
  return answer;
}

static uint32_t check_pair(const char *before, const char *after, bool is_same) {
  DevicesAnswer answer = answer_about(before, after);
  if (answer.joined == is_same && answer.oracle == is_same && answer.smt == is_same) return 0;
  print_message("%s and\n%s%s: the oracle %s, smt %s\n", before, after,
      is_same ? "are the same" : "differ", answer.oracle ? "same" : "open",
      answer.smt ? "same" : "open");
  return 1;
}

static const DevicesText *texts_of(const DevicesForm *form, size_t *count) {
  bool has_groups = strcmp(form->attribute, "replica_groups") == 0;
  *count = has_groups ? sizeof group_texts / sizeof *group_texts
                      : sizeof pair_texts / sizeof *pair_texts;
  return has_groups ? group_texts : pair_texts;
}

static uint32_t check_forms(Arena *arena, const DevicesForm *a, const DevicesForm *b) {
  size_t first, second;
  const DevicesText *before = texts_of(a, &first), *after = texts_of(b, &second);
  uint32_t failed = 0;
  for (size_t i = 0; i < first; i++)
    for (size_t k = 0; k < second; k++) {
      if (i > 0 && strcmp(before[i].set, before[i - 1].set) == 0) continue;
      bool is_same = strcmp(a->kind, b->kind) == 0 && strcmp(before[i].set, after[k].set) == 0;
      failed += check_pair(text_of(arena, a, &before[i]), text_of(arena, b, &after[k]), is_same);
    }
  return failed;
}

/* Each set of groups once before, each text after. */
static void forms_of_one_collective(void **) {
  Arena *arena = arena_create();
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (size_t k = i; k < sizeof forms / sizeof *forms; k++)
      if (strcmp(forms[i].kind, forms[k].kind) == 0)
        failed += check_forms(arena, &forms[i], &forms[k]);
  assert_int_equal(failed, 0);
  arena_destroy(arena);
}

static bool has_same_shape(const DevicesForm *a, const DevicesForm *b) {
  static const char root[] = "ROOT r = ", *shape = "s32[4]";
  const char *one = strstr(a->lines, root) + strlen(root),
             *other = strstr(b->lines, root) + strlen(root);
  return strncmp(one, other, strlen(shape)) == 0;
}

static void other_collectives_differ(void **) {
  Arena *arena = arena_create();
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
      const DevicesForm *a = &forms[i], *b = &forms[k];
      if (strcmp(a->kind, b->kind) == 0 || !has_same_shape(a, b)) continue;
      size_t first, second;
      const DevicesText *before = texts_of(a, &first), *after = texts_of(b, &second);
      failed += check_pair(text_of(arena, a, before), text_of(arena, b, after), false);
    }
  assert_int_equal(failed, 0);
  arena_destroy(arena);
}

static void a_start_has_its_operand(void **) {
  uint32_t failed = 0;
  const char *started = OF_START("get-tuple-element(s), index=0");
  failed += check_pair(started, OF_START("copy(p)"), true);
  failed += check_pair(started, OF_START("copy(q)"), false);
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_of_one_collective),
      cmocka_unit_test(other_collectives_differ),
      cmocka_unit_test(a_start_has_its_operand),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
