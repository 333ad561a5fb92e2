/* A foreign engine's process, spoken to over a pipe, a line a request and a line an answer
 * (docs/formats.md, "Engines over a pipe"). The process has limits on time, memory and length of
 * the answer; one that ends, hangs or says something else is killed with all that it started, and
 * the
 * next request starts it again. A library runs in the program affirm-engine-host, which speaks the
 * same.
 * Keeps: an answer is the answer to the request that was sent; nothing that the process does
 * reaches the caller but texts. */
#ifndef JUDGE_ENGINE_PROCESS_H
#define JUDGE_ENGINE_PROCESS_H

#include "core/base/error.h"
#include "core/base/text.h"

typedef enum EngineKind : uint8_t {
#define KIND(id, text, answer, help) ENGINE_##id,
#include "judge/engines/engine_kinds.def"
#undef KIND
} EngineKind;
static constexpr uint32_t engine_kind_count = 0
#define KIND(id, text, answer, help) +1
#include "judge/engines/engine_kinds.def"
#undef KIND
    ;
[[nodiscard]] const char *engine_kind_text(EngineKind kind);

typedef struct EngineLimits {
  uint64_t milliseconds; /* of one request; the start counts as one. By the clock, less the time for
                            which the engine stood in line for a processor */
  uint64_t memory;       /* bytes of address space; 0: no limit */
  uint64_t output;       /* bytes of one answer */
} EngineLimits;
static constexpr EngineLimits engine_limits_usual = {
    .milliseconds = 10'000, .memory = UINT64_C(4) << 30, .output = UINT64_C(16) << 20};

/* How one request ended. */
typedef struct EngineReply {
  EngineKind kind;
  size_t length; /* of the answer's text */
  double seconds;
  const char *why; /* the reason of every kind but ANSWERED, whole; it lives as long as the answer */
  size_t quoted;   /* offset in `why` where the quoted answer begins; 0: nothing is quoted */
  size_t words;    /* offset in `why` of the last words (complaint.h); 0: there are none */
  bool by_others;  /* it ended by a signal that others send */
} EngineReply;

typedef struct EngineProcess EngineProcess;
/* argv[0] is looked for as a shell does; argv and its texts must outlive the process. GIVE: the
 * caller destroys it. Nothing is started yet. */
[[nodiscard]] EngineProcess *engine_process_create(
    const char *const *argv, const EngineLimits *limits);
void engine_process_destroy(EngineProcess *process);

/* Sends `count` fields, tabs and line breaks in them escaped, and waits. `answer` gets the text
 * after the answer's first word, unescaped: the answer, or why there is none. A process that was
 * forked off the one that asked before starts an engine of its own.
 * A request whose process ended by a signal that others send (SIGTERM, SIGINT, SIGHUP, SIGQUIT,
 * SIGKILL) is asked again in a fresh process. Three that end so one after another were ended by the
 * request. */
void engine_process_ask(EngineProcess *process, uint32_t count, const char *const *fields,
    Text *answer, EngineReply *reply);
/* Starts the engine and returns its name and its verbs ("simplify compose"). False when it does not
 * start: `reply` has the kind and, in `arena`, the reason. */
[[nodiscard]] bool engine_process_hello(EngineProcess *process, Arena *arena, const char **name,
    const char **offers, EngineReply *reply);
/* Requests that the process that runs, or ran last, had answered before the last one ended it. */
[[nodiscard]] uint64_t engine_process_served(const EngineProcess *process);
/* Requests that were asked again since others may have ended the process. */
[[nodiscard]] uint64_t engine_process_interrupted(const EngineProcess *process);
/* Requests that were sent, greetings left out. */
[[nodiscard]] uint64_t engine_process_requests(const EngineProcess *process);
/* Times that the process was started. */
[[nodiscard]] uint64_t engine_process_starts(const EngineProcess *process);

#endif
