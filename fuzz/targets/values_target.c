/* The bytes encode an HLO graph and an edit of it. The values of both graphs are compared as
 * `affirm equiv` does. Findings: the judges contradict each other, an evaluation without laws
 * refutes what is proved, or an edit that keeps the values is called different.
 *
 * The first byte says how the second graph is made: wrapped in another way, which keeps all values,
 * by the mutator, or by edits of the text, with a seed in the next three bytes. The rest is the
 * graph. An input for which a few seeds make no graph with the same parameters and outputs is
 * counted as rejected. */
#include "core/hlo/read/read.h"
#include "fuzz/harness/harness.h"
#include "fuzz/targets/target.h"
#include "core/base/choices.h"
#include "generate/decode.h"
#include "generate/edit_text.h"
#include "generate/mutate.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/equiv_open.h"

#include <string.h>

/* Graphs of few operations: one that no judge follows makes the outputs unknown. */
static constexpr size_t selector_bytes = 4, most_bytes = fuzz_header_bytes + 4 * fuzz_record_bytes;

typedef struct EditedGraph {
  const char *texts[2];
  const Module *modules[2];
  bool keeps_values;
} EditedGraph;

/* The bits of the header's first byte that wrap the body; the bit that repeats operands stays. */
static constexpr uint8_t wrapping_bits = 7, repeating_bit = 8;

static void decode_before(Harness *harness, EditedGraph *graph, const uint8_t *bytes, size_t size) {
  size_t length;
  const char *text = fuzz_decode_graph(harness->arena, bytes, size, &length);
  graph->texts[0] = text;
  graph->modules[0] = harness_module(harness, text, length, "decoded");
}

/* False if the text is no module, or its parameters or outputs do not correspond. */
static bool read_after(Harness *harness, EditedGraph *graph, const char *text) {
  Source *source = ARENA_NEW(harness->arena, Source, 1);
  *source = (Source){.name = "edited", .text = text, .length = strlen(text), .first_line = 1};
  Error error = {};
  graph->texts[1] = text;
  return hlo_read(harness->arena, source, &graph->modules[1], &error) &&
         equiv_entries_match(graph->modules[0], graph->modules[1], &error);
}

/* Edits the bytes or the text until the result is a graph that can be compared. False after a few
 * seeds. */
static bool decode_near(Harness *harness, EditedGraph *graph, bool edits_text, uint32_t seed,
    const uint8_t *bytes, size_t size) {
  static constexpr uint32_t tries = 48;
  uint8_t mutated[most_bytes];
  for (uint32_t i = 0; i < tries; i++) {
    const char *text;
    if (edits_text) {
      RandomChoices choices = choices_of_seed(seed + i);
      text = edit_text(harness->arena, graph->texts[0], &choices.choices);
    } else {
      size_t length;
      memcpy(mutated, bytes, size);
      length = fuzz_mutate_graph(mutated, size, most_bytes, seed + i, nullptr);
      text = fuzz_decode_graph(harness->arena, mutated, length, &length);
    }
    if (strcmp(text, graph->texts[0]) != 0 && read_after(harness, graph, text)) return true;
  }
  return false;
}

static bool decode_edited(Harness *harness, const uint8_t *bytes, size_t size, EditedGraph *graph) {
  uint8_t selector[selector_bytes] = {}, wrapped[most_bytes] = {};
  size_t head = size < selector_bytes ? size : selector_bytes;
  memcpy(selector, bytes, head);
  bytes += head;
  size = size - head < most_bytes ? size - head : most_bytes;
  memcpy(wrapped, bytes, size);
  decode_before(harness, graph, bytes, size);
  graph->keeps_values = selector[0] % 4 == 0 && size > 0 && (wrapped[0] & repeating_bit) == 0;
  if (!graph->keeps_values) {
    uint32_t seed = selector[1] | (uint32_t)selector[2] << 8 | (uint32_t)selector[3] << 16;
    return decode_near(harness, graph, selector[0] % 4 > 1, seed, bytes, size);
  }
  wrapped[0] = (wrapped[0] & ~wrapping_bits) | (selector[1] & wrapping_bits);
  return read_after(harness, graph, fuzz_decode_graph(harness->arena, wrapped, size, &head));
}

/* The texts are modules of one file, which `affirm equiv` compares. */
[[noreturn]] static void values_fail(
    Harness *harness, const EditedGraph *graph, FindingKind kind, uint32_t leaf, const char *what) {
  harness_fail(kind, arena_printf(harness->arena, "%s\n%s", graph->texts[0], graph->texts[1]),
      "output %u: %s", leaf, what);
}

/* True if an evaluation of the output that uses no laws shows different values. */
static bool values_differ(Harness *harness, const EditedGraph *graph, uint32_t leaf) {
  EquivValues values;
  ValuesVerdict verdict;
  Error error = {};
  if (!equiv_values_create(harness->arena, graph->modules[0], graph->modules[1],
          &(ValuesLimits){.elements = 4096, .grade = LAW_NONE}, &values, &error))
    return false;
  equiv_values_query(&values, leaf, &verdict);
  return verdict.answer == REASON_DIFFERENT;
}

static void check_output(
    Harness *harness, const EditedGraph *graph, const EquivValues *values, uint32_t leaf) {
  EquivValuesVerdict verdict;
  equiv_values_judge(values, leaf, &verdict);
  harness->answers[verdict.answer]++;
  if (verdict.answer == REASON_DISSENT)
    values_fail(harness, graph, FOUND_DISAGREE, leaf, verdict.reason);
  if (verdict.answer == REASON_DIFFERENT && graph->keeps_values)
    values_fail(harness, graph, FOUND_VALUES, leaf, "called different, and is wrapped differently");
  if (verdict.answer == REASON_EXACT && values_differ(harness, graph, leaf))
    values_fail(harness, graph, FOUND_VALUES, leaf, "called the same, and evaluates differently");
}

static void check_values(Harness *harness, const EditedGraph *graph) {
  Smt *smt = smt_create(harness->context, nullptr);
  EquivValues values;
  Error error = {};
  if (equiv_values_open(harness->arena, graph->modules[0], graph->modules[1],
          &(ValuesLimits){.elements = 4096, .grade = LAW_EXACT}, smt, &values, &error)) {
    for (uint32_t leaf = 0; leaf < values.leaf_count; leaf++)
      check_output(harness, graph, &values, leaf);
    equiv_values_close(&values);
  } else {
    harness->rejected++;
  }
  smt_destroy(smt);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  EditedGraph graph = {};
  harness->compares_values = true;
  if (decode_edited(harness, bytes, size, &graph)) check_values(harness, &graph);
  else harness->rejected++;
  return 0;
}

/* Mutates the graph, and now and then the selector alone. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned int seed) {
  if (size < selector_bytes || capacity <= selector_bytes) {
    memset(bytes, 0, capacity < selector_bytes ? capacity : selector_bytes);
    return capacity < selector_bytes ? capacity : selector_bytes;
  }
  if (seed % 4 == 0) {
    bytes[seed / 4 % selector_bytes] = (uint8_t)(seed >> 8);
    return size;
  }
  return selector_bytes + fuzz_mutate_graph(bytes + selector_bytes, size - selector_bytes,
                              capacity - selector_bytes, seed, nullptr);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
    size_t second_size, uint8_t *out, size_t capacity, unsigned int seed) {
  if (first_size < selector_bytes || second_size < selector_bytes || capacity < selector_bytes)
    return 0;
  memcpy(out, first, selector_bytes);
  return selector_bytes + fuzz_cross_graphs(first + selector_bytes, first_size - selector_bytes,
                              second + selector_bytes, second_size - selector_bytes,
                              out + selector_bytes, capacity - selector_bytes, seed);
}
