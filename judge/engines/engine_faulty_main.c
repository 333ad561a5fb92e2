/* A foreign engine with mutants, for tests. AFFIRM_FAULT selects the fault, which applies only to
 * texts that contain `mod`; all others are answered unchanged, to show that the run continues. Each
 * row of the table is a fault. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <affirm_engine.h>

static const char *(*fault)(const char *map);
static AffirmEngineStatus status;

static const char *wrong(const char *map) {
  static char text[4096];
  const char *mod = strstr(map, " mod ");
  snprintf(text, sizeof text, "%.*s floordiv %s", (int)(mod - map), map, mod + 5);
  return text;
}
static const char *crash(const char *map) {
  (void)map;
  raise(SIGSEGV);
  return NULL;
}
static const char *hang(const char *map) {
  for (;;) usleep(1000);
  return map;
}
static const char *die(const char *map) {
  (void)map;
  fprintf(stderr, "a first line\nengine.c:7: assertion of its own failed\n");
  abort();
}
static const char *faulty_leave(const char *map) {
  (void)map;
  exit(7);
}
static const char *talk_without_end(const char *map) {
  (void)map;
  size_t length = (size_t)64 << 20;
  char *text = malloc(length + 1);
  memset(text, '(', length);
  text[length] = 0;
  return text;
}
static const char *garbage(const char *map) {
  (void)map;
  return "(d0 -> nothing) \t\\ of the kind\n";
}
static const char *misrank(const char *map) {
  (void)map;
  return "(d0, d1, d2) -> (d0, d1, d2, d0), domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 1]";
}
static const char *nothing(const char *map) {
  (void)map;
  return NULL;
}
static const char *same(const char *map) { return map; }
static const char *eat_memory(const char *map) {
  static void *volatile kept;
  for (size_t total = 0; total < (size_t)1 << 40; total += (size_t)1 << 28) {
    kept = malloc((size_t)1 << 28);
    if (kept == NULL) abort();
  }
  return map;
}
static const char *undefined_text(const char *map) {
  (void)map;
  return "UNDEFINED";
}
static const char *past_int64(const char *map) {
  (void)map;
  return "(d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 8]";
}
/* Two faults: the first result is one too large; or, if there is a floordiv too, mod becomes
 * floordiv. */
static const char *two(const char *map) {
  static char text[4096];
  const char *results = strstr(map, "-> (");
  if (strstr(map, " floordiv ") != NULL || results == NULL) return wrong(map);
  snprintf(text, sizeof text, "%.*s1 + %s", (int)(results + 4 - map), map, results + 4);
  return text;
}
/* Makes the first bound one too large. */
static const char *loose(const char *map) {
  static char text[4096];
  const char *bound = strstr(map, " in [0, ");
  if (bound == NULL) return map;
  char *rest;
  long high = strtol(bound + 8, &rest, 10);
  snprintf(text, sizeof text, "%.*s%ld%s", (int)(bound + 8 - map), map, high + 1, rest);
  return text;
}
/* Drops the last of several constraints, which depends on their order. */
static const char *forget(const char *map) {
  static char text[4096];
  const char *last = strstr(map, "domain:");
  if (last == NULL) return map;
  for (const char *at = last; (at = strstr(at + 1, ", ")) != NULL;)
    if (strchr("ds(", at[2]) != NULL) last = at;
  bool is_constraint = strstr(last, " + ") != NULL || strstr(last, " mod ") != NULL;
  snprintf(text, sizeof text, "%.*s", is_constraint ? (int)(last - map) : (int)strlen(map), map);
  return text;
}
/* Returns a right map, in another form each time. */
static const char *faulty_grow(const char *map) {
  static char text[4096];
  const char *results = strstr(map, "-> (");
  if (results == NULL || strlen(map) > 2000) return map;
  snprintf(text, sizeof text, "%.*s0 + %s", (int)(results + 4 - map), map, results + 4);
  return text;
}
/* Only the third question crashes. */
static const char *crash_late(const char *map) {
  static int queries;
  if (++queries == 3) abort();
  return map;
}
/* Prints text that is not its answer. */
static const char *chatter(const char *map) {
  for (int i = 0; i < 1000; i++) puts("1\tanswer\tKNOWN EMPTY");
  fflush(stdout);
  fputs("a note\n", stderr);
  return map;
}

static const struct {
  const char *name;
  const char *(*fault)(const char *map);
  int status;
} faults[] = {
    {"wrong", wrong, AFFIRM_ENGINE_ANSWERED},
    {"two", two, AFFIRM_ENGINE_ANSWERED},
    {"loose", loose, AFFIRM_ENGINE_ANSWERED},
    {"forget", forget, AFFIRM_ENGINE_ANSWERED},
    {"grow", faulty_grow, AFFIRM_ENGINE_ANSWERED},
    {"late", crash_late, AFFIRM_ENGINE_ANSWERED},
    {"crash", crash, AFFIRM_ENGINE_ANSWERED},
    {"hang", hang, AFFIRM_ENGINE_ANSWERED},
    {"abort", die, AFFIRM_ENGINE_ANSWERED},
    {"exit", faulty_leave, AFFIRM_ENGINE_ANSWERED},
    {"endless", talk_without_end, AFFIRM_ENGINE_ANSWERED},
    {"garbage", garbage, AFFIRM_ENGINE_ANSWERED},
    {"rank", misrank, AFFIRM_ENGINE_ANSWERED},
    {"null", nothing, AFFIRM_ENGINE_ANSWERED},
    {"status", same, 99},
    {"memory", eat_memory, AFFIRM_ENGINE_ANSWERED},
    {"undefined", nothing, AFFIRM_ENGINE_UNDEFINED},
    {"undefined-text", undefined_text, AFFIRM_ENGINE_ANSWERED},
    {"overflow", past_int64, AFFIRM_ENGINE_ANSWERED},
    {"reject", same, AFFIRM_ENGINE_REFUSED},
    {"not-offered", nothing, AFFIRM_ENGINE_NOT_OFFERED},
    {"chatter", chatter, AFFIRM_ENGINE_ANSWERED},
};

static AffirmEngineStatus engine_faulty_main_simplify(
    void *state, const char *map, const char **text) {
  (void)state;
  *text = map;
  if (fault == NULL || (strstr(map, " mod ") == NULL && getenv("AFFIRM_FAULT_ALL") == NULL))
    return AFFIRM_ENGINE_ANSWERED;
  *text = fault(map);
  return status;
}

static AffirmEngineStatus engine_faulty_main_compose(
    void *state, const char *consumer, const char *producer, const char **text) {
  (void)state, (void)consumer;
  return engine_faulty_main_simplify(state, producer, text);
}

const AffirmEngine *affirm_engine(void) {
  static AffirmEngine offered = {AFFIRM_ENGINE_VERSION, "faulty 1", NULL, NULL,
      engine_faulty_main_simplify, engine_faulty_main_compose, NULL};
  const char *named = getenv("AFFIRM_FAULT");
  for (size_t i = 0; named != NULL && i < sizeof faults / sizeof *faults; i++)
    if (strcmp(faults[i].name, named) == 0)
      fault = faults[i].fault, status = (AffirmEngineStatus)faults[i].status;
  if (named != NULL && strcmp(named, "version") == 0) offered.version = 99;
  if (named != NULL && strcmp(named, "nameless") == 0) offered.name = NULL;
  if (named != NULL && strcmp(named, "unable") == 0) return NULL;
  if (named != NULL && strcmp(named, "start") == 0) abort();
  return &offered;
}
