/* Each integral term that is not arithmetic and that an offset depends on is a variable. The clamp
 * of a pick has the offset's values inside it as breakpoints. Breakpoints are moved backwards
 * through the arithmetic (breakpoints.h), down to the variables. A variable takes its breakpoints,
 * their neighbours, and the ends of its type: at least one value of each kind. Terms other than
 * offsets remain terms: values decide only what is picked. */
#include "oracle/values/cases.h"

#include <string.h>

#include "core/base/stack.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/values/breakpoints.h"

static constexpr uint64_t most_cases = 1 << 13;
static constexpr int64_t most_range = 1 << 12;
static constexpr uint32_t most_collected = 1 << 14;

typedef struct CasesVariable {
  Term term;
  IntervalSet breaks;
  uint32_t value_count;
  int64_t *values;
} CasesVariable;

typedef struct CaseList {
  Arena *arena;
  Terms *terms;
  uint32_t count;
  CasesVariable variables[cases_most_variables];
  int64_t chosen[cases_most_variables];
  uint32_t collected;
  bool is_incomplete;
  uint8_t *seen;
  uint32_t capacity;
  uint64_t work, most_work;
  Term *rebuilt; /* [capacity]: of the current case */
  Term *offsets; /* [capacity]: the same, for offsets */
} CaseList;

/* Returns a constant as its type defines it: an unsigned 64-bit value is not negative. */
static bool is_constant(const CaseList *cases, Term term, Wide *value) {
  int64_t held;
  if (!terms_is_constant(cases->terms, term, &held)) return false;
  *value = integer_wrap(term_data(cases->terms, term)->type, held);
  return true;
}

/* An interval that contains every value of the term. */
static void interval_of(const CaseList *cases, Term term, uint32_t depth, Wide *lo, Wide *hi) {
  const TermData *data = term_data(cases->terms, term);
  const Term *children = term_children(cases->terms, term);
  Opcode opcode;
  Wide a, b, c, d;
  *lo = integer_lowest(data->type);
  *hi = integer_highest(data->type);
  if (is_constant(cases, term, lo)) *hi = *lo;
  if (depth == 0 || !term_operation(cases->terms, term, &opcode)) return;
  if (opcode == HLO_CLAMP) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[2], depth - 1, &c, &d);
    *lo = wide_min(a, c), *hi = d; /* the upper end may lie below the lower one, and then wins */
  } else if (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[1], depth - 1, &c, &d);
    bool is_maximum = opcode == HLO_MAXIMUM;
    *lo = is_maximum ? wide_max(a, c) : wide_min(a, c);
    *hi = is_maximum ? wide_max(b, d) : wide_min(b, d);
  } else if (opcode == HLO_CONVERT && data->type != TYPE_pred &&
             element_type_is_integral(term_data(cases->terms, children[0])->type)) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    if (a >= *lo && b <= *hi) *lo = a, *hi = b;
  } else if (opcode == HLO_ADD && data->type != TYPE_pred) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[1], depth - 1, &c, &d);
    if (a + c >= *lo && b + d <= *hi) *lo = a + c, *hi = b + d;
  }
}

static bool is_bounded(const CaseList *cases, Term term, Wide *lo, Wide *hi) {
  interval_of(cases, term, 8, lo, hi);
  return *hi - *lo <= most_range;
}

static void add_variable(CaseList *cases, Term term, const IntervalSet *breaks) {
  uint32_t i = 0;
  while (i < cases->count && cases->variables[i].term != term) i++;
  if (i == cases_most_variables) {
    cases->is_incomplete = true;
    return;
  }
  CasesVariable *variable = &cases->variables[i];
  if (i == cases->count) {
    *variable = (CasesVariable){.term = term};
    cases->count++;
  }
  for (uint32_t k = 0; k < breaks->count; k++)
    breakpoints_add(&variable->breaks, breaks->lo[k], breaks->hi[k]);
  if (breaks->is_full || variable->breaks.is_full) cases->is_incomplete = true;
}

static void cases_query(CaseList *cases, Term term, const IntervalSet *breaks);

static void collect_interval(CaseList *cases, Term term, Wide lo, Wide hi) {
  IntervalSet breaks = {};
  breakpoints_add(&breaks, lo, hi);
  cases_query(cases, term, &breaks);
}

static bool collect_all_bounded(CaseList *cases, uint32_t count, const Term *children) {
  Wide lo, hi;
  for (uint32_t i = 0; i < count; i++)
    if (!is_bounded(cases, children[i], &lo, &hi)) return false;
  for (uint32_t i = 0; i < count; i++) {
    (void)is_bounded(cases, children[i], &lo, &hi);
    collect_interval(cases, children[i], lo, hi);
  }
  return true;
}

/* The number of the operand that is a constant; 2: neither. */
static uint32_t constant_operand(const CaseList *cases, const Term *children, Wide *value) {
  for (uint32_t i = 0; i < 2; i++)
    if (is_constant(cases, children[i], value)) return i;
  return 2;
}

/* Collects the breakpoints of x, given those of an operation of x and a constant. */
static bool collect_beside_constant(CaseList *cases, Opcode opcode, ElementType type, Term operand,
    uint32_t at, Wide constant, const IntervalSet *breaks) {
  IntervalSet moved;
  if (opcode == HLO_ADD) moved = breakpoints_shifted(breaks, type, constant);
  else if (opcode == HLO_SUBTRACT && at == 1) moved = breakpoints_shifted(breaks, type, -constant);
  else if (opcode == HLO_MAXIMUM)
    moved = breakpoints_within(breaks, constant, integer_highest(type));
  else if (opcode == HLO_MINIMUM)
    moved = breakpoints_within(breaks, integer_lowest(type), constant);
  else return false;
  cases_query(cases, operand, &moved);
  return true;
}

/* Asks for the values of the operation's operands; false: the term itself is a variable. */
static bool collect_operation(CaseList *cases, Opcode opcode, const TermData *data,
    const Term *children, const IntervalSet *breaks) {
  Wide constant, a, b;
  IntervalSet moved;
  uint32_t at = data->count == 2 ? constant_operand(cases, children, &constant) : 2;
  if (opcode == HLO_COMPARE && at < 2) {
    collect_interval(cases, children[1 - at], constant, constant);
    return true;
  }
  if (opcode == HLO_CONVERT &&
      breakpoints_converted(
          breaks, term_data(cases->terms, children[0])->type, data->type, &moved)) {
    cases_query(cases, children[0], &moved);
    return true;
  }
  if (at < 2 && data->type != TYPE_pred &&
      collect_beside_constant(cases, opcode, data->type, children[1 - at], at, constant, breaks))
    return true;
  if (opcode == HLO_CLAMP && is_constant(cases, children[0], &a) &&
      is_constant(cases, children[2], &b)) {
    moved = breakpoints_within(breaks, a, b);
    cases_query(cases, children[1], &moved);
    return true;
  }
  return collect_all_bounded(cases, data->count, children);
}

static bool has_integral_operands(const CaseList *cases, const TermData *data, Term term) {
  for (uint32_t i = 0; i < data->count; i++)
    if (!element_type_is_integral(
            term_data(cases->terms, term_children(cases->terms, term)[i])->type))
      return false;
  return true;
}

static void cases_query(CaseList *cases, Term term, const IntervalSet *breaks) {
  const TermData *data = term_data(cases->terms, term);
  const Term *children = term_children(cases->terms, term);
  Opcode opcode;
  if (data->kind == TERM_CONSTANT || cases->is_incomplete) return;
  if (!element_type_is_integral(data->type) || cases->collected++ > most_collected ||
      stack_is_low()) {
    cases->is_incomplete = true;
    return;
  }
  if (data->kind == TERM_PICK) {
    collect_interval(cases, children[0], 0, (Wide)data->count - 2);
    for (uint32_t i = 1; i < data->count; i++) cases_query(cases, children[i], breaks);
    return;
  }
  if (!term_operation(cases->terms, term, &opcode) || !has_integral_operands(cases, data, term) ||
      !collect_operation(cases, opcode, data, children, breaks))
    add_variable(cases, term, breaks);
}

typedef struct CasesPending {
  uint32_t count, capacity;
  Term *items;
} CasesPending;

/* Terms are visited before their children, and these in their order, each term once. */
static void cases_collect(CaseList *cases, Term whole) {
  CasesPending pending = {};
  *ARENA_PUSH(cases->arena, &pending) = whole;
  while (pending.count > 0 && !cases->is_incomplete) {
    const Term term = pending.items[--pending.count];
    if (term >= cases->capacity || cases->seen[term]) continue;
    cases->seen[term] = 1;
    const TermData data = *term_data(cases->terms, term);
    const bool is_pick = data.kind == TERM_PICK;
    if (is_pick)
      collect_interval(cases, term_children(cases->terms, term)[0], 0, (Wide)data.count - 2);
    for (uint32_t i = data.count; i > is_pick; i--)
      *ARENA_PUSH(cases->arena, &pending) = term_children(cases->terms, term)[i - 1];
  }
}

static void push_value(CasesVariable *variable, ElementType type, Wide value) {
  if (value < integer_lowest(type) || value > integer_highest(type)) return;
  int64_t held = (int64_t)(uint64_t)value;
  for (uint32_t i = 0; i < variable->value_count; i++)
    if (variable->values[i] == held) return;
  variable->values[variable->value_count++] = held;
}

/* The largest number of values of a variable; more than most_range if there are too many. */
static Wide count_values(const CasesVariable *variable) {
  Wide count = 2;
  for (uint32_t i = 0; i < variable->breaks.count && count <= most_range; i++)
    count += variable->breaks.hi[i] - variable->breaks.lo[i] + 3;
  return count;
}

static bool list_values(CaseList *cases) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < cases->count; i++) {
    CasesVariable *variable = &cases->variables[i];
    const IntervalSet *breaks = &variable->breaks;
    ElementType type = term_data(cases->terms, variable->term)->type;
    Wide most = count_values(variable);
    if (most > most_range) return false;
    variable->values = ARENA_NEW(cases->arena, int64_t, (size_t)most);
    for (uint32_t k = 0; k < breaks->count; k++)
      for (Wide value = breaks->lo[k] - 1; value <= breaks->hi[k] + 1; value++)
        push_value(variable, type, value);
    push_value(variable, type, integer_lowest(type));
    push_value(variable, type, integer_highest(type));
    product *= variable->value_count;
    if (product > most_cases) return false;
  }
  return true;
}

static Term cases_rebuild(CaseList *cases, Term term, bool is_offset);

static Term rebuild_new(CaseList *cases, Term term, bool is_offset) {
  TermData data = *term_data(cases->terms, term);
  if (data.kind == TERM_PICK) {
    Term offset = cases_rebuild(cases, term_children(cases->terms, term)[0], true);
    int64_t position;
    if (terms_is_known_offset(cases->terms, offset, (int64_t)data.count - 1, &position))
      return cases_rebuild(cases, term_children(cases->terms, term)[1 + position], is_offset);
  }
  Term *children = ARENA_NEW(cases->arena, Term, data.count);
  for (uint32_t i = 0; i < data.count; i++)
    children[i] = cases_rebuild(cases, term_children(cases->terms, term)[i], is_offset);
  return term_rebuild(cases->terms, &data, children);
}

static Term cases_rebuild(CaseList *cases, Term term, bool is_offset) {
  Term *kept = is_offset ? cases->offsets : cases->rebuilt;
  if (term >= cases->capacity) return term;
  if (kept[term] != no_term) return kept[term];
  cases->is_incomplete = cases->is_incomplete || stack_is_low();
  if (cases->is_incomplete) return term;
  for (uint32_t i = 0; is_offset && i < cases->count; i++)
    if (cases->variables[i].term == term)
      return term_constant(cases->terms, term_data(cases->terms, term)->type, cases->chosen[i]);
  const TermData *data = term_data(cases->terms, term);
  cases->work += 1 + data->count;
  Term made = data->count == 0 ? term : rebuild_new(cases, term, is_offset);
  kept[term] = made;
  return made;
}

static bool next_case(CaseList *cases, uint32_t *at) {
  for (uint32_t i = 0; i < cases->count; i++) {
    if (++at[i] < cases->variables[i].value_count) return true;
    at[i] = 0;
  }
  return false;
}

static void note_difference(const CaseList *cases, uint32_t pair, CasesDifference *difference) {
  *difference = (CasesDifference){.count = cases->count, .pair = pair};
  for (uint32_t i = 0; i < cases->count; i++) {
    difference->variables[i] = cases->variables[i].term;
    difference->values[i] = cases->chosen[i];
  }
}

CasesResult cases_compare(Arena *arena, Terms *terms, uint32_t count, const Term *before,
    const Term *after, uint64_t most_work, CasesDifference *difference) {
  uint32_t capacity = terms_count(terms), at[cases_most_variables] = {};
  CaseList *cases = ARENA_NEW(arena, CaseList, 1);
  *cases = (CaseList){.arena = arena, .terms = terms, .capacity = capacity, .most_work = most_work};
  cases->seen = ARENA_NEW(arena, uint8_t, capacity);
  cases->rebuilt = ARENA_NEW(arena, Term, capacity);
  cases->offsets = ARENA_NEW(arena, Term, capacity);
  for (uint32_t i = 0; i < count; i++) {
    cases_collect(cases, before[i]);
    cases_collect(cases, after[i]);
  }
  if (cases->is_incomplete || cases->count == 0 || !list_values(cases)) return CASES_UNKNOWN;
  do {
    for (uint32_t i = 0; i < cases->count; i++)
      cases->chosen[i] = cases->variables[i].values[at[i]];
    memset(cases->rebuilt, 0xff, capacity * sizeof(Term));
    memset(cases->offsets, 0xff, capacity * sizeof(Term));
    for (uint32_t i = 0; i < count; i++) {
      bool is_same =
          cases_rebuild(cases, before[i], false) == cases_rebuild(cases, after[i], false);
      if (cases->is_incomplete) return CASES_UNKNOWN;
      if (is_same) continue;
      note_difference(cases, i, difference);
      return CASES_DIFFER;
    }
    cases->work += capacity / 8;
    if (cases->work > most_work) return CASES_UNKNOWN;
  } while (next_case(cases, at));
  return CASES_SAME;
}
