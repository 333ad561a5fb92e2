/* The normal form of a term: operands first, then laws at the root until none applies. A law that
 * exchanges variables is applied only if the first variable that moves becomes smaller, so that
 * rewriting terminates; most_steps is an additional bound. Bodies of folds are not rewritten. */
#include <math.h>
#include <string.h>

#include "core/base/stack.h"
#include "oracle/terms/laws.h"
#include "oracle/terms/ring.h"
#include "oracle/values/element.h"

static constexpr uint64_t most_steps = 20'000'000;
static constexpr uint32_t most_made = 300'000; /* terms for one comparison */
static constexpr uint32_t most_at_root = 64;

typedef struct TermLawMatch {
  LawUse *use;
  const Law *law;
  ElementType type; /* of the root */
  Term bound[law_variables];
  Term operations[law_variables]; /* matched operations, whose signatures the right side uses
                                     again */
  uint32_t operation_count;
} TermLawMatch;

bool law_is_power(ElementType type, double value) {
  int exponent, most = type == TYPE_f16 ? 14 : type == TYPE_f64 ? 1022 : 126;
  if (!isfinite(value) || fabs(frexp(value, &exponent)) != 0.5) return false;
  return exponent - 1 >= -most && exponent - 1 <= most;
}

double law_constant(const LawPattern *pattern) {
  if (pattern->infinity != 0) return pattern->infinity > 0 ? (double)INFINITY : -(double)INFINITY;
  return pattern->is_minus_zero ? -0.0 : (double)pattern->constant;
}

static bool is_constant(const Terms *terms, Term term, const LawPattern *pattern) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_CONSTANT) return false;
  if (element_type_is_integral(data->type))
    return (int64_t)data->payload == pattern->constant && !pattern->is_minus_zero &&
           pattern->infinity == 0;
  double value = law_constant(pattern);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits == (uint64_t)data->payload;
}

static bool is_float(const Terms *terms, Term term, double *value) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_CONSTANT || element_type_is_integral(data->type)) return false;
  memcpy(value, &data->payload, sizeof *value);
  return true;
}

/* The type that an operand must have. A conversion goes through the wider type, and below it the
 * root's type is wanted again. */
static bool operand_type(const TermLawMatch *matched, const LawPattern *pattern, Term operand,
    ElementType type, ElementType *wanted) {
  *wanted = matched->type;
  if (!matched->law->is_through_wider || pattern->opcode != HLO_CONVERT || type != matched->type)
    return true;
  *wanted = term_data(matched->use->terms, operand)->type;
  return *wanted != matched->type && type_keeps_values(matched->type, *wanted);
}

static bool match(TermLawMatch *matched, const LawPattern *pattern, Term term, ElementType type) {
  const Terms *terms = matched->use->terms;
  const TermData *data = term_data(terms, term);
  if (data->type != type) return false;
  if (pattern->kind == LAW_CONSTANT) return is_constant(terms, term, pattern);
  if (pattern->kind == LAW_INVERSE || pattern->kind == LAW_OPPOSITE) return false;
  if (pattern->kind == LAW_VARIABLE) {
    double value;
    if (pattern->variable == matched->law->restricted &&
        !(is_float(terms, term, &value) && (!matched->law->is_power || law_is_power(type, value))))
      return false;
    Term *bound = &matched->bound[pattern->variable];
    if (*bound == no_term) *bound = term;
    return *bound == term;
  }
  if (data->kind != TERM_APPLY || data->count != pattern->count) return false;
  const TermSignature *of = signature_at(terms, data->signature);
  if (of->is_opaque || of->is_unordered || of->instruction == nullptr ||
      of->instruction->opcode != pattern->opcode)
    return false;
  if (matched->operation_count < law_variables)
    matched->operations[matched->operation_count++] = term;
  for (uint32_t i = 0; i < data->count; i++) {
    Term operand = term_children(terms, term)[i];
    ElementType wanted;
    if (!operand_type(matched, pattern, operand, type, &wanted) ||
        !match(matched, pattern->children[i], operand, wanted))
      return false;
  }
  return true;
}

/* Whether a sum or product of constants that a law makes has lost no more than digits: it is
 * finite, and a product is zero, or below the normal numbers, only if a factor is. */
static bool constants_keep_range(
    const Terms *terms, Opcode opcode, uint32_t count, const Term *operands, Term made) {
  double value, operand, smallest_factor = (double)INFINITY;
  if (!is_float(terms, made, &value)) return true;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_float(terms, operands[i], &operand) || !isfinite(operand)) return true;
    smallest_factor = fmin(smallest_factor, fabs(operand));
  }
  if (!isfinite(value)) return false;
  if (opcode != HLO_MULTIPLY ||
      fabs(value) >= element_smallest_normal(term_data(terms, made)->type))
    return true;
  if (value == 0) return smallest_factor == 0;
  return smallest_factor < element_smallest_normal(term_data(terms, made)->type);
}

/* The signature of the matched operation, or of a new one. */
static uint32_t made_signature(
    const TermLawMatch *matched, const LawPattern *pattern, ElementType type) {
  Terms *terms = matched->use->terms;
  for (uint32_t i = 0; i < matched->operation_count; i++) {
    uint32_t signature = term_data(terms, matched->operations[i])->signature;
    if (signature_at(terms, signature)->instruction->opcode == pattern->opcode) return signature;
  }
  return signature_of_operation(terms, pattern->opcode, type, pattern->count);
}

/* no_term: a constant that the law makes has left the range of its type. */
static Term laws_apply_make(TermLawMatch *matched, const LawPattern *pattern, ElementType type) {
  Terms *terms = matched->use->terms;
  Term children[law_operands] = {};
  if (pattern->kind == LAW_VARIABLE) return matched->bound[pattern->variable];
  if (pattern->kind == LAW_CONSTANT)
    return element_type_is_integral(type) ? term_constant(terms, type, pattern->constant)
                                          : term_float(terms, type, law_constant(pattern));
  double value = 1;
  if (pattern->kind != LAW_OPERATION)
    return is_float(terms, matched->bound[pattern->variable], &value)
               ? term_float(terms, type, pattern->kind == LAW_INVERSE ? 1 / value : -value)
               : no_term;
  for (uint32_t i = 0; i < pattern->count; i++) {
    children[i] = laws_apply_make(matched, pattern->children[i], type);
    if (children[i] == no_term) return no_term;
  }
  Term made = term_apply(terms, made_signature(matched, pattern, type), pattern->count, children);
  return constants_keep_range(terms, pattern->opcode, pattern->count, children, made) ? made
                                                                                      : no_term;
}

/* The order in which laws sort: constants come last, so that they meet and are computed. */
static bool comes_before(const Terms *terms, Term a, Term b) {
  bool is_last = term_data(terms, a)->kind == TERM_CONSTANT;
  if (is_last != (term_data(terms, b)->kind == TERM_CONSTANT)) return !is_last;
  return a < b;
}

/* 1 if the first variable that differs between the sides becomes an earlier term, -1 if a later
 * one, 0 if none differs. */
static int sorts(const TermLawMatch *matched, const LawPattern *left, const LawPattern *right) {
  if (left->kind == LAW_VARIABLE) {
    Term from = matched->bound[left->variable], to = matched->bound[right->variable];
    return from == to ? 0 : comes_before(matched->use->terms, to, from) ? 1 : -1;
  }
  for (uint32_t i = 0; i < left->count; i++) {
    int sorted = sorts(matched, left->children[i], right->children[i]);
    if (sorted != 0) return sorted;
  }
  return 0;
}

static bool fits_type(LawTypes types, ElementType type) {
  switch (types) {
    case LAW_INTEGRAL: return element_type_is_integral(type) && type != TYPE_pred;
    case LAW_PRED: return type == TYPE_pred;
    case LAW_FLOATING:
      return type == TYPE_f16 || type == TYPE_bf16 || type == TYPE_f32 || type == TYPE_f64;
  }
  return false;
}

static bool apply_one(LawUse *use, uint32_t at, Term *term) {
  const Law *law = &use->laws->items[at];
  ElementType type = term_data(use->terms, *term)->type;
  TermLawMatch matched = {
      .use = use, .law = law, .type = type, .bound = {no_term, no_term, no_term, no_term}};
  if (law->is_longer || law->grade > use->grade || !fits_type(law->types, type) ||
      !match(&matched, law->left, *term, type))
    return false;
  if (law->is_exchange && sorts(&matched, law->left, law->right) <= 0) return false;
  Term made = laws_apply_make(&matched, law->right, type);
  if (made == no_term || made == *term) return false;
  use->used.words[at / 64] |= UINT64_C(1) << at % 64;
  *term = made;
  return true;
}

static Term laws_apply_rebuild(LawUse *use, Term term) {
  TermData data = *term_data(use->terms, term);
  if (data.count == 0) return term;
  Term *children = ARENA_NEW(use->arena, Term, data.count);
  for (uint32_t i = 0; i < data.count; i++)
    children[i] = laws_normal(use, term_children(use->terms, term)[i]);
  if (data.kind == TERM_PICK)
    return term_pick(use->terms, children[0], data.count - 1, children + 1);
  return term_rebuild(use->terms, &data, children);
}

bool law_set_has(const LawSet *set, uint32_t law) {
  return (set->words[law / 64] >> law % 64 & 1) != 0;
}

void law_set_join(LawSet *set, const LawSet *other) {
  for (size_t i = 0; i < sizeof set->words / sizeof *set->words; i++)
    set->words[i] |= other->words[i];
}

/* Allocates an entry for every existing term; terms created later are normalised without being
 * cached. */
static void laws_grow(LawUse *use) {
  uint32_t count = terms_count(use->terms);
  if (count <= use->capacity) return;
  LawNormal *normal = ARENA_NEW(use->arena, LawNormal, count + count / 2);
  if (use->capacity > 0) memcpy(normal, use->normal, use->capacity * sizeof *normal);
  for (uint32_t i = use->capacity; i < count + count / 2; i++) normal[i].term = no_term;
  use->normal = normal;
  use->capacity = count + count / 2;
}

/* The result of a law is normalised below its root as well, because its operations are new. */
static Term normal_of(LawUse *use, Term term) {
  Term made = laws_apply_rebuild(use, term);
  for (uint32_t round = 0; round < most_at_root; round++) {
    bool is_applied = false;
    Opcode root;
    if (!term_operation(use->terms, made, &root)) break;
    for (uint32_t i = 0; !is_applied && i < use->laws->count; i++)
      is_applied = use->laws->items[i].left->opcode == root && apply_one(use, i, &made);
    if (!is_applied) break;
    made = laws_apply_rebuild(use, made);
  }
  return made;
}

/* The laws used for a normal form are stored with it, so that each verdict names its own laws. */
Term laws_normal(LawUse *use, Term term) {
  laws_grow(use);
  LawSet before = use->used;
  if (use->normal[term].term == no_term) {
    use->is_out |=
        use->steps++ > most_steps || terms_count(use->terms) > use->most_terms || stack_is_low();
    if (use->is_out) return term;
    use->used = (LawSet){};
    Term made = normal_of(use, term);
    if (use->is_out) return made;
    use->normal[term] = (LawNormal){made, use->used};
    use->used = before;
  }
  law_set_join(&use->used, &use->normal[term].used);
  return use->normal[term].term;
}

void laws_limit(LawUse *use) {
  use->most_terms = terms_count(use->terms) + most_made;
  use->is_out = false;
}

void laws_mark(LawUse *use, const char *name) {
  for (uint32_t i = 0; i < use->laws->count; i++)
    if (strcmp(use->laws->items[i].name, name) == 0)
      use->used.words[i / 64] |= UINT64_C(1) << i % 64;
}

void laws_use(LawUse *use, Arena *arena, Terms *terms, const Laws *laws, LawGrade grade) {
  *use = (LawUse){.arena = arena, .terms = terms, .laws = laws, .grade = grade};
}
