/* affirm-check-map [--maps] RULES CERTIFICATES: checks for each certificate that its first and last
 * state are the same map: the same domain, and the same results at each of its points. The rules
 * are assumed to be true for all values; affirm-check checks that. With --maps it prints both
 * states of each accepted certificate, so that the reader can compare the first with the map in
 * question. */
#include "proof/map/map.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- memory, released after each certificate ---- */

static size_t memory_size = (size_t)1 << 32; /* less where the process may not have so much */
static unsigned char *memory = MAP_FAILED;
static size_t used;
static jmp_buf rejection;
static const char *reason;
static uint32_t line_number;

void fail(const char *why) {
  reason = why;
  longjmp(rejection, 1);
}

static bool memory_open(void) {
  for (memory_size *= 2; memory == MAP_FAILED && memory_size > (size_t)1 << 24;)
    memory = mmap(nullptr, memory_size /= 2, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED;
}

void *new_bytes(size_t size) {
  size_t whole = (size + 15) & ~(size_t)15;
  if (whole > memory_size - used) fail("out of memory");
  used += whole;
  return memset(memory + used - whole, 0, whole);
}

static void *number_grow(void *old, size_t size, size_t more) {
  return memcpy(new_bytes(more), old, size < more ? size : more);
}

static void number_free(void *, size_t) {}

mpz_ptr number_new(long value) {
  mpz_ptr number = new_bytes(sizeof *number);
  mpz_init_set_si(number, value);
  return number;
}

/* ---- the certificate being read ---- */

enum { STATES = 1 << 16 };

/* A proved equation: from = to wherever the claims hold. */
typedef struct Equation {
  CertAtom *from;
  CertPoly to;
  uint32_t claim_count;
  CertBinding *claims;
} Equation;

static struct {
  uint32_t state_count, equation_count;
  const char *first, *last; /* the texts of these states */
  State *states[STATES];
  Equation equations[STATES];
} certificate;

static bool same_interval(CertInterval a, CertInterval b) {
  return mpz_cmp(a.lo, b.lo) == 0 && mpz_cmp(a.hi, b.hi) == 0;
}

static bool same_box(const State *a, const State *b) {
  if (a->is_empty || b->is_empty || a->result_count != b->result_count) return false;
  for (uint32_t i = 0; i < a->variable_count; i++)
    if (!same_interval(a->bounds[i], b->bounds[i])) return false;
  return true;
}

/* Pairs equal constraints of a and b and marks the pairs in both. */
static void pair_constraints(const State *a, const State *b, bool *in_a, bool *in_b) {
  for (uint32_t i = 0; i < a->demand_count; i++)
    for (uint32_t j = 0; j < b->demand_count && !in_a[i]; j++) {
      const CertDemand *one = &a->demands[i], *other = &b->demands[j];
      in_a[i] = !in_b[j] && same_interval(one->in, other->in) && poly_equal(one->poly, other->poly);
      in_b[j] |= in_a[i];
    }
}

/* True if a and b become equal by replacing `from` by `to` in both. The equations are applied in
 * order, starting with `first`, for several rounds. */
static bool equal_from(CertPoly a, CertPoly b, const Equation *equations, uint32_t count,
    const bool *is_true, uint32_t first) {
  enum { ROUNDS = 3 };
  for (uint32_t i = 0; i < ROUNDS * count && !poly_equal(a, b); i++) {
    const Equation *equation = &equations[(first + i) % count];
    if (!is_true[(first + i) % count]) continue;
    a = poly_replace(a, equation->from, equation->to);
    b = poly_replace(b, equation->from, equation->to);
  }
  a = poly_folded(a);
  b = poly_folded(b);
  for (uint32_t i = 0; i < count && !poly_equal(a, b); i++) {
    CertAtom *from = is_true[i] ? atom_folded(equations[i].from) : nullptr;
    if (from == nullptr) continue;
    a = poly_replace(a, from, equations[i].to);
    b = poly_replace(b, from, equations[i].to);
  }
  return poly_equal(a, b);
}

static bool equal_by(
    CertPoly a, CertPoly b, const Equation *equations, uint32_t count, const bool *is_true) {
  if (poly_equal(a, b)) return true;
  for (uint32_t first = 0; first < count || first == 0; first++)
    if (equal_from(a, b, equations, count, is_true, first)) return true;
  return false;
}

/* ---- steps without a rule ---- */

static bool *all_usable(const State *state) {
  bool *usable = new_bytes(state->demand_count + 1);
  memset(usable, 1, state->demand_count);
  return usable;
}

/* Narrows the state's box by each of its constraints. Returns false if some variable has no
 * value. */
static bool narrow(const State *state, State *narrowed) {
  *narrowed = *state;
  narrowed->bounds = new_bytes((state->variable_count + 1) * sizeof *narrowed->bounds);
  for (uint32_t i = 0; i < state->variable_count; i++) narrowed->bounds[i] = state->bounds[i];
  for (uint32_t i = 0; i < state->demand_count; i++)
    bounds_tighten(&(CertFacts){state, nullptr}, state->demands[i].expr, state->demands[i].in,
        narrowed->bounds);
  for (uint32_t i = 0; i < state->variable_count; i++)
    if (interval_is_empty(narrowed->bounds[i])) return false;
  return true;
}

static bool is_impossible(const State *state) {
  State narrowed;
  (void)bounds_were_absurd();
  if (state->is_empty || !narrow(state, &narrowed)) return true;
  CertFacts facts = {&narrowed, all_usable(state)};
  for (uint32_t i = 0; i < state->demand_count; i++) {
    CertInterval in = bounds_of(&facts, state->demands[i].expr);
    if (interval_is_empty(interval_meet(in, state->demands[i].in))) return true;
  }
  return bounds_were_absurd();
}

/* True if a constraint of the state implies it: an equal polynomial in a contained interval. */
static bool states_demand(const State *state, const CertDemand *demand) {
  for (uint32_t i = 0; i < state->demand_count; i++)
    if (interval_within(state->demands[i].in, demand->in) &&
        equal_by(state->demands[i].poly, demand->poly, nullptr, 0, nullptr))
      return true;
  return false;
}

/* True if each point of a's domain is shown to be in b's. */
static bool implies(const State *a, const State *b) {
  State narrowed;
  if (!narrow(a, &narrowed)) return true;
  for (uint32_t i = 0; i < a->variable_count; i++)
    if (!interval_within(narrowed.bounds[i], b->bounds[i])) return is_impossible(a);
  CertFacts facts = {&narrowed, all_usable(a)};
  for (uint32_t i = 0; i < b->demand_count; i++) {
    CertInterval in = bounds_of(&facts, b->demands[i].expr);
    if (!interval_within(in, b->demands[i].in) && !states_demand(a, &b->demands[i]))
      return is_impossible(a);
  }
  return true;
}

static bool same_results(const State *a, const State *b) {
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!equal_by(a->results[i], b->results[i], nullptr, 0, nullptr)) return false;
  return a->result_count == b->result_count;
}

static bool state_keeps(const State *a, const State *b) {
  if (a->is_empty || b->is_empty) return is_impossible(a) && is_impossible(b);
  return same_results(a, b) && implies(a, b) && implies(b, a);
}

/* True if an earlier state has this result. */
static bool has_had_result(const State *next, uint32_t at) {
  for (uint32_t i = certificate.state_count; i-- > 0;) {
    const State *state = certificate.states[i];
    if (!state->is_empty && at < state->result_count &&
        equal_by(state->results[at], next->results[at], nullptr, 0, nullptr))
      return true;
  }
  return false;
}

static bool has_had_domain(const State *next) {
  for (uint32_t i = certificate.state_count; i-- > 0;) {
    const State *state = certificate.states[i];
    if (!state->is_empty && state->result_count == next->result_count && implies(state, next) &&
        implies(next, state))
      return true;
  }
  return false;
}

/* Checks `keep`. All earlier states are the same map, so one of them may justify the whole step, or
 * different ones the results and the domain. */
static void keep_check(const State *next) {
  for (uint32_t i = certificate.state_count; i-- > 0;)
    if (state_keeps(certificate.states[i], next)) return;
  bool all = !next->is_empty;
  for (uint32_t i = 0; all && i < next->result_count; i++) all = has_had_result(next, i);
  if (all && has_had_domain(next)) return;
  fail("the step needs a rule");
}

/* ---- steps by a rule ---- */

static bool is_constant_letter(const char *name) { return strchr("abckmn", *name) != nullptr; }

/* The polynomials of the letters, of their lo and of their hi. An unstated bound is
 * poly_unstated. */
static CertPoly *letters_of(const CertRule *rule, const CertBinding *bindings) {
  CertPoly *letters = new_bytes(3 * LETTERS * sizeof *letters);
  for (uint32_t i = 0; i < rule->letter_count; i++) {
    if (bindings[i].value == nullptr) fail("a letter is not bound");
    letters[i] = poly_of(bindings[i].value, nullptr);
    if (is_constant_letter(rule->letters[i]) && !poly_is_number(letters[i]))
      fail("a constant letter is no number");
    const mpz_ptr ends[] = {bindings[i].lo, bindings[i].hi};
    for (uint32_t end = 0; end < 2; end++)
      letters[LETTERS * (1 + end) + i] =
          ends[end] == nullptr ? poly_unstated : poly_number(ends[end]);
  }
  return letters;
}

static mpz_ptr value_of(const CertNode *node, const CertPoly *letters) {
  CertPoly poly = poly_of(node, letters);
  if (!poly_is_number(poly)) fail("a guard, or an end, is no number");
  return poly_constant(poly);
}

static void guards_check(const CertRule *rule, const CertPoly *letters) {
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    const char *relation = rule->guards[i].relation;
    int order =
        mpz_cmp(value_of(rule->guards[i].left, letters), value_of(rule->guards[i].right, letters));
    bool or_equal = relation[1] == '=', holds = or_equal && order == 0;
    if (*relation == '<') holds |= order < 0;
    if (*relation == '>') holds |= order > 0;
    if (*relation == '!') holds = order != 0;
    if (!holds) fail("a guard does not hold");
  }
}

/* Checks the claimed bounds. If the facts are contradictory, no point satisfies them and every
 * claim holds. */
static bool claims_hold(const CertFacts *facts, uint32_t count, const CertBinding *claims) {
  (void)bounds_were_absurd();
  bool all = true;
  for (uint32_t i = 0; i < count; i++) {
    if (claims[i].value == nullptr || (claims[i].lo == nullptr && claims[i].hi == nullptr))
      continue;
    CertInterval in = bounds_of(facts, claims[i].value);
    all &= claims[i].lo == nullptr || mpz_cmp(in.lo, claims[i].lo) >= 0;
    all &= claims[i].hi == nullptr || mpz_cmp(in.hi, claims[i].hi) <= 0;
  }
  return bounds_were_absurd() || all;
}

/* True if b is a with `from` replaced by `to` in some places. The claims must follow from the
 * constraints that both states share. */
static bool replaces(
    const State *a, const State *b, const Equation *equations, uint32_t count, bool needs_all) {
  if (!same_box(a, b) || a->demand_count != b->demand_count) return false;
  bool *in_a = new_bytes(a->demand_count + 1), *in_b = new_bytes(b->demand_count + 1),
       *is_true = new_bytes(count + 1);
  pair_constraints(a, b, in_a, in_b);
  for (uint32_t i = 0; i < count; i++) {
    is_true[i] = claims_hold(&(CertFacts){a, in_a}, equations[i].claim_count, equations[i].claims);
    if (needs_all && !is_true[i]) fail("a bound does not follow");
  }
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!equal_by(a->results[i], b->results[i], equations, count, is_true)) return false;
  for (uint32_t i = 0; i < a->demand_count; i++) {
    uint32_t j = in_a[i] ? b->demand_count : 0;
    while (j < b->demand_count &&
           (in_b[j] || !same_interval(a->demands[i].in, b->demands[j].in) ||
               !equal_by(a->demands[i].poly, b->demands[j].poly, equations, count, is_true)))
      j++;
    if (!in_a[i] && j == b->demand_count) return false;
    if (!in_a[i]) in_b[j] = true;
  }
  return true;
}

/* Divides by the greatest common divisor of all factors. */
static CertPoly primitive_of(CertPoly poly) {
  mpz_ptr g = number_new(0);
  for (uint32_t i = 0; i < poly.count; i++) mpz_gcd(g, g, poly.items[i].factor);
  CertPoly out = {poly.count, new_bytes((poly.count + 1) * sizeof *out.items)};
  for (uint32_t i = 0; i < poly.count; i++) {
    out.items[i] = poly.items[i];
    mpz_divexact(out.items[i].factor = number_new(0), poly.items[i].factor, g);
  }
  return out;
}

/* Solves zero = 0 for its i-th monomial. The monomial must be one atom with factor 1 or -1 that
 * occurs nowhere else, or a product of atoms that equals a number. */
static bool equation_solve(CertPoly zero, uint32_t i, Equation *equation) {
  const CertMonomial *item = &zero.items[i];
  bool is_product = item->degree > 1 && zero.count <= 2;
  if ((item->degree != 1 && !is_product) || mpz_cmpabs_ui(item->factor, 1) != 0) return false;
  mpz_ptr minus = number_new(0);
  mpz_neg(minus, item->factor);
  equation->from = is_product ? atom_product(item) : item->atoms[0];
  equation->to = poly_add((CertPoly){}, minus, zero);
  CertPoly own = {1, (CertMonomial *)item};
  equation->to = poly_add(equation->to, number_new(mpz_sgn(item->factor)), own);
  if (is_product) return poly_is_number(equation->to);
  return !poly_contains(equation->to, equation->from);
}

static bool is_multiple(CertPoly poly, CertPoly of) {
  if (poly.count == 0) return true;
  if (poly.count != of.count || !mpz_divisible_p(poly.items[0].factor, of.items[0].factor))
    return false;
  mpz_ptr minus = number_new(0);
  mpz_divexact(minus, poly.items[0].factor, of.items[0].factor);
  mpz_neg(minus, minus);
  return poly_add(poly, minus, of).count == 0;
}

/* True if the results of a and b differ by integer multiples of zero, and all else is equal. */
static bool shifts(const State *a, const State *b, const Equation *equation, CertPoly zero) {
  if (a->demand_count != b->demand_count || !same_box(a, b)) return false;
  bool *in_a = new_bytes(a->demand_count + 1), *in_b = new_bytes(b->demand_count + 1);
  pair_constraints(a, b, in_a, in_b);
  for (uint32_t i = 0; i < a->demand_count; i++)
    if (!in_a[i]) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!is_multiple(poly_minus(a->results[i], b->results[i]), zero)) return false;
  if (!claims_hold(&(CertFacts){a, in_a}, equation->claim_count, equation->claims))
    fail("a bound does not follow");
  return true;
}

static void equation_check(const CertRule *rule, const CertPoly *letters,
    const CertBinding *bindings, const State *a, const State *b) {
  CertPoly left = poly_of(rule->left.expr, letters),
           zero = poly_minus(left, poly_of(rule->right.expr, letters));
  Equation *equation = &certificate.equations[certificate.equation_count];
  *equation = (Equation){.claim_count = rule->letter_count, .claims = (CertBinding *)bindings};
  if (zero.count == 0) {
    if (!replaces(a, b, equation, 0, true)) fail("both sides are one, and the states are not");
    return;
  }
  zero = primitive_of(zero);
  for (int is_left = 1; is_left >= 0; is_left--)
    for (uint32_t i = 0; i < zero.count; i++) {
      if (!equation_solve(zero, i, equation) ||
          (equation->from->op == MULTIPLY || poly_contains(left, equation->from)) !=
              (is_left == 1) ||
          !replaces(a, b, equation, 1, true))
        continue;
      certificate.equation_count++;
      return;
    }
  if (shifts(a, b, equation, zero)) return;
  fail("the states differ by more than the instance");
}

static void constraint_check(const CertRule *rule, const CertPoly *letters,
    const CertBinding *bindings, const State *a, const State *b) {
  CertPoly left = poly_of(rule->left.expr, letters), right = poly_of(rule->right.expr, letters);
  CertInterval before = {value_of(rule->left.lo, letters), value_of(rule->left.hi, letters)},
               after = {value_of(rule->right.lo, letters), value_of(rule->right.hi, letters)};
  if (!same_box(a, b) || !same_results(a, b) || a->demand_count != b->demand_count)
    fail("the states differ by more than the instance");
  for (uint32_t i = 0; i < a->demand_count; i++) {
    if (!same_interval(a->demands[i].in, before) || !poly_equal(a->demands[i].poly, left)) continue;
    bool *in_a = new_bytes(a->demand_count + 1), *in_b = new_bytes(b->demand_count + 1);
    uint32_t j = 0, paired = 0;
    while (j < b->demand_count &&
           !(same_interval(b->demands[j].in, after) && poly_equal(b->demands[j].poly, right)))
      j++;
    if (j == b->demand_count) break;
    in_a[i] = in_b[j] = true;
    pair_constraints(a, b, in_a, in_b);
    for (uint32_t k = 0; k < a->demand_count; k++) paired += in_a[k] && in_b[k];
    in_a[i] = false; /* a constraint says nothing about itself */
    if (paired != a->demand_count) continue;
    if (!claims_hold(&(CertFacts){a, in_a}, rule->letter_count, bindings))
      fail("a bound does not follow");
    return;
  }
  fail("no constraint is the instance's left side, and its right side after the step");
}

/* Checks a step: rule NAME with BINDINGS; BOUNDS */
static void rule_check(const char *text, const State *a, const State *b) {
  const char *with = strstr(text, " with ");
  if (with == nullptr) fail("expected 'with' after the rule's name");
  const CertRule *rule = rule_find(text, (size_t)(with - text));
  if (rule == nullptr) fail("the file of rules has no rule of this name");
  CertBinding *bindings = new_bytes(LETTERS * sizeof *bindings);
  bindings_read(with + strlen(" with "), rule, bindings);
  const CertPoly *letters = letters_of(rule, bindings);
  guards_check(rule, letters);
  if (a->is_empty || b->is_empty) fail("a rule makes no map empty");
  (rule->left.lo == nullptr ? equation_check : constraint_check)(rule, letters, bindings, a, b);
}

/* Rewrites the left side of an equation by the earlier equations. Returns false if nothing
 * changes. */
static bool equation_renew(const Equation *equations, uint32_t at, Equation *renewed) {
  *renewed = equations[at];
  uint32_t most_claims = 0;
  for (uint32_t i = 0; i <= at; i++) most_claims += equations[i].claim_count;
  renewed->claims = new_bytes((most_claims + 1) * sizeof *renewed->claims);
  renewed->claim_count = 0;
  for (uint32_t i = 0; i <= at; i++) {
    CertAtom *from =
        i == at ? renewed->from : atom_replace(renewed->from, equations[i].from, equations[i].to);
    if (from == nullptr) return false;
    if (from == renewed->from && i < at) continue;
    renewed->from = from;
    for (uint32_t k = 0; k < equations[i].claim_count; k++)
      renewed->claims[renewed->claim_count++] = equations[i].claims[k];
  }
  return renewed->from != equations[at].from;
}

/* Checks `again`: by earlier equations, then also by these equations rewritten by one another, each
 * next to its original, then as `keep`. */
static void again_check(const State *a, const State *b) {
  const Equation *equations = certificate.equations;
  uint32_t count = certificate.equation_count, all = 0;
  if (replaces(a, b, equations, count, false)) return;
  Equation *more = new_bytes((2 * count + 1) * sizeof *more);
  for (uint32_t i = 0; i < count; i++) {
    more[all++] = equations[i];
    all += equation_renew(equations, i, &more[all]);
  }
  if (!replaces(a, b, more, all, false)) keep_check(b);
}

/* ---- the file ---- */

static bool line_begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

static char *line_next(char **text) {
  char *line = *text, *end = strchr(line, '\n');
  if (*line == 0) return nullptr;
  *text = end == nullptr ? line + strlen(line) : end + 1;
  if (end != nullptr) *end = 0;
  line_number++;
  return line;
}

/* Reads the lines after `map certificate 1` up to `end`. */
static void certificate_check(char **text) {
  const char *step = nullptr;
  for (char *line = line_next(text); line != nullptr; line = line_next(text)) {
    if (strcmp(line, "end") == 0 && step == nullptr && certificate.state_count > 0) return;
    if (line_begins(line, "state ") && certificate.state_count < STATES - 1) {
      const State *last =
          certificate.state_count == 0 ? nullptr : certificate.states[certificate.state_count - 1];
      if ((step == nullptr) != (last == nullptr)) fail("a step must be between two states");
      State *next = state_read(line + strlen("state "));
      if (step != nullptr && line_begins(step, "rule "))
        rule_check(step + strlen("rule "), last, next);
      else if (step != nullptr && strcmp(step, "again") == 0) again_check(last, next);
      else if (step != nullptr && strcmp(step, "keep") == 0) keep_check(next);
      else if (step != nullptr) fail("a step is 'rule', 'again' or 'keep'");
      certificate.last = line + strlen("state ");
      if (certificate.state_count == 0) certificate.first = certificate.last;
      certificate.states[certificate.state_count++] = next;
      step = nullptr;
    } else if (step == nullptr) step = line;
    else fail("expected a state");
  }
  fail("'end' is missing");
}

/* The texts of both files, kept until exit. */
static char *files[2];
static unsigned file_count;

static char *file_read(const char *path) {
  static constexpr size_t most_length = (size_t)1 << 30;
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t size = (size_t)1 << 20, length = 0;
  bool is_read = false, goes_on = file != nullptr;
  char *text = malloc(size);
  while (goes_on && text != nullptr) {
    size_t more = fread(text + length, 1, size - length - 1, file);
    bool is_text = memchr(text + length, 0, more) == nullptr;
    length += more;
    text[length] = 0;
    goes_on = is_text && length + 1 == size && size < most_length;
    is_read = is_text && length + 1 < size && !ferror(file);
    char *grown = goes_on ? realloc(text, size *= 2) : text;
    if (grown == nullptr) free(text);
    text = grown;
  }
  if (file != nullptr && file != stdin) fclose(file);
  if (!is_read) {
    fprintf(stderr, "affirm-check-map: %s cannot be read, is 1 GB long or has a byte 0\n", path);
    exit(3);
  }
  files[file_count++] = text;
  return text;
}

/* Checks one certificate; returns true if it is accepted. */
static bool certificate_accept(char **text, size_t kept) {
  used = kept;
  certificate.state_count = certificate.equation_count = 0;
  atoms_forget();
  names_forget();
  if (setjmp(rejection) == 0) {
    certificate_check(text);
    return true;
  }
  printf("rejected: line %u: %s\n", line_number, reason);
  for (char *line = *text; line != nullptr && strcmp(line, "end") != 0;) {
    if (line_begins(*text, "map certificate")) break;
    line = line_next(text);
  }
  return false;
}

int main(int argc, char **argv) {
  bool prints_maps = argc > 1 && strcmp(argv[1], "--maps") == 0;
  if (argc != 3 + prints_maps) {
    bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    fputs("affirm-check-map [--maps] RULES CERTIFICATES\n\n"
          "Judges certificates of maps; affirm-check RULES CERTIFICATES starts it where needed.\n"
          "  --maps  print the first and the last map of each accepted certificate, a line each\n",
        is_help ? stdout : stderr);
    return is_help ? 0 : 3;
  }
  argv += prints_maps;
  if (!memory_open()) return fputs("affirm-check-map: out of memory\n", stderr), 3;
  mp_set_memory_functions(new_bytes, number_grow, number_free);
  char *text = file_read(argv[2]);
  if (setjmp(rejection) != 0) {
    fprintf(stderr, "affirm-check-map: %s: %s\n", argv[1], reason);
    return 3;
  }
  rules_read(file_read(argv[1]));
  size_t kept = used;
  unsigned long accepted = 0, rejected = 0;
  for (char *line = line_next(&text); line != nullptr; line = line_next(&text)) {
    bool is_good = strcmp(line, "map certificate 1") == 0 && certificate_accept(&text, kept);
    if (strcmp(line, "map certificate 1") != 0)
      printf("rejected: line %u: expected 'map certificate 1'\n", line_number);
    if (is_good && prints_maps) printf("%s\n%s\n", certificate.first, certificate.last);
    accepted += is_good;
    rejected += !is_good;
  }
  printf("%lu accepted, %lu rejected\n", accepted, rejected);
  if (fflush(stdout) != 0) return 3;
  return rejected > 0 || accepted == 0;
}
