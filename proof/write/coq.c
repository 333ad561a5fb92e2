/* Writes a rule as a theorem of Coq over Z. The statement consists of the rule's own terms. The
 * proof first names each division, max and gcd as the certificate does, from the inside out. It
 * then follows the certificate: cases by destruct, each sum and rounding by lia over the named
 * facts. */
#include <assert.h>
#include <string.h>

#include "proof/write/certificate.h"

typedef struct Coq {
  Arena *arena;
  const char *const *names; /* of unknowns; nullptr: unused */
  const Statement *statement;
  const RuleProof *proof;
  const Rule *rule;
  Text text;
  const Refuted *refuted; /* the current obligation */
  uint32_t equations;
} Coq;

/* The certificate's names as identifiers: lo(x) becomes lo_x. */
static const char *const *coq_names(Arena *arena, const Refutations *refutations, uint32_t count) {
  const char **names = ARENA_NEW(arena, const char *, count);
  for (uint32_t i = 0; i < count; i++) {
    names[i] = refutations->names[i];
    size_t length = names[i] == nullptr ? 0 : strlen(names[i]);
    if (length == 0 || names[i][length - 1] != ')') continue;
    char *plain = arena_text(arena, names[i], length - 1);
    plain[2] = '_';
    names[i] = plain;
  }
  return names;
}

static const char *poly_text(const Coq *coq, Poly poly) {
  Text text = text_create(coq->arena);
  poly_print_named(&text, coq->proof->ring, poly, coq->names);
  return text.bytes;
}

/* The unknown with this definition, or UINT32_MAX. */
static uint32_t unknown_find(const Coq *coq, UnknownKind kind, Poly a, Poly b) {
  for (uint32_t i = 0; i < coq->proof->count; i++)
    if (coq->proof->items[i].kind == kind && poly_equal(coq->proof->items[i].a, a) &&
        poly_equal(coq->proof->items[i].b, b))
      return i;
  return UINT32_MAX;
}

static const char *term_text(Coq *coq, const RuleTerm *term, bool is_stated);

/* The text of a quotient. A quotient without a definition is a number, 0, or the numerator. */
static const char *quotient_text(Coq *coq, Poly a, Poly b, uint32_t *unknown) {
  *unknown = unknown_find(coq, UNKNOWN_QUOTIENT, a, b);
  if (*unknown != UINT32_MAX) return coq->names[*unknown];
  return arena_printf(
      coq->arena, "(%s)", poly_text(coq, system_quotient(coq->statement->system, a, b)));
}

/* Asserts that the division of these texts, which equal the polynomials, is the quotient. */
static const char *put_division(
    Coq *coq, const char *a, const char *b, Poly top, Poly bottom, uint32_t *unknown) {
  const char *quotient = quotient_text(coq, top, bottom, unknown);
  uint32_t number = ++coq->equations;
  text_printf(&coq->text, "  assert (N%u : %s / %s = %s) by ", number, a, b, quotient);
  if (*unknown != UINT32_MAX) text_printf(&coq->text, "(apply E_%s; ring).\n", quotient);
  else
    text_printf(
        &coq->text, "(quotient_is (%s) (%s)).\n", poly_text(coq, top), poly_text(coq, bottom));
  return quotient;
}

static const char *division_text(Coq *coq, const RuleTerm *term, bool is_stated) {
  const char *a = term_text(coq, term->left, is_stated),
             *b = term_text(coq, term->right, is_stated);
  if (is_stated) {
    if (term->op == EXPR_CEILDIV) return arena_printf(coq->arena, "(- ((- %s) / %s))", a, b);
    return arena_printf(coq->arena, term->op == EXPR_MOD ? "(%s mod %s)" : "(%s / %s)", a, b);
  }
  PolyRing *ring = coq->proof->ring;
  Poly top = system_term(coq->statement->system, term->left),
       bottom = system_term(coq->statement->system, term->right);
  uint32_t unknown;
  if (term->op == EXPR_CEILDIV) {
    const char *quotient = put_division(
        coq, arena_printf(coq->arena, "(- %s)", a), b, poly_scale(ring, top, -1), bottom, &unknown);
    text_printf(&coq->text, "  rewrite ?N%u in *.\n", coq->equations);
    return arena_printf(coq->arena, "(- %s)", quotient);
  }
  const char *quotient = put_division(coq, a, b, top, bottom, &unknown);
  if (term->op != EXPR_MOD) {
    text_printf(&coq->text, "  rewrite ?N%u in *.\n", coq->equations);
    return quotient;
  }
  const char *rest = arena_printf(coq->arena, "(%s - %s * %s)", a, b, quotient);
  uint32_t number = ++coq->equations;
  text_printf(&coq->text,
      "  assert (N%u : %s mod %s = %s) by (exact (mod_is _ _ _ _ N%u eq_refl)).\n  rewrite ?N%u in *.\n",
      number, a, b, rest, number - 1, number);
  return rest;
}

static const char *gcd_text(Coq *coq, const RuleTerm *term, bool is_stated) {
  const char *a = term_text(coq, term->left, is_stated),
             *b = term_text(coq, term->right, is_stated);
  if (is_stated) return arena_printf(coq->arena, "(Z.gcd %s %s)", a, b);
  Poly left = system_term(coq->statement->system, term->left),
       right = system_term(coq->statement->system, term->right);
  if (poly_equal(left, right)) {
    const char *value =
        arena_printf(coq->arena, "(%s)", poly_text(coq, system_term(coq->statement->system, term)));
    text_printf(&coq->text,
        "  assert (N%u : Z.gcd %s %s = %s) by (rewrite (gcd_equal %s %s ltac:(ring)); lia).\n  rewrite ?N%u in *.\n",
        coq->equations + 1, a, b, value, a, b, coq->equations + 1);
    coq->equations++;
    return value;
  }
  uint32_t unknown = unknown_find(coq, UNKNOWN_GCD, left, right), number = ++coq->equations;
  bool is_exchanged = unknown == UINT32_MAX;
  if (is_exchanged) unknown = unknown_find(coq, UNKNOWN_GCD, right, left);
  const char *name = unknown == UINT32_MAX ? "0" : coq->names[unknown];
  text_printf(&coq->text,
      "  assert (N%u : Z.gcd %s %s = %s) by (%sapply E_%s; ring).\n  rewrite ?N%u in *.\n", number,
      a, b, name, is_exchanged ? "rewrite Z.gcd_comm; " : "", name, number);
  return name;
}

static const char *extreme_text(Coq *coq, const RuleTerm *term, bool is_stated) {
  const char *a = term_text(coq, term->left, is_stated),
             *b = term_text(coq, term->right, is_stated),
             *word = term->op == EXPR_MIN ? "Z.min" : "Z.max";
  if (is_stated) return arena_printf(coq->arena, "(%s %s %s)", word, a, b);
  uint32_t number = ++coq->equations;
  const char *value =
      arena_printf(coq->arena, "(%s)", poly_text(coq, system_term(coq->statement->system, term)));
  text_printf(&coq->text, "  assert (N%u : %s %s %s = %s) by lia.\n  rewrite ?N%u in *.\n", number,
      word, a, b, value, number);
  return value;
}

static const char *operator_text(Coq *coq, const RuleTerm *term, bool is_stated) {
  switch (term->op) {
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: return division_text(coq, term, is_stated);
    case EXPR_MIN:
    case EXPR_MAX: return extreme_text(coq, term, is_stated);
    case EXPR_ADD:
    case EXPR_MUL:
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  const char *a = term_text(coq, term->left, is_stated);
  if (term->op == EXPR_MUL && term->right->kind == TERM_INTEGER && term->right->value == -1)
    return arena_printf(coq->arena, "(- %s)", a);
  const char *b = term_text(coq, term->right, is_stated);
  return arena_printf(coq->arena, "(%s %s %s)", a, term->op == EXPR_ADD ? "+" : "*", b);
}

/* The stated term or, after printing the proof steps, the term with each division replaced by its
 * name. */
static const char *term_text(Coq *coq, const RuleTerm *term, bool is_stated) {
  switch (term->kind) {
    case TERM_INTEGER:
      return arena_printf(coq->arena, term->value < 0 ? "(%lld)" : "%lld", (long long)term->value);
    case TERM_CONSTANT_LETTER: return coq->rule->constants[term->letter];
    case TERM_EXPR: return coq->rule->exprs[term->letter];
    case TERM_LO: return arena_printf(coq->arena, "lo_%s", coq->rule->exprs[term->letter]);
    case TERM_HI: return arena_printf(coq->arena, "hi_%s", coq->rule->exprs[term->letter]);
    case TERM_OPERATOR: return operator_text(coq, term, is_stated);
    case TERM_GCD: return gcd_text(coq, term, is_stated);
  }
  assert(false);
  return "";
}

/* Prints "B >= 1" followed by `format` for each divisor B of the term. */
static void put_divisors(Coq *coq, const RuleTerm *term, const char *format) {
  if (term == nullptr || (term->kind != TERM_OPERATOR && term->kind != TERM_GCD)) return;
  put_divisors(coq, term->left, format);
  put_divisors(coq, term->right, format);
  if (term->kind == TERM_OPERATOR && op_divides(term->op))
    text_printf(&coq->text, "%s >= 1%s", term_text(coq, term->right, true), format);
}

static uint32_t count_divisors(const RuleTerm *term) {
  if (term == nullptr || (term->kind != TERM_OPERATOR && term->kind != TERM_GCD)) return 0;
  return count_divisors(term->left) + count_divisors(term->right) +
         (term->kind == TERM_OPERATOR && op_divides(term->op));
}

static uint32_t side_divisors(const Side *side) {
  return count_divisors(side->expr) + count_divisors(side->lo) + count_divisors(side->hi);
}

static void put_side(Coq *coq, const Side *side) {
  const char *value = term_text(coq, side->expr, true);
  if (!side->is_constraint) {
    text_string(&coq->text, value);
    return;
  }
  text_printf(&coq->text, "(%s <= %s /\\ ", term_text(coq, side->lo, true), value);
  text_printf(&coq->text, "%s <= %s)", value, term_text(coq, side->hi, true));
}

static void put_statement(Coq *coq, const char *name) {
  Text *text = &coq->text;
  const Rule *rule = coq->rule;
  bool has_letter = rule->constant_count + rule->expr_count > 0;
  text_printf(text, "Theorem %s :%s", name, has_letter ? " forall" : "");
  for (uint32_t i = 0; i < rule->constant_count; i++) text_printf(text, " %s", rule->constants[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++)
    text_printf(text, " %s lo_%s hi_%s", rule->exprs[i], rule->exprs[i], rule->exprs[i]);
  text_string(text, has_letter ? " : Z,\n" : "\n");
  for (uint32_t i = 0; i < rule->expr_count; i++)
    text_printf(text, "  lo_%s <= %s -> %s <= hi_%s ->\n", rule->exprs[i], rule->exprs[i],
        rule->exprs[i], rule->exprs[i]);
  static const char *const relations[] = {[REL_EQ] = "=",
      [REL_NE] = "<>",
      [REL_LT] = "<",
      [REL_LE] = "<=",
      [REL_GT] = ">",
      [REL_GE] = ">="};
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    const Guard *guard = &rule->guards[i];
    text_string(text, "  ");
    put_divisors(coq, guard->left, " -> ");
    put_divisors(coq, guard->right, " -> ");
    const char *left = term_text(coq, guard->left, true);
    text_printf(text, "%s %s %s ->\n", left, relations[guard->relation],
        term_text(coq, guard->right, true));
  }
  text_string(text, "  ");
  for (int i = 0; i < 2; i++) {
    const Side *side = i == 0 ? &rule->left : &rule->right;
    put_divisors(coq, side->expr, " /\\ ");
    put_divisors(coq, side->lo, " /\\ ");
    put_divisors(coq, side->hi, " /\\ ");
  }
  text_string(text, "(");
  put_side(coq, &rule->left);
  text_string(text, rule->left.is_constraint ? " <-> " : " = ");
  put_side(coq, &rule->right);
  text_string(text, ").\n");
}

static void put_intros(Coq *coq) {
  Text *text = &coq->text;
  const Rule *rule = coq->rule;
  text_string(text, "Proof.\n  intros");
  for (uint32_t i = 0; i < rule->constant_count; i++) text_printf(text, " %s", rule->constants[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++)
    text_printf(text, " %s lo_%s hi_%s", rule->exprs[i], rule->exprs[i], rule->exprs[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++)
    text_printf(text, " L_%s U_%s", rule->exprs[i], rule->exprs[i]);
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    const Guard *guard = &rule->guards[i];
    uint32_t divisors = count_divisors(guard->left) + count_divisors(guard->right);
    for (uint32_t k = 1; k <= divisors; k++) text_printf(text, " V%u_%u", i + 1, k);
    text_printf(text, " G%u", i + 1);
  }
  text_string(text, ".\n");
}

static void put_definitions(Coq *coq) {
  Text *text = &coq->text;
  for (uint32_t i = 0; i < coq->proof->count; i++) {
    const RuleUnknown *unknown = &coq->proof->items[i];
    if (coq->names[i] == nullptr) continue;
    const char *name = coq->names[i], *a = poly_text(coq, unknown->a);
    switch (unknown->kind) {
      case UNKNOWN_QUOTIENT:
        text_printf(text, "  destruct (floordiv_define (%s) (%s)) as [%s [E_%s C_%s]].\n", a,
            poly_text(coq, unknown->b), name, name, name);
        break;
      case UNKNOWN_MAX:
        text_printf(
            text, "  destruct (positive_define (%s)) as [%s [E_%s C_%s]].\n", a, name, name, name);
        break;
      case UNKNOWN_GCD:
        text_printf(text,
            "  destruct (gcd_define (%s) (%s)) as (%s & ga%s & gb%s & gs%s & gt%s & E_%s & C_%s_1 & C_%s_2 & C_%s_3 & C_%s_4).\n",
            a, poly_text(coq, unknown->b), name, name + 1, name + 1, name + 1, name + 1, name, name,
            name, name, name);
        break;
      case UNKNOWN_NAMED:
        text_printf(text, "  destruct (poly_define (%s)) as [%s C_%s].\n", a, name, name);
        break;
      case UNKNOWN_CONSTANT:
      case UNKNOWN_EXPR:
      case UNKNOWN_LO:
      case UNKNOWN_HI:
      case UNKNOWN_GCD_LEFT:
      case UNKNOWN_GCD_RIGHT:
      case UNKNOWN_BEZOUT_LEFT:
      case UNKNOWN_BEZOUT_RIGHT: break;
    }
  }
}

static void name_terms(Coq *coq) {
  for (uint32_t i = 0; i < coq->rule->guard_count; i++) {
    (void)term_text(coq, coq->rule->guards[i].left, false);
    (void)term_text(coq, coq->rule->guards[i].right, false);
  }
  for (int i = 0; i < 2; i++) {
    const Side *side = i == 0 ? &coq->rule->left : &coq->rule->right;
    (void)term_text(coq, side->expr, false);
    if (side->is_constraint) (void)term_text(coq, side->lo, false);
    if (side->is_constraint) (void)term_text(coq, side->hi, false);
  }
}

/* The hypothesis of a premise; for a clause with several facts, the prefix of its facts' names. */
static const char *premise_name(const Coq *coq, uint32_t number) {
  const Premise *premise = &coq->refuted->premises.items[number];
  switch (premise->reason) {
    case REASON_GOAL: return "goal";
    case REASON_LOW: return "low";
    case REASON_HIGH: return "high";
    case REASON_GUARD: return arena_printf(coq->arena, "G%u", premise->number);
    case REASON_GUARD_DIVISOR:
      return arena_printf(coq->arena, "V%u_%u", premise->number, premise->part);
    case REASON_DIVISOR: return arena_printf(coq->arena, "D%u", premise->number);
    case REASON_LOWER: return arena_printf(coq->arena, "L_%s", coq->names[premise->number]);
    case REASON_UPPER: return arena_printf(coq->arena, "U_%s", coq->names[premise->number]);
    case REASON_DEFINE: return arena_printf(coq->arena, "C_%s", coq->names[premise->number]);
    case REASON_LEMMA:
    case REASON_INTEGER: return arena_printf(coq->arena, "I%u", number);
  }
  assert(false);
  return "";
}

static void put_instances(Coq *coq) {
  Text *text = &coq->text;
  for (uint32_t i = 0; i < coq->refuted->premises.count; i++) {
    if (!tree_uses(coq->refuted->tree, &coq->refuted->premises, i)) continue;
    const Premise *premise = &coq->refuted->premises.items[i];
    const Candidate *instance = premise->clause.instance;
    const char *name = premise_name(coq, i);
    if (premise->reason == REASON_GUARD && premise->clause.count == 2)
      text_printf(text, "    apply not_equal in %s.\n", name);
    if (premise->reason == REASON_INTEGER)
      text_printf(text, "    pose proof (integer_lemma (%s)) as %s.\n",
          poly_text(coq, premise->clause.branches[0].items[0].poly), name);
    if (premise->reason != REASON_LEMMA) continue;
    text_printf(text, "    pose proof (%s_lemma (%s) (%s)", lemma_name(instance->kind),
        poly_text(coq, instance->a), poly_text(coq, instance->b));
    if (instance->kind == LEMMA_SPLIT) {
      text_string(text, " (");
      wide_print(text, premise->clause.k);
      text_string(text, ")");
    }
    text_printf(text, ") as %s.\n", name);
  }
}

static const char *fact_name(const Coq *coq, const TreeTerm *term) {
  if (term->premise == UINT32_MAX) return arena_printf(coq->arena, "R%u", term->fact);
  const Clause *clause = &coq->refuted->premises.items[term->premise].clause;
  const char *name = premise_name(coq, term->premise);
  bool is_plain = clause->count == 1 && clause->branches[0].count == 1;
  return is_plain ? name : arena_printf(coq->arena, "%s_%u", name, term->fact + 1);
}

static void put_facts(Coq *coq, const Tree *tree) {
  for (uint32_t i = 0; i < tree->count; i++)
    text_printf(&coq->text, " %s", fact_name(coq, &tree->items[i]));
}

static void put_tree(Coq *coq, const Tree *tree, int indent);

static void put_cases(Coq *coq, const Tree *tree, int indent) {
  Text *text = &coq->text;
  const Clause *clause = &coq->refuted->premises.items[tree->premise].clause;
  const char *name = premise_name(coq, tree->premise);
  text_printf(text, "%*sdestruct %s as ", indent, "", name);
  for (uint32_t b = 0; b < clause->count; b++) {
    if (b + 1 < clause->count) text_string(text, "[");
    if (clause->branches[b].count > 1) text_string(text, "[");
    for (uint32_t f = 0; f < clause->branches[b].count; f++)
      text_printf(text, "%s%s_%u", f > 0 ? " " : "", name, f + 1);
    if (clause->branches[b].count > 1) text_string(text, "]");
    if (b + 1 < clause->count) text_string(text, " | ");
  }
  for (uint32_t b = 0; b + 1 < clause->count; b++) text_string(text, "]");
  text_string(text, ".\n");
  for (uint32_t b = 0; b < clause->count; b++) {
    text_printf(text, "%*s{\n", indent, "");
    put_tree(coq, tree->children[b], indent + 1);
    text_printf(text, "%*s}\n", indent, "");
  }
}

static void put_tree(Coq *coq, const Tree *tree, int indent) {
  Text *text = &coq->text;
  switch (tree->kind) {
    case TREE_SUM:
      text_printf(text, "%*sclear -", indent, "");
      put_facts(coq, tree);
      text_string(text, "; lia.\n");
      return;
    case TREE_ROUND:
      text_printf(text, "%*sassert (R%u : %s >= 0).\n%*s{ clear -", indent, "", tree->rounded,
          poly_text(coq, tree->poly), indent, "");
      put_facts(coq, tree);
      text_string(text, "; lia. }\n");
      put_tree(coq, tree->children[0], indent);
      return;
    case TREE_CASES: put_cases(coq, tree, indent); return;
  }
}

static void put_obligation(Coq *coq, const Refuted *refuted, const char *before) {
  coq->refuted = refuted;
  text_string(&coq->text, before);
  put_instances(coq);
  put_tree(coq, refuted->tree, 4);
  text_string(&coq->text, "  }\n");
}

const char *coq_lemmas(void) {
  static const char text[] = {
#embed "../coq/Affirm.v" suffix(, 0)
  };
  return text;
}

const char *coq_write(Arena *arena, const Refutations *refutations, const char *name) {
  if (refutations->why != nullptr) return nullptr;
  const Statement *statement = refutations->statement;
  Coq coq = {.arena = arena,
      .names = coq_names(arena, refutations, statement->refutation->proof->count),
      .statement = statement,
      .proof = statement->refutation->proof,
      .rule = statement->refutation->proof->rule,
      .text = text_create(arena)};
  put_statement(&coq, name);
  put_intros(&coq);
  put_definitions(&coq);
  name_terms(&coq);
  uint32_t divisors = statement->divisors.count;
  for (uint32_t i = 0; i < divisors; i++)
    put_obligation(&coq, &refutations->items[i],
        arena_printf(arena, "  assert (D%u : %s >= 1).\n  { apply refute_ge; intros goal.\n", i + 1,
            poly_text(&coq, statement->divisors.items[i])));
  for (uint32_t i = side_divisors(&coq.rule->left) + side_divisors(&coq.rule->right); i > 0; i--)
    text_string(&coq.text, "  split; [lia |].\n");
  if (coq.rule->left.is_constraint) {
    text_string(&coq.text, "  split; intros [low high]; split; apply refute_le; intros goal.\n");
    for (uint32_t i = 0; i < 4; i++)
      put_obligation(&coq, &refutations->items[divisors + i], "  {\n");
  } else {
    text_string(&coq.text, "  apply refute_eq; intros goal.\n");
    for (uint32_t i = 0; i < 2; i++)
      put_obligation(&coq, &refutations->items[divisors + i], "  {\n");
  }
  text_string(&coq.text, "Qed.\n");
  return coq.text.bytes;
}
