/* affirm audit: judges what other engines say. */
#include "cli/audit/audit.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"

static const char notes[] =
    "exact      the maps are the read set\n"
    "over-approximation   contain it and more: sound, imprecise; with --exact a fault\n"
    "wrong      miss a read, or leave the operand\n"
    "undefined  the text says UNDEFINED\n"
    "malformed  no map of this operand: rank, bounds, unknown names\n"
    "disagree   two judges decided differently\n"
    "not judged too large, unsupported, sampled only, unknown, or not in the text\n"
    "A line of --pairs is BEFORE<tab>AFTER, of --compose CONSUMER<tab>PRODUCER<tab>RESULT.\n"
    "In a .case: check with `map` lines, same, same-relation, and compose with = RESULT. Answers of pairs and triples:\n"
    "same map, same relation, different at d0=.., s0=..: before .., after .., unknown (why), error: ..";

static bool is_case(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".case") == 0;
}

static Status audit_run(const AuditCommand *command, int count, char **paths) {
  bool is_lines = command->pairs != nullptr || command->triples != nullptr;
  if (command->pairs != nullptr && command->triples != nullptr)
    return session_usage("audit takes --pairs or --compose");
  if (is_lines && (command->maps != nullptr || count > 0))
    return session_usage("--pairs and --compose take no other question");
  if (command->pairs != nullptr && is_case(command->pairs))
    return audit_cases(command, command->pairs);
  if (command->triples != nullptr && is_case(command->triples))
    return audit_cases(command, command->triples);
  if (is_lines) return audit_lines(command);
  if (count != 1)
    return session_usage(
        "audit wants FILE.hlo --maps MAPS.txt, FILE.case, --pairs FILE or --compose FILE");
  if (command->maps == nullptr && is_case(paths[0])) return audit_cases(command, paths[0]);
  if (command->maps == nullptr) return session_usage("audit %s wants --maps MAPS.txt", paths[0]);
  return audit_printed(command, paths[0]);
}

int cli_audit(int argc, char **argv) {
  Results results = {};
  AuditCommand command = {.filter = question_filter_all, .results = &results};
  const char *operand = nullptr;
  const Option options[] = {
      {"maps", OPTION_TEXT, &command.maps,
          "FILE: what print_indexing printed for the module; - reads standard input", nullptr},
      {"pairs", OPTION_TEXT, &command.pairs,
          "FILE: before and after, a pair a line; - reads standard input", nullptr},
      {"compose", OPTION_TEXT, &command.triples,
          "FILE: consumer, producer, result, a triple a line", nullptr},
      {"module", OPTION_NUMBER, &command.module,
          "N: this one of the file's modules, from 1; else those that the text names in lines `# module N: NAME`, or the first",
          nullptr},
      {"output", OPTION_NUMBER, &command.filter.output, "N: one output alone", nullptr},
      {"operand", OPTION_TEXT, &operand, "N[.LEAF]: one operand alone", nullptr},
      {"exact", OPTION_FLAG, &command.exact, "over-approximation counts as a fault", nullptr},
      {"json", OPTION_FLAG, &command.json, "one object a line", nullptr},
      {"quiet", OPTION_FLAG, &command.quiet, "faults and totals alone", nullptr},
      RESULT_OPTIONS(results),
  };
  const Command table = {
      .usage = "audit FILE.hlo --maps MAPS.txt | --pairs FILE | --compose FILE | FILE.case",
      .about =
          "Judges what another engine says: the maps that it printed for a module, or its simplifications and compositions.",
      .notes = notes,
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (operand != nullptr &&
      !operand_parse(operand, &command.filter.operand, &command.filter.operand_leaf))
    return session_end(session_usage("--operand wants N or N.LEAF, not '%s'", operand));
  session_catch_signals();
  results_begin(&results);
  Status status = audit_run(&command, argc - first, argv + first);
  return session_end(results_write(&results, status));
}
