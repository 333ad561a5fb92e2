/* Decides whether one relation is contained in another, for all indices and all runtime values. For
 * each inner piece, its constraints and "no outer piece holds" must have no model.
 * The hidden integers of outer pieces are solved for (relation_solve). Remaining ones are guessed
 * from the inner piece; otherwise the outer piece is split into parts (relation_parts), then each
 * of the few values of such an integer is tried, and finally it is quantified.
 * A model counts only after replay: the inner piece is evaluated, by its original map if it has
 * one, and the outer pieces are searched for hidden integers at that point. */
#ifndef SMT_RELATION_RELATION_H
#define SMT_RELATION_RELATION_H

#include "core/base/verdict.h"
#include "smt/relation/piece.h"
#include "smt/smt.h"
#include "smt/solver/query.h"

typedef struct RelationWork {
  Sums *sums;
  const MapContext *context;
  uint64_t rlimit;
  uint32_t seed;
  bool (*stop)(void); /* of SmtOptions */
  Withins given;      /* holds at every point that is considered */
  Atoms visible;      /* the witness contains their values, in this order */
  uint32_t to_count;  /* the results of a map piece are these sums */
  const Sum *to;
  uint64_t rlimit_used;
  Query *query; /* shared by all questions of this work, created at first use */
  /* of the last answer: */
  const Wide *values; /* VERDICT_REFUTED: of the atoms [value_count] */
  uint32_t value_count;
  uint32_t piece;     /* VERDICT_REFUTED: of the inner relation */
  const char *reason; /* VERDICT_UNKNOWN; in the arena of the sums */
} RelationWork;

/* The work of a question with the session's options; its sums are in the session's arena. */
[[nodiscard]] RelationWork relation_begin(const Smt *smt);
/* Closes the query. */
void relation_close(RelationWork *work);
/* The same, and notes in the verdict what was used. */
void relation_end(RelationWork *work, Verdict *verdict);

/* New visible indices, named by the prefix and their number. */
[[nodiscard]] Sum *relation_visible(RelationWork *work, const char *prefix, uint32_t count);
/* Stores the visible indices' values of the last refutation in the verdict. */
void relation_values(const RelationWork *work, Verdict *verdict);

[[nodiscard]] VerdictStatus relation_contained(
    RelationWork *work, const Relation *inner, const Relation *outer);

/* Whether the relation has a point: VERDICT_REFUTED with values if it has one, VERDICT_PROVED if it
 * has none. */
[[nodiscard]] VerdictStatus relation_is_empty(RelationWork *work, const Relation *relation);
/* The same without values. */
[[nodiscard]] VerdictStatus relation_has_none(RelationWork *work, const Relation *relation);

/* The sums of runtime variables: the given sums by position, or the value of their source by
 * `value`. A variable without a known source (no `value`, or `value` returns false) is a hidden
 * integer within its bounds, which can only enlarge the relation. */
typedef struct RuntimeBinding {
  const Sum *positions;
  bool (*value)(void *owner, const RuntimeSource *source, uint32_t index_count, const Sum *index,
      Sum *value, Error *error);
  void *owner;
  const RuntimeSource *unvalued; /* of the map: its variable is such a hidden integer, and */
  uint32_t index_count;          /* out: the index of its element is [index_count] */
  Sum *index;
  bool guessed; /* out: some source was not known */
} RuntimeBinding;

/* The piece of a plain map from `from` to `to`. False with an error for a malformed map or a map of
 * other ranks. */
[[nodiscard]] bool relation_of_map(Sums *sums, const MapContext *context, const Map *map,
    uint32_t from_count, const Sum *from, uint32_t to_count, const Sum *to, RuntimeBinding *binding,
    Piece *piece, Error *error);

/* Prints "(3, 0)": the sums at the values of the last refutation. */
void relation_print_point(const RelationWork *work, Text *text, uint32_t count, const Sum *sums);

#endif
