/* Proves the reverse direction. The given maps are exact if smt proves affirm's own output-to-input
 * maps exact and each given map to be the inverse relation of one of them. A foreign engine is not
 * asked for these maps: a fault in its answer would be lost here. Unions are compared
 * pairwise by position; if their lengths differ, nothing is decided. A single map is wrong if it
 * lacks a pair of the inverse relation. Whether a map with more pairs is an over-approximation, or
 * leaves the tensor, is left to the direct question. */
#include "judge/maps/inverse_proof.h"

#include "core/base/text.h"
#include "judge/maps/inverse_relation.h"

static bool inverse_proof_undecided(Verdict *verdict, const char *why) {
  verdict_decide(verdict, REASON_OPEN, "%s", why);
  return false;
}

static bool is_exact(Judge *judge, const Question *reversed, const MapSet *maps, Verdict *verdict) {
  Error error = {};
  if (maps->claim != INDEX_EXACT)
    return inverse_proof_undecided(
        verdict, "output-to-input is not exact, so its inverse relation proves nothing");
  bool is_answered = smt_output_to_input(judge->smt, reversed->instruction, reversed->output,
      reversed->operand, reversed->operand_leaf, maps->count, maps->maps, verdict, &error);
  if (!is_answered) return inverse_proof_undecided(verdict, error.message);
  if (verdict->reason == REASON_EXACT) return true;
  if (verdict->reason != REASON_UNSUPPORTED)
    return inverse_proof_undecided(
        verdict, "output-to-input is not proved exact, so its inverse relation proves nothing");
  return false;
}

/* Compares `map` with the inverse relation of `other`. With `at_least`, `map` only has to contain
 * it. */
static VerdictStatus inverse_proof_compare(Judge *judge, const Question *question, const Map *map,
    const Map *other, bool at_least, Verdict *verdict) {
  const Shape *operand =
      shape_leaf(question->instruction->operands[question->operand]->shape, question->operand_leaf);
  const Map *inverse;
  Error error = {};
  bool compared =
      relation_inverse(judge->context, other, operand->rank, operand->sizes, &inverse, &error) &&
      (at_least ? smt_contained(judge->smt, inverse, map, verdict, &error)
                : smt_same_relation(judge->smt, map, inverse, verdict, &error));
  if (!compared) (void)inverse_proof_undecided(verdict, error.message);
  return verdict->status;
}

/* The witness is a pair of the inverse relation, which is read, that the map lacks. */
static void name_missing(Verdict *verdict, uint32_t from_rank, uint32_t to_rank) {
  Text text = text_create(verdict->arena);
  bool is_whole = verdict->point_rank >= from_rank + to_rank;
  if (is_whole) {
    text_tuple(&text, from_rank, verdict->point);
    text_string(&text, " -> ");
    text_tuple(&text, to_rank, verdict->point + from_rank);
  }
  verdict_decide(verdict, REASON_WRONG, "%s: read, and in no map",
      is_whole ? text.bytes : "a pair of the inverse relation");
}

static void open_pair(Verdict *verdict) {
  verdict->reason = REASON_OPEN;
  verdict->status = VERDICT_UNKNOWN;
}

/* Whether the other map has a runtime variable of the same instruction and clamp that can take all
 * values of this one. One instruction may be two offsets with other clamps. */
static bool has_source(const Map *other, const Map *map, uint32_t runtime) {
  const RuntimeSource *source = &map->sources[runtime];
  Interval bounds = map->runtimes[runtime].bounds;
  bool is_within = bounds.lo >= source->clamp.lo && bounds.hi <= source->clamp.hi;
  for (uint32_t i = 0; i < other->runtime_count && source->instruction != nullptr; i++)
    if (other->sources[i].instruction == source->instruction &&
        other->sources[i].clamp.lo == source->clamp.lo &&
        other->sources[i].clamp.hi == source->clamp.hi)
      return is_within;
  return false;
}

/* Runtime variables without a common source would be compared by position. */
static bool has_sources(const Map *map, const Map *other) {
  bool is_known = map->runtime_count == 0 || (map->sources != nullptr && other->sources != nullptr);
  for (uint32_t i = 0; is_known && i < map->runtime_count; i++)
    is_known = has_source(other, map, i);
  return is_known;
}

/* Two instructions may have one value, and a value may be none that its instruction has. So a pair
 * that is missing for some values of runtime variables refutes nothing. */
static bool may_refute(const MapSet *maps, const Map *map, const Map *other) {
  return maps->count == 1 && maps->claim == INDEX_EXACT && map->runtime_count == 0 &&
         other->runtime_count == 0;
}

void judge_inverse(Judge *judge, const Question *question, const MapSet *maps, Verdict *verdict) {
  Question reversed = *question;
  reversed.direction = OUTPUT_TO_INPUT;
  MapSet others;
  Error error = {};
  if (!judge_query_own(judge, &reversed, &others, &error)) {
    (void)inverse_proof_undecided(verdict, error.message);
    return;
  }
  if (!is_exact(judge, &reversed, &others, verdict)) return;
  if (others.count != maps->count) {
    (void)inverse_proof_undecided(verdict, "the maps of both directions cannot be paired");
    return;
  }
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i], *other = others.maps[i];
    VerdictStatus status = VERDICT_UNKNOWN;
    if (has_sources(map, other))
      status = inverse_proof_compare(judge, question, map, other, false, verdict);
    if (status == VERDICT_PROVED) continue;
    bool misses =
        status == VERDICT_REFUTED && may_refute(maps, map, other) &&
        inverse_proof_compare(judge, question, map, other, true, verdict) == VERDICT_REFUTED;
    if (misses) name_missing(verdict, map->dim_count, map->result_count);
    else open_pair(verdict);
    return;
  }
  verdict_decide(
      verdict, REASON_EXACT, "the inverse relation of output-to-input, which is proved exact");
}
