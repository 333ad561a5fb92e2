/* Decides whether maps denote what the operation reads. Both become relations over the same visible
 * indices and values:
 *   every required read must be a pair of some map, otherwise the maps are wrong;
 *   every result of a map must be inside the tensor that it goes to, otherwise they are wrong;
 *   every point of a map must be inside the tensor that it goes from, otherwise they are wrong;
 *   every element that a runtime variable comes from must exist, otherwise they are wrong;
 *   every pair of a map must be a read, otherwise they are an over-approximation.
 * Nothing is decided about an operand without semantics here, or if a walk or a proof exceeds its
 * budget. */

#include "smt/semantics/hlo_occurs.h"
#include "smt/semantics/hlo_source.h"
#include "smt/semantics/hlo_walk.h"
#include "smt/relation/relation.h"
#include "smt/solver/session.h"
#include "smt/terms/polynomial.h"

typedef struct Judging {
  Smt *smt;
  const Instruction *instruction;
  uint32_t output_leaf, operand, operand_leaf;
  bool is_inverse; /* maps go from the operand to the output */
  uint32_t map_count;
  const Map *const *maps;
  RelationWork work;
  uint32_t from_rank, to_rank; /* of the maps */
  Sum *from, *to;
  const Shape *from_shape, *to_shape;
  Relation stated;     /* by the maps */
  uint32_t atom_count; /* with the stated relation: the atoms of an answer's text */
  bool guessed;
  const char *open; /* of the last refutation: a computed value; each of its values has a pair */
  WalkAnswer read;
  Verdict *verdict;
  Error *error;
} Judging;

static bool hlo_relation_answer(Judging *judging, VerdictReason reason, const char *text) {
  verdict_decide(judging->verdict, reason, "%s", text);
  return true;
}

static bool source_value(void *owner, const RuntimeSource *source, uint32_t count, const Sum *index,
    Sum *value, Error *error) {
  Judging *judging = owner;
  const Instruction *instruction;
  const CallSite *frame;
  SourceFound found =
      hlo_find_source(judging->work.sums, judging->instruction, source, &instruction, &frame);
  if (found != SOURCE_FOUND) return false;
  if (shape_leaf_count(instruction->shape) != 1 || shape_leaf(instruction->shape, 0)->rank != count)
    return error_set(error, ERROR_INPUT,
        "a runtime variable comes from '%s' at an index of rank %u", instruction->name, count);
  *value = hlo_value(judging->work.sums, frame, instruction, 0, index);
  return true;
}

static Wide value_clamped(const RuntimeSource *source, Wide value) {
  if (value < source->clamp.lo) return source->clamp.lo;
  return value > source->clamp.hi ? source->clamp.hi : value;
}

/* Runtime bounds must be the values that can occur: the clamped values of the source's element
 * type. Returns a sentence if there are more. */
static const char *excess_of(Judging *judging, const Map *map, uint32_t runtime) {
  const Instruction *instruction;
  const CallSite *frame;
  Wide least, most;
  const RuntimeSource *source = map->sources == nullptr ? nullptr : &map->sources[runtime];
  if (source == nullptr || hlo_find_source(judging->work.sums, judging->instruction, source,
                               &instruction, &frame) != SOURCE_FOUND)
    return nullptr;
  if (!shape_is_array(instruction->shape) ||
      !hlo_type_range(instruction->shape->type, &least, &most))
    return nullptr;
  Interval bounds = map->runtimes[runtime].bounds;
  least = value_clamped(source, least);
  most = value_clamped(source, most);
  bool has_excess =
      bounds.lo <= bounds.hi && least <= most && (bounds.lo < least || bounds.hi > most);
  if (!has_excess) return nullptr;
  return arena_printf(judging->work.sums->arena,
      "runtime variable %u is bounded by [%lld, %lld], and '%s' gives %lld to %lld", runtime,
      (long long)bounds.lo, (long long)bounds.hi, instruction->name, (long long)least,
      (long long)most);
}

static const char *any_excess(Judging *judging) {
  const char *excess = nullptr;
  for (uint32_t i = 0; i < judging->map_count && excess == nullptr; i++)
    for (uint32_t k = 0; k < judging->maps[i]->runtime_count &&
                         judging->maps[i]->state == MAP_PLAIN && excess == nullptr;
        k++)
      excess = excess_of(judging, judging->maps[i], k);
  return excess;
}

static bool relate_maps(Judging *judging) {
  RelationWork *work = &judging->work;
  for (uint32_t i = 0; i < judging->map_count; i++) {
    RuntimeBinding binding = {.value = source_value, .owner = judging};
    Piece piece;
    if (judging->maps[i]->state == MAP_KNOWN_EMPTY) continue;
    if (!relation_of_map(work->sums, work->context, judging->maps[i], judging->from_rank,
            judging->from, judging->to_rank, judging->to, &binding, &piece, judging->error))
      return false;
    judging->guessed |= binding.guessed;
    relation_add(work->sums, &judging->stated, piece);
  }
  judging->atom_count = work->sums->atom_count;
  return true;
}

static void append_value_atom(Judging *judging, Text *text, uint32_t at) {
  const SumAtom *atom = &judging->work.sums->atoms[at];
  text_string(text, text->length == 0 ? "" : ", ");
  text_printf(text, "%s", atom->name == nullptr ? "?" : atom->name);
  text_string(text, " = ");
  wide_print(text, judging->work.values[at]);
}

static const char *values_text(Judging *judging) {
  Text text = text_create(judging->work.sums->arena);
  for (uint32_t i = 0; i < judging->atom_count && text.length < 160; i++)
    if (judging->work.sums->atoms[i].kind == ATOM_VALUE) append_value_atom(judging, &text, i);
  return text.length == 0 ? "" : arena_printf(judging->work.sums->arena, " with %s", text.bytes);
}

static bool hlo_relation_refuted(Judging *judging, VerdictReason reason, const char *what) {
  RelationWork *work = &judging->work;
  Text text = text_create(work->sums->arena);
  relation_print_point(&judging->work, &text, judging->from_rank, judging->from);
  text_string(&text, " -> ");
  relation_print_point(&judging->work, &text, judging->to_rank, judging->to);
  text_string(&text, values_text(judging));
  text_printf(&text, ": %s", what);
  if (judging->open != nullptr)
    text_printf(&text, "; every value of '%s' has such a pair", judging->open);
  relation_values(work, judging->verdict);
  return hlo_relation_answer(judging, reason, text.bytes);
}

/* Whether the refutation of one piece occurs in a run. */
static bool pair_occurs(Judging *judging, const Piece *inner, const Relation *outer) {
  bool is_inverse = judging->is_inverse;
  Occurrence occurrence = {.work = &judging->work,
      .inner = inner,
      .outer = outer,
      .output_rank = is_inverse ? judging->to_rank : judging->from_rank,
      .operand_rank = is_inverse ? judging->from_rank : judging->to_rank,
      .output = is_inverse ? judging->to : judging->from,
      .operand = is_inverse ? judging->from : judging->to};
  const char *why = hlo_occurs(&occurrence);
  judging->open = occurrence.open;
  if (why != nullptr) judging->work.reason = why;
  return why == nullptr;
}

static constexpr uint32_t most_undecided = 2;

/* Whether the inner relation is contained in the outer one; in the empty one, if that is null. A
 * piece whose refutation may not occur is undecided, and the others are judged. */
static VerdictStatus pieces_contained(
    Judging *judging, const Relation *inner, const Relation *outer) {
  RelationWork *work = &judging->work;
  VerdictStatus worst = VERDICT_PROVED, status = VERDICT_REFUTED;
  const char *reason = work->reason;
  Relation rest = *inner;
  for (uint32_t i = 0; i < most_undecided && status == VERDICT_REFUTED; i++) {
    status = relation_contained(work, &rest, outer);
    uint32_t piece = work->piece;
    if (status == VERDICT_REFUTED && pair_occurs(judging, &rest.items[piece], outer))
      return VERDICT_REFUTED;
    if (status == VERDICT_PROVED) break;
    worst = VERDICT_UNKNOWN;
    reason = work->reason;
    if (status == VERDICT_REFUTED)
      rest = (Relation){.items = rest.items + piece + 1, .count = rest.count - piece - 1};
  }
  work->reason = reason;
  return worst;
}

static bool hlo_relation_undecided(Judging *judging, const char *what) {
  return verdict_set(judging->verdict, VERDICT_UNKNOWN, "%s: %s", what, judging->work.reason);
}

/* Adds the parts of the piece whose position is outside [0, size). */
static void add_leaving(
    Judging *judging, Relation *relation, const Piece *piece, Sum position, int64_t size) {
  Sums *sums = judging->work.sums;
  Piece before = piece_copy(sums, piece), after = piece_copy(sums, piece);
  piece_within(sums, &before, position, -no_bound, -1);
  relation_add(sums, relation, before);
  piece_within(sums, &after, position, size, no_bound);
  relation_add(sums, relation, after);
}

/* The parts of all maps whose result is outside the tensor that they go to. */
static Relation outside(Judging *judging) {
  Relation relation = {};
  for (uint32_t i = 0; i < judging->stated.count; i++)
    for (uint32_t k = 0; k < judging->to_rank; k++)
      add_leaving(judging, &relation, &judging->stated.items[i], judging->to[k],
          judging->to_shape->sizes[k]);
  return relation;
}

static bool leaves_bounds(const Judging *judging, uint32_t dimension) {
  int64_t size = judging->from_shape->sizes[dimension];
  bool leaves = false;
  for (uint32_t i = 0; i < judging->map_count && judging->from_rank > 0; i++) {
    const Map *map = judging->maps[i];
    if (map->state != MAP_PLAIN || map->dim_count != judging->from_rank) continue;
    Interval bounds = map->dims[dimension].bounds;
    leaves |= bounds.lo < 0 || bounds.hi >= size;
  }
  return leaves;
}

/* The parts of all maps whose point is outside the tensor that they go from. Dimensions with bounds
 * inside have none. */
static Relation domain_outside(Judging *judging) {
  Relation relation = {};
  for (uint32_t k = 0; k < judging->from_rank; k++)
    for (uint32_t i = 0; leaves_bounds(judging, k) && i < judging->stated.count; i++)
      add_leaving(judging, &relation, &judging->stated.items[i], judging->from[k],
          judging->from_shape->sizes[k]);
  return relation;
}

/* Whether a result, a constraint or narrow bounds need the value of the runtime variable, which is
 * a hidden integer of the piece. */
static bool piece_needs(
    Judging *judging, const Piece *piece, const Map *map, uint32_t runtime, bool *needs) {
  Sums *sums = judging->work.sums;
  EncodedMap encoded;
  uint32_t atom = 0;
  *needs = !sum_is_atom(sums, piece->variables.runtimes[runtime], &atom);
  if (*needs) return true;
  if (!encode_map(sums, judging->work.context, map, &piece->variables, &encoded, judging->error))
    return false;
  bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
  inside[atom] = true;
  sums_mark_dependent(sums, inside);
  for (uint32_t i = 0; i < encoded.result_count; i++)
    *needs |= sum_depends(sums, inside, encoded.results[i]);
  for (uint32_t i = encoded.within_count - map->constraint_count; i < encoded.within_count; i++)
    *needs |= sum_depends(sums, inside, encoded.within[i].sum);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Interval bounds = map->runtimes[i].bounds, clamp = map->sources[i].clamp;
    const bool is_narrow = clamp.lo < bounds.lo || clamp.hi > bounds.hi;
    *needs |= is_narrow && sum_depends(sums, inside, piece->variables.runtimes[i]);
  }
  return true;
}

/* Adds the parts of the map that need a value of the runtime variable where its source has no
 * element. The variable may be any integer there. */
static bool add_without_element(
    Judging *judging, Relation *relation, const Map *map, uint32_t runtime) {
  RelationWork *work = &judging->work;
  const RuntimeSource *source = &map->sources[runtime];
  RuntimeBinding binding = {.value = source_value, .owner = judging, .unvalued = source};
  const Instruction *instruction;
  const CallSite *frame;
  Piece piece;
  bool needs;
  if (source->index == nullptr || source->index->result_count == 0 ||
      hlo_find_source(work->sums, judging->instruction, source, &instruction, &frame) !=
          SOURCE_FOUND)
    return true;
  if (!relation_of_map(work->sums, work->context, map, judging->from_rank, judging->from,
          judging->to_rank, judging->to, &binding, &piece, judging->error) ||
      !piece_needs(judging, &piece, map, runtime, &needs))
    return false;
  for (uint32_t i = 0; i < binding.index_count && needs; i++)
    add_leaving(
        judging, relation, &piece, binding.index[i], shape_leaf(instruction->shape, 0)->sizes[i]);
  return true;
}

static bool without_elements(Judging *judging, Relation *relation) {
  *relation = (Relation){};
  for (uint32_t i = 0; i < judging->map_count; i++) {
    const Map *map = judging->maps[i];
    if (map->state != MAP_PLAIN || map->sources == nullptr) continue;
    for (uint32_t k = 0; k < map->runtime_count; k++)
      if (!add_without_element(judging, relation, map, k)) return false;
  }
  return true;
}

/* Refutes the maps if the relation has a pair, because of what this pair is. */
static bool refuted_by_any(
    Judging *judging, const Relation *relation, const char *what, VerdictStatus *empty) {
  *empty = pieces_contained(judging, relation, nullptr);
  return *empty == VERDICT_REFUTED && !judging->guessed &&
         hlo_relation_refuted(judging, REASON_WRONG, what);
}

/* Refutes the maps if a result or a point leaves its tensor. */
static bool maps_leave(Judging *judging, VerdictStatus *inside, VerdictStatus *within) {
  Relation beyond = outside(judging);
  if (refuted_by_any(judging, &beyond, "a result outside the tensor", inside)) return true;
  Relation leaving = domain_outside(judging);
  return refuted_by_any(judging, &leaving, "the domain leaves the tensor", within);
}

static const char no_element[] =
    "a runtime variable comes from an element that its source does not have";

static bool judge_relations(Judging *judging) {
  RelationWork *work = &judging->work;
  VerdictStatus missing = pieces_contained(judging, &judging->read.relation, &judging->stated);
  if (missing == VERDICT_REFUTED)
    return hlo_relation_refuted(judging, REASON_WRONG, "read, and in no map");
  VerdictStatus inside, within, sourced;
  if (maps_leave(judging, &inside, &within)) return true;
  const char *reason = work->reason;
  Relation lacking;
  if (!without_elements(judging, &lacking)) return false;
  if (refuted_by_any(judging, &lacking, no_element, &sourced)) return true;
  if (sourced == VERDICT_PROVED) work->reason = reason;
  if (missing == VERDICT_UNKNOWN || inside != VERDICT_PROVED || within != VERDICT_PROVED)
    return hlo_relation_undecided(
        judging, "is every read in a map, and every result and point inside");
  if (sourced != VERDICT_PROVED)
    return hlo_relation_undecided(judging, "does every runtime variable have its source's element");
  if (judging->guessed) {
    work->reason = "a runtime variable has no known source";
    return hlo_relation_undecided(judging, "the maps cover for some of its values");
  }
  VerdictStatus extra = pieces_contained(judging, &judging->stated, &judging->read.relation);
  if (extra == VERDICT_REFUTED)
    return hlo_relation_refuted(judging, REASON_EXTRA, "in a map, and not read");
  const char *excess = extra == VERDICT_PROVED ? any_excess(judging) : nullptr;
  if (excess != nullptr) return hlo_relation_answer(judging, REASON_EXTRA, excess);
  if (extra == VERDICT_PROVED)
    return hlo_relation_answer(judging, REASON_EXACT, "exactly what is read");
  verdict_decide(judging->verdict, REASON_CONTAINS, "covers; is it exact: %s", work->reason);
  return true;
}

/* Across a loop or a branch the relation is an over-approximation: maps that contain it are an
 * over-approximation too, and maps that leave a tensor are wrong. */
static bool judge_at_most(Judging *judging) {
  VerdictStatus inside, within, sourced;
  Relation lacking;
  if (!relate_maps(judging)) return false;
  if (maps_leave(judging, &inside, &within)) return true;
  if (!without_elements(judging, &lacking)) return false;
  if (refuted_by_any(judging, &lacking, no_element, &sourced)) return true;
  bool covers = inside == VERDICT_PROVED && within == VERDICT_PROVED && sourced == VERDICT_PROVED &&
                relation_contained(&judging->work, &judging->read.relation, &judging->stated) ==
                    VERDICT_PROVED;
  if (!covers || judging->guessed)
    return hlo_relation_answer(judging, REASON_UNSUPPORTED, judging->read.at_most);
  verdict_decide(judging->verdict, REASON_CONTAINS,
      "covers, for it has everything that may be read; %s", judging->read.at_most);
  return true;
}

/* False for a token, an opaque value and an array of size 0. */
static bool has_elements(const Shape *leaf) {
  return shape_is_array(leaf) && shape_elements(leaf) > 0;
}

/* If one side has no elements, nothing is read, whatever the operation. */
static bool judge_maps(Judging *judging) {
  RelationWork *work = &judging->work;
  const Shape *output = shape_leaf(judging->instruction->shape, judging->output_leaf);
  const Shape *operand =
      shape_leaf(judging->instruction->operands[judging->operand]->shape, judging->operand_leaf);
  judging->from_rank = judging->is_inverse ? operand->rank : output->rank;
  judging->to_rank = judging->is_inverse ? output->rank : operand->rank;
  judging->from_shape = judging->is_inverse ? operand : output;
  judging->to_shape = judging->is_inverse ? output : operand;
  judging->from = relation_visible(work, "d", judging->from_rank);
  judging->to = relation_visible(work, "e", judging->to_rank);
  work->to = judging->to;
  work->to_count = judging->to_rank;
  const Sum *output_index = judging->is_inverse ? judging->to : judging->from,
            *operand_index = judging->is_inverse ? judging->from : judging->to;
  bool is_bare = !has_elements(output) || !has_elements(operand);
  if (!is_bare)
    judging->read = hlo_walk_operand(work->sums, judging->instruction, judging->output_leaf,
        output_index, judging->operand, judging->operand_leaf, operand_index);
  if (judging->read.walked == WALK_LACKS)
    return hlo_relation_answer(judging, REASON_UNSUPPORTED, judging->read.lacking);
  if (judging->read.walked == WALK_TOO_MANY)
    return hlo_relation_answer(judging, REASON_OPEN, "too many paths through the bodies");
  if (judging->read.at_most != nullptr) return judge_at_most(judging);
  return relate_maps(judging) && judge_relations(judging);
}

static bool check_question(const Judging *judging) {
  const Instruction *instruction = judging->instruction;
  if (judging->operand >= instruction->operand_count ||
      judging->output_leaf >= shape_leaf_count(instruction->shape) ||
      judging->operand_leaf >= shape_leaf_count(instruction->operands[judging->operand]->shape))
    return error_set(
        judging->error, ERROR_INPUT, "'%s' has no such operand or leaf", instruction->name);
  return true;
}

static bool has_undefined(const Judging *judging) {
  for (uint32_t i = 0; i < judging->map_count; i++)
    if (judging->maps[i]->state == MAP_UNDEFINED) return true;
  return false;
}

static bool hlo_relation_judge(Judging *judging) {
  Smt *smt = judging->smt;
  *judging->verdict = verdict_begin(smt->context->arena);
  if (!check_question(judging)) return false;
  const Instruction *unbounded = instruction_unbounded(judging->instruction);
  if (unbounded != nullptr) {
    verdict_decide(
        judging->verdict, REASON_UNSUPPORTED, "a size of '%s' is not known", unbounded->name);
    return true;
  }
  if (has_undefined(judging))
    return hlo_relation_answer(judging, REASON_OPEN, "an undefined map denotes nothing");
  ArenaMark mark = arena_mark(smt->arena);
  judging->work = relation_begin(smt);
  bool began = smt_begin(smt);
  bool answered = judge_maps(judging);
  budget_end(began);
  relation_end(&judging->work, judging->verdict);
  arena_rewind(smt->arena, mark);
  return answered;
}

bool smt_output_to_input(Smt *smt, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error) {
  Judging judging = {.smt = smt,
      .instruction = instruction,
      .output_leaf = output_leaf,
      .operand = operand,
      .operand_leaf = operand_leaf,
      .map_count = map_count,
      .maps = maps,
      .verdict = verdict,
      .error = error};
  return hlo_relation_judge(&judging);
}

bool smt_input_to_output(Smt *smt, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error) {
  Judging judging = {.smt = smt,
      .instruction = instruction,
      .output_leaf = output_leaf,
      .operand = operand,
      .operand_leaf = operand_leaf,
      .is_inverse = true,
      .map_count = map_count,
      .maps = maps,
      .verdict = verdict,
      .error = error};
  return hlo_relation_judge(&judging);
}
