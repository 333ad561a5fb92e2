/* The question is asked the other way round. Where smt proves the engine's output-to-input maps
 * exact, and each given map to be the same
 * relation as the converse of one of them, the given maps are exact. Unions are held against each
 * other map by map, in
 * their order: where they do not stand in pairs nothing is decided. A single map is wrong where a
 * pair of the converse is not one of its own; whether one that has more covers, or leaves the
 * tensor, is for the direct question. */
#include "judge/maps/turned.h"

#include <stdio.h>
#include <string.h>

#include "judge/maps/converse.h"

static bool undecided(SmtCover *cover, SmtVerdict *verdict, const char *why) {
  *cover = SMT_UNDECIDED;
  verdict->answer = SMT_UNKNOWN;
  snprintf(verdict->text, sizeof verdict->text, "%s", why);
  return true;
}

static bool is_exact(Judge *judge, const Question *turned, const MapSet *maps, SmtCover *cover,
    SmtVerdict *verdict) {
  Error error = {};
  if (maps->claim != INDEX_EXACT)
    return !undecided(cover, verdict, "output-to-input is not exact, so its converse says nothing");
  bool asked = smt_output_to_input(judge->smt, turned->instruction, turned->output, turned->operand,
      turned->operand_leaf, maps->count, maps->maps, cover, verdict, &error);
  if (!asked) return !undecided(cover, verdict, error.message);
  if (*cover == SMT_EXACT) return true;
  if (*cover != SMT_NO_SEMANTICS)
    return !undecided(
        cover, verdict, "output-to-input is not proved exact, so its converse says nothing");
  return false;
}

/* Whether `map` relates what `other`, turned round, relates; `at_least`: whether it relates all of
 * that, and maybe more. */
static SmtAnswer compare(Judge *judge, const Question *question, const Map *map, const Map *other,
    bool at_least, SmtVerdict *verdict) {
  const Shape *operand =
      shape_leaf(question->instruction->operands[question->operand]->shape, question->operand_leaf);
  const Map *converse;
  Error error = {};
  *verdict = (SmtVerdict){.answer = SMT_UNKNOWN};
  bool compared =
      relation_converse(judge->context, other, operand->rank, operand->sizes, &converse, &error) &&
      (at_least ? smt_contained(judge->smt, converse, map, verdict, &error)
                : smt_same_relation(judge->smt, map, converse, verdict, &error));
  if (compared) return verdict->answer;
  snprintf(verdict->text, sizeof verdict->text, "%s", error.message);
  return SMT_UNKNOWN;
}

/* The pair that the verdict names, in the words of the direct question. */
static void say_missing(SmtVerdict *verdict) {
  char *side = strstr(verdict->text, ": the first only");
  if (side != nullptr)
    snprintf(side, sizeof verdict->text - (size_t)(side - verdict->text), ": read, and in no map");
}

bool judge_converse(Judge *judge, const Question *question, const MapSet *maps, SmtCover *cover,
    SmtVerdict *verdict) {
  Question turned = *question;
  turned.direction = OUTPUT_TO_INPUT;
  MapSet others;
  Error error = {};
  if (!judge_ask_engine(judge, &turned, &others, &error))
    return undecided(cover, verdict, error.message);
  if (!is_exact(judge, &turned, &others, cover, verdict)) return true;
  if (others.count != maps->count)
    return undecided(cover, verdict, "the maps of both directions do not stand in pairs");
  for (uint32_t i = 0; i < maps->count; i++) {
    SmtAnswer answer = compare(judge, question, maps->maps[i], others.maps[i], false, verdict);
    if (answer == SMT_PROVED) continue;
    bool stands_alone = answer == SMT_REFUTED && maps->count == 1 && maps->claim == INDEX_EXACT;
    bool misses = stands_alone && compare(judge, question, maps->maps[i], others.maps[i], true,
                                      verdict) == SMT_REFUTED;
    *cover = misses ? SMT_WRONG : SMT_UNDECIDED;
    if (misses) say_missing(verdict);
    return true;
  }
  *cover = SMT_EXACT;
  snprintf(verdict->text, sizeof verdict->text,
      "the converse of output-to-input, which is proved exact");
  return true;
}
