/* Replica maps: with the device in front of the element on both sides, collectives are maps like any other.
 * A group with members m_0, m_1, .. in even steps is one map: a device D of the group has the place (D - m_0) / step, and place q is the device
 * m_0 + step * q. A group in uneven steps is a map for each pair of its members. For an output element d on the device at place `own`:
 *   all-reduce: d of every place. Reduce-scatter: d + own * part along the dimension, of every place.
 *   All-gather: d mod size, of place d floordiv size. All-to-all: d mod chunk + own * chunk, of place d floordiv chunk; its tuple form: output k is
 *   operand `own` of place k. Broadcast: d of place 0. Permute: d of the source that the pairs name; other devices receive nothing.
 * Refuses (undefined, said) empty groups whose size nothing tells, and more than 16 uneven members. */
#include <string.h>

#include "core/index/dispatch.h"
#include "core/index/indexer.h"

static constexpr uint32_t most_uneven = 16;

typedef struct Group {
  const int64_t *members;
  uint32_t count;
} Group;

/* The output element's device and what it reads: place of the source, and element. */
typedef struct Sender {
  Expr own;   /* place of this device */
  Expr place; /* of the source */
  Expr *element; /* [rank of the operand] */
} Sender;

typedef struct Replicas {
  Indexer *indexer;
  Ask ask;
  int64_t group_size;
  Answer answer;
} Replicas;

static bool is_opcode(const Replicas *replicas, Opcode plain, Opcode start) {
  return replicas->ask.instruction->opcode == plain || replicas->ask.instruction->opcode == start;
}

static int64_t along(const Replicas *replicas) {
  const Ints *dimensions = &replicas->ask.instruction->dimensions;
  return dimensions->count == 1 ? dimensions->values[0] : -1;
}

static bool even_step(const Group *group, int64_t *step) {
  *step = group->count > 1 ? group->members[1] - group->members[0] : 1;
  for (uint32_t i = 2; i < group->count; i++)
    if (group->members[i] - group->members[i - 1] != *step) return false;
  return *step != 0;
}

/* The element along the cut dimension. Dimension 0 of the build is the device. */
static Expr cut(Build *build, const Replicas *replicas, Sender *sender, Expr dim, uint32_t i) {
  int64_t size = replicas->ask.input->sizes[i], part = replicas->ask.output->sizes[i];
  if (is_opcode(replicas, HLO_ALL_GATHER, HLO_ALL_GATHER_START)) {
    sender->place = build_floordiv(build, dim, size);
    return build_mod(build, dim, size);
  }
  if (replicas->ask.instruction->opcode == HLO_REDUCE_SCATTER)
    return build_plus(build, dim, build_times(build, sender->own, part));
  int64_t chunk = size / replicas->group_size;
  sender->place = build_floordiv(build, dim, chunk);
  return build_plus(build, build_mod(build, dim, chunk), build_times(build, sender->own, chunk));
}

static bool is_cut(const Replicas *replicas) {
  return is_opcode(replicas, HLO_ALL_GATHER, HLO_ALL_GATHER_START) || is_opcode(replicas, HLO_REDUCE_SCATTER, HLO_ALL_TO_ALL);
}

static void read_element(Build *build, const Replicas *replicas, Sender *sender) {
  bool of_all = is_opcode(replicas, HLO_ALL_REDUCE, HLO_ALL_REDUCE_START) || replicas->ask.instruction->opcode == HLO_REDUCE_SCATTER;
  sender->place = of_all ? build_span(build, replicas->group_size) : build_const(build, 0);
  for (uint32_t i = 0; i < replicas->ask.input->rank; i++) {
    Expr dim = build_dim(build, i + 1);
    sender->element[i] = is_cut(replicas) && i == along(replicas) ? cut(build, replicas, sender, dim, i) : dim;
  }
  if (replicas->ask.instruction->opcode == HLO_ALL_TO_ALL && along(replicas) < 0)
    sender->place = build_const(build, replicas->ask.output_leaf);
}

static bool add(Replicas *replicas, Build *build, Expr device, const Sender *sender, Error *error) {
  const Map *map;
  build_result(build, device);
  for (uint32_t i = 0; i < replicas->ask.input->rank; i++) build_result(build, sender->element[i]);
  if (!build_finish(build, &map, error)) return false;
  if (map == nullptr || !settle(replicas->indexer, replicas->ask.instruction, map, &map, error)) return map == nullptr;
  if (map != nullptr) *ARENA_PUSH(build->context->arena, &replicas->answer) = map;
  return true;
}

static Build build_devices(const Replicas *replicas, Interval devices) {
  Build build = build_start(replicas->ask.context);
  build_add_dim(&build, devices);
  for (uint32_t i = 0; i < replicas->ask.output->rank; i++) build_add_dim(&build, (Interval){0, replicas->ask.output->sizes[i] - 1});
  return build;
}

/* In the tuple form of all-to-all an operand is read by the device of its own place alone. */
static void only_own_operand(Build *build, const Replicas *replicas, Expr own) {
  if (replicas->ask.instruction->opcode == HLO_ALL_TO_ALL && along(replicas) < 0)
    build_require(build, own, replicas->ask.operand, replicas->ask.operand);
}

static Sender sender_of(const Replicas *replicas, Expr own) {
  return (Sender){.own = own, .element = ARENA_NEW(replicas->ask.context->arena, Expr, replicas->ask.input->rank)};
}

static bool even_group(Replicas *replicas, const Group *group, int64_t step, Error *error) {
  int64_t first = group->members[0], last = group->members[group->count - 1], magnitude = step > 0 ? step : -step;
  Build build = build_devices(replicas, step > 0 ? (Interval){first, last} : (Interval){last, first});
  Expr device = build_dim(&build, 0);
  Expr distance = step > 0 ? build_plus_const(&build, device, -first) : build_plus_const(&build, build_times(&build, device, -1), first);
  if (magnitude > 1) build_require(&build, build_mod(&build, distance, magnitude), 0, 0);
  Sender sender = sender_of(replicas, build_floordiv(&build, distance, magnitude));
  only_own_operand(&build, replicas, sender.own);
  read_element(&build, replicas, &sender);
  return add(replicas, &build, build_plus_const(&build, build_times(&build, sender.place, step), first), &sender, error);
}

static bool uneven_pair(Replicas *replicas, const Group *group, uint32_t own, uint32_t from, Error *error) {
  Build build = build_devices(replicas, (Interval){group->members[own], group->members[own]});
  Sender sender = sender_of(replicas, build_const(&build, own));
  only_own_operand(&build, replicas, sender.own);
  read_element(&build, replicas, &sender);
  build_require(&build, sender.place, from, from);
  return add(replicas, &build, build_const(&build, group->members[from]), &sender, error);
}

static bool one_group(Replicas *replicas, const Group *group, Error *error) {
  int64_t step;
  if (group->count == 0 || (int64_t)group->count != replicas->group_size) return true;
  if (even_step(group, &step)) return even_group(replicas, group, step, error);
  if (group->count > most_uneven) {
    answer_claim(&replicas->answer, INDEX_UNDEFINED, "a group of more than 16 devices in uneven steps");
    return true;
  }
  for (uint32_t own = 0; own < group->count; own++)
    for (uint32_t from = 0; from < group->count; from++)
      if (!uneven_pair(replicas, group, own, from, error)) return false;
  return true;
}

static bool permuted(Replicas *replicas, Error *error) {
  const Ints *pairs = &replicas->ask.instruction->source_target_pairs;
  for (uint32_t i = 0; i + 1 < pairs->count; i += 2) {
    Build build = build_devices(replicas, (Interval){pairs->values[i + 1], pairs->values[i + 1]});
    Sender sender = sender_of(replicas, build_const(&build, 0));
    read_element(&build, replicas, &sender);
    if (!add(replicas, &build, build_const(&build, pairs->values[i]), &sender, error)) return false;
  }
  return true;
}

/* Of empty groups, which stand for one of all devices: what the shapes tell. */
static int64_t size_by_shapes(const Replicas *replicas) {
  int64_t dimension = along(replicas);
  if (dimension < 0 || dimension >= replicas->ask.input->rank) return 0;
  int64_t input = replicas->ask.input->sizes[dimension], output = replicas->ask.output->sizes[dimension];
  if (is_opcode(replicas, HLO_ALL_GATHER, HLO_ALL_GATHER_START)) return output / input;
  return replicas->ask.instruction->opcode == HLO_REDUCE_SCATTER ? input / output : 0;
}

static bool every_group(Replicas *replicas, Error *error) {
  const ReplicaGroups *groups = replicas->ask.instruction->replica_groups;
  Arena *arena = replicas->ask.context->arena;
  if (groups != nullptr && groups->count > 0) {
    replicas->group_size = groups->groups[0].count;
    for (uint32_t i = 0; i < groups->count; i++)
      if (!one_group(replicas, &(Group){groups->groups[i].values, groups->groups[i].count}, error)) return false;
    return true;
  }
  replicas->group_size = size_by_shapes(replicas);
  if (replicas->group_size <= 0 || replicas->group_size > UINT32_MAX) {
    answer_claim(&replicas->answer, INDEX_UNDEFINED, "the group of all devices has an unknown size");
    return true;
  }
  int64_t *members = ARENA_NEW(arena, int64_t, replicas->group_size);
  for (int64_t i = 0; i < replicas->group_size; i++) members[i] = i;
  return one_group(replicas, &(Group){members, (uint32_t)replicas->group_size}, error);
}

/* The array that a leaf of a collective gives, as the local analysis sees it: exact and covering leaves have maps. */
static bool has_local_maps(Indexer *indexer, const Ask *ask, bool *has, Error *error) {
  MapSet local;
  if (!index_output_to_input(indexer, ask->instruction, ask->output_leaf, ask->operand, ask->operand_leaf, &local, error)) return false;
  *has = local.count > 0;
  return true;
}

static bool is_collective(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START || opcode == HLO_REDUCE_SCATTER || opcode == HLO_ALL_GATHER ||
         opcode == HLO_ALL_GATHER_START || opcode == HLO_ALL_TO_ALL || opcode == HLO_COLLECTIVE_BROADCAST ||
         opcode == HLO_COLLECTIVE_PERMUTE || opcode == HLO_COLLECTIVE_PERMUTE_START;
}

bool index_replicas(Indexer *indexer, const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
                    MapSet *maps, Error *error) {
  Replicas replicas = {.indexer = indexer, .ask = {.context = indexer->context, .instruction = instruction,
                                                   .output_leaf = output_leaf, .operand = operand, .operand_leaf = operand_leaf}};
  bool has;
  *maps = (MapSet){};
  if (!has_local_maps(indexer, &replicas.ask, &has, error)) return false;
  if (!is_collective(instruction->opcode)) {
    *maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = opcode_name(instruction->opcode)};
    return true;
  }
  if (!has) return true;
  replicas.ask.output = shape_leaf(instruction->shape, output_leaf);
  replicas.ask.input = shape_leaf(instruction->operands[operand]->shape, operand_leaf);
  bool permutes = is_opcode(&replicas, HLO_COLLECTIVE_PERMUTE, HLO_COLLECTIVE_PERMUTE_START);
  Error inner = {};
  if (!(permutes ? permuted(&replicas, &inner) : every_group(&replicas, &inner)))
    return error_of_instruction(instruction, &inner, error);
  if (replicas.answer.claim == INDEX_UNDEFINED) replicas.answer.count = 0;
  *maps = (MapSet){replicas.answer.claim, replicas.answer.reason, replicas.answer.count, replicas.answer.items};
  return true;
}
