/* Findings of maps. A signature is a word. Each word has a test that gets the maps and sets the
 * witness and the two maps that differ. MLIR's own results are only examined if their kind is asked
 * for: such a finding is MLIR's, and its case expects MLIR to be refuted, so that it passes until
 * MLIR is fixed. A map that comes back from MLIR as another map is a finding in affirm. */
#include <string.h>

#include "core/map/compose.h"
#include "core/map/text.h"
#include "core/adapters/mlir/load.h"
#include "reduce/shrink_algebra.h"
#include "reduce/shrink_form.h"
#include "judge/cases/case.h"
#include "judge/maps/canonical_form.h"
#include "judge/maps/steps.h"

typedef struct ShrinkTrial {
  Hunt *hunt;
  const Map *first, *second; /* second: only of a pair */
  uint8_t of;                /* the row's property, obligation or step */
  const Map *before, *after; /* set: the maps that differ */
  AlgebraQuery query;        /* set: the query of the algebra */
  char witness[600];         /* set */
} ShrinkTrial;

static bool shrink_maps_differ(
    ShrinkTrial *trial, ObligationKind kind, const Map *before, const Map *after) {
  SameJudgement judgement;
  judge_same(trial->hunt->judge, kind, before, after, &judgement);
  trial->before = before;
  trial->after = after;
  snprintf(trial->witness, sizeof trial->witness, "%s", judgement.text);
  return judgement.reason == REASON_DIFFERENT || judgement.reason == REASON_DISSENT;
}

static bool shrink_maps_simplified(
    ShrinkTrial *trial, const Map *map, const Map **result, Error *error) {
  return simplify_map(trial->hunt->judge->simplifier, map, nullptr, result, nullptr, error);
}

static const char *shrink_maps_printed(const ShrinkTrial *trial, const Map *map) {
  const MapContext *context = trial->hunt->judge->context;
  return map_text(context->arena, context, map, MAP_STYLE_LINE);
}

static bool is_unsound(ShrinkTrial *trial) {
  const Map *result;
  Error error = {};
  return shrink_maps_simplified(trial, trial->first, &result, &error) &&
         shrink_maps_differ(trial, OBLIGATION_SAME_MAP, trial->first, result);
}

static bool is_fault(ShrinkTrial *trial, const Error *error) {
  trial->before = trial->after = trial->first;
  snprintf(trial->witness, sizeof trial->witness, "%s", error->message);
  return error->kind != ERROR_OVERFLOW && error->kind != ERROR_LIMIT;
}

static bool is_rejected(ShrinkTrial *trial) {
  const Map *result;
  Error error = {};
  return !shrink_maps_simplified(trial, trial->first, &result, &error) && is_fault(trial, &error);
}

static bool is_restless(ShrinkTrial *trial) {
  const CanonicalProperty rest = (CanonicalProperty)trial->of;
  UnequalMaps unequal;
  if (map_is_canonical(trial->hunt->judge, rest, trial->first, &unequal)) return false;
  trial->before = unequal.before;
  trial->after = unequal.after;
  snprintf(trial->witness, sizeof trial->witness, "%.280s, %s: %.280s",
      shrink_maps_printed(trial, unequal.before), canonical_property_text(rest),
      shrink_maps_printed(trial, unequal.after));
  return true;
}

static bool steps_wrongly(ShrinkTrial *trial) {
  SameJudgement judgement;
  judge_steps(trial->hunt->judge, trial->first, &judgement);
  trial->before = trial->after = trial->first;
  snprintf(trial->witness, sizeof trial->witness, "%s", judgement.text);
  return judgement.reason == REASON_DIFFERENT || judgement.reason == REASON_DISSENT;
}

/* Composition by definition: the consumer's results replace the producer's dimensions, with all
 * domains. */
static const Map *by_definition(MapContext *context, const Map *consumer, const Map *producer) {
  Expr *ranges = ARENA_NEW(context->arena, Expr, producer->range_count),
       *runtimes = ARENA_NEW(context->arena, Expr, producer->runtime_count);
  for (uint32_t i = 0; i < producer->range_count; i++)
    ranges[i] = expr_var(context->pool, VAR_RANGE, consumer->range_count + i);
  for (uint32_t i = 0; i < producer->runtime_count; i++)
    runtimes[i] = expr_var(context->pool, VAR_RUNTIME, consumer->runtime_count + i);
  const Substitution by = {.dims = consumer->results, .ranges = ranges, .runtimes = runtimes};
  Map *whole =
      map_create(context, consumer->dim_count, consumer->range_count + producer->range_count,
          consumer->runtime_count + producer->runtime_count, producer->result_count,
          consumer->constraint_count + producer->dim_count + producer->constraint_count);
  for (uint32_t i = 0; i < consumer->dim_count; i++) whole->dims[i] = consumer->dims[i];
  for (uint32_t i = 0; i < whole->range_count; i++)
    whole->ranges[i] = i < consumer->range_count ? consumer->ranges[i]
                                                 : producer->ranges[i - consumer->range_count];
  for (uint32_t i = 0; i < whole->runtime_count; i++)
    whole->runtimes[i] = i < consumer->runtime_count
                             ? consumer->runtimes[i]
                             : producer->runtimes[i - consumer->runtime_count];
  Error error = {};
  Constraint *next = whole->constraints;
  bool fits = expr_substitute(context->pool, context->arena, &by, producer->result_count,
      producer->results, whole->results, &error);
  for (uint32_t i = 0; i < consumer->constraint_count; i++) *next++ = consumer->constraints[i];
  for (uint32_t i = 0; i < producer->dim_count; i++)
    *next++ = (Constraint){.expr = consumer->results[i], .in = producer->dims[i].bounds};
  for (uint32_t i = 0; i < producer->constraint_count && fits; i++, next++) {
    next->in = producer->constraints[i].in;
    fits = expr_substitute(
        context->pool, context->arena, &by, 1, &producer->constraints[i].expr, &next->expr, &error);
  }
  return fits && map_check(context, whole, &error) ? whole : nullptr;
}

static bool is_chain(const ShrinkTrial *trial) {
  return trial->first->state == MAP_PLAIN && trial->second->state == MAP_PLAIN &&
         trial->first->result_count == trial->second->dim_count;
}

static bool composes_wrongly(ShrinkTrial *trial) {
  const Map *composed, *right;
  Error error = {};
  MapContext *context = trial->hunt->judge->context;
  if (!is_chain(trial) || !map_compose(context, trial->first, trial->second, &composed, &error))
    return false;
  right = by_definition(context, trial->first, trial->second);
  return right != nullptr && shrink_maps_differ(trial, OBLIGATION_SAME_MAP, right, composed);
}

static bool composes_not(ShrinkTrial *trial) {
  const Map *composed;
  Error error = {};
  MapContext *context = trial->hunt->judge->context;
  if (!is_chain(trial) || map_compose(context, trial->first, trial->second, &composed, &error) ||
      !is_fault(trial, &error))
    return false;
  trial->before = by_definition(context, trial->first, trial->second);
  return trial->before != nullptr;
}

static bool pair_differs(ShrinkTrial *trial) {
  return shrink_maps_differ(trial, (ObligationKind)trial->of, trial->first, trial->second);
}

static const MlirLibrary *mlir(Peer **peer) {
  static const MlirLibrary *library;
  static Peer *one;
  Error error = {};
  if (library == nullptr && !mlir_library(&library, &error)) return nullptr;
  if (one == nullptr) one = library->mlir_peer_create();
  *peer = one;
  return library;
}

static bool peer_changes(ShrinkTrial *trial) {
  Peer *peer;
  const Map *result;
  Error error = {};
  const MlirLibrary *library = mlir(&peer);
  return library != nullptr &&
         library->mlir_peer_map(peer, trial->hunt->judge->context, trial->first,
             (PeerStep)trial->of, &result, &error) &&
         shrink_maps_differ(trial, OBLIGATION_SAME_MAP, trial->first, result);
}

static bool peer_turns(ShrinkTrial *trial) {
  Peer *peer;
  const Map *result;
  Error error = {};
  const MlirLibrary *library = mlir(&peer);
  return library != nullptr &&
         library->mlir_peer_round_trip(
             peer, trial->hunt->judge->context, trial->first, nullptr, &result, &error) &&
         shrink_maps_differ(trial, OBLIGATION_SAME_MAP, trial->first, result);
}

/* The case: VERB MAPS and the expected word; nullptr: a map is expected. */
static const struct {
  FindingKind kind;
  ShrinkForm form;
  bool by_name_alone;
  bool (*shows)(ShrinkTrial *trial);
  uint8_t of; /* given to `shows` */
  const char *verb, *expected;
} kinds[] = {
    {FOUND_UNSOUND, FORM_MAP, false, is_unsound, 0, "keeps", "proved"},
    {FOUND_REJECTED, FORM_MAP, false, is_rejected, 0, "keeps", "proved"},
    {FOUND_IDEMPOTENT, FORM_MAP, false, is_restless, CANONICAL_IDEMPOTENT, "canonical", "proved"},
    {FOUND_ORDER, FORM_MAP, false, is_restless, CANONICAL_ORDER, "canonical", "proved"},
    {FOUND_LARGER, FORM_MAP, false, is_restless, CANONICAL_LARGER, "canonical", "proved"},
    {FOUND_STEP, FORM_MAP, true, steps_wrongly, 0, "steps", "proved"},
    {FOUND_TRACE, FORM_MAP, true, steps_wrongly, 0, "steps", "proved"},
    {FOUND_MLIR_FOLDS, FORM_MAP, true, peer_changes, PEER_FOLD, "mlir-folds", "refuted"},
    {FOUND_MLIR_SIMPLIFIES, FORM_MAP, true, peer_changes, PEER_SIMPLIFY, "mlir-simplifies",
        "refuted"},
    {FOUND_ROUND_TRIP, FORM_MAP, true, peer_turns, 0, "mlir", "proved"},
    {FOUND_COMPOSE, FORM_COMPOSE, false, composes_wrongly, 0, "compose", nullptr},
    {FOUND_REJECTED, FORM_COMPOSE, false, composes_not, 0, "compose", nullptr},
    {FOUND_NOT_THE_SAME, FORM_SAME, false, pair_differs, OBLIGATION_SAME_MAP, "same", "refuted"},
    {FOUND_NOT_RELATED, FORM_RELATION, false, pair_differs, OBLIGATION_SAME_RELATION,
        "same-relation", "refuted"},
    {FOUND_NOT_CONTAINED, FORM_CONTAINED, false, pair_differs, OBLIGATION_CONTAINED, "contained",
        "refuted"},
};

static bool shrink_maps_parse(Hunt *hunt, const char *text, size_t length, const Map **map) {
  Source source = {.name = "reduced",
      .text = arena_text(hunt->judge->context->arena, text, length),
      .length = length,
      .first_line = 1};
  Error error = {};
  return map_parse(hunt->judge->context, &source, map, &error);
}

static bool parse_all(ShrinkTrial *trial, const char *text) {
  if (trial->hunt->shrink->form == FORM_MAP)
    return shrink_maps_parse(trial->hunt, text, strlen(text), &trial->first);
  const char *between = strstr(text, " ; ");
  return between != nullptr &&
         shrink_maps_parse(trial->hunt, text, (size_t)(between - text), &trial->first) &&
         shrink_maps_parse(trial->hunt, between + 3, strlen(between + 3), &trial->second);
}

/* Checks the algebra only if its operation is asked for by name. */
static bool answers_wrongly(ShrinkTrial *trial, const char *wanted, FindingKind *kind) {
  AlgebraOperation operation;
  if (!algebra_find(wanted, strlen(wanted), &operation) ||
      !shrink_algebra(trial->hunt->judge, operation, trial->first, &trial->query, trial->witness,
          sizeof trial->witness))
    return false;
  trial->before = trial->after = trial->first;
  *kind = finding_of_algebra(operation);
  return true;
}

static bool shrink_maps_see(
    ShrinkTrial *trial, const char *wanted, const char *text, FindingKind *kind) {
  ShrinkForm form = trial->hunt->shrink->form;
  if (!parse_all(trial, text)) return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    *kind = kinds[i].kind;
    if (kinds[i].form != form || !signature_is_wanted(wanted, finding_name(*kind)) ||
        (kinds[i].by_name_alone && *wanted == 0))
      continue;
    trial->of = kinds[i].of;
    if (kinds[i].shows(trial)) return true;
  }
  return form == FORM_MAP && answers_wrongly(trial, wanted, kind);
}

void look_maps(
    void *state, const char *wanted, const char *text, size_t, FaultSignature *signature) {
  Hunt *hunt = state;
  MapMark mark = map_context_mark(hunt->judge->context);
  ShrinkTrial trial = {.hunt = hunt};
  bool only_read = strcmp(wanted, signature_reads) == 0;
  FindingKind kind;
  if (only_read && parse_all(&trial, text)) signature_set(signature, signature_reads);
  if (!only_read && shrink_maps_see(&trial, wanted, text, &kind))
    signature_set(signature, finding_name(kind));
  map_context_rewind(hunt->judge->context, mark);
}

static uint32_t node_count(const ExprPool *pool, const Map *map) {
  uint32_t count = 0;
  for (uint32_t i = 0; map != nullptr && i < map->result_count; i++)
    count += expr_tree_size(pool, map->results[i]);
  for (uint32_t i = 0; map != nullptr && i < map->constraint_count; i++)
    count += expr_tree_size(pool, map->constraints[i].expr);
  return count;
}

/* Operators of the text, for the case's name. */
static const char *operators_in(Arena *arena, const char *text) {
  static const char *const names[][2] = {{" mod ", "_mod"}, {" floordiv ", "_floordiv"},
      {" ceildiv ", "_ceildiv"}, {" * ", "_times"}, {"min(", "_min"}, {"max(", "_max"}};
  Text name = text_create(arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(text, names[i][0]) != nullptr) text_string(&name, names[i][1]);
  return name.bytes;
}

static const char *algebra_body(const ShrinkTrial *trial, FindingKind kind) {
  Arena *arena = trial->hunt->shrink->arena;
  const AlgebraQuery *query = &trial->query;
  bool is_empty = algebra_row(query->operation)->takes_numbers && query->numbers.count == 0;
  return arena_printf(arena, "holds %s %s%s\nproved\n", finding_name(kind),
      is_empty ? "() " : algebra_numbers_text(arena, &query->numbers),
      case_continued(arena, trial->hunt->shrink->smallest));
}

/* An expected map is the right one, simplified. */
static const char *body_of(const ShrinkTrial *trial, FindingKind kind) {
  const Shrink *shrink = trial->hunt->shrink;
  Arena *arena = shrink->arena;
  const char *input = case_continued(arena, shrink->smallest);
  Error error = {};
  const Map *right;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].kind != kind || kinds[i].form != shrink->form) continue;
    if (kinds[i].expected != nullptr)
      return arena_printf(arena, "%s %s\n%s\n", kinds[i].verb, input, kinds[i].expected);
    if (!simplify_map(
            trial->hunt->judge->simplifier, trial->before, nullptr, &right, nullptr, &error))
      return nullptr;
    return arena_printf(arena, "%s %s\n= %s\n", kinds[i].verb, input,
        case_continued(arena, shrink_maps_printed(trial, right)));
  }
  return algebra_body(trial, kind);
}

static const char *crash_body(Arena *arena, ShrinkForm form, const char *input) {
  if (form == FORM_MAP)
    return arena_printf(arena, "keeps %s\nproved\n", case_continued(arena, input));
  if (form == FORM_COMPOSE) return nullptr;
  const char *verb = form == FORM_SAME       ? "same"
                     : form == FORM_RELATION ? "same-relation"
                                             : "contained";
  return arena_printf(arena, "%s %s\nrefuted\n", verb, case_continued(arena, input));
}

void describe_maps(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  ShrinkTrial trial = {.hunt = hunt};
  bool crashes = signature_is_crash(&shrink->signature);
  FindingKind kind;
  bool seen = !crashes && shrink_maps_see(&trial, shrink->signature.text, shrink->smallest, &kind);
  shrink->body = crashes ? crash_body(shrink->arena, shrink->form, shrink->smallest)
                 : !seen ? nullptr
                         : body_of(&trial, kind);
  shrink->name = arena_printf(shrink->arena, "%s%s", !seen ? "crash" : finding_name(kind),
      operators_in(shrink->arena, shrink->smallest));
  shrink->witness = arena_text(shrink->arena, trial.witness, strlen(trial.witness));
  shrink->maps =
      !seen ? "" : arena_printf(shrink->arena, "%s", shrink_maps_printed(&trial, trial.after));
  if (hunt->reads && parse_all(&trial, shrink->smallest))
    shrink->size = node_count(hunt->judge->context->pool, trial.first) +
                   node_count(hunt->judge->context->pool, trial.second);
}
