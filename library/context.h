/* The state of a context of the C library, and how its functions begin. Every public function is
 * one call into core or judge, between a check of its arguments and a copy of its result.
 * Keeps: the first error stays until the caller clears it; no argument reaches core or judge that
 * would fail an assertion there. */
#ifndef LIBRARY_CONTEXT_H
#define LIBRARY_CONTEXT_H

#include "include/affirm.h"
#include "judge/graphs/equiv_values.h"
#include "judge/maps/same.h"
#include "library/host.h"

struct AffirmContext {
  Judge *judge;
  MapMark begin;   /* of the judge's context, before the first call */
  locale_t locale; /* "C" */
  Error error;
  AffirmError shown;             /* the same error, for the caller */
  char text[sizeof(Error) + 64]; /* of affirm_error_text */
};

struct AffirmMaps {
  MapSet set;
};
struct AffirmTrace {
  Trace steps;
};
struct AffirmRules {
  RuleSet set;
  Source source;
};

/* Allocates all results. */
[[nodiscard]] static inline Arena *context_arena(const AffirmContext *context) {
  return context->judge->context->arena;
}

/* The first line of each public function, before anything reads or writes a number: leaves the
 * host's settings until the function ends. The context may be null. */
#define CONTEXT_ENTER(context) \
  [[maybe_unused, gnu::cleanup(host_return)]] const HostSettings host = \
      host_leave((context) == nullptr ? (locale_t)0 : (context)->locale)

/* False with ERROR_INPUT if the argument is null; the message names it. */
#define CONTEXT_HAS(context, argument) \
  ((argument) != nullptr || \
      error_set(&(context)->error, ERROR_INPUT, "%s: %s is null", __func__, #argument))

/* The same for pointers that only this context can have returned since its last reset: expressions
 * are numbers in a context, so a map of another context would be read as a different map. */
#define CONTEXT_OWNS(context, argument) \
  (CONTEXT_HAS(context, argument) && context_owns(context, __func__, #argument, argument))
[[nodiscard]] bool context_owns(
    AffirmContext *context, const char *function, const char *argument, const void *item);

/* False with ERROR_INPUT if index >= count. */
[[nodiscard]] bool context_has_index(
    AffirmContext *context, const char *what, uint32_t index, uint32_t count);
/* Frees what a function allocated after the mark and does not return. The judge has not been asked
 * since: it keeps no pointer to it. */
void context_forget(AffirmContext *context, MapMark mark);
/* A source with copies of name and text, which live as long as the results parsed from them. */
[[nodiscard]] const Source *context_source(
    AffirmContext *context, const char *name, const char *text);

[[nodiscard]] static inline const Map *map_of(const AffirmMap *map) { return (const Map *)map; }
[[nodiscard]] static inline const AffirmMap *map_to(const Map *map) {
  return (const AffirmMap *)map;
}
[[nodiscard]] static inline const Instruction *instruction_of(
    const AffirmInstruction *instruction) {
  return (const Instruction *)instruction;
}
[[nodiscard]] static inline const Module *module_of(const AffirmModule *module) {
  return (const Module *)module;
}

/* Sets the verdict, which may be null, and returns its status. */
[[nodiscard]] AffirmStatus verdict_give(
    AffirmVerdict *verdict, Status status, const char *name, const char *text);
/* Returns AFFIRM_FAILED, and sets the verdict's text to the context's error. */
[[nodiscard]] AffirmStatus verdict_fail(AffirmContext *context, AffirmVerdict *verdict);

#endif
