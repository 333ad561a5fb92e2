/* Sums over windows of padded arrays, up to three stages deep, against a definition. Documents
 * differ on whether a window folds its initial value for each position of padding. So two graphs
 * are the same only if their sums agree both ways. Each element is a sum of the parameter's
 * elements and a constant, one for each way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

static constexpr uint32_t most_stages = 3, most_elements = 12, most_inputs_padded = 3;

/* `{low, high, interior}` of a pad, or a window over the elements with that padding and dilation.
 */
typedef struct PaddingStage {
  bool is_window;
  int32_t low, high, interior;
  int32_t size, stride, dilation; /* of the window */
  int32_t value;                  /* the initial or the padding one */
} PaddingStage;

typedef struct PaddingGraph {
  uint32_t count;
  PaddingStage stages[most_stages];
} PaddingGraph;

/* `sums[0]`: padding is not folded; `sums[1]`: each position of it is an initial value. */
typedef struct PaddedSum {
  int64_t of[most_inputs_padded], sums[2];
} PaddedSum;

typedef struct PaddedRow {
  uint32_t count;
  PaddedSum items[most_elements];
} PaddedRow;

static uint64_t state_of_padding = 5;

static int32_t padding_draw(int32_t from, int32_t to) {
  state_of_padding =
      state_of_padding * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return from + (int32_t)((state_of_padding >> 33) % (uint64_t)(to - from + 1));
}

/* ---- the definition ---- */

static int32_t padded_length(const PaddingStage *stage, int32_t count) {
  return stage->low + stage->high + (count == 0 ? 0 : (count - 1) * (stage->interior + 1) + 1);
}

/* The element at a position of the padded array; -1: padding or a hole. */
static int32_t padded_element(const PaddingStage *stage, int32_t count, int32_t position) {
  int32_t ahead = position - stage->low, apart = stage->interior + 1;
  return ahead >= 0 && ahead % apart == 0 && ahead / apart < count ? ahead / apart : -1;
}

static void sum_add(PaddedSum *sum, const PaddedSum *other) {
  for (uint32_t i = 0; i < most_inputs_padded; i++) sum->of[i] += other->of[i];
  for (uint32_t i = 0; i < 2; i++) sum->sums[i] += other->sums[i];
}

static PaddedSum window_sum(const PaddingStage *stage, const PaddedRow *row, int32_t output) {
  PaddedSum sum = {.sums = {stage->value, stage->value}};
  for (int32_t i = 0; i < stage->size; i++) {
    int32_t at =
        padded_element(stage, (int32_t)row->count, output * stage->stride + i * stage->dilation);
    if (at >= 0) sum_add(&sum, &row->items[at]);
    else sum.sums[1] += stage->value;
  }
  return sum;
}

/* False if the stage has no elements or too many. */
static bool stage_apply(const PaddingStage *stage, PaddedRow *row) {
  PaddedRow next = {};
  int32_t length = padded_length(stage, (int32_t)row->count),
          reach = (stage->size - 1) * stage->dilation + 1,
          count = !stage->is_window ? length
                  : length < reach  ? 0
                                    : (length - reach) / stage->stride + 1;
  if (count < 1 || count > (int32_t)most_elements) return false;
  for (int32_t i = 0; i < count; i++) {
    int32_t at = padded_element(stage, (int32_t)row->count, i);
    next.items[i] = stage->is_window ? window_sum(stage, row, i)
                    : at >= 0        ? row->items[at]
                                     : (PaddedSum){.sums = {stage->value, stage->value}};
  }
  next.count = (uint32_t)count;
  *row = next;
  return true;
}

static bool graph_row(const PaddingGraph *graph, uint32_t inputs, PaddedRow *row) {
  *row = (PaddedRow){.count = inputs};
  for (uint32_t i = 0; i < inputs; i++) row->items[i].of[i] = 1;
  for (uint32_t i = 0; i < graph->count; i++)
    if (!stage_apply(&graph->stages[i], row)) return false;
  return true;
}

/* ---- the graphs ---- */

static const char *graph_text(Arena *arena, const PaddingGraph *graph, uint32_t inputs) {
  PaddingGraph part = *graph;
  PaddedRow row;
  Text text = text_create(arena);
  text_printf(&text,
      "HloModule m\nadd {\na = s32[] parameter(0)\nb = s32[] parameter(1)\n"
      "ROOT c = s32[] add(a, b)\n}\nENTRY e {\nx0 = s32[%u] parameter(0)\n",
      inputs);
  for (uint32_t i = 0; i < graph->count; i++) {
    const PaddingStage *stage = &graph->stages[i];
    part.count = i + 1;
    assert_true(graph_row(&part, inputs, &row));
    text_printf(
        &text, "c%u = s32[] constant(%d)\nx%u = s32[%u] ", i, stage->value, i + 1, row.count);
    if (stage->is_window)
      text_printf(&text,
          "reduce-window(x%u, c%u), window={size=%d stride=%d pad=%d_%d lhs_dilate=%d "
          "rhs_dilate=%d}, to_apply=add\n",
          i, i, stage->size, stage->stride, stage->low, stage->high, stage->interior + 1,
          stage->dilation);
    else
      text_printf(&text, "pad(x%u, c%u), padding=%d_%d_%d\n", i, i, stage->low, stage->high,
          stage->interior);
  }
  text_printf(&text, "ROOT r = s32[%u] copy(x%u)\n}\n", row.count, graph->count);
  return text.bytes;
}

static PaddingStage draw_stage(void) {
  bool is_window = padding_draw(0, 2) > 0;
  return (PaddingStage){.is_window = is_window,
      .low = padding_draw(-1, 2),
      .high = padding_draw(-1, 2),
      .interior = padding_draw(0, 3) == 0,
      .size = is_window ? padding_draw(1, 3) : 1,
      .stride = is_window ? padding_draw(1, 2) : 1,
      .dilation = is_window ? 1 + (padding_draw(0, 3) == 0) : 1,
      .value = padding_draw(0, 1)};
}

static PaddingGraph draw_graph(void) {
  PaddingGraph graph = {.count = (uint32_t)padding_draw(1, 2)};
  for (uint32_t i = 0; i < graph.count; i++) graph.stages[i] = draw_stage();
  return graph;
}

/* A number of one stage is another one. */
static void change_number(PaddingGraph *graph) {
  PaddingStage *stage = &graph->stages[padding_draw(0, (int32_t)graph->count - 1)],
               drawn = draw_stage();
  switch (padding_draw(0, 7)) {
    case 0: stage->low = drawn.low; return;
    case 1: stage->high = drawn.high; return;
    case 2: stage->value = 1 - stage->value; return;
    case 3: stage->interior = drawn.interior; return;
    case 4: stage->size = stage->is_window ? padding_draw(1, 3) : 1; return;
    case 5: stage->stride = stage->is_window ? padding_draw(1, 2) : 1; return;
    default: /* one position more on the left */
      stage->size += stage->is_window;
      stage->low += stage->is_window;
  }
}

/* The padding of a window becomes an operation before it. */
static void split_padding(PaddingGraph *graph) {
  for (uint32_t i = 0; i < graph->count && graph->count < most_stages; i++) {
    if (!graph->stages[i].is_window) continue;
    for (uint32_t k = graph->count++; k > i; k--) graph->stages[k] = graph->stages[k - 1];
    PaddingStage *window = &graph->stages[i + 1];
    graph->stages[i] = (PaddingStage){.low = window->low,
        .high = window->high,
        .interior = window->interior,
        .size = 1,
        .stride = 1,
        .dilation = 1,
        .value = padding_draw(0, 1)};
    window->low = window->high = window->interior = 0;
    return;
  }
}

/* ---- the judges ---- */

typedef struct PaddingCounts {
  uint32_t same, other, by_oracle, by_smt, different;
} PaddingCounts;

static bool rows_agree(const PaddedRow *a, const PaddedRow *b) {
  return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

static const Module *padding_module(Arena *arena, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static void check_graphs(Smt *smt, const char *const texts[2], bool agree, PaddingCounts *counts) {
  Arena *arena = arena_create();
  EquivValues values;
  EquivValuesVerdict verdict;
  ValuesVerdict alone;
  Error error = {};
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000};
  assert_true(equiv_values_open(arena, padding_module(arena, texts[0]),
      padding_module(arena, texts[1]), &limits, smt, &values, &error));
  equiv_values_query(&values, 0, &alone);
  equiv_values_judge(&values, 0, &verdict);
  bool by_oracle = alone.answer == REASON_EXACT, by_smt = verdict.proof.status == VERDICT_PROVED;
  if ((by_oracle || by_smt) && !agree)
    fail_msg(
        "%s proves the same values of\n%s%s", by_oracle ? "oracle" : "smt", texts[0], texts[1]);
  if (verdict.answer == REASON_DIFFERENT && agree)
    fail_msg("different values of\n%s%s", texts[0], texts[1]);
  counts->same += agree;
  counts->other += !agree;
  counts->by_oracle += by_oracle;
  counts->by_smt += by_smt;
  counts->different += verdict.answer == REASON_DIFFERENT;
  equiv_values_close(&values);
  arena_destroy(arena);
}

static void padding_is_folded_or_not(void **) {
  uint32_t rounds = test_length(1'500, 150, 40);
  PaddingCounts counts = {};
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (uint32_t i = 0; i < rounds; i++) {
    PaddingGraph graphs[2];
    PaddedRow rows[2];
    uint32_t inputs;
    do {
      inputs = (uint32_t)padding_draw(1, (int32_t)most_inputs_padded);
      graphs[0] = graphs[1] = draw_graph();
      int32_t how = padding_draw(0, 3);
      if (how == 0) graphs[1] = draw_graph();
      if (how > 1) split_padding(&graphs[1]);
      if (how < 3 && padding_draw(0, 1) == 0) change_number(&graphs[1]);
    } while (!graph_row(&graphs[0], inputs, &rows[0]) || !graph_row(&graphs[1], inputs, &rows[1]) ||
             rows[0].count != rows[1].count);
    Arena *arena = arena_create();
    const char *texts[2] = {
        graph_text(arena, &graphs[0], inputs), graph_text(arena, &graphs[1], inputs)};
    check_graphs(smt, texts, rows_agree(&rows[0], &rows[1]), &counts);
    arena_destroy(arena);
  }
  smt_destroy(smt);
  map_context_destroy(context);
  print_message("%u same (oracle %u, smt %u), %u other (different %u)\n", counts.same,
      counts.by_oracle, counts.by_smt, counts.other, counts.different);
  assert_true(counts.by_oracle > rounds / 3 && counts.by_smt > rounds / 3);
  assert_true(counts.other > rounds / 4 && counts.different > rounds / 10);
}

static PaddingGraph one_window(int32_t low, int32_t value) {
  PaddingStage stage = {.is_window = true, .low = low, .size = low + 1, .value = value};
  stage.stride = stage.dilation = 1;
  return (PaddingGraph){.count = 1, .stages = {stage}};
}

/* Windows over one element and more or less padding before it. */
static void padding_of_two_lengths_is_not_the_same(void **) {
  PaddingCounts counts = {};
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Arena *arena = arena_create();
  for (int32_t low = 0; low < 3; low++)
    for (int32_t other = 0; other < 3; other++)
      for (int32_t value = 0; value < 2; value++) {
        PaddingGraph graphs[2] = {one_window(low, value), one_window(other, value)};
        const char *texts[2] = {graph_text(arena, &graphs[0], 1), graph_text(arena, &graphs[1], 1)};
        check_graphs(smt, texts, low == other || value == 0, &counts);
      }
  arena_destroy(arena);
  smt_destroy(smt);
  map_context_destroy(context);
  assert_int_equal(counts.same, 12);
  assert_int_equal(counts.by_oracle, 12);
  assert_true(counts.by_smt >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(padding_is_folded_or_not),
      cmocka_unit_test(padding_of_two_lengths_is_not_the_same)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
