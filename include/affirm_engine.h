/* The interface of a foreign engine of indexing maps, which affirm judges as it judges its own.
 *
 * An engine maps texts to texts. It offers any of three functions:
 *   analyse   an HLO module and a question about one instruction -> the maps
 *   simplify  a map -> a simpler map that is the same, or has the same relation
 *   compose   a consumer's map and its producer's -> the composed map
 * Build it as a shared library that defines affirm_engine() below, and run
 *   affirm score --engine ./libmine.so            compares it with affirm's own engine
 *   affirm check FILE... --engine ./libmine.so    likewise exhaust and fuzz
 * The library is opened in a separate process, with limits on time, memory and the length of
 * results. If it crashes, hangs or exits, this is reported as a finding with the question, the
 * process is restarted, and the run continues.
 * A program can use the same protocol over a pipe: --engine-cmd, docs/formats.md. Examples:
 * examples/.
 *
 * This header includes no other header of the project and compiles as C11 and C++17. Its types only
 * grow at their ends, with the version. */
#ifndef AFFIRM_ENGINE_H
#define AFFIRM_ENGINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AFFIRM_ENGINE_VERSION 1

/* The result of a call. Any other value is reported as garbage (score: malformed). */
typedef enum AffirmEngineStatus {
  AFFIRM_ENGINE_ANSWERED = 0, /* the text is the result */
  AFFIRM_ENGINE_UNDEFINED =
      1, /* the engine states that there is no map; the text is the reason, or null */
  AFFIRM_ENGINE_NOT_OFFERED = 2, /* the engine never does this (as min and max, or this opcode); the
                                    text as above */
  AFFIRM_ENGINE_REFUSED =
      3 /* an error: malformed input, overflow, a limit; the text describes it, or is null */
} AffirmEngineStatus;

typedef enum AffirmEngineDirection {
  AFFIRM_ENGINE_OUTPUT_TO_INPUT =
      0, /* maps an output element to the operand elements that are read for it */
  AFFIRM_ENGINE_INPUT_TO_OUTPUT =
      1 /* maps an operand element to the output elements that it can influence */
} AffirmEngineDirection;

/* Selects the maps. Outputs and leaves are numbered as in a flattened tuple; an array has the
 * single leaf 0. */
typedef struct AffirmEngineQuestion {
  const char *module;      /* HLO text of a whole module */
  const char *instruction; /* its name, without '%': of the entry's instruction, or of the only one
                            * of this name. COMPUTATION/NAME for any other */
  AffirmEngineDirection direction;
  uint32_t output;       /* leaf of the instruction's shape */
  uint32_t operand;      /* number of the operand */
  uint32_t operand_leaf; /* leaf of the operand's shape */
} AffirmEngineQuestion;

/* Texts of maps (docs/formats.md has the grammar):
 *     (d0, d1)[s0]{rt0} -> (d0 * 8 + s0, d1 floordiv 2 + rt0), domain: d0 in [0, 3], d1 in [0, 7],
 *     s0 in [0, 7], rt0 in [0, 1], d0 * 8 + s0 in [0, 29]
 * or KNOWN EMPTY, or UNDEFINED. Bounds are inclusive. XLA's output is accepted too: line breaks,
 * `/` for floordiv. Divisors are constants > 0. floordiv, ceildiv and mod are mathematical: x = c *
 * (x floordiv c) + x mod c with 0 <= x mod c < c.
 *
 * analyse returns one map a line; several are a union; `(none)` means that nothing is read. XLA's
 * print_indexing format, which begins with `Output J operand K:`, is accepted too. The source of a
 * runtime variable is stated in a line after its map: `runtime variables:`, then `rt0: NAME OF THE
 * INSTRUCTION WHOSE VALUE IT IS; MAP TO ITS ELEMENT`.
 *
 * simplify receives variables named d0.., s0.., rt0.. and returns one map with the same numbers of
 * dimensions, runtime variables and results. Range variables may be removed, renumbered or added as
 * long as the relation is the same. An engine that also removes dimensions or runtime variables
 * states in a first line which ones it kept, `kept: d0, d2, rt1`, and renumbers them in the map
 * that follows. The removed ones are taken to be free within their bounds.
 *
 * compose returns one map with the consumer's dimensions and the producer's results:
 *     compose(consumer, producer)(d) = producer(consumer(d))
 * if consumer(d) is in the producer's domain. Range and runtime variables are the consumer's, then
 * the producer's; range variables may change as in simplify.
 *
 * Ownership. Arguments belong to the caller and are valid until the call returns; KEEP none of
 * them. The result is a NUL-terminated text that belongs to the engine. The caller copies it at
 * once and then passes it to release, if there is one, exactly once a call and never for a null
 * text. A static buffer therefore needs no release, and free() can be release.
 * Errors are values: return a status and a text; do not exit, abort or throw through these
 * functions. Calls come one at a time, from one thread, and are independent. Standard output is
 * discarded. The report of a crash contains a failed check, or the last line, from standard
 * error. */
typedef struct AffirmEngine {
  uint32_t version; /* AFFIRM_ENGINE_VERSION */
  const char *name; /* with the version of the judged engine: "mlir 22.1.0" */
  void *state;      /* the engine's own; passed to every function */

  /* A null function is not offered. Each function sets *text, or leaves it null. */
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

/* The only symbol of the library. Called once; null means that the engine cannot work here. The
 * returned struct lives as long as the process. */
AFFIRM_ENGINE_EXPORT const AffirmEngine *affirm_engine(void);

#ifdef __cplusplus
}
#endif

#endif
