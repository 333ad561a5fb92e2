/* Starts an engine from the options. */
#include "cli/engine_options.h"

#include "cli/session.h"

bool engine_is_wanted(const EngineSettings *settings) {
  return settings->library != nullptr || settings->command != nullptr;
}

static constexpr int64_t most_milliseconds = 86'400'000, most_megabytes = INT64_C(1) << 24;

bool engine_open(const EngineSettings *settings, Engine **engine) {
  *engine = nullptr;
  if (!engine_is_wanted(settings)) return true;
  if (settings->library != nullptr && settings->command != nullptr)
    return session_reject("--engine or --engine-cmd, not both");
  if (!option_fits("engine-time", settings->milliseconds, most_milliseconds) ||
      !option_fits("engine-memory", settings->memory, most_megabytes))
    return false;
  EngineOptions options = {
      .library = settings->library, .command = settings->command, .limits = engine_limits_usual};
  options.limits.milliseconds = (uint64_t)settings->milliseconds;
  options.limits.memory = (uint64_t)settings->memory << 20;
  Error error = {};
  *engine = engine_create(&options, &error);
  return *engine != nullptr || session_fail(&error) == STATUS_PROVED;
}

void engine_close(Engine *engine) {
  uint64_t count = engine == nullptr ? 0 : engine_interrupted(engine);
  if (count > 0)
    session_warn("%s: %s asked again, its process was ended from outside", engine_name(engine),
        counted(count, "question"));
  engine_destroy(engine);
}

bool engine_read_accepted(Arena *arena, const EngineSettings *settings, KnownFaults *accepted) {
  Error error = {};
  if (settings->accept == nullptr) return true;
  if (!known_faults_read(arena, settings->accept, accepted, &error))
    return session_fail(&error) == STATUS_PROVED;
  for (uint32_t i = 0; i < accepted->count; i++)
    if (!fault_name_is_extra(accepted->items[i].name))
      return session_reject("%s: %s is no over-approximation (PLACE/extra/CAUSE)", settings->accept,
          accepted->items[i].name);
  return true;
}
