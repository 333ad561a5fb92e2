/* Shows on a page how a map was simplified: the map before, each step with its rule, bindings and
 * facts, and the map after. Steps link to the statements of their rules, which the page prints
 * once.
 * Keeps: the map after the last step is the simplified map; steps beyond the limit of a row are
 * counted in words. */
#ifndef CLI_REPORT_DERIVATION_H
#define CLI_REPORT_DERIVATION_H

#include "cli/report/html.h"

static constexpr size_t derivation_most_bytes = 6000; /* limit for the steps of one map */

/* A rule that steps have named, and their number, including steps beyond the limit of a row. */
typedef struct FiredRule {
  const Rule *rule;
  uint32_t count;
} FiredRule;

/* State of a page for its derivations, and the rules that its steps have named so far. */
typedef struct Derivations {
  Judge *judge;
  Indexer *raw;        /* computes maps without simplifying them */
  bool is_replayed;    /* each row names the command that judges it again */
  bool is_of_others;   /* the rows' maps come from another engine, so they have no derivation */
  const MapSet *wrong; /* the maps of a refuted row, whose steps are judged one by one; else
                          nullptr */
  Arena *arena;        /* allocates the list */
  uint32_t count, capacity;
  FiredRule *items;
} Derivations;
/* GIVE: derivations_end releases it, before the judge is destroyed. */
[[nodiscard]] bool derivations_begin(
    Derivations *derivations, Judge *judge, Arena *arena, Error *error);
void derivations_end(Derivations *derivations);

/* Prints the derivation of each raw map that simplifying changes. For a refuted row also prints
 * which step changes the relation, or that every step preserves it. */
void derivation_print(Text *text, Derivations *derivations, const Question *question);
/* Prints the derivation of one map; nothing if no step rewrites it. False if simplifying fails. */
[[nodiscard]] bool derivation_print_map(
    Text *text, Derivations *derivations, const Map *map, const Map **simplified, Error *error);
/* Prints the statements that the steps link to; nothing if there are none. */
void derivation_print_rules(Text *text, const Derivations *derivations);

#endif
