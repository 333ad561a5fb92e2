/* The variables that are tied, and the orders they can stand in. */
#ifndef CORE_SIMPLIFY_MEMBERS_H
#define CORE_SIMPLIFY_MEMBERS_H

#include "core/simplify/engine.h"

static constexpr uint32_t max_tied = 24, max_members = 8;

typedef struct Member {
  uint32_t kind, index;
  uint32_t group; /* the first member of those it is tied with */
  uint32_t like;  /* the first member that it may be exchanged with */
} Member;

typedef struct Members {
  uint32_t count;
  Member items[max_members]; /* group by group, by number */
  uint64_t orders;           /* how many to go through; 1: the numbers decide */
} Members;

/* By the ties that are known so far. */
void members_find(Simplifier *simplifier, const Map *map, Members *members);

#endif
