/* Containment of unions: each inner piece is checked against the negation of all outer solutions.
 * Solving the outer pieces is an equivalence, so a model is a pair of the inner relation that the
 * outer one lacks. It is replayed nevertheless, so that no refutation relies on solver, encoder and
 * elimination. */
#include "smt/relation/relation.h"

#include "core/base/budget.h"
#include "smt/solver/confirm.h"
#include "smt/relation/relation_linear.h"
#include "smt/relation/relation_parts.h"
#include "smt/relation/relation_plain.h"
#include "smt/relation/relation_search.h"
#include "smt/relation/relation_solve.h"
#include "smt/solver/session.h"
#include "smt/terms/polynomial.h"

/* An outer solution with remaining hidden integers, and its original piece. */
typedef struct Open {
  Piece solution;
  const Piece *piece;
} Open;

typedef struct Opens {
  Open *items;
  uint32_t count, capacity;
} Opens;

typedef struct RelationAsking {
  RelationWork *work;
  Query *query;
  Relation closed; /* outer solutions without hidden integers */
  Opens open;
  Relation linear; /* the closed ones with fewer quotients, by position */
  bool is_simpler; /* some of `linear` has fewer quotients than in `closed` */
  const Relation *inner, *outer;
  bool is_part; /* of a larger question: only a refutation counts, models are not replayed */
} RelationAsking;

static VerdictStatus give_up(RelationWork *work, const char *why) {
  work->reason = why;
  return VERDICT_UNKNOWN;
}

static Z3_ast conjunction(Query *query, const Withins *withins) {
  Z3_ast *parts = ARENA_NEW(query->arena, Z3_ast, withins->count);
  for (uint32_t i = 0; i < withins->count; i++) parts[i] = query_within(query, withins->items[i]);
  return query_and(query, withins->count, parts);
}

/* Whether a value depends on hidden integers: such a value cannot be expressed under a quantifier
 * here. */
static bool has_hidden_value(const RelationWork *work, const Piece *solution) {
  const Sums *sums = work->sums;
  bool *depends = ARENA_NEW(sums->arena, bool, sums->atom_count);
  for (uint32_t i = 0; i < solution->hidden.count; i++) depends[solution->hidden.items[i]] = true;
  sums_mark_dependent(sums, depends);
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    if (!depends[i] || sums->atoms[i].kind == ATOM_FREE || sums->atoms[i].kind == ATOM_MIN ||
        sums->atoms[i].kind == ATOM_MAX)
      continue;
    bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
    inside[i] = true;
    sums_mark_dependent(sums, inside);
    for (uint32_t k = 0; k < solution->withins.count; k++)
      if (sum_depends(sums, inside, solution->withins.items[k].sum)) return true;
  }
  return false;
}

static Z3_ast relation_fails(Query *query, const Withins *withins) {
  return query_not(query, conjunction(query, withins));
}

/* Solves all outer pieces before the first term is created. */
static bool solve_outer(RelationAsking *asking) {
  RelationWork *work = asking->work;
  for (uint32_t i = 0; asking->outer != nullptr && i < asking->outer->count; i++) {
    const Piece *piece = &asking->outer->items[i];
    if (budget_is_spent()) return false;
    Solutions solutions = relation_solve(work->sums, piece);
    for (uint32_t k = 0; k < solutions.count; k++) {
      if (solutions.items[k].hidden.count == 0)
        relation_add(work->sums, &asking->closed, solutions.items[k]);
      else
        *ARENA_PUSH(work->sums->arena, &asking->open) =
            (Open){.solution = solutions.items[k], .piece = piece};
    }
  }
  for (uint32_t i = 0; i < asking->closed.count && !budget_is_spent(); i++) {
    Piece linear;
    asking->is_simpler |= piece_without_quotients(work->sums, &asking->closed.items[i], &linear);
    relation_add(work->sums, &asking->linear, linear);
  }
  return !work->sums->overflow && !budget_is_spent();
}

static bool position_in(const Atoms *atoms, uint32_t atom, uint32_t *at) {
  for (*at = 0; *at < atoms->count; ++*at)
    if (atoms->items[*at] == atom) return true;
  return false;
}

/* Replaces remaining hidden integers by those of the inner piece at the same positions: if the
 * constraints hold with these, they hold for some. */
static bool guess(RelationAsking *asking, const Piece *inner, const Open *open, Withins *guessed) {
  Sums *sums = asking->work->sums;
  Withins withins = piece_copy(sums, &open->solution).withins;
  for (uint32_t i = 0; i < open->solution.hidden.count; i++) {
    uint32_t atom = open->solution.hidden.items[i], at;
    if (!position_in(&open->piece->hidden, atom, &at) || at >= inner->hidden.count) return false;
    for (uint32_t k = 0; k < withins.count; k++)
      sums_replace_atom(
          sums, atom, sum_of_atom(sums, inner->hidden.items[at]), 1, &withins.items[k].sum);
  }
  *guessed = withins;
  return !sums->overflow;
}

/* The sums to minimise in a witness: the visible atoms, then the values that the question uses. */
static Sum *witness_sums(const RelationAsking *asking, uint32_t *count) {
  const RelationWork *work = asking->work;
  *count = work->visible.count + asking->query->value_count;
  Sum *witness = ARENA_NEW(work->sums->arena, Sum, *count);
  for (uint32_t i = 0; i < work->visible.count; i++)
    witness[i] = sum_of_atom(work->sums, work->visible.items[i]);
  for (uint32_t i = 0; i < asking->query->value_count; i++)
    witness[work->visible.count + i] = sum_of_atom(work->sums, asking->query->values[i]);
  return witness;
}

static Wide *values_of(
    RelationWork *work, const Wide *atoms, uint32_t count, const Sum *variables, Wide *into) {
  for (uint32_t i = 0; i < count; i++)
    if (!sum_evaluate(work->sums, atoms, variables[i], &into[i])) return nullptr;
  return into + count;
}

/* Whether the original map of the piece contains the point, and its results equal the indices on
 * the other side. */
static bool map_confirms(RelationWork *work, const Piece *piece, const Wide *atoms) {
  const Map *map = piece->map;
  Wide *values = ARENA_NEW(work->sums->arena, Wide, map_variable_count(map)), *at = values;
  at = values_of(work, atoms, map->dim_count, piece->variables.dims, at);
  if (at != nullptr) at = values_of(work, atoms, map->range_count, piece->variables.ranges, at);
  if (at != nullptr) at = values_of(work, atoms, map->runtime_count, piece->variables.runtimes, at);
  if (at == nullptr) return false;
  Replayed replayed = confirm_map(work->sums->arena, work->context, map, values);
  if (replayed.state != REPLAY_INSIDE) return false;
  for (uint32_t i = 0; i < map->result_count; i++) {
    Wide to;
    if (!sum_evaluate(work->sums, atoms, work->to[i], &to) || to != replayed.results[i])
      return false;
  }
  return true;
}

static bool piece_holds(RelationWork *work, const Piece *piece, const Wide *atoms) {
  return withins_hold_at(work->sums, &piece->withins, atoms) &&
         (piece->map == nullptr || map_confirms(work, piece, atoms));
}

/* Confirms that the model is a pair that the inner piece relates and no outer piece does. */
static VerdictStatus replay(RelationAsking *asking, const Piece *inner, Wide *atoms) {
  RelationWork *work = asking->work;
  if (!piece_holds(work, inner, atoms)) return give_up(work, "model did not replay");
  for (uint32_t i = 0; asking->outer != nullptr && i < asking->outer->count; i++) {
    const Piece *piece = &asking->outer->items[i];
    SearchResult found = relation_search(work->sums, piece, work->value_count, atoms);
    if (found == FOUND) return give_up(work, "model did not replay");
    if (found == FOUND_TOO_FAR) return give_up(work, "the model is too large to replay");
  }
  work->values = atoms;
  return VERDICT_REFUTED;
}

/* Most constraints of a piece that is split into parts. */
static constexpr uint32_t most_linked = 200;

typedef struct RelationFacts {
  Z3_ast *items;
  uint32_t count, capacity;
} RelationFacts;

static void add_fact(RelationAsking *asking, RelationFacts *facts, Z3_ast fact) {
  *ARENA_PUSH(asking->work->sums->arena, facts) = fact;
}

/* The facts: the given constraints, the inner piece, and the negation of all closed outer
 * solutions. */
static RelationFacts base_facts(
    RelationAsking *asking, const Piece *inner, const Relation *closed) {
  RelationFacts facts = {};
  if (asking->work->given.count > 0)
    add_fact(asking, &facts, conjunction(asking->query, &asking->work->given));
  if (inner->withins.count > 0)
    add_fact(asking, &facts, conjunction(asking->query, &inner->withins));
  for (uint32_t i = 0; i < closed->count && !budget_is_spent(); i++)
    add_fact(asking, &facts, relation_fails(asking->query, &closed->items[i].withins));
  return facts;
}

/* Whether the inner piece is contained in the outer ones even with a single guess for the remaining
 * hidden integers. */
static bool contained_by_guess(RelationAsking *asking, const Piece *inner) {
  RelationFacts facts = base_facts(asking, inner, &asking->closed);
  for (uint32_t i = 0; i < asking->open.count; i++) {
    Withins guessed;
    if (guess(asking, inner, &asking->open.items[i], &guessed))
      add_fact(asking, &facts, relation_fails(asking->query, &guessed));
  }
  return query_check(asking->query, facts.count, facts.items) == VERDICT_PROVED;
}

static bool add_quantified(RelationAsking *asking, RelationFacts *facts) {
  for (uint32_t i = 0; i < asking->open.count; i++) {
    const Piece *solution = &asking->open.items[i].solution;
    if (has_hidden_value(asking->work, solution)) return false;
    Z3_ast body = conjunction(asking->query, &solution->withins);
    add_fact(asking, facts,
        query_not(asking->query,
            query_exists(asking->query, solution->hidden.count, solution->hidden.items, body)));
  }
  return true;
}

/* Decides the same question with fewer quotients, if there is such a form, within a small budget. A
 * model does not count while outer solutions are open. */
static VerdictStatus query_by_digits(
    RelationAsking *asking, const Piece *inner, RelationFacts *facts) {
  Piece linear;
  bool is_simpler =
      piece_without_quotients(asking->work->sums, inner, &linear) || asking->is_simpler;
  if (!is_simpler || asking->work->sums->overflow) return VERDICT_UNKNOWN;
  *facts = base_facts(asking, &linear, &asking->linear);
  VerdictStatus answer = query_check_briefly(asking->query, facts->count, facts->items);
  return answer == VERDICT_REFUTED && asking->open.count > 0 ? VERDICT_UNKNOWN : answer;
}

/* Enumerates the values of remaining hidden integers if there are few. */
static void close_by_values(RelationAsking *asking) {
  Opens open = {};
  for (uint32_t i = 0; i < asking->open.count; i++) {
    Solutions solutions;
    bool is_closed =
        relation_solve_by_values(asking->work->sums, asking->open.items[i].piece, &solutions);
    if (!is_closed) *ARENA_PUSH(asking->work->sums->arena, &open) = asking->open.items[i];
    for (uint32_t k = 0; is_closed && k < solutions.count; k++)
      relation_add(asking->work->sums, &asking->closed, solutions.items[k]);
  }
  asking->open = open;
}

static VerdictStatus query_piece(RelationAsking *asking, const Piece *inner);

static bool contained_in_part(RelationAsking *asking, const Piece *inner, const Piece *part) {
  Sums *sums = asking->work->sums;
  Relation slice = {}, outer = {};
  RelationAsking asked = {.work = asking->work,
      .query = asking->query,
      .inner = &slice,
      .outer = &outer,
      .is_part = true};
  relation_add(sums, &slice, piece_slice(sums, inner, part));
  relation_add(sums, &outer, *part);
  return solve_outer(&asked) && query_piece(&asked, slice.items) == VERDICT_PROVED;
}

/* Checks a single outer piece part by part; false is no decision. */
static bool contained_by_parts(RelationAsking *asking, const Piece *inner) {
  if (asking->is_part || asking->outer == nullptr || asking->outer->count != 1) return false;
  const Piece *only = &asking->outer->items[0];
  if (only->withins.count > most_linked || inner->withins.count > most_linked) return false;
  Relation parts = piece_parts(asking->work->sums, only);
  bool is_contained = parts.count > 1;
  for (uint32_t i = 0; i < parts.count && is_contained; i++)
    is_contained = contained_in_part(asking, inner, &parts.items[i]);
  return is_contained && !asking->work->sums->overflow && !budget_is_spent();
}

static VerdictStatus relation_unknown(RelationAsking *asking, const char *why) {
  asking->query->reason = why;
  return VERDICT_UNKNOWN;
}

/* Remaining hidden integers are the hardest case for a solver. So containment is tried first by a
 * guess, then part by part, then value by value. */
static VerdictStatus query_open_piece(
    RelationAsking *asking, const Piece *inner, RelationFacts *facts) {
  if (contained_by_guess(asking, inner) || contained_by_parts(asking, inner)) return VERDICT_PROVED;
  close_by_values(asking);
  if (budget_is_spent()) return relation_unknown(asking, budget_reason());
  if (asking->work->sums->overflow)
    return relation_unknown(asking, sums_overflow_reason(asking->work->sums));
  *facts = base_facts(asking, inner, &asking->closed);
  if (!add_quantified(asking, facts))
    return relation_unknown(
        asking, "a hidden integer inside a value or a product could not be solved for");
  return query_check(asking->query, facts->count, facts->items);
}

static VerdictStatus query_closed_piece(
    RelationAsking *asking, const Piece *inner, RelationFacts *facts) {
  *facts = base_facts(asking, inner, &asking->closed);
  VerdictStatus answer = query_check(asking->query, facts->count, facts->items);
  return answer == VERDICT_UNKNOWN && contained_by_parts(asking, inner) ? VERDICT_PROVED : answer;
}

static VerdictStatus query_piece(RelationAsking *asking, const Piece *inner) {
  RelationWork *work = asking->work;
  Query *query = asking->query;
  RelationFacts facts;
  VerdictStatus answer = query_by_digits(asking, inner, &facts);
  if (answer == VERDICT_UNKNOWN)
    answer = asking->open.count > 0 ? query_open_piece(asking, inner, &facts)
                                    : query_closed_piece(asking, inner, &facts);
  if (answer == VERDICT_PROVED) return VERDICT_PROVED;
  if (asking->is_part) return VERDICT_UNKNOWN;
  if (answer == VERDICT_UNKNOWN) return give_up(work, query->reason);
  work->value_count = work->sums->atom_count;
  Wide *atoms = ARENA_NEW(work->sums->arena, Wide, work->value_count);
  if (!query_model(query, atoms)) return give_up(work, "model did not replay");
  uint32_t witness_count;
  Sum *witness = witness_sums(asking, &witness_count);
  minimise_model(query, facts.count, facts.items, witness_count, witness, atoms);
  return replay(asking, inner, atoms);
}

/* Creating a context costs more than most questions, so an obligation uses one context for all of
 * its questions. */
static Query *open_query(RelationWork *work) {
  if (work->query != nullptr) {
    work->query->quantified = false;
    return work->query;
  }
  work->query = ARENA_NEW(work->sums->arena, Query, 1);
  *work->query = query_open(work->sums->arena, work->sums, work->rlimit, work->seed);
  work->query->session.stop = work->stop;
  return work->query;
}

/* Whether the question is decided without the solver, in its original form or with fewer
 * quotients. */
static bool is_plain(RelationAsking *asking, const Piece *inner) {
  RelationWork *work = asking->work;
  Piece linear;
  if (relation_contained_plainly(work->sums, &work->given, inner, &asking->closed)) return true;
  bool is_simpler = piece_without_quotients(work->sums, inner, &linear) || asking->is_simpler;
  return is_simpler && !work->sums->overflow &&
         relation_contained_plainly(work->sums, &work->given, &linear, &asking->linear);
}

/* A refutation of any piece refutes. An unknown piece makes the verdict unknown, unless another
 * piece refutes. */
static VerdictStatus relation_query_all(RelationAsking *asking) {
  VerdictStatus worst = VERDICT_PROVED;
  for (uint32_t i = 0; i < asking->inner->count; i++) {
    if (budget_is_spent()) return give_up(asking->work, budget_reason());
    if (is_plain(asking, &asking->inner->items[i])) continue;
    asking->query = open_query(asking->work);
    VerdictStatus answer = query_piece(asking, &asking->inner->items[i]);
    if (answer == VERDICT_REFUTED) {
      asking->work->piece = i;
      return answer;
    }
    if (answer == VERDICT_UNKNOWN) worst = answer;
  }
  return worst;
}

RelationWork relation_begin(const Smt *smt) {
  return (RelationWork){.sums = sums_create(smt->arena),
      .reason = "",
      .context = smt->context,
      .rlimit = smt->options.rlimit,
      .seed = smt->options.seed,
      .stop = smt->options.stop};
}

void relation_close(RelationWork *work) {
  if (work->query != nullptr) query_close(work->query);
  work->query = nullptr;
}

void relation_end(RelationWork *work, Verdict *verdict) {
  verdict->work = work->rlimit_used;
  relation_close(work);
}

Sum *relation_visible(RelationWork *work, const char *prefix, uint32_t count) {
  Sum *visible = ARENA_NEW(work->sums->arena, Sum, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t atom = 0;
    visible[i] = sum_free(work->sums, arena_printf(work->sums->arena, "%s%u", prefix, i));
    if (sum_is_atom(work->sums, visible[i], &atom))
      *ARENA_PUSH(work->sums->arena, &work->visible) = atom;
  }
  return visible;
}

void relation_values(const RelationWork *work, Verdict *verdict) {
  Wide *values = ARENA_NEW(work->sums->arena, Wide, work->visible.count);
  for (uint32_t i = 0; i < work->visible.count; i++)
    values[i] = work->values[work->visible.items[i]];
  verdict_values(verdict, work->visible.count, values);
}

VerdictStatus relation_contained(RelationWork *work, const Relation *inner, const Relation *outer) {
  RelationAsking asking = {.work = work, .inner = inner, .outer = outer};
  if (work->sums->overflow) return give_up(work, sums_overflow_reason(work->sums));
  if (work->sums->too_deep) return give_up(work, "a value is computed too deep in the graph");
  if (inner->count == 0) return VERDICT_PROVED;
  uint64_t used = work->query == nullptr ? 0 : work->query->rlimit_used;
  VerdictStatus answer =
      solve_outer(&asking)
          ? relation_query_all(&asking)
          : give_up(work, budget_is_spent() ? budget_reason() : sums_overflow_reason(work->sums));
  if (work->query != nullptr) work->rlimit_used += work->query->rlimit_used - used;
  return answer;
}

VerdictStatus relation_is_empty(RelationWork *work, const Relation *relation) {
  return relation_contained(work, relation, nullptr);
}

VerdictStatus relation_has_none(RelationWork *work, const Relation *relation) {
  for (uint32_t i = 0; i < relation->count; i++) {
    const Wide *point = relation_plain_point(work->sums, &work->given, &relation->items[i]);
    if (point != nullptr && piece_holds(work, &relation->items[i], point)) return VERDICT_REFUTED;
  }
  return relation_is_empty(work, relation);
}

void relation_print_point(const RelationWork *work, Text *text, uint32_t count, const Sum *sums) {
  text_string(text, "(");
  for (uint32_t i = 0; i < count; i++) {
    Wide value = 0;
    if (i > 0) text_string(text, ", ");
    if (sum_evaluate(work->sums, work->values, sums[i], &value)) wide_print(text, value);
    else text_string(text, "?");
  }
  text_string(text, ")");
}
