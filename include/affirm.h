/* The C library of affirm: parses, computes, simplifies, compares and proves indexing maps of HLO
 * modules.
 *
 *     AffirmContext *context = affirm_context_create();
 *     const AffirmMap *map = affirm_map_parse(context, name, text);
 *     const AffirmMap *simple = affirm_map_simplify(context, map, NULL);
 *     if (simple != NULL) puts(affirm_map_text(context, simple));
 *     else fputs(affirm_error_text(context), stderr);
 *     affirm_context_destroy(context);
 *
 * Ownership. A context owns everything that its functions return: maps, modules, rules, texts.
 * Everything lives until affirm_context_reset or affirm_context_destroy; the message of
 * affirm_error and the text of affirm_error_text live until affirm_error_clear. A text that is
 * rejected takes no memory, so a loop over bad texts needs no reset. Arguments are copied. Passing
 * a pointer from another context to a function with a context is an error. Using a pointer from
 * before a reset is undefined: functions without a context, as affirm_map_state and
 * affirm_points_begin, read it, and what a later call returns can be at the same address.
 *
 * Threads. Contexts share nothing. A context belongs to one thread at a time. It accepts texts
 * whose depth fits the stack of the thread that created it, and rejects deeper ones; no thread with
 * a smaller stack may use it. 192 KB are the minimum; 8 MB are enough for every text.
 *
 * Settings of the host. The locale of the process or of the thread and the thread's modes of
 * floating point (fesetround, flushed subnormal numbers, enabled exceptions) change no answer: each
 * function works in the locale "C" and the usual modes, and restores the caller's before it
 * returns, exception flags included. The library calls no function of the host. The global
 * std::locale of a C++ program stays, and Z3 prints by it: if it groups digits, a value beyond
 * int64 in a counterexample is not understood, and the verdict is AFFIRM_UNKNOWN.
 *
 * Z3. The first proof loads Z3 and sets its parameter memory_max_size for the whole process, once:
 * to 4096 MB, or to three fifths of RLIMIT_AS if that is less. A host that uses the same libz3 has
 * this limit too.
 *
 * Errors are values. A function that returns a pointer returns NULL on an error; a function that
 * returns bool returns false. affirm_error then has the message and its location in the input. A
 * NULL argument is an error too, so calls can be nested and the first error is kept. Input never
 * ends the process; running out of memory does, with status 3.
 *
 * Verdicts. AFFIRM_UNKNOWN is not a pass. A verdict has the word of the judges, and the text of a
 * refutation contains a witness. docs/formats.md describes the texts of maps, modules and rules.
 *
 * This header includes no other header of the project and compiles as C11 and C++17. Structs only
 * grow at their ends, with the version. */
#ifndef AFFIRM_H
#define AFFIRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define AFFIRM_API __attribute__((visibility("default")))
#else
#define AFFIRM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define AFFIRM_VERSION_NUMBER 300 /* major * 10000 + minor * 100 + patch */

typedef struct AffirmContext AffirmContext;
typedef struct AffirmMap AffirmMap;
typedef struct AffirmTrace AffirmTrace;
typedef struct AffirmModule AffirmModule;
typedef struct AffirmInstruction AffirmInstruction;
typedef struct AffirmMaps AffirmMaps;
typedef struct AffirmRules AffirmRules;

/* ---- context and errors ---- */

/* The version, as "0.3.0". */
AFFIRM_API const char *affirm_version(void);

/* NULL only if the engine's own rules cannot be parsed, or without memory. */
AFFIRM_API AffirmContext *affirm_context_create(void);
AFFIRM_API void affirm_context_destroy(AffirmContext *context);
/* Frees everything that the context has returned, and clears the error. */
AFFIRM_API void affirm_context_reset(AffirmContext *context);
/* Processor time of one question about maps or reads, or of one proof of a rule; 0 restores the
 * default: 20 seconds for a question, and for a rule no time but a budget of the solver's steps.
 * What exceeds it is AFFIRM_UNKNOWN. A comparison of modules has limits of elements and of pairs of
 * operations, and none of time. */
AFFIRM_API void affirm_context_limit(AffirmContext *context, uint32_t seconds);

typedef enum AffirmErrorKind {
  AFFIRM_ERROR_NONE = 0,
  AFFIRM_ERROR_INPUT = 1,       /* the text or an argument is not valid */
  AFFIRM_ERROR_OVERFLOW = 2,    /* a value would leave int64 */
  AFFIRM_ERROR_LIMIT = 3,       /* valid, but above a stated limit */
  AFFIRM_ERROR_UNSUPPORTED = 4, /* valid, but not implemented */
  AFFIRM_ERROR_ENVIRONMENT = 5  /* a file or a library */
} AffirmErrorKind;

typedef struct AffirmError {
  AffirmErrorKind kind;
  const char *message;
  const char *source; /* the name that the caller gave to the text; "" without a location */
  uint32_t line;      /* from 1; 0 without a location */
  uint32_t column;    /* from 1, in bytes */
  uint32_t width;     /* number of bytes in question */
} AffirmError;

/* The first error since affirm_error_clear, or one of kind AFFIRM_ERROR_NONE. Never NULL. */
AFFIRM_API const AffirmError *affirm_error(AffirmContext *context);
/* `map.txt:3:14: error: ...`, the line of the input and a caret; "" without an error. */
AFFIRM_API const char *affirm_error_text(AffirmContext *context);
AFFIRM_API void affirm_error_clear(AffirmContext *context);

/* ---- maps ---- */

typedef enum AffirmStyle {
  AFFIRM_STYLE_LINE = 0,   /* one line, and one more for each source of a runtime variable */
  AFFIRM_STYLE_PRETTY = 1, /* a line for each bound */
  AFFIRM_STYLE_XLA = 2     /* as AFFIRM_STYLE_LINE, '/' for floordiv */
} AffirmStyle;

typedef enum AffirmVariableKind {
  AFFIRM_DIMENSION = 0,
  AFFIRM_RANGE = 1,
  AFFIRM_RUNTIME = 2
} AffirmVariableKind;

typedef enum AffirmMapState {
  AFFIRM_MAP_PLAIN = 0,
  AFFIRM_MAP_KNOWN_EMPTY = 1, /* the domain has no point */
  AFFIRM_MAP_UNDEFINED = 2
} AffirmMapState;

/* Inclusive bounds; lo > hi is the empty interval. */
typedef struct AffirmInterval {
  int64_t lo, hi;
} AffirmInterval;

/* `name` appears in errors: a path, or "<map>". */
AFFIRM_API const AffirmMap *affirm_map_parse(
    AffirmContext *context, const char *name, const char *text);
/* The identity (d0, ..) -> (d0, ..) over these sizes; at most 1000. */
AFFIRM_API const AffirmMap *affirm_map_identity(
    AffirmContext *context, uint32_t rank, const int64_t *sizes);
/* The map in AFFIRM_STYLE_LINE, which parses to the same map. It has several lines if runtime
 * variables have sources: after the map's own a line `runtime variables:`, and one for each. */
AFFIRM_API const char *affirm_map_text(AffirmContext *context, const AffirmMap *map);
AFFIRM_API const char *affirm_map_text_styled(
    AffirmContext *context, const AffirmMap *map, AffirmStyle style);

/* AFFIRM_MAP_UNDEFINED for NULL. */
AFFIRM_API AffirmMapState affirm_map_state(const AffirmMap *map);
AFFIRM_API uint32_t affirm_map_variable_count(const AffirmMap *map, AffirmVariableKind kind);
AFFIRM_API uint32_t affirm_map_result_count(const AffirmMap *map);
AFFIRM_API uint32_t affirm_map_constraint_count(const AffirmMap *map);
/* Bounds of variable number `index` of its kind. */
AFFIRM_API bool affirm_map_bounds(AffirmContext *context, const AffirmMap *map,
    AffirmVariableKind kind, uint32_t index, AffirmInterval *bounds);
/* The text of result number `index`. */
AFFIRM_API const char *affirm_map_result(
    AffirmContext *context, const AffirmMap *map, uint32_t index);
/* The text of constraint number `index`, and the interval that contains its value. */
AFFIRM_API const char *affirm_map_constraint(
    AffirmContext *context, const AffirmMap *map, uint32_t index, AffirmInterval *interval);

/* The composition producer(consumer(d)), not simplified. */
AFFIRM_API const AffirmMap *affirm_map_compose(
    AffirmContext *context, const AffirmMap *consumer, const AffirmMap *producer);
/* The same map, simplified. `trace` may be NULL; *trace is set to NULL on an error. */
AFFIRM_API const AffirmMap *affirm_map_simplify(
    AffirmContext *context, const AffirmMap *map, const AffirmTrace **trace);
/* The same relation, without unused range and runtime variables. */
AFFIRM_API const AffirmMap *affirm_map_drop_unused(AffirmContext *context, const AffirmMap *map);
/* The inverse map, from results to dimensions, defined exactly on the results of points. */
AFFIRM_API const AffirmMap *affirm_map_inverse(AffirmContext *context, const AffirmMap *map);

/* One rewrite of a trace. */
typedef struct AffirmStep {
  const char *rule;     /* the rule's name, or what was done: normal form, a variable removed */
  const char *file;     /* the file of the rule, or NULL */
  uint32_t line;        /* 0 without a rule */
  int32_t result;       /* the position of the result that was rewritten, or -1 */
  int32_t constraint;   /* the position of the constraint, or -1 */
  const char *bindings; /* "c = 8, x = d0", or "" */
  const char *facts;    /* "0 <= d0 <= 7 (bounds of d0)", or "" */
  const char *before;   /* the whole map before the step */
  const char *after;    /* and after it */
} AffirmStep;
AFFIRM_API uint32_t affirm_trace_count(const AffirmTrace *trace);
AFFIRM_API bool affirm_trace_step(
    AffirmContext *context, const AffirmTrace *trace, uint32_t index, AffirmStep *step);

/* ---- points ---- */

typedef enum AffirmPoint {
  AFFIRM_POINT_INSIDE = 0,
  AFFIRM_POINT_OUTSIDE = 1,  /* the point is outside the domain */
  AFFIRM_POINT_OVERFLOW = 2, /* a value would leave int64 */
  AFFIRM_POINT_ERROR = 3
} AffirmPoint;

/* `values` are the dimensions, then the range variables, then the runtime variables. `results` has
 * affirm_map_result_count elements and is set for AFFIRM_POINT_INSIDE. */
AFFIRM_API AffirmPoint affirm_map_evaluate(AffirmContext *context, const AffirmMap *map,
    uint32_t value_count, const int64_t *values, int64_t *results);
/* Enumerates all points within the bounds, ignoring constraints; the last variable varies fastest.
 * False after the last point, if there is none, and for values outside the bounds. `values` has an
 * element for each variable. */
AFFIRM_API bool affirm_points_begin(const AffirmMap *map, uint32_t value_count, int64_t *values);
AFFIRM_API bool affirm_points_next(const AffirmMap *map, uint32_t value_count, int64_t *values);
/* The exact number of points of the domain. False with an error if it cannot be determined. */
AFFIRM_API bool affirm_map_point_count(
    AffirmContext *context, const AffirmMap *map, uint64_t *count);
/* Bounds that contain each result: bounds[affirm_map_result_count]. False without an error if the
 * domain is known to be empty: if affirm_map_simplify returns AFFIRM_MAP_KNOWN_EMPTY. An empty
 * domain that is not known to be empty has bounds too; affirm_map_point_count decides. `bounds` may
 * be NULL for a map without results. */
AFFIRM_API bool affirm_map_image(
    AffirmContext *context, const AffirmMap *map, AffirmInterval *bounds);

/* ---- verdicts ---- */

/* Equal to the exit statuses of the command. */
typedef enum AffirmStatus {
  AFFIRM_PROVED = 0,
  AFFIRM_REFUTED = 1,
  AFFIRM_UNKNOWN = 2,
  AFFIRM_FAILED = 3 /* an error: see affirm_error */
} AffirmStatus;

typedef struct AffirmVerdict {
  AffirmStatus status;
  const char *verdict; /* the word that the command prints: "proved", "exact", "same values" .. */
  const char *text;    /* AFFIRM_REFUTED: the counterexample. AFFIRM_UNKNOWN: why nothing is known.
                          AFFIRM_FAILED: the message of affirm_error. AFFIRM_PROVED: the scope or
                          the reason, as "all values" or "it has an inverse", or "" */
} AffirmVerdict;

/* Decides whether both maps are the same map. Like all functions with a verdict, returns its
 * status, and sets it if `verdict` is not NULL. */
AFFIRM_API AffirmStatus affirm_maps_same(
    AffirmContext *context, const AffirmMap *a, const AffirmMap *b, AffirmVerdict *verdict);
/* Decides whether both have the same pairs of dimensions and results, whatever the range
 * variables. */
AFFIRM_API AffirmStatus affirm_maps_same_relation(
    AffirmContext *context, const AffirmMap *a, const AffirmMap *b, AffirmVerdict *verdict);
/* Decides whether each pair of the inner map is a pair of the outer map. */
AFFIRM_API AffirmStatus affirm_maps_contained(
    AffirmContext *context, const AffirmMap *inner, const AffirmMap *outer, AffirmVerdict *verdict);
/* Decides whether different points have different results. A refutation names two points with one
 * result, or says that there are more points than results. */
AFFIRM_API AffirmStatus affirm_map_injective(
    AffirmContext *context, const AffirmMap *map, AffirmVerdict *verdict);

/* ---- modules ---- */

/* Parses and verifies one HLO module. A text of several modules is an error. */
AFFIRM_API const AffirmModule *affirm_module_read(
    AffirmContext *context, const char *name, const char *text);
AFFIRM_API const char *affirm_module_text(AffirmContext *context, const AffirmModule *module);
AFFIRM_API const AffirmInstruction *affirm_module_root(const AffirmModule *module);
/* The instructions of the entry computation, operands before users. */
AFFIRM_API uint32_t affirm_module_instruction_count(const AffirmModule *module);
AFFIRM_API const AffirmInstruction *affirm_module_instruction(
    AffirmContext *context, const AffirmModule *module, uint32_t index);
/* Finds an instruction by its name: NAME is one of the entry, or else of another computation;
 * COMPUTATION/NAME is one of this computation. Each name may begin with '%'. A NAME that several
 * computations have and the entry does not is an error that says the names to choose from. */
AFFIRM_API const AffirmInstruction *affirm_module_find(
    AffirmContext *context, const AffirmModule *module, const char *name);

AFFIRM_API const char *affirm_instruction_name(const AffirmInstruction *instruction);
AFFIRM_API const char *affirm_instruction_opcode(const AffirmInstruction *instruction);
AFFIRM_API uint32_t affirm_instruction_operand_count(const AffirmInstruction *instruction);
/* The instruction as HLO text. */
AFFIRM_API const char *affirm_instruction_text(
    AffirmContext *context, const AffirmInstruction *instruction);

typedef enum AffirmDirection {
  AFFIRM_OUTPUT_TO_INPUT = 0, /* maps an output element to the operand elements that are read for
                                 it */
  AFFIRM_INPUT_TO_OUTPUT = 1  /* maps an operand element to the output elements that it
                                 influences */
} AffirmDirection;

/* Arrays in tuples are numbered as leaves, depth first; an array is its own leaf 0. */
typedef struct AffirmQuestion {
  const AffirmInstruction *instruction;
  AffirmDirection direction;
  uint32_t output, operand, operand_leaf;
} AffirmQuestion;

/* The engine's maps, whose union is the result. */
AFFIRM_API const AffirmMaps *affirm_maps_compute(
    AffirmContext *context, const AffirmQuestion *question);
/* A union of the caller's own maps, such as those of another engine. */
AFFIRM_API const AffirmMaps *affirm_maps_create(
    AffirmContext *context, uint32_t count, const AffirmMap *const *maps);
AFFIRM_API uint32_t affirm_maps_count(const AffirmMaps *maps);
AFFIRM_API const AffirmMap *affirm_maps_at(
    AffirmContext *context, const AffirmMaps *maps, uint32_t index);
/* NULL if the engine claims that the union is exact; else what is lost, or why there is none. A
 * text for NULL, as after an error of affirm_maps_compute. */
AFFIRM_API const char *affirm_maps_reason(const AffirmMaps *maps);

/* Decides whether the maps denote exactly the elements that are read. Both judges are asked. An
 * over-approximation that the engine declares is AFFIRM_PROVED with the word
 * "over-approximation". */
AFFIRM_API AffirmStatus affirm_maps_judge(AffirmContext *context, const AffirmQuestion *question,
    const AffirmMaps *maps, AffirmVerdict *verdict);

/* Laws of arithmetic that may be used to prove terms equal. */
typedef enum AffirmLaws {
  AFFIRM_LAWS_NONE = 0,
  AFFIRM_LAWS_EXACT = 1, /* preserve every bit */
  AFFIRM_LAWS_IEEE = 2,  /* preserve all but the payload of a NaN and the sign of a zero */
  AFFIRM_LAWS_FAST = 3   /* may change the order of operations */
} AffirmLaws;

AFFIRM_API uint32_t affirm_module_output_count(const AffirmModule *module);
/* Decides whether two modules compute the same values for an output leaf. The judge by proof is
 * asked if enumeration does not decide. If the judges disagree, the status is AFFIRM_FAILED, and
 * affirm_error has the verdicts of both. */
AFFIRM_API AffirmStatus affirm_modules_equivalent(AffirmContext *context,
    const AffirmModule *before, const AffirmModule *after, AffirmLaws laws, uint32_t output,
    AffirmVerdict *verdict);

/* ---- rules ---- */

/* Parses rules: rule NAME LEFT => RIGHT when GUARD, ... Accepts all statements that `affirm prove`
 * accepts (docs/formats.md), also those that cannot run as rewrites. If one does not parse, the
 * result is NULL and the error is about the first of them. A line `order:` that names no order and
 * a line `example:` that is no map are errors too. Orders, examples and negative examples
 * (`near-miss:`) are parsed and not judged. */
AFFIRM_API const AffirmRules *affirm_rules_parse(
    AffirmContext *context, const char *name, const char *text);
AFFIRM_API uint32_t affirm_rules_count(const AffirmRules *rules);
AFFIRM_API const char *affirm_rule_name(
    AffirmContext *context, const AffirmRules *rules, uint32_t index);
AFFIRM_API const char *affirm_rule_text(
    AffirmContext *context, const AffirmRules *rules, uint32_t index);
/* Proves the rule for all values of its letters, within its `scope:`. An unsatisfiable guard is an
 * error. */
AFFIRM_API AffirmStatus affirm_rule_prove(
    AffirmContext *context, const AffirmRules *rules, uint32_t index, AffirmVerdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
