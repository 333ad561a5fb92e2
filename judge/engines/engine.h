/* A foreign engine under test: a library or program of another project (include/affirm_engine.h),
 * run in its own process. Its answers are parsed into maps of the judges' context. Any other
 * outcome is a kind with a reason.
 * Keeps: no map reaches a judge that does not parse, has another rank than asked for, or leaves its
 * tensor. */
#ifndef JUDGE_ENGINES_ENGINE_H
#define JUDGE_ENGINES_ENGINE_H

#include "core/index/index.h"
#include "judge/engines/engine_process.h"
#include "judge/maps/operations.h"
#include "judge/maps/question.h"

typedef struct EngineOptions {
  const char *library, *command; /* exactly one is set: the path of a library, or a shell command */
  EngineLimits limits;
} EngineOptions;

typedef struct Engine Engine;
/* Starts the engine once to read its name. Returns nullptr with its message if it does not start.
 * The texts of the options must outlive it. GIVE: the caller destroys it. */
[[nodiscard]] Engine *engine_create(const EngineOptions *options, Error *error);
void engine_destroy(Engine *engine);

typedef enum EngineVerb : uint8_t { ENGINE_ANALYSE, ENGINE_SIMPLIFY, ENGINE_COMPOSE } EngineVerb;
static constexpr uint32_t engine_verb_count = 3;
[[nodiscard]] const char *engine_verb_text(EngineVerb verb);
[[nodiscard]] const char *engine_name(const Engine *engine);
[[nodiscard]] bool engine_offers(const Engine *engine, EngineVerb verb);
/* The option that names the engine, for replaying commands: `--engine ./libmine.so`. */
[[nodiscard]] const char *engine_option(const Engine *engine);
/* A hash of name, option, and the contents of the library or of each file that the command names.
 * What such files use in turn, and the environment, are not part of it. */
[[nodiscard]] uint64_t engine_mark(const Engine *engine);
/* False with the error if none of these files is found, as of a command that begins with `cd`: then
 * the mark of a changed engine is the same. */
[[nodiscard]] bool engine_has_mark(const Engine *engine, Error *error);
[[nodiscard]] uint64_t engine_starts(const Engine *engine);
/* Requests to the engine, also those for which it did not start. One question may need several; a question without a map to simplify
 * needs none. */
[[nodiscard]] uint64_t engine_requests(const Engine *engine);
/* Questions that were repeated because the process may have been ended from outside. */
[[nodiscard]] uint64_t engine_interrupted(const Engine *engine);

/* What an engine has answered with a map so far. Has no pointers, so that processes can share it.
 */
typedef struct EngineAnswered {
  OpcodeSet analysed[2]; /* [Direction] opcodes of the questions about instructions */
  bool simplify, compose, in_case;
} EngineAnswered;
[[nodiscard]] const EngineAnswered *engine_answered(const Engine *engine);
/* Adds what the engine answered in another process. */
void engine_answered_add(Engine *engine, const EngineAnswered *more);
/* Notes that the engine has answered a question, also by simplifying maps for it, or in a case. */
void engine_note_answered(Engine *engine, const Question *question);
void engine_note_answered_case(Engine *engine);

/* Sets the time limit of the following answers, in milliseconds, and returns the one before. */
uint64_t engine_set_time(Engine *engine, uint64_t milliseconds);
/* Sets when every following answer is due at the latest, by clock_wall; 0: no such time. An answer
 * that this time alone made late is ENGINE_HUNG, and the reply says that it `is_cut`. */
void engine_set_end(Engine *engine, double end);
/* Sets a function that is called while an answer is awaited. Once it returns true, such answers are
 * cut in the same way; nullptr: none. */
void engine_set_stop(Engine *engine, bool (*stop)(void));
/* Sets the module of the following questions. It must outlive them. */
void engine_set_module(Engine *engine, const Module *module);

/* Each returns how the call ended; the maps are set only for ENGINE_ANSWERED. A verb that the
 * engine does not offer is not sent. */
[[nodiscard]] EngineKind engine_analyse(
    Engine *engine, MapContext *context, const Question *question, MapSet *maps);
[[nodiscard]] EngineKind engine_simplify(
    Engine *engine, MapContext *context, const Map *map, const Map **simplified);
[[nodiscard]] EngineKind engine_compose(Engine *engine, MapContext *context, const Map *consumer,
    const Map *producer, const Map **composed);
/* Reason, length and time of the last call. */
[[nodiscard]] const EngineReply *engine_reply(const Engine *engine);
/* Sets the last reply if a question ends before the engine is queried. */
void engine_note(Engine *engine, EngineKind kind, const char *what, const char *why);
/* "crashed: SIGSEGV"; valid until the next call. */
[[nodiscard]] const char *engine_reply_text(const Engine *engine);
/* Sets the error to this text. Always returns false. */
[[nodiscard]] static inline bool engine_fail(const Engine *engine, Error *error) {
  return error_set(error, ERROR_UNSUPPORTED, "%s", engine_reply_text(engine));
}

#endif
