/* Edits of a module, repeated until none helps. Of lines: drop a computation, make another one the
 * entry, drop an instruction, make an earlier instruction the root, replace an operation by a
 * parameter or by a copy of an operand; and those of reduce_calls.c. Of numbers:
 * reduce_numbers.c. */
#include "reduce/reducer.h"

#include <ctype.h>
#include <string.h>

bool text_try(Reducer *reducer, const char *candidate) {
  Reduction *reduction = reducer->reduction;
  if (reduction->trials >= reduction->most_trials || strcmp(candidate, reducer->text) == 0)
    return false;
  reduction->trials++;
  if (!reduction->still_shows(reduction->state, candidate, strlen(candidate))) return false;
  reduction->accepted++;
  reducer->text = candidate;
  return true;
}

void reducer_run(Reducer *reducer, Pass *const *passes, size_t count) {
  const Reduction *reduction = reducer->reduction;
  for (bool helped = true; helped && reduction->trials < reduction->most_trials;) {
    helped = false;
    for (size_t i = 0; i < count; i++)
      while (passes[i](reducer)) helped = true;
  }
}

Lines lines_split(Arena *arena, const char *text) {
  Lines lines = {};
  while (*text != 0) {
    size_t length = strcspn(text, "\n");
    if (length > 0) *ARENA_PUSH(arena, &lines) = arena_text(arena, text, length);
    text += length + (text[length] == '\n');
  }
  return lines;
}

static const char *join(Arena *arena, const Lines *lines) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < lines->count; i++) {
    if (lines->items[i] == nullptr) continue;
    text_string(&text, lines->items[i]);
    text_string(&text, "\n");
  }
  return text.bytes;
}

bool line_opens(const char *line) {
  return line[strlen(line) - 1] == '{' && strstr(line, " = ") == nullptr;
}
bool line_closes(const char *line) { return line[0] == '}'; }
bool line_is_instruction(const char *line) {
  return line != nullptr && line[0] == ' ' && strstr(line, " = ") != nullptr;
}
bool line_is_entry(const char *line) { return strncmp(line, "ENTRY ", 6) == 0; }
static const char *root_of(const char *line) { return strstr(line, "ROOT "); }

static uint32_t end_of(const Lines *lines, uint32_t opening) {
  uint32_t end = opening;
  while (end + 1 < lines->count && !line_closes(lines->items[end])) end++;
  return end;
}

/* What is refused is forgotten. */
bool lines_try(Reducer *reducer, const Lines *lines) {
  ArenaMark mark = arena_mark(reducer->arena);
  if (text_try(reducer, join(reducer->arena, lines))) return true;
  arena_rewind(reducer->arena, mark);
  return false;
}

Lines lines_copy(Reducer *reducer, const Lines *lines) {
  Lines copy = *lines;
  copy.items =
      arena_grow(reducer->arena, lines->items, lines->count, lines->count, sizeof *lines->items);
  return copy;
}

/* Signatures repeat the shapes of parameters and root; without them an edit is in one place. */
static void strip_signatures(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t i = 0; i < lines.count; i++) {
    const char *line = lines.items[i], *signature = strchr(line, '(');
    if (line_opens(line) && signature != nullptr && strncmp(line, "HloModule", 9) != 0)
      lines.items[i] = arena_printf(reducer->arena, "%.*s {",
          (int)(signature - line - (signature > line && signature[-1] == ' ')), line);
    if (strncmp(line, "HloModule", 9) == 0) lines.items[i] = "HloModule reduced";
  }
  lines_try(reducer, &lines);
}

static bool drop_computations(Reducer *reducer) {
  bool helped = false;
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t i = 0; i < lines.count; i++) {
    if (!line_opens(lines.items[i]) || line_is_entry(lines.items[i])) continue;
    Lines candidate = lines_copy(reducer, &lines);
    uint32_t end = end_of(&lines, i);
    for (uint32_t k = i; k <= end; k++) candidate.items[k] = nullptr;
    if (!lines_try(reducer, &candidate)) continue;
    helped = true;
    lines = lines_split(reducer->arena, reducer->text);
    i = 0;
  }
  return helped;
}

static bool move_entry(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  uint32_t entry = 0;
  while (entry < lines.count && !line_is_entry(lines.items[entry])) entry++;
  for (uint32_t i = 0; entry < lines.count && i < lines.count; i++) {
    if (!line_opens(lines.items[i]) || i == entry) continue;
    Lines candidate = lines_copy(reducer, &lines);
    uint32_t end = end_of(&lines, entry);
    for (uint32_t k = entry; k <= end; k++) candidate.items[k] = nullptr;
    candidate.items[i] = arena_printf(reducer->arena, "ENTRY %s", lines.items[i]);
    if (lines_try(reducer, &candidate)) return true;
  }
  return false;
}

static bool drop_instructions(Reducer *reducer) {
  bool helped = false;
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t i = lines.count; i > 0; i--) {
    const char *line = lines.items[i - 1];
    if (!line_is_instruction(line) || root_of(line) != nullptr) continue;
    lines.items[i - 1] = nullptr;
    if (lines_try(reducer, &lines)) helped = true;
    else lines.items[i - 1] = line;
  }
  return helped;
}

/* The root moves to an earlier instruction of its computation, and what stands behind it goes. */
static bool move_root(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  uint32_t root = 0;
  for (uint32_t i = 0, opening = 0; i < lines.count; i++) {
    if (line_opens(lines.items[i])) opening = i;
    const char *mark = root_of(lines.items[i]);
    if (mark == nullptr || !line_is_instruction(lines.items[i])) continue;
    root = i;
    for (uint32_t k = opening + 1; k < root; k++) {
      Lines candidate = lines_copy(reducer, &lines);
      for (uint32_t gone = k + 1; gone <= root; gone++) candidate.items[gone] = nullptr;
      candidate.items[k] =
          arena_printf(reducer->arena, "  ROOT %s", lines.items[k] + strspn(lines.items[k], " "));
      if (lines_try(reducer, &candidate)) return true;
    }
  }
  return false;
}

uint32_t lines_parameters_before(const Lines *lines, uint32_t at) {
  uint32_t count = 0;
  for (; at > 0 && !line_opens(lines->items[at]); at--)
    count += strstr(lines->items[at], " parameter(") != nullptr;
  for (; at < lines->count && !line_closes(lines->items[at]); at++) {}
  return count;
}

/* The opcode's '(': the first one behind the shape that follows a letter. */
const char *line_operation(const char *line) {
  const char *at = strstr(line, " = ");
  if (at == nullptr) return nullptr;
  for (at += 3; *at != 0; at++)
    if (*at == '(' && (islower((unsigned char)at[-1]) || isdigit((unsigned char)at[-1]))) break;
  if (*at == 0) return nullptr;
  while (at[-1] != ' ') at--;
  return at;
}

const char *line_name(Arena *arena, const char *line) {
  const char *start = line + strspn(line, " ");
  if (strncmp(start, "ENTRY ", 6) == 0) start += 6;
  if (strncmp(start, "ROOT ", 5) == 0) start += 5;
  start += *start == '%';
  return arena_text(arena, start, strcspn(start, " "));
}

const char *line_shape(Arena *arena, const char *line) {
  const char *start = strstr(line, " = ") + 3, *operation = line_operation(line);
  return arena_text(
      arena, start, operation == nullptr ? strlen(start) : (size_t)(operation - start - 1));
}

static bool replace_operation(Reducer *reducer, const Lines *lines, uint32_t at, const char *by) {
  const char *line = lines->items[at], *operation = line_operation(line);
  if (operation == nullptr || strncmp(operation, by, strcspn(by, "(")) == 0) return false;
  Lines candidate = lines_copy(reducer, lines);
  candidate.items[at] = arena_printf(reducer->arena, "%.*s%s", (int)(operation - line), line, by);
  return lines_try(reducer, &candidate);
}

static bool try_copies(Reducer *reducer, const Lines *lines, uint32_t at) {
  const char *operation = line_operation(lines->items[at]);
  const char *name = operation == nullptr ? nullptr : strchr(operation, '(') + 1;
  for (; name != nullptr && *name != 0 && *name != ')'; name += strspn(name, ", ")) {
    size_t length = strcspn(name, ",)");
    if (length == 0) return false;
    if (replace_operation(
            reducer, lines, at, arena_printf(reducer->arena, "copy(%.*s)", (int)length, name)))
      return true;
    name += length;
  }
  return false;
}

static bool simplify_operations(Reducer *reducer) {
  bool helped = false;
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t i = 0; i < lines.count; i++) {
    if (!line_is_instruction(lines.items[i])) continue;
    const char *parameter =
        arena_printf(reducer->arena, "parameter(%u)", lines_parameters_before(&lines, i));
    if (!replace_operation(reducer, &lines, i, parameter) && !try_copies(reducer, &lines, i))
      continue;
    helped = true;
    lines = lines_split(reducer->arena, reducer->text);
  }
  return helped;
}

bool reduce_hlo(Arena *arena, Reduction *reduction, const char *text, const char **smallest) {
  Reducer reducer = {.arena = arena, .reduction = reduction, .text = text};
  reduction->trials = 1;
  reduction->accepted = 0;
  *smallest = text;
  if (!reduction->still_shows(reduction->state, text, strlen(text))) return false;
  strip_signatures(&reducer);
  static Pass *const passes[] = {move_entry, drop_computations, move_root, pass_move_inner_root,
      pass_bypass, pass_cut, simplify_operations, drop_instructions, pass_drop_parameters,
      pass_number_everywhere, pass_number_in_place, pass_number_pairs};
  reducer_run(&reducer, passes, sizeof passes / sizeof *passes);
  *smallest = reducer.text;
  return true;
}
