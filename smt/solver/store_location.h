/* The location of the proof store: by default in the user's cache directory. A store cannot prove
 * anything false, but a file that another user may have written is opened only if it is named. */
#ifndef SMT_SOLVER_STORE_LOCATION_H
#define SMT_SOLVER_STORE_LOCATION_H

#include "core/base/arena.h"

typedef struct StorePosition {
  const char *path; /* nullptr: no store */
  const char *why;  /* the reason for no store; a sentence without a full stop */
  bool is_named;    /* by the user: by `named` or by $AFFIRM_STORE */
} StorePosition;

/* The location is `named`, else $AFFIRM_STORE, else affirm/proofs.sqlite in $XDG_CACHE_HOME or
 * $HOME/.cache. An unnamed store is not used if CI is set, or if its directory belongs to a git
 * work tree or to another user: somebody else may have written it. */
[[nodiscard]] StorePosition store_location(Arena *arena, const char *named);

/* $XDG_CACHE_HOME, else $HOME/.cache; nullptr if neither is an absolute path. */
[[nodiscard]] const char *store_location_cache(Arena *arena);

#endif
