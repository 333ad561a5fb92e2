/* Pairs of graphs: all pairs of two-operation chains that start from one shape and whose results
 * have the same shape. Both graphs have the parameters p0 and p1 of the start shape and the offset
 * p2. A case is its choice sequence (core/base/choices.h): the start shape, then form and variant
 * of each operation. */
#include "exhaust/scopes/scope_graphs.h"

#include <assert.h>

#include "core/hlo/print/print.h"

typedef struct GraphPair {
  uint32_t forms, starts; /* how many of the tables' first entries are used */
  Text *text;
  Array results[2];
  bool is_illegal;
} GraphPair;

static const Array starts[] = {{.rank = 1, .sizes = {2}}, {.rank = 2, .sizes = {2, 2}},
    {.rank = 1, .sizes = {3}}, {.rank = 2, .sizes = {1, 3}}, {.rank = 2, .sizes = {3, 2}}};

static uint64_t shape_word(const Array *array) {
  uint64_t word = array->rank;
  for (uint32_t i = 0; i < array->rank; i++) word = word << 16 | (uint64_t)array->sizes[i];
  return word;
}

static void join_chain(const OperationChain *chain, const GraphPair *pair, uint32_t side) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730000);
  choice_key_add(&key, pair->forms | (uint64_t)side << 32 | (uint64_t)chain->made << 40);
  choice_key_add(&key, shape_word(chain->start));
  choice_key_add(&key, shape_word(&chain->value));
  choice_key_add(&key, side == 0 ? 0 : shape_word(&pair->results[0]));
  choices_join(chain->choices, &key);
}

static void graph_begin(FormGraph *graph, Arena *arena, const Array *start) {
  static const ElementType types[] = {TYPE_f32};
  *graph = (FormGraph){.module = hlo_module_builder(arena)};
  graph->sum = hlo_build_combiner(&graph->module, "sum", HLO_ADD, 1, types);
  graph->largest = hlo_build_combiner(&graph->module, "largest", HLO_MAXIMUM, 1, types);
  graph->body = hlo_build_computation(&graph->module, "e");
  Builder *body = &graph->body;
  graph->at_hand = hlo_build_parameter(body, array_shape(body, start));
  graph->other = hlo_build_parameter(body, array_shape(body, start));
  graph->offset = hlo_build_parameter(body, shape_of_scalar(body, TYPE_s32));
  graph->none = build_number(body, TYPE_s32, 0);
  graph->zero = build_number(body, TYPE_f32, 0);
  graph->least = hlo_build_begin(body, HLO_CONSTANT, 0, nullptr);
  if (graph->least != nullptr) graph->least->literal_text = "-inf";
  graph->least = hlo_build_end(body, graph->least, shape_of_scalar(body, TYPE_f32));
}

static void graph_print(FormGraph *graph, uint32_t side, Text *text) {
  Computation *entry = hlo_build_finish(&graph->body, graph->at_hand);
  assert(entry != nullptr);
  const BuiltComputations *all = &graph->module.computations;
  const Module module = {.name = side == 0 ? "before" : "after",
      .computation_count = all->count,
      .computations = all->items,
      .entry = entry};
  entry->is_entry = true;
  hlo_print(text, &module);
  text_string(text, "\n");
}

/* The result of the second chain must have the shape of the first chain's result. */
static void make_pair(void *generator, Choices *choices) {
  GraphPair *pair = generator;
  Array start = starts[choose(choices, pair->starts)];
  pair->is_illegal = false;
  for (uint32_t side = 0; side < 2 && !pair->is_illegal; side++) {
    FormGraph graph;
    const bool is_written = pair->text != nullptr;
    OperationChain chain = {
        .graph = is_written ? &graph : nullptr, .start = &start, .choices = choices};
    chain.value = parameter_of(&start, 0);
    if (is_written) graph_begin(&graph, pair->text->arena, &start);
    for (uint32_t step = 0; step < 2 && !chain.is_illegal; step++) {
      join_chain(&chain, pair, side);
      graph_form_make(&graph_forms[choose(choices, pair->forms)], &chain);
    }
    if (is_written && !chain.is_illegal) graph_print(&graph, side, pair->text);
    pair->results[side] = chain.value;
    pair->is_illegal = chain.is_illegal;
  }
  pair->is_illegal |= !array_same_shape(&pair->results[0], &pair->results[1]);
  if (pair->is_illegal) choices_reject(choices);
}

static GraphPair graph_pair_of(const ScopePlan *plan) {
  assert(plan->limits.rank <= graph_form_count &&
         (uint64_t)plan->limits.elements <= sizeof starts / sizeof *starts);
  return (GraphPair){.forms = plan->limits.rank, .starts = (uint32_t)plan->limits.elements};
}

static ChoiceKey pair_key(const GraphPair *pair) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730001);
  choice_key_add(&key, pair->forms);
  choice_key_add(&key, pair->starts);
  return key;
}

uint64_t scope_graphs_count(ScopePlan *plan) {
  GraphPair pair = graph_pair_of(plan);
  ChoiceKey key = pair_key(&pair);
  return numbering_count(plan->limits.numbering, &key, make_pair, &pair);
}

static void make_case(const ScopePlan *plan, uint64_t k, GraphPair *pair) {
  Sequence sequence;
  ChoiceKey key = pair_key(pair);
  numbering_at(plan->limits.numbering, &key, k, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  make_pair(pair, &given.choices);
  assert(!pair->is_illegal);
}

void scope_write_graphs(const ScopePlan *plan, uint64_t k, Text *text) {
  GraphPair pair = graph_pair_of(plan);
  pair.text = text;
  make_case(plan, k, &pair);
}

void scope_write_graphs_words(Text *text) {
  text_string(text, "two of these, one after another, the first so many:");
  for (uint32_t i = 0; i < graph_form_count; i++)
    text_printf(text, "%s %s", i == 0 ? "" : ";", graph_forms[i].words);
  text_string(text, "\n  on f32 of these shapes, the first so many:");
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    text_string(text, i == 0 ? " [" : ", [");
    text_integers(text, ",", starts[i].rank, starts[i].sizes);
    text_string(text, "]");
  }
}

void scope_graphs_results(const ScopePlan *plan, uint64_t k, Array results[2]) {
  GraphPair pair = graph_pair_of(plan);
  make_case(plan, k, &pair);
  results[0] = pair.results[0];
  results[1] = pair.results[1];
}
