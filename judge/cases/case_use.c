/* Runs the engine's analysis for one output and operand of the root. The input is the query's
 * numbers, if the verb takes any, and the question. */
#include "judge/cases/case_use.h"

#include <assert.h>
#include <string.h>

#include "core/analysis/query.h"
#include "judge/algebra/algebra.h"
#include "judge/cases/case_give.h"

typedef struct CaseUse {
  CaseRun *run;
  AlgebraNumbers numbers; /* of threads and warps */
  UseTile tile;
  Question question;
  const Shape *output, *operand;
  MapSet maps;
} CaseUse;

static bool use_reject(CaseUse *use, const char *wanted) {
  const Source *input = &use->run->one->input;
  error_at(&use->run->verb_result.error, ERROR_INPUT, input, 0, 1, "expected %s", wanted);
  return case_give_error(use->run);
}

static bool are_positive(const AlgebraNumbers *numbers, uint32_t least, uint32_t most) {
  bool fit = numbers->count >= least && numbers->count <= most;
  for (uint32_t i = 0; fit && i < numbers->count; i++)
    fit = numbers->items[i] >= 1 && numbers->items[i] <= 1 << 20;
  return fit;
}

/* Parses the word before the question; `length` is its length, 0 for reads. */
static bool use_parse_word(CaseUse *use, size_t *length) {
  CaseRun *run = use->run;
  const char *text = run->one->input.text;
  size_t word = strcspn(text, " \t\n");
  *length = run->one->verb == VERB_READS ? 0 : word;
  if (run->one->verb == VERB_READS) return true;
  if (run->one->verb == VERB_TILE)
    return use_tile_parse(run->arena, arena_text(run->arena, text, word), &use->tile) ||
           use_reject(use, "a tile such as 0:4,2:8:2 and a question");
  if (!algebra_numbers(run->arena, text, word, &use->numbers)) use->numbers.count = 0;
  if (run->one->verb == VERB_THREADS)
    return are_positive(&use->numbers, 1, 2) ||
           use_reject(use, "threads, or threads and elements such as 128,4, and a question");
  return are_positive(&use->numbers, 3, 3) ||
         use_reject(use, "threads, lanes and bytes such as 128,32,128, and a question");
}

static bool use_parse(CaseUse *use, const Instruction *root) {
  CaseRun *run = use->run;
  Source rest = run->one->input;
  size_t word;
  run->first_line = rest.first_line;
  if (!use_parse_word(use, &word)) return false;
  word += strspn(rest.text + word, " \t");
  rest.text += word;
  rest.length -= word;
  if (!question_parse(&rest, root, &use->question, &run->verb_result.error))
    return case_give_error(run);
  bool is_alone = run->one->verb == VERB_THREADS && root->operand_count == 0;
  bool is_forward = use->question.direction == OUTPUT_TO_INPUT &&
                    (is_alone || use->question.operand < root->operand_count);
  if (!is_forward) return use_reject(use, "o2i OUTPUT OPERAND");
  use->output = use->operand = shape_leaf(root->shape, use->question.output);
  if (is_alone) return shape_is_array(use->output) || use_reject(use, "an output that is an array");
  use->operand =
      shape_leaf(root->operands[use->question.operand]->shape, use->question.operand_leaf);
  return (shape_is_array(use->output) && shape_is_array(use->operand)) ||
         use_reject(use, "an output and an operand that are arrays");
}

static void give_text(CaseUse *use, const char *text) {
  use->run->verb_result =
      (VerbResult){.kind = VERB_RESULT_TEXT, .text = text, .verdict = EXPECT_TEXT};
}

static bool case_use_threads(CaseUse *use, Error *error) {
  Judge *judge = use->run->judge;
  const AlgebraNumbers *numbers = &use->numbers;
  const ThreadGrid grid = {numbers->items[0], numbers->count > 1 ? numbers->items[1] : 1};
  MapSet maps;
  bool is_alone = use->question.instruction->operand_count == 0;
  if (is_alone ? !use_threads(judge->context, judge->simplifier, use->output, &grid, &maps, error)
               : !use_through_threads(judge->context, judge->simplifier, use->output, &grid,
                     &use->maps, &maps, error))
    return false;
  case_give_maps(use->run, &maps);
  return true;
}

static bool case_use_reads(CaseUse *use, Error *error) {
  Utilization read;
  if (!use_utilization(use->run->judge->simplifier, &use->maps, use->operand, &read, error))
    return false;
  give_text(use, arena_printf(use->run->arena, "%s%lld of %lld", read.is_at_most ? "at most " : "",
                     (long long)read.read, (long long)read.elements));
  return true;
}

static bool warp_line(CaseUse *use, const Map *map, Text *text, Error *error) {
  const int64_t *numbers = use->numbers.items;
  const WarpAccess warp = {.lanes = (uint32_t)numbers[1], .segment_bytes = (uint32_t)numbers[2]};
  Coalescing got;
  if (!use_warps(use->run->judge->simplifier, map, use->output, use->operand, numbers[0], &warp,
          &got, error))
    return false;
  text_printf(text, "accesses %llu, segments %llu, packed %llu, worst %llu, assignments %llu",
      (unsigned long long)got.accesses, (unsigned long long)got.segments,
      (unsigned long long)got.least, (unsigned long long)got.worst,
      (unsigned long long)got.assignments);
  return true;
}

static bool tile_line(CaseUse *use, const Map *map, Text *text, Error *error) {
  Tile tile;
  MapContext *context = use->run->judge->context;
  if (!use_tile_of(context, map, &use->tile, &tile, error)) return false;
  use_tile_print(text, context, map, &tile);
  return true;
}

/* One part for each map of the union, `nothing` without maps. An over-approximation is named. */
static bool case_use_each(CaseUse *use,
    bool (*line)(CaseUse *use, const Map *map, Text *text, Error *error), Error *error) {
  Text text = text_create(use->run->arena);
  if (use->maps.claim == INDEX_OVER_APPROXIMATION) text_string(&text, "over-approximation: ");
  if (use->maps.count == 0) text_string(&text, "nothing");
  for (uint32_t i = 0; i < use->maps.count; i++) {
    if (i > 0) text_string(&text, "; ");
    if (!line(use, use->maps.maps[i], &text, error)) return false;
  }
  give_text(use, text.bytes);
  return true;
}

static bool use_query(CaseUse *use, CaseVerb verb, Error *error) {
  bool is_empty = shape_elements(use->output) == 0 || shape_elements(use->operand) == 0;
  if (verb == VERB_THREADS) return case_use_threads(use, error);
  if (is_empty) use->maps.count = 0;
  if (verb == VERB_READS) return case_use_reads(use, error);
  return case_use_each(use, verb == VERB_WARPS ? warp_line : tile_line, error);
}

void case_use_run(CaseRun *run) {
  const Module *module;
  CaseUse use = {.run = run};
  Error *error = &run->verb_result.error;
  if (!case_needs_own_engine(run) || !case_entry_module(run, &module) ||
      !use_parse(&use, module->entry->root))
    return;
  bool is_alone = module->entry->root->operand_count == 0;
  if (!is_alone && !judge_query_engine(run->judge, &use.question, &use.maps, error)) {
    case_give_error(run);
    return;
  }
  if (use.maps.claim == INDEX_UNDEFINED) case_give_verdict(run, EXPECT_UNDEFINED, use.maps.reason);
  else if (!use_query(&use, run->one->verb, error)) case_give_error(run);
}
