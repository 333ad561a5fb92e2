/* affirm merge: joins the journals of a scope's shards into one result. Missing cases are reported
 * and do not pass. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exhaust/exhaust.h"
#include "cli/options.h"
#include "cli/session.h"

static constexpr uint64_t most_named = 8;

static void name_missing(Text *text, const Journal *all) {
  uint64_t named = 0;
  text_printf(text,
      "INCOMPLETE: %" PRIu64 " of %s are missing:", all->chunk_count - all->done_count,
      counted(all->chunk_count, "chunk"));
  for (uint64_t chunk = 0; chunk < all->chunk_count && named < most_named; chunk++) {
    if (journal_has(all, chunk)) continue;
    text_printf(text, " %" PRIu64, chunk);
    named++;
  }
  text_string(text, all->chunk_count - all->done_count > most_named ? " ...\n" : "\n");
}

/* Names the failed cases with the smallest numbers, then such open ones. */
static Status merge_report(Arena *arena, const Journal *all, bool as_json) {
  Text text = text_create(arena);
  bool is_complete = all->done_count == all->chunk_count && all->tally.cases == all->head.cases;
  exhaust_print_tally(&text, all->head.scope, all->head.tier, &all->tally);
  text_printf(&text, "\n%" PRIu64 " of %s, %" PRIu64 " failed, %" PRIu64 " open\n",
      all->tally.cases, counted(all->head.cases, "case"), all->tally.failed, all->tally.open);
  if (all->torn > 0) text_printf(&text, "not counted: %s\n", counted(all->torn, "torn line"));
  if (!is_complete) name_missing(&text, all);
  if (all->kept > 0) qsort(all->cases, all->kept, sizeof *all->cases, kept_case_order);
  exhaust_print_cases(&text, all->head.scope, all->head.tier, all->cases,
      all->kept < most_named ? all->kept : most_named, &all->tally);
  if (as_json) {
    text = text_create(arena);
    exhaust_print_json(
        &text, all->head.scope, all->head.tier, &all->tally, all->head.cases, -1, "");
  }
  if (!session_print(text.bytes)) return STATUS_BAD;
  return status_worse(exhaust_tally_status(&all->tally),
      is_complete && !exhaust_asks_nothing(&all->tally, all->head.cases) ? STATUS_PROVED
                                                                         : STATUS_UNDECIDED);
}

static void name_file(Error *error, const char *path) {
  const Error unnamed = *error;
  *error = (Error){};
  (void)error_of_file(error, unnamed.kind, path, "%s", unnamed.message);
}

static Status merge(int count, char **paths, bool as_json) {
  Journal all = {.file = -1};
  Error error = {};
  bool merged = true;
  for (int i = 0; i < count && merged; i++) {
    Journal one;
    if (strcmp(paths[i], "-") == 0)
      merged = error_set(&error, ERROR_INPUT, "a journal is a file, not standard input");
    else merged = journal_read(&one, paths[i], &error);
    if (merged) {
      merged = journal_merge(&all, &one, &error);
      journal_close(&one);
    }
    if (!merged && error.name[0] == 0) name_file(&error, paths[i]);
  }
  Arena *arena = arena_create();
  Status status = merged ? merge_report(arena, &all, as_json) : session_fail(&error);
  journal_close(&all);
  arena_destroy(arena);
  return status;
}

int cli_merge(int argc, char **argv) {
  bool as_json = false;
  const Option options[] = {
      {"json", OPTION_FLAG, &as_json, "print one JSON object, as exhaust --json does", nullptr}};
  const Command table = {.usage = "merge RESULT... [OPTION]...",
      .about =
          "Joins the journals of a scope's shards, as affirm exhaust --journal keeps them, into one result.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (first == argc)
    return session_end(session_usage("merge needs journals of affirm exhaust --journal"));
  return session_end(merge(argc - first, argv + first, as_json));
}
