/* Pairs of graphs for the judges of values: all pairs of two-operation chains that start from one
 * shape and whose results have the same shape. Both graphs have the parameters p0 and p1 of the
 * start shape and the offset p2. A case is its choice sequence (generate/choices): the start shape,
 * then form and variant of each operation.
 *
 * The two judges must not contradict each other. Graphs that either judge calls the same must have
 * equal values under three assignments of distinct integers (graph_forms.h). */
#include <assert.h>

#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "exhaust/exhaust_case.h"
#include "exhaust/graph_forms.h"
#include "judge/graphs/equiv_values.h"

typedef struct PairMaker {
  uint32_t forms, starts; /* how many of the tables' first entries are used */
  Text *text;
  Array results[2];
  bool is_illegal;
} PairMaker;

static const Array starts[] = {{.rank = 1, .sizes = {2}}, {.rank = 2, .sizes = {2, 2}},
    {.rank = 1, .sizes = {3}}, {.rank = 2, .sizes = {1, 3}}, {.rank = 2, .sizes = {3, 2}}};

static uint64_t shape_word(const Array *array) {
  uint64_t word = array->rank;
  for (uint32_t i = 0; i < array->rank; i++) word = word << 16 | (uint64_t)array->sizes[i];
  return word;
}

static void join_chain(const OperationChain *chain, const PairMaker *maker, uint32_t side) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730000);
  choice_key_add(&key, maker->forms | (uint64_t)side << 32 | (uint64_t)chain->made << 40);
  choice_key_add(&key, shape_word(chain->start));
  choice_key_add(&key, shape_word(&chain->value));
  choice_key_add(&key, side == 0 ? 0 : shape_word(&maker->results[0]));
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
  PairMaker *maker = generator;
  Array start = starts[choose(choices, maker->starts)];
  maker->is_illegal = false;
  for (uint32_t side = 0; side < 2 && !maker->is_illegal; side++) {
    FormGraph graph;
    const bool is_written = maker->text != nullptr;
    OperationChain chain = {
        .graph = is_written ? &graph : nullptr, .start = &start, .choices = choices};
    chain.value = parameter_of(&start, 0);
    if (is_written) graph_begin(&graph, maker->text->arena, &start);
    for (uint32_t step = 0; step < 2 && !chain.is_illegal; step++) {
      join_chain(&chain, maker, side);
      graph_forms[choose(choices, maker->forms)].make(&chain);
    }
    if (is_written && !chain.is_illegal) graph_print(&graph, side, maker->text);
    maker->results[side] = chain.value;
    maker->is_illegal = chain.is_illegal;
  }
  maker->is_illegal |= !array_same_shape(&maker->results[0], &maker->results[1]);
  if (maker->is_illegal) choices_reject(choices);
}

static PairMaker maker_of(const ScopePlan *plan) {
  assert(plan->limits.rank <= graph_form_count &&
         (uint64_t)plan->limits.elements <= sizeof starts / sizeof *starts);
  return (PairMaker){.forms = plan->limits.rank, .starts = (uint32_t)plan->limits.elements};
}

static ChoiceKey pair_key(const PairMaker *maker) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730001);
  choice_key_add(&key, maker->forms);
  choice_key_add(&key, maker->starts);
  return key;
}

uint64_t scope_graphs_count(ScopePlan *plan) {
  PairMaker maker = maker_of(plan);
  ChoiceKey key = pair_key(&maker);
  plan->limits.numbering = numbering_create(plan->arena);
  return numbering_count(plan->limits.numbering, &key, make_pair, &maker);
}

static void make_case(const ScopePlan *plan, uint64_t k, PairMaker *maker) {
  Sequence sequence;
  ChoiceKey key = pair_key(maker);
  numbering_at(plan->limits.numbering, &key, k, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  make_pair(maker, &given.choices);
  assert(!maker->is_illegal);
}

void scope_write_graphs(const ScopePlan *plan, uint64_t k, Text *text) {
  PairMaker maker = maker_of(plan);
  maker.text = text;
  make_case(plan, k, &maker);
}

void scope_write_graphs_words(Text *text) {
  text_string(text, "two of these, one after another, the first so many:");
  for (uint32_t i = 0; i < graph_form_count; i++)
    text_printf(text, "%s %s", i == 0 ? "" : ";", graph_forms[i].words);
  text_string(text, "\n  on f32 of these shapes, the first so many:");
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    text_string(text, i == 0 ? " [" : ", [");
    for (uint32_t k = 0; k < starts[i].rank; k++)
      text_printf(text, "%s%lld", k == 0 ? "" : ",", (long long)starts[i].sizes[k]);
    text_string(text, "]");
  }
}

/* ---- judging ---- */

/* Finds the first element whose values differ under one of the three assignments. */
static bool values_differ(const PairMaker *maker, uint32_t *assignment, int64_t *at) {
  for (*assignment = 0; *assignment < assignments; ++*assignment)
    for (*at = 0; *at < array_elements(&maker->results[0]); ++*at)
      if (maker->results[0].values[*assignment][*at] != maker->results[1].values[*assignment][*at])
        return true;
  return false;
}

static void values_judge_same(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const PairMaker *maker) {
  uint32_t assignment;
  int64_t at;
  if (values_differ(maker, &assignment, &at))
    exhaust_fault(run, EXHAUST_contradicted,
        "%s says the same values, and element %lld is %lld before, %lld after, under assignment %u",
        verdict->judges, (long long)at, (long long)maker->results[0].values[assignment][at],
        (long long)maker->results[1].values[assignment][at], assignment);
  else exhaust_note(run, EXHAUST_algebra);
}

static void values_judge_pair(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const PairMaker *maker) {
  if (verdict->answer == REASON_DISSENT)
    exhaust_fault(run, EXHAUST_contradicted, "%s", verdict->reason);
  else if (verdict->answer == REASON_EXACT) values_judge_same(run, verdict, maker);
  else if (verdict->answer == REASON_OPEN)
    exhaust_fault(run, EXHAUST_not_judged, "%s", verdict->reason);
  else exhaust_note(run, verdict->answer == REASON_DIFFERENT ? EXHAUST_algebra : EXHAUST_alike);
}

static bool read_pair(ExhaustCase *run, const Module *modules[2], Error *error) {
  uint32_t count;
  Source *parts;
  Arena *arena = run->examiner->arena;
  if (!hlo_split(arena, &run->source, &count, &parts, error)) return false;
  assert(count == 2);
  return hlo_read(arena, &parts[0], &modules[0], error) &&
         hlo_read(arena, &parts[1], &modules[1], error);
}

void exhaust_two_graphs(ExhaustCase *run) {
  const Module *modules[2];
  Error error = {};
  EquivValues values;
  PairMaker maker = maker_of(run->examiner->plan);
  make_case(run->examiner->plan, run->examiner->number, &maker);
  if (!read_pair(run, modules, &error) ||
      !equiv_values_open(run->examiner->arena, modules[0], modules[1], nullptr,
          run->examiner->judge->smt, &values, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%s", error.message);
    return;
  }
  EquivValuesVerdict *verdict = ARENA_NEW(run->examiner->arena, EquivValuesVerdict, 1);
  equiv_values_judge(&values, 0, verdict);
  values_judge_pair(run, verdict, &maker);
  if (verdict->values.answer == REASON_EXACT && verdict->proof.status != VERDICT_PROVED)
    exhaust_note(run, EXHAUST_alone);
  equiv_values_close(&values);
}
