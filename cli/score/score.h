/* The questions of `affirm score`, from all sources: about modules, maps, and pairs of maps. */
#ifndef CLI_SCORE_SCORE_H
#define CLI_SCORE_SCORE_H

#include "cli/report/results.h"
#include "cli/session.h"
#include "judge/audit/score.h"

static constexpr uint32_t score_side_count = 2; /* the foreign engine, then affirm's own */

typedef struct ScoreSide {
  Judge *judge; /* nullptr: not scored */
  const char *name;
  Score scores[engine_verb_count];
  Text explained[engine_verb_count]; /* with --json: the explained faults */
} ScoreSide;

/* What is being read, for its errors and results. */
typedef struct ScorePlace {
  const char *path, *part, *name; /* path nullptr: a scope */
  const Source *whole;            /* the text in which maps begin inside a line; nullptr: in none */
} ScorePlace;

typedef struct Scorer {
  Arena *arena; /* freed after each question */
  Judge *raw;   /* computes affirm's unsimplified maps, which are simplified and composed */
  ScoreSide sides[score_side_count];
  uint64_t lengths[score_side_count][engine_verb_count],
      compared[engine_verb_count]; /* maps for which both results were exact */
  uint64_t shown, most_shown, sources, unread;
  uint64_t left_out; /* files of a directory that are not scored */
  ScorePlace place;
  Results *results;
  bool verbs[engine_verb_count], json, is_broken;
} Scorer;

/* The side that the exit status is about. */
[[nodiscard]] const ScoreSide *score_tested_side(const Scorer *scorer);
/* Reports a part that could not be read, counts it and adds its result. */
void score_unread(Scorer *scorer, const Error *error);
/* The same for a part of which the error is printed already. */
void score_note_unread(Scorer *scorer, uint32_t line, const char *why);

/* A map, or two maps with ` ; ` between them: each side parses them into a context of its own. What
 * affirm rejects, or does not compose, is unread. */
void score_map(Scorer *scorer, const Source *map);
void score_pair(Scorer *scorer, const Source *pair);
/* Scores every question about the instructions of a module, simplifying of the raw maps, and
 * composition of each instruction's raw maps with those of its operands. */
void score_module(Scorer *scorer, const Module *module);

/* Scores any file: cases, HLO, or maps. */
void score_file(Scorer *scorer, const char *path);
/* Scores every .hlo, .txt, .maps and .case file below the directory, of the corpus only .case and
 * .hlo; false if the directory does not exist. */
[[nodiscard]] bool score_directory(Scorer *scorer, const char *path, bool is_corpus);
/* Scores `most` cases of each scope of the tier, spread evenly, or of the named scope. False if
 * that scope does not exist. */
[[nodiscard]] bool score_scopes(Scorer *scorer, const char *name, uint32_t tier, uint64_t most);

/* Prints the table of standing from files written by `--json`. */
[[nodiscard]] Status score_standing(Arena *arena, int count, char **paths);
/* The date in UTC, as 2026-11-23. */
static constexpr uint32_t score_date_length = 11;
const char *score_today(char text[score_date_length]);

#endif
