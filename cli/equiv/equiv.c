/* affirm equiv: compares the reads of two graphs for each pair of output and parameter. Prints a
 * row for each pair that is read or is not the same, and counts pairs that neither graph reads.
 * --more names parameters of which `after` may read more than `before`, as when padding becomes an
 * operation of its own. Every other difference is a counterexample. */
#include "cli/equiv/equiv.h"

#include "cli/commands.h"
#include "cli/options.h"

static bool print_summary(const EquivCommand *command, Arena *arena) {
  Text text = text_create(arena);
  const EquivTally *tally = &command->tally;
  if (tally->graphs > 1) text_printf(&text, "%s, ", counted(tally->graphs, "graph"));
  if (tally->lost > 0) text_printf(&text, "%llu NOT COMPARED, ", (unsigned long long)tally->lost);
  if (!command->reads) {
    text_printf(&text, "%s:", counted(command->tally.questions, "output"));
    for (uint32_t i = 0; i < values_answer_count; i++)
      if (tally->values[values_answers[i]] > 0 || i == 0)
        text_printf(&text, " %llu %s%s", (unsigned long long)tally->values[values_answers[i]],
            equiv_values_text(values_answers[i]), i + 1 < values_answer_count ? "," : "");
    if (tally->values[REASON_DISSENT] > 0)
      text_printf(&text, " %llu DISAGREE", (unsigned long long)tally->values[REASON_DISSENT]);
    if (text.bytes[text.length - 1] == ',') text.bytes[--text.length] = 0;
    text_string(&text, "\n");
    return session_print(text.bytes);
  }
  text_printf(&text, "%s of output and parameter:", counted(command->tally.questions, "pair"));
  for (uint32_t i = 0; i < equiv_answer_count; i++) {
    VerdictReason answer = equiv_answers[i];
    if (command->tally.counts[answer] > 0 || answer == REASON_EXACT)
      text_printf(&text, "%s %llu %s", i > 0 ? "," : "",
          (unsigned long long)command->tally.counts[answer], equiv_answer_text(answer));
    if (answer == REASON_EXACT && command->tally.unread > 0)
      text_printf(
          &text, " (%llu because neither graph reads)", (unsigned long long)command->tally.unread);
  }
  text_string(&text, "\n");
  return session_print(text.bytes);
}

static bool equiv_compare_pair(
    EquivCommand *command, Arena *arena, const char *before, const char *after) {
  return command->seconds == 0 ? equiv_compare(command, arena, before, after)
                               : equiv_compare_apart(command, arena, before, after);
}

static Status equiv_run(EquivCommand *command, Arena *arena, int count, char **paths) {
  Error error = {};
  command->judge = judge_create(
      &(JudgeOptions){.smt.rlimit = (uint64_t)command->rlimit, .smt.stop = session_is_interrupted},
      &error);
  if (command->judge == nullptr) return session_fail(&error);
  bool goes_on = command->directory != nullptr
                     ? equiv_compare_directory(command, arena, command->directory)
                     : equiv_compare_pair(command, arena, paths[0], paths[count - 1]);
  judge_destroy(command->judge);
  bool has_summary = command->tally.questions > 0 ||
                     (command->directory != nullptr && command->tally.graphs > 0),
       shows_summary = has_summary && !command->json && !session_is_interrupted();
  if (!goes_on && !session_is_interrupted()) return STATUS_BAD;
  return shows_summary && !print_summary(command, arena) ? STATUS_BAD : command->tally.status;
}

/* equiv_directory.c reads no subdirectories. */
static bool equiv_directory_reads(const char *name, int depth) {
  static const char *const ends[] = {".before.hlo", ".after.hlo", ".options"};
  bool is_read = false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    is_read |= string_ends_with(name, ends[i]);
  return is_read && depth == 1;
}

int cli_equiv(int argc, char **argv) {
  EquivCommand command = {
      .output = -1, .only_parameter = -1, .only_leaf = -1, .more_parameter = -1, .more_leaf = -1};
  const Option options[] = {
      {"reads", OPTION_FLAG, &command.reads,
          "compare which elements are read, not which values are computed", nullptr},
      LAWS_OPTION(command.laws),
      {"output", OPTION_NUMBER, &command.output,
          "N: one output (the leaf of a tuple) instead of all", nullptr},
      {"parameter", OPTION_TEXT, &command.parameter,
          "N[.LEAF]: one parameter instead of all; with --reads", nullptr},
      {"more", OPTION_TEXT, &command.more,
          "N[.LEAF]: the second graph may read more of this parameter than the first; with --reads",
          nullptr},
      {"dir", OPTION_INPUT, &command.directory,
          "DIRECTORY: compare each NAME.before.hlo in it with NAME.after.hlo; directories in it are passed over",
          nullptr},
      {"rlimit", OPTION_COUNT, &command.rlimit,
          "N: the solver's budget of one proof, in its own units (20000000)", nullptr},
      {"seconds", OPTION_COUNT, &command.seconds,
          "N: limit of processor seconds of one pair of files; beyond it the pair is unknown (no "
          "limit)",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
      RESULT_OPTIONS(command.results),
  };
  const Command table = {
      .usage = "equiv BEFORE.hlo AFTER.hlo [OPTION]... | PAIRS.hlo | --dir DIRECTORY",
      .about =
          "Compares the values that two graphs compute for each output element, or with --reads the elements that they read. Parameters are paired by number.",
      .notes =
          "same values: each output element is the same term over the parameters' elements; operations that only move data leave no trace in a term.\n"
          "same reads, fewer reads, more reads: the terms differ, and no inputs were found for which the values differ. Inputs do not count if the value depends on rounding, a NaN, the sign of a zero, or a conversion out of range.\n"
          "different: the values differ. The line names an element with both values, and the inputs for which they were computed; inputs that are not named are zero.\n"
          "A promise about indices (unique_indices, indices_are_sorted) that only the second graph makes is unknown, unless its indices are shown to keep it. The backend_config of an operation other than custom-call is ignored.\n"
          "unknown: the line names the operation that prevents a verdict. disagree: the oracle evaluated an element to different values that smt proved the same; exit status 3.\n"
          "Modules of two files are paired by position, those of one file two by two.\n"
          "--reads compares which elements can reach an output element, and ignores arithmetic. same: both graphs read the same. more: the second graph reads everything that the first reads, and more. different: only one graph reads some element, and `more` is not proved.\n"
          "Reads across loops, branches, devices and operations whose reads are not in the text are over-approximated; the verdict about them is unknown, unless both graphs are literally the same.",
      OPTION_TABLE(options),
      .reads = equiv_directory_reads};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!law_grade_named(command.laws == nullptr ? "exact" : command.laws, &command.grade))
    return session_end(
        session_usage("--laws is one of exact ieee fast none, not '%s'", command.laws));
  command.has_more = command.more != nullptr;
  if (!command.reads && (command.has_more || command.parameter != nullptr))
    return session_end(
        session_usage("--parameter and --more need --reads: values depend on all parameters"));
  if (command.reads && command.laws != nullptr)
    return session_end(session_usage("--laws has no effect on --reads"));
  if (command.parameter != nullptr && !equiv_read_parameter("--parameter", command.parameter,
                                          &command.only_parameter, &command.only_leaf))
    return STATUS_BAD;
  if (command.has_more &&
      !equiv_read_parameter("--more", command.more, &command.more_parameter, &command.more_leaf))
    return STATUS_BAD;
  int files = argc - first;
  if (command.directory != nullptr ? files != 0 || command.has_more : files != 1 && files != 2)
    return session_end(session_usage(
        "equiv needs two files, before and after, or one with pairs of modules, or --dir without --more"));
  session_catch_signals();
  Arena *arena = arena_create();
  results_begin(&command.results);
  Status status = equiv_run(&command, arena, files, argv + first);
  status = results_write(&command.results, status);
  arena_destroy(arena);
  return session_end(status);
}
