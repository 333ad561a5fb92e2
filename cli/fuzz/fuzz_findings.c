/* The kind is the target's own word (fuzz_found_KIND) or, for a crash, the word of the sanitizer or
 * libFuzzer. Operations are the opcodes and operators in the report; for a crash without a report,
 * the innermost function of the project. The stack alone would not do, since one fault shows at
 * many places. */
#include "cli/fuzz/fuzz_findings.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_culprit.h"
#include "cli/session.h"
#include "core/base/file.h"
#include "core/hlo/graph.h"

static const char *word(Arena *arena, const char *at, const char *bytes) {
  return arena_text(arena, at, strspn(at, bytes));
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static const char *kind_of(Arena *arena, const char *log) {
  static const char mark[] = "# fuzz_found_",
                    sanitizer[] = "Sanitizer: ", runtime[] = "runtime error: ";
  const char *at = strstr(log, mark);
  if (at != nullptr) return word(arena, at + strlen(mark), "abcdefghijklmnopqrstuvwxyz_-");
  at = strstr(log, sanitizer);
  if (at != nullptr)
    return word(arena, at + strlen(sanitizer), "abcdefghijklmnopqrstuvwxyz-");
  if (strstr(log, runtime) != nullptr) return "undefined-behavior";
  if (strstr(log, "libFuzzer: file size exceeded") != nullptr)
    return nullptr; /* a limit of the system; the input shows nothing */
  if (strstr(log, "libFuzzer: timeout") != nullptr) return "timeout";
  if (strstr(log, "libFuzzer: out-of-memory") != nullptr) return "out-of-memory";
  return strstr(log, "ERROR: libFuzzer") != nullptr || strstr(log, "Assertion ") != nullptr
             ? "crash"
             : nullptr;
}

static void fuzz_findings_add(Text *text, const char *name) {
  if (text->length > 0) text_string(text, "+");
  text_string(text, name);
}

static void add_opcodes(Arena *arena, Text *text, const char *report) {
  for (uint32_t opcode = 0; opcode < opcode_count; opcode++) {
    const char *name = opcode_name((Opcode)opcode);
    bool frames = opcode == HLO_PARAMETER || opcode == HLO_TUPLE ||
                  opcode == HLO_GET_TUPLE_ELEMENT || opcode == HLO_COPY || opcode == HLO_CONSTANT;
    if (!frames && strstr(report, arena_printf(arena, " %s(", name)) != nullptr)
      fuzz_findings_add(text, name);
  }
}

static void add_operators(Text *text, const char *report) {
  static const char *const operators[][2] = {{" floordiv ", "floordiv"}, {" ceildiv ", "ceildiv"},
      {" mod ", "mod"}, {" * ", "times"}, {"min(", "min"}, {"max(", "max"}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strstr(report, operators[i][0]) != nullptr) fuzz_findings_add(text, operators[i][1]);
}

/* "#7 0x55.. in NAME DIRECTORY/..": the first frame outside the C library, the sanitizer and
 * libFuzzer. */
static const char *function_of(Arena *arena, const char *log) {
  for (const char *at = strstr(log, " in "); at != nullptr; at = strstr(at + 1, " in ")) {
    static const char *const others[] = {
        "__", "fuzzer::", "raise", "abort", "pthread_", "harness_fail"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      other |= strncmp(at + 4, others[i], strlen(others[i])) == 0;
    const char *name = word(arena, at + 4, letters);
    if (!other && *name != 0) return name;
  }
  return "unknown";
}

/* The report ends where the output of libFuzzer or the sanitizer begins. */
static const char *report_of(Arena *arena, const char *log) {
  const char *start = strstr(log, "# fuzz_found_");
  if (start == nullptr) return "";
  const char *end = strstr(start, "\n==");
  return arena_text(arena, start, end == nullptr ? strlen(start) : (size_t)(end - start));
}

static const char *operations_of(Arena *arena, const char *log) {
  Text text = text_create(arena);
  const char *report = report_of(arena, log);
  if (strstr(report, "HloModule") != nullptr) add_opcodes(arena, &text, report);
  else add_operators(&text, report);
  if (text.length == 0) fuzz_findings_add(&text, *report != 0 ? "plain" : function_of(arena, log));
  return text.length > 120 ? arena_text(arena, text.bytes, 120) : text.bytes;
}

const char *finding_fault(Arena *arena, const char *log) {
  const char *kind = kind_of(arena, log);
  bool has_report = strstr(log, "# fuzz_found_") != nullptr;
  return kind == nullptr || has_report
             ? kind
             : arena_printf(arena, "%s-%s", kind, function_of(arena, log));
}

/* Moves libFuzzer's input file to the finding, or deletes it if the finding already has one. */
static void position_inputs(
    Arena *arena, const char *directory, const char *prefix, const char *to) {
  DIR *entries = opendir(directory);
  for (struct dirent *entry; entries != nullptr && (entry = readdir(entries)) != nullptr;) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
    const char *from = arena_printf(arena, "%s/%s", directory, entry->d_name);
    if (to == nullptr) unlink(from);
    else if (rename(from, to) != 0) session_warn("%s could not be renamed", from);
  }
  if (entries != nullptr) closedir(entries);
}

FindingState finding_keep(Arena *arena, const char *directory, const char *target, const char *log,
    const char *prefix, FuzzFinding *finding) {
  finding->kind = kind_of(arena, log);
  if (finding->kind == nullptr) return FINDING_NONE;
  const char *rule = fuzz_culprit(arena, nullptr, log);
  finding->name = arena_printf(arena, "%s-%s-%s%s%s", target, finding->kind,
      operations_of(arena, log), rule == nullptr ? "" : "-", rule == nullptr ? "" : rule);
  const char *report = arena_printf(arena, "%s/%s.report", directory, finding->name);
  bool known = access(report, F_OK) == 0;
  position_inputs(arena, directory, prefix,
      known ? nullptr : arena_printf(arena, "%s/%s.input", directory, finding->name));
  if (known) return FINDING_KNOWN;
  Error error = {};
  return file_write(report, log, strlen(log), &error) ? FINDING_NEW : FINDING_LOST;
}
