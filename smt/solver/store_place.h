/* Where the proof store stands when nobody names one: in the user's cache directory. A
 * store proves nothing false, but a file of somebody else is not opened unless it is named. */
#ifndef SMT_STORE_PLACE_H
#define SMT_STORE_PLACE_H

#include "core/base/arena.h"

typedef struct StorePlace {
  const char *path; /* nullptr: there is none */
  const char *why;  /* there is none; a sentence without a full stop */
  bool is_named;    /* by the user: by `named` or by $AFFIRM_STORE */
} StorePlace;

/* `named`, else $AFFIRM_STORE, else affirm/proofs.sqlite in $XDG_CACHE_HOME or $HOME/.cache. No
 * store unless it is named: where CI is set, and where its directory belongs to a git work tree or
 * to another user, because somebody else may have written it. */
[[nodiscard]] StorePlace store_place(Arena *arena, const char *named);

/* $XDG_CACHE_HOME, else $HOME/.cache; nullptr where neither is an absolute path. */
[[nodiscard]] const char *store_place_cache(Arena *arena);

#endif
