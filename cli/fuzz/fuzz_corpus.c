/* The directory of a campaign. Nothing is overwritten before its replacement is complete. A
 * minimised corpus is swapped in by one exchange, reports are renamed into place, and raw inputs of
 * a killed campaign are run again to become findings. A campaign stops when fewer than disk_floor
 * bytes are free.
 * A directory belongs to one campaign at a time. Two would overwrite each other's logs and mistake
 * each other's raw inputs for leftovers. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_campaign.h"
#include "cli/fuzz/fuzz_programs.h"
#include "cli/session.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/program.h"

/* Seconds for one input, more than twice the limit of a fuzz program; and for merging a corpus. */
static constexpr double seconds_to_look = 120, seconds_to_merge = 12 * 3600;
static constexpr uint64_t disk_floor = 1 << 20, reserve = 512 << 10;

void campaign_find_targets(Campaign *campaign) {
  FuzzPrograms found = {};
  char directory[PATH_MAX];
  if (program_directory(sizeof directory, directory))
    fuzz_programs_find(campaign->arena, directory, &found);
  for (uint32_t i = 0; i < found.count && campaign->target_count < target_limit; i++) {
    const char *name = fuzz_program_name(found.items[i]);
    if (campaign->only == nullptr || strcmp(campaign->only, name) == 0)
      campaign->targets[campaign->target_count++] =
          (Target){.name = name, .program = found.items[i]};
  }
}

/* Creates the directory, or accepts one that exists and is writable. */
static bool make_directory(const char *path) {
  struct stat status;
  if (mkdir(path, 0755) != 0 && errno != EEXIST) return false;
  if (stat(path, &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return access(path, W_OK | X_OK) == 0;
  errno = ENOTDIR;
  return false;
}

static const char *reserve_path(const Campaign *campaign) {
  return arena_printf(campaign->arena, "%s/.reserve", campaign->corpus);
}

static uint64_t free_bytes(const Campaign *campaign) {
  struct statvfs status;
  return statvfs(campaign->corpus, &status) != 0 ? UINT64_MAX
                                                 : (uint64_t)status.f_bavail * status.f_frsize;
}

static bool make_reserve(const Campaign *campaign) {
  int file = open(reserve_path(campaign), O_WRONLY | O_CREAT, 0644);
  if (file < 0) return false;
  int failed = posix_fallocate(file, 0, (off_t)reserve);
  close(file);
  if (failed == 0 && free_bytes(campaign) >= disk_floor) return true;
  errno = failed != 0 ? failed : ENOSPC;
  return false;
}

static void say_disk(const Campaign *campaign, const char *what) {
  if (isatty(STDERR_FILENO) != 0) fputs("\n", stderr);
  session_warn("%s: %s: %s; free some room and run the same command again", campaign->corpus,
      strerror(ENOSPC), what);
}

/* Locks the directory until this process ends; children do not inherit the lock. A file system
 * without locks rejects no campaign. */
static bool lock_directory(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  if (flock(directory, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  close(directory);
  errno = EBUSY;
  return false;
}

bool campaign_make_directories(Campaign *campaign) {
  bool made = make_directory(campaign->corpus) && lock_directory(campaign->corpus);
  if (!made && errno == EBUSY)
    return session_reject("%s: another campaign runs here", campaign->corpus);
  made = made && make_directory(arena_printf(campaign->arena, "%s/findings", campaign->corpus));
  for (uint32_t i = 0; i < campaign->target_count && made; i++)
    made = make_directory(
        arena_printf(campaign->arena, "%s/%s", campaign->corpus, campaign->targets[i].name));
  if (made && make_reserve(campaign)) return true;
  int why = errno;
  unlink(reserve_path(campaign));
  if (why == ENOSPC) say_disk(campaign, "nothing was started");
  else session_warn("%s: %s", campaign->corpus, strerror(why));
  return false;
}

void campaign_watch_disk(Campaign *campaign) {
  if (campaign->disk_full || free_bytes(campaign) >= disk_floor) return;
  campaign->disk_full = true;
  unlink(reserve_path(campaign));
  say_disk(campaign, "stopped; what was found is kept");
}

static uint32_t count_files(const char *directory) {
  uint32_t count = 0;
  DIR *entries = opendir(directory);
  for (struct dirent *entry; entries != nullptr && (entry = readdir(entries)) != nullptr;)
    count += entry->d_name[0] != '.';
  if (entries != nullptr) closedir(entries);
  return count;
}

void campaign_count_inputs(Campaign *campaign) {
  for (uint32_t i = 0; i < campaign->target_count; i++)
    campaign->targets[i].inputs = count_files(
        arena_printf(campaign->arena, "%s/%s", campaign->corpus, campaign->targets[i].name));
}

void campaign_leave_directories(Campaign *campaign) {
  unlink(reserve_path(campaign));
  campaign_count_inputs(campaign);
}

/* Runs a program until it ends, is late, or the user interrupts. Returns its state as waitpid
 * does. */
static int run_to_end(char **argv, const char *log, double seconds) {
  int state = 1 << 8;
  double end = clock_wall() + seconds;
  pid_t child = child_start(argv, log);
  while (child > 0 && !process_wait(child, 0.5, &state))
    if (session_is_interrupted() || clock_wall() > end) return process_kill(child);
  return state;
}

static Target *target_of(Campaign *campaign, const char *name) {
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    size_t length = strlen(campaign->targets[i].name);
    if (strncmp(name, campaign->targets[i].name, length) == 0 && name[length] == '-')
      return &campaign->targets[i];
  }
  return nullptr;
}

/* Runs a raw input again. An input that no longer fails moves to the corpus. */
static void look_again(
    Campaign *campaign, Target *target, const char *directory, const char *name) {
  const char *log =
                 arena_printf(campaign->arena, "%s/%s-again.log", campaign->corpus, target->name),
             *input = arena_printf(campaign->arena, "%s/%s", directory, name);
  char *argv[] = {arena_text(campaign->arena, target->program, strlen(target->program)),
      "-timeout=30", "-rss_limit_mb=2048", arena_text(campaign->arena, input, strlen(input)),
      nullptr};
  int state = run_to_end(argv, log, seconds_to_look);
  bool ended_well = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  Source printed = {.text = ""};
  Error error = {};
  if (session_is_interrupted() ||
      (!ended_well && !file_read(campaign->arena, log, file_limit, &printed, &error)))
    return;
  campaign_keep(campaign, target, printed.text, name, ended_well);
  if (ended_well)
    (void)rename(
        input, arena_printf(campaign->arena, "%s/%s/%s", campaign->corpus, target->name, name));
  unlink(log);
}

/* Whether the file was not examined yet: raw-TARGET-..., or NAME.input without NAME.report.
 * Everything but regular files is skipped: libFuzzer would fuzz a directory and block on a pipe. */
static bool is_unlooked_at(const char *directory, const char *name, Arena *arena) {
  size_t length = strlen(name);
  struct stat status;
  if (stat(arena_printf(arena, "%s/%s", directory, name), &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  if (strncmp(name, "raw-", 4) == 0) return true;
  bool is_input = length > 6 && strcmp(name + length - 6, ".input") == 0;
  return is_input &&
         access(arena_printf(arena, "%s/%.*s.report", directory, (int)(length - 6), name), F_OK) !=
             0;
}

void campaign_recover(Campaign *campaign) {
  const char *directory = arena_printf(campaign->arena, "%s/findings", campaign->corpus);
  struct dirent **entries;
  int count = scandir(directory, &entries, nullptr, alphasort);
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    Target *target = target_of(campaign, strncmp(name, "raw-", 4) == 0 ? name + 4 : name);
    if (target != nullptr && !session_is_interrupted() &&
        is_unlooked_at(directory, name, campaign->arena))
      look_again(campaign, target, directory, name);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void remove_directory(const Campaign *campaign, const char *directory) {
  DIR *entries = opendir(directory);
  for (struct dirent *entry; entries != nullptr && (entry = readdir(entries)) != nullptr;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlink(arena_printf(campaign->arena, "%s/%s", directory, entry->d_name));
  if (entries != nullptr) closedir(entries);
  rmdir(directory);
}

/* Minimises one corpus. Inputs on which the program fails become findings instead. */
static bool minimise_one(Campaign *campaign, Target *target) {
  const char *old = arena_printf(campaign->arena, "%s/%s", campaign->corpus, target->name),
             *new =
                 arena_printf(campaign->arena, "%s/%s.minimised", campaign->corpus, target->name);
  const char *log =
      arena_printf(campaign->arena, "%s/%s-minimise.log", campaign->corpus, target->name);
  remove_directory(campaign, new);
  uint32_t before = count_files(old);
  if (before == 0) fprintf(stderr, "%s: no input\n", target->name);
  if (before == 0 || !make_directory(new)) return before == 0;
  char *argv[] = {arena_text(campaign->arena, target->program, strlen(target->program)),
      "-set_cover_merge=1", "-timeout=30", "-rss_limit_mb=2048", "-max_len=4096",
      arena_printf(campaign->arena, "-artifact_prefix=%s/findings/raw-%s-merge-", campaign->corpus,
          target->name),
      arena_text(campaign->arena, new, strlen(new)), arena_text(campaign->arena, old, strlen(old)),
      nullptr};
  int state = run_to_end(argv, log, seconds_to_merge);
  bool done = WIFEXITED(state) && WEXITSTATUS(state) == 0 && count_files(new) > 0 &&
              !session_is_interrupted();
  done = done && renameat2(AT_FDCWD, new, AT_FDCWD, old, RENAME_EXCHANGE) == 0;
  remove_directory(campaign, new);
  target->inputs = count_files(old);
  fprintf(stderr, done ? "%s: %s of %u\n" : "%s: kept as it was, %s of %u: see its log\n",
      target->name, counted(target->inputs, "input"), before);
  return done;
}

bool campaign_minimise(Campaign *campaign) {
  bool done = true;
  for (uint32_t i = 0; i < campaign->target_count && !session_is_interrupted(); i++)
    done &= minimise_one(campaign, &campaign->targets[i]);
  campaign_recover(campaign);
  return done;
}
