/* Measures one map evaluated in place, in columns, compiled through MLIR (compile time included)
 * and by hand-written C. Prints a table over the number of points, which shows where each way
 * becomes the fastest. Then counts a permutation of 2^31 elements and shows that it is one-to-one
 * and onto. Times are processor time of one core. A row leaves out one of the first two ways if it
 * would take more than 8 s. The exit status is 1 if sums differ or the permutation check fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/map/text.h"
#include "oracle/evaluate/evaluate_map.h"

static constexpr int64_t widest = 64;
static constexpr double most_seconds = 8;

static const Map *evaluate_read_map(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  exit(3);
}

/* An expression of nine operations over rows * columns points. */
static const Map *map_of_rows(MapContext *context, int64_t rows, int64_t columns) {
  char text[200];
  snprintf(text, sizeof text,
      "(d0, d1) -> ((d0 * 6 + d1) floordiv 4 + (d1 * 3 + d0) mod 5 + min(d0, d1) * 7), domain: d0 in [0, %lld], d1 in [0, %lld]",
      (long long)rows - 1, (long long)columns - 1);
  return evaluate_read_map(context, text);
}

[[gnu::noinline]] static uint32_t by_hand(int64_t rows, int64_t columns) {
  uint32_t sum = 0;
  for (int32_t a = 0; a < (int32_t)rows; a++)
    for (int32_t b = 0; b < (int32_t)columns; b++)
      sum += (uint32_t)((a * 6 + b) / 4 + (b * 3 + a) % 5 + (a < b ? a : b) * 7);
  return sum;
}

typedef struct Measured {
  double time; /* of one evaluation; 0: left out */
  uint32_t sum;
} Measured;

static Measured evaluate_measure(MapContext *context, const Map *map, EvaluateWay way) {
  Measured measured = {};
  Error error = {};
  double start = clock_processor();
  int times = 0;
  do {
    MapCount count;
    if (!evaluate_count(context, map, &way, &count, &error)) {
      error_print(&error, stderr);
      exit(3);
    }
    measured.sum = count.checksum;
    times++;
  } while (clock_processor() - start < 0.05);
  measured.time = (clock_processor() - start) / times;
  return measured;
}

/* The barrier keeps the compiler from computing the sum once for all times. */
static Measured measure_c(int64_t rows, int64_t columns) {
  Measured measured = {};
  double start = clock_processor();
  int times = 0;
  do {
    __asm__ volatile("" : "+r"(rows), "+r"(columns) : : "memory");
    measured.sum = by_hand(rows, columns);
    times++;
  } while (clock_processor() - start < 0.05);
  measured.time = (clock_processor() - start) / times;
  return measured;
}

static bool evaluate_print_row(MapContext *context, int64_t points, double *last) {
  int64_t columns = points < widest ? points : widest, rows = points / columns;
  const Map *map = map_of_rows(context, rows, columns);
  bool agree = true;
  Measured c = measure_c(rows, columns);
  printf("%12lld", (long long)rows * columns);
  for (EvaluateWay way = EVALUATE_IN_PLACE; way <= EVALUATE_COMPILED; way++) {
    bool is_too_long = way != EVALUATE_COMPILED && last[way] * (double)points > most_seconds;
    Measured measured = is_too_long ? (Measured){} : evaluate_measure(context, map, way);
    if (!is_too_long) last[way] = measured.time / (double)points;
    if (is_too_long) printf("%14s", "-");
    else printf("%14.1f", (double)(rows * columns) / measured.time * 1e-6);
    agree = agree && (is_too_long || measured.sum == c.sum);
  }
  printf("%14.1f%s\n", (double)(rows * columns) / c.time * 1e-6, agree ? "" : "   the sums differ");
  fflush(stdout);
  return agree;
}

static int print_image(MapContext *context) {
  const Map *map = evaluate_read_map(context,
      "(d0, d1, d2) -> (d2, d0 floordiv 8, d1, d0 mod 8), domain: d0 in [0, 2047], d1 in [0, 1023], d2 in [0, 1023]");
  MapImage image;
  Error error = {};
  double start = clock_processor();
  if (!evaluate_image(context, map, (int64_t[]){1024, 256, 1024, 8}, nullptr, &image, &error)) {
    error_print(&error, stderr);
    return 3;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("\n%llu points, %s: %s, %s; %.1f s, %.0f MB at most (limits: 60 s, 512 MB)\n",
      (unsigned long long)image.points, evaluate_way_text(image.way),
      image.is_one_to_one ? "one-to-one" : "not one-to-one", image.is_onto ? "onto" : "not onto",
      clock_processor() - start, (double)usage.ru_maxrss / 1024);
  return image.is_one_to_one && image.is_onto ? 0 : 1;
}

int main(void) {
  MapContext *context = map_context_create();
  double last[3] = {};
  bool agree = true;
  printf("millions of points a second\n%12s%14s%14s%14s%14s\n", "points", "in place", "columns",
      "compiled", "C by hand");
  for (int64_t points = 2; points <= INT64_C(1) << 31;
      points *= points >= 1 << 22 && points < 1 << 25 ? 2
                : points == 1 << 25                   ? 64
                : points < 64                         ? 2
                                                      : 4)
    agree = evaluate_print_row(context, points, last) && agree;
  int status = print_image(context);
  map_context_destroy(context);
  return agree ? status : 1;
}
