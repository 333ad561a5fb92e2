/* The line is cut to the terminal's width, since a wrapped line cannot be overwritten. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/foreign.h"

static constexpr double first_after = 0.5, least_between = 0.25;
static constexpr int usual_width = 80, widest = 200;

static bool is_shown; /* a line is on the terminal */
static bool is_label; /* the line shows the current item, not a progress bar */
static bool is_silent;
static double last_line, first_label;

static int terminal_width(void) {
  struct winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_width;
  return size.ws_col > widest ? widest : size.ws_col;
}

Progress progress_begin(const char *unit, uint64_t all, bool is_wanted) {
  double now = clock_wall();
  return (Progress){.unit = is_wanted && isatty(STDERR_FILENO) ? unit : nullptr,
      .all = all,
      .start = now,
      .last = now + first_after - least_between};
}

void progress_silence(void) { is_silent = true; }

static void progress_show(const char *line) {
  fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
  fflush(stderr);
  is_shown = true;
  is_label = false;
  last_line = clock_wall();
}

static bool is_wanted(double since) {
  return !is_silent && clock_wall() - last_line >= since && isatty(STDERR_FILENO) != 0;
}

void progress_line(const char *line) {
  if (is_wanted(least_between)) progress_show(line);
}

/* Whether to show the current item now. A child process never does, since its parent could not
 * overwrite the line. */
static bool is_label_wanted(void) {
  static constexpr double patience = 2;
  static pid_t owner;
  if (owner == 0) owner = getpid(), first_label = last_line = clock_wall();
  return owner == getpid() && is_wanted(is_label && is_shown ? least_between : patience);
}

void progress_label(const char *what) {
  if (!is_label_wanted()) return;
  char line[512], name[256];
  foreign_copy(sizeof name, name, what);
  snprintf(line, sizeof line, "%.0f s  %s", clock_wall() - first_label, name);
  progress_show(line);
  is_label = true;
}

/* Prints the remaining time: "1:05 left". */
static void print_left(
    size_t capacity, char text[], const Progress *progress, uint64_t done, double rate) {
  uint64_t seconds = rate > 0 ? (uint64_t)((double)(progress->all - done) / rate + 0.5) : 0;
  text[0] = 0;
  if (progress->all >= done && done > 0 && rate > 0)
    snprintf(text, capacity, "  %" PRIu64 ":%02" PRIu64 " left", seconds / 60, seconds % 60);
}

static void show_count(const Progress *progress, uint64_t done, const char *what, double now) {
  double rate = now > progress->start ? (double)done / (now - progress->start) : 0;
  char left[48], name[128], line[512];
  print_left(sizeof left, left, progress, done, rate);
  foreign_copy(sizeof name, name, what == nullptr ? "" : what);
  if (progress->all > 0)
    snprintf(line, sizeof line, "%" PRIu64 " of %" PRIu64 " %s (%.0f%%)  %.1f a second%s  %s", done,
        progress->all, progress->unit, 100.0 * (double)done / (double)progress->all, rate, left,
        name);
  else
    snprintf(
        line, sizeof line, "%" PRIu64 " %s  %.1f a second  %s", done, progress->unit, rate, name);
  progress_show(line);
}

void progress_at(Progress *progress, uint64_t done, const char *what) {
  double now = clock_wall();
  if (progress->unit == nullptr || is_silent || now - progress->last < least_between) return;
  progress->last = now;
  show_count(progress, done, what, now);
}

void progress_item(uint64_t done, uint64_t all, const char *unit, const char *what) {
  static Progress items;
  double now = clock_wall();
  if (done == 0) items.start = now;
  items.unit = unit;
  items.all = all;
  if (!is_label_wanted()) return;
  show_count(&items, done, what, now);
  is_label = true;
}

void progress_clear(void) {
  if (is_shown) fputs("\r\033[K", stderr);
  is_shown = false;
}
