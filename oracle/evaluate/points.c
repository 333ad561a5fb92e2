/* Each step and constraint has a level: the smallest k such that it needs only variables 0 .. k -
 * 1. Operands of a step are never on a later level. A change of variable i leaves levels up to i
 * unchanged. */
#include "oracle/evaluate/points.h"

#include <assert.h>

/* The level of each slot; runtime variables and the slots above them do not matter. */
static uint32_t *levels_of(Arena *arena, const Program *program, const Box *box) {
  uint32_t *levels = ARENA_NEW(arena, uint32_t, program->slot_count);
  for (uint32_t i = 0; i < box->count; i++) levels[i] = i + 1;
  for (uint32_t i = 0; i < program->step_count; i++) {
    const ProgramStep *step = &program->steps[i];
    if (step->op == EXPR_CONST) continue;
    uint32_t left = levels[step->left], right = levels[step->right];
    levels[step->slot] = left > right ? left : right;
    assert(levels[step->slot] <= box->count);
  }
  return levels;
}

/* A counting sort: `first` receives the start of each level, `order` the items level by level, each
 * level in the given order. Items with runtime variables are left out. */
static void sort_levels(uint32_t level_count, uint32_t count, const uint32_t *levels,
    const uint64_t *runtimes, uint32_t *first, uint32_t *order) {
  for (uint32_t i = 0; i < count; i++)
    if (runtimes[i] == 0) first[levels[i] + 1]++;
  for (uint32_t level = 1; level <= level_count; level++) first[level] += first[level - 1];
  for (uint32_t level = 0, next = 0; level < level_count; level++)
    for (uint32_t i = 0; next < first[level + 1]; i++)
      if (runtimes[i] == 0 && levels[i] == level) order[next++] = i;
}

void points_create(Points *points, Arena *arena, const Program *program, const Box *box) {
  assert(program->is_narrow);
  uint32_t level_count = box->count + 1, constraint_count = program->map->constraint_count,
           step_count = program->step_count;
  const uint32_t *levels = levels_of(arena, program, box);
  uint32_t *of_step = ARENA_NEW(arena, uint32_t, step_count),
           *of_constraint = ARENA_NEW(arena, uint32_t, constraint_count);
  uint64_t *runtimes = ARENA_NEW(arena, uint64_t, step_count);
  for (uint32_t i = 0; i < step_count; i++) {
    of_step[i] = levels[program->steps[i].slot];
    runtimes[i] = program->steps[i].runtimes;
  }
  for (uint32_t i = 0; i < constraint_count; i++)
    of_constraint[i] = levels[program->constraints[i]];
  *points = (Points){.program = program,
      .box = box,
      .steps = ARENA_NEW(arena, uint32_t, step_count),
      .constraints = ARENA_NEW(arena, uint32_t, constraint_count),
      .first_step = ARENA_NEW(arena, uint32_t, level_count + 1),
      .first_constraint = ARENA_NEW(arena, uint32_t, level_count + 1)};
  sort_levels(level_count, step_count, of_step, runtimes, points->first_step, points->steps);
  sort_levels(level_count, constraint_count, of_constraint, program->constraint_runtimes,
      points->first_constraint, points->constraints);
}

/* Computes a level; false if one of its constraints fails. */
static bool points_holds(const Points *points, uint32_t level, int64_t *slots) {
  const Program *program = points->program;
  for (uint32_t i = points->first_step[level]; i < points->first_step[level + 1]; i++) {
    const ProgramStep *step = &program->steps[points->steps[i]];
    slots[step->slot] = step_value(step, slots[step->left], slots[step->right]);
  }
  for (uint32_t i = points->first_constraint[level]; i < points->first_constraint[level + 1]; i++) {
    uint32_t constraint = points->constraints[i];
    Interval in = program->map->constraints[constraint].in;
    int64_t value = slots[program->constraints[constraint]];
    if (value < in.lo || value > in.hi) return false;
  }
  return true;
}

/* Advances variables 0 .. level - 1, the last one fastest, and resets all later variables. Returns
 * the level from which on everything changes; 0 if there is no next point. */
static uint32_t count_up(const Box *box, uint32_t level, int64_t *slots) {
  while (level > 0 && slots[level - 1] == box->of[level - 1].hi) level--;
  if (level == 0) return 0;
  slots[level - 1]++;
  for (uint32_t i = level; i < box->count; i++) slots[i] = box->of[i].lo;
  assert(slots[level - 1] <= box->of[level - 1].hi);
  return level;
}

/* Finds the first point from here on at which all constraints hold; those below `level` hold
 * already. */
static bool find_point(const Points *points, uint32_t level, int64_t *slots) {
  while (level <= points->box->count) {
    if (points_holds(points, level, slots)) {
      level++;
      continue;
    }
    level = count_up(points->box, level, slots);
    if (level == 0) return false;
  }
  return true;
}

bool points_first(const Points *points, int64_t *slots) {
  if (points->box->points == 0) return false;
  for (uint32_t i = 0; i < points->box->count; i++) slots[i] = points->box->of[i].lo;
  return find_point(points, 0, slots);
}

bool points_next(const Points *points, int64_t *slots) {
  uint32_t level = count_up(points->box, points->box->count, slots);
  return level > 0 && find_point(points, level, slots);
}
