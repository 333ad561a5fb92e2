/* Bring your own engine: what a foreign engine of indexing maps offers, so that affirm judges it as
 * it judges its own.
 *
 * An engine takes texts and gives texts. It offers any of three things:
 *   analyse   an HLO module and a question about one instruction -> the maps
 *   simplify  a map -> the same map, or a map of the same relation, in simpler words
 *   compose   a consumer's map and its producer's -> the map of both, one after the other
 * Build it as a shared library that defines affirm_engine() below, and run
 *   affirm score --engine ./libmine.so            how good is it, beside affirm's own
 *   affirm check FILE... --engine ./libmine.so    also exhaust and fuzz
 * The library is opened in a process of its own, with limits on time, memory and length of the
 * answer. It may crash, hang or exit: that is reported as a finding with the question that did it,
 * the process is started again, and the run goes on.
 * A program that is no library speaks the same over a pipe: --engine-cmd, docs/formats.md.
 * Examples: examples/.
 *
 * This header includes no other of the project: C11 and C++17. Its types only grow at their ends,
 * with the version. */
#ifndef AFFIRM_ENGINE_H
#define AFFIRM_ENGINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AFFIRM_ENGINE_VERSION 1

/* What a call comes to. Anything else is reported as malformed. */
typedef enum AffirmEngineStatus {
  AFFIRM_ENGINE_ANSWERED = 0, /* the text is the answer */
  AFFIRM_ENGINE_UNDEFINED =
      1, /* there is no map for this, and the engine says so; the text may say why, or be null */
  AFFIRM_ENGINE_NOT_OFFERED = 2, /* the engine does not do this at all (min and max, say, or this
                                    opcode); the text as above */
  AFFIRM_ENGINE_REFUSED =
      3 /* an error: malformed input, overflow, a limit; the text says what, or is null */
} AffirmEngineStatus;

typedef enum AffirmEngineDirection {
  AFFIRM_ENGINE_OUTPUT_TO_INPUT =
      0, /* for an output element, the operand elements that are read for it */
  AFFIRM_ENGINE_INPUT_TO_OUTPUT =
      1 /* for an operand element, the output elements that it can influence */
} AffirmEngineDirection;

/* Which maps are wanted. Outputs and leaves are counted as in a flattened tuple; an array has the
 * one leaf 0. */
typedef struct AffirmEngineQuestion {
  const char *module;      /* HLO text, a whole module */
  const char *instruction; /* its name, without '%' */
  AffirmEngineDirection direction;
  uint32_t output;       /* leaf of the instruction's shape */
  uint32_t operand;      /* number of the operand */
  uint32_t operand_leaf; /* leaf of the operand's shape */
} AffirmEngineQuestion;

/* Texts of maps (docs/formats.md has the grammar):
 *     (d0, d1)[s0]{rt0} -> (d0 * 8 + s0, d1 floordiv 2 + rt0), domain: d0 in [0, 3], d1 in [0, 7],
 * s0 in [0, 7], rt0 in [0, 1], d0 * 8 + s0 in [0, 29] or KNOWN EMPTY, or UNDEFINED. Bounds are
 * inclusive. What XLA prints reads as well: line breaks,
 * `/` for floordiv. Divisors are constants > 0. floordiv, ceildiv and mod are mathematical: x = c *
 * (x floordiv c) + x mod c with 0 <= x mod c < c.
 *
 *   analyse   gives one map a line; several are a union; `(none)`: nothing is read. XLA's
 * print_indexing form with its `Output J operand K:` in front is accepted too. A runtime variable
 * is said in a line after its map: `runtime variables:`, then `rt0: NAME OF THE INSTRUCTION WHOSE
 * VALUE IT IS; MAP TO ITS ELEMENT`. simplify  is given variables named d0.., s0.., rt0.. and gives
 * one map with the same numbers of dimensions, runtime variables and results. Range variables may
 * be dropped, renumbered or added as long as the relation stays. An engine that removes dimensions
 * or runtime variables as well says in a first line which ones it kept, `kept: d0, d2, rt1`, and
 * numbers them anew in the map after it; the others are taken to be free within their bounds. compose   gives one map with the
 * consumer's dimensions and the producer's results: compose(consumer, producer)(d) =
 *             producer(consumer(d)) where consumer(d) lies in the producer's domain; range and
 * runtime variables are the consumer's, then the producer's, and of the range variables the same
 * holds as for simplify.
 *
 * Ownership. Arguments are the caller's and stay as they are until the call returns; KEEP nothing
 * of them. The answer is a NUL-terminated text that remains the engine's: the caller copies it at
 * once and then hands it back to release (where there is one), exactly once a call, null texts
 * aside. So a static buffer needs no release, and free() is a good one.
 * Errors are values: give a status and a text; do not exit, abort or throw through these functions.
 * Calls come one at a time, from one thread, each complete in itself. What is printed to standard
 * output goes nowhere; a failed check on standard error, or its last line, stands in the report of a crash. */
typedef struct AffirmEngine {
  uint32_t version; /* AFFIRM_ENGINE_VERSION */
  const char *name; /* with the version of what is judged: "mlir 22.1.0" */
  void *state;      /* the engine's own; handed to every function */

  /* A null function is not offered. Each sets *text, or leaves it null. */
  AffirmEngineStatus (*analyse)(
      void *state, const AffirmEngineQuestion *question, const char **text);
  AffirmEngineStatus (*simplify)(void *state, const char *map, const char **text);
  AffirmEngineStatus (*compose)(
      void *state, const char *consumer, const char *producer, const char **text);

  void (*release)(void *state, const char *text); /* or null */
} AffirmEngine;

#if defined(__GNUC__)
#define AFFIRM_ENGINE_EXPORT __attribute__((visibility("default")))
#else
#define AFFIRM_ENGINE_EXPORT
#endif

/* The one symbol of the library. Called once; null: the engine cannot work here. What it points to
 * lives as long as the process. */
AFFIRM_ENGINE_EXPORT const AffirmEngine *affirm_engine(void);

#ifdef __cplusplus
}
#endif

#endif
