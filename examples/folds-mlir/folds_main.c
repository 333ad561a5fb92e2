/* MLIR's affine folding as rules: `folds-mlir generate | folds-mlir rewrite - | affirm prove -` is
 * a campaign against it. A refuted rule is a wrong rewrite, with the values that show it. Rules
 * that MLIR leaves unchanged or cannot represent are not printed. */
#include "core/base/file.h"
#include "examples/folds-mlir/fold.h"
#include "examples/folds-mlir/generate.h"
#include "examples/folds-mlir/isolate.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static constexpr size_t input_limit = (size_t)1 << 28;
static constexpr uint32_t rules_a_context = 1024; /* MLIR never frees uniqued expressions */
static constexpr unsigned seconds_an_item = 10;

static const char usage[] =
    "folds-mlir generate [--seed N] [--count N] [--depth N] [--affine] [--large]     left sides, as rules whose right side is 0\n"
    "folds-mlir rewrite FILE                                                         the same rules with MLIR's right sides; - is standard input\n"
    "\n"
    "  folds-mlir generate --count 20000 | folds-mlir rewrite - | affirm prove --quiet -\n"
    "\n"
    "--affine: no symbols, constant divisors. --large: constants up to the ends of int64. Exit status of rewrite: 1 if MLIR died on a rule.\n";

typedef struct Rewrite {
  Arena *arena;
  RuleSet rules;
  MlirContext mlir;
  uint32_t since_renewal;
} Rewrite;

static const char *term_text(Arena *arena, const Rule *rule, const RuleTerm *term) {
  Text text = text_create(arena);
  term_print(&text, rule, term);
  return text.bytes;
}

static void folds_renew(Rewrite *run) {
  if (run->since_renewal++ % rules_a_context != 0) return;
  if (run->since_renewal > 1) mlirContextDestroy(run->mlir);
  run->mlir = mlirContextCreateWithThreading(false);
}

static void rewrite_one(void *job, uint32_t i) {
  Rewrite *run = job;
  ArenaMark mark = arena_mark(run->arena);
  folds_renew(run);
  Rule rule = run->rules.items[i];
  const RuleTerm *right = fold_left_side(run->mlir, run->arena, &rule);
  if (right != nullptr && strcmp(term_text(run->arena, &rule, rule.left.expr),
                              term_text(run->arena, &rule, right)) != 0) {
    Text text = text_create(run->arena);
    rule.right = (Side){.expr = right};
    rule_print(&text, &rule);
    puts(text.bytes);
  }
  arena_rewind(run->arena, mark);
}

static void say_death(void *job, uint32_t i, int signal) {
  Rewrite *run = job;
  const Rule *rule = &run->rules.items[i];
  printf("# MLIR ends with %s on %s: %s\n\n", signal == 0 ? "exit" : strsignal(signal), rule->name,
      term_text(run->arena, rule, rule->left.expr));
}

static int rewrite_all(Rewrite *run) {
  int64_t dead = isolate(run->rules.count, seconds_an_item, rewrite_one, say_death, run);
  if (dead < 0) perror("folds-mlir: no child process");
  fprintf(stderr, "%" PRIu32 " rules; MLIR died on %" PRId64 "\n", run->rules.count, dead);
  return dead < 0 || fflush(stdout) != 0 ? 3 : dead > 0;
}

static int rewrite(const char *path) {
  Rewrite run = {.arena = arena_create()};
  Source source;
  Error error = {};
  bool is_read = file_read(run.arena, path, input_limit, &source, &error) &&
                 rules_parse(run.arena, &source, &run.rules, &error);
  if (!is_read) error_print(&error, stderr);
  int status = is_read ? rewrite_all(&run) : 3;
  arena_destroy(run.arena);
  return status;
}

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
  char *end;
  *number = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == 0 && *number <= most;
}

static bool read_options(int count, char **arguments, Generate *how) {
  static const struct option options[] = {{"seed", required_argument, nullptr, 's'},
      {"count", required_argument, nullptr, 'c'}, {"depth", required_argument, nullptr, 'd'},
      {"affine", no_argument, nullptr, 'a'}, {"large", no_argument, nullptr, 'l'}, {}};
  for (int letter; (letter = getopt_long(count, arguments, "", options, nullptr)) != -1;) {
    uint64_t number = 0;
    if (optarg != nullptr && !read_number(optarg, letter == 'd' ? 20 : UINT32_MAX, &number))
      return false;
    switch (letter) {
      case 's': how->seed = number; break;
      case 'c': how->count = (uint32_t)number; break;
      case 'd': how->depth = (uint32_t)number; break;
      case 'a': how->has_symbols = false; break;
      case 'l': how->has_large = true; break;
      default: return false;
    }
  }
  return optind == count - 1;
}

static int generate(int count, char **arguments) {
  Generate how = {.seed = 1, .count = 1000, .depth = 3, .has_symbols = true};
  if (!read_options(count, arguments, &how)) return fputs(usage, stderr), 3;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  generate_rules(&text, how);
  bool is_written = fputs(text.bytes, stdout) >= 0 && fflush(stdout) == 0;
  arena_destroy(arena);
  return is_written ? 0 : 3;
}

int main(int count, char **arguments) {
  if (count == 3 && strcmp(arguments[1], "rewrite") == 0) return rewrite(arguments[2]);
  if (count >= 2 && strcmp(arguments[1], "generate") == 0) return generate(count, arguments);
  fputs(usage, stderr);
  return 3;
}
