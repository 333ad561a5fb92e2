/* Compiles a map, and evaluates it at one point. */
#include "oracle/evaluate/program.h"

#include <stdlib.h>

/* The distinct nodes of a map, found through a table of handles. */
typedef struct ProgramFound {
  uint32_t count, capacity;
  uint32_t *items;
  uint32_t *keys, *slots; /* open addressing; key 0 is free */
  uint32_t mask, used;
} ProgramFound;

static uint32_t program_position_of(const ProgramFound *found, uint32_t handle) {
  assert(handle != 0);
  uint32_t at = handle * UINT32_C(2654435761) & found->mask;
  while (found->keys[at] != 0 && found->keys[at] != handle) at = (at + 1) & found->mask;
  return at;
}

static void table_create(ProgramFound *found, Arena *arena, uint32_t mask) {
  found->mask = mask;
  found->keys = ARENA_NEW(arena, uint32_t, mask + 1);
  found->slots = ARENA_NEW(arena, uint32_t, mask + 1);
}

static void table_grow(ProgramFound *found, Arena *arena) {
  ProgramFound old = *found;
  table_create(found, arena, 2 * old.mask + 1);
  for (uint32_t i = 0; i <= old.mask; i++)
    if (old.keys[i] != 0) found->keys[program_position_of(found, old.keys[i])] = old.keys[i];
}

/* Adds a handle unless it is in the list. */
static void program_add(ProgramFound *found, Arena *arena, Expr expr) {
  uint32_t at = program_position_of(found, expr.at);
  if (found->keys[at] != 0) return;
  found->keys[at] = expr.at;
  *ARENA_PUSH(arena, found) = expr.at;
  if (2 * found->count > found->mask) table_grow(found, arena);
}

static int by_handle(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_handles(ProgramFound *found) {
  if (found->count > 32) {
    qsort(found->items, found->count, sizeof *found->items, by_handle);
    return;
  }
  for (uint32_t i = 1; i < found->count; i++)
    for (uint32_t k = i; k > 0 && found->items[k - 1] > found->items[k]; k--) {
      uint32_t other = found->items[k];
      found->items[k] = found->items[k - 1];
      found->items[k - 1] = other;
    }
}

/* Collects every node below the results and constraints; the list is its own queue. Handles are
 * sorted in ascending order: operands before users. */
static void find_nodes(
    ProgramFound *found, Arena *arena, const MapContext *context, const Map *map) {
  table_create(found, arena, 63);
  for (uint32_t i = 0; i < map->result_count; i++) program_add(found, arena, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    program_add(found, arena, map->constraints[i].expr);
  for (uint32_t i = 0; i < found->count; i++) {
    const ExprNode *node = expr_node(context->pool, (Expr){found->items[i]});
    if (node->op == EXPR_CONST || node->op == EXPR_VAR) continue;
    program_add(found, arena, node->left);
    program_add(found, arena, node->right);
  }
  sort_handles(found);
}

static uint32_t variable_slot(const Map *map, const ExprNode *node) {
  assert(node->op == EXPR_VAR);
  switch (node->var_kind) {
    case VAR_DIM: return node->var_index;
    case VAR_RANGE: return map->dim_count + node->var_index;
    case VAR_RUNTIME: break;
  }
  return map_first_number(map, VAR_RUNTIME) + node->var_index;
}

static uint64_t runtime_bit(uint32_t runtime) {
  return UINT64_C(1) << (runtime < 63 ? runtime : 63);
}

static uint64_t slot_runtimes(
    const Program *program, const ProgramStep *slot_steps, uint32_t slot) {
  uint32_t first = map_first_number(program->map, VAR_RUNTIME);
  if (slot < first) return 0;
  if (slot < program->variable_count) return runtime_bit(slot - first);
  return slot_steps[slot - program->variable_count].runtimes;
}

typedef struct WideInterval {
  Wide lo, hi;
} WideInterval;

static WideInterval interval_of(const Program *program, uint32_t slot) {
  if (slot < program->variable_count)
    return (WideInterval){program->box[slot].lo, program->box[slot].hi};
  const ProgramStep *step = &program->steps[slot - program->variable_count];
  return (WideInterval){step->lo, step->hi};
}

static WideInterval program_product(WideInterval a, WideInterval b) {
  assert(a.lo <= a.hi && b.lo <= b.hi);
  Wide ends[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  WideInterval all = {ends[0], ends[0]};
  for (int i = 1; i < 4; i++)
    all = (WideInterval){wide_min(all.lo, ends[i]), wide_max(all.hi, ends[i])};
  return all;
}

static WideInterval remainder_of(WideInterval a, Wide c) {
  assert(c > 0 && a.lo <= a.hi);
  bool is_in_one_period = wide_floordiv(a.lo, c) == wide_floordiv(a.hi, c);
  return is_in_one_period ? (WideInterval){wide_mod(a.lo, c), wide_mod(a.hi, c)}
                          : (WideInterval){0, c - 1};
}

/* Computes the interval of a step whose operands fit int64. False if it may leave int64 or divide
 * by 0 or less. */
static bool step_interval(const Program *program, ProgramStep *step) {
  WideInterval a = interval_of(program, step->left), b = interval_of(program, step->right),
               all = {};
  bool has_divisor = step->op == EXPR_FLOORDIV || step->op == EXPR_CEILDIV || step->op == EXPR_MOD;
  if (has_divisor && (b.lo != b.hi || b.lo <= 0)) return false;
  switch (step->op) {
    case EXPR_CONST:
    case EXPR_VAR: assert(false && "a leaf"); return false;
    case EXPR_ADD: all = (WideInterval){a.lo + b.lo, a.hi + b.hi}; break;
    case EXPR_MUL: all = program_product(a, b); break;
    case EXPR_FLOORDIV:
      all = (WideInterval){wide_floordiv(a.lo, b.lo), wide_floordiv(a.hi, b.lo)};
      break;
    case EXPR_CEILDIV:
      all = (WideInterval){wide_ceildiv(a.lo, b.lo), wide_ceildiv(a.hi, b.lo)};
      break;
    case EXPR_MOD: all = remainder_of(a, b.lo); break;
    case EXPR_MIN: all = (WideInterval){wide_min(a.lo, b.lo), wide_min(a.hi, b.hi)}; break;
    case EXPR_MAX: all = (WideInterval){wide_max(a.lo, b.lo), wide_max(a.hi, b.hi)}; break;
  }
  assert(all.lo <= all.hi);
  step->lo = all.lo;
  step->hi = all.hi;
  step->value = has_divisor ? (int64_t)b.lo : 0;
  return wide_fits_int64(all.lo) && wide_fits_int64(all.hi);
}

/* For a divisor c < 2^31 and numerators that, moved by a multiple of c, lie in [0, 2^31): with 2^k
 * >= c > 2^(k-1), m = ceil(2^(31+k) / c) has m * c < 2^(31+k) + 2^k. So the error of x * m /
 * 2^(31+k) stays below 1 / c for x < 2^31. */
static void plan_division(const Program *program, ProgramStep *step) {
  Wide limit = (Wide)1 << 31, c = step->value;
  WideInterval a = interval_of(program, step->left);
  if (step->op == EXPR_CEILDIV) a = (WideInterval){a.lo + c - 1, a.hi + c - 1};
  Wide offset = a.lo < 0 ? wide_ceildiv(-a.lo, c) * c : 0;
  if (c <= 0 || c >= limit || a.lo < -limit || a.hi + offset >= limit || offset >= limit) return;
  uint32_t k = 0;
  while (((Wide)1 << k) < c) k++;
  assert(k <= 31);
  step->shift = 31 + k;
  step->multiplier = (uint64_t)wide_ceildiv((Wide)1 << step->shift, c);
  step->offset = (int64_t)offset;
}

static bool is_below_32_bits(WideInterval a) { return a.lo >= 0 && a.hi <= UINT32_MAX; }

static void plan_step(const Program *program, ProgramStep *step) {
  if (step->value > 0) plan_division(program, step);
  step->is_short = step->op == EXPR_MUL && is_below_32_bits(interval_of(program, step->left)) &&
                   is_below_32_bits(interval_of(program, step->right));
}

static void compile_step(
    Program *program, const MapContext *context, const ProgramFound *found, uint32_t handle) {
  const ExprNode *node = expr_node(context->pool, (Expr){handle});
  ProgramStep *step = &program->steps[program->step_count];
  *step = (ProgramStep){.op = node->op, .slot = program->slot_count};
  if (node->op == EXPR_CONST) {
    step->value = node->value;
    step->lo = step->hi = node->value;
  } else {
    step->left = found->slots[program_position_of(found, node->left.at)];
    step->right = found->slots[program_position_of(found, node->right.at)];
    step->runtimes = slot_runtimes(program, program->steps, step->left) |
                     slot_runtimes(program, program->steps, step->right);
    program->is_narrow = program->is_narrow && step_interval(program, step);
    if (program->is_narrow) plan_step(program, step);
  }
  if (step->runtimes != 0) program->moving[program->moving_count++] = program->step_count;
  program->step_count++;
  program->slot_count++;
}

static void set_box(Program *program, Arena *arena, const Map *map, const Interval *box) {
  program->box = ARENA_NEW(arena, Interval, program->variable_count);
  for (uint32_t slot = 0; slot < program->variable_count; slot++) {
    program->box[slot] = box != nullptr ? box[slot] : map_variable(map, slot)->bounds;
    program->has_empty_box =
        program->has_empty_box || program->box[slot].lo > program->box[slot].hi;
  }
}

/* Whether program_point_again reads or writes a slot, or a result is there. */
static uint8_t *find_kept(const Program *program, Arena *arena) {
  uint8_t *is_kept = ARENA_NEW(arena, uint8_t, program->slot_count);
  for (uint32_t i = 0; i < program->map->result_count; i++) is_kept[program->results[i]] = 1;
  for (uint32_t i = 0; i < program->moving_count; i++) {
    const ProgramStep *step = &program->steps[program->moving[i]];
    is_kept[step->slot] = is_kept[step->left] = is_kept[step->right] = 1;
  }
  return is_kept;
}

/* Renumbers the slots: variables, kept slots, others. The order of the steps stays. */
static void keep_first(Program *program, Arena *arena) {
  const uint8_t *is_kept = find_kept(program, arena);
  uint32_t *slots = ARENA_NEW(arena, uint32_t, program->slot_count), next = 0;
  for (int kept = 1; kept >= 0; kept--) {
    for (uint32_t slot = 0; slot < program->slot_count; slot++)
      if ((slot < program->variable_count || is_kept[slot]) == kept) slots[slot] = next++;
    if (kept == 1) program->kept_count = next;
  }
  for (uint32_t i = 0; i < program->step_count; i++) {
    ProgramStep *step = &program->steps[i];
    step->slot = slots[step->slot];
    step->left = slots[step->left];
    step->right = slots[step->right];
  }
  for (uint32_t i = 0; i < program->map->result_count; i++)
    program->results[i] = slots[program->results[i]];
  for (uint32_t i = 0; i < program->map->constraint_count; i++)
    program->constraints[i] = slots[program->constraints[i]];
}

void program_compile(Program *program, Arena *arena, const MapContext *context, const Map *map,
    const Interval *box) {
  assert(map->state == MAP_PLAIN);
  ProgramFound found = {};
  find_nodes(&found, arena, context, map);
  *program = (Program){.map = map, .variable_count = map_variable_count(map)};
  set_box(program, arena, map, box);
  program->is_narrow = !program->has_empty_box;
  program->slot_count = program->variable_count;
  program->steps = ARENA_NEW(arena, ProgramStep, found.count);
  program->moving = ARENA_NEW(arena, uint32_t, map->runtime_count > 0 ? found.count : 0);
  for (uint32_t i = 0; i < found.count; i++) {
    const ExprNode *node = expr_node(context->pool, (Expr){found.items[i]});
    bool is_variable = node->op == EXPR_VAR;
    found.slots[program_position_of(&found, found.items[i])] =
        is_variable ? variable_slot(map, node) : program->slot_count;
    if (!is_variable) compile_step(program, context, &found, found.items[i]);
  }
  if (!program->is_narrow) program->wide = ARENA_NEW(arena, WideValue, program->slot_count);
  program->results = ARENA_NEW(arena, uint32_t, map->result_count);
  program->result_runtimes = ARENA_NEW(arena, uint64_t, map->result_count);
  program->constraints = ARENA_NEW(arena, uint32_t, map->constraint_count);
  program->constraint_runtimes = ARENA_NEW(arena, uint64_t, map->constraint_count);
  program->moving_constraints =
      ARENA_NEW(arena, uint32_t, map->runtime_count > 0 ? map->constraint_count : 0);
  for (uint32_t i = 0; i < map->result_count; i++) {
    program->results[i] = found.slots[program_position_of(&found, map->results[i].at)];
    program->result_runtimes[i] = slot_runtimes(program, program->steps, program->results[i]);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    program->constraints[i] = found.slots[program_position_of(&found, map->constraints[i].expr.at)];
    program->constraint_runtimes[i] =
        slot_runtimes(program, program->steps, program->constraints[i]);
    if (program->constraint_runtimes[i] != 0)
      program->moving_constraints[program->moving_constraint_count++] = i;
  }
  program->kept_count = program->slot_count;
  if (map->runtime_count > 0) keep_first(program, arena);
}

static bool is_within_bounds(const Program *program, const int64_t *slots, uint64_t unknown) {
  const Map *map = program->map;
  const Variable *kinds[3] = {map->dims, map->ranges, map->runtimes};
  uint32_t counts[3] = {map->dim_count, map->range_count, map->runtime_count};
  for (uint32_t kind = 0, slot = 0; kind < 3; kind++)
    for (uint32_t i = 0; i < counts[kind]; i++, slot++) {
      Interval bounds = kinds[kind][i].bounds;
      bool is_known = kind < 2 || (runtime_bit(i) & unknown) == 0;
      if (is_known && (slots[slot] < bounds.lo || slots[slot] > bounds.hi)) return false;
    }
  return true;
}

static PointAnswer narrow_point(const Program *program, int64_t *slots, uint64_t unknown) {
  assert(program->is_narrow);
  for (uint32_t i = 0; i < program->step_count; i++) {
    const ProgramStep *step = &program->steps[i];
    if ((step->runtimes & unknown) == 0)
      slots[step->slot] = step_value(step, slots[step->left], slots[step->right]);
  }
  for (uint32_t i = 0; i < program->map->constraint_count; i++) {
    Interval in = program->map->constraints[i].in;
    int64_t value = slots[program->constraints[i]];
    if ((program->constraint_runtimes[i] & unknown) == 0 && (value < in.lo || value > in.hi))
      return ANSWER_OUTSIDE;
  }
  return ANSWER_INSIDE;
}

static Wide wide_step(ExprOp op, Wide a, Wide b) {
  switch (op) {
    case EXPR_CONST:
    case EXPR_VAR: break;
    case EXPR_ADD: return a + b;
    case EXPR_MUL: return a * b;
    case EXPR_FLOORDIV: return wide_floordiv(a, b);
    case EXPR_CEILDIV: return wide_ceildiv(a, b);
    case EXPR_MOD: return wide_mod(a, b);
    case EXPR_MIN: return wide_min(a, b);
    case EXPR_MAX: return wide_max(a, b);
  }
  return 0;
}

static bool is_product_far(Wide a, Wide b) {
  Wide far = (Wide)1 << 100, x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  return x != 0 && y > far / x;
}

static WideValue wide_apply(const ProgramStep *step, WideValue a, WideValue b) {
  Wide far = (Wide)1 << 100;
  bool has_divisor = step->op == EXPR_FLOORDIV || step->op == EXPR_CEILDIV || step->op == EXPR_MOD;
  WideValue result = {
      .is_lost = a.is_lost || b.is_lost, .has_strayed = a.has_strayed || b.has_strayed};
  result.is_lost = result.is_lost || (has_divisor && b.value <= 0) ||
                   (step->op == EXPR_MUL && is_product_far(a.value, b.value));
  if (!result.is_lost) result.value = wide_step(step->op, a.value, b.value);
  if (result.value > far || result.value < -far) result.is_lost = true;
  result.has_strayed = result.has_strayed || result.is_lost || !wide_fits_int64(result.value);
  return result;
}

static PointAnswer wide_point(const Program *program, int64_t *slots, uint64_t unknown) {
  WideValue *values = program->wide;
  assert(values != nullptr || program->slot_count == 0);
  for (uint32_t i = 0; i < program->variable_count; i++) values[i] = (WideValue){.value = slots[i]};
  for (uint32_t i = 0; i < program->step_count; i++) {
    const ProgramStep *step = &program->steps[i];
    if ((step->runtimes & unknown) != 0) continue;
    values[step->slot] = step->op == EXPR_CONST
                             ? (WideValue){.value = step->value}
                             : wide_apply(step, values[step->left], values[step->right]);
  }
  PointAnswer answer = ANSWER_INSIDE;
  for (uint32_t i = 0; i < program->map->constraint_count && answer != ANSWER_OUTSIDE; i++) {
    Interval in = program->map->constraints[i].in;
    const WideValue *value = &values[program->constraints[i]];
    if ((program->constraint_runtimes[i] & unknown) != 0) continue;
    if (value->has_strayed) answer = ANSWER_LEAVES_INT64;
    if (!value->is_lost && (value->value < in.lo || value->value > in.hi)) answer = ANSWER_OUTSIDE;
  }
  for (uint32_t i = 0; i < program->map->result_count && answer != ANSWER_OUTSIDE; i++) {
    const WideValue *value = &values[program->results[i]];
    if ((program->result_runtimes[i] & unknown) != 0) continue;
    if (value->has_strayed) answer = ANSWER_LEAVES_INT64;
    slots[program->results[i]] = value->has_strayed ? 0 : (int64_t)value->value;
  }
  return answer;
}

bool runtime_decides_domain(const Map *map, uint32_t runtime) {
  assert(map->sources != nullptr);
  Interval bounds = map->runtimes[runtime].bounds, clamp = map->sources[runtime].clamp;
  return clamp.lo < bounds.lo || clamp.hi > bounds.hi;
}

bool program_bounds_hold(const Program *program, const int64_t *slots, uint64_t unknown) {
  const Map *map = program->map;
  uint32_t first = map_first_number(map, VAR_RUNTIME);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds;
    if ((runtime_bit(i) & unknown) == 0 &&
        (slots[first + i] < bounds.lo || slots[first + i] > bounds.hi))
      return false;
  }
  return true;
}

uint64_t program_runtimes(const Program *program) {
  uint64_t used = 0;
  for (uint32_t i = 0; i < program->map->result_count; i++) used |= program->result_runtimes[i];
  for (uint32_t i = 0; i < program->map->constraint_count; i++)
    used |= program->constraint_runtimes[i];
  return used;
}

PointAnswer program_point_again(const Program *program, int64_t *slots, uint64_t unknown) {
  assert(program->is_narrow);
  for (uint32_t i = 0; i < program->moving_count; i++) {
    const ProgramStep *step = &program->steps[program->moving[i]];
    assert(step->runtimes != 0);
    if ((step->runtimes & unknown) == 0)
      slots[step->slot] = step_value(step, slots[step->left], slots[step->right]);
  }
  for (uint32_t i = 0; i < program->moving_constraint_count; i++) {
    uint32_t constraint = program->moving_constraints[i];
    if ((program->constraint_runtimes[constraint] & unknown) != 0) continue;
    Interval in = program->map->constraints[constraint].in;
    int64_t value = slots[program->constraints[constraint]];
    if (value < in.lo || value > in.hi) return ANSWER_OUTSIDE;
  }
  return ANSWER_INSIDE;
}

PointAnswer program_point(const Program *program, int64_t *slots, uint64_t unknown) {
  if (!is_within_bounds(program, slots, unknown)) return ANSWER_OUTSIDE;
  return program->is_narrow ? narrow_point(program, slots, unknown)
                            : wide_point(program, slots, unknown);
}
