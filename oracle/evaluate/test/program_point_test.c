/* Single points of programs, and columns of points, against a walk over the tree of each
 * expression: values that leave int64, that are past 2^100 or divided by 0 or less, bounds on both
 * sides, and every set of runtime variables that have no value. */
#include "core/base/test/length.h"
#include "core/map/test/random_map.h"
#include "oracle/evaluate/program.h"
#include "oracle/test/test_module.h"

static constexpr uint32_t most_point_runtimes = 3, most_point_variables = 6, points_of_map = 12;

typedef struct PointsFixture {
  MapContext *context;
  Arena *arena;
  RandomMaps random;
  uint64_t seed;
  uint32_t answers[3], wide, narrow, again, columns;
} PointsFixture;

static int64_t points_draw(PointsFixture *world, int64_t lo, int64_t hi) {
  return random_between(&world->random, lo, hi);
}

/* Small for a narrow program; else also near the ends of int64 and of what is kept. */
static int64_t draw_number(PointsFixture *world, bool is_small) {
  static const int64_t edges[] = {0, 1, INT32_MAX, INT64_C(1) << 50, INT64_C(1) << 62};
  int64_t near = points_draw(world, -3, 3), edge = edges[points_draw(world, 0, 4)];
  if (is_small || points_draw(world, 0, 2) == 0) return 2 * near;
  if (points_draw(world, 0, 5) == 0) return near < 0 ? INT64_MIN - (near + 1) : INT64_MAX - near;
  return points_draw(world, 0, 1) == 0 ? -(edge + near) : edge + near;
}

static Expr draw_tree(PointsFixture *world, const Map *map, uint32_t levels, bool is_small) {
  ExprPool *pool = world->context->pool;
  int64_t kind = points_draw(world, 0, 9);
  if (levels == 0 || kind < 1) {
    if (points_draw(world, 0, 3) == 0) return expr_const(pool, draw_number(world, is_small));
    uint32_t at = (uint32_t)points_draw(world, 0, map_variable_count(map) - 1);
    VarKind var = at < map->dim_count                       ? VAR_DIM
                  : at < map_first_number(map, VAR_RUNTIME) ? VAR_RANGE
                                                            : VAR_RUNTIME;
    return expr_var(pool, var, at - map_first_number(map, var));
  }
  ExprOp op = (ExprOp)points_draw(world, EXPR_ADD, EXPR_MAX);
  bool divides = op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
  Expr left = draw_tree(world, map, levels - 1, is_small);
  Expr right = draw_tree(world, map, levels - 1, is_small);
  const ExprNode *node = expr_node(pool, right);
  bool is_constant = node->op == EXPR_CONST && node->value <= 0; /* is no divisor of a map */
  if (divides && (is_constant || points_draw(world, 0, 3) > 0))
    right = expr_const(pool, points_draw(world, 1, 5));
  return expr_binary(pool, op, left, right);
}

static Interval *bounds_at(const Map *map, uint32_t at) {
  uint32_t ranges = map->dim_count, runtimes = map_first_number(map, VAR_RUNTIME);
  return at < ranges     ? &map->dims[at].bounds
         : at < runtimes ? &map->ranges[at - ranges].bounds
                         : &map->runtimes[at - runtimes].bounds;
}

static const Map *draw_points_map(PointsFixture *world) {
  bool is_small = points_draw(world, 0, 1) == 0;
  Map *map = map_create(world->context, (uint32_t)points_draw(world, 1, 2),
      (uint32_t)points_draw(world, 0, 1), (uint32_t)points_draw(world, 0, most_point_runtimes),
      (uint32_t)points_draw(world, 0, 2), (uint32_t)points_draw(world, 0, 3));
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    int64_t lo = draw_number(world, is_small), hi;
    if (__builtin_add_overflow(lo, points_draw(world, 0, 4), &hi)) hi = INT64_MAX;
    *bounds_at(map, i) = (Interval){lo, hi};
  }
  for (uint32_t i = 0; i < map->result_count; i++)
    map->results[i] = draw_tree(world, map, 3, is_small);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    int64_t a = draw_number(world, is_small), b = draw_number(world, is_small);
    map->constraints[i] = (Constraint){draw_tree(world, map, 2, is_small),
        {a < b ? a : b, points_draw(world, 0, 1) == 0 ? INT64_MAX
                        : a < b                       ? b
                                                      : a}};
  }
  return map;
}

typedef struct WalkedValue {
  __int128 value;
  uint64_t runtimes; /* that it depends on */
  bool is_lost, has_strayed;
} WalkedValue;

static WalkedValue walk_value(
    const PointsFixture *world, const Map *map, Expr expr, const int64_t *at) {
  const ExprNode *node = expr_node(world->context->pool, expr);
  if (node->op == EXPR_CONST) return (WalkedValue){.value = node->value};
  if (node->op == EXPR_VAR)
    return (WalkedValue){.value = at[map_first_number(map, node->var_kind) + node->var_index],
        .runtimes = node->var_kind == VAR_RUNTIME ? UINT64_C(1) << node->var_index : 0};
  WalkedValue a = walk_value(world, map, node->left, at),
              b = walk_value(world, map, node->right, at);
  WalkedValue made = {.runtimes = a.runtimes | b.runtimes,
      .is_lost = a.is_lost || b.is_lost,
      .has_strayed = a.has_strayed || b.has_strayed};
  bool divides = node->op == EXPR_FLOORDIV || node->op == EXPR_CEILDIV || node->op == EXPR_MOD;
  if (divides && b.value <= 0) made.is_lost = true;
  if (!made.is_lost) {
    __int128 quotient = divides ? a.value / b.value : 0, rest = divides ? a.value % b.value : 0;
    switch (node->op) {
      case EXPR_CONST:
      case EXPR_VAR: break;
      case EXPR_ADD: made.value = a.value + b.value; break;
      case EXPR_MUL: made.is_lost = __builtin_mul_overflow(a.value, b.value, &made.value); break;
      case EXPR_FLOORDIV: made.value = quotient - (rest < 0); break;
      case EXPR_CEILDIV: made.value = quotient + (rest > 0); break;
      case EXPR_MOD: made.value = rest < 0 ? rest + b.value : rest; break;
      case EXPR_MIN: made.value = a.value < b.value ? a.value : b.value; break;
      case EXPR_MAX: made.value = a.value > b.value ? a.value : b.value; break;
    }
    __int128 most = (__int128)1 << 100;
    made.is_lost = made.is_lost || made.value > most || made.value < -most;
  }
  made.has_strayed =
      made.has_strayed || made.is_lost || made.value < INT64_MIN || made.value > INT64_MAX;
  return made;
}

static bool walk_bounds(const Map *map, const int64_t *at, uint64_t unknown, uint32_t first) {
  uint32_t runtimes = map_first_number(map, VAR_RUNTIME);
  for (uint32_t i = first; i < map_variable_count(map); i++) {
    Interval in = *bounds_at(map, i);
    if (i >= runtimes && (unknown >> (i - runtimes) & 1) != 0) continue;
    if (at[i] < in.lo || at[i] > in.hi) return false;
  }
  return true;
}

/* A constraint that cannot hold excludes the point, whatever else leaves int64. */
static PointAnswer walk_answer(
    const PointsFixture *world, const Map *map, const int64_t *at, uint64_t unknown) {
  bool has_strayed = false;
  if (!walk_bounds(map, at, unknown, 0)) return ANSWER_OUTSIDE;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    WalkedValue value = walk_value(world, map, map->constraints[i].expr, at);
    if ((value.runtimes & unknown) != 0) continue;
    has_strayed |= value.has_strayed;
    Interval in = map->constraints[i].in;
    if (!value.is_lost && (value.value < in.lo || value.value > in.hi)) return ANSWER_OUTSIDE;
  }
  for (uint32_t i = 0; i < map->result_count; i++) {
    WalkedValue value = walk_value(world, map, map->results[i], at);
    has_strayed |= (value.runtimes & unknown) == 0 && value.has_strayed;
  }
  return has_strayed ? ANSWER_LEAVES_INT64 : ANSWER_INSIDE;
}

static void check_results(const PointsFixture *world, const Program *program, const int64_t *at,
    const int64_t *slots, uint64_t unknown) {
  const Map *map = program->map;
  for (uint32_t i = 0; i < map->result_count; i++) {
    WalkedValue value = walk_value(world, map, map->results[i], at);
    if ((value.runtimes & unknown) != 0) continue;
    int64_t wanted = value.has_strayed ? 0 : (int64_t)value.value;
    if (slots[program->results[i]] != wanted)
      fail_msg("seed %llu: result %u is %lld", (unsigned long long)world->seed, i,
          (long long)slots[program->results[i]]);
  }
}

/* The same answer from the kept slots that were computed while no runtime variable had a value. */
static void check_again(PointsFixture *world, const Program *program, const int64_t *at,
    int64_t *slots, uint64_t unknown, PointAnswer wanted) {
  uint64_t all = (UINT64_C(1) << most_point_runtimes) - 1;
  bool holds = walk_bounds(program->map, at, unknown, map_first_number(program->map, VAR_RUNTIME));
  assert_int_equal(program_bounds_hold(program, at, unknown), holds);
  memcpy(slots, at, program->variable_count * sizeof *slots);
  if (!program->is_narrow || !holds || program_point(program, slots, all) != ANSWER_INSIDE) return;
  for (uint32_t i = program->kept_count; i < program->slot_count; i++) slots[i] = -77;
  assert_int_equal(program_point_again(program, slots, unknown), wanted);
  if (wanted == ANSWER_INSIDE) check_results(world, program, at, slots, unknown);
  world->again++;
}

static void check_point(PointsFixture *world, const Program *program, const int64_t *at) {
  int64_t *slots = ARENA_NEW(world->arena, int64_t, program->slot_count + 1);
  for (uint64_t unknown = 0; unknown >> program->map->runtime_count == 0; unknown++) {
    PointAnswer wanted = walk_answer(world, program->map, at, unknown);
    for (uint32_t i = 0; i < program->slot_count; i++) slots[i] = 77;
    memcpy(slots, at, program->variable_count * sizeof *slots);
    PointAnswer answer = program_point(program, slots, unknown);
    if (answer != wanted)
      fail_msg("seed %llu: %u instead of %u without %llx", (unsigned long long)world->seed, answer,
          wanted, (unsigned long long)unknown);
    world->answers[answer]++;
    if (answer != ANSWER_OUTSIDE) check_results(world, program, at, slots, unknown);
    check_again(world, program, at, slots, unknown, wanted);
  }
}

/* The same points at once, by the code for this machine or for any, in columns that hold nothing
 * else. */
static void check_point_columns(PointsFixture *world, const Program *program,
    const int64_t at[points_of_map][most_point_variables]) {
  int64_t **columns = ARENA_NEW(world->arena, int64_t *, program->slot_count + 1);
  uint8_t inside[points_of_map];
  memset(inside, 2, sizeof inside);
  for (uint32_t i = 0; i < program->slot_count; i++) {
    columns[i] = ARENA_NEW(world->arena, int64_t, points_of_map);
    for (uint32_t k = 0; k < points_of_map; k++)
      columns[i][k] = i < program->variable_count ? at[k][i] : -77;
  }
  program_fill_constants(program, points_of_map, columns);
  if (world->seed % 2 == 0) program_columns(program, points_of_map, columns, inside);
  else program_columns_anywhere(program, points_of_map, columns, inside);
  for (uint32_t k = 0; k < points_of_map; k++) {
    PointAnswer wanted = walk_answer(world, program->map, at[k], 0);
    assert_int_equal(inside[k], wanted == ANSWER_INSIDE);
    for (uint32_t i = 0; i < program->map->result_count; i++)
      assert_true(columns[program->results[i]][k] ==
                  walk_value(world, program->map, program->map->results[i], at[k]).value);
  }
  world->columns++;
}

static int64_t moved_number(int64_t number, int64_t by) {
  int64_t moved;
  return __builtin_add_overflow(number, by, &moved) ? number : moved;
}

/* The box of a program may be wider than the bounds, which then exclude points. */
static void check_points_of(PointsFixture *world, const Map *map) {
  Program program;
  Interval box[most_point_variables];
  bool has_box = points_draw(world, 0, 1) == 0;
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    box[i] = (Interval){moved_number(bounds_at(map, i)->lo, -points_draw(world, 0, 2)),
        moved_number(bounds_at(map, i)->hi, points_draw(world, 0, 2))};
  program_compile(&program, world->arena, world->context, map, has_box ? box : nullptr);
  world->narrow += program.is_narrow;
  world->wide += !program.is_narrow;
  int64_t at[points_of_map][most_point_variables];
  for (uint32_t n = 0; n < points_of_map; n++) {
    for (uint32_t i = 0; i < program.variable_count; i++)
      at[n][i] = points_draw(world, program.box[i].lo, program.box[i].hi);
    check_point(world, &program, at[n]);
  }
  if (program.is_narrow) check_point_columns(world, &program, at);
}

static void points_are_those_of_the_tree(void **) {
  PointsFixture world = {.context = map_context_create(), .arena = arena_create()};
  uint32_t maps = test_length(40000, 4000, 400);
  for (world.seed = 1; world.seed <= maps; world.seed++) {
    MapMark mark = map_context_mark(world.context);
    ArenaMark arena_at = arena_mark(world.arena);
    world.random = (RandomMaps){.state = world.seed * 1000003};
    check_points_of(&world, draw_points_map(&world));
    arena_rewind(world.arena, arena_at);
    map_context_rewind(world.context, mark);
  }
  print_message(
      "%u narrow maps, %u wide ones; %u points outside, %u inside, %u leave int64; %u again, %u columns\n",
      world.narrow, world.wide, world.answers[ANSWER_OUTSIDE], world.answers[ANSWER_INSIDE],
      world.answers[ANSWER_LEAVES_INT64], world.again, world.columns);
  assert_true(world.narrow > maps / 5 && world.wide > maps / 5 && world.again > maps &&
              world.columns > maps / 5);
  for (uint32_t i = 0; i < 3; i++) assert_true(world.answers[i] > 2 * maps);
  arena_destroy(world.arena);
  map_context_destroy(world.context);
}

/* Bounds that every value of the clamp keeps decide nothing. */
static void bounds_inside_the_clamp_decide_about_the_domain(void **) {
  MapContext *context = map_context_create();
  for (int64_t lo = -2; lo <= 2; lo++)
    for (int64_t hi = -2; hi <= 2; hi++) {
      RuntimeSource sources[2] = {{.clamp = {-5, 5}}, {.clamp = {lo, hi}}};
      Map *map = map_create(context, 0, 0, 2, 0, 0);
      map->runtimes[0].bounds = (Interval){-5, 5};
      map->runtimes[1].bounds = (Interval){-1, 1};
      map->sources = sources;
      assert_false(runtime_decides_domain(map, 0));
      assert_int_equal(runtime_decides_domain(map, 1), lo < -1 || hi > 1);
    }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_those_of_the_tree),
      cmocka_unit_test(bounds_inside_the_clamp_decide_about_the_domain)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
