/* Selects the lines of an engine's standard error that are kept, and prints them. */
#include "judge/engines/complaint.h"

#include <string.h>

static bool names_a_check(const char *line) {
  static const char *const words[] = {
      "Check failed", "ssertion", "terminate called", "LLVM ERROR", "panicked at"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(line, words[i]) != nullptr) return true;
  return false;
}

/* True for a line of a stack trace or the announcement of one. */
static bool is_trace(const char *line) {
  return strncmp(line, "***", 3) == 0 || strncmp(line, "@ ", 2) == 0 || line[0] == '#';
}

static void end_line(Complaint *complaint) {
  char *line = complaint->line;
  while (complaint->length > 0 && line[complaint->length - 1] == ' ') complaint->length--;
  line[complaint->length] = 0;
  if (complaint->length == 0) return;
  if (names_a_check(line)) {
    memcpy(complaint->cause, line, complaint_line);
    complaint->detail[0] = 0;
    complaint->wants_detail = true;
  } else if (complaint->wants_detail) {
    if (!is_trace(line)) memcpy(complaint->detail, line, complaint_line);
    complaint->wants_detail = false;
  }
  memcpy(complaint->before, complaint->last, complaint_line);
  memcpy(complaint->last, line, complaint_line);
  complaint->length = 0;
}

void complaint_take(Complaint *complaint, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char byte = (unsigned char)bytes[i] < ' ' && bytes[i] != '\n' ? ' ' : bytes[i];
    if (byte == '\n') end_line(complaint);
    else if (complaint->length + 1 < complaint_line && (byte != ' ' || complaint->length > 0))
      complaint->line[complaint->length++] = byte;
  }
}

void complaint_print(const Complaint *complaint, const char *ignored, Text *text) {
  Complaint whole = *complaint;
  end_line(&whole);
  const char *words = whole.last, *detail = whole.detail;
  bool is_named = ignored != nullptr && strncmp(words, ignored, strlen(ignored)) == 0;
  if (is_named) words = whole.before;
  if (is_named && strcmp(detail, whole.last) == 0) detail = "";
  if (whole.cause[0] != 0) words = whole.cause;
  if (words[0] == 0) return;
  bool has_detail = words == whole.cause && detail[0] != 0;
  text_printf(text, "%s%s%s%s", complaint_prefix, words, has_detail ? " | " : "",
      has_detail ? detail : "");
}
