/* Verdicts on maps across devices. The leaves of all devices together form a tensor with two more
 * dimensions in front, replica and partition. Maps and reads are then matrices of bits and are
 * compared row by row, as for one device. A map with a single device number covers the same
 * elements in the same row-major order. */
#include "oracle/semantics/replica.h"

#include <assert.h>
#include <stdlib.h>

#include "oracle/semantics/replica_members.h"
#include "oracle/compare/verdict.h"

static constexpr int64_t words_per_limit =
    4; /* the limit of matrix words is the limit of visited pairs divided by this */

/* The leaf on all devices: the sizes of the run, then those of the shape. */
static bool leaf_of_run(
    ReadJudgement *judgement, const Shape *shape, ReplicaWorld world, bool is_flat, Leaf *leaf) {
  uint32_t extra = is_flat ? 1 : 2;
  bool is_array = shape_is_array(shape);
  if (shape->is_unbounded)
    return reject(&judgement->rejection, REASON_UNSUPPORTED, "a size of '%s' is not known",
        judgement->judged->name);
  int64_t *sizes = ARENA_NEW(judgement->arena, int64_t, oracle_max_rank + 2);
  Wide elements = (Wide)world.replicas * world.partitions * (is_array ? shape_elements(shape) : 0);
  if (elements > INT32_MAX)
    return reject(&judgement->rejection, REASON_TOO_LARGE, "the run has too many elements");
  sizes[0] = is_flat ? world.replicas * world.partitions : world.replicas;
  if (!is_flat) sizes[1] = world.partitions;
  for (uint32_t i = 0; is_array && i < shape->rank; i++) sizes[extra + i] = shape->sizes[i];
  *leaf = (Leaf){.shape = shape,
      .rank = extra + (is_array ? shape->rank : 0),
      .sizes = sizes,
      .elements = (int64_t)elements};
  return true;
}

typedef struct ReplicaQuestion {
  ReadJudgement judgement;
  ReplicaWorld world;
  ReplicaGathering gathering;
  ReplicaReads reads;
  Leaf output, input;              /* on all devices */
  int64_t output_size, input_size; /* elements on one device */
} ReplicaQuestion;

static bool has_form(const Map *map, uint32_t from_rank, uint32_t to_rank, uint32_t extra) {
  return map->dim_count == from_rank + extra && map->result_count == to_rank + extra;
}

/* Finds the form of device numbers (pair or single number) that all maps have. */
static bool find_form(
    ReplicaQuestion *question, uint32_t map_count, const Map *const *maps, bool *is_flat) {
  ReadJudgement *judgement = &question->judgement;
  uint32_t from = judgement->from->rank - 2, to = judgement->to->rank - 2, pairs = 0, flats = 0,
           all = 0;
  for (uint32_t i = 0; i < map_count; i++) {
    if (maps[i]->state == MAP_UNDEFINED)
      return reject(&judgement->rejection, REASON_UNSUPPORTED, "the map is undefined");
    if (maps[i]->state == MAP_KNOWN_EMPTY) continue;
    if (maps[i]->runtime_count > 0)
      return reject(
          &judgement->rejection, REASON_UNSUPPORTED, "a map across devices has runtime variables");
    all++;
    pairs += has_form(maps[i], from, to, 2);
    flats += has_form(maps[i], from, to, 1);
  }
  *is_flat = flats == all && all > 0;
  if (pairs == all || flats == all) return true;
  explain_misfit(judgement,
      "a map across devices goes from %u or %u dimensions to %u or %u results", from + 2, from + 1,
      to + 2, to + 1);
  return false;
}

static bool fill_stated(ReplicaQuestion *question, uint32_t map_count, const Map *const *maps) {
  ReadJudgement *judgement = &question->judgement;
  Leaf from = *judgement->from, to = *judgement->to;
  bool is_flat = false;
  if (!find_form(question, map_count, maps, &is_flat)) return false;
  if (is_flat && (!leaf_of_run(judgement, from.shape, question->world, true, &from) ||
                     !leaf_of_run(judgement, to.shape, question->world, true, &to)))
    return false;
  assert(from.elements == judgement->from->elements && to.elements == judgement->to->elements);
  PlanContext context = {.arena = judgement->arena,
      .maps = judgement->oracle->context,
      .rejection = &judgement->rejection,
      .from = &from,
      .to = &to,
      .limit = judgement->oracle->limits.pairs,
      .fault = &judgement->fault};
  judgement->stated.fixed =
      ARENA_NEW(judgement->arena, uint64_t, (size_t)from.elements * judgement->row_words);
  for (uint32_t i = 0; i < map_count; i++) {
    Plan plan;
    if (maps[i]->state == MAP_KNOWN_EMPTY) continue;
    if (!plan_create(&context, nullptr, maps[i], &plan) ||
        !plan_fill(&context, &plan, judgement->row_words, judgement->stated.fixed))
      return false;
  }
  return true;
}

/* The reads of all elements of the output on all devices; backward: the inverse relation. */
static uint64_t *fill_reads(ReplicaQuestion *question) {
  ReadJudgement *judgement = &question->judgement;
  uint64_t *matrix = ARENA_NEW(
      judgement->arena, uint64_t, (size_t)judgement->from->elements * judgement->row_words);
  const Leaf one = {.rank = question->output.rank - 2,
      .sizes = question->output.sizes + 2,
      .elements = question->output_size};
  for (int64_t device = 0; device < question->gathering.device_count; device++) {
    int64_t at[oracle_max_rank] = {};
    for (int64_t element = 0; element < question->output_size; element++, leaf_next(&one, at)) {
      int64_t output = device * question->output_size + element;
      replica_reads_of(&question->reads, device, at);
      for (uint32_t i = 0; i < question->reads.count; i++) {
        int64_t input = question->reads.items[i].device * question->input_size +
                        question->reads.items[i].element;
        int64_t from = judgement->is_backward ? input : output,
                to = judgement->is_backward ? output : input;
        assert(from < judgement->from->elements && to < judgement->to->elements);
        bits_set(matrix + (size_t)from * judgement->row_words, to);
      }
    }
  }
  return matrix;
}

static bool create_sides(
    ReplicaQuestion *question, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  ReadJudgement *judgement = &question->judgement;
  const Instruction *input = judgement->judged->operands[operand];
  const Shape *output_shape = shape_leaf(judgement->judged->shape, output_leaf),
              *input_shape = shape_leaf(input->shape, operand_leaf);
  if (!leaf_of_run(judgement, output_shape, question->world, false, &question->output) ||
      !leaf_of_run(judgement, input_shape, question->world, false, &question->input))
    return false;
  question->output_size = question->output.elements / question->gathering.device_count;
  question->input_size = question->input.elements / question->gathering.device_count;
  judgement->from = judgement->is_backward ? &question->input : &question->output;
  judgement->to = judgement->is_backward ? &question->output : &question->input;
  judgement->from_name = judgement->is_backward ? input->name : judgement->judged->name;
  judgement->to_name = judgement->is_backward ? judgement->judged->name : input->name;
  judgement->row_words = bits_words(judgement->to->elements);
  if ((Wide)judgement->from->elements * judgement->row_words <=
      judgement->oracle->limits.pairs / words_per_limit)
    return true;
  return reject(&judgement->rejection, REASON_TOO_LARGE,
      "'%s' has too many elements on %lld devices", judgement->judged->name,
      (long long)question->gathering.device_count);
}

static bool judge_run(ReplicaQuestion *question, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, uint32_t map_count, const Map *const *maps) {
  ReadJudgement *judgement = &question->judgement;
  if (!gathering_create(&question->gathering, judgement->arena, judgement->judged, question->world,
          &judgement->rejection) ||
      !replica_reads_create(&question->reads, judgement->arena, &question->gathering,
          judgement->judged, output_leaf, operand, operand_leaf, &judgement->rejection) ||
      !create_sides(question, output_leaf, operand, operand_leaf) ||
      !fill_stated(question, map_count, maps))
    return false;
  const uint64_t *reads = fill_reads(question);
  judgement->tally.paths = 1;
  for (int64_t x = 0; x < judgement->from->elements; x++)
    compare_row(judgement, judgement->row_words, x, reads + (size_t)x * judgement->row_words,
        judgement->stated.fixed + (size_t)x * judgement->row_words, &judgement->tally);
  return true;
}

static bool check_question(const Instruction *instruction, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, Error *error) {
  bool exists = operand < instruction->operand_count &&
                output_leaf < shape_leaf_count(instruction->shape) &&
                operand_leaf < shape_leaf_count(instruction->operands[operand]->shape);
  return exists ||
         error_set(error, ERROR_INPUT, "'%s' has no output %u, or no leaf %u of operand %u",
             instruction->name, output_leaf, operand_leaf, operand);
}

static bool replica_answer(Oracle *oracle, const Instruction *instruction, ReplicaWorld world,
    bool is_backward, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    uint32_t map_count, const Map *const *maps, Verdict *verdict, Error *error) {
  *verdict = verdict_begin(oracle->context->arena);
  if (!check_question(instruction, output_leaf, operand, operand_leaf, error)) return false;
  ArenaMark mark = arena_mark(oracle->arena);
  ReplicaQuestion question = {.judgement = {.oracle = oracle,
                                  .arena = oracle->arena,
                                  .judged = instruction,
                                  .is_backward = is_backward,
                                  .verdict = verdict},
      .world = world};
  if (judge_run(&question, output_leaf, operand, operand_leaf, map_count, maps))
    explain_tally(&question.judgement);
  else if (question.judgement.rejection.is_set) explain_rejection(&question.judgement);
  else if (question.judgement.fault.kind != FAULT_NONE) explain_fault(&question.judgement);
  assert(oracle->is_terse || verdict->sentence != nullptr);
  arena_rewind(oracle->arena, mark);
  return true;
}

bool replica_output_to_input(Oracle *oracle, const Instruction *instruction, ReplicaWorld world,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error) {
  return replica_answer(oracle, instruction, world, false, output_leaf, operand, operand_leaf,
      map_count, maps, verdict, error);
}

bool replica_input_to_output(Oracle *oracle, const Instruction *instruction, ReplicaWorld world,
    uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error) {
  return replica_answer(oracle, instruction, world, true, output_leaf, operand, operand_leaf,
      map_count, maps, verdict, error);
}

static int by_position(const void *a, const void *b) {
  const ReplicaElement *x = a, *y = b;
  if (x->replica != y->replica) return x->replica < y->replica ? -1 : 1;
  if (x->partition != y->partition) return x->partition < y->partition ? -1 : 1;
  return (x->element > y->element) - (x->element < y->element);
}

static bool is_in_run(const ReplicaReads *reads, ReplicaWorld world, const ReplicaElement *output) {
  return output->replica >= 0 && output->replica < world.replicas && output->partition >= 0 &&
         output->partition < world.partitions && output->element >= 0 &&
         shape_is_array(reads->output) && output->element < shape_elements(reads->output);
}

bool replica_reads(Oracle *oracle, const Instruction *instruction, ReplicaWorld world,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, ReplicaElement output,
    ReplicaElements *elements, Error *error) {
  Rejection rejection = {};
  ReplicaGathering gathering;
  ReplicaReads reads;
  *elements = (ReplicaElements){};
  if (!check_question(instruction, output_leaf, operand, operand_leaf, error)) return false;
  if (!gathering_create(&gathering, oracle->arena, instruction, world, &rejection) ||
      !replica_reads_create(&reads, oracle->arena, &gathering, instruction, output_leaf, operand,
          operand_leaf, &rejection))
    return error_set(error, ERROR_UNSUPPORTED, "%s", rejection.text);
  if (!is_in_run(&reads, world, &output))
    return error_set(error, ERROR_INPUT, "'%s' has no such element in this run", instruction->name);
  int64_t at[oracle_max_rank] = {};
  const Leaf leaf = {.rank = reads.output->rank,
      .sizes = reads.output->sizes,
      .elements = shape_elements(reads.output)};
  leaf_index(&leaf, output.element, at);
  replica_reads_of(&reads, output.replica * world.partitions + output.partition, at);
  elements->items = ARENA_NEW(oracle->arena, ReplicaElement, reads.count);
  for (; elements->count < reads.count; elements->count++)
    elements->items[elements->count] =
        (ReplicaElement){.replica = reads.items[elements->count].device / world.partitions,
            .partition = reads.items[elements->count].device % world.partitions,
            .element = reads.items[elements->count].element};
  if (elements->count > 1)
    qsort(elements->items, elements->count, sizeof *elements->items, by_position);
  elements->capacity = elements->count;
  return true;
}
