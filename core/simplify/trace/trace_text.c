/* Prints the texts of a trace step: the bindings of letters, and the bounds that its guard used,
 * each with its origin. */
#include "core/expr/visit.h"
#include "core/map/text.h"
#include "core/simplify/trace/trace.h"

static Expr view_out(Match *match, const SumView *view) {
  Simplifier *simplifier = match->simplifier;
  return convert_out(
      simplifier, sum_intern(&simplifier->normal, view->items, view->count, view->constant));
}

static const char *instance_text(Match *match, Arena *arena, bool is_whole) {
  const Rule *rule = match->plan->rule;
  Text text = text_create(arena);
  for (uint32_t i = 0; i < rule->constant_count; i++)
    text_printf(&text, "%s%s = %lld", text.length == 0 ? "" : ", ", rule->constants[i],
        (long long)match->constants[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    text_printf(&text, "%s%s = ", text.length == 0 ? "" : ", ", rule->exprs[i]);
    (is_whole ? expr_print : expr_print_short)(&text, match->simplifier->context,
        match->simplifier->tracer->given, view_out(match, &match->exprs[i].view), MAP_STYLE_LINE);
  }
  if (match->plan->root == PLAN_SUM && match->scale != 1)
    text_printf(&text, ", all times %lld", (long long)match->scale);
  return text.bytes;
}

const char *trace_bindings(Match *match, Arena *arena) {
  return instance_text(match, arena, false);
}

const char *trace_instance(Match *match, Arena *arena) { return instance_text(match, arena, true); }

/* The variables that a text names already. */
typedef struct ListedVariables {
  const Tracer *tracer;
  Text *text;
  bool *has; /* by number of the variable */
  bool has_any;
} ListedVariables;

static void list_variable(ListedVariables *listed, VarKind kind, uint32_t index) {
  const Tracer *tracer = listed->tracer;
  MapContext *context = tracer->simplifier->context;
  bool *has = &listed->has[map_first_number(tracer->given, kind) + index];
  if (*has) return;
  text_string(listed->text, listed->has_any ? ", " : "");
  *has = listed->has_any = true;
  expr_print_short(
      listed->text, context, tracer->given, expr_var(context->pool, kind, index), MAP_STYLE_LINE);
}

static bool list_node(void *listed, Expr, ExprNode node) {
  if (node.op == EXPR_VAR) list_variable(listed, node.var_kind, node.var_index);
  return false;
}

static void list_variables(ListedVariables *listed, const SumView *view);

static void list_atom(ListedVariables *listed, const NormalAtom *atom) {
  const MapContext *context = listed->tracer->simplifier->context;
  if (atom->op == EXPR_VAR) list_variable(listed, atom->var_kind, atom->var_index);
  if (atom->op == EXPR_ADD) { /* an opaque term */
    Memo seen = memo_create(context->arena);
    (void)expr_any(context->pool, &seen, atom->expr, list_node, listed);
  }
  for (uint32_t i = 0; i < atom->count; i++) {
    const NormalSum *sum = atom->arguments[i];
    list_variables(listed, &(SumView){.items = sum->items, .count = sum->count});
  }
}

static void list_variables(ListedVariables *listed, const SumView *view) {
  for (uint32_t i = 0; i < view->count; i++) list_atom(listed, view->items[i].atom);
}

static void list_bounded(Arena *arena, const Tracer *tracer, Text *text, const SumView *view) {
  ListedVariables listed = {.tracer = tracer,
      .text = text,
      .has = ARENA_NEW(arena, bool, map_variable_count(tracer->given))};
  list_variables(&listed, view);
}

static bool speaks_of(const Formula *formula, uint32_t letter) {
  for (uint32_t i = 0; i < formula->count; i++) {
    CodeOp op = formula->items[i].op;
    if ((op == CODE_LO || op == CODE_HI) && formula->items[i].letter == letter) return true;
  }
  return false;
}

static bool guard_speaks_of(const MatchPlan *plan, uint32_t letter) {
  for (uint32_t i = 0; i < plan->guard_count; i++)
    if (speaks_of(&plan->guards[i].left, letter) || speaks_of(&plan->guards[i].right, letter))
      return true;
  return false;
}

static void add_fact(Match *match, Arena *arena, Text *text, uint32_t letter) {
  const Tracer *tracer = match->simplifier->tracer;
  const SumView *view = &match->exprs[letter].view;
  Interval bounds, box;
  if (view->count == 0 || !match_letter_bounds(match, (uint8_t)letter, &bounds)) return;
  NormalSum *sum = sum_intern(&match->simplifier->normal, view->items, view->count, view->constant);
  bool by_box =
      facts_sum(match->simplifier, sum, &box) && box.lo == bounds.lo && box.hi == bounds.hi;
  text_printf(text, "%s%lld <= ", text->length == 0 ? "" : "; ", (long long)bounds.lo);
  expr_print_short(text, match->simplifier->context, tracer->given,
      convert_out(match->simplifier, sum), MAP_STYLE_LINE);
  text_printf(
      text, " <= %lld (%sbounds of ", (long long)bounds.hi, by_box ? "" : "constraints and ");
  list_bounded(arena, tracer, text, view);
  text_string(text, ")");
}

static bool term_bounds(const RuleTerm *term, uint32_t letter) {
  if (term == nullptr) return false;
  if (term->kind == TERM_LO || term->kind == TERM_HI) return term->letter == letter;
  bool has_operands = term->kind == TERM_OPERATOR || term->kind == TERM_GCD;
  return has_operands && (term_bounds(term->left, letter) || term_bounds(term->right, letter));
}

static bool rule_bounds(const Rule *rule, uint32_t letter) {
  for (uint32_t i = 0; i < rule->guard_count; i++)
    if (term_bounds(rule->guards[i].left, letter) || term_bounds(rule->guards[i].right, letter))
      return true;
  const Side *right = &rule->right;
  return term_bounds(right->expr, letter) || term_bounds(right->lo, letter) ||
         term_bounds(right->hi, letter);
}

const char *trace_bounds(Match *match, Arena *arena) {
  const Rule *rule = match->plan->rule;
  Text text = text_create(arena);
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    Interval bounds;
    if (!rule_bounds(rule, i) || !match_letter_bounds(match, (uint8_t)i, &bounds)) continue;
    text_printf(&text, "%slo(%s) = %lld, hi(%s) = %lld", text.length == 0 ? "" : ", ",
        rule->exprs[i], (long long)bounds.lo, rule->exprs[i], (long long)bounds.hi);
  }
  return text.bytes;
}

const char *trace_facts(Match *match, Arena *arena) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < match->plan->rule->expr_count; i++)
    if (guard_speaks_of(match->plan, i)) add_fact(match, arena, &text, i);
  return text.bytes;
}
