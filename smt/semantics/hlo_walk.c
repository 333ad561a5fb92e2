/* A worklist of places: instruction, leaf, index, and the piece (hidden integers, constraints) of
 * the path to it. Each place is expanded once. A call enters its body's root in a new frame; a
 * parameter leaves the frame. The number of places is bounded. */
#include "smt/semantics/hlo_walk.h"

#include <assert.h>

#include "core/base/hash.h"
#include "core/base/table.h"

static constexpr uint32_t most_positions = 20'000;

/* A frame, and the instructions of its computation that lead to the target. `frame` is the first
 * member, so a CallSite pointer in this file is also an Inside pointer. */
typedef struct Inside {
  CallSite frame;
  const Computation *computation;
  bool *relevant; /* [instruction_count] */
} Inside;

typedef struct HloWalkPosition {
  const Inside *inside;
  const Instruction *instruction; /* null: the target */
  uint32_t leaf;
  Sum *index;
  Piece piece;
  bool crossed; /* a collective is on the path: the element may be on another device */
  uint64_t hash;
} HloWalkPosition;

typedef struct HloWalkPositions {
  HloWalkPosition *items;
  uint32_t count, capacity;
} HloWalkPositions;

typedef struct Insides {
  Inside **items;
  uint32_t count, capacity;
} Insides;

typedef struct HloWalk {
  Sums *sums;
  const Instruction *top; /* whose operand is the target; null: the target is a parameter of the
                             outermost computation */
  uint32_t number, target_leaf; /* operand or parameter number */
  uint32_t target_rank;
  HloWalkPositions positions;
  Table seen; /* of positions */
  Insides insides;
  WalkAnswer answer;
} HloWalk;

static bool is_body_call(Opcode opcode) {
  return opcode == HLO_FUSION || opcode == HLO_CALL || opcode == HLO_ASYNC_START;
}

static bool parameter_is_relevant(
    const HloWalk *walk, const Inside *inside, const Instruction *parameter) {
  if (inside->frame.caller == nullptr)
    return walk->top == nullptr && parameter->number == walk->number;
  if (inside->frame.caller == walk->top) return parameter->number == walk->number;
  const Inside *outer = (const Inside *)inside->frame.outer;
  return parameter->number < inside->frame.caller->operand_count &&
         outer->relevant[inside->frame.caller->operands[parameter->number]->id];
}

static const Inside *hlo_walk_enter(
    HloWalk *walk, const Inside *outer, const Instruction *caller, const Computation *computation) {
  Arena *arena = walk->sums->arena;
  for (uint32_t i = 0; i < walk->insides.count; i++) {
    Inside *known = walk->insides.items[i];
    if (known->frame.caller == caller && known->frame.outer == (const CallSite *)outer &&
        known->computation == computation)
      return known;
  }
  Inside *inside = ARENA_NEW(arena, Inside, 1);
  *inside = (Inside){
      .frame = {.caller = caller, .outer = (const CallSite *)outer}, .computation = computation};
  inside->relevant = ARENA_NEW(arena, bool, computation->instruction_count);
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    bool relevant =
        instruction->opcode == HLO_PARAMETER && parameter_is_relevant(walk, inside, instruction);
    for (uint32_t k = 0; k < instruction->operand_count && !relevant; k++)
      relevant = inside->relevant[instruction->operands[k]->id];
    inside->relevant[instruction->id] = relevant;
  }
  *ARENA_PUSH(arena, &walk->insides) = inside;
  return inside;
}

static uint64_t hash_position(const HloWalkPosition *position, uint32_t rank) {
  uint64_t hash = hash_mix(
      hash_mix((uint64_t)(uintptr_t)position->inside, (uint64_t)(uintptr_t)position->instruction),
      2 * (uint64_t)position->leaf + position->crossed);
  for (uint32_t i = 0; i < rank; i++) hash = hash_mix(hash, position->index[i].at);
  for (uint32_t i = 0; i < position->piece.withins.count; i++) {
    Within within = position->piece.withins.items[i];
    hash =
        hash_mix(hash_mix(hash_mix(hash, within.sum.at), (uint64_t)within.lo), (uint64_t)within.hi);
  }
  return hash;
}

static bool same_position(const HloWalkPosition *a, const HloWalkPosition *b, uint32_t rank) {
  if (a->hash != b->hash || a->inside != b->inside || a->instruction != b->instruction ||
      a->leaf != b->leaf || a->crossed != b->crossed)
    return false;
  if (a->piece.withins.count != b->piece.withins.count) return false;
  for (uint32_t i = 0; i < rank; i++)
    if (!sum_same(a->index[i], b->index[i])) return false;
  for (uint32_t i = 0; i < a->piece.withins.count; i++) {
    Within x = a->piece.withins.items[i], y = b->piece.withins.items[i];
    if (!sum_same(x.sum, y.sum) || x.lo != y.lo || x.hi != y.hi) return false;
  }
  return true;
}

static uint32_t rank_at(const HloWalk *walk, const HloWalkPosition *position) {
  return position->instruction == nullptr
             ? walk->target_rank
             : shape_leaf(position->instruction->shape, position->leaf)->rank;
}

static void add_position(HloWalk *walk, HloWalkPosition position) {
  uint32_t rank = rank_at(walk, &position), known;
  position.hash = hash_position(&position, rank);
  for (TableProbe probe = table_probe(&walk->seen, position.hash);
      table_next(&walk->seen, &probe, &known);)
    if (same_position(&walk->positions.items[known], &position, rank)) return;
  if (walk->positions.count >= most_positions) {
    walk->answer.walked = WALK_TOO_MANY;
    return;
  }
  table_add(&walk->seen, walk->sums->arena, position.hash, walk->positions.count);
  *ARENA_PUSH(walk->sums->arena, &walk->positions) = position;
}

static bool lacks(HloWalk *walk, const Instruction *instruction, const char *why) {
  walk->answer.walked = WALK_LACKS;
  walk->answer.lacking = arena_printf(
      walk->sums->arena, "%s '%s': %s", opcode_name(instruction->opcode), instruction->name, why);
  return false;
}

/* Adds the constraint to those of the path, to the one of the same sum if there is one. False if no
 * value satisfies both. */
static bool hlo_walk_within(const HloWalk *walk, Piece *piece, Within within) {
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    Within *known = &piece->withins.items[i];
    if (!sum_same(known->sum, within.sum)) continue;
    if (known->lo < within.lo) known->lo = within.lo;
    if (known->hi > within.hi) known->hi = within.hi;
    return known->lo <= known->hi;
  }
  *ARENA_PUSH(walk->sums->arena, &piece->withins) = within;
  return true;
}

/* False if the step contradicts the path. */
static bool hlo_walk_join(const HloWalk *walk, const Piece *path, const Piece *step, Piece *piece) {
  *piece = piece_copy(walk->sums, path);
  for (uint32_t i = 0; i < step->hidden.count; i++)
    *ARENA_PUSH(walk->sums->arena, &piece->hidden) = step->hidden.items[i];
  for (uint32_t i = 0; i < step->withins.count; i++)
    if (!hlo_walk_within(walk, piece, step->withins.items[i])) return false;
  return true;
}

/* Whether the path may continue to the operand of this instruction, because it is the target or
 * leads to it. */
static bool leads_on(const HloWalk *walk, const HloWalkPosition *from,
    const Instruction *instruction, uint32_t operand, uint32_t leaf, bool *is_target) {
  assert(operand < instruction->operand_count);
  assert(leaf < shape_leaf_count(instruction->operands[operand]->shape));
  *is_target = false;
  if (walk->top != nullptr && from->inside == nullptr) {
    *is_target = operand == walk->number && leaf == walk->target_leaf;
    return *is_target;
  }
  return from->inside->relevant[instruction->operands[operand]->id];
}

/* The relation becomes an over-approximation, which does not tell whether two graphs read the
 * same. */
static bool hlo_walk_bounded(HloWalk *walk, const Instruction *instruction, const char *why) {
  if (walk->top == nullptr) return lacks(walk, instruction, why);
  walk->answer.at_most = arena_printf(
      walk->sums->arena, "%s '%s': %s", opcode_name(instruction->opcode), instruction->name, why);
  return true;
}

/* Whether the leaf of the collective is an element of another device. A done and the operand in a
 * start's output are not. */
static bool walk_crosses(const HloWalkPosition *from) {
  const Instruction *instruction = from->instruction;
  bool is_start = instruction->opcode == HLO_ALL_GATHER_START ||
                  instruction->opcode == HLO_COLLECTIVE_PERMUTE_START;
  return opcode_family(instruction->opcode) == FAMILY_COLLECTIVE &&
         opcode_group(instruction->opcode) != GROUP_collective_done &&
         !(is_start && from->leaf < instruction->operand_count);
}

/* Whether a device reads the indices that every other device reads. A device in no group of a
 * broadcast reads none. */
static bool walk_is_alike(Opcode opcode) {
  OpcodeGroup group = opcode_group(opcode);
  if (opcode == HLO_COLLECTIVE_BROADCAST) return false;
  return group == GROUP_all_reduce || group == GROUP_all_gather || group == GROUP_all_gather_start;
}

static bool access_has_values(const HloWalk *walk, const Access *access) {
  const Sums *sums = walk->sums;
  bool *depends = sums_dependent_on_values(sums), any = false;
  for (uint32_t i = 0; i < access->rank; i++)
    any = any || sum_depends(sums, depends, access->element[i]);
  for (uint32_t i = 0; i < access->piece.withins.count; i++)
    any = any || sum_depends(sums, depends, access->piece.withins.items[i].sum);
  return any;
}

/* After a collective the path is on another device. Values there are that device's own, and are
 * not followed. A collective in which the device decides reads at most what it reads on any device.
 */
static bool walk_changes_device(HloWalk *walk, const HloWalkPosition *from, const Access *access) {
  if (!from->crossed) return true;
  if (access_has_values(walk, access))
    return lacks(walk, from->instruction, "each device has its own values");
  if (!walk_crosses(from) || walk_is_alike(from->instruction->opcode)) return true;
  return hlo_walk_bounded(
      walk, from->instruction, "it is read by another collective, and an index names no device");
}

static bool hlo_walk_follow(HloWalk *walk, const HloWalkPosition *from, const Access *access) {
  bool is_target;
  const Instruction *instruction = from->instruction;
  if (!leads_on(walk, from, instruction, access->operand, access->leaf, &is_target)) return true;
  if (access->lacking != nullptr) return lacks(walk, instruction, access->lacking);
  if (access->at_most != nullptr && !hlo_walk_bounded(walk, instruction, access->at_most))
    return false;
  if (!walk_changes_device(walk, from, access)) return false;
  HloWalkPosition position = {.inside = from->inside,
      .instruction = is_target ? nullptr : instruction->operands[access->operand],
      .leaf = access->leaf,
      .index = access->element,
      .crossed = from->crossed || walk_crosses(from)};
  if (hlo_walk_join(walk, &from->piece, &access->piece, &position.piece))
    add_position(walk, position);
  return true;
}

/* map: its body works on single elements; an operand is read if the body's root depends on its
 * parameter. */
static void hlo_walk_read_map(SmtReading *reading) {
  const Computation *body = reading->instruction->called[0];
  for (uint32_t k = 0; k < reading->instruction->operand_count; k++)
    if (reading_body_uses(reading, body, k)) reading_identity(reading, k, 0);
}

static bool is_boundary(const HloWalk *walk, Opcode opcode) {
  return walk->top != nullptr && (opcode == HLO_WHILE || opcode == HLO_CONDITIONAL);
}

/* Over-approximates a loop or a branch: it reads at most all elements. */
static void read_everything(HloWalk *walk, SmtReading *reading) {
  const Instruction *instruction = reading->instruction;
  reading->accesses = (Accesses){};
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->operands[i]->shape); leaf++)
      reading_all_of_leaf(reading, i, leaf);
  (void)hlo_walk_bounded(walk, instruction, reading->lacking);
}

static bool expand_accesses(HloWalk *walk, const HloWalkPosition *position) {
  SmtReading reading = {.sums = walk->sums,
      .value = hlo_value,
      .frame = (const CallSite *)position->inside,
      .instruction = position->instruction,
      .leaf = position->leaf,
      .joins_sides = true,
      .index = position->index};
  if (position->inside != nullptr && position->inside->frame.caller == nullptr)
    reading.frame = nullptr;
  reading.shape = shape_leaf(position->instruction->shape, position->leaf);
  if (position->instruction->opcode == HLO_MAP) hlo_walk_read_map(&reading);
  else if (!hlo_accesses(&reading) && !is_boundary(walk, position->instruction->opcode))
    return lacks(walk, position->instruction, reading.lacking);
  if (is_boundary(walk, position->instruction->opcode)) read_everything(walk, &reading);
  for (uint32_t i = 0; i < reading.accesses.count; i++)
    if (!hlo_walk_follow(walk, position, reading.accesses.items[i])) return false;
  return true;
}

/* The output is ((operands), result, ..): the operands themselves, or the results of the body. */
static bool enter_async(
    HloWalk *walk, const HloWalkPosition *position, uint32_t *leaf, bool *is_body) {
  const Shape *shape = position->instruction->shape;
  uint32_t operands = shape_leaf_count(shape->elements[0]),
           results = shape_leaf_count(shape->elements[1]);
  *is_body = operands <= position->leaf && position->leaf < operands + results;
  *leaf = position->leaf - operands;
  if (*is_body || position->leaf >= operands) return true;
  uint32_t at = position->leaf, operand = 0;
  for (; at >= shape_leaf_count(position->instruction->operands[operand]->shape); operand++)
    at -= shape_leaf_count(position->instruction->operands[operand]->shape);
  Access access = {
      .operand = operand, .leaf = at, .rank = rank_at(walk, position), .element = position->index};
  return hlo_walk_follow(walk, position, &access);
}

static bool expand_call(HloWalk *walk, const HloWalkPosition *position) {
  uint32_t leaf = position->leaf;
  bool is_body = true;
  if (position->instruction->opcode == HLO_ASYNC_START &&
      !enter_async(walk, position, &leaf, &is_body))
    return false;
  if (!is_body) return true;
  if (position->instruction->called_count == 0)
    return lacks(walk, position->instruction, "a call without a body");
  const Computation *body = position->instruction->called[0];
  const Inside *inside = hlo_walk_enter(walk, position->inside, position->instruction, body);
  if (!inside->relevant[body->root->id]) return true;
  add_position(walk, (HloWalkPosition){.inside = inside,
                         .instruction = body->root,
                         .leaf = leaf,
                         .index = position->index,
                         .piece = position->piece,
                         .crossed = position->crossed});
  return true;
}

/* Continues from a body to the caller's operand, or from the outermost computation to the
 * target. */
static bool expand_parameter(HloWalk *walk, const HloWalkPosition *position) {
  HloWalkPosition next = *position;
  const Instruction *caller =
      position->inside == nullptr ? nullptr : position->inside->frame.caller;
  if (caller == nullptr) {
    if (walk->top != nullptr || position->instruction->number != walk->number ||
        position->leaf != walk->target_leaf)
      return true;
    next.inside = nullptr;
    next.instruction = nullptr;
    add_position(walk, next);
    return true;
  }
  next.inside = (const Inside *)position->inside->frame.outer;
  HloWalkPosition at_caller = {.inside = next.inside,
      .instruction = caller,
      .piece = position->piece,
      .crossed = position->crossed};
  Access access = {.operand = (uint32_t)position->instruction->number,
      .leaf = position->leaf,
      .rank = rank_at(walk, position),
      .element = position->index};
  if (access.operand >= caller->operand_count) return true;
  return hlo_walk_follow(walk, &at_caller, &access);
}

static bool expand(HloWalk *walk, const HloWalkPosition *position) {
  if (position->instruction->opcode == HLO_PARAMETER) return expand_parameter(walk, position);
  if (is_body_call(position->instruction->opcode)) return expand_call(walk, position);
  return expand_accesses(walk, position);
}

static void hlo_walk_finish(HloWalk *walk, const HloWalkPosition *position, const Sum *to) {
  Piece piece = piece_copy(walk->sums, &position->piece);
  for (uint32_t i = 0; i < walk->target_rank; i++)
    piece_equal(walk->sums, &piece, position->index[i], to[i]);
  relation_add(walk->sums, &walk->answer.relation, piece);
}

static WalkAnswer hlo_walk_run(HloWalk *walk, const HloWalkPosition *start, const Sum *to) {
  add_position(walk, *start);
  for (uint32_t i = 0;
      i < walk->positions.count && walk->answer.walked == WALKED && !walk->sums->overflow; i++) {
    HloWalkPosition position = walk->positions.items[i];
    if (position.instruction == nullptr) hlo_walk_finish(walk, &position, to);
    else if (!expand(walk, &position)) break;
  }
  return walk->answer;
}

static HloWalkPosition start_position(
    HloWalk *walk, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  Sums *sums = walk->sums;
  const Shape *shape = shape_leaf(instruction->shape, leaf);
  HloWalkPosition position = {
      .instruction = instruction, .leaf = leaf, .index = ARENA_NEW(sums->arena, Sum, shape->rank)};
  for (uint32_t i = 0; i < shape->rank; i++) {
    position.index[i] = index[i];
    piece_within(sums, &position.piece, index[i], 0, (Wide)shape->sizes[i] - 1);
  }
  return position;
}

WalkAnswer hlo_walk_operand(Sums *sums, const Instruction *instruction, uint32_t leaf,
    const Sum *index, uint32_t operand, uint32_t operand_leaf, const Sum *to) {
  assert(leaf < shape_leaf_count(instruction->shape));
  HloWalk walk = {.sums = sums, .top = instruction, .number = operand, .target_leaf = operand_leaf};
  walk.target_rank = shape_leaf(instruction->operands[operand]->shape, operand_leaf)->rank;
  HloWalkPosition start = start_position(&walk, instruction, leaf, index);
  return hlo_walk_run(&walk, &start, to);
}

WalkAnswer hlo_walk_parameter(Sums *sums, const Computation *computation, uint32_t leaf,
    const Sum *index, uint32_t parameter, uint32_t parameter_leaf, const Sum *to) {
  HloWalk walk = {.sums = sums, .number = parameter, .target_leaf = parameter_leaf};
  walk.target_rank = shape_leaf(computation->parameters[parameter]->shape, parameter_leaf)->rank;
  HloWalkPosition start = start_position(&walk, computation->root, leaf, index);
  start.inside = hlo_walk_enter(&walk, nullptr, nullptr, computation);
  if (!start.inside->relevant[computation->root->id]) return walk.answer;
  return hlo_walk_run(&walk, &start, to);
}
