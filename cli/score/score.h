/* What `affirm score` asks: questions about modules, maps, pairs of maps, wherever they come
 * from. */
#ifndef CLI_SCORE_SCORE_H
#define CLI_SCORE_SCORE_H

#include "cli/session.h"
#include "judge/audit/score.h"

static constexpr uint32_t score_side_count = 2; /* the foreign engine, then our own */

typedef struct ScoreSide {
  Judge *judge; /* nullptr: not scored */
  const char *name;
  Score scores[engine_verb_count];
} ScoreSide;

typedef struct Scorer {
  Arena *arena; /* of one question */
  Judge *raw;   /* our own maps before simplification: what is to be simplified and composed */
  ScoreSide sides[score_side_count];
  uint64_t lengths[score_side_count][engine_verb_count],
      compared[engine_verb_count]; /* where both gave an exact answer */
  uint64_t shown, most_shown, sources, unread;
  bool verbs[engine_verb_count], json, is_broken;
} Scorer;

/* A map, two maps: as texts, for each side reads them into a context of its own. */
void score_map(Scorer *scorer, const char *map);
void score_pair(Scorer *scorer, const char *consumer, const char *producer);
/* Every question about the instructions of a module; the raw maps simplified; the raw maps of each
 * instruction composed with those of its operands. */
void score_module(Scorer *scorer, const Module *module);

/* Whatever the file holds: cases, HLO, a map a line. */
void score_file(Scorer *scorer, const char *path);
/* Every .case and .hlo file of the directory and the directories in it; false when there is no such
 * directory. */
[[nodiscard]] bool score_directory(Scorer *scorer, const char *path);
/* `most` cases of each scope of the tier, spread evenly; of one scope where it is named. False when
 * it is not there. */
[[nodiscard]] bool score_scopes(Scorer *scorer, const char *name, uint32_t tier, uint64_t most);

/* The table of standing of the files, which `--json` wrote. */
[[nodiscard]] Status score_standing(Arena *arena, int count, char **paths);
/* The day in UTC, 2026-11-23. */
static constexpr uint32_t score_date_length = 11;
const char *score_today(char text[score_date_length]);

#endif
