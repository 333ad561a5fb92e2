/* Parses a block into a set of maps, which is judged like any other (judge.h), or finds a reason
 * why it is none:
 *   malformed   the text does not parse, or has another rank
 *   undefined   UNDEFINED is among the maps
 * A domain that leaves its tensor is a wrong one, which the judges find at a point: bounds may be
 * looser if a constraint excludes the rest. KNOWN EMPTY has no pairs, like `(none)`. Maps that a
 * judge calls inexact are an over-approximation. */
#include "judge/audit/audit.h"

#include <assert.h>
#include <stdarg.h>

#include "core/map/text.h"
#include "judge/audit/audit_sources.h"
#include "judge/audit/audit_unused.h"

Audit *audit_create(Arena *arena) {
  Audit *audit = ARENA_NEW(arena, Audit, 1);
  *audit = (Audit){.text = "", .arena = arena};
  return audit;
}

void audit_set(Audit *audit, VerdictReason answer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  audit->answer = answer;
  audit->text = arena_write(audit->arena, format, arguments);
  va_end(arguments);
}

/* The operand leaf of a heading without one: the only leaf, or the one that a get-tuple-element
 * takes. */
static bool leaf_of(const Instruction *root, const PrintedBlock *block, uint32_t *leaf) {
  const Shape *shape = root->operands[block->operand]->shape;
  *leaf = 0;
  if (block->operand_leaf >= 0) *leaf = (uint32_t)block->operand_leaf;
  else if (root->opcode == HLO_GET_TUPLE_ELEMENT)
    *leaf = shape_leaf_offset(shape, (uint32_t)root->number) + block->output;
  else return shape_leaf_count(shape) == 1;
  return true;
}

/* For nested tuples, some engines count elements where affirm counts leaves. True if both numbers
 * agree, which holds up to the first element that is a tuple. */
static bool is_counted_alike(const Instruction *root, const PrintedBlock *block) {
  if (!shape_is_tuple(root->shape) || block->operand_leaf >= 0) return true;
  for (uint32_t i = 0; i < block->output && i < root->shape->element_count; i++)
    if (shape_is_tuple(root->shape->elements[i])) return false;
  return block->output >= root->shape->element_count ||
         !shape_is_tuple(root->shape->elements[block->output]);
}

bool audit_match_leaves(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit) {
  *audit = (Audit){.text = "", .arena = audit->arena};
  uint32_t outputs = shape_leaf_count(root->shape), leaf;
  if (block->output >= outputs || block->operand >= root->operand_count)
    return audit_say(audit, REASON_MALFORMED, "%s has %s and %s", root->name,
        counted(outputs, "output"), counted(root->operand_count, "operand"));
  uint32_t leaves = shape_leaf_count(root->operands[block->operand]->shape);
  if (block->operand_leaf >= leaves)
    return audit_say(
        audit, REASON_MALFORMED, "operand %u has %s", block->operand, counted(leaves, "leaf"));
  if (!leaf_of(root, block, &leaf))
    return audit_say(audit, REASON_OPEN,
        "operand %u is a tuple of %s, and the heading does not say which", block->operand,
        counted(leaves, "leaf"));
  assert(leaf < leaves);
  *question = (Question){.instruction = root,
      .direction = block->is_inverse ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT,
      .output = block->output,
      .operand = block->operand,
      .operand_leaf = leaf};
  return true;
}

bool audit_match(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit) {
  if (!audit_match_leaves(root, block, question, audit)) return false;
  return is_counted_alike(root, block) ||
         audit_say(audit, REASON_OPEN,
             "output %u of a tuple with tuples in it: elements or leaves, the heading does not say",
             block->output);
}

static bool fits_rank(const char *what, uint32_t count, const Shape *shape, Audit *audit) {
  if (count == shape->rank) return true;
  audit->is_misfit = true;
  return audit_say(audit, REASON_MALFORMED, "the map has %s, the tensor has rank %u",
      counted(count, what), shape->rank);
}

static bool audit_fits(const Question *question, const Map *map, Audit *audit) {
  const Shape *output = shape_leaf(question->instruction->shape, question->output);
  const Shape *operand =
      shape_leaf(question->instruction->operands[question->operand]->shape, question->operand_leaf);
  assert(question->operand < question->instruction->operand_count);
  const Shape *from = question->direction == OUTPUT_TO_INPUT ? output : operand,
              *to = from == output ? operand : output;
  if (!shape_is_array(output) || !shape_is_array(operand))
    return audit_say(audit, REASON_OPEN, "one side is no array");
  return fits_rank("dimension", map->dim_count, from, audit) &&
         fits_rank("result", map->result_count, to, audit);
}

/* A runtime variable without a source that has no value leaves the map without pairs. */
static bool has_no_values(const Map *map) {
  for (uint32_t i = 0; map->sources == nullptr && i < map->runtime_count; i++)
    if (map->runtimes[i].bounds.lo > map->runtimes[i].bounds.hi) return true;
  return false;
}

static bool audit_read_map(MapContext *context, const Question *question, const Source *source,
    Text *why, const Map **map, Audit *audit) {
  Error error = {};
  const Map *parsed;
  if (!map_parse(context, source, &parsed, &error)) {
    audit->is_overflow = error.kind == ERROR_OVERFLOW;
    return audit_say(
        audit, REASON_MALFORMED, "line %u, column %u: %s", error.line, error.column, error.message);
  }
  *map = parsed;
  if (parsed->state != MAP_PLAIN) return true;
  if (!audit_fits(question, parsed, audit)) return false;
  if (has_no_values(parsed)) {
    *map = map_known_empty(context);
    return true;
  }
  if (map_drop_unused_runtimes(context, parsed, &parsed, &error) &&
      audit_resolve_sources(context, question->instruction, parsed, map, why, &error))
    return true;
  return audit_say(audit, REASON_OPEN, "%s", error.message);
}

/* One UNDEFINED map makes the whole set UNDEFINED. */
bool audit_read_maps(MapContext *context, Arena *arena, const Question *question,
    const PrintedBlock *block, Text *why, MapSet *set, Audit *audit) {
  *set = (MapSet){.claim = INDEX_EXACT, .maps = ARENA_NEW(arena, const Map *, block->maps.count)};
  if (block->maps.count == 0 && !block->is_none)
    return audit_say(audit, REASON_MALFORMED, "neither a map nor (none) is given");
  if (block->maps.count > 0 && block->is_none)
    return audit_say(audit, REASON_MALFORMED, "(none) and a map below one heading");
  bool is_undefined = false;
  for (uint32_t i = 0; i < block->maps.count; i++) {
    const Map *map;
    if (!audit_read_map(context, question, &block->maps.items[i], why, &map, audit)) return false;
    is_undefined |= map->state == MAP_UNDEFINED;
    if (map->state == MAP_PLAIN) set->maps[set->count++] = map;
  }
  assert(set->count <= block->maps.count);
  if (!is_undefined) return true;
  return audit_say(audit, REASON_UNDEFINED, "the text says UNDEFINED");
}
