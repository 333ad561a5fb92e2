/* Is one relation contained in another, for all indices and all values known at run time?
 * For each piece of the inner one: its constraints and "no piece of the outer one holds" have no
 * model. The outer pieces' hidden
 * integers are solved for (relation_solve). What is left over is guessed from the inner piece; else
 * the outer piece is asked about part by part (relation_parts), with each of the few values that
 * such an integer has; else it is quantified. A model is believed only after replay: the inner
 * piece is evaluated, by the map as stated where it comes from one, and the outer pieces are
 * searched for hidden integers at that very point. */
#ifndef SMT_RELATION_H
#define SMT_RELATION_H

#include "core/base/verdict.h"
#include "smt/relation/piece.h"
#include "smt/solver/query.h"

typedef struct RelationWork {
  Sums *sums;
  const MapContext *context;
  uint64_t rlimit;
  uint32_t seed;
  bool (*stop)(void); /* of SmtOptions */
  Withins given;      /* holds of every point that is asked about */
  Atoms visible;      /* what a witness names, in this order */
  uint32_t to_count;  /* the results of a map piece are these sums */
  const Sum *to;
  uint64_t rlimit_used;
  Query *query; /* one for all that is asked of this work, made when it is first needed */
  /* of the last answer */
  const Wide *values; /* VERDICT_REFUTED: of all atoms */
  uint32_t piece;     /* VERDICT_REFUTED: of the inner relation */
  const char *reason; /* VERDICT_UNKNOWN; in the arena of the sums */
} RelationWork;

/* Ends what the questions have opened. */
void relation_close(RelationWork *work);

[[nodiscard]] VerdictStatus relation_contained(
    RelationWork *work, const Relation *inner, const Relation *outer);

/* Has the relation a point? VERDICT_REFUTED with values when it has one, VERDICT_PROVED when it has
 * none. */
[[nodiscard]] VerdictStatus relation_is_empty(RelationWork *work, const Relation *relation);
/* The same without values. */
[[nodiscard]] VerdictStatus relation_has_none(RelationWork *work, const Relation *relation);

/* What runtime variables stand for: the given sums by position, or the value of their source by
 * `value`. A variable whose source is not known (no `value`, or `value` says no) is a hidden
 * integer within its bounds: it can only make the relation larger. */
typedef struct RuntimeBinding {
  const Sum *positions;
  bool (*value)(void *owner, const RuntimeSource *source, uint32_t index_count, const Sum *index,
      Sum *value, Error *error);
  void *owner;
  bool guessed; /* out: some source was not known */
} RuntimeBinding;

/* The piece of a map from `from` to `to`. False with an error for a malformed map or one of other
 * ranks. The map is plain. */
[[nodiscard]] bool relation_of_map(Sums *sums, const MapContext *context, const Map *map,
    uint32_t from_count, const Sum *from, uint32_t to_count, const Sum *to, RuntimeBinding *binding,
    Piece *piece, Error *error);

/* "(3, 0)": the sums at the values of the last refutation. */
void relation_print_point(const RelationWork *work, Text *text, uint32_t count, const Sum *sums);

#endif
