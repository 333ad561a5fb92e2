/* The read relation of drawn operations against their meaning: for each pair of an output element
 * and an operand's element, whether the pieces of the relation have the pair, by search. Then the
 * same pairs as maps, for the solver: all of them are exact, one too few is wrong, and one too many
 * is an over-approximation. */
#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/hlo/test/formula_moves.h"
#include "core/hlo/test/formula_offsets.h"
#include "core/hlo/test/formula_ragged.h"
#include "core/map/text.h"
#include "smt/relation/relation_search.h"
#include "smt/semantics/hlo_walk.h"
#include "smt/smt.h"

static constexpr int64_t most_pairs = 1'200, most_asked = 40;

/* One operand of one drawn operation. */
typedef struct FormulaReads {
  Arena *arena;
  DrawnFormula *formula;
  const char *module;
  const Instruction *root;
  uint32_t operand;
  Sums *sums;
  Sum output[formula_rank], element[formula_rank];
  WalkAnswer answer;
} FormulaReads;

static const Instruction *formula_root(Arena *arena, const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module->entry->root;
}

/* --- by search --- */

/* The operand whose element an atom is. */
static const FormulaTensor *valued_tensor(const FormulaReads *reads, const SumAtom *atom) {
  Wide number = 0;
  for (uint32_t i = 0; i < reads->formula->operand_count; i++)
    if (atom->instruction == reads->root->operands[i]) return &reads->formula->operands[i];
  assert_true(sum_is_constant(reads->sums, atom->index[0], &number));
  return &reads->formula->operands[(uint32_t)(number >> 32)];
}

static Wide value_of_atom(const FormulaReads *reads, const SumAtom *atom, const Wide *values) {
  const FormulaTensor *tensor = valued_tensor(reads, atom);
  int64_t at[formula_rank] = {};
  for (uint32_t i = 0; i < tensor->rank; i++) {
    Wide component = 0;
    assert_true(sum_evaluate(reads->sums, values, atom->index[1 + i], &component));
    if (component < 0 || component >= tensor->sizes[i]) return atom->lo;
    at[i] = (int64_t)component;
  }
  return tensor_value(tensor, at);
}

/* The hidden integers of a piece may be the index of a value: all elements become atoms. */
static void make_values(FormulaReads *reads, uint32_t operand) {
  const FormulaTensor *tensor = &reads->formula->operands[operand];
  const Instruction *instruction = reads->root->operands[operand];
  int64_t at[formula_rank] = {};
  do {
    Sum full[1 + formula_rank] = {sum_of_constant(reads->sums, 0)};
    for (uint32_t i = 0; i < tensor->rank; i++) full[1 + i] = sum_of_constant(reads->sums, at[i]);
    if (instruction->opcode == HLO_PARAMETER)
      (void)hlo_value(reads->sums, nullptr, instruction, 0, full + 1);
    else
      (void)sum_value(reads->sums, instruction, instruction->name, 1 + tensor->rank, full,
          INT32_MIN, INT32_MAX);
  } while (tensor_next(tensor, at));
}

static void set_index(
    const FormulaReads *reads, const Sum *index, uint32_t rank, const int64_t *at, Wide *values) {
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t atom = 0;
    assert_true(sum_is_atom(reads->sums, index[i], &atom));
    values[atom] = at[i];
  }
}

static bool reads_pair(const FormulaReads *reads, const int64_t *at, const int64_t *x) {
  Sums *sums = reads->sums;
  const FormulaTensor *operand = &reads->formula->operands[reads->operand];
  uint32_t count = sums->atom_count;
  Wide *values = ARENA_NEW(reads->arena, Wide, count);
  bool is_found = false;
  set_index(reads, reads->output, reads->formula->output.rank, at, values);
  set_index(reads, reads->element, operand->rank, x, values);
  for (uint32_t i = 0; i < count; i++) {
    if (sums->atoms[i].kind == ATOM_VALUE)
      values[i] = value_of_atom(reads, &sums->atoms[i], values);
    assert_true(sums_complete_atom(sums, values, i));
  }
  for (uint32_t i = 0; i < reads->answer.relation.count && !is_found; i++) {
    SearchResult found = relation_search(sums, &reads->answer.relation.items[i], count, values);
    assert_int_not_equal(found, FOUND_TOO_FAR);
    is_found = found == FOUND;
  }
  return is_found;
}

static void check_output(FormulaReads *reads, const int64_t *at) {
  const FormulaTensor *operand = &reads->formula->operands[reads->operand];
  int64_t x[formula_rank] = {};
  formula_element(reads->formula, at);
  do {
    bool is_read = reads->formula->is_read[reads->operand][tensor_number(operand, x)],
         is_found = reads_pair(reads, at, x);
    if (is_found != is_read && (is_read || reads->answer.at_most == nullptr))
      fail_msg("operand %u: element %lld of output element %lld is %s:\n%s", reads->operand,
          (long long)tensor_number(operand, x),
          (long long)tensor_number(&reads->formula->output, at), is_read ? "read" : "not read",
          reads->module);
  } while (tensor_next(operand, x));
}

static Sum *free_index(FormulaReads *reads, Sum *index, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++) index[i] = sum_free(reads->sums, "x");
  return index;
}

static void check_operand(FormulaReads *reads) {
  const FormulaTensor *output = &reads->formula->output,
                      *operand = &reads->formula->operands[reads->operand];
  int64_t at[formula_rank] = {};
  reads->sums = sums_create(reads->arena);
  reads->answer =
      hlo_walk_operand(reads->sums, reads->root, 0, free_index(reads, reads->output, output->rank),
          reads->operand, 0, free_index(reads, reads->element, operand->rank));
  if (reads->answer.walked != WALKED)
    fail_msg(
        "operand %u has no relation: %s\n%s", reads->operand, reads->answer.lacking, reads->module);
  if (strcmp(reads->formula->opcode, "scatter") == 0 && reads->operand == 2) make_values(reads, 1);
  if (strcmp(reads->formula->opcode, "ragged-dot") == 0 && reads->operand < 2)
    make_values(reads, 2);
  do check_output(reads, at);
  while (tensor_next(output, at));
}

static bool is_small(const DrawnFormula *formula, int64_t most) {
  for (uint32_t i = 0; i < formula->operand_count; i++)
    if (formula->output.count * formula->operands[i].count > most) return false;
  return true;
}

typedef bool ReadsCheck(FormulaReads *reads);

static bool check_by_search(FormulaReads *reads) {
  if (!is_small(reads->formula, most_pairs)) return false;
  for (reads->operand = 0; reads->operand < reads->formula->operand_count; reads->operand++)
    check_operand(reads);
  return true;
}

static void reads_rounds(DrawFormula *draw, ReadsCheck *check, uint32_t rounds) {
  static DrawnFormula formula;
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  rounds /= test_length(1, 5, 10);
  for (uint32_t round = 0; round < rounds;) {
    Arena *arena = arena_create();
    formula =
        (DrawnFormula){.random = random, .computations = "", .attributes = text_create(arena)};
    if (draw(&formula)) {
      if (formula.output.rank == 0) formula.output.count = 1;
      FormulaReads reads = {.arena = arena, .formula = &formula};
      reads.module = formula_text_of(arena, &formula, formula_below(&formula, 2) == 0);
      reads.root = formula_root(arena, reads.module);
      round += check(&reads);
    }
    random = formula.random;
    arena_destroy(arena);
  }
}

/* --- by the solver --- */

static void print_index(Text *text, const FormulaTensor *tensor, const int64_t *at) {
  text_string(text, "(");
  for (uint32_t i = 0; i < tensor->rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ", ", (long long)at[i]);
  text_string(text, ")");
}

/* The map with one pair. */
static const Map *pair_map(MapContext *context, const FormulaTensor *from, const int64_t *at,
    const FormulaTensor *to, const int64_t *x) {
  Text text = text_create(context->arena);
  Error error = {};
  const Map *map = nullptr;
  text_string(&text, "(");
  for (uint32_t i = 0; i < from->rank; i++) text_printf(&text, "%sd%u", i == 0 ? "" : ", ", i);
  text_string(&text, ") -> ");
  print_index(&text, to, x);
  text_string(&text, from->rank == 0 ? "" : ", domain: ");
  for (uint32_t i = 0; i < from->rank; i++)
    text_printf(
        &text, "%sd%u in [%lld, %lld]", i == 0 ? "" : ", ", i, (long long)at[i], (long long)at[i]);
  Source source = {.name = "test", .text = text.bytes, .length = text.length, .first_line = 1};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s\n%s", error.message, text.bytes);
  return map;
}

typedef struct AskedMaps {
  uint32_t read_count, other_count;
  const Map *read[most_asked], *other[most_asked];
} AskedMaps;

static AskedMaps list_pairs(FormulaReads *reads, MapContext *context, bool is_inverse) {
  const FormulaTensor *output = &reads->formula->output,
                      *operand = &reads->formula->operands[reads->operand];
  AskedMaps asked = {};
  int64_t at[formula_rank] = {};
  do {
    int64_t x[formula_rank] = {};
    formula_element(reads->formula, at);
    do {
      const Map *map = is_inverse ? pair_map(context, operand, x, output, at)
                                  : pair_map(context, output, at, operand, x);
      if (reads->formula->is_read[reads->operand][tensor_number(operand, x)])
        asked.read[asked.read_count++] = map;
      else asked.other[asked.other_count++] = map;
    } while (tensor_next(operand, x));
  } while (tensor_next(output, at));
  return asked;
}

static void check_verdict(FormulaReads *reads, MapContext *context, bool is_inverse, uint32_t count,
    const Map *const *maps, VerdictReason wanted) {
  Smt *smt = smt_create(context, nullptr);
  Verdict verdict;
  Error error = {};
  bool answered = is_inverse ? smt_input_to_output(smt, reads->root, reads->operand, 0, 0, count,
                                   maps, &verdict, &error)
                             : smt_output_to_input(smt, reads->root, 0, reads->operand, 0, count,
                                   maps, &verdict, &error);
  if (!answered) fail_msg("%s\n%s", error.message, reads->module);
  if (verdict.reason != wanted)
    fail_msg("operand %u%s, %u maps: '%s' (%s), not %s\n%s", reads->operand,
        is_inverse ? " (inverse)" : "", count, verdict_reason_name(verdict.reason),
        verdict_text(&verdict), verdict_reason_name(wanted), reads->module);
  smt_destroy(smt);
}

static void ask_operand(FormulaReads *reads, bool is_inverse) {
  MapContext *context = map_context_create();
  AskedMaps asked = list_pairs(reads, context, is_inverse);
  check_verdict(reads, context, is_inverse, asked.read_count, asked.read, REASON_EXACT);
  if (asked.other_count > 0) {
    const Map *maps[most_asked];
    memcpy(maps, asked.read, asked.read_count * sizeof *maps);
    maps[asked.read_count] = asked.other[formula_below(reads->formula, asked.other_count)];
    check_verdict(reads, context, is_inverse, asked.read_count + 1, maps, REASON_EXTRA);
  }
  if (asked.read_count > 0) {
    asked.read[formula_below(reads->formula, asked.read_count)] = asked.read[asked.read_count - 1];
    check_verdict(reads, context, is_inverse, asked.read_count - 1, asked.read, REASON_WRONG);
  }
  map_context_destroy(context);
}

static bool check_by_solver(FormulaReads *reads) {
  bool is_dynamic = strncmp(reads->formula->opcode, "dynamic", strlen("dynamic")) == 0;
  if (!is_small(reads->formula, most_asked)) return false;
  if (is_dynamic && reads->root->operands[0]->opcode == HLO_PARAMETER) return false;
  for (reads->operand = 0; reads->operand < reads->formula->operand_count; reads->operand++) {
    ask_operand(reads, false);
    ask_operand(reads, true);
  }
  return true;
}

/* --- the operations --- */

typedef struct FormulaRow {
  const char *name;
  DrawFormula *draw;
  uint32_t searched, asked;
} FormulaRow;

static const FormulaRow formula_rows[] = {
    {"pad", draw_pad, 100, 12},
    {"slice", draw_slice, 100, 12},
    {"transpose", draw_transpose, 100, 12},
    {"reverse", draw_reverse, 100, 12},
    {"broadcast", draw_broadcast, 100, 12},
    {"concatenate", draw_concatenate, 100, 12},
    {"dot", draw_dot, 100, 12},
    {"ragged-dot", draw_ragged_dot, 100, 0},
    {"reduce-window", draw_reduce_window, 100, 12},
    {"select-and-scatter", draw_select, 100, 0},
    {"reduce", draw_reduce, 100, 12},
    {"convolution", draw_convolution, 100, 12},
    {"gather", draw_gather, 100, 0},
    {"scatter", draw_scatter, 100, 0},
    {"dynamic-slice", draw_dynamic_slice, 100, 12},
    {"dynamic-update-slice", draw_dynamic_update, 100, 12},
};

static void pairs_by_search(void **) {
  for (size_t i = 0; i < sizeof formula_rows / sizeof formula_rows[0]; i++)
    reads_rounds(formula_rows[i].draw, check_by_search, formula_rows[i].searched);
}

static void pairs_by_the_solver(void **) {
  for (size_t i = 0; i < sizeof formula_rows / sizeof formula_rows[0]; i++)
    reads_rounds(formula_rows[i].draw, check_by_solver, formula_rows[i].asked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_by_search),
      cmocka_unit_test(pairs_by_the_solver),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
