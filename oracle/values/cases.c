/* Each integral term that is not arithmetic and that an offset is computed from is a variable. The
 * clamp of a pick asks for a range of its offset; the range is moved backwards through the
 * arithmetic, so that values outside of a variable's range do the same as its ends. A variable
 * takes the values of its range, one more on either side, the ends of its type, and those next to
 * where a sum wraps around. What is no offset stays a term: values decide only what is picked. */
#include "oracle/values/cases.h"

#include <string.h>

#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t most_variables = 8;
static constexpr uint64_t most_cases = 1 << 13;
static constexpr int64_t most_range = 1 << 12;

typedef struct CasesVariable {
  Term term;
  int64_t lo, hi;
  uint32_t extra_count;
  int64_t extras[16];
  uint32_t value_count;
  int64_t *values;
} CasesVariable;

typedef struct CaseList {
  Arena *arena;
  Terms *terms;
  uint32_t count;
  CasesVariable variables[most_variables];
  int64_t chosen[most_variables];
  bool is_incomplete;
  uint8_t *seen;
  uint32_t capacity;
  uint64_t work, most_work;
  Term *rebuilt; /* [room] of the current case */
  Term *offsets; /* [room] the same, for offsets */
} CaseList;

static bool is_op(const CaseList *cases, const TermData *data, Opcode *opcode) {
  if (data->kind != TERM_APPLY) return false;
  const Signature *of = signature_at(cases->terms, data->signature);
  if (of->is_opaque || of->instruction == nullptr) return false;
  *opcode = of->instruction->opcode;
  return true;
}

static int64_t wide_cut(Wide value) {
  return value < INT64_MIN ? INT64_MIN : value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* An interval that holds every value of the term. */
static void interval_of(
    const CaseList *cases, Term term, uint32_t depth, int64_t *lo, int64_t *hi) {
  const TermData *data = term_data(cases->terms, term);
  const Term *children = term_children(cases->terms, term);
  Opcode opcode;
  int64_t a, b, c, d;
  *lo = wide_cut(integer_lowest(data->type));
  *hi = wide_cut(integer_highest(data->type));
  if (data->kind == TERM_CONSTANT) *lo = *hi = (int64_t)data->payload;
  if (depth == 0 || !is_op(cases, data, &opcode)) return;
  if (opcode == HLO_CLAMP) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[2], depth - 1, &c, &d);
    if (a <= d) *lo = a, *hi = d;
  } else if (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[1], depth - 1, &c, &d);
    bool is_maximum = opcode == HLO_MAXIMUM;
    *lo = is_maximum ? (a > c ? a : c) : (a < c ? a : c);
    *hi = is_maximum ? (b > d ? b : d) : (b < d ? b : d);
  } else if (opcode == HLO_CONVERT &&
             element_type_is_integral(term_data(cases->terms, children[0])->type)) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    if (a >= *lo && b <= *hi) *lo = a, *hi = b;
  } else if (opcode == HLO_ADD && data->type != TYPE_pred) {
    interval_of(cases, children[0], depth - 1, &a, &b);
    interval_of(cases, children[1], depth - 1, &c, &d);
    if ((Wide)a + c >= *lo && (Wide)b + d <= *hi) *lo = a + c, *hi = b + d;
  }
}

static bool is_bounded(const CaseList *cases, Term term, int64_t *lo, int64_t *hi) {
  interval_of(cases, term, 8, lo, hi);
  return (Wide)*hi - *lo <= most_range;
}

static void add_variable(CaseList *cases, Term term, int64_t lo, int64_t hi, int64_t extra) {
  uint32_t i = 0;
  while (i < cases->count && cases->variables[i].term != term) i++;
  if (i == most_variables) {
    cases->is_incomplete = true;
    return;
  }
  CasesVariable *variable = &cases->variables[i];
  if (i == cases->count) {
    *variable = (CasesVariable){.term = term, .lo = lo, .hi = hi};
    cases->count++;
  }
  if (lo < variable->lo) variable->lo = lo;
  if (hi > variable->hi) variable->hi = hi;
  if (extra == 0) return;
  if (variable->extra_count == 16) cases->is_incomplete = true;
  else variable->extras[variable->extra_count++] = extra;
}

static void cases_ask(CaseList *cases, Term term, Wide lo, Wide hi, int64_t extra);

static bool ask_all_bounded(CaseList *cases, uint32_t count, const Term *children) {
  int64_t lo, hi;
  for (uint32_t i = 0; i < count; i++)
    if (!is_bounded(cases, children[i], &lo, &hi)) return false;
  for (uint32_t i = 0; i < count; i++) {
    (void)is_bounded(cases, children[i], &lo, &hi);
    cases_ask(cases, children[i], lo, hi, 0);
  }
  return true;
}

/* A comparison with a constant asks for the values around it. */
static bool ask_compared(CaseList *cases, const Term *children) {
  for (uint32_t i = 0; i < 2; i++) {
    int64_t value;
    if (terms_is_constant(cases->terms, children[i], &value)) {
      cases_ask(cases, children[1 - i], (Wide)value - 1, (Wide)value + 1, 0);
      return true;
    }
  }
  return ask_all_bounded(cases, 2, children);
}

/* Which operand of two is a constant; 2: neither. */
static uint32_t constant_operand(const CaseList *cases, const Term *children, int64_t *value) {
  for (uint32_t i = 0; i < 2; i++)
    if (terms_is_constant(cases->terms, children[i], value)) return i;
  return 2;
}

/* Asks for what the operation is computed from; false: the term itself is a variable. */
static bool ask_operation(CaseList *cases, Opcode opcode, const TermData *data,
    const Term *children, Wide lo, Wide hi, int64_t extra) {
  int64_t constant, a, b;
  bool wraps = data->type != TYPE_pred;
  ElementType first = term_data(cases->terms, children[0])->type;
  if (opcode == HLO_COMPARE) return ask_compared(cases, children);
  if (opcode == HLO_CONVERT && wraps && element_type_is_signed(data->type) &&
      element_type_bits(data->type) >= element_type_bits(first)) {
    cases_ask(cases, children[0], lo, hi, extra);
    return true;
  }
  uint32_t at = data->count == 2 ? constant_operand(cases, children, &constant) : 2;
  if (at < 2 && wraps && opcode == HLO_ADD) {
    cases_ask(cases, children[1 - at], lo - constant, hi - constant, constant);
    return true;
  }
  if (at == 1 && wraps && opcode == HLO_SUBTRACT && constant != INT64_MIN) {
    cases_ask(cases, children[0], lo + constant, hi + constant, -constant);
    return true;
  }
  if (at < 2 && (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM)) {
    bool is_maximum = opcode == HLO_MAXIMUM;
    cases_ask(cases, children[1 - at], is_maximum ? wide_max(lo, constant) : lo,
        is_maximum ? hi : wide_min(hi, constant), extra);
    return true;
  }
  if (opcode == HLO_CLAMP && terms_is_constant(cases->terms, children[0], &a) &&
      terms_is_constant(cases->terms, children[2], &b)) {
    cases_ask(cases, children[1], wide_max(lo, a), wide_min(hi, b), extra);
    return true;
  }
  return ask_all_bounded(cases, data->count, children);
}

static bool has_integral_operands(const CaseList *cases, const TermData *data, Term term) {
  for (uint32_t i = 0; i < data->count; i++)
    if (!element_type_is_integral(
            term_data(cases->terms, term_children(cases->terms, term)[i])->type))
      return false;
  return true;
}

/* The offset's values in lo .. hi make a difference, those outside do what the ends do. */
static void cases_ask(CaseList *cases, Term term, Wide lo, Wide hi, int64_t extra) {
  const TermData *data = term_data(cases->terms, term);
  const Term *children = term_children(cases->terms, term);
  Opcode opcode;
  if (data->kind == TERM_CONSTANT || cases->is_incomplete) return;
  if (!element_type_is_integral(data->type)) {
    cases->is_incomplete = true;
    return;
  }
  if (data->kind == TERM_PICK) {
    cases_ask(cases, children[0], 0, (Wide)data->count - 2, 0);
    for (uint32_t i = 1; i < data->count; i++) cases_ask(cases, children[i], lo, hi, extra);
    return;
  }
  if (is_op(cases, data, &opcode) && has_integral_operands(cases, data, term) &&
      ask_operation(cases, opcode, data, children, lo, hi, extra))
    return;
  lo = wide_max(lo - 1, integer_lowest(data->type));
  hi = wide_min(hi + 1, integer_highest(data->type));
  if (lo > hi) lo = hi = wide_clamp(lo, integer_lowest(data->type), integer_highest(data->type));
  if (hi - lo > most_range) cases->is_incomplete = true;
  else add_variable(cases, term, (int64_t)lo, (int64_t)hi, extra);
}

static void cases_collect(CaseList *cases, Term term) {
  if (term >= cases->capacity || cases->seen[term] || cases->is_incomplete) return;
  cases->seen[term] = 1;
  const TermData data = *term_data(cases->terms, term);
  if (data.kind == TERM_PICK)
    cases_ask(cases, term_children(cases->terms, term)[0], 0, (Wide)data.count - 2, 0);
  for (uint32_t i = data.kind == TERM_PICK; i < data.count; i++)
    cases_collect(cases, term_children(cases->terms, term)[i]);
}

static void push_value(CasesVariable *variable, ElementType type, Wide value) {
  if (value < integer_lowest(type) || value > integer_highest(type)) return;
  int64_t held = (int64_t)(uint64_t)value;
  for (uint32_t i = 0; i < variable->value_count; i++)
    if (variable->values[i] == held) return;
  variable->values[variable->value_count++] = held;
}

static bool list_values(CaseList *cases) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < cases->count; i++) {
    CasesVariable *variable = &cases->variables[i];
    ElementType type = term_data(cases->terms, variable->term)->type;
    Wide lowest = integer_lowest(type), highest = integer_highest(type);
    variable->values = ARENA_NEW(
        cases->arena, int64_t, variable->hi - variable->lo + 5 + 4 * variable->extra_count);
    for (int64_t value = variable->lo; value <= variable->hi; value++)
      push_value(variable, type, value);
    push_value(variable, type, lowest);
    push_value(variable, type, highest);
    for (uint32_t k = 0; k < variable->extra_count; k++) {
      Wide at =
          variable->extras[k] > 0 ? highest - variable->extras[k] : lowest - variable->extras[k];
      push_value(variable, type, at);
      push_value(variable, type, at + 1);
      push_value(variable, type, at - 1);
    }
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
    int64_t place;
    if (terms_is_known_offset(cases->terms, offset, (int64_t)data.count - 1, &place))
      return cases_rebuild(cases, term_children(cases->terms, term)[1 + place], is_offset);
  }
  Term *children = ARENA_NEW(cases->arena, Term, data.count);
  for (uint32_t i = 0; i < data.count; i++)
    children[i] = cases_rebuild(cases, term_children(cases->terms, term)[i], is_offset);
  if (data.kind == TERM_APPLY && !signature_at(cases->terms, data.signature)->is_opaque)
    return term_apply(cases->terms, data.signature, data.count, children);
  if (data.kind != TERM_FOLD || signature_at(cases->terms, data.signature)->is_opaque)
    return term_make(
        cases->terms, data.kind, data.type, data.signature, data.payload, data.count, children);
  const Signature *of = signature_at(cases->terms, data.signature);
  uint32_t inits = of->is_products ? 0 : term_data(cases->terms, children[data.count - 1])->count;
  return term_fold(cases->terms, data.type, data.signature, (uint32_t)data.payload, inits, children,
      data.count - inits, children + inits);
}

static Term cases_rebuild(CaseList *cases, Term term, bool is_offset) {
  Term *kept = is_offset ? cases->offsets : cases->rebuilt;
  if (term >= cases->capacity) return term;
  if (kept[term] != no_term) return kept[term];
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

Cases cases_compare(Arena *arena, Terms *terms, uint32_t count, const Term *before,
    const Term *after, uint64_t most_work) {
  uint32_t capacity = terms_count(terms), at[most_variables] = {};
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
    for (uint32_t i = 0; i < count; i++)
      if (cases_rebuild(cases, before[i], false) != cases_rebuild(cases, after[i], false))
        return CASES_DIFFER;
    cases->work += capacity / 8;
    if (cases->work > most_work) return CASES_UNKNOWN;
  } while (next_case(cases, at));
  return CASES_SAME;
}
