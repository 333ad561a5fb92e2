/* A foreign engine's process. Requests and answers go over a pipe, one line each (docs/formats.md,
 * "Engines over a pipe"). The process has limits on time, memory and the length of an answer. If it
 * ends, hangs or breaks the protocol, it is killed with all that it started, and the next request
 * starts it again. A library runs in the program affirm-engine-host, which uses the same protocol.
 * Keeps: an answer belongs to the request that was sent. Only texts of the process reach the
 * caller. */
#ifndef JUDGE_ENGINES_ENGINE_PROCESS_H
#define JUDGE_ENGINES_ENGINE_PROCESS_H

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
  uint64_t milliseconds; /* of one request; the start counts as one. Wall-clock time, without the
                            time for which the engine waited for a processor */
  uint64_t memory;       /* bytes of address space; 0: no limit */
  uint64_t output;       /* bytes of one answer */
} EngineLimits;
static constexpr EngineLimits engine_limits_usual = {
    .milliseconds = 10'000, .memory = UINT64_C(4) << 30, .output = UINT64_C(16) << 20};

/* The outcome of one request. */
typedef struct EngineReply {
  EngineKind kind;
  size_t length; /* of the answer's text */
  double seconds;
  const char *why;  /* reason for every kind except ANSWERED; in the answer's arena */
  size_t quoted;    /* offset in `why` of the quoted answer; 0: nothing is quoted */
  size_t words;     /* offset in `why` of the last words (complaint.h); 0: none */
  bool is_cut;      /* HUNG, but all requests had to end before the time of this one was over */
  bool by_others;   /* it was ended by a signal that may come from outside */
  uint64_t earlier; /* it ended only after this many earlier questions; 0: it ends alone too */
} EngineReply;

typedef struct EngineProcess EngineProcess;
/* argv[0] is searched for as a shell does. argv and its texts must outlive the process. GIVE: the
 * caller destroys it. Starts nothing yet. */
[[nodiscard]] EngineProcess *engine_process_create(
    const char *const *argv, const EngineLimits *limits);
void engine_process_destroy(EngineProcess *process);
/* Sets the time limit of the following requests, and returns the one before. */
uint64_t engine_process_set_time(EngineProcess *process, uint64_t milliseconds);
/* Sets when every following answer is due at the latest, by clock_wall; 0: no such time. */
void engine_process_set_end(EngineProcess *process, double end);

/* Sets a function that is called while an answer is awaited, a few times a second. Once it returns
 * true no answer is awaited any more; nullptr: none. */
void engine_process_set_stop(EngineProcess *process, bool (*stop)(void));

/* Sends `count` fields, with tabs and line breaks escaped, and waits. `answer` receives the
 * unescaped text after the answer's first word: the answer, or why there is none. After a fork, the
 * new process starts an engine of its own. A request whose process was ended by a signal that may
 * come from outside (SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGKILL) is repeated in a fresh process.
 * After three such ends in a row the request is blamed. */
void engine_process_query(EngineProcess *process, uint32_t count, const char *const *fields,
    Text *answer, EngineReply *reply);
/* Starts the engine and returns its name and its verbs ("simplify compose"). Returns false if it
 * does not start: `reply` has the kind and, in `arena`, the reason. */
[[nodiscard]] bool engine_process_hello(EngineProcess *process, Arena *arena, const char **name,
    const char **offers, EngineReply *reply);
/* Requests that the current or last process had answered before the one that ended it. */
[[nodiscard]] uint64_t engine_process_served(const EngineProcess *process);
/* Requests that were repeated because the process may have been ended from outside. */
[[nodiscard]] uint64_t engine_process_interrupted(const EngineProcess *process);
/* Requests without greetings, also those for which the process did not start. */
[[nodiscard]] uint64_t engine_process_requests(const EngineProcess *process);
/* How often the process was started. */
[[nodiscard]] uint64_t engine_process_starts(const EngineProcess *process);

#endif
