/* affirm audit: judges the results of other engines. */
#include "cli/audit/audit.h"

#include "cli/commands.h"
#include "cli/options.h"

static const char notes[] =
    "exact                the maps are the read set\n"
    "over-approximation   the maps contain the read set and more; a fault with --exact\n"
    "wrong                the maps miss a read, or leave the operand\n"
    "undefined            the text contains UNDEFINED\n"
    "malformed            no map of this operand: does not parse, another rank, or unknown names\n"
    "disagree             two judges decided differently\n"
    "not judged           too large, unsupported, only sampled, unknown, or not in the text\n"
    "A text has a block for each output and operand of the root. It may leave out all blocks\n"
    "from input to output (Operand N output M), but not some of them.\n"
    "A line of --pairs is BEFORE<tab>AFTER, a line of --compose is CONSUMER<tab>PRODUCER<tab>RESULT.\n"
    "A .case file may contain `check` with `map` lines, `same`, `same-relation`, and `compose` with = RESULT.\nResults of pairs and triples are: "
    "same map, same relation, different at d0=.., s0=..: before .., after .., unknown (why), error: ..";

static bool is_case(const char *path) { return string_ends_with(path, ".case"); }

static Status audit_run(const AuditCommand *command, int count, char **paths) {
  bool is_lines = command->pairs != nullptr || command->triples != nullptr;
  if (command->pairs != nullptr && command->triples != nullptr)
    return session_usage("--pairs cannot be combined with --compose");
  if (is_lines && (command->maps != nullptr || count > 0))
    return session_usage("--pairs and --compose cannot be combined with --maps or another file");
  if (command->pairs != nullptr && is_case(command->pairs))
    return audit_cases(command, command->pairs);
  if (command->triples != nullptr && is_case(command->triples))
    return audit_cases(command, command->triples);
  if (is_lines) return audit_lines(command);
  if (count != 1)
    return session_usage(
        "audit needs FILE.hlo --maps MAPS.txt, FILE.case, --pairs FILE or --compose FILE");
  if (command->maps == nullptr && is_case(paths[0])) return audit_cases(command, paths[0]);
  if (command->maps == nullptr) return session_usage("audit %s needs --maps MAPS.txt", paths[0]);
  return audit_printed(command, paths[0]);
}

static constexpr int64_t no_module = -1;

int cli_audit(int argc, char **argv) {
  Results results = {};
  AuditCommand command = {.filter = question_filter_all, .results = &results, .module = no_module};
  const char *operand = nullptr;
  const Option options[] = {
      {"maps", OPTION_INPUT, &command.maps,
          "FILE: the output of print_indexing for the module; - reads standard input", nullptr},
      {"pairs", OPTION_INPUT, &command.pairs,
          "FILE: one pair per line, before and after; - reads standard input", nullptr},
      {"compose", OPTION_INPUT, &command.triples,
          "FILE: one triple per line: consumer, producer, result", nullptr},
      {"module", OPTION_COUNT, &command.module,
          "N: use module N of the file, from 1; by default the modules that lines `# module N: NAME` name, or the first",
          nullptr},
      {"output", OPTION_NUMBER, &command.filter.output, "N: one output instead of all", nullptr},
      {"operand", OPTION_TEXT, &operand, "N[.LEAF]: one operand instead of all", nullptr},
      {"exact", OPTION_FLAG, &command.exact, "treat over-approximations as failures", nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
      {"quiet", OPTION_FLAG, &command.quiet, "print only failures and totals", nullptr},
      RESULT_OPTIONS(results),
  };
  const Command table = {
      .usage = "audit FILE.hlo --maps MAPS.txt | --pairs FILE | --compose FILE | FILE.case",
      .about =
          "Judges the output of another engine: the maps that it printed for a module, or its simplifications and compositions.",
      .notes = notes,
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (operand != nullptr &&
      !operand_parse(operand, &command.filter.operand, &command.filter.operand_leaf))
    return session_end(session_usage("--operand needs N or N.LEAF, not '%s'", operand));
  session_catch_signals();
  results_begin(&results);
  Status status = audit_run(&command, argc - first, argv + first);
  return session_end(results_write(&results, status));
}
