/* Random collectives on up to six devices, against devices that send their elements to each other:
 * reads in every mode and order of groups, the smallest run, and verdicts about maps that state
 * exactly the pairs, one fewer or one more, in both directions and both forms. */
#include "core/base/test/length.h"
#include "oracle/semantics/replica.h"
#include "oracle/test/test_module.h"

static uint64_t state_of_runs = 11;

static uint32_t run_below(uint32_t end) {
  state_of_runs = state_of_runs * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_runs >> 33) % end;
}

static constexpr uint32_t most_devices = 6, most_operands = 3, most_cells = 36, most_leaves = 8;

typedef enum RunKind : uint8_t {
  RUN_ALL_REDUCE,
  RUN_ALL_REDUCE_START,
  RUN_ALL_GATHER,
  RUN_ALL_GATHER_START,
  RUN_REDUCE_SCATTER,
  RUN_ALL_TO_ALL,
  RUN_ALL_TO_ALL_OF_SEVERAL,
  RUN_BROADCAST,
  RUN_PERMUTE,
  RUN_PERMUTE_START,
  RUN_KINDS
} RunKind;

static const char *const run_words[RUN_KINDS] = {"all-reduce", "all-reduce-start", "all-gather",
    "all-gather-start", "reduce-scatter", "all-to-all", "all-to-all", "collective-broadcast",
    "collective-permute", "collective-permute-start"};

/* What an id of a group denotes. */
typedef enum RunIds : uint8_t { IDS_REPLICA, IDS_PARTITION, IDS_ALL_PARTITIONS, IDS_FLAT } RunIds;

typedef struct RunShape {
  uint32_t rank;
  int64_t sizes[2];
} RunShape;

typedef struct Run {
  RunKind kind;
  RunIds ids;
  int64_t replicas, partitions;
  uint32_t group_count, group_sizes[most_devices], named; /* `named`: the largest id */
  int64_t groups[most_devices][most_devices];             /* of a permute: pairs */
  bool has_groups;
  uint32_t operands, along;
  RunShape in, out;
} Run;

static bool is_permute(const Run *run) {
  return run->kind == RUN_PERMUTE || run->kind == RUN_PERMUTE_START;
}

static int64_t cells_of(RunShape shape) {
  return (shape.rank > 0 ? shape.sizes[0] : 1) * (shape.rank > 1 ? shape.sizes[1] : 1);
}

/* ---- drawing ---- */

static uint32_t ids_of_run(const Run *run) {
  return (uint32_t)(run->ids == IDS_FLAT        ? run->replicas * run->partitions
                    : run->ids == IDS_PARTITION ? run->partitions
                                                : run->replicas);
}

/* Groups of one size, or of any sizes, of the first ids; the others are in none. */
static void draw_groups(Run *run, bool of_one_size) {
  int64_t order[most_devices];
  uint32_t ids = 1 + run_below(ids_of_run(run)), size = 1 + run_below(ids);
  while (of_one_size && ids % size != 0) size--;
  for (uint32_t i = 0; i < ids; i++) order[i] = i;
  for (uint32_t i = ids; i > 1; i--) {
    uint32_t other = run_below(i);
    int64_t kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
  for (uint32_t next = 0; next < ids;) {
    if (!of_one_size) size = 1 + run_below(ids - next);
    for (uint32_t i = 0; i < size; i++) run->groups[run->group_count][i] = order[next++];
    run->group_sizes[run->group_count++] = size;
  }
}

/* Each id is the target of at most one pair. */
static void draw_pairs(Run *run) {
  uint32_t ids = ids_of_run(run);
  for (uint32_t target = 0; target < ids; target++) {
    if (run_below(4) == 0) continue;
    uint32_t source = (target + run_below(ids)) % ids;
    bool is_taken = false; /* a source sends to one target */
    for (uint32_t i = 0; i < run->group_count; i++) is_taken |= run->groups[i][0] == source;
    if (is_taken) continue;
    run->groups[run->group_count][0] = source;
    run->groups[run->group_count][1] = target;
    run->group_sizes[run->group_count++] = 2;
  }
}

static Run draw_run(void) {
  static const RunIds modes[] = {IDS_REPLICA, IDS_ALL_PARTITIONS, IDS_FLAT};
  Run run = {.kind = (RunKind)run_below(RUN_KINDS),
      .replicas = 1 + run_below(3),
      .partitions = 1 + run_below(2),
      .operands = 1 + run_below(2),
      .in = {.rank = 1 + run_below(2), .sizes = {1 + run_below(3), 1 + run_below(2)}}};
  run.ids = run.kind <= RUN_REDUCE_SCATTER
                ? modes[run_below(3)]
                : (RunIds)(run_below(2) == 0 ? IDS_REPLICA : IDS_PARTITION);
  bool is_sized = run.kind >= RUN_ALL_GATHER && run.kind <= RUN_ALL_TO_ALL_OF_SEVERAL;
  run.has_groups = is_permute(&run) || run.ids == IDS_FLAT || run_below(4) > 0;
  if (is_permute(&run)) draw_pairs(&run);
  else if (run.has_groups) draw_groups(&run, is_sized);
  int64_t members = run.has_groups ? run.group_sizes[0] : ids_of_run(&run);
  if (run.ids == IDS_ALL_PARTITIONS) members *= run.partitions;
  run.along = run_below(run.in.rank);
  bool is_one = is_permute(&run) || run.kind == RUN_ALL_TO_ALL || run.kind == RUN_BROADCAST;
  if (is_one) run.operands = 1;
  if (run.kind == RUN_ALL_TO_ALL_OF_SEVERAL) run.operands = (uint32_t)members;
  if (run.kind == RUN_ALL_TO_ALL) run.in.sizes[run.along] = members * (1 + run_below(2));
  run.out = run.in;
  if (run.kind == RUN_ALL_GATHER || run.kind == RUN_ALL_GATHER_START)
    run.out.sizes[run.along] *= members;
  if (run.kind == RUN_REDUCE_SCATTER) run.in.sizes[run.along] *= members;
  for (uint32_t i = 0; i < run.group_count; i++)
    for (uint32_t k = 0; k < run.group_sizes[i]; k++)
      if (run.groups[i][k] > run.named) run.named = (uint32_t)run.groups[i][k];
  return run;
}

/* ---- as text ---- */

static void print_run_shape(Text *text, RunShape shape) {
  text_printf(text, "f32[%lld", (long long)shape.sizes[0]);
  if (shape.rank > 1) text_printf(text, ",%lld", (long long)shape.sizes[1]);
  text_string(text, "]");
}

static void print_run_shapes(Text *text, RunShape shape, uint32_t count, bool is_tuple) {
  if (is_tuple) text_string(text, "(");
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(text, ", ");
    print_run_shape(text, shape);
  }
  if (is_tuple) text_string(text, ")");
}

static void print_result_shape(Text *text, const Run *run) {
  bool holds_operands = run->kind == RUN_ALL_GATHER_START || run->kind == RUN_PERMUTE_START;
  bool is_tuple = run->operands > 1 || run->kind == RUN_ALL_TO_ALL_OF_SEVERAL;
  if (holds_operands) {
    text_string(text, "(");
    print_run_shapes(text, run->in, run->operands, is_tuple);
    text_string(text, ", ");
  }
  print_run_shapes(text, run->out, run->operands, is_tuple);
  if (run->kind == RUN_PERMUTE_START) text_string(text, ", u32[], u32[]");
  if (holds_operands) text_string(text, ")");
}

static void print_attributes(Text *text, const Run *run) {
  bool has_along = run->kind >= RUN_ALL_GATHER && run->kind <= RUN_ALL_TO_ALL;
  if (has_along) text_printf(text, ", dimensions={%u}", run->along);
  if (run->kind <= RUN_ALL_REDUCE_START || run->kind == RUN_REDUCE_SCATTER)
    text_string(text, ", to_apply=add");
  if (run->ids != IDS_REPLICA) text_string(text, ", channel_id=3");
  if (run->ids == IDS_FLAT) text_string(text, ", use_global_device_ids=true");
  text_string(text, is_permute(run) ? ", source_target_pairs={" : ", replica_groups={");
  for (uint32_t i = 0; i < run->group_count; i++) {
    for (uint32_t k = 0; k < run->group_sizes[i]; k++)
      text_printf(
          text, "%s%lld", k == 0 ? i == 0 ? "{" : ", {" : ",", (long long)run->groups[i][k]);
    text_string(text, "}");
  }
  text_string(text, "}");
}

static const char *text_of_run(Arena *arena, const Run *run) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n"
                     "ROOT s = f32[] add(x, y)\n}\nENTRY e {\n");
  for (uint32_t i = 0; i < run->operands; i++) {
    text_printf(&text, "p%u = ", i);
    print_run_shape(&text, run->in);
    text_printf(&text, " parameter(%u)\n", i);
  }
  text_string(&text, "ROOT r = ");
  print_result_shape(&text, run);
  text_printf(&text, " %s(", run_words[run->kind]);
  for (uint32_t i = 0; i < run->operands; i++) text_printf(&text, i == 0 ? "p%u" : ", p%u", i);
  text_string(&text, ")");
  print_attributes(&text, run);
  text_string(&text, "\n}\n");
  return text.bytes;
}

/* ---- devices that send ---- */

/* What has reached an element of the result: of each operand, the elements of each device. */
typedef struct Arrived {
  uint64_t of[most_operands * 2][most_devices];
} Arrived;

static Arrived arrived[most_leaves][most_devices][most_cells]; /* by leaf, device and element */

static int64_t id_of_device(const Run *run, int64_t device) {
  if (run->ids == IDS_FLAT) return device;
  return run->ids == IDS_PARTITION ? device % run->partitions : device / run->partitions;
}

/* Devices of different lanes do not meet. */
static int64_t lane_of_device(const Run *run, int64_t device) {
  if (run->ids == IDS_REPLICA) return device % run->partitions;
  return run->ids == IDS_PARTITION ? device / run->partitions : 0;
}

/* The group's devices of a lane, by the position of their id and then by their number. */
static uint32_t devices_of_group(
    const Run *run, uint32_t group, int64_t lane, int64_t devices[most_devices]) {
  uint32_t count = 0, size = run->has_groups ? run->group_sizes[group] : ids_of_run(run);
  for (uint32_t i = 0; i < size; i++)
    for (int64_t device = 0; device < run->replicas * run->partitions; device++) {
      int64_t id = run->has_groups ? run->groups[group][i] : i;
      if (id_of_device(run, device) == id && lane_of_device(run, device) == lane)
        devices[count++] = device;
    }
  return count;
}

/* The element whose position along the dimension is `to`; its other position is that of `cell`. */
static int64_t moved_along(
    const Run *run, RunShape from, int64_t cell, RunShape into, int64_t to, int64_t *position) {
  int64_t inner = from.rank > 1 ? from.sizes[1] : 1;
  int64_t at[2] = {cell / inner, cell % inner};
  *position = at[run->along];
  at[run->along] = to;
  return at[0] * (into.rank > 1 ? into.sizes[1] : 1) + at[1];
}

static void arrive(
    uint32_t leaf, int64_t to, int64_t cell, uint32_t operand, int64_t from, int64_t element) {
  assert_true(leaf < most_leaves && cell >= 0 && cell < most_cells && element < 64);
  arrived[leaf][to][cell].of[operand][from] |= UINT64_C(1) << element;
}

/* Member `from` sends one element of an operand. */
static void send_element(const Run *run, uint32_t first_leaf, uint32_t operand, uint32_t count,
    const int64_t *devices, uint32_t from, int64_t cell) {
  int64_t along, source = devices[from];
  (void)moved_along(run, run->in, cell, run->out, 0, &along);
  int64_t size = run->in.sizes[run->along], chunk = size / count;
  uint32_t leaf = first_leaf + operand;
  for (uint32_t to = 0; to < count; to++) {
    int64_t target = devices[to];
    switch (run->kind) {
      case RUN_ALL_REDUCE:
      case RUN_ALL_REDUCE_START: arrive(leaf, target, cell, operand, source, cell); break;
      case RUN_ALL_GATHER:
      case RUN_ALL_GATHER_START: {
        int64_t place = moved_along(run, run->in, cell, run->out, from * size + along, &along);
        arrive(leaf, target, place, operand, source, cell);
        break;
      }
      case RUN_REDUCE_SCATTER:
        if (along / chunk == to)
          arrive(leaf, target, moved_along(run, run->in, cell, run->out, along % chunk, &along),
              operand, source, cell);
        break;
      case RUN_ALL_TO_ALL:
        if (along / chunk == to)
          arrive(leaf, target,
              moved_along(run, run->in, cell, run->out, from * chunk + along % chunk, &along),
              operand, source, cell);
        break;
      case RUN_ALL_TO_ALL_OF_SEVERAL:
        if (operand == to) arrive(from, target, cell, operand, source, cell);
        break;
      case RUN_BROADCAST:
        if (from == 0) arrive(leaf, target, cell, operand, source, cell);
        break;
      case RUN_PERMUTE:
      case RUN_PERMUTE_START:
      case RUN_KINDS: break;
    }
  }
}

static void send_pairs(const Run *run, uint32_t leaf) {
  int64_t devices = run->replicas * run->partitions;
  for (uint32_t i = 0; i < run->group_count; i++)
    for (int64_t from = 0; from < devices; from++)
      for (int64_t to = 0; to < devices; to++) {
        bool is_pair = id_of_device(run, from) == run->groups[i][0] &&
                       id_of_device(run, to) == run->groups[i][1] &&
                       lane_of_device(run, from) == lane_of_device(run, to);
        for (int64_t cell = 0; is_pair && cell < cells_of(run->in); cell++)
          arrive(leaf, to, cell, 0, from, cell);
      }
}

static void send_all(const Run *run) {
  bool holds_operands = run->kind == RUN_ALL_GATHER_START || run->kind == RUN_PERMUTE_START;
  int64_t members[most_devices], devices = run->replicas * run->partitions;
  uint32_t first = holds_operands ? run->operands : 0;
  memset(arrived, 0, sizeof arrived);
  for (uint32_t operand = 0; holds_operands && operand < run->operands; operand++)
    for (int64_t device = 0; device < devices; device++)
      for (int64_t cell = 0; cell < cells_of(run->in); cell++)
        arrive(operand, device, cell, operand, device, cell);
  if (is_permute(run)) {
    send_pairs(run, first);
    return;
  }
  for (uint32_t group = 0; group < (run->has_groups ? run->group_count : 1); group++)
    for (int64_t lane = 0; lane < devices; lane++) {
      uint32_t count = devices_of_group(run, group, lane, members);
      for (uint32_t from = 0; from < count; from++)
        for (uint32_t operand = 0; operand < run->operands; operand++)
          for (int64_t cell = 0; cell < cells_of(run->in); cell++)
            send_element(run, first, operand, count, members, from, cell);
    }
}

/* ---- reads ---- */

static ReplicaWorld world_of_run(const Run *run) {
  return (ReplicaWorld){run->replicas, run->partitions};
}

static int64_t cells_of_leaf(const Instruction *root, uint32_t leaf) {
  return shape_elements(shape_leaf(root->shape, leaf));
}

/* Ascending by replica, partition and element, each once. */
static void check_list(const Run *run, const ReplicaElements *list, const Arrived *expected,
    uint32_t operand, const char *module) {
  uint32_t next = 0;
  for (int64_t device = 0; device < run->replicas * run->partitions; device++)
    for (int64_t cell = 0; cell < cells_of(run->in); cell++) {
      if ((expected->of[operand][device] >> cell & 1) == 0) continue;
      bool is_there = next < list->count && list->items[next].replica == device / run->partitions &&
                      list->items[next].partition == device % run->partitions &&
                      list->items[next].element == cell;
      if (!is_there)
        fail_msg("%s\noperand %u, element %lld of device %lld is not read", module, operand,
            (long long)cell, (long long)device);
      next++;
    }
  if (next != list->count) fail_msg("%s\noperand %u: more is read", module, operand);
}

static void check_reads_of_run(
    OracleFixture *bench, const Run *run, const Instruction *root, const char *module) {
  for (uint32_t leaf = 0; leaf < shape_leaf_count(root->shape); leaf++)
    for (uint32_t operand = 0; operand < run->operands; operand++)
      for (int64_t device = 0; device < run->replicas * run->partitions; device++)
        for (int64_t cell = 0; cell < cells_of_leaf(root, leaf); cell++) {
          ReplicaElement output = {device / run->partitions, device % run->partitions, cell};
          ReplicaElements list;
          Error error = {};
          if (!replica_reads(
                  bench->oracle, root, world_of_run(run), leaf, operand, 0, output, &list, &error))
            fail_msg("%s\n%s", module, error.message);
          check_list(run, &list, &arrived[leaf][device][cell], operand, module);
        }
}

/* Nothing outside of the run is answered. */
static void check_questions_of_run(OracleFixture *bench, const Run *run, const Instruction *root) {
  uint32_t leaves = shape_leaf_count(root->shape);
  for (uint32_t code = 0; code < 3 * 3 * 3 * 2 * 2 * 2; code++) {
    int64_t ends[] = {run->replicas, run->partitions, cells_of_leaf(root, 0)}, at[3];
    bool is_inside = true;
    uint32_t rest = code;
    for (uint32_t i = 0; i < 3; i++, rest /= 3) {
      at[i] = rest % 3 == 0 ? -1 : rest % 3 == 1 ? ends[i] - 1 : ends[i];
      is_inside &= rest % 3 == 1;
    }
    uint32_t leaf = rest % 2 == 0 ? 0 : leaves, operand = rest / 2 % 2 == 0 ? 0 : run->operands,
             operand_leaf = rest / 4 % 2;
    ReplicaElements list;
    Error error = {};
    assert_int_equal(rest == 0 && is_inside,
        replica_reads(bench->oracle, root, world_of_run(run), leaf, operand, operand_leaf,
            (ReplicaElement){at[0], at[1], at[2]}, &list, &error));
    assert_int_equal(error.message[0] == '\0', rest == 0 && is_inside);
  }
}

static void check_smallest_run(const Run *run, const Instruction *root) {
  ReplicaWorld world;
  bool are_partitions = run->ids == IDS_PARTITION || run->ids == IDS_FLAT;
  assert_true(replica_smallest_world(root, &world));
  assert_int_equal(world.replicas, are_partitions ? 1 : run->named + 1);
  assert_int_equal(world.partitions, are_partitions ? run->named + 1 : 1);
}

static void devices_read_what_was_sent_to_them(void **) {
  const uint32_t rounds = test_length(6000, 1500, 300);
  uint32_t read = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    OracleFixture bench = bench_create();
    Run run = draw_run();
    if (run.operands <= most_operands && cells_of(run.out) <= most_cells) {
      const char *module = text_of_run(bench.arena, &run);
      const Instruction *root = read_root(&bench, module);
      send_all(&run);
      check_reads_of_run(&bench, &run, root, module);
      check_questions_of_run(&bench, &run, root);
      check_smallest_run(&run, root);
      read++;
    }
    bench_destroy(&bench);
  }
  assert_true(read > rounds - rounds / 10);
}

/* ---- verdicts ---- */

typedef struct RunPair {
  int64_t output, input; /* device * elements + element */
} RunPair;

typedef struct RunPairs {
  uint32_t count;
  RunPair items[2048];
} RunPairs;

static void find_run_pairs(const Run *run, const Instruction *root, uint32_t leaf, uint32_t operand,
    bool are_related, RunPairs *pairs) {
  int64_t devices = run->replicas * run->partitions, outputs = cells_of_leaf(root, leaf),
          inputs = cells_of(run->in);
  pairs->count = 0;
  for (int64_t output = 0; output < devices * outputs; output++)
    for (int64_t input = 0; input < devices * inputs; input++) {
      const Arrived *cell = &arrived[leaf][output / outputs][output % outputs];
      bool is_related = (cell->of[operand][input / inputs] >> input % inputs & 1) != 0;
      if (is_related == are_related && pairs->count < 2048)
        pairs->items[pairs->count++] = (RunPair){output, input};
    }
}

/* The device, as a pair or one number, and the index of the element. */
static uint32_t run_index(const Run *run, const Shape *shape, int64_t number, bool is_flat,
    int64_t index[oracle_max_rank]) {
  int64_t elements = shape_elements(shape), device = number / elements, rest = number % elements;
  uint32_t extra = is_flat ? 1 : 2;
  index[0] = is_flat ? device : device / run->partitions;
  if (!is_flat) index[1] = device % run->partitions;
  for (uint32_t i = shape->rank; i > 0; i--) {
    index[extra + i - 1] = rest % shape->sizes[i - 1];
    rest /= shape->sizes[i - 1];
  }
  return extra + shape->rank;
}

/* A map of one point. */
static const Map *map_of_run_pair(OracleFixture *bench, const Run *run, const Shape *from_shape,
    int64_t from, const Shape *to_shape, int64_t to, bool is_flat) {
  int64_t point[oracle_max_rank], element[oracle_max_rank];
  uint32_t dims = run_index(run, from_shape, from, is_flat, point),
           results = run_index(run, to_shape, to, is_flat, element);
  Map *map = map_create(bench->maps, dims, 0, 0, results, 0);
  for (uint32_t i = 0; i < dims; i++) map->dims[i].bounds = (Interval){point[i], point[i]};
  for (uint32_t i = 0; i < results; i++)
    map->results[i] = expr_const(bench->maps->pool, element[i]);
  return map;
}

typedef struct RunQuestion {
  OracleFixture *bench;
  const Run *run;
  const Instruction *root;
  uint32_t leaf, operand;
  bool is_backward, is_flat;
  const Shape *from, *to;
  uint32_t map_count;
  const Map *maps[2049];
} RunQuestion;

static void state_pair(RunQuestion *question, RunPair pair) {
  bool back = question->is_backward;
  question->maps[question->map_count++] = map_of_run_pair(question->bench, question->run,
      question->from, back ? pair.input : pair.output, question->to,
      back ? pair.output : pair.input, question->is_flat);
}

/* `pair`: the one that is missing or too much. */
static void check_run_verdict(RunQuestion *question, VerdictReason reason, const RunPair *pair) {
  Verdict verdict;
  Error error = {};
  Oracle *oracle = question->bench->oracle;
  ReplicaWorld world = world_of_run(question->run);
  assert_true(
      question->is_backward
          ? replica_input_to_output(oracle, question->root, world, question->operand, 0,
                question->leaf, question->map_count, question->maps, &verdict, &error)
          : replica_output_to_input(oracle, question->root, world, question->leaf,
                question->operand, 0, question->map_count, question->maps, &verdict, &error));
  if (verdict.reason != reason)
    fail_msg("%s\nleaf %u, operand %u: %s", text_of_run(question->bench->arena, question->run),
        question->leaf, question->operand, verdict_text(&verdict));
  assert_int_equal(verdict.missing, reason == REASON_WRONG);
  assert_int_equal(verdict.extra, reason == REASON_EXTRA);
  if (pair == nullptr) return;
  int64_t point[oracle_max_rank], element[oracle_max_rank];
  bool back = question->is_backward;
  assert_int_equal(verdict.point_rank,
      run_index(question->run, question->from, back ? pair->input : pair->output, false, point));
  assert_int_equal(verdict.element_rank,
      run_index(question->run, question->to, back ? pair->output : pair->input, false, element));
  assert_memory_equal(verdict.point, point, verdict.point_rank * sizeof *point);
  assert_memory_equal(verdict.element, element, verdict.element_rank * sizeof *element);
}

/* True if the run was judged. */
static bool check_run_maps(OracleFixture *bench, const Run *run, const Instruction *root) {
  static RunPairs pairs, others;
  static RunQuestion question;
  uint32_t leaf = run_below(shape_leaf_count(root->shape)), operand = run_below(run->operands);
  const Shape *output = shape_leaf(root->shape, leaf), *input = root->operands[operand]->shape;
  find_run_pairs(run, root, leaf, operand, true, &pairs);
  find_run_pairs(run, root, leaf, operand, false, &others);
  if (pairs.count > 150) return false;
  bool back = run_below(2) == 0;
  question = (RunQuestion){.bench = bench,
      .run = run,
      .root = root,
      .leaf = leaf,
      .operand = operand,
      .is_backward = back,
      .is_flat = run_below(2) == 0,
      .from = back ? input : output,
      .to = back ? output : input};
  for (uint32_t i = 0; i < pairs.count; i++) state_pair(&question, pairs.items[i]);
  check_run_verdict(&question, REASON_EXACT, nullptr);
  if (others.count > 0) {
    RunPair pair = others.items[run_below(others.count)];
    state_pair(&question, pair);
    check_run_verdict(&question, REASON_EXTRA, &pair);
    question.map_count--;
  }
  if (pairs.count > 1) {
    uint32_t left = run_below(pairs.count);
    question.maps[left] = question.maps[--question.map_count];
    check_run_verdict(&question, REASON_WRONG, &pairs.items[left]);
  }
  return true;
}

static void maps_state_what_was_sent(void **) {
  const uint32_t rounds = test_length(3000, 900, 200);
  uint32_t judged = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    OracleFixture bench = bench_create();
    Run run = draw_run();
    if (run.operands <= most_operands && cells_of(run.out) <= most_cells) {
      const Instruction *root = read_root(&bench, text_of_run(bench.arena, &run));
      send_all(&run);
      judged += check_run_maps(&bench, &run, root);
    }
    bench_destroy(&bench);
  }
  assert_true(judged > rounds / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_read_what_was_sent_to_them),
      cmocka_unit_test(maps_state_what_was_sent),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
