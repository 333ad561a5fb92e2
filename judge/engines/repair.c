/* Each function tries one kind of change at every place of the map. Changes that do not apply or
 * make no valid map are skipped. */
#include "judge/engines/repair.h"

#include <stdio.h>
#include <string.h>

#include "core/expr/visit.h"

static constexpr uint32_t most_positions = 24; /* operators or constants of a map that are tried */
static constexpr uint32_t most_trials = 400;

typedef struct RepairRun {
  const Repair *repair;
  const Map *answer; /* unchanged, or with the right domain */
  uint32_t trials, most;
} RepairRun;

/* --- one operator or constant of the results and the constraints --- */

typedef enum EditKind : uint8_t { EDIT_OPERATOR, EDIT_DROP, EDIT_CONSTANT } EditKind;

/* The `place`-th node that the edit applies to, over all results and then all constraints;
 * UINT32_MAX: every one. */
typedef struct Edit {
  ExprPool *pool;
  EditKind kind;
  ExprOp from, to;
  int64_t by;
  bool is_of_constraints; /* the results are not edited */
  uint32_t position, seen;
} Edit;

static bool is_position(Edit *edit) {
  uint32_t at = edit->seen++;
  return edit->position == UINT32_MAX || at == edit->position;
}

static bool is_divisor(const ExprPool *pool, Expr expr) {
  int64_t value;
  return expr_is_const(pool, expr, &value) && value > 0;
}

static uint32_t edit_node(void *state, Expr expr, ExprNode node, uint32_t left, uint32_t right) {
  Edit *edit = state;
  if (node.op == EXPR_VAR) return expr.at;
  if (node.op == EXPR_CONST) {
    int64_t value;
    if (edit->kind != EDIT_CONSTANT || !is_position(edit) ||
        __builtin_add_overflow(node.value, edit->by, &value))
      return expr.at;
    return expr_const(edit->pool, value).at;
  }
  const Expr a = {left}, b = {right};
  bool divides = node.op == EXPR_FLOORDIV || node.op == EXPR_CEILDIV || node.op == EXPR_MOD;
  if (divides && !is_divisor(edit->pool, b)) return expr.at;
  if (node.op != edit->from || edit->kind == EDIT_CONSTANT || !is_position(edit))
    return expr_binary(edit->pool, node.op, a, b).at;
  return edit->kind == EDIT_DROP ? a.at : expr_binary(edit->pool, edit->to, a, b).at;
}

/* Returns nullptr after the last place. */
static Map *edited(const RepairRun *run, Edit *edit) {
  Arena *arena = run->repair->context->arena;
  Map *map = map_copy(arena, run->answer);
  Memo values = memo_create(arena);
  edit->pool = run->repair->context->pool;
  edit->seen = 0;
  for (uint32_t i = 0; i < map->result_count && !edit->is_of_constraints; i++)
    map->results[i].at = expr_fold(edit->pool, &values, map->results[i], edit_node, edit);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Expr *expr = &map->constraints[i].expr;
    expr->at = expr_fold(edit->pool, &values, *expr, edit_node, edit);
  }
  bool is_past = edit->position == UINT32_MAX ? edit->seen == 0 : edit->position >= edit->seen;
  return is_past ? nullptr : map;
}

/* --- trials --- */

/* The limit of changed maps. Operators may use half of it, so that a map with many operators leaves
 * some for its domain. */
static uint32_t trials_of(const Repair *repair) {
  return repair->most_trials == 0 ? most_trials : repair->most_trials;
}

static bool is_right(RepairRun *run, const Map *changed) {
  Error error = {};
  if (run->trials >= run->most) return false;
  run->trials++;
  if (!map_check(run->repair->context, changed, &error)) return false;
  return run->repair->is_right(run->repair->state, changed);
}

static bool edit_helps(RepairRun *run, Edit edit) {
  for (uint32_t position = 0; position < most_positions; position++) {
    edit.position = position;
    const Map *map = edited(run, &edit);
    if (map == nullptr) break;
    if (is_right(run, map)) return true;
  }
  edit.position = UINT32_MAX;
  const Map *map = edited(run, &edit);
  return map != nullptr && is_right(run, map);
}

static Map *answer_copy(const RepairRun *run) {
  return map_copy(run->repair->context->arena, run->answer);
}

static bool moved_constant_helps(RepairRun *run) {
  return edit_helps(run, (Edit){.kind = EDIT_CONSTANT, .by = 1}) ||
         edit_helps(run, (Edit){.kind = EDIT_CONSTANT, .by = -1});
}

static bool moved_result_helps(RepairRun *run) {
  ExprPool *pool = run->repair->context->pool;
  for (uint32_t i = 0; i < run->answer->result_count; i++)
    for (int64_t by = -1; by <= 1; by += 2) {
      Map *map = answer_copy(run);
      if (expr_node(pool, map->results[i])->depth >= expr_deepest(pool)) continue;
      map->results[i] = expr_binary(pool, EXPR_ADD, map->results[i], expr_const(pool, by));
      if (is_right(run, map)) return true;
    }
  return false;
}

static bool swapped_results_help(RepairRun *run) {
  for (uint32_t i = 0; i < run->answer->result_count; i++)
    for (uint32_t k = i + 1; k < run->answer->result_count; k++) {
      Map *map = answer_copy(run);
      map->results[i] = run->answer->results[k];
      map->results[k] = run->answer->results[i];
      if (is_right(run, map)) return true;
    }
  return false;
}

static bool swapped_dimensions_help(RepairRun *run) {
  MapContext *context = run->repair->context;
  const uint32_t rank = run->answer->dim_count;
  Expr *dims = ARENA_NEW(context->arena, Expr, rank);
  Error error = {};
  for (uint32_t i = 0; i < rank; i++)
    for (uint32_t k = i + 1; k < rank; k++) {
      for (uint32_t d = 0; d < rank; d++)
        dims[d] = expr_var(context->pool, VAR_DIM, d == i ? k : d == k ? i : d);
      Map *map = answer_copy(run);
      if (expr_substitute(context->pool, context->arena, &(Substitution){.dims = dims},
              map->result_count, run->answer->results, map->results, &error) &&
          is_right(run, map))
        return true;
    }
  return false;
}

/* True if there is a right map with the same variables to take parts from. */
static bool has_wanted(const RepairRun *run) {
  const Map *wanted = run->repair->wanted;
  return wanted != nullptr && wanted->state == MAP_PLAIN && map_same_kinds(wanted, run->answer) &&
         wanted->result_count == run->answer->result_count;
}

static bool one_result_helps(RepairRun *run) {
  for (uint32_t i = 0; has_wanted(run) && i < run->answer->result_count; i++) {
    Map *map = answer_copy(run);
    map->results[i] = run->repair->wanted->results[i];
    if (is_right(run, map)) return true;
  }
  return false;
}

static bool all_results_help(RepairRun *run) {
  if (!has_wanted(run)) return false;
  Map *map = answer_copy(run);
  for (uint32_t i = 0; i < map->result_count; i++)
    map->results[i] = run->repair->wanted->results[i];
  return is_right(run, map);
}

/* --- the domain --- */

static bool dropped_constraint_helps(RepairRun *run) {
  for (uint32_t i = 0; i < run->answer->constraint_count; i++) {
    Map *map = answer_copy(run);
    map->constraints[i] = map->constraints[--map->constraint_count];
    if (is_right(run, map)) return true;
  }
  return false;
}

static bool added_constraint_helps(RepairRun *run) {
  for (uint32_t i = 0; has_wanted(run) && i < run->repair->wanted->constraint_count; i++) {
    Map *map = answer_copy(run);
    map_add_constraint(run->repair->context->arena, map, run->repair->wanted->constraints[i]);
    if (is_right(run, map)) return true;
  }
  return false;
}

/* Moves one end of an interval by one: lower or upper, outwards or inwards. */
static bool move_end(Interval *interval, uint32_t which) {
  int64_t *end = which < 2 ? &interval->lo : &interval->hi;
  return !__builtin_add_overflow(*end, which % 2 == 0 ? -1 : 1, end);
}

static bool moved_bound_helps(RepairRun *run) {
  for (uint32_t i = 0; i < map_variable_count(run->answer); i++)
    for (uint32_t which = 0; which < 4; which++) {
      Map *map = answer_copy(run);
      if (move_end(&map_variable(map, i)->bounds, which) && is_right(run, map)) return true;
    }
  return false;
}

static bool moved_interval_helps(RepairRun *run) {
  for (uint32_t i = 0; i < run->answer->constraint_count; i++)
    for (uint32_t which = 0; which < 4; which++) {
      Map *map = answer_copy(run);
      if (move_end(&map->constraints[i].in, which) && is_right(run, map)) return true;
    }
  return false;
}

static Map *with_wanted_bounds(const RepairRun *run) {
  Map *map = answer_copy(run);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    map_variable(map, i)->bounds = map_variable(run->repair->wanted, i)->bounds;
  return map;
}

static bool all_bounds_help(RepairRun *run) {
  return has_wanted(run) && is_right(run, with_wanted_bounds(run));
}

static Map *with_wanted_domain(const RepairRun *run) {
  const Map *wanted = run->repair->wanted;
  Map *map = with_wanted_bounds(run);
  map->constraint_count = 0;
  for (uint32_t i = 0; i < wanted->constraint_count; i++)
    map_add_constraint(run->repair->context->arena, map, wanted->constraints[i]);
  return map;
}

static bool domain_helps(RepairRun *run) {
  return has_wanted(run) && is_right(run, with_wanted_domain(run));
}

/* --- the order --- */

typedef struct RepairRow {
  const char *name;
  bool (*helps)(RepairRun *run);
} RepairRow;

static const RepairRow domain_rows[] = {{"drop-constraint", dropped_constraint_helps},
    {"bound-by-one", moved_bound_helps}, {"interval-by-one", moved_interval_helps},
    {"add-constraint", added_constraint_helps}, {"bounds", all_bounds_help},
    {"domain", domain_helps}};
static const RepairRow result_rows[] = {{"constant-by-one", moved_constant_helps},
    {"swap-results", swapped_results_help}, {"swap-dimensions", swapped_dimensions_help},
    {"result", one_result_helps}, {"results", all_results_help}};

static const char *helping_row(RepairRun *run, size_t count, const RepairRow rows[]) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].helps(run)) return rows[i].name;
  return nullptr;
}

/* "mod-for-floordiv": replacing floordiv by mod makes the answer right. */
static bool operator_helps(RepairRun *run, bool is_of_constraints, size_t capacity, char name[]) {
  static const ExprOp pairs[][2] = {{EXPR_FLOORDIV, EXPR_MOD}, {EXPR_MOD, EXPR_FLOORDIV},
      {EXPR_CEILDIV, EXPR_FLOORDIV}, {EXPR_FLOORDIV, EXPR_CEILDIV}, {EXPR_CEILDIV, EXPR_MOD},
      {EXPR_MOD, EXPR_CEILDIV}, {EXPR_MIN, EXPR_MAX}, {EXPR_MAX, EXPR_MIN}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const Edit edit = {
        .from = pairs[i][0], .to = pairs[i][1], .is_of_constraints = is_of_constraints};
    if (!edit_helps(run, edit)) continue;
    snprintf(name, capacity, "%s-for-%s", expr_op_text(pairs[i][1]), expr_op_text(pairs[i][0]));
    return true;
  }
  static const ExprOp droppable[] = {EXPR_MOD, EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MIN, EXPR_MAX};
  for (size_t i = 0; i < sizeof droppable / sizeof *droppable; i++) {
    const Edit edit = {
        .kind = EDIT_DROP, .from = droppable[i], .is_of_constraints = is_of_constraints};
    if (!edit_helps(run, edit)) continue;
    snprintf(name, capacity, "drop-%s", expr_op_text(droppable[i]));
    return true;
  }
  return false;
}

/* Tries operators first. In a small map with a wrong operator, a number moved by one often makes
 * the answer right as well; another operator seldom repairs a wrong number. */
static bool results_repair(RepairRun *run, size_t capacity, char name[]) {
  if (operator_helps(run, false, capacity, name)) return true;
  if (moved_result_helps(run)) {
    snprintf(name, capacity, "result-by-one");
    return true;
  }
  const char *row = helping_row(run, sizeof result_rows / sizeof *result_rows, result_rows);
  if (row != nullptr) snprintf(name, capacity, "%s", row);
  return row != nullptr;
}

bool repair_is_of_domain(const char *name) {
  for (size_t i = 0; i < sizeof domain_rows / sizeof *domain_rows; i++)
    if (strcmp(name, domain_rows[i].name) == 0) return true;
  return strcmp(name, "empty") == 0;
}

void repair_name(const Repair *repair, char name[repair_capacity]) {
  RepairRun run = {.repair = repair, .answer = repair->answer, .most = trials_of(repair) / 2};
  snprintf(name, repair_capacity, "no-repair");
  if (repair->answer->state != MAP_PLAIN) {
    snprintf(name, repair_capacity, "empty");
    return;
  }
  bool is_of_domain = !repair->is_two_sided && moved_bound_helps(&run);
  if (is_of_domain) snprintf(name, repair_capacity, "bound-by-one");
  if (is_of_domain || operator_helps(&run, !repair->is_two_sided, repair_capacity, name)) return;
  run.most = trials_of(repair);
  const char *row = helping_row(&run, sizeof domain_rows / sizeof *domain_rows, domain_rows);
  if (row != nullptr) snprintf(name, repair_capacity, "%s", row);
  if (row != nullptr || results_repair(&run, repair_capacity, name) || !has_wanted(&run)) return;
  static constexpr char both[] = "domain+";
  run.answer = with_wanted_domain(&run);
  run.trials = 0;
  if (results_repair(&run, repair_capacity - sizeof both, name + sizeof both - 1))
    memcpy(name, both, sizeof both - 1);
  else snprintf(name, repair_capacity, "no-repair");
}
