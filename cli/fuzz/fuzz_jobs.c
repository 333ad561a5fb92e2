/* Child processes of a campaign. Each is killed when this process dies, so a killed campaign leaves
 * nothing running. Its findings are in its directory. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_campaign.h"
#include "cli/fuzz/fuzz_findings.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/process.h"

pid_t child_start(char **argv, const char *log) {
  int file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return -1;
  pid_t child = process_start(&(ProcessStart){.argv = argv, .in = -1, .out = file, .err = file});
  close(file);
  return child;
}

/* libFuzzer's weighing of inputs (-entropic) goes through all inputs for each new feature: within
 * the same processor time, a campaign without it makes up to 1.5 times the executions and covers as
 * much. */
bool job_start(Campaign *campaign, FuzzJob *job, Target *target, int64_t seconds, int64_t runs) {
  Arena *arena = campaign->arena;
  uint32_t number = campaign->starts++;
  const char *seeds = arena_printf(arena, "%s/%s", campaign->seeds, target->name);
  *job = (FuzzJob){.target = target,
      .log = arena_printf(
          arena, "%s/%s-%u.log", campaign->corpus, target->name, number % (uint32_t)campaign->jobs),
      .prefix = arena_printf(arena, "raw-%s-%u-", target->name, number)};
  char *argv[] = {arena_text(arena, target->program, strlen(target->program)),
      arena_printf(arena, "-seed=%lld", (long long)campaign->seed + number),
      arena_printf(arena, "-max_total_time=%lld", (long long)seconds),
      arena_printf(arena, "-runs=%lld", (long long)(runs > 0 ? runs : -1)),
      arena_printf(arena, "-artifact_prefix=%s/findings/%s", campaign->corpus, job->prefix),
      "-entropic=0", "-print_final_stats=1", "-timeout=30", "-rss_limit_mb=2048", "-max_len=4096",
      arena_printf(arena, "%s/%s", campaign->corpus, target->name),
      access(seeds, R_OK) == 0 ? arena_text(arena, seeds, strlen(seeds)) : nullptr, nullptr};
  job->start = job->seen = clock_wall();
  job->end = seconds > 0 ? job->start + (double)seconds : 0;
  job->child = child_start(argv, job->log);
  if (job->child < 0) job->child = 0;
  return job->child > 0;
}

/* The number after the last occurrence of `mark` in the text. */
static uint64_t last_number(const char *text, const char *mark) {
  uint64_t number = 0;
  for (const char *at = strstr(text, mark); at != nullptr; at = strstr(at + 1, mark)) {
    const char *digits = at + strlen(mark);
    if (*digits >= '0' && *digits <= '9') number = strtoull(digits, nullptr, 10);
  }
  return number;
}

void job_read_log(Campaign *campaign, FuzzJob *job) {
  ArenaMark mark = arena_mark(campaign->arena);
  Source log;
  Error error = {};
  if (file_read(campaign->arena, job->log, file_limit, &log, &error)) {
    uint64_t executions = last_number(log.text, "\n#"),
             units = last_number(log.text, "stat::number_of_executed_units: ");
    if (units > executions) executions = units;
    uint32_t edges = (uint32_t)last_number(log.text, " cov: "),
             inputs = (uint32_t)last_number(log.text, " corp: ");
    if (executions > job->executions)
      job->target->executions += executions - job->executions, job->executions = executions;
    if (edges > job->target->edges) job->target->edges = edges, campaign->last_edge = clock_wall();
    if (inputs > job->target->inputs) job->target->inputs = inputs;
  }
  arena_rewind(campaign->arena, mark);
}

/* A pause of this process stops its children as well. One check therefore adds at most one second
 * of idle time. */
void job_watch(const Campaign *campaign, FuzzJob *job) {
  double now = clock_wall(), used = process_seconds(job->child), since = now - job->seen,
         patience = (double)campaign->patience;
  job->idle = used > job->used ? 0 : job->idle + (since < 1 ? since : 1);
  job->used = used;
  job->seen = now;
  bool is_late = job->end > 0 && now > job->end + 20 * patience;
  if (job->idle < patience && !is_late) return;
  fprintf(stderr, "%saffirm: %s hangs (%s): killed\n", isatty(STDERR_FILENO) != 0 ? "\n" : "",
      job->target->name, is_late ? "it ran far beyond its time" : "it uses no processor time");
  kill(-job->child, SIGKILL);
  job->idle = 0;
  job->end = 0;
}

/* At SIGUSR1 libFuzzer finishes the current input, prints its counts and ends; at SIGTERM it ends
 * at once. */
void job_end_turn(FuzzJob *job, double grace) {
  static const int signals[] = {SIGUSR1, SIGTERM, SIGKILL};
  double late = clock_wall() - job->stop;
  if (job->stop == 0 || late < 0) return;
  size_t step = late < grace ? 0 : late < 2 * grace ? 1 : 2;
  if (job->signal == signals[step]) return;
  job->signal = signals[step];
  kill(-job->child, job->signal);
}

static void count_kind(Campaign *campaign, const char *kind) {
  uint32_t i = 0;
  while (i < campaign->kind_count && strcmp(campaign->kinds[i].kind, kind) != 0) i++;
  if (i == kind_limit) return;
  if (i == campaign->kind_count)
    campaign->kinds[campaign->kind_count++] = (KindCount){.kind = kind};
  campaign->kinds[i].count++;
}

void campaign_keep(
    Campaign *campaign, Target *target, const char *log, const char *prefix, bool ended_well) {
  FuzzFinding finding = {};
  const char *directory = arena_printf(campaign->arena, "%s/findings", campaign->corpus);
  FindingState state = FINDING_NONE;
  if (!ended_well)
    state = finding_keep(campaign->arena, directory, target->name, log, prefix, &finding);
  switch (state) {
    case FINDING_NEW:
      target->findings++;
      count_kind(campaign, finding.kind);
      if (isatty(STDERR_FILENO) != 0) fputs("\n", stderr);
      session_warn("found %s/%s.report", directory, finding.name);
      break;
    case FINDING_KNOWN: target->known++; break;
    case FINDING_NONE:
      target->failures += !ended_well && !session_is_interrupted() && !campaign->disk_full;
      break;
    case FINDING_LOST:
      target->findings++;
      campaign->disk_full = true;
      session_warn("finding %s could not be written: %s", finding.name, strerror(errno));
      break;
  }
  if (state != FINDING_NONE) session_note(STATUS_REFUTED);
}

/* The names of findings stay in the campaign's arena, and so do the logs, which are small. */
void job_finish(Campaign *campaign, FuzzJob *job, int state) {
  Source log = {};
  Error error = {};
  job_read_log(campaign, job);
  job->child = 0;
  if (!file_read(campaign->arena, job->log, file_limit, &log, &error)) log.text = "";
  uint64_t known = job->target->known;
  uint32_t failures = job->target->failures;
  campaign_keep(
      campaign, job->target, log.text, job->prefix, WIFEXITED(state) && WEXITSTATUS(state) == 0);
  if (job->signal != 0) job->target->failures = failures;
  if (job->signal != 0 && strstr(log.text, "INITED") == nullptr)
    session_warn("%s was still reading its saved inputs when its time was over", job->target->name);
  bool failed = job->target->failures > failures;
  job->target->dead = failed && job->executions == 0 ? job->target->dead + 1 : 0;
  if (failed && WIFSIGNALED(state))
    fprintf(stderr, "%saffirm: %s was killed by signal %d\n",
        isatty(STDERR_FILENO) != 0 ? "\n" : "", job->target->name, WTERMSIG(state));
  bool at_once = job->target->known > known && clock_wall() - job->start < 1;
  job->target->stuck = at_once ? job->target->stuck + 1 : 0;
}
