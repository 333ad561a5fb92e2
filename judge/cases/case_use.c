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
  use->run->verb_result = (VerbResult){
      .kind = VERB_RESULT_TEXT, .text = text, .word = EXPECT_TEXT};
}

static void give_maps(CaseUse *use, const MapSet *maps) {
  use->run->verb_result =
      (VerbResult){.kind = VERB_RESULT_MAPS, .maps = *maps, .word = EXPECT_TEXT};
}

static bool thread_map(CaseUse *use, const Map **threads, Error *error) {
  const AlgebraNumbers *numbers = &use->numbers;
  const ThreadGrid grid = {numbers->items[0], numbers->count > 1 ? numbers->items[1] : 1};
  return use_thread_map(use->run->judge->context, use->output, &grid, threads, error);
}

/* Of an instruction without operands: the output's element of each thread. */
static bool use_grid(CaseUse *use, Error *error) {
  static const SimplifyOptions options = {.keep_points = true};
  MapSet one = {.count = 1, .maps = ARENA_NEW(use->run->arena, const Map *, 1)};
  const Map *threads;
  if (!thread_map(use, &threads, error)) return false;
  assert(threads != nullptr);
  if (!simplify_map(
          use->run->judge->simplifier, threads, &options, &one.maps[0], nullptr, error))
    return false;
  give_maps(use, &one);
  return true;
}

static bool use_threads(CaseUse *use, Error *error) {
  Judge *judge = use->run->judge;
  const Map *threads;
  MapSet through = {.claim = use->maps.claim,
      .reason = use->maps.reason,
      .maps = ARENA_NEW(use->run->arena, const Map *, use->maps.count)};
  if (!thread_map(use, &threads, error)) return false;
  for (uint32_t i = 0; threads != nullptr && i < use->maps.count; i++) {
    const Map *map;
    if (!use_through_threads(
            judge->context, judge->simplifier, threads, use->maps.maps[i], &map, error))
      return false;
    if (map->state == MAP_PLAIN) through.maps[through.count++] = map;
  }
  give_maps(use, &through);
  return true;
}

static bool use_reads(CaseUse *use, Error *error) {
  Utilization read;
  if (!use_utilization(use->run->judge->simplifier, &use->maps, use->operand, &read, error))
    return false;
  bool is_at_most = read.is_at_most || use->maps.claim == INDEX_OVER_APPROXIMATION;
  give_text(use, arena_printf(use->run->arena, "%s%lld of %lld", is_at_most ? "at most " : "",
                     (long long)read.read, (long long)read.elements));
  return true;
}

/* One line for each map of the union. */
static bool use_warp_lines(CaseUse *use, Error *error) {
  Text text = text_create(use->run->arena);
  const int64_t *numbers = use->numbers.items;
  const WarpAccess warp = {
      .lanes = (uint32_t)numbers[1], .segment_bytes = (uint32_t)numbers[2]};
  for (uint32_t i = 0; i < use->maps.count; i++) {
    Coalescing got;
    if (!use_warps(use->run->judge->simplifier, use->maps.maps[i], use->output, use->operand,
            numbers[0], &warp, &got, error))
      return false;
    text_printf(&text, "%saccesses %llu, segments %llu, packed %llu, worst %llu, assignments %llu",
        i > 0 ? "; " : "", (unsigned long long)got.accesses, (unsigned long long)got.segments,
        (unsigned long long)got.least, (unsigned long long)got.worst,
        (unsigned long long)got.assignments);
  }
  give_text(use, text.bytes);
  return true;
}

static bool use_tiles(CaseUse *use, Error *error) {
  Text text = text_create(use->run->arena);
  MapContext *context = use->run->judge->context;
  for (uint32_t i = 0; i < use->maps.count; i++) {
    Tile tile;
    const Map *map = use->maps.maps[i];
    if (use->tile.count != map->dim_count)
      return error_set(error, ERROR_INPUT, "the tile has %s, the output %u",
          counted(use->tile.count, "dimension"), map->dim_count);
    if (!use_tile(context, map, use->tile.items, &tile, error)) return false;
    if (i > 0) text_string(&text, "; ");
    use_tile_print(&text, context, map, &tile);
  }
  give_text(use, text.bytes);
  return true;
}

static bool use_ask(CaseUse *use, CaseVerb verb, Error *error) {
  bool is_alone = use->question.instruction->operand_count == 0;
  if (verb == VERB_THREADS) return is_alone ? use_grid(use, error) : use_threads(use, error);
  if (verb == VERB_READS) return use_reads(use, error);
  return verb == VERB_WARPS ? use_warp_lines(use, error) : use_tiles(use, error);
}

void case_use_run(CaseRun *run) {
  const Module *module;
  CaseUse use = {.run = run};
  Error *error = &run->verb_result.error;
  if (!case_asks_own(run) ||
      !case_read_module(run, case_entry_source(run), run->one->block.first_line, &module) ||
      !use_parse(&use, module->entry->root))
    return;
  bool is_alone = module->entry->root->operand_count == 0;
  if (!is_alone && !judge_ask_engine(run->judge, &use.question, &use.maps, error)) {
    case_give_error(run);
    return;
  }
  if (use.maps.claim == INDEX_UNDEFINED) case_give_word(run, EXPECT_UNDEFINED, use.maps.reason);
  else if (shape_elements(use.output) == 0 || shape_elements(use.operand) == 0)
    give_text(&use, "nothing");
  else if (!use_ask(&use, run->one->verb, error)) case_give_error(run);
}
