/* How a map was simplified, for a page: the map before, each step with its rule, bindings and fact,
 * and the map after. Steps link to the statements of their rules, which the page prints once.
 * Keeps: the map after the last step is the one that simplifying gives; what is past the limit of a
 * row is counted in words. */
#ifndef CLI_REPORT_DERIVATION_H
#define CLI_REPORT_DERIVATION_H

#include "cli/report/html.h"

static constexpr size_t derivation_most_bytes = 6000; /* of the steps of one map */

/* A rule that steps have named, and how many of them, with those past the limit of a row. */
typedef struct FiredRule {
  const Rule *rule;
  uint32_t count;
} FiredRule;

/* What a page needs for its derivations, and which rules its steps have named so far. */
typedef struct Derivations {
  Judge *judge;
  Indexer *raw;      /* maps as they are before simplifying */
  bool is_replayed;  /* a row names the command that judges it again */
  bool is_of_others; /* the rows' maps are not the engine's own, so nothing derives them */
  const MapSet *wrong; /* the maps of a refuted row, whose steps are judged one by one; else nullptr */
  Arena *arena;        /* of the list */
  uint32_t count, capacity;
  FiredRule *items;
} Derivations;
/* GIVE: derivations_end, before the judge is destroyed. */
[[nodiscard]] bool derivations_begin(
    Derivations *derivations, Judge *judge, Arena *arena, Error *error);
void derivations_end(Derivations *derivations);

/* Of each of the question's raw maps that simplifying changes; of a refuted row also which step
 * changes the relation, or that each of them keeps it. */
void derivation_print(Text *text, Derivations *derivations, const Question *question);
/* Of one map; nothing where nothing is rewritten. False where simplifying fails. */
[[nodiscard]] bool derivation_print_map(
    Text *text, Derivations *derivations, const Map *map, const Map **simplified, Error *error);
/* The statements that the steps link to; nothing where there were none. */
void derivation_print_rules(Text *text, const Derivations *derivations);

#endif
