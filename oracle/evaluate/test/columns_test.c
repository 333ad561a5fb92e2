/* Column evaluation at the limits of its planning: random expressions over variables, constants and
 * divisors around 0, 2^31, 2^32, 2^62 and both ends of int64. The code for wide vectors and the
 * code for every machine are compared with a 128-bit tree walk in this file. Programs that are not
 * narrow are counted and skipped.
 * AFFIRM_COLUMNS_MAPS: number of maps. */
#include <stdlib.h>

#include "core/map/test/random_map.h"
#include "oracle/evaluate/box.h"
#include "oracle/test/test_module.h"
#include "oracle/evaluate/wide.h"

typedef struct ColumnsFixture {
  MapContext *context;
  Arena *arena;
  RandomMaps random;
  uint64_t seed, narrow, points, planned, short_products;
} ColumnsFixture;

static int64_t columns_draw(ColumnsFixture *world, int64_t lo, int64_t hi) {
  return random_between(&world->random, lo, hi);
}

/* Near a power of two, or near an end of int64. */
static int64_t draw_edge(ColumnsFixture *world) {
  static const int64_t edges[] = {
      0, 0, 0, 1 << 16, INT32_MAX, INT64_C(1) << 32, INT64_C(1) << 40, INT64_C(1) << 62, INT64_MAX};
  int64_t edge = edges[columns_draw(world, 0, 8)], near = columns_draw(world, -4, 4);
  int64_t value = edge == INT64_MAX ? edge - (near + 4) : edge + near;
  return columns_draw(world, 0, 2) == 0 ? -value - columns_draw(world, 0, 1) : value;
}

static Expr draw_expr(ColumnsFixture *world, const Map *map, uint32_t levels) {
  ExprPool *pool = world->context->pool;
  int64_t kind = columns_draw(world, 0, 9);
  if (levels == 0 || kind == 0)
    return columns_draw(world, 0, 2) == 0
               ? expr_const(pool, draw_edge(world))
               : expr_var(pool, VAR_DIM, (uint32_t)columns_draw(world, 0, map->dim_count - 1));
  ExprOp op = (ExprOp)columns_draw(world, EXPR_ADD, EXPR_MAX);
  Expr left = draw_expr(world, map, levels - 1);
  if (op != EXPR_FLOORDIV && op != EXPR_CEILDIV && op != EXPR_MOD)
    return expr_binary(pool, op, left, draw_expr(world, map, levels - 1));
  int64_t divisor = columns_draw(world, 0, 1) == 0 ? columns_draw(world, 1, 12) : draw_edge(world);
  if (divisor < 1) divisor = divisor <= -INT64_MAX ? INT64_MAX : 1 - divisor;
  return expr_binary(pool, op, left, expr_const(pool, divisor));
}

static const Map *draw_map(ColumnsFixture *world) {
  Map *map = map_create(world->context, (uint32_t)columns_draw(world, 1, 2), 0, 0, 1,
      (uint32_t)columns_draw(world, 0, 1));
  for (uint32_t i = 0; i < map->dim_count; i++) {
    int64_t lo = draw_edge(world), hi;
    if (__builtin_add_overflow(lo, columns_draw(world, 0, 20), &hi)) hi = INT64_MAX;
    map->dims[i].bounds = (Interval){lo, hi};
  }
  map->results[0] = draw_expr(world, map, 3);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    int64_t lo = draw_edge(world), hi = draw_edge(world);
    map->constraints[i] =
        (Constraint){draw_expr(world, map, 2), {lo < hi ? lo : hi, lo < hi ? hi : lo}};
  }
  return map;
}

static Wide columns_walk(const ColumnsFixture *world, Expr expr, const int64_t *d) {
  const ExprNode *node = expr_node(world->context->pool, expr);
  if (node->op == EXPR_CONST) return node->value;
  if (node->op == EXPR_VAR) return d[node->var_index];
  Wide a = columns_walk(world, node->left, d), b = columns_walk(world, node->right, d), q;
  switch (node->op) {
    case EXPR_ADD: return a + b;
    case EXPR_MUL: return a * b;
    case EXPR_FLOORDIV:
    case EXPR_MOD: q = a / b - (a % b < 0); return node->op == EXPR_MOD ? a - b * q : q;
    case EXPR_CEILDIV: return a / b + (a % b > 0);
    case EXPR_MIN: return a < b ? a : b;
    case EXPR_MAX: return a < b ? b : a;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  abort();
}

static void check_block(ColumnsFixture *world, const Map *map, const Program *program,
    uint32_t count, int64_t **columns, const uint8_t *inside, const char *way) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t d[2] = {columns[0][i], map->dim_count > 1 ? columns[1][i] : 0};
    bool is_inside = true;
    for (uint32_t k = 0; k < map->constraint_count; k++) {
      Wide value = columns_walk(world, map->constraints[k].expr, d);
      is_inside =
          is_inside && value >= map->constraints[k].in.lo && value <= map->constraints[k].in.hi;
    }
    bool is_same = columns[program->results[0]][i] == columns_walk(world, map->results[0], d);
    if (!is_same || inside[i] != is_inside)
      fail_msg("seed %llu, %s, at (%lld, %lld)", (unsigned long long)world->seed, way,
          (long long)d[0], (long long)d[1]);
  }
}

/* Leaves nothing of an earlier evaluation: a way that computes nothing is seen. */
static void forget_columns(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside) {
  for (uint32_t i = 0; i < program->step_count; i++)
    for (uint32_t k = 0; k < count && program->steps[i].op != EXPR_CONST; k++)
      columns[program->steps[i].slot][k] = INT64_C(0x5a5a5a5a5a5a5a5a);
  for (uint32_t k = 0; k < count; k++) inside[k] = 2;
}

static void check_map(ColumnsFixture *world, const Map *map) {
  Program program;
  program_compile(&program, world->arena, world->context, map, nullptr);
  if (!program.is_narrow) return;
  Box box = {.count = program.variable_count, .of = program.box};
  assert_true(box_count(&box, 1000));
  int64_t **columns = columns_create(world->arena, &program, box.points, 0, nullptr);
  uint8_t inside[box_block];
  for (uint32_t i = 0; i < program.step_count; i++) {
    world->planned += program.steps[i].multiplier != 0;
    world->short_products += program.steps[i].is_short;
  }
  for (int64_t first = 0; first < box.points; first += box_block) {
    uint32_t count = box.points - first < box_block ? (uint32_t)(box.points - first) : box_block;
    box_columns(&box, first, count, columns);
    forget_columns(&program, count, columns, inside);
    program_columns(&program, count, columns, inside);
    check_block(world, map, &program, count, columns, inside, "wide vectors");
    box_columns(&box, first, count, columns);
    forget_columns(&program, count, columns, inside);
    program_columns_anywhere(&program, count, columns, inside);
    check_block(world, map, &program, count, columns, inside, "any machine");
  }
  world->narrow++;
  world->points += (uint64_t)box.points;
}

static uint64_t goal(void) {
  const char *text = getenv("AFFIRM_COLUMNS_MAPS");
  if (text != nullptr) return strtoull(text, nullptr, 10);
  return getenv("AFFIRM_FEW") == nullptr ? 50000 : 2000;
}

static void columns_are_right_at_every_edge(void **state) {
  (void)state;
  ColumnsFixture world = {.context = map_context_create(), .arena = arena_create()};
  for (world.seed = 1; world.seed <= goal(); world.seed++) {
    MapMark mark = map_context_mark(world.context);
    ArenaMark arena_at = arena_mark(world.arena);
    world.random = (RandomMaps){.state = world.seed * 1000003};
    check_map(&world, draw_map(&world));
    arena_rewind(world.arena, arena_at);
    map_context_rewind(world.context, mark);
  }
  print_message(
      "%llu maps, %llu of them narrow, %llu points; %llu divisions by multiplication, %llu products of 32 bits\n",
      (unsigned long long)goal(), (unsigned long long)world.narrow,
      (unsigned long long)world.points, (unsigned long long)world.planned,
      (unsigned long long)world.short_products);
  assert_true(world.narrow * 3 > goal() && world.planned > goal() / 20 &&
              world.short_products > goal() / 20);
  arena_destroy(world.arena);
  map_context_destroy(world.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_right_at_every_edge)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
