/* Facts and their bookkeeping. Each new fact is normalised: it is divided by the content of its
 * coefficients, and the constant of an inequality is rounded down. Constant facts are dropped or
 * make the system contradictory. */
#include "smt/rules/rule_system.h"

#include <assert.h>
#include <stdarg.h>

RuleProof *proof_create(Arena *arena, const Rule *rule) {
  RuleProof *proof = ARENA_NEW(arena, RuleProof, 1);
  *proof = (RuleProof){.arena = arena, .ring = ring_create(arena), .rule = rule};
  for (uint32_t i = 0; i < rule->expr_count; i++)
    *ARENA_PUSH(arena, proof) = (RuleUnknown){.kind = UNKNOWN_EXPR, .letter = i};
  for (uint32_t i = 0; i < rule->constant_count; i++)
    *ARENA_PUSH(arena, proof) = (RuleUnknown){.kind = UNKNOWN_CONSTANT, .letter = i};
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    *ARENA_PUSH(arena, proof) = (RuleUnknown){.kind = UNKNOWN_LO, .letter = i};
    *ARENA_PUSH(arena, proof) = (RuleUnknown){.kind = UNKNOWN_HI, .letter = i};
  }
  return proof;
}

uint32_t proof_letter(const RuleProof *proof, UnknownKind kind, uint32_t letter) {
  for (uint32_t i = 0; i < proof->count; i++)
    if (proof->items[i].kind == kind && proof->items[i].letter == letter) return i;
  assert(false);
  return 0;
}

static Wide letter_value(const RuleUnknown *unknown, const RuleValues *values) {
  switch (unknown->kind) {
    case UNKNOWN_CONSTANT: return values->constants[unknown->letter];
    case UNKNOWN_EXPR: return values->exprs[unknown->letter];
    case UNKNOWN_LO: return values->lo[unknown->letter];
    case UNKNOWN_HI: return values->hi[unknown->letter];
    case UNKNOWN_QUOTIENT:
    case UNKNOWN_MAX:
    case UNKNOWN_GCD:
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT:
    case UNKNOWN_NAMED: break;
  }
  assert(false);
  return 0;
}

void proof_add_witness(RuleProof *proof, const RuleValues *values) {
  if (proof->witness_count == proof_max_witnesses) return;
  Wide *row = ARENA_NEW(proof->arena, Wide, proof_max_unknowns);
  for (uint32_t i = 0; i < proof->count; i++) row[i] = letter_value(&proof->items[i], values);
  proof->witnesses[proof->witness_count++] = row;
}

void proof_explain(RuleProof *proof, const char *format, ...) {
  if (proof->explanation == nullptr) return;
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_string(proof->explanation, line);
}

static const char *const part_names[] = {
    [UNKNOWN_QUOTIENT] = "q",
    [UNKNOWN_MAX] = "p",
    [UNKNOWN_GCD] = "g",
    [UNKNOWN_GCD_LEFT] = "ga",
    [UNKNOWN_GCD_RIGHT] = "gb",
    [UNKNOWN_BEZOUT_LEFT] = "s",
    [UNKNOWN_BEZOUT_RIGHT] = "t",
    [UNKNOWN_NAMED] = "h",
};

static void unknown_print(Text *text, const RuleProof *proof, uint32_t number) {
  const RuleUnknown *unknown = &proof->items[number];
  switch (unknown->kind) {
    case UNKNOWN_CONSTANT: text_string(text, proof->rule->constants[unknown->letter]); return;
    case UNKNOWN_EXPR: text_string(text, proof->rule->exprs[unknown->letter]); return;
    case UNKNOWN_LO: text_printf(text, "lo.%s", proof->rule->exprs[unknown->letter]); return;
    case UNKNOWN_HI: text_printf(text, "hi.%s", proof->rule->exprs[unknown->letter]); return;
    case UNKNOWN_QUOTIENT:
    case UNKNOWN_MAX:
    case UNKNOWN_GCD:
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT:
    case UNKNOWN_NAMED: text_printf(text, "%s.%u", part_names[unknown->kind], number); return;
  }
}

static void monomial_print(Text *text, const RuleProof *proof, uint32_t number) {
  const Monomial *monomial = &proof->ring->items[number];
  for (uint32_t i = 0; i < monomial->degree; i++) {
    if (i > 0) text_string(text, "*");
    unknown_print(text, proof, monomial->atoms[i]);
  }
}

void poly_print(Text *text, const RuleProof *proof, Poly poly) {
  assert(poly_is_canonical(proof->ring, poly));
  if (poly.count == 0) text_string(text, "0");
  for (uint32_t i = 0; i < poly.count; i++) {
    Wide coefficient = poly.terms[i].coefficient;
    if (i > 0) text_string(text, coefficient < 0 ? " - " : " + ");
    else if (coefficient < 0) text_string(text, "-");
    Wide size = coefficient < 0 ? -coefficient : coefficient;
    if (size != 1 || poly.terms[i].monomial == 0) wide_print(text, size);
    if (size != 1 && poly.terms[i].monomial != 0) text_string(text, "*");
    monomial_print(text, proof, poly.terms[i].monomial);
  }
}

System *system_create(RuleProof *proof) {
  System *system = ARENA_NEW(proof->arena, System, 1);
  *system = (System){.proof = proof, .alive = (1u << proof->witness_count) - 1};
  return system;
}

#define COPY_LIST(list) \
  (copy->list.items = arena_grow(arena, system->list.items, system->list.count, \
       system->list.capacity, sizeof *system->list.items))

System *system_copy(const System *system) {
  Arena *arena = system->proof->arena;
  System *copy = ARENA_NEW(arena, System, 1);
  *copy = *system;
  COPY_LIST(facts);
  COPY_LIST(clauses);
  COPY_LIST(bands);
  COPY_LIST(coprimes);
  COPY_LIST(eliminations);
  COPY_LIST(refutation);
  return copy;
}

/* Whether the fact holds at witness w. Values past 2^120 count as holding, because nothing is known
 * about them. */
static bool fact_holds_at(const RuleProof *proof, uint32_t w, Poly poly, bool is_equation) {
  assert(poly_is_canonical(proof->ring, poly));
  Wide value;
  if (!poly_evaluate(proof->ring, poly, proof->witnesses[w], &value)) return true;
  return is_equation ? value == 0 : value >= 0;
}

static bool branch_holds_at(const RuleProof *proof, uint32_t w, const Branch *branch) {
  for (uint32_t i = 0; i < branch->count; i++)
    if (!fact_holds_at(proof, w, branch->items[i].poly, branch->items[i].is_equation)) return false;
  return true;
}

static bool clause_holds_at(const RuleProof *proof, uint32_t w, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  for (uint32_t i = 0; i < clause->count; i++)
    if (branch_holds_at(proof, w, &clause->branches[i])) return true;
  return false;
}

static void set_fault(RuleProof *proof, Poly poly, const char *relation) {
  assert(poly_is_canonical(proof->ring, poly));
  if (proof->fault) return;
  proof->fault = true;
  Text text = text_create(proof->arena);
  poly_print(&text, proof, poly);
  snprintf(proof->fault_text, sizeof proof->fault_text,
      "a derived fact is false at a witness: %.180s %s", text.bytes, relation);
}

/* Divides by the content. False if the fact is constant: it is dropped, or makes the system
 * contradictory. */
static bool normalise(System *system, Poly *poly, bool *is_equation) {
  PolyRing *ring = system->proof->ring;
  Wide constant;
  if (poly_is_constant(*poly, &constant)) {
    if (*is_equation ? constant != 0 : constant < 0) system->is_contradictory = true;
    return false;
  }
  Wide content = poly_content(*poly, true);
  Wide rest = poly_constant_term(*poly);
  if (content > 1) {
    Wide floor = wide_floor(rest, content);
    if (*is_equation && floor * content != rest) system->is_contradictory = true;
    if (*is_equation && floor * content != rest) return false;
    *poly = poly_divide_exactly(ring, poly_shift(ring, *poly, floor * content - rest), content);
  }
  if (*is_equation && poly->terms[0].coefficient < 0) *poly = poly_scale(ring, *poly, -1);
  return true;
}

bool system_has_fact(const System *system, Poly poly, bool is_equation) {
  assert(poly_is_canonical(system->proof->ring, poly));
  for (uint32_t i = 0; i < system->facts.count; i++)
    if (system->facts.items[i].is_equation == is_equation &&
        poly_equal(system->facts.items[i].poly, poly))
      return true;
  return false;
}

void system_put_fact(System *system, Poly poly, bool is_equation, Origin origin) {
  assert(poly_is_canonical(system->proof->ring, poly));
  if (!normalise(system, &poly, &is_equation) || system_has_fact(system, poly, is_equation)) return;
  *ARENA_PUSH(system->proof->arena, &system->facts) =
      (Fact){.poly = poly, .is_equation = is_equation, .origin = origin};
}

/* After an overflow a polynomial may lack terms. What is stated with it is left out of the proof,
 * which only makes the proof harder. */
static void put_on_refutation(System *system, Clause clause) {
  if (system->proof->ring->overflow) return;
  *ARENA_PUSH(system->proof->arena, &system->refutation) = clause;
}

static Clause clause_of_one(RuleProof *proof, Fact fact) {
  Clause clause = {
      .count = 1, .branches = ARENA_NEW(proof->arena, Branch, 1), .origin = fact.origin};
  *ARENA_PUSH(proof->arena, &clause.branches[0]) = fact;
  return clause;
}

static void check_witnesses(System *system, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  for (uint32_t w = 0; w < system->proof->witness_count && !system->proof->ring->overflow; w++)
    if (((system->alive >> w) & 1) != 0 && !clause_holds_at(system->proof, w, clause))
      set_fault(system->proof, clause->branches[0].items[0].poly,
          clause->count > 1 ? "... in a clause" : "");
}

static void drop_witnesses(System *system, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  for (uint32_t w = 0; w < system->proof->witness_count; w++)
    if (!clause_holds_at(system->proof, w, clause)) system->alive &= ~(1u << w);
}

void system_state(System *system, Poly poly, bool is_equation, Origin origin) {
  assert(poly_is_canonical(system->proof->ring, poly));
  Clause clause = clause_of_one(
      system->proof, (Fact){.poly = poly, .is_equation = is_equation, .origin = origin});
  system_use(system, clause);
  system_put_fact(system, poly, is_equation, origin);
}

void system_assume(System *system, Poly poly, bool is_equation, Origin origin) {
  assert(poly_is_canonical(system->proof->ring, poly));
  Clause clause = clause_of_one(
      system->proof, (Fact){.poly = poly, .is_equation = is_equation, .origin = origin});
  drop_witnesses(system, &clause);
  put_on_refutation(system, clause);
  system_put_fact(system, poly, is_equation, origin);
}

void system_derive(System *system, Poly poly, bool is_equation, Origin origin) {
  assert(poly_is_canonical(system->proof->ring, poly));
  Clause clause = clause_of_one(
      system->proof, (Fact){.poly = poly, .is_equation = is_equation, .origin = origin});
  check_witnesses(system, &clause);
  system_put_fact(system, poly, is_equation, origin);
}

void system_use(System *system, Clause instance) {
  check_witnesses(system, &instance);
  put_on_refutation(system, instance);
}

static void put_clause(System *system, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  if (system->proof->ring->overflow) return;
  *ARENA_PUSH(system->proof->arena, &system->clauses) = *clause;
}

void system_use_cases(System *system, Clause instance) {
  system_use(system, instance);
  put_clause(system, &instance);
}

void system_assume_clause(System *system, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  drop_witnesses(system, clause);
  put_on_refutation(system, *clause);
  put_clause(system, clause);
}

void system_assume_branch(System *system, const Clause *clause, uint32_t branch, Origin origin) {
  assert(clause->count <= clause_max_branches);
  const Branch *stated =
      clause->stated != nullptr ? &clause->stated[branch] : &clause->branches[branch];
  const Branch *present = &clause->branches[branch];
  assert(stated->count == present->count);
  for (uint32_t i = 0; i < stated->count; i++) {
    Fact fact = stated->items[i];
    fact.origin = origin;
    Clause assumed = clause_of_one(system->proof, fact);
    drop_witnesses(system, &assumed);
    put_on_refutation(system, assumed);
  }
  for (uint32_t i = 0; i < present->count; i++)
    system_put_fact(system, present->items[i].poly, present->items[i].is_equation, origin);
}

void clause_add(RuleProof *proof, Clause *clause, Fact fact) {
  Branch *branch = &clause->branches[clause->count++];
  *ARENA_PUSH(proof->arena, branch) = fact;
}

void system_split_range(System *system, Poly poly, Wide low, Wide high) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  Clause clause = {.branches = ARENA_NEW(proof->arena, Branch, (uint32_t)(high - low) + 3),
      .origin = ORIGIN_LEMMA,
      .is_early = true};
  clause_add(proof, &clause,
      (Fact){
          .poly = poly_shift(ring, poly_scale(ring, poly, -1), low - 1), .origin = ORIGIN_LEMMA});
  clause_add(
      proof, &clause, (Fact){.poly = poly_shift(ring, poly, -high - 1), .origin = ORIGIN_LEMMA});
  for (Wide value = low; value <= high; value++)
    clause_add(proof, &clause,
        (Fact){
            .poly = poly_shift(ring, poly, -value), .is_equation = true, .origin = ORIGIN_LEMMA});
  system_use_cases(system, clause);
}

Clause clause_of_two(RuleProof *proof, Fact first, Fact second, Origin origin, bool is_early) {
  Clause clause = {.count = 2,
      .branches = ARENA_NEW(proof->arena, Branch, 2),
      .origin = origin,
      .is_early = is_early};
  first.origin = second.origin = origin;
  *ARENA_PUSH(proof->arena, &clause.branches[0]) = first;
  *ARENA_PUSH(proof->arena, &clause.branches[1]) = second;
  return clause;
}

bool fact_bounds_atom(const PolyRing *ring, const Fact *fact, uint32_t *atom) {
  Poly poly = fact->poly;
  return !fact->is_equation && monomial_is_atom(ring, poly.terms[0].monomial, atom) &&
         (poly.count == 1 || (poly.count == 2 && poly.terms[1].monomial == 0));
}

bool system_has_product_of(const System *system, uint32_t atom) {
  const PolyRing *ring = system->proof->ring;
  for (uint32_t f = 0; f < system->facts.count; f++) {
    Poly poly = system->facts.items[f].poly;
    for (uint32_t i = 0; i < poly.count; i++) {
      const Monomial *monomial = &ring->items[poly.terms[i].monomial];
      if (monomial->degree >= 2 && monomial_power(monomial, atom) > 0) return true;
    }
  }
  return false;
}

/* The largest k for which a single fact states atom >= k; false if there is none. */
static bool atom_floor(const System *system, uint32_t atom, Wide *floor) {
  bool found = false;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly poly = system->facts.items[i].poly;
    uint32_t single;
    if (!fact_bounds_atom(system->proof->ring, &system->facts.items[i], &single) ||
        single != atom || poly.terms[0].coefficient != 1)
      continue;
    Wide k = -poly_constant_term(poly);
    if (!found || k > *floor) *floor = k;
    found = true;
  }
  return found;
}

bool system_is_at_least(const System *system, uint32_t atom, Wide k) {
  Wide floor;
  return atom_floor(system, atom, &floor) && floor >= k;
}

static bool is_monomial_positive(const System *system, uint32_t number) {
  const Monomial *monomial = &system->proof->ring->items[number];
  for (uint32_t i = 0; i < monomial->degree; i++)
    if (!system_is_at_least(system, monomial->atoms[i], 1)) return false;
  return true;
}

bool system_is_positive(const System *system, Poly poly) {
  Wide value;
  if (poly_is_constant(poly, &value)) return value >= 1;
  if (poly.count == 1 && poly.terms[0].coefficient > 0 &&
      is_monomial_positive(system, poly.terms[0].monomial))
    return true;
  return system_has_fact(system, poly_shift(system->proof->ring, poly, -1), false);
}
