/* Options of check, exhaust, fuzz, gate, reduce and score that select a foreign engine instead of
 * affirm's own (include/affirm_engine.h, docs/formats.md). */
#ifndef CLI_ENGINE_OPTIONS_H
#define CLI_ENGINE_OPTIONS_H

#include "cli/options.h"
#include "judge/engines/engine_faults.h"

typedef struct EngineSettings {
  const char *library, *command;
  int64_t milliseconds, memory; /* memory in MB; 0: no limit */
  const char *accept;           /* a file of names (judge/engines/engine_faults.h) */
} EngineSettings;
static constexpr EngineSettings engine_settings_usual = {.milliseconds = 10'000, .memory = 4096};
#define ENGINE_OPTIONS(settings) \
  {"engine", OPTION_INPUT, &(settings).library, \
      "LIBRARY: judge this engine (affirm_engine.h) instead of affirm's own", nullptr}, \
      {"engine-cmd", OPTION_SHELL, &(settings).command, \
          "'PROGRAM ARGS': judge an engine that is a program and answers over a pipe (docs/formats.md)", \
          nullptr}, \
      {"engine-time", OPTION_COUNT, &(settings).milliseconds, \
          "MS: time limit of one answer of the engine (10000)", nullptr}, \
  { \
    "engine-memory", OPTION_NUMBER, &(settings).memory, \
        "MB: limit of the engine's address space (4096); 0: no limit, which sanitizers need", \
        nullptr \
  }

#define ENGINE_ACCEPT_OPTION(settings) \
  {"accept", OPTION_INPUT, &(settings).accept, \
      "FILE: names of groups of over-approximations that do not count as faults (docs/formats.md)", \
      nullptr}

/* Rows of NEED_TABLE. */
#define ENGINE_NEEDS {"engine-time engine-memory", "engine engine-cmd"}

[[nodiscard]] bool engine_is_wanted(const EngineSettings *settings);
/* *engine is nullptr if no engine is selected. False if the options are wrong or the engine does
 * not start, which is reported on standard error. */
[[nodiscard]] bool engine_open(const EngineSettings *settings, Engine **engine);
/* Reports how many questions were asked again because another question may have ended the engine's
 * process, and destroys the engine. nullptr is allowed. */
void engine_close(Engine *engine);
/* Reads the names of --accept; none without it. False if a name is not that of an
 * over-approximation, or if the file cannot be read: reported on standard error. */
[[nodiscard]] bool engine_read_accepted(
    Arena *arena, const EngineSettings *settings, KnownFaults *accepted);

#endif
