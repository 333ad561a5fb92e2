/* affirm-engine-host LIBRARY: opens an engine library (include/affirm_engine.h) and answers
 * requests, one per line, until its input ends (docs/formats.md, "Engines over a pipe"). It judges
 * nothing and handles no failure of the engine; the process that started it watches it. The
 * engine's own standard output is discarded, so that it is not taken for an answer. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <affirm_engine.h>

enum { field_limit = 16 };

typedef struct Host {
  const AffirmEngine *engine;
  FILE *answers;
  char why[512]; /* why there is no engine */
} Host;

static void unescape(char *field) {
  char *to = field;
  for (const char *at = field; *at != 0; at++) {
    char byte = *at;
    if (byte == '\\' && at[1] != 0) {
      byte = *++at;
      byte = byte == 'n' ? '\n' : byte == 't' ? '\t' : byte;
    }
    *to++ = byte;
  }
  *to = 0;
}

/* Splits the line at its tabs; returns the number of fields. */
static int engine_host_main_cut(char *line, char *fields[field_limit]) {
  int count = 0;
  for (char *at = line; at != nullptr && count < field_limit;) {
    char *tab = strchr(at, '\t');
    if (tab != nullptr) *tab = 0;
    unescape(at);
    fields[count++] = at;
    at = tab == nullptr ? nullptr : tab + 1;
  }
  return count;
}

static void engine_host_main_say(
    const Host *host, const char *number, const char *word, const char *text) {
  fprintf(host->answers, "%s\t%s\t", number, word);
  for (const char *at = text; *at != 0;) {
    size_t plain = strcspn(at, "\\\t\n");
    fwrite(at, 1, plain, host->answers);
    at += plain;
    if (*at == 0) break;
    fputs(*at == '\\' ? "\\\\" : *at == '\t' ? "\\t" : "\\n", host->answers);
    at++;
  }
  fputc('\n', host->answers);
  fflush(host->answers);
}

static void say_hello(const Host *host, const char *number) {
  const AffirmEngine *engine = host->engine;
  if (engine == nullptr) {
    engine_host_main_say(host, number, "refused", host->why);
    return;
  }
  fprintf(host->answers, "%s\tengine\t%d\t%s\t%s%s%s\n", number, AFFIRM_ENGINE_VERSION,
      engine->name, engine->analyse != nullptr ? "analyse " : "",
      engine->simplify != nullptr ? "simplify " : "", engine->compose != nullptr ? "compose " : "");
  fflush(host->answers);
}

/* Prints the status and text of a call as one line, and releases the text. */
static void engine_host_main_report(
    const Host *host, const char *number, int status, const char *text) {
  static const char *const words[] = {"answer", "undefined", "not-offered", "refused"};
  if (status < 0 || status >= (int)(sizeof words / sizeof *words))
    engine_host_main_say(host, number, "status-unknown", "");
  else if (status == AFFIRM_ENGINE_ANSWERED && text == nullptr)
    engine_host_main_say(host, number, "answered-without-text", "");
  else engine_host_main_say(host, number, words[status], text == nullptr ? "" : text);
  if (text != nullptr && host->engine->release != nullptr)
    host->engine->release(host->engine->state, text);
}

static void engine_host_main_analyse(const Host *host, char *fields[field_limit]) {
  const AffirmEngine *engine = host->engine;
  bool is_o2i = strcmp(fields[2], "o2i") == 0;
  const AffirmEngineQuestion question = {
      .direction = is_o2i ? AFFIRM_ENGINE_OUTPUT_TO_INPUT : AFFIRM_ENGINE_INPUT_TO_OUTPUT,
      .instruction = fields[3],
      .output = (uint32_t)strtoul(fields[4], nullptr, 10),
      .operand = (uint32_t)strtoul(fields[5], nullptr, 10),
      .operand_leaf = (uint32_t)strtoul(fields[6], nullptr, 10),
      .module = fields[7]};
  const char *text = nullptr;
  int status = engine->analyse == nullptr ? AFFIRM_ENGINE_NOT_OFFERED
                                          : (int)engine->analyse(engine->state, &question, &text);
  engine_host_main_report(host, fields[0], status, text);
}

static void engine_host_main_simplify(const Host *host, char *fields[field_limit]) {
  const AffirmEngine *engine = host->engine;
  const char *text = nullptr;
  int status = engine->simplify == nullptr ? AFFIRM_ENGINE_NOT_OFFERED
                                           : (int)engine->simplify(engine->state, fields[2], &text);
  engine_host_main_report(host, fields[0], status, text);
}

static void engine_host_main_compose(const Host *host, char *fields[field_limit]) {
  const AffirmEngine *engine = host->engine;
  const char *text = nullptr;
  int status = engine->compose == nullptr
                   ? AFFIRM_ENGINE_NOT_OFFERED
                   : (int)engine->compose(engine->state, fields[2], fields[3], &text);
  engine_host_main_report(host, fields[0], status, text);
}

static void engine_host_main_serve(const Host *host, char *line) {
  char *fields[field_limit];
  int count = engine_host_main_cut(line, fields);
  const char *verb = count > 1 ? fields[1] : "";
  if (strcmp(verb, "hello") == 0) say_hello(host, fields[0]);
  else if (host->engine == nullptr) engine_host_main_say(host, fields[0], "refused", host->why);
  else if (strcmp(verb, "analyse") == 0 && count == 8) engine_host_main_analyse(host, fields);
  else if (strcmp(verb, "simplify") == 0 && count == 3) engine_host_main_simplify(host, fields);
  else if (strcmp(verb, "compose") == 0 && count == 4) engine_host_main_compose(host, fields);
  else engine_host_main_say(host, fields[0], "not-offered", "no such request");
}

static void open_library(Host *host, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    snprintf(host->why, sizeof host->why, "%s", dlerror());
    return;
  }
  const AffirmEngine *(*get)(void) = (const AffirmEngine *(*)(void))dlsym(library, "affirm_engine");
  const AffirmEngine *engine = get == nullptr ? nullptr : get();
  if (get == nullptr)
    snprintf(host->why, sizeof host->why, "%s has no function affirm_engine", path);
  else if (engine == nullptr)
    snprintf(host->why, sizeof host->why, "%s reports that it cannot work here", path);
  else if (engine->version == AFFIRM_ENGINE_VERSION && engine->name == nullptr)
    snprintf(host->why, sizeof host->why, "%s states no name", path);
  else if (engine->version != AFFIRM_ENGINE_VERSION)
    snprintf(host->why, sizeof host->why, "%s is of interface version %u, not %d", path,
        (unsigned)engine->version, AFFIRM_ENGINE_VERSION);
  else host->engine = engine;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(
        "affirm-engine-host LIBRARY\n\n"
        "Runs an engine's library in a process of its own; affirm starts it for --engine LIBRARY.\n",
        stdout);
    return 0;
  }
  Host host = {0};
  int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 16),
      nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (argc == 2 && answers >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
    host.answers = fdopen(answers, "w");
  if (host.answers == nullptr) {
    fputs("usage: affirm-engine-host LIBRARY: for affirm alone (--engine)\n", stderr);
    return 3;
  }
  open_library(&host, argv[1]);
  char *line = nullptr;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    engine_host_main_serve(&host, line);
  }
  free(line);
  fclose(host.answers);
  return 0;
}
