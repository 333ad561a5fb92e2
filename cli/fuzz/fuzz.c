/* affirm fuzz: runs campaigns. The programs fuzz_NAME beside this one run as child processes,
 * --jobs at a time, each on the corpus DIR/NAME. A child extends its corpus by every input with new
 * coverage, so a later campaign continues from there. A child that ends with a finding is restarted
 * with the next seed, until the time is up or all runs are done. */
#include <signal.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/engine_options.h"
#include "cli/fuzz/fuzz_campaign.h"
#include "cli/fuzz/fuzz_engine.h"
#include "cli/options.h"
#include "cli/report/results.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/process.h"

static constexpr int64_t usual_time = 60;
static constexpr uint32_t most_stuck = 20;

/* A turn: each target gets an equal share of the time, or the same number of runs. If a finding
 * ends a child early, its target keeps the rest of the turn. Turns end by the clock, so that the
 * campaign ends in time. A target that is still reading its seeds then has not run, which is
 * reported. */
typedef struct FuzzTurn {
  Target *target;
  double end;
  int64_t runs; /* remaining */
} FuzzTurn;

static bool has_more(const Campaign *campaign, const FuzzTurn *turn) {
  if (turn->target == nullptr || turn->target->dead >= 3 || turn->target->stuck >= most_stuck)
    return false;
  if (campaign->runs > 0 && turn->runs <= 0) return false;
  return campaign->time == 0 || turn->end - clock_wall() >= 1;
}

/* libFuzzer counts whole seconds, and its 0 means no limit. */
static int64_t seconds_of(const Campaign *campaign, const FuzzTurn *turn) {
  double left = turn->end - clock_wall();
  return campaign->time == 0 ? 0 : left < 1 ? 1 : (int64_t)left;
}

static bool fuzz_serve(
    Campaign *campaign, uint32_t slot, FuzzTurn *turn, uint32_t *given, double share) {
  FuzzJob *job = &campaign->job[slot];
  if (turn->target != nullptr)
    turn->runs -= job->executions > 0 ? (int64_t)job->executions : campaign->runs / 8 + 1;
  if (!has_more(campaign, turn)) {
    uint32_t rounds = campaign->target_count > (uint32_t)campaign->jobs ? campaign->target_count
                                                                        : (uint32_t)campaign->jobs;
    if (*given >= rounds) return false;
    uint32_t round = *given / (uint32_t)campaign->jobs + 1;
    double least = clock_wall() + (share < 1 ? share : 1), end = campaign->start + share * round;
    *turn = (FuzzTurn){.target = &campaign->targets[(*given)++ % campaign->target_count],
        .end = end > least ? end : least,
        .runs = campaign->runs};
  }
  if (job_start(campaign, job, turn->target, seconds_of(campaign, turn), turn->runs)) {
    job->stop = campaign->time == 0 ? 0 : turn->end;
    session_at("turn %u, %s", *given, turn->target->name);
    return true;
  }
  turn->target->failures++;
  turn->target->dead++;
  *turn = (FuzzTurn){};
  return true;
}

static void stop_children(Campaign *campaign) {
  for (int64_t i = 0; i < campaign->jobs; i++)
    if (campaign->job[i].child > 0)
      kill(campaign->job[i].child, SIGTERM), campaign->job[i].end = clock_wall();
}

static void fuzz_run(Campaign *campaign) {
  uint32_t given = 0;
  FuzzTurn turns[job_limit] = {};
  int64_t rounds = (campaign->target_count + campaign->jobs - 1) / campaign->jobs;
  double share = (double)campaign->time / (double)rounds,
         grace = 0.05 + 0.01 * (double)campaign->time;
  for (bool busy = true, stopped = false; busy;) {
    busy = false;
    campaign_watch_disk(campaign);
    if ((session_is_interrupted() || campaign->disk_full) && !stopped)
      stop_children(campaign), stopped = true;
    for (int64_t i = 0; i < campaign->jobs; i++) {
      FuzzJob *job = &campaign->job[i];
      int state;
      if (job->child > 0 && process_wait(job->child, 0, &state)) job_finish(campaign, job, state);
      if (job->child > 0) job_read_log(campaign, job);
      if (job->child > 0) job_watch(campaign, job);
      if (job->child > 0) job_end_turn(job, grace);
      if (job->child == 0 && !stopped &&
          fuzz_serve(campaign, (uint32_t)i, &turns[i], &given, share))
        busy = true;
      busy |= job->child > 0;
    }
    if (busy) campaign_print_line(campaign, false);
    if (busy) nanosleep(&(struct timespec){.tv_nsec = 50'000'000}, nullptr);
  }
}

static Status target_status(const Target *target) {
  if (target->findings + target->known > 0) return STATUS_REFUTED;
  return target->executions == 0 || target->failures > 0 ? STATUS_UNDECIDED : STATUS_PROVED;
}

/* Adds a result for each target. One that was only minimised has not run. */
static void keep_results(const Campaign *campaign, Results *results) {
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    const Target *target = &campaign->targets[i];
    if (campaign->minimise && target->findings == 0) continue;
    results_add(results,
        &(Result){.part = "fuzz targets",
            .name = target->name,
            .status = target_status(target),
            .text = arena_printf(campaign->arena,
                "%s, %s, %llu known, %u runs that failed "
                "without a finding; reports in %s",
                counted(target->executions, "execution"), counted(target->findings, "new finding"),
                (unsigned long long)target->known, target->failures, campaign->corpus)});
  }
}

static Status status_of(const Campaign *campaign) {
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < campaign->target_count; i++)
    status = status_worse(status, target_status(&campaign->targets[i]));
  return campaign->disk_full ? status_worse(status, STATUS_BAD) : status;
}

static Status fuzz_report(const Campaign *campaign) {
  Text text = text_create(campaign->arena);
  if (campaign->json) campaign_print_json(campaign, &text);
  else campaign_print_table(campaign, &text);
  const Status status = status_of(campaign);
  return session_print(text.bytes) ? status : status_worse(status, STATUS_BAD);
}

/* Disables address randomization: hashes of addresses affect coverage counts, and fixed addresses
 * make a campaign repeatable. If personality() fails, repeated campaigns differ slightly. */
static void keep_addresses(void) {
  int now_set = personality(0xffffffff);
  if (now_set != -1) (void)personality((unsigned long)now_set | ADDR_NO_RANDOMIZE);
}

static Status minimise(Campaign *campaign) {
  bool done = campaign_minimise(campaign);
  campaign_leave_directories(campaign);
  for (uint32_t i = 0; i < campaign->target_count; i++)
    if (campaign->targets[i].findings > 0) return STATUS_REFUTED;
  return done ? STATUS_PROVED : STATUS_UNDECIDED;
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A seed directory that was named must exist. If the default one, or that of a target, is missing,
 * that is reported. */
static bool look_for_seeds(Campaign *campaign) {
  static const char usual[] = "corpus/seeds";
  bool is_named = campaign->seeds != nullptr;
  if (!is_named) campaign->seeds = usual;
  if (is_directory(campaign->seeds)) return true;
  if (!is_named && !campaign->minimise)
    session_warn("no directory %s here: fuzzing starts without saved inputs", usual);
  return !is_named;
}

static void name_unseeded(const Campaign *campaign) {
  for (uint32_t i = 0; i < campaign->target_count && is_directory(campaign->seeds); i++)
    if (!is_directory(
            arena_printf(campaign->arena, "%s/%s", campaign->seeds, campaign->targets[i].name)))
      session_warn("no directory %s/%s: %s starts without saved inputs", campaign->seeds,
          campaign->targets[i].name, campaign->targets[i].name);
}

static Status fuzz_foreign(const Campaign *campaign, const EngineSettings *settings,
    const char *opcodes, Results *results) {
  Engine *engine;
  if (!engine_open(settings, &engine)) return STATUS_BAD;
  Status status = fuzz_engine(engine,
      &(EngineCampaign){.target = campaign->only,
          .opcodes = opcodes,
          .results = results,
          .exactness = EXACTNESS_NOTED,
          .directory = campaign->corpus,
          .is_json = campaign->json,
          .seeds = campaign->seeds,
          .seed = campaign->seed,
          .runs = campaign->runs,
          .seconds = campaign->time > 0 || campaign->runs > 0 ? campaign->time : usual_time},
      &(EngineTally){});
  engine_close(engine);
  return status;
}

static Status reject_target(Campaign *campaign) {
  const char *wanted = campaign->only;
  campaign->only = nullptr;
  if (wanted != nullptr) campaign_find_targets(campaign);
  if (campaign->target_count == 0)
    return session_usage(
        "no fuzz program beside affirm; a build of the sources has them, and --engine and --engine-cmd need none");
  Text names = text_create(campaign->arena);
  for (uint32_t i = 0; i < campaign->target_count; i++)
    text_printf(&names, " %s", campaign->targets[i].name);
  return session_usage("--target is one of%s, not '%s'", names.bytes, wanted);
}

/* Whether there is something to minimise. Makes no directory: the name may be mistyped. */
static bool has_inputs(Campaign *campaign) {
  uint64_t inputs = 0;
  campaign_count_inputs(campaign);
  for (uint32_t i = 0; i < campaign->target_count; i++) inputs += campaign->targets[i].inputs;
  return inputs > 0;
}

static Status fuzz(Campaign *campaign) {
  if (campaign->time == 0 && campaign->runs == 0) campaign->time = usual_time;
  campaign_find_targets(campaign);
  if (campaign->target_count == 0) return reject_target(campaign);
  if (campaign->minimise && !has_inputs(campaign))
    return session_usage("--corpus %s: %s", campaign->corpus,
        is_directory(campaign->corpus) ? "no input of a target to minimise" : "no directory");
  if (!campaign_make_directories(campaign)) return STATUS_BAD;
  if (!campaign->minimise) name_unseeded(campaign);
  if (campaign->jobs == 1) keep_addresses();
  campaign->start = campaign->last_edge = campaign->last_line = clock_wall();
  campaign_recover(campaign);
  if (campaign->minimise) return minimise(campaign);
  fuzz_run(campaign);
  campaign_leave_directories(campaign);
  campaign_print_line(campaign, true);
  return fuzz_report(campaign);
}

static const OptionNeed fuzz_needs[] = {ENGINE_NEEDS, {"opcodes", "engine engine-cmd"}};
static const OptionUse fuzz_uses[] = {
    {"jobs patience", "none"}, {"time runs seed seeds", "none engine engine-cmd"}};

/* The seeds of a target are in a directory with its name, and have any names. */
static bool is_seed(const char *, int depth) { return depth > 1; }

int cli_fuzz(int argc, char **argv) {
  Campaign campaign = {.corpus = "fuzz-corpus", .jobs = 1, .seed = 1, .patience = 60};
  EngineSettings engine = engine_settings_usual;
  const char *opcodes = nullptr;
  Results results = {};
  const Option options[] = {
      {"target", OPTION_TEXT, &campaign.only, "NAME: one target instead of all", nullptr},
      {"time", OPTION_COUNT, &campaign.time,
          "SECONDS: time of all targets together (60; with --runs no limit)", nullptr},
      {"jobs", OPTION_COUNT, &campaign.jobs,
          "N: targets that run at the same time (1); an engine is asked one question at a time",
          nullptr},
      {"corpus", OPTION_TEXT, &campaign.corpus,
          "DIR: inputs, logs and findings; a campaign continues from them (fuzz-corpus)", nullptr},
      {"seeds", OPTION_INPUT, &campaign.seeds,
          "DIR: saved inputs to start from, one directory per target (corpus/seeds)", nullptr},
      {"seed", OPTION_NUMBER, &campaign.seed, "N: seed of the random numbers (1)", nullptr},
      {"runs", OPTION_COUNT, &campaign.runs,
          "N: executions of each target; reproducible with one job, the same seed and an empty DIR",
          nullptr},
      {"patience", OPTION_COUNT, &campaign.patience,
          "SECONDS: restart a target that uses no processor time for this long (60)", nullptr},
      {"minimise", OPTION_FLAG, &campaign.minimise,
          "run no campaign; keep in DIR only the smallest inputs that together reach the same code; not for an engine, of whose code nothing is known",
          nullptr},
      {"json", OPTION_FLAG, &campaign.json, "print the summary as one JSON object per line",
          nullptr},
      {"opcodes", OPTION_TEXT, &opcodes,
          "LIST: with an engine, only graphs of the opcodes in this comma-separated list; fusions with other opcodes are left out",
          nullptr},
      ENGINE_OPTIONS(engine),
      RESULT_OPTIONS(results),
  };
  const Command table = {.usage = "fuzz [OPTION]...",
      .about =
          "Runs the fuzz programs beside affirm and keeps their findings, one report for each kind, set of operations and wrong rule.",
      .notes =
          "Exit status: 0 nothing found; 1 findings; 2 a target did not run, or a run of it was killed, or nothing was found and an engine refused questions or left them undefined; 3 bad input.",
      OPTION_TABLE(options),
      NEED_TABLE(fuzz_needs),
      MODE_TABLE("minimise engine engine-cmd", fuzz_uses),
      .reads = is_seed,
      .usual_input = "corpus/seeds",
      .unusual = "seeds"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (first != argc) return session_end(session_usage("fuzz takes no file: '%s'", argv[first]));
  if (!option_fits("jobs", campaign.jobs, job_limit)) return session_end(STATUS_BAD);
  session_catch_signals();
  signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit is a write error */
  campaign.arena = arena_create();
  results_begin(&results);
  Status status = !look_for_seeds(&campaign)
                      ? session_usage("--seeds %s: no directory", campaign.seeds)
                  : engine_is_wanted(&engine) ? fuzz_foreign(&campaign, &engine, opcodes, &results)
                                              : fuzz(&campaign);
  keep_results(&campaign, &results);
  status = results_write(&results, status);
  arena_destroy(campaign.arena);
  return session_end(status);
}
