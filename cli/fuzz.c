/* affirm fuzz: campaigns. The programs fuzz_NAME beside this one run as children, --jobs at a time, each on DIR/NAME, which they extend with every input that
 * reaches something new: whatever ends a campaign, the next one goes on from there. A child that ends by a finding is started again, with the next seed,
 * until the time is up. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/engine_options.h"
#include "cli/fuzz_engine.h"
#include "cli/fuzz_findings.h"
#include "cli/options.h"
#include "cli/session.h"
#include "core/base/file.h"

extern char **environ;

static constexpr uint32_t target_limit = 32;
static constexpr uint32_t job_limit = 64;

typedef struct Target {
  const char *name, *program;
  uint64_t executions, findings, known;
  uint32_t edges, failures; /* failures: runs that ended without a finding and without having run */
} Target;

typedef struct Job {
  pid_t child; /* 0: free */
  Target *target;
  const char *log, *prefix;
  uint64_t executions;
} Job;

typedef struct Campaign {
  Arena *arena;
  const char *only, *corpus, *seeds;
  int64_t time, jobs, seed, runs;
  uint32_t target_count, starts;
  Target targets[target_limit];
  Job job[job_limit];
  double start, end, last_edge, last_line;
} Campaign;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool own_folder(char *folder, size_t room) {
  ssize_t length = readlink("/proc/self/exe", folder, room - 1);
  if (length <= 0) return false;
  folder[length] = 0;
  char *slash = strrchr(folder, '/');
  if (slash != nullptr) *slash = 0;
  return slash != nullptr;
}

static void find_targets(Campaign *campaign) {
  char folder[PATH_MAX];
  glob_t found = {};
  if (!own_folder(folder, sizeof folder) || glob(arena_printf(campaign->arena, "%s/fuzz_*", folder), 0, nullptr, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc && campaign->target_count < target_limit; i++) {
    const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + strlen("/fuzz_");
    size_t length = strlen(name);
    bool is_test = length >= 5 && strcmp(name + length - 5, "_test") == 0;
    if (is_test || strchr(name, '.') != nullptr || access(path, X_OK) != 0) continue;
    if (campaign->only != nullptr && strcmp(campaign->only, name) != 0) continue;
    campaign->targets[campaign->target_count++] =
        (Target){.name = arena_text(campaign->arena, name, length), .program = arena_text(campaign->arena, path, strlen(path))};
  }
  globfree(&found);
}

static bool make_folder(const char *path) { return mkdir(path, 0755) == 0 || errno == EEXIST; }

static bool make_folders(Campaign *campaign) {
  bool made = make_folder(campaign->corpus) && make_folder(arena_printf(campaign->arena, "%s/findings", campaign->corpus));
  for (uint32_t i = 0; i < campaign->target_count && made; i++)
    made = make_folder(arena_printf(campaign->arena, "%s/%s", campaign->corpus, campaign->targets[i].name));
  return made;
}

static bool start(Campaign *campaign, Job *job, Target *target, int64_t seconds) {
  Arena *arena = campaign->arena;
  uint32_t number = campaign->starts++;
  const char *seeds = arena_printf(arena, "%s/%s", campaign->seeds, target->name);
  *job = (Job){.target = target, .log = arena_printf(arena, "%s/%s-%u.log", campaign->corpus, target->name, number % (uint32_t)campaign->jobs),
               .prefix = arena_printf(arena, "raw-%s-%u-", target->name, number)};
  char *argv[] = {arena_text(arena, target->program, strlen(target->program)),
                  arena_printf(arena, "-seed=%lld", (long long)campaign->seed + number),
                  arena_printf(arena, "-max_total_time=%lld", (long long)seconds),
                  arena_printf(arena, "-runs=%lld", (long long)(campaign->runs > 0 ? campaign->runs : -1)),
                  arena_printf(arena, "-artifact_prefix=%s/findings/%s", campaign->corpus, job->prefix),
                  "-print_final_stats=1", "-timeout=30", "-rss_limit_mb=2048", "-max_len=4096",
                  arena_printf(arena, "%s/%s", campaign->corpus, target->name),
                  access(seeds, R_OK) == 0 ? arena_text(arena, seeds, strlen(seeds)) : nullptr, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, job->log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  int failed = posix_spawn(&job->child, argv[0], &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) job->child = 0;
  return failed == 0;
}

/* The number behind the last `mark` of the text. */
static uint64_t last_number(const char *text, const char *mark) {
  uint64_t number = 0;
  for (const char *at = strstr(text, mark); at != nullptr; at = strstr(at + 1, mark)) number = strtoull(at + strlen(mark), nullptr, 10);
  return number;
}

static void read_log(Campaign *campaign, Job *job) {
  ArenaMark mark = arena_mark(campaign->arena);
  Source log;
  Error error = {};
  if (file_read(campaign->arena, job->log, file_limit, &log, &error)) {
    uint64_t executions = last_number(log.text, "\n#"), units = last_number(log.text, "stat::number_of_executed_units: ");
    if (units > executions) executions = units;
    uint32_t edges = (uint32_t)last_number(log.text, " cov: ");
    if (executions > job->executions) job->target->executions += executions - job->executions, job->executions = executions;
    if (edges > job->target->edges) job->target->edges = edges, campaign->last_edge = now();
  }
  arena_rewind(campaign->arena, mark);
}

static void judge_end(Campaign *campaign, Job *job, int state) {
  Target *target = job->target;
  Source log = {};
  Error error = {};
  if (!file_read(campaign->arena, job->log, file_limit, &log, &error)) return;
  bool ended_well = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  const char *name;
  switch (ended_well ? FINDING_NONE : finding_keep(campaign->arena, arena_printf(campaign->arena, "%s/findings", campaign->corpus), target->name, log.text, job->prefix, &name)) {
  case FINDING_NEW: target->findings++; fprintf(stderr, "\nfound %s/findings/%s.report\n", campaign->corpus, name); break;
  case FINDING_KNOWN: target->known++; break;
  case FINDING_NONE: target->failures += !ended_well && !session_is_interrupted(); break;
  case FINDING_LOST: target->findings++; fprintf(stderr, "\naffirm: finding %s could not be written\n", name); break;
  }
}

static void finish(Campaign *campaign, Job *job, int state) {
  ArenaMark mark = arena_mark(campaign->arena);
  read_log(campaign, job);
  job->child = 0;
  judge_end(campaign, job, state);
  arena_rewind(campaign->arena, mark);
}

static void print_line(Campaign *campaign, bool last) {
  double elapsed = now() - campaign->start;
  uint64_t executions = 0, findings = 0, edges = 0;
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    executions += campaign->targets[i].executions;
    edges += campaign->targets[i].edges;
    findings += campaign->targets[i].findings;
  }
  bool terminal = isatty(STDERR_FILENO) != 0;
  if (!last && !terminal && now() - campaign->last_line < 10) return;
  campaign->last_line = now();
  fprintf(stderr, "%s%.0f s, %llu executions, %.0f a second, %llu edges, the last one new %.0f s ago, %llu findings%s", terminal ? "\r" : "", elapsed,
          (unsigned long long)executions, (double)executions / (elapsed > 1 ? elapsed : 1), (unsigned long long)edges, now() - campaign->last_edge,
          (unsigned long long)findings, terminal && !last ? "   " : "\n");
}

/* Turns: each target gets the same share of the time; what is left of a share after a finding goes to the same target. */
typedef struct Turn {
  Target *target;
  double end;
} Turn;

static bool serve(Campaign *campaign, uint32_t slot, Turn *turn, uint32_t *given, double share) {
  Job *job = &campaign->job[slot];
  bool gone_on = turn->target != nullptr && campaign->runs == 0 && turn->end - now() >= 1 && turn->target->failures < 3;
  if (!gone_on) {
    uint32_t rounds = campaign->target_count > (uint32_t)campaign->jobs ? campaign->target_count : (uint32_t)campaign->jobs;
    if (*given >= rounds) return false;
    *turn = (Turn){.target = &campaign->targets[(*given)++ % campaign->target_count], .end = now() + share};
  }
  if (start(campaign, job, turn->target, (int64_t)(turn->end - now() + 0.5))) return true;
  turn->target->failures++;
  *turn = (Turn){};
  return true;
}

static void stop_children(const Campaign *campaign) {
  for (int64_t i = 0; i < campaign->jobs; i++)
    if (campaign->job[i].child > 0) kill(campaign->job[i].child, SIGTERM);
}

static void run(Campaign *campaign) {
  uint32_t given = 0;
  Turn turns[job_limit] = {};
  double rounds = (double)((campaign->target_count + campaign->jobs - 1) / campaign->jobs), share = (double)campaign->time / rounds;
  campaign->start = campaign->last_edge = campaign->last_line = now();
  for (bool busy = true, stopped = false; busy;) {
    busy = false;
    if (session_is_interrupted() && !stopped) stop_children(campaign), stopped = true;
    for (int64_t i = 0; i < campaign->jobs; i++) {
      Job *job = &campaign->job[i];
      int state;
      if (job->child > 0 && waitpid(job->child, &state, WNOHANG) == job->child) finish(campaign, job, state);
      if (job->child > 0) read_log(campaign, job);
      if (job->child == 0 && !stopped && serve(campaign, (uint32_t)i, &turns[i], &given, share)) busy = true;
      busy |= job->child > 0;
    }
    print_line(campaign, !busy);
    if (busy) nanosleep(&(struct timespec){.tv_nsec = 200'000'000}, nullptr);
  }
}

static Status report(const Campaign *campaign) {
  Status status = STATUS_PROVED;
  Text text = text_create(campaign->arena);
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    const Target *target = &campaign->targets[i];
    bool ran = target->executions > 0 && target->failures == 0;
    text_printf(&text, "%-10s %10llu executions %6u edges %3llu findings %3llu known%s\n", target->name, (unsigned long long)target->executions, target->edges,
                (unsigned long long)target->findings, (unsigned long long)target->known, ran ? "" : "   did not run as it should: see its log");
    if (target->findings + target->known > 0) status = STATUS_REFUTED;
    else if (!ran && status == STATUS_PROVED) status = STATUS_UNDECIDED;
  }
  return session_print(text.bytes) ? status : STATUS_BAD;
}

/* Hashes of addresses show in what is counted as covered: children with addresses that stay repeat a campaign. Where it is refused they differ a little. */
static void keep_addresses(void) {
  int now_set = personality(0xffffffff);
  if (now_set != -1) (void)personality((unsigned long)now_set | ADDR_NO_RANDOMIZE);
}

static Status fuzz_foreign(const Campaign *campaign, const EngineSettings *settings) {
  Engine *engine;
  if (!engine_open(settings, &engine)) return STATUS_BAD;
  Status status = fuzz_engine(engine, &(EngineCampaign){.target = campaign->only, .folder = campaign->corpus, .seeds = campaign->seeds, .seconds = campaign->time,
                                                        .seed = campaign->seed, .runs = campaign->runs});
  engine_destroy(engine);
  return status;
}

static Status fuzz(Campaign *campaign) {
  if (campaign->jobs < 1 || campaign->jobs > job_limit || campaign->time < 1) return session_usage("--jobs is 1 to %u, --time at least 1", job_limit);
  find_targets(campaign);
  if (campaign->target_count == 0) return session_usage("no fuzz program %s beside this one", campaign->only == nullptr ? "stands" : "of that name stands");
  if (!make_folders(campaign)) return session_usage("%s: %s", campaign->corpus, strerror(errno));
  if (campaign->jobs == 1) keep_addresses();
  run(campaign);
  return report(campaign);
}

int cli_fuzz(int argc, char **argv) {
  Campaign campaign = {.corpus = "fuzz-corpus", .seeds = "corpus/seeds", .time = 60, .jobs = 1, .seed = 1};
  EngineSettings engine = {};
  const Option options[] = {
      {"target", OPTION_TEXT, &campaign.only, "NAME: this one instead of all", nullptr},
      {"time", OPTION_NUMBER, &campaign.time, "SECONDS: for all together (60)", nullptr},
      {"jobs", OPTION_NUMBER, &campaign.jobs, "N: so many at the same time (1)", nullptr},
      {"corpus", OPTION_TEXT, &campaign.corpus, "DIR: inputs, logs and findings; a campaign goes on from what is there (fuzz-corpus)", nullptr},
      {"seeds", OPTION_TEXT, &campaign.seeds, "DIR: saved inputs to start from, a folder a target (corpus/seeds)", nullptr},
      {"seed", OPTION_NUMBER, &campaign.seed, "N: of the random numbers (1)", nullptr},
      {"runs", OPTION_NUMBER, &campaign.runs, "N: executions of each target at most; the same each time with one job and an empty DIR", nullptr},
      ENGINE_OPTIONS(engine),
  };
  const Command table = {.usage = "fuzz [OPTION]...", .about = "Runs the fuzz programs that stand beside affirm and keeps what they find, one report for each kind and set of operations.",
                         .notes = "Exit status: 0 nothing found; 1 findings; 2 a target did not run; 3 bad input.",
                         .option_count = sizeof options / sizeof *options, .options = options};
  int first;
  switch (options_parse(&table, argc, argv, &first)) {
  case OPTIONS_HELPED: return session_end(STATUS_PROVED);
  case OPTIONS_BAD: return STATUS_BAD;
  case OPTIONS_GO: break;
  }
  if (first != argc) return session_end(session_usage("fuzz takes options alone"));
  session_catch_signals();
  campaign.arena = arena_create();
  Status status = engine_is_wanted(&engine) ? fuzz_foreign(&campaign, &engine) : fuzz(&campaign);
  arena_destroy(campaign.arena);
  return session_end(status);
}
