/* Propagates a mark from the parameter leaf to each leaf of each instruction: not reached; reached
 * across one sequence of collectives that keep an element's index, the same on every path; across
 * different sequences; or across an operation whose reads are over-approximated (`stated`).
 * Keeps: a leaf that can depend on the parameter is marked, and joining marks only loses
 * information. A body is entered with the marks of its operands. Bodies nest as deep as the module.
 * Beyond most_steps every mark is `stated`. */
#include "judge/graphs/equiv_between.h"

#include <assert.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/devices.h"
#include "judge/graphs/equiv_literal.h"

static constexpr uint32_t most_steps = 4'000'000;

typedef uint32_t ElementMark;
/* Marks from `straight` on denote sequences of collectives. */
static constexpr ElementMark unreached = 0, stated = 1, mixed = 2, straight = 3;

typedef struct Crossing {
  ElementMark after;
  const Instruction *collective;
} Crossing;

typedef struct Crossings {
  Crossing *items;
  uint32_t count, capacity;
} Crossings;

typedef struct Between {
  Arena *arena;
  Crossings crossings;        /* of marks from straight + 1 on; shared by both sides */
  const Instruction *culprit; /* where a mark was first lost */
  const char *why;
  uint32_t steps;
} Between;

static ElementMark lose(
    Between *between, const Instruction *instruction, ElementMark mark, const char *why) {
  if (between->culprit == nullptr) {
    between->culprit = instruction;
    between->why = why;
  }
  return mark;
}

static ElementMark equiv_between_join(
    Between *between, const Instruction *instruction, ElementMark a, ElementMark b) {
  if (a == unreached || a == b) return b;
  if (b == unreached) return a;
  if (a == stated || b == stated) return stated;
  return lose(between, instruction, mixed,
      "what comes across a collective meets what does not, or comes across another");
}

static Opcode base_of(Opcode opcode) {
  if (opcode == HLO_ALL_REDUCE_START) return HLO_ALL_REDUCE;
  return opcode == HLO_COLLECTIVE_PERMUTE_START ? HLO_COLLECTIVE_PERMUTE : opcode;
}

static bool same_groups(const ReplicaGroups *a, const ReplicaGroups *b) {
  uint32_t count = a == nullptr ? 0 : a->count;
  if (count != (b == nullptr ? 0 : b->count)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!ints_equal(a->groups[i], b->groups[i])) return false;
  return true;
}

static bool same_devices(const Instruction *a, const Instruction *b) {
  return base_of(a->opcode) == base_of(b->opcode) && a->channel_id == b->channel_id &&
         a->use_global_device_ids == b->use_global_device_ids &&
         same_groups(instruction_groups(a), instruction_groups(b)) &&
         ints_equal(a->source_target_pairs, b->source_target_pairs);
}

/* After such a collective a device may have nothing of what was sent. */
static bool leaves_devices_out(const Instruction *collective) {
  Opcode base = base_of(collective->opcode);
  return base == HLO_COLLECTIVE_PERMUTE || base == HLO_COLLECTIVE_BROADCAST;
}

/* Whether some path that the mark stands for may have crossed such a collective. */
static bool may_leave_devices_out(const Between *between, ElementMark mark) {
  if (mark == mixed) return true;
  for (; mark > straight; mark = between->crossings.items[mark - straight - 1].after)
    if (leaves_devices_out(between->crossings.items[mark - straight - 1].collective)) return true;
  return false;
}

/* Extends the mark by a collective. A permute after another collective may find no device that has
 * the element, and so may a broadcast after a permute or another broadcast. */
static ElementMark cross(Between *between, const Instruction *collective, ElementMark mark) {
  if (mark == unreached || mark == stated) return mark;
  bool permutes = base_of(collective->opcode) == HLO_COLLECTIVE_PERMUTE;
  bool is_lost = permutes ? mark != straight || collective->source_target_pairs.count == 0
                          : leaves_devices_out(collective) && may_leave_devices_out(between, mark);
  if (is_lost)
    return lose(
        between, collective, stated, "whether any device sends depends on earlier operations");
  if (mark == mixed) return mark;
  for (uint32_t i = 0; i < between->crossings.count; i++)
    if (between->crossings.items[i].after == mark &&
        same_devices(between->crossings.items[i].collective, collective))
      return straight + 1 + i;
  *ARENA_PUSH(between->arena, &between->crossings) = (Crossing){mark, collective};
  return straight + between->crossings.count;
}

typedef struct EquivBetweenMarks {
  ElementMark **of; /* [instruction][leaf] */
} EquivBetweenMarks;

static ElementMark all_of(
    Between *between, const Instruction *instruction, const ElementMark *marks, uint32_t count) {
  ElementMark mark = unreached;
  for (uint32_t i = 0; i < count; i++)
    mark = equiv_between_join(between, instruction, mark, marks[i]);
  return mark;
}

static ElementMark operand_mark(Between *between, const EquivBetweenMarks *marks,
    const Instruction *instruction, uint32_t operand) {
  const Instruction *from = instruction->operands[operand];
  return all_of(between, instruction, marks->of[from->id], shape_leaf_count(from->shape));
}

static ElementMark operands_mark(
    Between *between, const EquivBetweenMarks *marks, const Instruction *instruction) {
  ElementMark mark = unreached;
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    mark = equiv_between_join(
        between, instruction, mark, operand_mark(between, marks, instruction, i));
  return mark;
}

static ElementMark *equiv_between_walk(
    Between *between, const Computation *computation, ElementMark *const *parameters);

/* The mark of leaf `leaf` of the body's root if only parameter `number` has one, `straight`. */
static ElementMark body_leaf_mark(
    Between *between, const Computation *body, uint32_t leaf, uint32_t number) {
  if (number >= body->parameter_count || leaf >= shape_leaf_count(body->root->shape)) return stated;
  Between own = {.arena = between->arena, .steps = between->steps};
  ElementMark **parameters = ARENA_NEW(own.arena, ElementMark *, body->parameter_count);
  for (uint32_t i = 0; i < body->parameter_count; i++) {
    uint32_t leaves = shape_leaf_count(body->parameters[i]->shape);
    parameters[i] = ARENA_NEW(own.arena, ElementMark, leaves);
    for (uint32_t k = 0; k < leaves; k++) parameters[i][k] = i == number ? straight : unreached;
  }
  ElementMark mark = equiv_between_walk(&own, body, parameters)[leaf];
  between->steps = own.steps;
  return mark;
}

/* True if the leaf depends on the parameter. */
static bool body_uses_leaf(
    Between *between, const Computation *body, uint32_t leaf, uint32_t number) {
  return body_leaf_mark(between, body, leaf, number) == straight;
}

static bool uses_all(Between *between, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->called_count; i++)
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->called[i]->root->shape); leaf++)
      for (uint32_t k = 0; k < instruction->called[i]->parameter_count; k++)
        if (!body_uses_leaf(between, instruction->called[i], leaf, k)) return false;
  return instruction->called_count > 0;
}

/* For n inputs and n initial values: both the accumulator and the new value must reach the
 * result. */
static bool fold_uses(Between *between, const Instruction *fold, uint32_t leaf, uint32_t operand) {
  uint32_t n = fold->operand_count / 2, number = operand < n ? n + operand : operand - n;
  return fold->called_count == 1 && body_uses_leaf(between, fold->called[0], leaf, leaf) &&
         body_uses_leaf(between, fold->called[0], leaf, number);
}

/* Operands of a scatter: n operands, indices, n updates. */
static bool scatter_uses(
    Between *between, const Instruction *scatter, uint32_t leaf, uint32_t operand) {
  uint32_t n = scatter->operand_count / 2;
  if (operand == n) return true;
  return scatter->called_count == 1 &&
         body_uses_leaf(between, scatter->called[0], leaf, operand < n ? operand : operand - 1);
}

static bool compares(Between *between, const Instruction *sort, uint32_t operand) {
  return body_uses_leaf(between, sort->called[0], 0, 2 * operand) &&
         body_uses_leaf(between, sort->called[0], 0, 2 * operand + 1);
}

static bool sort_uses(Between *between, const Instruction *sort, uint32_t leaf, uint32_t operand) {
  if (sort->called_count != 1) return false;
  if (operand != leaf) return compares(between, sort, operand);
  for (uint32_t i = 0; i < sort->operand_count; i++)
    if (compares(between, sort, i)) return true;
  return false;
}

/* What decides whether a leaf really uses an operand as its over-approximated reads state. */
typedef enum EquivBetweenUse : uint8_t {
  USE_STATED, /* nothing: it does */
  USE_FOLD,
  USE_SCATTER,
  USE_SORT,
  USE_BODIES,
} EquivBetweenUse;

static const EquivBetweenUse uses[opcode_count] = {
    [HLO_REDUCE] = USE_FOLD,
    [HLO_REDUCE_WINDOW] = USE_FOLD,
    [HLO_SCATTER] = USE_SCATTER,
    [HLO_SORT] = USE_SORT,
    [HLO_SELECT_AND_SCATTER] = USE_BODIES,
    [HLO_SCAN] = USE_BODIES,
};
static constexpr uint32_t reading_families =
    1U << FAMILY_REDUCE | 1U << FAMILY_DYNAMIC | 1U << FAMILY_ORDER;
static constexpr uint32_t may_ignore_operands = 0
#define OPCODE(id, text, least, most, group, effect) +(reading_families >> family_of_##group & 1)
#include "core/hlo/opcodes.def"
#undef OPCODE
    ;
static_assert(may_ignore_operands == 13, "a new opcode: does a body decide what it reads?");

static bool is_used(
    Between *between, const Instruction *instruction, uint32_t leaf, uint32_t operand) {
  switch (uses[instruction->opcode]) {
    case USE_STATED: return true;
    case USE_FOLD: return fold_uses(between, instruction, leaf, operand);
    case USE_SCATTER: return scatter_uses(between, instruction, leaf, operand);
    case USE_SORT: return sort_uses(between, instruction, leaf, operand);
    case USE_BODIES: return uses_all(between, instruction);
  }
  return true;
}

/* The reads of a map are those of its body: an operand that the body does not use is not read. */
static ElementMark map_operand_mark(
    Between *between, const Instruction *map, uint32_t operand, ElementMark mark) {
  if (mark == unreached || map->called_count != 1) return mark;
  ElementMark inner = body_leaf_mark(between, map->called[0], 0, operand);
  if (inner == straight) return mark;
  return inner == unreached ? unreached
                            : lose(between, map, stated, "its computation has no exact reads");
}

static ElementMark computed_mark(Between *between, const EquivBetweenMarks *marks,
    const Instruction *instruction, uint32_t leaf) {
  ElementMark mark = unreached;
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    ElementMark operand = operand_mark(between, marks, instruction, i);
    if (instruction->opcode == HLO_MAP)
      operand = map_operand_mark(between, instruction, i, operand);
    if (operand != unreached && operand != stated && !is_used(between, instruction, leaf, i))
      operand = lose(between, instruction, stated,
          "its computation does not use all that it is given, and it is stated to read all");
    mark = equiv_between_join(between, instruction, mark, operand);
  }
  return mark;
}

static void set_computed(Between *between, const EquivBetweenMarks *marks,
    const Instruction *instruction, ElementMark *to, uint32_t leaves) {
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    to[leaf] = leaf > 0 && instruction->called_count == 0
                   ? to[0]
                   : computed_mark(between, marks, instruction, leaf);
}

static void set_stated(Between *between, const EquivBetweenMarks *marks,
    const Instruction *instruction, ElementMark *to, uint32_t leaves, const char *why) {
  ElementMark mark = operands_mark(between, marks, instruction);
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    to[leaf] = mark == unreached ? unreached : lose(between, instruction, stated, why);
}

/* Moves marks leaf by leaf: from one operand, starting at leaf `first`, or from all operands in
 * order. */
static void set_moved(const EquivBetweenMarks *marks, const Instruction *instruction,
    ElementMark *to, uint32_t leaves, uint32_t first) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    const Instruction *from = instruction->operands[i];
    uint32_t count = shape_leaf_count(from->shape);
    for (uint32_t k = i == 0 ? first : 0; k < count && at < leaves; k++)
      to[at++] = marks->of[from->id][k];
  }
}

static uint32_t leaves_before(const Shape *shape, int64_t element) {
  uint32_t leaves = 0;
  for (int64_t i = 0; i < element; i++) leaves += shape_leaf_count(shape->elements[i]);
  return leaves;
}

/* The result of a permute-start first contains the operands themselves. */
static void set_crossed(Between *between, const EquivBetweenMarks *marks,
    const Instruction *collective, ElementMark *to, uint32_t leaves) {
  bool holds = collective->opcode == HLO_COLLECTIVE_PERMUTE_START;
  bool combines = base_of(collective->opcode) == HLO_ALL_REDUCE;
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    uint32_t count = collective->operand_count,
             operand = holds && leaf >= count ? leaf - count : leaf;
    to[leaf] = operand < count ? operand_mark(between, marks, collective, operand) : unreached;
    if (to[leaf] == unreached || (holds && leaf < count)) continue;
    if (combines && !uses_all(between, collective))
      to[leaf] =
          lose(between, collective, stated, "its computation does not use both of its sides");
    else to[leaf] = cross(between, collective, to[leaf]);
  }
}

/* The marks of the body's root, given the operands' marks. */
static const ElementMark *body_marks(
    Between *between, const EquivBetweenMarks *marks, const Instruction *caller) {
  const Computation *body = caller->called[0];
  ElementMark **parameters = ARENA_NEW(between->arena, ElementMark *, body->parameter_count);
  for (uint32_t i = 0; i < body->parameter_count; i++)
    parameters[i] = marks->of[caller->operands[i]->id];
  return equiv_between_walk(between, body, parameters);
}

static bool enters(const Instruction *caller) {
  return caller->called_count == 1 && caller->operand_count == caller->called[0]->parameter_count;
}

static void set_called(Between *between, const EquivBetweenMarks *marks, const Instruction *caller,
    ElementMark *to, uint32_t leaves) {
  if (!enters(caller)) {
    set_stated(between, marks, caller, to, leaves, "it has no body");
    return;
  }
  const ElementMark *root = body_marks(between, marks, caller);
  uint32_t results = shape_leaf_count(caller->called[0]->root->shape), first = 0;
  if (caller->opcode == HLO_ASYNC_START) {
    first = leaves_before(caller->shape, 1);
    set_moved(marks, caller, to, first, 0);
  }
  for (uint32_t leaf = 0; leaf < results && first + leaf < leaves; leaf++)
    to[first + leaf] = root[leaf];
}

/* What the marks of an instruction's leaves are. */
typedef enum EquivBetweenRule : uint8_t {
  RULE_COMPUTED, /* those of what its reads state */
  RULE_MOVED,
  RULE_ELEMENT, /* moved out of a tuple */
  RULE_ENDED,   /* moved out of (operands, results, ...) */
  RULE_CALLED,
  RULE_CHOSEN,  /* by how often or which body runs */
  RULE_CROSSED, /* an element keeps its index on another device */
  RULE_DEVICES, /* it does not */
  RULE_UNSAID,
} EquivBetweenRule;

static const EquivBetweenRule marking[opcode_count] = {
    [HLO_TUPLE] = RULE_MOVED,
    [HLO_OPTIMIZATION_BARRIER] = RULE_MOVED,
    [HLO_DOMAIN] = RULE_MOVED,
    [HLO_ADD_DEPENDENCY] = RULE_MOVED,
    [HLO_COPY] = RULE_MOVED,
    [HLO_COPY_DONE] = RULE_MOVED,
    [HLO_ASYNC_UPDATE] = RULE_MOVED,
    [HLO_ALL_REDUCE_DONE] = RULE_MOVED,
    [HLO_GET_TUPLE_ELEMENT] = RULE_ELEMENT,
    [HLO_ASYNC_DONE] = RULE_ENDED,
    [HLO_ALL_GATHER_DONE] = RULE_ENDED,
    [HLO_COLLECTIVE_PERMUTE_DONE] = RULE_ENDED,
    [HLO_FUSION] = RULE_CALLED,
    [HLO_CALL] = RULE_CALLED,
    [HLO_ASYNC_START] = RULE_CALLED,
    [HLO_WHILE] = RULE_CHOSEN,
    [HLO_CONDITIONAL] = RULE_CHOSEN,
    [HLO_ALL_REDUCE] = RULE_CROSSED,
    [HLO_ALL_REDUCE_START] = RULE_CROSSED,
    [HLO_COLLECTIVE_PERMUTE] = RULE_CROSSED,
    [HLO_COLLECTIVE_PERMUTE_START] = RULE_CROSSED,
    [HLO_COLLECTIVE_BROADCAST] = RULE_CROSSED,
    [HLO_REDUCE_SCATTER] = RULE_DEVICES,
    [HLO_ALL_GATHER] = RULE_DEVICES,
    [HLO_ALL_GATHER_START] = RULE_DEVICES,
    [HLO_ALL_TO_ALL] = RULE_DEVICES,
    [HLO_RAGGED_ALL_TO_ALL] = RULE_DEVICES,
    [HLO_RNG_BIT_GENERATOR] = RULE_UNSAID,
    [HLO_CUSTOM_CALL] = RULE_UNSAID,
    [HLO_INFEED] = RULE_UNSAID,
    [HLO_OUTFEED] = RULE_UNSAID,
    [HLO_SEND] = RULE_UNSAID,
    [HLO_SEND_DONE] = RULE_UNSAID,
    [HLO_RECV] = RULE_UNSAID,
    [HLO_RECV_DONE] = RULE_UNSAID,
    [HLO_SET_DIMENSION_SIZE] = RULE_UNSAID,
    [HLO_DYNAMIC_RESHAPE] = RULE_UNSAID,
    [HLO_DYNAMIC_PAD] = RULE_UNSAID,
};
static constexpr uint32_t marked_families =
    1U << FAMILY_STRUCTURE | 1U << FAMILY_CALL | 1U << FAMILY_COLLECTIVE | 1U << FAMILY_OPAQUE;
static constexpr uint32_t may_not_compute = 0
#define OPCODE(id, text, least, most, group, effect) +(marked_families >> family_of_##group & 1)
#include "core/hlo/opcodes.def"
#undef OPCODE
    ;
static_assert(may_not_compute == 43, "a new opcode: which rule marks its leaves?");

static EquivBetweenRule marking_of(const Instruction *instruction) {
  return instruction_permutes_slices(instruction) ? RULE_DEVICES : marking[instruction->opcode];
}

static void set_marks(Between *between, const EquivBetweenMarks *marks,
    const Instruction *instruction, ElementMark *to, uint32_t leaves) {
  switch (marking_of(instruction)) {
    case RULE_COMPUTED: set_computed(between, marks, instruction, to, leaves); break;
    case RULE_MOVED: set_moved(marks, instruction, to, leaves, 0); break;
    case RULE_ELEMENT:
      set_moved(marks, instruction, to, leaves,
          leaves_before(instruction->operands[0]->shape, instruction->number));
      break;
    case RULE_ENDED:
      set_moved(marks, instruction, to, leaves, leaves_before(instruction->operands[0]->shape, 1));
      break;
    case RULE_CALLED: set_called(between, marks, instruction, to, leaves); break;
    case RULE_CHOSEN:
      set_stated(between, marks, instruction, to, leaves,
          "which element reaches which depends on how often or which body runs");
      break;
    case RULE_CROSSED: set_crossed(between, marks, instruction, to, leaves); break;
    case RULE_DEVICES:
      set_stated(between, marks, instruction, to, leaves,
          "an index does not say of which device an element is");
      break;
    case RULE_UNSAID:
      set_stated(between, marks, instruction, to, leaves, "what it reads is not in the text");
      break;
  }
}

/* Returns the marks of the root's leaves. */
static ElementMark *equiv_between_walk(
    Between *between, const Computation *computation, ElementMark *const *parameters) {
  EquivBetweenMarks marks = {
      .of = ARENA_NEW(between->arena, ElementMark *, computation->instruction_count)};
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    uint32_t leaves = shape_leaf_count(instruction->shape);
    ElementMark *to = marks.of[i] = ARENA_NEW(between->arena, ElementMark, leaves + 1);
    if (++between->steps > most_steps)
      for (uint32_t leaf = 0; leaf < leaves; leaf++)
        to[leaf] = lose(between, instruction, stated, "the graph is too large to follow");
    else if (instruction->opcode != HLO_PARAMETER)
      set_marks(between, &marks, instruction, to, leaves);
    else memcpy(to, parameters[instruction->number], leaves * sizeof *to);
  }
  return marks.of[computation->root->id];
}

static ElementMark mark_of(Between *between, const Computation *entry, EquivPair pair) {
  ElementMark **parameters = ARENA_NEW(between->arena, ElementMark *, entry->parameter_count);
  for (uint32_t i = 0; i < entry->parameter_count; i++)
    parameters[i] =
        ARENA_NEW(between->arena, ElementMark, shape_leaf_count(entry->parameters[i]->shape) + 1);
  parameters[pair.parameter][pair.parameter_leaf] = straight;
  between->culprit = nullptr;
  between->steps = 0;
  return equiv_between_walk(between, entry, parameters)[pair.output];
}

static bool is_plain(ElementMark mark) { return mark == unreached || mark == straight; }

/* True if only one side reads the element, and that side's reads are not over-approximated. */
static bool differs_anyway(const EquivVerdict *verdict, const ElementMark marks[2]) {
  bool differs = verdict->answer == REASON_DIFFERENT || verdict->answer == REASON_EXTRA;
  return differs && verdict->has_witness && marks[verdict->reader] != stated;
}

typedef struct Lost {
  const Instruction *instruction;
  const char *why;
} Lost;

static const Instruction *crossed(const Between *between, ElementMark mark) {
  if (mark <= straight) return nullptr;
  assert(between->crossings.items != nullptr && mark - straight <= between->crossings.count);
  return between->crossings.items[mark - straight - 1].collective;
}

static Lost lost_on(const Between *between, ElementMark mark) {
  if (mark == stated || mark == mixed) return (Lost){between->culprit, between->why};
  return (Lost){crossed(between, mark),
      "the other graph does not cross the same devices, and an index does not say of which device an element is"};
}

static void withdraw(EquivVerdict *verdict, const Lost lost[2]) {
  EquivSide side = lost[EQUIV_BEFORE].instruction != nullptr ? EQUIV_BEFORE : EQUIV_AFTER;
  assert(lost[side].instruction != nullptr);
  verdict->reason = arena_printf(verdict->arena,
      "%s '%s' is between them in the graph %s: %s; the stated reads are %s by %s, which proves nothing about the actual reads",
      opcode_name(lost[side].instruction->opcode), lost[side].instruction->name,
      side == EQUIV_BEFORE ? "before" : "after", lost[side].why, equiv_answer_text(verdict->answer),
      verdict->judges);
  verdict->answer = REASON_OPEN;
  verdict->judges = nullptr;
  verdict->has_witness = verdict->is_unread = false;
}

static void equiv_between_decide(const Equiv *equiv, Between *between, EquivVerdict *verdict) {
  ElementMark marks[2];
  Lost lost[2];
  for (uint32_t side = 0; side < 2; side++) {
    marks[side] = mark_of(between, equiv->entries[side], verdict->pair);
    lost[side] = lost_on(between, marks[side]);
  }
  bool is_sequence = marks[0] == marks[1] && marks[0] >= straight;
  if (is_sequence || (is_plain(marks[0]) && is_plain(marks[1]))) return;
  if (differs_anyway(verdict, marks)) {
    verdict->answer = REASON_DIFFERENT;
    return;
  }
  if (verdict->answer == REASON_EXACT && equiv_literal(between->arena, equiv->entries[0],
                                             equiv->entries[1], verdict->pair.output) != LITERAL_NO)
    return;
  withdraw(verdict, lost);
}

void equiv_withdraw(const Equiv *equiv, EquivVerdict *verdict) {
  if (verdict->answer == REASON_OPEN || verdict->answer == REASON_DISSENT || verdict->is_unread)
    return;
  Between between = {.arena = arena_create()};
  equiv_between_decide(equiv, &between, verdict);
  arena_destroy(between.arena);
}
