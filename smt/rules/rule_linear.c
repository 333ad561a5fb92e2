/* Polynomials as linear terms of Z3. A coefficient past int64 is passed as digits. */
#include "smt/rules/rule_linear.h"

#include <assert.h>
#include <string.h>

Linear linear_open(const RuleProof *proof, uint64_t rlimit, uint32_t seed) {
  Linear linear = {.proof = proof, .rlimit = rlimit, .rlimit_left = rlimit, .seed = seed};
  linear.capacity = 4096;
  linear.monomials = ARENA_NEW(proof->arena, Z3_ast, linear.capacity);
  linear.in_query = ARENA_NEW(proof->arena, bool, linear.capacity);
  return linear;
}

static void drop_model(Linear *linear) {
  if (linear->model != nullptr) Z3_model_dec_ref(linear->session.z3, linear->model);
  linear->model = nullptr;
}

static void drop_solver(Linear *linear) {
  drop_model(linear);
  if (linear->solver != nullptr) Z3_solver_dec_ref(linear->session.z3, linear->solver);
  linear->solver = nullptr;
}

void linear_close(Linear *linear) {
  if (linear->session.z3 == nullptr) return;
  drop_solver(linear);
  z3_close(&linear->session);
}

/* At least 1: to Z3, 0 is no limit. */
static void set_budget(Linear *linear, uint64_t rlimit) {
  if (rlimit == 0) rlimit = 1;
  Z3_context z3 = linear->session.z3;
  Z3_params params = z3_make_params(z3);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
      rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)rlimit);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), linear->seed);
  Z3_solver_set_params(z3, linear->solver, params);
  Z3_params_dec_ref(z3, params);
}

/* Z3 writes 16 MB of tables in each new context, and a quarter of all systems ask nothing. */
static void open_session(Linear *linear) {
  linear->session = z3_open(nullptr, linear->rlimit, linear->seed);
  linear->session.stop = linear->proof->stop;
}

void linear_begin(Linear *linear) {
  if (linear->session.z3 == nullptr) open_session(linear);
  if (linear->solver == nullptr) {
    linear->solver = Z3_mk_simple_solver(linear->session.z3);
    Z3_solver_inc_ref(linear->session.z3, linear->solver);
    set_budget(linear, linear->rlimit_left / 4);
  } else {
    drop_model(linear);
    linear_pop(linear);
  }
  linear_push(linear);
  memset(linear->in_query, 0, linear->capacity * sizeof *linear->in_query);
}

static void rule_linear_make_capacity(Linear *linear) {
  uint32_t needed = linear->proof->ring->count;
  if (needed <= linear->capacity) return;
  uint32_t capacity = needed * 2;
  linear->monomials = arena_grow(linear->proof->arena, linear->monomials, linear->capacity,
      capacity, sizeof *linear->monomials);
  linear->in_query = arena_grow(
      linear->proof->arena, linear->in_query, linear->capacity, capacity, sizeof *linear->in_query);
  linear->capacity = capacity;
}

static Z3_ast rule_linear_numeral(Linear *linear, Wide value) {
  if (value >= INT64_MIN && value <= INT64_MAX) return z3_integer(&linear->session, (int64_t)value);
  Text digits = text_create(linear->proof->arena);
  wide_print(&digits, value);
  return Z3_mk_numeral(linear->session.z3, digits.bytes, linear->session.integers);
}

static Z3_ast monomial_constant(Linear *linear, uint32_t monomial) {
  rule_linear_make_capacity(linear);
  linear->in_query[monomial] = true;
  if (linear->monomials[monomial] == nullptr)
    linear->monomials[monomial] = Z3_mk_const(linear->session.z3,
        Z3_mk_int_symbol(linear->session.z3, (int)monomial), linear->session.integers);
  return linear->monomials[monomial];
}

/* The sum of all terms except the constant. */
static Z3_ast linear_part(Linear *linear, Poly poly) {
  Z3_context z3 = linear->session.z3;
  Z3_ast terms[64];
  uint32_t count = 0;
  Z3_ast *all = poly.count > 64 ? ARENA_NEW(linear->proof->arena, Z3_ast, poly.count) : terms;
  for (uint32_t i = 0; i < poly.count; i++) {
    if (poly.terms[i].monomial == 0) continue;
    Z3_ast constant = monomial_constant(linear, poly.terms[i].monomial);
    Z3_ast product[2] = {rule_linear_numeral(linear, poly.terms[i].coefficient), constant};
    all[count++] = poly.terms[i].coefficient == 1 ? constant : Z3_mk_mul(z3, 2, product);
  }
  if (count == 0) return z3_integer(&linear->session, 0);
  return count == 1 ? all[0] : Z3_mk_add(z3, count, all);
}

static Z3_ast fact_term(Linear *linear, const Fact *fact) {
  Z3_ast sum = linear_part(linear, fact->poly),
         bound = rule_linear_numeral(linear, -poly_constant_term(fact->poly));
  return fact->is_equation ? Z3_mk_eq(linear->session.z3, sum, bound)
                           : Z3_mk_ge(linear->session.z3, sum, bound);
}

static Z3_ast branch_term(Linear *linear, const Branch *branch) {
  Z3_ast facts[16];
  uint32_t count = 0;
  assert(branch->count <= 16);
  for (uint32_t i = 0; i < branch->count; i++)
    facts[count++] = fact_term(linear, &branch->items[i]);
  return count == 1 ? facts[0] : Z3_mk_and(linear->session.z3, count, facts);
}

void linear_assert_fact(Linear *linear, const Fact *fact) {
  linear->is_asserted = true;
  Z3_solver_assert(linear->session.z3, linear->solver, fact_term(linear, fact));
}

Z3_ast linear_clause(Linear *linear, const Clause *clause) {
  Z3_ast branches[clause_max_branches];
  assert(clause->count >= 1 && clause->count <= clause_max_branches);
  for (uint32_t i = 0; i < clause->count; i++)
    branches[i] = branch_term(linear, &clause->branches[i]);
  return Z3_mk_or(linear->session.z3, clause->count, branches);
}

void linear_assert_clause(Linear *linear, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  linear->is_asserted = true;
  Z3_solver_assert(linear->session.z3, linear->solver, linear_clause(linear, clause));
}

void linear_assert_system(Linear *linear, const System *system) {
  for (uint32_t i = 0; i < system->facts.count; i++)
    linear_assert_fact(linear, &system->facts.items[i]);
  for (uint32_t i = 0; i < system->clauses.count; i++)
    linear_assert_clause(linear, &system->clauses.items[i]);
}

void linear_push(Linear *linear) { Z3_solver_push(linear->session.z3, linear->solver); }
void linear_pop(Linear *linear) { Z3_solver_pop(linear->session.z3, linear->solver, 1); }

static uint64_t rlimit_count(Linear *linear) {
  Z3Session present = linear->session;
  present.solver = linear->solver;
  return z3_rlimit_used(&present);
}

void linear_spend(Linear *linear, uint64_t units) {
  linear->rlimit_left = units >= linear->rlimit_left ? 0 : linear->rlimit_left - units;
}

/* For REFUTED no model is created yet, because that costs as much as the check. */
static VerdictStatus check_alone(Linear *linear) {
  linear->checks++;
  uint64_t before = rlimit_count(linear);
  Z3_lbool answer = watched_check(linear->session.z3, linear->solver, linear->session.stop);
  uint64_t after = rlimit_count(linear), used = after > before ? after - before : 0;
  linear_spend(linear, used);
  if (z3_failed(&linear->session) || linear->rlimit_left == 0) return VERDICT_UNKNOWN;
  if (answer == Z3_L_FALSE) return VERDICT_PROVED;
  return answer == Z3_L_UNDEF ? VERDICT_UNKNOWN : VERDICT_REFUTED;
}

VerdictStatus linear_check(Linear *linear) {
  drop_model(linear);
  linear->is_asserted = false;
  VerdictStatus answer = check_alone(linear);
  if (answer != VERDICT_REFUTED) return answer;
  linear->model = Z3_solver_get_model(linear->session.z3, linear->solver);
  Z3_model_inc_ref(linear->session.z3, linear->model);
  return answer;
}

/* Parses digits, with a sign that Z3 prints as "(- 5)" or "-5". */
static bool read_numeral(const char *digits, Wide *value) {
  static constexpr Wide capacity = (Wide)1 << 100;
  bool is_negative = strchr(digits, '-') != nullptr;
  *value = 0;
  for (const char *c = digits; *c != 0; c++) {
    if (*c < '0' || *c > '9') continue;
    *value = *value * 10 + (*c - '0');
    if (*value > capacity) return false;
  }
  if (is_negative) *value = -*value;
  return true;
}

bool linear_value(Linear *linear, uint32_t monomial, Wide *value) {
  if (linear->model == nullptr || monomial >= linear->capacity || !linear->in_query[monomial])
    return false;
  Z3_ast result = nullptr;
  if (!Z3_model_eval(
          linear->session.z3, linear->model, linear->monomials[monomial], true, &result) ||
      result == nullptr)
    return false;
  int64_t small;
  if (Z3_get_numeral_int64(linear->session.z3, result, &small)) {
    *value = small;
    return true;
  }
  return read_numeral(Z3_get_numeral_string(linear->session.z3, result), value);
}

/* Whether the model of the query, with 0 for what the query does not contain, has poly <= -1 (or
 * poly != 0). */
static bool is_excluded_by_model(Linear *linear, Poly poly, bool is_equation) {
  Wide value = 0;
  if (linear->model == nullptr || linear->is_asserted) return false;
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t monomial = poly.terms[i].monomial;
    Wide term = monomial == 0 ? 1 : 0;
    bool is_there = monomial != 0 && monomial < linear->capacity && linear->in_query[monomial];
    if ((is_there && !linear_value(linear, monomial, &term)) ||
        !wide_multiply(term, poly.terms[i].coefficient, &term) || !wide_add(value, term, &value))
      return false;
  }
  return is_equation ? value != 0 : value < 0;
}

/* Whether the solver refutes the query with the fact. The query stays as it was. */
static bool is_refuted_with(Linear *linear, Poly poly) {
  Fact fact = {.poly = poly};
  linear_push(linear);
  Z3_solver_assert(linear->session.z3, linear->solver, fact_term(linear, &fact));
  bool is_refuted = check_alone(linear) == VERDICT_PROVED;
  linear_pop(linear);
  return is_refuted;
}

bool linear_implies(Linear *linear, Poly poly, bool is_equation) {
  PolyRing *ring = linear->proof->ring;
  if (is_excluded_by_model(linear, poly, is_equation)) return false;
  return is_refuted_with(linear, poly_shift(ring, poly_scale(ring, poly, -1), -1)) &&
         (!is_equation || is_refuted_with(linear, poly_shift(ring, poly, -1)));
}
