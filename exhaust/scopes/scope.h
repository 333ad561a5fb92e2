/* Scopes: named, complete, ordered sets of small cases. Case k of a scope and tier is always the
 * same text.
 * Keeps: the number of cases is computed from the limits alone, before any case is made. Every k
 * below it is a case, and all cases are different. Symmetric cases are not removed. */
#ifndef EXHAUST_SCOPES_SCOPE_H
#define EXHAUST_SCOPES_SCOPE_H

#include "core/base/error.h"
#include "exhaust/scopes/scope_operation.h"
#include "generate/maps/map_generator.h"

typedef enum Tier : uint8_t { TIER_GATE, TIER_NIGHTLY, TIER_FULL } Tier;
static constexpr uint32_t tier_count = 3;

/* MIXED: chains that include the operations which no other chains use.
 * EMPTY: every applicable operation on operands without elements; `elements` bounds the product of
 *   the other sizes.
 * WRAPPED: the operations of chains, one at a time, in every wrapper: fusion, nested fusion, call,
 *   a fusion of several outputs, a fusion that uses the value twice.
 * MAPS: maps of generate/maps, which are simplified.
 * OPERATORS: the same, and every tier gives each unsimplified map to all judges.
 * COMPOSITIONS: pairs of maps, which are composed.
 * ALGEBRA: maps, about which the algebra is queried.
 * PAIRS: two maps, which the judges compare.
 * RULES: texts of rules.
 * GRAPHS: two modules, whose values the judges compare. */
typedef enum ScopeKind : uint8_t {
  SCOPE_CHAIN,
  SCOPE_MIXED,
  SCOPE_EMPTY,
  SCOPE_WRAPPED,
  SCOPE_MAPS,
  SCOPE_OPERATORS,
  SCOPE_COMPOSITIONS,
  SCOPE_ALGEBRA,
  SCOPE_PAIRS,
  SCOPE_RULES,
  SCOPE_GRAPHS
} ScopeKind;
/* True if the cases are modules, not maps or rules. */
[[nodiscard]] bool scope_is_of_modules(ScopeKind kind);

typedef struct ScopeSize {
  uint32_t rank;
  int64_t elements;
} ScopeSize;

typedef struct Scope {
  const char *name;
  ScopeKind kind;
  uint8_t what; /* of SCOPE_CHAIN of length 1: a GeneratedOperation; of maps: a MapGeneratorId */
  uint32_t length;
  const OperationLimits *ranges;
  ScopeSize sizes[tier_count]; /* rank 0: the scope is not in the tier */
  const char *without;         /* what it leaves out beside operations (scope_write_left_out) */
} Scope;

extern const Scope scopes[];
extern const uint32_t scope_count;

/* nullptr if no scope has the name. */
[[nodiscard]] const Scope *scope_find(const char *name);
/* The closest name to a misspelt one; nullptr: none is close. */
[[nodiscard]] const char *scope_nearest(const char *name);
[[nodiscard]] const char *tier_text(Tier tier);

/* A prepared scope: all that finding case k needs. */
typedef struct ScopePlan ScopePlan;
struct ScopePlan {
  const Scope *scope;
  Tier tier;
  uint64_t count;
  Arena *arena;
  MapContext *context; /* of the maps of the case that is being written */
  TensorList tensors;
  ScopeLimits limits;
  uint64_t *first;   /* [tensors + 1]: number of the first case that starts with the tensor */
  uint64_t *ways;    /* [tensors][operations]: ways to apply the operation to the tensor; 0 for
                        operations that do not take part */
  uint64_t **chains; /* [length + 1][tensors]: chains of that length that start with the tensor */
  uint64_t ***steps; /* [length + 1][tensors]: the same by first operation and way, as prefix
                        sums; from length 2 on */
};
/* GIVE: the caller destroys it. */
[[nodiscard]] ScopePlan *scope_plan_create(const Scope *scope, Tier tier);
/* The same with explicit limits, for tests. */
[[nodiscard]] ScopePlan *scope_plan_of_size(const Scope *scope, Tier tier, ScopeSize size);
void scope_plan_destroy(ScopePlan *plan);
/* The count of scope_plan_create(scope, tier), without the memory that finding a case needs. */
[[nodiscard]] uint64_t scope_cases(const Scope *scope, Tier tier);

/* Describes the enumeration for people: operations with their ranges, or the forms of maps. In
 * scope_words.c. */
void scope_write_words(const Scope *scope, Text *text);
/* Describes what the enumeration leaves out, operations that take no part included. */
void scope_write_left_out(const Scope *scope, Text *text);
/* True if the operation takes part in cases of the scope. */
[[nodiscard]] bool scope_takes(const Scope *scope, uint32_t operation);

/* Appends case k: a module, a line with one or two maps, or a rule. */
void scope_write_case(const ScopePlan *plan, uint64_t k, Text *text);

/* In scope_rules.c. Generates one case from choices; text == nullptr: only the choices. */
void scope_generate_rule(const ScopePlan *plan, Choices *choices, Text *text);
void scope_write_rule_words(Text *text);
/* In scope_graphs.c. */
[[nodiscard]] uint64_t scope_graphs_count(ScopePlan *plan);
void scope_write_graphs(const ScopePlan *plan, uint64_t k, Text *text);
void scope_write_graphs_words(Text *text);

#endif
