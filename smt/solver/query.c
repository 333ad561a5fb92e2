/* Translates sums to Z3 terms, and models back to values. The definition of a quotient is created
 * at its first use and is part of every later check. A quotient exists for every value of its
 * dividend, so definitions alone never make a check unsatisfiable. */
#include "smt/solver/query.h"

#include <assert.h>
#include <string.h>

#include "core/base/budget.h"
#include "smt/terms/polynomial.h"

/* The simple solver is tried first, because it answers most queries in a quarter of the time of the
 * solver for linear arithmetic. */
static constexpr uint64_t first_rlimit = 2'000'000;

Query query_open(Arena *arena, const Sums *sums, uint64_t rlimit, uint32_t seed) {
  uint64_t first = rlimit == 0 || rlimit > first_rlimit ? first_rlimit : rlimit;
  return (Query){.session = z3_open(nullptr, first, seed),
      .rlimit = rlimit,
      .seed = seed,
      .sums = sums,
      .reason = "",
      .arena = arena};
}

static void forget_model(Query *query) {
  if (query->model != nullptr) Z3_model_dec_ref(query->session.z3, query->model);
  query->model = nullptr;
}

void query_close(Query *query) {
  forget_model(query);
  z3_close(&query->session);
}

static Z3_ast query_numeral(Query *query, Wide value) {
  static constexpr Wide large = (Wide)1 << 32;
  if (value > large || value < -large) query->has_large = true;
  if (INT64_MIN <= value && value <= INT64_MAX) return z3_integer(&query->session, (int64_t)value);
  Text digits = text_create(query->arena);
  wide_print(&digits, value);
  return Z3_mk_numeral(query->session.z3, digits.bytes, query->session.integers);
}

static void define(Query *query, Z3_ast fact) {
  struct {
    Z3_ast *items;
    uint32_t count, capacity;
  } list = {query->definitions, query->definition_count, query->definition_capacity};
  *ARENA_PUSH(query->arena, &list) = fact;
  query->definitions = list.items;
  query->definition_count = list.count;
  query->definition_capacity = list.capacity;
}

static void query_remember(
    Query *query, uint32_t atom, uint32_t **items, uint32_t *count, uint32_t *capacity) {
  struct {
    uint32_t *items;
    uint32_t count, capacity;
  } list = {*items, *count, *capacity};
  *ARENA_PUSH(query->arena, &list) = atom;
  *items = list.items;
  *count = list.count;
  *capacity = list.capacity;
}

static Z3_ast new_constant(Query *query, uint32_t at) {
  return Z3_mk_const(
      query->session.z3, Z3_mk_int_symbol(query->session.z3, (int)at), query->session.integers);
}

static void define_bounds(Query *query, Z3_ast term, Wide lo, Wide hi) {
  define(query, Z3_mk_le(query->session.z3, query_numeral(query, lo), term));
  define(query, Z3_mk_le(query->session.z3, term, query_numeral(query, hi)));
}

/* 0 <= dividend - divisor * quotient <= divisor - 1. */
static Z3_ast define_quotient(Query *query, uint32_t at, const SumAtom *atom) {
  assert(atom->kind == ATOM_QUOTIENT && atom->divisor > 0);
  Z3_context z3 = query->session.z3;
  Z3_ast quotient = new_constant(query, at);
  Z3_ast product = Z3_mk_mul(z3, 2, (Z3_ast[]){query_numeral(query, atom->divisor), quotient});
  define_bounds(query, Z3_mk_sub(z3, 2, (Z3_ast[]){query_sum(query, atom->a), product}), 0,
      atom->divisor - 1);
  return quotient;
}

static Z3_ast define_choice(Query *query, const SumAtom *atom) {
  assert(atom->kind == ATOM_MIN || atom->kind == ATOM_MAX);
  Z3_context z3 = query->session.z3;
  Z3_ast a = query_sum(query, atom->a), b = query_sum(query, atom->b);
  return Z3_mk_ite(z3, atom->kind == ATOM_MIN ? Z3_mk_le(z3, a, b) : Z3_mk_ge(z3, a, b), a, b);
}

static Z3_ast implied(Query *query, Z3_ast first, Z3_ast second, Z3_ast then) {
  Z3_context z3 = query->session.z3;
  return Z3_mk_implies(z3, Z3_mk_and(z3, 2, (Z3_ast[]){first, second}), then);
}

/* b >= 1 implies 0 <= a - b*q <= b - 1. */
static Z3_ast define_ratio(Query *query, uint32_t at, const SumAtom *atom) {
  Z3_context z3 = query->session.z3;
  Z3_ast ratio = new_constant(query, at), divisor = query_sum(query, atom->b),
         one = query_numeral(query, 1);
  query->atoms[at] = ratio;
  Z3_ast rest =
      Z3_mk_sub(z3, 2, (Z3_ast[]){query_sum(query, atom->a), query_sum(query, atom->product)});
  Z3_ast in_range[] = {Z3_mk_ge(z3, rest, query_numeral(query, 0)), Z3_mk_lt(z3, rest, divisor)};
  define(query, Z3_mk_implies(z3, Z3_mk_ge(z3, divisor, one), Z3_mk_and(z3, 2, in_range)));
  return ratio;
}

static Z3_ast define_atom(Query *query, uint32_t at) {
  const SumAtom *atom = &query->sums->atoms[at];
  Z3_ast term = nullptr;
  switch (atom->kind) {
    case ATOM_QUOTIENT: return define_quotient(query, at, atom);
    case ATOM_MIN:
    case ATOM_MAX: return define_choice(query, atom);
    case ATOM_PRODUCT:
      query_remember(query, at, &query->products, &query->product_count, &query->product_capacity);
      term = new_constant(query, at);
      if (atom->bounded) define_bounds(query, term, atom->lo, atom->hi);
      return term;
    case ATOM_RATIO: return define_ratio(query, at, atom);
    case ATOM_VALUE:
      query_remember(query, at, &query->values, &query->value_count, &query->value_capacity);
      [[fallthrough]];
    case ATOM_FREE:
      term = new_constant(query, at);
      if (atom->bounded) define_bounds(query, term, atom->lo, atom->hi);
      return term;
  }
  unreachable();
}

static Z3_ast atom_term(Query *query, uint32_t at) {
  assert(sums_has_atom(query->sums, at));
  if (query->sums->atom_count > query->atom_capacity) {
    uint32_t capacity = 2 * query->sums->atom_count;
    query->atoms = arena_grow(
        query->arena, query->atoms, query->atom_capacity, capacity, sizeof *query->atoms);
    query->atom_capacity = capacity;
  }
  if (query->atoms[at] == nullptr) {
    Z3_ast term = define_atom(query, at);
    query->atoms[at] = term;
  }
  return query->atoms[at];
}

static Z3_ast build_sum(Query *query, Sum sum) {
  Z3_context z3 = query->session.z3;
  const SumNode *node = &query->sums->sums[sum.at];
  Z3_ast *parts = ARENA_NEW(query->arena, Z3_ast, node->term_count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->term_count; i++) {
    Z3_ast atom = atom_term(query, node->terms[i].atom);
    Wide coefficient = node->terms[i].coefficient;
    parts[count++] = coefficient == 1
                         ? atom
                         : Z3_mk_mul(z3, 2, (Z3_ast[]){query_numeral(query, coefficient), atom});
  }
  if (node->constant != 0 || count == 0) parts[count++] = query_numeral(query, node->constant);
  return count == 1 ? parts[0] : Z3_mk_add(z3, count, parts);
}

Z3_ast query_sum(Query *query, Sum sum) {
  assert(sums_has(query->sums, sum));
  if (query->sums->sum_count > query->sum_capacity) {
    uint32_t capacity = 2 * query->sums->sum_count;
    query->terms =
        arena_grow(query->arena, query->terms, query->sum_capacity, capacity, sizeof *query->terms);
    query->sum_capacity = capacity;
  }
  if (query->terms[sum.at] == nullptr) {
    Z3_ast term = build_sum(query, sum);
    query->terms[sum.at] = term;
  }
  return query->terms[sum.at];
}

Z3_ast query_within(Query *query, Within within) {
  Z3_ast term = query_sum(query, within.sum);
  if (within.lo == within.hi)
    return Z3_mk_eq(query->session.z3, term, query_numeral(query, within.lo));
  if (within.hi >= no_bound)
    return Z3_mk_le(query->session.z3, query_numeral(query, within.lo), term);
  if (within.lo <= -no_bound)
    return Z3_mk_le(query->session.z3, term, query_numeral(query, within.hi));
  Z3_ast both[] = {Z3_mk_le(query->session.z3, query_numeral(query, within.lo), term),
      Z3_mk_le(query->session.z3, term, query_numeral(query, within.hi))};
  return Z3_mk_and(query->session.z3, 2, both);
}

Z3_ast query_differ(Query *query, Sum a, Sum b) {
  return query_not(query, Z3_mk_eq(query->session.z3, query_sum(query, a), query_sum(query, b)));
}

Z3_ast query_and(Query *query, uint32_t count, const Z3_ast *facts) {
  return count == 1 ? facts[0] : Z3_mk_and(query->session.z3, count, facts);
}

Z3_ast query_or(Query *query, uint32_t count, const Z3_ast *facts) {
  return count == 1 ? facts[0] : Z3_mk_or(query->session.z3, count, facts);
}

Z3_ast query_not(Query *query, Z3_ast fact) { return Z3_mk_not(query->session.z3, fact); }

Z3_ast query_exists(Query *query, uint32_t count, const uint32_t *atoms, Z3_ast body) {
  Z3_app *bound = ARENA_NEW(query->arena, Z3_app, count);
  for (uint32_t i = 0; i < count; i++) {
    assert(sums_has_atom(query->sums, atoms[i]));
    assert(query->sums->atoms[atoms[i]].kind == ATOM_FREE && !query->sums->atoms[atoms[i]].bounded);
    bound[i] = Z3_to_app(query->session.z3, atom_term(query, atoms[i]));
  }
  query->quantified = true;
  return Z3_mk_exists_const(query->session.z3, 0, count, bound, 0, nullptr, body);
}

/* i = j implies value = value, for two elements of one instruction. */
static void assert_congruence(Query *query, Z3_solver solver, const SumAtom *a, const SumAtom *b,
    Z3_ast value_a, Z3_ast value_b) {
  Z3_context z3 = query->session.z3;
  Z3_ast *parts = ARENA_NEW(query->arena, Z3_ast, a->index_count + 1);
  for (uint32_t i = 0; i < a->index_count; i++)
    parts[i] = query_differ(query, a->index[i], b->index[i]);
  parts[a->index_count] = Z3_mk_eq(z3, value_a, value_b);
  Z3_solver_assert(z3, solver, query_or(query, a->index_count + 1, parts));
}

static void assert_values(Query *query, Z3_solver solver) {
  const SumAtom *atoms = query->sums->atoms;
  for (uint32_t i = 0; i < query->value_count && !budget_is_spent(); i++) {
    for (uint32_t j = 0; j < i; j++) {
      const SumAtom *a = &atoms[query->values[i]], *b = &atoms[query->values[j]];
      if (a->instruction != b->instruction || a->index_count != b->index_count) continue;
      assert_congruence(
          query, solver, a, b, query->atoms[query->values[i]], query->atoms[query->values[j]]);
    }
  }
}

/* Whether to stop; the reason is then in `reason`. */
static bool is_over(Query *query) {
  bool is_stopped = query->session.stop != nullptr && query->session.stop();
  query->is_interrupted = is_stopped || budget_is_spent();
  if (query->is_interrupted) query->reason = is_stopped ? "interrupted" : budget_reason();
  return query->is_interrupted;
}

static VerdictStatus answer_of(Query *query, Z3_solver solver, Z3_lbool answer) {
  Z3_context z3 = query->session.z3;
  if (answer == Z3_L_FALSE && !z3_failed(&query->session)) return VERDICT_PROVED;
  if (answer == Z3_L_TRUE && !z3_failed(&query->session)) {
    query->model = Z3_solver_get_model(z3, solver);
    Z3_model_inc_ref(z3, query->model);
    return VERDICT_REFUTED;
  }
  if (is_over(query)) return VERDICT_UNKNOWN;
  Z3_error_code code = Z3_get_error_code(z3);
  const char *reason = code != Z3_OK                ? Z3_get_error_msg(z3, code)
                       : z3_failed(&query->session) ? "a call of the solver failed"
                                                    : Z3_solver_get_reason_unknown(z3, solver);
  query->reason = strcmp(reason, "canceled") == 0
                      ? "out of budget"
                      : arena_text(query->arena, reason, strlen(reason));
  return VERDICT_UNKNOWN;
}

/* For p = c*x: c >= 1 and x >= 1 give p >= c; c >= 1 and x <= -1 give p <= -c; x = 0 gives p =
 * 0. */
static void assert_sign(Query *query, Z3_solver solver, Z3_ast p, Z3_ast c, Z3_ast x) {
  Z3_context z3 = query->session.z3;
  Z3_ast zero = query_numeral(query, 0), positive = Z3_mk_gt(z3, c, zero);
  Z3_solver_assert(z3, solver, implied(query, positive, Z3_mk_gt(z3, x, zero), Z3_mk_ge(z3, p, c)));
  Z3_solver_assert(z3, solver,
      implied(query, positive, Z3_mk_lt(z3, x, zero),
          Z3_mk_le(z3, Z3_mk_add(z3, 2, (Z3_ast[]){p, c}), zero)));
  Z3_solver_assert(z3, solver, Z3_mk_implies(z3, Z3_mk_eq(z3, x, zero), Z3_mk_eq(z3, p, zero)));
}

/* For p = c*x and q = c*y: x = y gives p = q; c >= 1 and x > y give p >= q + c; and with x and y
 * exchanged. */
static void assert_order(
    Query *query, Z3_solver solver, Z3_ast p, Z3_ast q, Z3_ast c, Z3_ast x, Z3_ast y) {
  Z3_context z3 = query->session.z3;
  Z3_ast positive = Z3_mk_gt(z3, c, query_numeral(query, 0));
  Z3_solver_assert(z3, solver, Z3_mk_implies(z3, Z3_mk_eq(z3, x, y), Z3_mk_eq(z3, p, q)));
  Z3_solver_assert(z3, solver,
      implied(query, positive, Z3_mk_gt(z3, x, y),
          Z3_mk_ge(z3, p, Z3_mk_add(z3, 2, (Z3_ast[]){q, c}))));
  Z3_solver_assert(z3, solver,
      implied(query, positive, Z3_mk_gt(z3, y, x),
          Z3_mk_ge(z3, q, Z3_mk_add(z3, 2, (Z3_ast[]){p, c}))));
}

/* Asserts the order for each factor that two products share. */
static void assert_orders(Query *query, Z3_solver solver, uint32_t p, uint32_t q) {
  const SumAtom *a = &query->sums->atoms[p], *b = &query->sums->atoms[q];
  Sum first[] = {a->a, a->b}, second[] = {b->a, b->b};
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      if (!sum_same(first[i], second[k])) continue;
      assert_order(query, solver, query->atoms[p], query->atoms[q], query_sum(query, first[i]),
          query_sum(query, first[1 - i]), query_sum(query, second[1 - k]));
    }
  }
}

/* Factors may bring further products into use, so the list is walked while it grows. */
static void assert_products(Query *query, Z3_solver solver, bool as_they_are) {
  Z3_context z3 = query->session.z3;
  for (uint32_t i = 0; i < query->product_count && !budget_is_spent(); i++) {
    uint32_t at = query->products[i];
    Z3_ast p = query->atoms[at], a = query_sum(query, query->sums->atoms[at].a),
           b = query_sum(query, query->sums->atoms[at].b);
    if (as_they_are)
      Z3_solver_assert(z3, solver, Z3_mk_eq(z3, p, Z3_mk_mul(z3, 2, (Z3_ast[]){a, b})));
    assert_sign(query, solver, p, a, b);
    assert_sign(query, solver, p, b, a);
    for (uint32_t k = 0; k < i; k++) assert_orders(query, solver, at, query->products[k]);
  }
}

static VerdictStatus query_solve(
    Query *query, Z3_solver solver, bool products, uint32_t count, const Z3_ast *facts) {
  Z3_context z3 = query->session.z3;
  for (uint32_t i = 0; i < count; i++) {
    if (is_over(query)) return VERDICT_UNKNOWN;
    Z3_solver_assert(z3, solver, facts[i]);
  }
  assert_products(query, solver, products);
  assert_values(query, solver);
  for (uint32_t i = 0; i < query->definition_count; i++)
    Z3_solver_assert(z3, solver, query->definitions[i]);
  VerdictStatus answer = answer_of(query, solver, watched_check(z3, solver, query->session.stop));
  query->rlimit_used = z3_rlimit_used(&query->session);
  return answer;
}

/* Checks with another solver and the whole budget. */
static VerdictStatus query_again(
    Query *query, const char *logic, bool products, uint32_t count, const Z3_ast *facts) {
  Z3_context z3 = query->session.z3;
  Z3_solver solver = z3_make_solver(z3, logic, query->rlimit, query->seed);
  forget_model(query);
  VerdictStatus answer = query_solve(query, solver, products, count, facts);
  Z3_solver_dec_ref(z3, solver);
  return answer;
}

VerdictStatus query_check(Query *query, uint32_t count, const Z3_ast *facts) {
  forget_model(query);
  Z3_solver_reset(query->session.z3, query->session.solver);
  VerdictStatus answer = query_solve(query, query->session.solver, false, count, facts);
  bool more = query->rlimit == 0 || query->rlimit > first_rlimit;
  if (answer == VERDICT_UNKNOWN && query->is_interrupted) return answer;
  if (answer == VERDICT_UNKNOWN && more && !z3_failed(&query->session))
    answer = query_again(query, query->quantified ? "LIA" : "QF_LIA", false, count, facts);
  bool is_last = query->product_count == 0 ||
                 (answer == VERDICT_UNKNOWN && query->is_interrupted) || z3_failed(&query->session);
  if (answer == VERDICT_PROVED || is_last) return answer;
  return query_again(query, nullptr, true, count, facts);
}

/* Checks with the definitions of products. */
static VerdictStatus query_again_within(
    Query *query, uint64_t rlimit, uint32_t count, const Z3_ast *facts) {
  forget_model(query);
  Z3_solver solver = z3_make_solver(query->session.z3, nullptr, rlimit, query->seed);
  VerdictStatus answer = query_solve(query, solver, true, count, facts);
  Z3_solver_dec_ref(query->session.z3, solver);
  return answer;
}

VerdictStatus query_check_briefly(Query *query, uint32_t count, const Z3_ast *facts) {
  static constexpr uint64_t brief_rlimit = 100'000;
  forget_model(query);
  Z3_solver solver = z3_make_solver(query->session.z3, nullptr, brief_rlimit, query->seed);
  VerdictStatus answer = query_solve(query, solver, false, count, facts);
  Z3_solver_dec_ref(query->session.z3, solver);
  if (answer != VERDICT_REFUTED || query->product_count == 0) return answer;
  return query_again_within(query, brief_rlimit, count, facts);
}

static bool read_numeral(const char *digits, Wide *value) {
  bool negative = *digits == '-';
  *value = 0;
  for (digits += negative; *digits >= '0' && *digits <= '9'; digits++) {
    if (__builtin_mul_overflow(*value, (Wide)10, value)) return false;
    if (__builtin_sub_overflow(*value, (Wide)(*digits - '0'), value)) return false;
  }
  if (*digits != 0) return false;
  if (!negative && __builtin_sub_overflow((Wide)0, *value, value)) return false;
  return true;
}

/* Z3 prints numbers by the program's std::locale, as 12.345: what fits int64 is not read from its
 * text. */
static bool query_read_value(Z3_context z3, Z3_ast number, Wide *value) {
  int64_t small;
  if (!Z3_is_numeral_ast(z3, number)) return false;
  if (!Z3_get_numeral_int64(z3, number, &small))
    return read_numeral(Z3_get_numeral_string(z3, number), value);
  *value = small;
  return true;
}

/* 0, or the value nearest to it within the bounds. */
static Wide any_value(const SumAtom *atom) {
  if (!atom->bounded || (atom->lo <= 0 && 0 <= atom->hi)) return 0;
  return atom->lo > 0 ? atom->lo : atom->hi;
}

static bool query_has_seen(const Query *query, uint32_t at) {
  return at < query->atom_capacity && query->atoms[at] != nullptr;
}

/* An element that Z3 never saw has the value of an equal one: of one that it saw, or of an earlier
 * one. */
static void adopt_value(const Query *query, Wide *values, uint32_t at) {
  const SumAtom *atoms = query->sums->atoms;
  for (uint32_t i = 0; i < query->sums->atom_count; i++) {
    if ((i >= at && !query_has_seen(query, i)) ||
        !value_atoms_agree(query->sums, values, &atoms[at], &atoms[i]))
      continue;
    values[at] = values[i];
    return;
  }
}

/* Completes the values, so that equal elements have one value. */
static bool query_complete(const Query *query, Wide *values) {
  if (!sums_complete(query->sums, values)) return false;
  for (uint32_t i = 0; i < query->sums->atom_count; i++) {
    if (!sums_complete_atom(query->sums, values, i)) return false;
    if (query->sums->atoms[i].kind == ATOM_VALUE && !query_has_seen(query, i))
      adopt_value(query, values, i);
  }
  return true;
}

bool query_model(Query *query, Wide *values) {
  assert(query->model != nullptr);
  for (uint32_t i = 0; i < query->sums->atom_count; i++) {
    AtomKind kind = query->sums->atoms[i].kind;
    Z3_ast number = nullptr;
    values[i] = any_value(&query->sums->atoms[i]);
    if (kind != ATOM_FREE && kind != ATOM_VALUE) continue;
    if (!query_has_seen(query, i)) continue;
    if (!Z3_model_eval(query->session.z3, query->model, query->atoms[i], true, &number))
      return false;
    if (!query_read_value(query->session.z3, number, &values[i])) return false;
  }
  return query_complete(query, values);
}
