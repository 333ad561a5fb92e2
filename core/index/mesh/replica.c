/* Replica maps: with the device, (replica, partition), as the first two indices on both sides,
 * collectives are maps like any other.
 *
 * A group whose members m_0, m_1, .. are in even steps is one map, and so are adjacent groups with
 * the same step: a device with id D has the position (D - m_0) / step, and position q is the device
 * D + (q - position) * step. A group with uneven steps has one map for each pair of its runs. For
 * an output element d on the device that is member `own` of its group:
 *
 * All-reduce: d of every member. Reduce-scatter: d + own * part along the dimension, of every
 * member. All-gather: d mod size, of member d floordiv size. All-to-all: d mod chunk + own * chunk,
 * of member d floordiv chunk; its tuple form: output k is operand `own` of member k. Broadcast: d
 * of member 0. Permute: d of the source in the pairs; other devices receive nothing.
 *
 * Groups that do not fit the shapes, or that name devices outside the mesh, are undefined, with a
 * reason. Unions of too many maps become all elements of all devices. */

#include "core/index/mesh/collective.h"
#include "core/index/fusion/inverse.h"
#include "core/index/dispatch.h"
#include "core/index/indexer.h"
#include "core/index/mesh/replica_groups.h"

typedef struct Replicas {
  Indexer *indexer;
  IndexQuery query;
  IndexMesh mesh;
  DeviceGroups groups;
  int64_t members;             /* number of members in a group, partitions included if they are
                                * members */
  const Shape *output, *input; /* with the device as the first two dimensions */
  IndexResult answer;
} Replicas;

/* One map under construction: the position of the output element, and that of the element it
 * reads. */
typedef struct Sender {
  Build build;
  Expr id;        /* of the device of the output */
  Expr own;       /* that device's member number */
  Expr position;  /* of the source, in its group */
  Expr partition; /* of the source, if all partitions are members */
  Expr *element;  /* [rank of the operand] */
} Sender;

static Opcode opcode_of(const Replicas *replicas) { return replicas->query.instruction->opcode; }
static bool gathers(const Replicas *replicas) {
  return opcode_of(replicas) == HLO_ALL_GATHER || opcode_of(replicas) == HLO_ALL_GATHER_START;
}
static bool scatters(const Replicas *replicas) { return opcode_of(replicas) == HLO_REDUCE_SCATTER; }
static bool exchanges(const Replicas *replicas) { return opcode_of(replicas) == HLO_ALL_TO_ALL; }
static bool permutes(const Replicas *replicas) {
  return opcode_of(replicas) == HLO_COLLECTIVE_PERMUTE ||
         opcode_of(replicas) == HLO_COLLECTIVE_PERMUTE_START;
}
static bool reads_all_members(const Replicas *replicas) {
  return scatters(replicas) || opcode_of(replicas) == HLO_ALL_REDUCE ||
         opcode_of(replicas) == HLO_ALL_REDUCE_START;
}
static bool includes_partitions(const Replicas *replicas) {
  return replicas->groups.mode == DEVICE_REPLICAS_ALL_PARTITIONS;
}

static int64_t along(const Replicas *replicas) {
  const Ints *dimensions = &replicas->query.instruction->dimensions;
  return dimensions->count == 1 ? dimensions->values[0] : -1;
}

/* Sets the claim to undefined, with the reason; returns false without an error. */
static bool replica_reject(Replicas *replicas, const char *reason) {
  answer_claim(&replicas->answer, INDEX_UNDEFINED, reason);
  return false;
}

/* --- one map --- */

static Sender sender_start(const Replicas *replicas) {
  Sender sender = {.build = build_over(replicas->query.context, replicas->output),
      .element = ARENA_NEW(replicas->query.context->arena, Expr, replicas->query.input->rank)};
  Build *build = &sender.build;
  Expr replica = build_dim(build, 0), partition = build_dim(build, 1);
  switch (replicas->groups.mode) {
    case DEVICE_REPLICAS:
    case DEVICE_REPLICAS_ALL_PARTITIONS: sender.id = replica; break;
    case DEVICE_PARTITIONS: sender.id = partition; break;
    case DEVICE_FLATTENED:
      sender.id =
          build_plus(build, build_times(build, replica, replicas->mesh.partitions), partition);
      break;
  }
  return sender;
}

static void sender_own(const Replicas *replicas, Sender *sender, Expr position) {
  Build *build = &sender->build;
  sender->own = position;
  if (includes_partitions(replicas))
    sender->own = build_plus(
        build, build_times(build, position, replicas->mesh.partitions), build_dim(build, 1));
}

static void sender_member(const Replicas *replicas, Sender *sender, Expr member) {
  Build *build = &sender->build;
  sender->position = member;
  if (!includes_partitions(replicas)) return;
  sender->position = build_floordiv(build, member, replicas->mesh.partitions);
  sender->partition = build_mod(build, member, replicas->mesh.partitions);
}

/* The index along the cut dimension; sets the member that the element comes from. */
static Expr replica_cut(const Replicas *replicas, Sender *sender, Expr dim, uint32_t i) {
  Build *build = &sender->build;
  int64_t size = replicas->query.input->sizes[i], part = replicas->query.output->sizes[i];
  if (gathers(replicas)) {
    sender_member(replicas, sender, build_floordiv(build, dim, size));
    return build_mod(build, dim, size);
  }
  if (scatters(replicas)) return build_plus(build, dim, build_times(build, sender->own, part));
  int64_t chunk = size / replicas->members;
  sender_member(replicas, sender, build_floordiv(build, dim, chunk));
  return build_plus(build, build_mod(build, dim, chunk), build_times(build, sender->own, chunk));
}

/* Sets the elements that are read, after `own` is set. For operations that read all members it does
 * not set their position. */
static void sender_read(const Replicas *replicas, Sender *sender) {
  Build *build = &sender->build;
  bool is_cut = gathers(replicas) || scatters(replicas) || exchanges(replicas);
  if (includes_partitions(replicas)) sender->partition = build_dim(build, 1);
  if (reads_all_members(replicas) && includes_partitions(replicas))
    sender->partition = build_span(build, replicas->mesh.partitions);
  else if (!reads_all_members(replicas)) sender_member(replicas, sender, build_const(build, 0));
  for (uint32_t i = 0; i < replicas->query.input->rank; i++) {
    Expr dim = build_dim(build, i + 2);
    sender->element[i] =
        is_cut && i == along(replicas) ? replica_cut(replicas, sender, dim, i) : dim;
  }
  if (!exchanges(replicas) || along(replicas) >= 0) return;
  build_require(build, sender->own, replicas->query.operand, replicas->query.operand);
  sender_member(replicas, sender, build_const(build, replicas->query.output_leaf));
}

static void sender_device(const Replicas *replicas, Sender *sender, Expr id) {
  Build *build = &sender->build;
  Expr replica = build_dim(build, 0), partition = build_dim(build, 1);
  switch (replicas->groups.mode) {
    case DEVICE_REPLICAS: replica = id; break;
    case DEVICE_PARTITIONS: partition = id; break;
    case DEVICE_REPLICAS_ALL_PARTITIONS:
      replica = id;
      partition = sender->partition;
      break;
    case DEVICE_FLATTENED:
      replica = build_floordiv(build, id, replicas->mesh.partitions);
      partition = build_mod(build, id, replicas->mesh.partitions);
      break;
  }
  build_result(build, replica);
  build_result(build, partition);
}

static bool sender_finish(Replicas *replicas, Sender *sender, Expr id, Error *error) {
  const Map *map;
  sender_device(replicas, sender, id);
  for (uint32_t i = 0; i < replicas->query.input->rank; i++)
    build_result(&sender->build, sender->element[i]);
  if (!build_finish(&sender->build, &map, error)) return false;
  if (map != nullptr && !settle(replicas->indexer, replicas->query.instruction, map, &map, error))
    return false;
  if (map != nullptr)
    set_add(replicas->indexer, &replicas->answer, map, replicas->output, replicas->input);
  return true;
}

/* --- groups --- */

/* The position of the output's device in the run; requires that the device is in the run. */
static Expr position_in_run(Sender *sender, const DeviceRun *run) {
  Build *build = &sender->build;
  int64_t magnitude = run->step > 0 ? run->step : -run->step;
  Expr distance = run->step > 0
                      ? build_plus_const(build, sender->id, -run->first)
                      : build_plus_const(build, build_times(build, sender->id, -1), run->first);
  build_require(build, distance, 0, (run->count - 1) * magnitude);
  if (magnitude > 1) build_require(build, build_mod(build, distance, magnitude), 0, 0);
  return build_floordiv(build, distance, magnitude);
}

/* The position in any of several groups: either each group ends before the next begins, or all
 * groups lie between two neighbours of the first. */
static Expr position_in_family(Sender *sender, const DeviceFamily *family) {
  Build *build = &sender->build;
  const DeviceRun *run = &family->run;
  if (family->count == 1) return position_in_run(sender, run);
  int64_t span = (run->count - 1) * run->step, moved = (family->count - 1) * family->stride;
  Expr distance = build_plus_const(build, sender->id, -run->first);
  build_require(build, distance, 0, span + moved);
  bool is_apart = span < family->stride;
  Expr within = build_mod(build, distance, is_apart ? family->stride : run->step);
  build_require(build, within, 0, is_apart ? span : moved);
  int64_t step = is_apart ? run->step : family->stride;
  if (step > 1) build_require(build, build_mod(build, within, step), 0, 0);
  return build_floordiv(build, is_apart ? within : distance, run->step);
}

static bool family_map(Replicas *replicas, const DeviceFamily *family, Error *error) {
  Sender sender = sender_start(replicas);
  Build *build = &sender.build;
  Expr position = position_in_family(&sender, family);
  sender_own(replicas, &sender, position);
  sender_read(replicas, &sender);
  if (reads_all_members(replicas)) sender.position = build_span(build, family->run.count);
  Expr steps = build_minus(build, sender.position, position);
  return sender_finish(replicas, &sender,
      build_plus(build, sender.id, build_times(build, steps, family->run.step)), error);
}

static bool pair_map(
    Replicas *replicas, const DeviceRun *own, const DeviceRun *from, Error *error) {
  Sender sender = sender_start(replicas);
  Build *build = &sender.build;
  sender_own(
      replicas, &sender, build_plus_const(build, position_in_run(&sender, own), own->position));
  sender_read(replicas, &sender);
  Expr steps = reads_all_members(replicas)
                   ? build_span(build, from->count)
                   : build_plus_const(build, sender.position, -from->position);
  build_require(build, steps, 0, from->count - 1);
  return sender_finish(replicas, &sender,
      build_plus_const(build, build_times(build, steps, from->step), from->first), error);
}

/* The order of members matters if a member receives its own part, or sends one. */
static bool uneven_group(Replicas *replicas, Ints group, Error *error) {
  Arena *arena = replicas->query.context->arena;
  DeviceRuns own = device_runs(arena, group, !scatters(replicas) && !exchanges(replicas));
  DeviceRuns from = device_runs(arena, group, reads_all_members(replicas));
  for (uint32_t i = 0; i < own.count; i++)
    for (uint32_t k = 0; k < from.count && replicas->answer.claim == INDEX_EXACT; k++)
      if (!pair_map(replicas, &own.items[i], &from.items[k], error)) return false;
  return true;
}

static bool fits_shapes(const Replicas *replicas) {
  int64_t dimension = along(replicas);
  if (exchanges(replicas) && dimension < 0)
    return replicas->members == replicas->query.instruction->operand_count;
  if (!gathers(replicas) && !scatters(replicas) && !exchanges(replicas)) return true;
  if (dimension < 0 || dimension >= replicas->query.input->rank) return false;
  int64_t input = replicas->query.input->sizes[dimension],
          output = replicas->query.output->sizes[dimension];
  if (gathers(replicas)) return output % input == 0 && output / input == replicas->members;
  if (scatters(replicas)) return input % output == 0 && input / output == replicas->members;
  return input % replicas->members == 0;
}

/* Sizes are below 2^20 each. */
static void count_members(Replicas *replicas, Ints group) {
  replicas->members =
      (int64_t)group.count * (includes_partitions(replicas) ? replicas->mesh.partitions : 1);
}

static bool every_group(Replicas *replicas, Error *error) {
  Arena *arena = replicas->query.context->arena;
  bool sorted = reads_all_members(replicas) && !scatters(replicas);
  for (uint32_t i = 0; i < replicas->groups.count && replicas->answer.claim == INDEX_EXACT;) {
    count_members(replicas, replicas->groups.groups[i]);
    if (!fits_shapes(replicas))
      return !replica_reject(replicas, "the groups do not fit the shapes");
    DeviceFamily family = device_family(arena, &replicas->groups, i, sorted);
    bool done = family.count > 0 ? family_map(replicas, &family, error)
                                 : uneven_group(replicas, replicas->groups.groups[i], error);
    if (!done) return false;
    i += family.count > 0 ? family.count : 1;
  }
  return true;
}

/* --- the rest --- */

static bool every_pair(Replicas *replicas, Error *error) {
  const char *reason;
  DevicePairs pairs;
  if (!device_pairs(replicas->query.context->arena, replicas->query.instruction, replicas->mesh,
          replicas->groups.mode, &pairs, &reason))
    return !replica_reject(replicas, reason);
  for (uint32_t i = 0; i < pairs.targets.count && replicas->answer.claim == INDEX_EXACT; i++) {
    Sender sender = sender_start(replicas);
    Build *build = &sender.build;
    Expr position = position_in_run(&sender, &pairs.targets.items[i]);
    for (uint32_t k = 0; k < replicas->query.input->rank; k++)
      sender.element[k] = build_dim(build, k + 2);
    const DeviceRun *from = &pairs.sources.items[i];
    if (!sender_finish(replicas, &sender,
            build_plus_const(build, build_times(build, position, from->step), from->first), error))
      return false;
  }
  return true;
}

/* A start's result contains its operand: the same element on the same device. */
static bool alias_map(Replicas *replicas, Error *error) {
  replicas->groups.mode = DEVICE_REPLICAS;
  Sender sender = sender_start(replicas);
  for (uint32_t i = 0; i < replicas->query.input->rank; i++)
    sender.element[i] = build_dim(&sender.build, i + 2);
  return sender_finish(replicas, &sender, sender.id, error);
}

static bool answer_replicas(Replicas *replicas, Error *error) {
  const Instruction *collective = replicas->query.instruction;
  const char *reason = "global device ids without a channel";
  if (collective_is_alias(collective, replicas->query.output_leaf))
    return alias_map(replicas, error);
  if (permutes(replicas)) {
    bool has_mode = device_mode(collective, &replicas->groups.mode);
    if (has_mode) return every_pair(replicas, error);
    return !replica_reject(replicas, reason);
  }
  if (device_groups(
          replicas->query.context->arena, collective, replicas->mesh, &replicas->groups, &reason))
    return every_group(replicas, error);
  return !replica_reject(replicas, reason);
}

static bool is_known_collective(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START ||
         opcode == HLO_REDUCE_SCATTER || opcode == HLO_ALL_GATHER ||
         opcode == HLO_ALL_GATHER_START || opcode == HLO_ALL_TO_ALL ||
         opcode == HLO_COLLECTIVE_BROADCAST || opcode == HLO_COLLECTIVE_PERMUTE ||
         opcode == HLO_COLLECTIVE_PERMUTE_START;
}

static const char *why_unknown(const IndexQuery *query) {
  Opcode opcode = query->instruction->opcode;
  bool is_collective = opcode_family(opcode) == FAMILY_COLLECTIVE;
  return arena_printf(query->context->arena,
      is_collective ? "maps of %s between devices are not known" : "%s is not a collective",
      opcode_name(opcode));
}

static const Shape *with_device(Arena *arena, IndexMesh mesh, const Shape *shape) {
  Shape *made = ARENA_NEW(arena, Shape, 1);
  *made = (Shape){.type = shape->type,
      .rank = shape->rank + 2,
      .sizes = ARENA_NEW(arena, int64_t, shape->rank + 2)};
  made->sizes[0] = mesh.replicas;
  made->sizes[1] = mesh.partitions;
  for (uint32_t i = 0; i < shape->rank; i++) made->sizes[i + 2] = shape->sizes[i];
  return made;
}

static bool replica_maps(Replicas *replicas, MapSet *maps, Error *error) {
  IndexQuery *query = &replicas->query;
  MapSet local;
  *maps = (MapSet){};
  if (replicas->mesh.replicas < 1 || replicas->mesh.partitions < 1)
    return error_set(error, ERROR_INPUT, "a run has at least one replica and one partition");
  if (!index_is_bounded(replicas->indexer, instruction_unbounded(query->instruction), maps))
    return true;
  if (!index_output_to_input(replicas->indexer, query->instruction, query->output_leaf,
          query->operand, query->operand_leaf, &local, error))
    return false;
  if (!is_known_collective(query->instruction->opcode)) {
    *maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = why_unknown(query)};
    return true;
  }
  if (local.count == 0) *maps = (MapSet){.claim = local.claim, .reason = local.reason};
  if (local.count == 0) return true;
  query->output = shape_leaf(query->instruction->shape, query->output_leaf);
  query->input =
      shape_leaf(query->instruction->operands[query->operand]->shape, query->operand_leaf);
  replicas->output = with_device(query->context->arena, replicas->mesh, query->output);
  replicas->input = with_device(query->context->arena, replicas->mesh, query->input);
  Error inner = {};
  if (!answer_replicas(replicas, &inner))
    return error_of_instruction(query->instruction, &inner, error);
  if (replicas->answer.claim == INDEX_UNDEFINED) replicas->answer.count = 0;
  bool is_left = replicas->answer.claim == INDEX_OVER_APPROXIMATION; /* what was not asked */
  if (is_left)
    set_add_everything(replicas->indexer, &replicas->answer, replicas->output, replicas->input);
  *maps = (MapSet){replicas->answer.claim, replicas->answer.reason, replicas->answer.count,
      replicas->answer.items};
  return true;
}

static Replicas replicas_of(Indexer *indexer, const Instruction *instruction, IndexMesh mesh,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  return (Replicas){.indexer = indexer,
      .mesh = mesh,
      .query = {.context = indexer->context,
          .instruction = instruction,
          .output_leaf = output_leaf,
          .operand = operand,
          .operand_leaf = operand_leaf}};
}

bool index_replicas_output_to_input(Indexer *indexer, const Instruction *instruction,
    IndexMesh mesh, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps,
    Error *error) {
  Replicas replicas = replicas_of(indexer, instruction, mesh, output_leaf, operand, operand_leaf);
  return replica_maps(&replicas, maps, error);
}

bool index_replicas_input_to_output(Indexer *indexer, const Instruction *instruction,
    IndexMesh mesh, uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps,
    Error *error) {
  Replicas replicas = replicas_of(indexer, instruction, mesh, output_leaf, operand, operand_leaf);
  if (!replica_maps(&replicas, maps, error)) return false;
  IndexResult inverse = {.claim = maps->claim, .reason = maps->reason};
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map;
    if (!map_inverse_relation(indexer->context, maps->maps[i], replicas.input, &map, error))
      return false;
    if (map != nullptr && !settle(indexer, instruction, map, &map, error)) return false;
    if (map != nullptr) set_add(indexer, &inverse, map, replicas.input, replicas.output);
  }
  *maps = (MapSet){inverse.claim, inverse.reason, inverse.count, inverse.items};
  return true;
}
