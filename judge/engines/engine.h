/* The engine under test where it is not affirm's own: a library or a program of somebody else's
 * (include/affirm_engine.h), after a process of its own. What it answers is read as maps of the
 * context that the judges share; what it does instead of answering is a kind with its words.
 * Keeps: no map reaches a judge that does not read, has another rank than was asked for, or leaves
 * the tensor that it goes from. */
#ifndef JUDGE_ENGINE_H
#define JUDGE_ENGINE_H

#include "core/index/index.h"
#include "judge/engines/engine_process.h"
#include "judge/maps/question.h"

typedef struct EngineOptions {
  const char *library,
      *command; /* one of them, the other nullptr: the path of a library; a command for the shell */
  EngineLimits limits;
} EngineOptions;

typedef struct Engine Engine;
/* Starts it once, to hear its name: false with its words when it does not come up. The texts of the
 * options must outlive it. GIVE: the caller destroys it. */
[[nodiscard]] Engine *engine_create(const EngineOptions *options, Error *error);
void engine_destroy(Engine *engine);

typedef enum EngineVerb : uint8_t { ENGINE_ANALYSE, ENGINE_SIMPLIFY, ENGINE_COMPOSE } EngineVerb;
static constexpr uint32_t engine_verb_count = 3;
[[nodiscard]] const char *engine_verb_text(EngineVerb verb);
[[nodiscard]] const char *engine_name(const Engine *engine);
[[nodiscard]] bool engine_offers(const Engine *engine, EngineVerb verb);
/* The option that names it, for commands that replay: `--engine ./libmine.so`. */
[[nodiscard]] const char *engine_option(const Engine *engine);
/* A hash of name and option: the same from run to run. */
[[nodiscard]] uint64_t engine_mark(const Engine *engine);
[[nodiscard]] uint64_t engine_starts(const Engine *engine);
/* That the engine got. One question may be several, and one without a map to simplify is none. */
[[nodiscard]] uint64_t engine_requests(const Engine *engine);
/* Questions that were asked again since others may have ended the engine's process. */
[[nodiscard]] uint64_t engine_interrupted(const Engine *engine);

/* The module whose instructions are asked about from now on; it must live until the last of these
 * questions. */
void engine_set_module(Engine *engine, const Module *module);

/* Each gives how the call ended; the maps are set for ENGINE_ANSWERED alone. What is not offered is
 * not asked. */
[[nodiscard]] EngineKind engine_analyse(
    Engine *engine, MapContext *context, const Question *question, MapSet *maps);
[[nodiscard]] EngineKind engine_simplify(
    Engine *engine, MapContext *context, const Map *map, const Map **simplified);
[[nodiscard]] EngineKind engine_compose(Engine *engine, MapContext *context, const Map *consumer,
    const Map *producer, const Map **composed);
/* Of the last call: its words, its length, its time. */
[[nodiscard]] const EngineReply *engine_reply(const Engine *engine);
/* Sets the last reply, where a question ends before the engine is asked. */
void engine_note(Engine *engine, EngineKind kind, const char *what, const char *why);
/* "crashed: SIGSEGV", until the next call. */
[[nodiscard]] const char *engine_reply_text(const Engine *engine);
/* Sets the error to this text; always false. */
[[nodiscard]] bool engine_fail(const Engine *engine, Error *error);

#endif
