/* A campaign of the fuzz programs: its targets, its running jobs, and the directory with everything
 * that outlives it.
 *     DIR/NAME/          the corpus of a target; DIR/NAME-SLOT.log: output of its last child
 *     DIR/findings/      NAME-KIND-OPERATIONS[-RULE].report and .input; raw-*: left by a child and
 *                        not examined yet
 *     DIR/.reserve       space that is freed when the disk is full, for writing reports */
#ifndef CLI_FUZZ_CAMPAIGN_H
#define CLI_FUZZ_CAMPAIGN_H

#include <sys/types.h>

#include "core/base/text.h"

static constexpr uint32_t target_limit = 32;
static constexpr uint32_t job_limit = 64;
static constexpr uint32_t kind_limit = 64;

typedef struct Target {
  const char *name, *program;
  uint64_t executions, findings, known; /* findings: new in this campaign */
  uint32_t edges, inputs, failures;     /* failures: runs that were killed, hung or did not start */
  uint32_t dead;  /* consecutive failures without any execution; the target is given up after
                     three */
  uint32_t stuck; /* consecutive runs that ended at once with a known finding: a saved input
                     triggers it */
} Target;

typedef struct FuzzJob {
  pid_t child; /* 0: the slot is free */
  Target *target;
  const char *log, *prefix;
  uint64_t executions;
  double start, end;       /* end 0: the job ends when its runs are done */
  double stop;             /* when its turn ends; 0: never */
  int signal;              /* last signal sent because the turn is over; 0: none */
  double seen, used, idle; /* when it was last checked, its processor time at that moment, and how
                              long it has not grown; in seconds */
} FuzzJob;

typedef struct KindCount {
  const char *kind;
  uint64_t count;
} KindCount;

typedef struct Campaign {
  Arena *arena;
  const char *only, *corpus, *seeds;
  int64_t time, jobs, seed, runs, patience; /* time 0: a minute, or until all runs are done */
  bool json, minimise, disk_full;
  uint32_t target_count, kind_count, starts;
  Target targets[target_limit];
  FuzzJob job[job_limit];
  KindCount kinds[kind_limit];
  double start, last_edge, last_line;
} Campaign;

/* fuzz_corpus.c: the directory. */
void campaign_find_targets(Campaign *campaign);
/* Creates the directories and the reserve. False if there is no space for them, which is reported
 * on standard error. */
[[nodiscard]] bool campaign_make_directories(Campaign *campaign);
/* Sets disk_full when the disk is nearly full, and frees the reserve. */
void campaign_watch_disk(Campaign *campaign);
/* Counts the files of each target's corpus. */
void campaign_count_inputs(Campaign *campaign);
/* The same, and frees the reserve. */
void campaign_leave_directories(Campaign *campaign);
/* Turns inputs that a killed campaign did not examine into findings. */
void campaign_recover(Campaign *campaign);
/* Reduces each target's corpus to inputs with coverage that no smaller input has. The old corpus is
 * replaced only when the new one is complete. */
[[nodiscard]] bool campaign_minimise(Campaign *campaign);

/* fuzz_jobs.c: children. */
[[nodiscard]] bool job_start(
    Campaign *campaign, FuzzJob *job, Target *target, int64_t seconds, int64_t runs);
/* Reads the job's progress from its log. */
void job_read_log(Campaign *campaign, FuzzJob *job);
/* Kills a child that hangs: one that uses no processor time for `patience` seconds, or that still
 * runs 20 * `patience` seconds after its end. */
void job_watch(const Campaign *campaign, FuzzJob *job);
/* Ends a child whose turn is over: sends SIGUSR1, then SIGTERM, then SIGKILL, `grace` seconds
 * apart. This is not counted as a failure of the target. */
void job_end_turn(FuzzJob *job, double grace);
/* Evaluates a job whose child has ended, and frees it. */
void job_finish(Campaign *campaign, FuzzJob *job, int state);
/* Starts a program with its output redirected to `log`; it is killed when this process dies. -1 on
 * failure. */
[[nodiscard]] pid_t child_start(char **argv, const char *log);
/* Keeps the findings in the log and in the raw inputs with `prefix`. */
void campaign_keep(
    Campaign *campaign, Target *target, const char *log, const char *prefix, bool ended_well);

/* fuzz_show.c */
void campaign_print_line(Campaign *campaign, bool last);
void campaign_print_table(const Campaign *campaign, Text *text);
void campaign_print_json(const Campaign *campaign, Text *text);

#endif
