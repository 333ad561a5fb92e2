/* A campaign over the fuzz programs: its targets, the jobs that run, the directory that holds what
 * must outlive it.
 *     DIR/NAME/          the corpus of a target; DIR/NAME-SLOT.log what its last child printed
 *     DIR/findings/      NAME-KIND-OPERATIONS[-RULE].report and .input; raw-* what a child has left
 * that nobody has looked at yet DIR/.reserve       room that is given back when the disk is full,
 * so that reports can still be written */
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
  uint32_t edges, inputs, failures;     /* failures: runs that ended neither well nor by a finding
                                           (killed, hung, not started) */
  uint32_t dead;  /* of those, the last ones in a row that did not execute anything: three, and the
                     target is given up */
  uint32_t stuck; /* runs in a row that a known finding ended at once: a saved input shows it */
} Target;

typedef struct FuzzJob {
  pid_t child; /* 0: free */
  Target *target;
  const char *log, *prefix;
  uint64_t executions;
  double start, end;       /* end 0: when its runs are done */
  double stop;             /* when its turn is over; 0: never */
  int signal;              /* the last that was sent because its turn is over; 0: none */
  double seen, used, idle; /* when it was looked at last, the processor time that it had used then,
                              and since when it uses none, in seconds */
} FuzzJob;

typedef struct KindCount {
  const char *kind;
  uint64_t count;
} KindCount;

typedef struct Campaign {
  Arena *arena;
  const char *only, *corpus, *seeds;
  int64_t time, jobs, seed, runs, patience; /* time 0: a minute, or as long as the runs take */
  bool json, minimise, disk_full;
  uint32_t target_count, kind_count, starts;
  Target targets[target_limit];
  FuzzJob job[job_limit];
  KindCount kinds[kind_limit];
  double start, last_edge, last_line;
} Campaign;

/* fuzz_corpus.c: the directory. */
void campaign_find_targets(Campaign *campaign);
/* Makes directories and the reserve; false, said on standard error, when there is no room for them.
 */
[[nodiscard]] bool campaign_make_directories(Campaign *campaign);
/* Sets disk_full when little is left of the disk, and gives the reserve back. */
void campaign_watch_disk(Campaign *campaign);
void campaign_leave_directories(Campaign *campaign);
/* What a killed campaign left unlooked at becomes findings. */
void campaign_recover(Campaign *campaign);
/* Each target's corpus becomes the inputs that reach something which no smaller one reaches; the
 * old one stays until the new one is whole. */
[[nodiscard]] bool campaign_minimise(Campaign *campaign);

/* fuzz_jobs.c: children. */
[[nodiscard]] bool job_start(
    Campaign *campaign, FuzzJob *job, Target *target, int64_t seconds, int64_t runs);
/* Reads how far the job is. */
void job_read_log(Campaign *campaign, FuzzJob *job);
/* Kills a child that hangs: it uses no processor time for `patience` seconds, or goes on for twenty
 * times as long after its end. */
void job_watch(const Campaign *campaign, FuzzJob *job);
/* Ends a child whose turn is over: it gets SIGUSR1 first, then SIGTERM, then SIGKILL, `grace`
 * seconds apart. That is no failure of the target. */
void job_end_turn(FuzzJob *job, double grace);
/* After its child has ended; frees the job. */
void job_finish(Campaign *campaign, FuzzJob *job, int state);
/* Starts a program whose output goes to `log`; it dies with this process. -1: not started. */
[[nodiscard]] pid_t child_start(char **argv, const char *log);
/* Keeps what the log and the raw inputs of `prefix` show. */
void campaign_keep(
    Campaign *campaign, Target *target, const char *log, const char *prefix, bool ended_well);

/* fuzz_show.c */
void campaign_print_line(Campaign *campaign, bool last);
void campaign_print_table(const Campaign *campaign, Text *text);
void campaign_print_json(const Campaign *campaign, Text *text);

#endif
