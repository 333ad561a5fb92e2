/* Findings of maps. A sight is a word; each has its test, which is given the maps, leaves what it found as the witness, and the two maps that are not the same.
 * What MLIR makes of a map is looked at when it is asked for by name: a finding there is MLIR's own, and its case says that MLIR is refuted, so that it
 * passes until MLIR is mended; a map that comes back from MLIR as another is a finding of ours. */
#include <string.h>

#include "core/map/compose.h"
#include "core/map/text.h"
#include "core/mlir/load.h"
#include "fuzz/harness_map.h"
#include "fuzz/shrink_form.h"
#include "judge/same.h"

typedef struct Trial {
  Hunt *hunt;
  const Map *first, *second;  /* second: of two */
  const Map *before, *after;  /* set: what is not the same */
  char witness[600];          /* set */
} Trial;

static bool differ(Trial *trial, SameKind kind, const Map *before, const Map *after) {
  SameJudgement judgement;
  judge_same(trial->hunt->judge, kind, before, after, &judgement);
  trial->before = before;
  trial->after = after;
  snprintf(trial->witness, sizeof trial->witness, "%s", judgement.text);
  return judgement.word == SAME_WORD_REFUTED || judgement.word == SAME_WORD_DISAGREE;
}

static bool simplified(Trial *trial, const Map *map, const Map **result, Error *error) {
  return simplify_map(trial->hunt->judge->simplifier, map, nullptr, result, nullptr, error);
}

static const char *printed(const Trial *trial, const Map *map) {
  Text text = text_create(trial->hunt->judge->context->arena);
  map_print(&text, trial->hunt->judge->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* Two maps that must print alike, and do not. */
static bool print_apart(Trial *trial, const Map *before, const Map *after) {
  trial->before = before;
  trial->after = after;
  snprintf(trial->witness, sizeof trial->witness, "%.290s; %.290s", printed(trial, before), printed(trial, after));
  return strcmp(printed(trial, before), printed(trial, after)) != 0;
}

static bool is_unsound(Trial *trial) {
  const Map *result;
  Error error = {};
  return simplified(trial, trial->first, &result, &error) && differ(trial, SAME_MAP, trial->first, result);
}

static bool is_fault(Trial *trial, const Error *error) {
  trial->before = trial->after = trial->first;
  snprintf(trial->witness, sizeof trial->witness, "%s", error->message);
  return error->kind != ERROR_OVERFLOW && error->kind != ERROR_LIMIT;
}

static bool is_refused(Trial *trial) {
  const Map *result;
  Error error = {};
  return !simplified(trial, trial->first, &result, &error) && is_fault(trial, &error);
}

static bool moves_on(Trial *trial) {
  const Map *once, *twice;
  Error error = {};
  return simplified(trial, trial->first, &once, &error) && simplified(trial, once, &twice, &error) && print_apart(trial, once, twice);
}

static bool heeds_order(Trial *trial) {
  const Map *one, *other, *turn = harness_turned(&(Harness){.context = trial->hunt->judge->context}, trial->first);
  Error error = {};
  if (!simplified(trial, trial->first, &one, &error) || !simplified(trial, turn, &other, &error) || !print_apart(trial, one, other)) return false;
  trial->before = turn;
  trial->after = one;
  return true;
}

/* What composition is by its definition: the consumer's results stand for the producer's dimensions, all domains at once. */
static const Map *by_definition(MapContext *context, const Map *consumer, const Map *producer) {
  Expr *ranges = ARENA_NEW(context->arena, Expr, producer->range_count), *runtimes = ARENA_NEW(context->arena, Expr, producer->runtime_count);
  for (uint32_t i = 0; i < producer->range_count; i++) ranges[i] = expr_var(context->pool, VAR_RANGE, consumer->range_count + i);
  for (uint32_t i = 0; i < producer->runtime_count; i++) runtimes[i] = expr_var(context->pool, VAR_RUNTIME, consumer->runtime_count + i);
  const Substitution by = {.dims = consumer->results, .ranges = ranges, .runtimes = runtimes};
  Map *whole = map_create(context, consumer->dim_count, consumer->range_count + producer->range_count, consumer->runtime_count + producer->runtime_count,
                          producer->result_count, consumer->constraint_count + producer->dim_count + producer->constraint_count);
  for (uint32_t i = 0; i < consumer->dim_count; i++) whole->dims[i] = consumer->dims[i];
  for (uint32_t i = 0; i < whole->range_count; i++) whole->ranges[i] = i < consumer->range_count ? consumer->ranges[i] : producer->ranges[i - consumer->range_count];
  for (uint32_t i = 0; i < whole->runtime_count; i++)
    whole->runtimes[i] = i < consumer->runtime_count ? consumer->runtimes[i] : producer->runtimes[i - consumer->runtime_count];
  Error error = {};
  Constraint *next = whole->constraints;
  bool fits = expr_substitute(context->pool, context->arena, &by, producer->result_count, producer->results, whole->results, &error);
  for (uint32_t i = 0; i < consumer->constraint_count; i++) *next++ = consumer->constraints[i];
  for (uint32_t i = 0; i < producer->dim_count; i++) *next++ = (Constraint){.expr = consumer->results[i], .in = producer->dims[i].bounds};
  for (uint32_t i = 0; i < producer->constraint_count && fits; i++, next++) {
    next->in = producer->constraints[i].in;
    fits = expr_substitute(context->pool, context->arena, &by, 1, &producer->constraints[i].expr, &next->expr, &error);
  }
  return fits && map_check(context, whole, &error) ? whole : nullptr;
}

static bool is_chain(const Trial *trial) {
  return trial->first->state == MAP_PLAIN && trial->second->state == MAP_PLAIN && trial->first->result_count == trial->second->dim_count;
}

static bool composes_wrongly(Trial *trial) {
  const Map *composed, *right;
  Error error = {};
  MapContext *context = trial->hunt->judge->context;
  if (!is_chain(trial) || !map_compose(context, trial->first, trial->second, &composed, &error)) return false;
  right = by_definition(context, trial->first, trial->second);
  return right != nullptr && differ(trial, SAME_MAP, right, composed);
}

static bool composes_not(Trial *trial) {
  const Map *composed;
  Error error = {};
  return is_chain(trial) && !map_compose(trial->hunt->judge->context, trial->first, trial->second, &composed, &error) && is_fault(trial, &error);
}

static bool are_apart(Trial *trial) { return differ(trial, SAME_MAP, trial->first, trial->second); }
static bool relate_apart(Trial *trial) { return differ(trial, SAME_RELATION, trial->first, trial->second); }

static const MlirLibrary *mlir(Peer **peer) {
  static const MlirLibrary *library;
  static Peer *one;
  Error error = {};
  if (library == nullptr && !mlir_library(&library, &error)) return nullptr;
  if (one == nullptr) one = library->mlir_peer_create();
  *peer = one;
  return library;
}

static bool peer_changes(Trial *trial, PeerStep step) {
  Peer *peer;
  const Map *result;
  Error error = {};
  const MlirLibrary *library = mlir(&peer);
  return library != nullptr && library->mlir_peer_map(peer, trial->hunt->judge->context, trial->first, step, &result, &error) &&
         differ(trial, SAME_MAP, trial->first, result);
}

static bool peer_folds(Trial *trial) { return peer_changes(trial, PEER_FOLD); }
static bool peer_simplifies(Trial *trial) { return peer_changes(trial, PEER_SIMPLIFY); }
static bool peer_turns(Trial *trial) {
  Peer *peer;
  const Map *result;
  Error error = {};
  const MlirLibrary *library = mlir(&peer);
  return library != nullptr && library->mlir_peer_round_trip(peer, trial->hunt->judge->context, trial->first, nullptr, &result, &error) &&
         differ(trial, SAME_MAP, trial->first, result);
}

static const struct {
  const char *word;
  ShrinkForm form;
  bool by_name_alone;
  bool (*shows)(Trial *trial);
} kinds[] = {
    {"unsound", FORM_MAP, false, is_unsound},         {"refused", FORM_MAP, false, is_refused},           {"idempotent", FORM_MAP, false, moves_on},
    {"order", FORM_MAP, false, heeds_order},          {"mlir_folds", FORM_MAP, true, peer_folds},         {"mlir_simplifies", FORM_MAP, true, peer_simplifies},
    {"round_trip", FORM_MAP, true, peer_turns},       {"compose", FORM_COMPOSE, false, composes_wrongly}, {"refused", FORM_COMPOSE, false, composes_not},
    {"not_the_same", FORM_SAME, false, are_apart},    {"not_related", FORM_RELATION, false, relate_apart},
};

static bool parse(Hunt *hunt, const char *text, size_t length, const Map **map) {
  Source source = {.name = "reduced", .text = arena_text(hunt->judge->context->arena, text, length), .length = length, .first_line = 1};
  Error error = {};
  return map_parse(hunt->judge->context, &source, map, &error);
}

static bool parse_all(Trial *trial, const char *text) {
  if (trial->hunt->shrink->form == FORM_MAP) return parse(trial->hunt, text, strlen(text), &trial->first);
  const char *between = strstr(text, " ; ");
  return between != nullptr && parse(trial->hunt, text, (size_t)(between - text), &trial->first) && parse(trial->hunt, between + 3, strlen(between + 3), &trial->second);
}

/* The word of what is seen, or nullptr. */
static const char *see(Trial *trial, const char *wanted, const char *text) {
  if (!parse_all(trial, text)) return nullptr;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].form != trial->hunt->shrink->form || !hunt_wants(wanted, kinds[i].word) || (kinds[i].by_name_alone && *wanted == 0)) continue;
    if (kinds[i].shows(trial)) return kinds[i].word;
  }
  return nullptr;
}

void look_maps(void *state, const char *wanted, const char *text, size_t, Sight *sight) {
  Hunt *hunt = state;
  MapMark mark = map_context_mark(hunt->judge->context);
  Trial trial = {.hunt = hunt};
  bool only_read = strcmp(wanted, sight_reads) == 0;
  const char *word = only_read ? (parse_all(&trial, text) ? wanted : nullptr) : see(&trial, wanted, text);
  if (word != nullptr) sight_set(sight, word);
  map_context_rewind(hunt->judge->context, mark);
}

static uint32_t node_count(const ExprPool *pool, const Map *map) {
  uint32_t count = 0;
  for (uint32_t i = 0; map != nullptr && i < map->result_count; i++) count += expr_tree_size(pool, map->results[i]);
  for (uint32_t i = 0; map != nullptr && i < map->constraint_count; i++) count += expr_tree_size(pool, map->constraints[i].expr);
  return count;
}

/* Operators of the text, for the name. */
static const char *operators_in(Arena *arena, const char *text) {
  static const char *const names[][2] = {{" mod ", "_mod"}, {" floordiv ", "_floordiv"}, {" ceildiv ", "_ceildiv"}, {" * ", "_times"}, {"min(", "_min"}, {"max(", "_max"}};
  Text name = text_create(arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(text, names[i][0]) != nullptr) text_string(&name, names[i][1]);
  return name.bytes;
}

/* Lines of a map with sources go on with white space. */
static const char *continued(Arena *arena, const char *map) {
  Text text = text_create(arena);
  for (; *map != 0; map++) text_append(&text, *map == '\n' ? "\n  " : map, *map == '\n' ? 3 : 1);
  return text.bytes;
}

static const char *body_of(const Trial *trial, const char *word) {
  const Shrink *shrink = trial->hunt->shrink;
  Arena *arena = shrink->arena;
  const char *input = continued(arena, shrink->smallest);
  Error error = {};
  const Map *right;
  switch (shrink->form) {
  case FORM_COMPOSE:
    if (strcmp(word, "compose") != 0 || !simplify_map(trial->hunt->judge->simplifier, trial->before, nullptr, &right, nullptr, &error)) break;
    return arena_printf(arena, "compose %s\n= %s\n", input, printed(trial, right));
  case FORM_SAME: return arena_printf(arena, "same %s\nrefuted\n", input);
  case FORM_RELATION: return arena_printf(arena, "same-relation %s\nrefuted\n", input);
  case FORM_MAP:
    if (strcmp(word, "idempotent") == 0) return arena_printf(arena, "simplify %s\n= %s\n", printed(trial, trial->before), printed(trial, trial->before));
    if (strcmp(word, "order") == 0) return arena_printf(arena, "simplify %s\n= %s\n", printed(trial, trial->before), printed(trial, trial->after));
    if (strcmp(word, "round_trip") == 0) return arena_printf(arena, "mlir %s\nproved\n", input);
    if (strncmp(word, "mlir_", 5) == 0) return arena_printf(arena, "mlir-%s %s\nrefuted\n", word + 5, input);
    return arena_printf(arena, "keeps %s\nproved\n", input);
  case FORM_MODULE:
  case FORM_RULES:
  case FORM_TEXT: break;
  }
  return nullptr;
}

static const char *crash_body(Arena *arena, ShrinkForm form, const char *input) {
  if (form == FORM_MAP) return arena_printf(arena, "keeps %s\nproved\n", continued(arena, input));
  if (form == FORM_COMPOSE) return nullptr;
  return arena_printf(arena, "%s %s\nrefuted\n", form == FORM_SAME ? "same" : "same-relation", continued(arena, input));
}

void describe_maps(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  Trial trial = {.hunt = hunt};
  bool crashes = sight_is_crash(&shrink->sight);
  const char *word = crashes ? nullptr : see(&trial, shrink->sight.text, shrink->smallest);
  shrink->body = crashes ? crash_body(shrink->arena, shrink->form, shrink->smallest) : word == nullptr ? nullptr : body_of(&trial, word);
  shrink->name = arena_printf(shrink->arena, "%s%s", word == nullptr ? "crash" : word, operators_in(shrink->arena, shrink->smallest));
  shrink->witness = arena_text(shrink->arena, trial.witness, strlen(trial.witness));
  shrink->maps = word == nullptr ? "" : arena_printf(shrink->arena, "%s", printed(&trial, trial.after));
  if (hunt->reads && parse_all(&trial, shrink->smallest)) shrink->size = node_count(hunt->judge->context->pool, trial.first) + node_count(hunt->judge->context->pool, trial.second);
}
