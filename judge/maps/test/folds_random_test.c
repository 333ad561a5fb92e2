/* Random chains of sums, or of maxima, of moved elements, in pairs of one shape. The test computes
 * how often each element of the parameter is in each element of the output: two sums are the same
 * if and only if these numbers are, two maxima if they are of the same elements and both of the
 * initial value 0, or neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/maps/judge.h"
#include "oracle/equivalence/same_values.h"

static uint64_t state_of_folds = 31;

static uint32_t fold_below(uint32_t end) {
  state_of_folds = state_of_folds * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_folds >> 33) % end;
}

/* ---- chains ---- */

typedef enum FoldStepKind : uint8_t {
  FOLD_REDUCE,    /* over the dimension */
  FOLD_WINDOW,    /* of `by` + 1 elements of the dimension, with `at` zeros before them */
  FOLD_MERGE,     /* the dimension and the next are one */
  FOLD_TRANSPOSE, /* the dimension and the next are exchanged */
  FOLD_REVERSE,
  FOLD_SLICE,  /* from `at` on, `by` + 1 elements apart */
  FOLD_PAD,    /* with `at` zeros before and `by` after */
  FOLD_SPREAD, /* broadcast to a new dimension of two before the dimension */
} FoldStepKind;

typedef struct FoldStep {
  FoldStepKind kind;
  uint32_t dimension;
  int64_t at, by;
} FoldStep;

static constexpr uint32_t most_rank = 3, most_steps = 5, input_size = 12, most_folded = 48;

typedef struct FoldChain {
  uint32_t count;
  FoldStep steps[most_steps];
} FoldChain;

/* How often each element of the parameter occurs, and the constant 0. */
typedef struct FoldedElement {
  uint8_t times[input_size + 1];
} FoldedElement;

typedef struct FoldedArray {
  uint32_t rank;
  int64_t sizes[most_rank];
  FoldedElement elements[most_folded];
} FoldedArray;

static int64_t folded_count(const FoldedArray *array) {
  int64_t count = 1;
  for (uint32_t i = 0; i < array->rank; i++) count *= array->sizes[i];
  return count;
}

static void folded_index(const FoldedArray *array, int64_t number, int64_t *at) {
  for (uint32_t i = array->rank; i-- > 0; number /= array->sizes[i])
    at[i] = number % array->sizes[i];
}

static FoldedElement folded_at(const FoldedArray *array, const int64_t *at) {
  FoldedElement zero = {.times = {[input_size] = 1}};
  int64_t number = 0;
  for (uint32_t i = 0; i < array->rank; i++) {
    if (at[i] < 0 || at[i] >= array->sizes[i]) return zero;
    number = number * array->sizes[i] + at[i];
  }
  return array->elements[number];
}

/* From the initial value 0. */
static FoldedElement fold_along(
    const FoldedArray *array, int64_t *at, uint32_t dimension, int64_t count) {
  FoldedElement sum = {.times = {[input_size] = 1}};
  for (int64_t i = 0; i < count; i++, at[dimension]++) {
    FoldedElement next = folded_at(array, at);
    for (uint32_t k = 0; k <= input_size; k++) sum.times[k] += next.times[k];
  }
  return sum;
}

/* The shape; false if there is none, or no element, or there are too many. */
static bool fold_shape(const FoldStep *step, FoldedArray *array) {
  uint32_t d = step->dimension;
  bool is_pair = step->kind == FOLD_MERGE || step->kind == FOLD_TRANSPOSE;
  if (d + is_pair >= array->rank) return false;
  int64_t *size = &array->sizes[d], next = is_pair ? size[1] : 0;
  switch (step->kind) {
    case FOLD_REDUCE:
    case FOLD_MERGE:
      if (is_pair) size[1] *= *size;
      memmove(size, size + 1, (--array->rank - d) * sizeof *size);
      break;
    case FOLD_WINDOW: *size += step->at - step->by; break;
    case FOLD_TRANSPOSE:
      size[1] = size[0];
      size[0] = next;
      break;
    case FOLD_REVERSE: break;
    case FOLD_SLICE:
      *size = *size <= step->at ? 0 : (*size - step->at - 1) / (step->by + 1) + 1;
      break;
    case FOLD_PAD: *size += step->at + step->by; break;
    case FOLD_SPREAD:
      if (array->rank == most_rank) return false;
      memmove(size + 1, size, (array->rank++ - d) * sizeof *size);
      *size = 2;
      break;
  }
  for (uint32_t i = 0; i < array->rank; i++)
    if (array->sizes[i] <= 0) return false;
  return folded_count(array) <= most_folded;
}

static FoldedElement folded_element(const FoldStep *step, const FoldedArray *from, int64_t *at) {
  uint32_t d = step->dimension;
  int64_t first = at[d];
  switch (step->kind) {
    case FOLD_REDUCE:
    case FOLD_MERGE:
      memmove(at + d + 1, at + d, (most_rank - d) * sizeof *at);
      at[d] = 0;
      if (step->kind == FOLD_REDUCE) return fold_along(from, at, d, from->sizes[d]);
      at[d] = first / from->sizes[d + 1];
      at[d + 1] = first % from->sizes[d + 1];
      break;
    case FOLD_WINDOW: at[d] -= step->at; return fold_along(from, at, d, step->by + 1);
    case FOLD_TRANSPOSE:
      at[d] = at[d + 1];
      at[d + 1] = first;
      break;
    case FOLD_REVERSE: at[d] = from->sizes[d] - 1 - first; break;
    case FOLD_SLICE: at[d] = step->at + first * (step->by + 1); break;
    case FOLD_PAD: at[d] -= step->at; break;
    case FOLD_SPREAD: memmove(at + d, at + d + 1, (most_rank - d) * sizeof *at); break;
  }
  return folded_at(from, at);
}

static bool fold_array(const FoldStep *step, FoldedArray *array) {
  FoldedArray from = *array;
  if (!fold_shape(step, array)) return false;
  for (int64_t i = 0; i < folded_count(array); i++) {
    int64_t at[most_rank + 1] = {};
    folded_index(array, i, at);
    array->elements[i] = folded_element(step, &from, at);
  }
  return true;
}

static FoldedArray folded_begin(void) {
  FoldedArray array = {.rank = 3, .sizes = {2, 3, 2}};
  for (uint32_t i = 0; i < input_size; i++) array.elements[i].times[i] = 1;
  return array;
}

static bool fold_chain(const FoldChain *chain, FoldedArray *array) {
  *array = folded_begin();
  for (uint32_t i = 0; i < chain->count; i++)
    if (!fold_array(&chain->steps[i], array)) return false;
  return true;
}

/* Of a maximum it counts whether there are any, of a sum zeros do not count. */
static bool same_folded(const FoldedArray *a, const FoldedArray *b, bool is_maximum) {
  for (int64_t i = 0; i < folded_count(a); i++)
    for (uint32_t k = 0; k < input_size + is_maximum; k++) {
      uint8_t x = a->elements[i].times[k], y = b->elements[i].times[k];
      if (is_maximum ? (x > 0) != (y > 0) : x != y) return false;
    }
  return true;
}

static FoldStep draw_step(void) {
  static const FoldStepKind kinds[] = {FOLD_REDUCE, FOLD_REDUCE, FOLD_WINDOW, FOLD_MERGE,
      FOLD_TRANSPOSE, FOLD_REVERSE, FOLD_SLICE, FOLD_PAD, FOLD_SPREAD};
  FoldStep step = {
      .kind = kinds[fold_below(sizeof kinds / sizeof *kinds)], .dimension = fold_below(most_rank)};
  if (step.kind == FOLD_WINDOW || step.kind == FOLD_SLICE || step.kind == FOLD_PAD) {
    step.at = fold_below(2);
    step.by = fold_below(2);
  }
  return step;
}

static FoldChain draw_fold_chain(void) {
  FoldChain chain = {.count = 2 + fold_below(most_steps - 1)};
  for (uint32_t i = 0; i < chain.count; i++) chain.steps[i] = draw_step();
  return chain;
}

/* One step is another one, or two are exchanged. */
static FoldChain change_fold_chain(FoldChain chain) {
  uint32_t at = fold_below(chain.count), other = fold_below(chain.count);
  FoldStep step = chain.steps[at];
  chain.steps[at] = fold_below(2) == 0 ? draw_step() : chain.steps[other];
  if (fold_below(2) == 0) chain.steps[other] = step;
  return chain;
}

/* ---- as text ---- */

static void print_folded_shape(Text *text, const FoldedArray *array) {
  text_string(text, "s32[");
  for (uint32_t i = 0; i < array->rank; i++)
    text_printf(text, "%s%d", i == 0 ? "" : ",", (int)array->sizes[i]);
  text_string(text, "] ");
}

/* A number for each dimension, `own` for that of the step. */
static void print_each(Text *text, const FoldStep *step, uint32_t rank, const char *between,
    const char *other, const char *own) {
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%s", i == 0 ? "" : between, i == step->dimension ? own : other);
}

static void print_step(Text *text, uint32_t i, const FoldStep *step, const FoldedArray *from) {
  uint32_t d = step->dimension;
  char own[32];
  switch (step->kind) {
    case FOLD_REDUCE: text_printf(text, "reduce(v%u, z), dimensions={%u}, to_apply=f", i, d); break;
    case FOLD_WINDOW:
      text_printf(text, "reduce-window(v%u, z), window={size=", i);
      snprintf(own, sizeof own, "%d", (int)step->by + 1);
      print_each(text, step, from->rank, "x", "1", own);
      text_string(text, " pad=");
      snprintf(own, sizeof own, "%d_0", (int)step->at);
      print_each(text, step, from->rank, "x", "0_0", own);
      text_string(text, "}, to_apply=f");
      break;
    case FOLD_MERGE: text_printf(text, "reshape(v%u)", i); break;
    case FOLD_TRANSPOSE:
      text_printf(text, "transpose(v%u), dimensions={", i);
      for (uint32_t k = 0; k < from->rank; k++)
        text_printf(text, "%s%u", k == 0 ? "" : ",", k == d ? d + 1 : k == d + 1 ? d : k);
      text_string(text, "}");
      break;
    case FOLD_REVERSE: text_printf(text, "reverse(v%u), dimensions={%u}", i, d); break;
    case FOLD_SLICE:
      text_printf(text, "slice(v%u), slice={", i);
      for (uint32_t k = 0; k < from->rank; k++)
        text_printf(text, "%s[%d:%d:%d]", k == 0 ? "" : ", ", k == d ? (int)step->at : 0,
            (int)from->sizes[k], k == d ? (int)step->by + 1 : 1);
      text_string(text, "}");
      break;
    case FOLD_PAD:
      text_printf(text, "pad(v%u, z), padding=", i);
      snprintf(own, sizeof own, "%d_%d", (int)step->at, (int)step->by);
      print_each(text, step, from->rank, "x", "0_0", own);
      break;
    case FOLD_SPREAD:
      text_printf(text, "broadcast(v%u), dimensions={", i);
      for (uint32_t k = 0; k < from->rank; k++)
        text_printf(text, "%s%u", k == 0 ? "" : ",", k + (k >= d));
      text_string(text, "}");
      break;
  }
  text_string(text, "\n");
}

static const Computation *folds_entry(
    Arena *arena, const FoldChain *chain, bool is_maximum, const char **shown) {
  Text text = text_create(arena);
  FoldedArray array = folded_begin();
  text_printf(&text,
      "HloModule m\nf {\na = s32[] parameter(0)\nb = s32[] parameter(1)\nROOT c = s32[] %s(a, b)\n}\n"
      "ENTRY e {\nz = s32[] constant(0)\nv0 = s32[2,3,2] parameter(0)\n",
      is_maximum ? "maximum" : "add");
  for (uint32_t i = 0; i < chain->count; i++) {
    FoldedArray from = array;
    assert_true(fold_array(&chain->steps[i], &array));
    text_printf(&text, "v%u = ", i + 1);
    print_folded_shape(&text, &array);
    print_step(&text, i, &chain->steps[i], &from);
  }
  text_string(&text, "ROOT r = ");
  print_folded_shape(&text, &array);
  text_printf(&text, "copy(v%u)\n}\n", chain->count);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  *shown = text.bytes;
  return module->entry;
}

/* ---- the judges ---- */

typedef struct FoldCounts {
  uint32_t same, other, proved, exact, different;
} FoldCounts;

static void check_folds(Judge *judge, const Computation *const entries[2], bool is_same,
    const char *const shown[2], FoldCounts *counts) {
  Arena *arena = arena_create();
  Verdict verdict;
  Error error = {};
  SmtValues *values = smt_values_create(judge->smt, entries[0], entries[1], LAW_EXACT);
  assert_true(smt_values_query(values, 0, &verdict, &error));
  if (!is_same && verdict.status == VERDICT_PROVED)
    fail_msg("smt: the same\n%s%s", shown[0], shown[1]);
  smt_values_destroy(values);
  ValuesVerdict found;
  OracleValues *oracle =
      oracle_values_create(arena, entries[0], entries[1], &(ValuesLimits){.grade = LAW_EXACT});
  oracle_values_query(oracle, 0, &found);
  if (found.answer == (is_same ? REASON_DIFFERENT : REASON_EXACT))
    fail_msg("the oracle: %s\n%s%s", is_same ? "different" : "the same", shown[0], shown[1]);
  arena_destroy(arena);
  counts->same += is_same;
  counts->other += !is_same;
  counts->proved += verdict.status == VERDICT_PROVED;
  counts->exact += found.answer == REASON_EXACT;
  counts->different += found.answer == REASON_DIFFERENT;
}

/* Two chains of one shape, every second pair the same values. */
static bool draw_folds(FoldChain chains[2], bool is_maximum, bool wants_same) {
  FoldedArray arrays[2];
  chains[0] = draw_fold_chain();
  if (!fold_chain(&chains[0], &arrays[0])) return false;
  for (uint32_t tries = 0; tries < 20; tries++) {
    chains[1] = tries % 2 == 0 ? change_fold_chain(chains[0]) : draw_fold_chain();
    if (memcmp(&chains[0], &chains[1], sizeof *chains) != 0 && fold_chain(&chains[1], &arrays[1]) &&
        arrays[0].rank == arrays[1].rank &&
        memcmp(arrays[0].sizes, arrays[1].sizes, arrays[0].rank * sizeof *arrays->sizes) == 0 &&
        same_folded(&arrays[0], &arrays[1], is_maximum) == wants_same)
      return true;
  }
  return false;
}

static void folds_are_the_same_if_they_are_of_the_same_elements(void **) {
  static constexpr uint32_t rounds = 200;
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_non_null(judge);
  FoldCounts counts = {};
  for (uint32_t round = 0; round < rounds;) {
    FoldChain chains[2];
    bool is_maximum = round / 2 % 2 == 0, is_same = round % 2 == 0;
    if (!draw_folds(chains, is_maximum, is_same)) continue;
    Arena *arena = arena_create();
    MapMark mark = map_context_mark(judge->context);
    const char *shown[2];
    const Computation *entries[] = {folds_entry(arena, &chains[0], is_maximum, &shown[0]),
        folds_entry(arena, &chains[1], is_maximum, &shown[1])};
    check_folds(judge, entries, is_same, shown, &counts);
    map_context_rewind(judge->context, mark);
    arena_destroy(arena);
    round++;
  }
  assert_int_equal(counts.exact, counts.same);
  assert_int_equal(counts.different, counts.other);
  assert_true(counts.proved * 4 > counts.same * 3);
  print_message("%u same, %u proved, %u exact; %u others, %u different\n", counts.same,
      counts.proved, counts.exact, counts.other, counts.different);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_are_the_same_if_they_are_of_the_same_elements),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
