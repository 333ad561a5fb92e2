/* Edits that take several lines at once: a name stands for another one everywhere; a called
 * computation and the instructions that call it change together. Callers are told by `calls=NAME`
 * or `to_apply=NAME` behind a fusion or a call; what does not fit does not read, and is refused. */
#include <string.h>

#include "reduce/reducer.h"

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

/* The line with %from written as %to. */
static const char *renamed(Arena *arena, const char *line, const char *from, const char *to) {
  size_t length = strlen(from);
  Text text = text_create(arena);
  while (*line != 0) {
    bool here =
        *line == '%' && strncmp(line + 1, from, length) == 0 && !is_name_byte(line[1 + length]);
    if (here) text_printf(&text, "%%%s", to);
    else text_append(&text, line, 1);
    line += here ? 1 + length : 1;
  }
  return text.bytes;
}

static uint32_t closing(const Lines *lines, uint32_t at) {
  while (at + 1 < lines->count && (lines->items[at] == nullptr || !line_closes(lines->items[at])))
    at++;
  return at;
}

static bool try_bypass(
    Reducer *reducer, const Lines *lines, uint32_t at, const char *operand, size_t length) {
  const char *name = line_name(reducer->arena, lines->items[at]),
             *to = arena_text(reducer->arena, operand, length);
  Lines candidate = lines_copy(reducer, lines);
  candidate.items[at] = nullptr;
  for (uint32_t i = at + 1, end = closing(lines, at); i < end; i++)
    if (candidate.items[i] != nullptr)
      candidate.items[i] = renamed(reducer->arena, candidate.items[i], name, to);
  return lines_try(reducer, &candidate);
}

bool pass_bypass(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t i = lines.count; i > 0; i--) {
    const char *operation =
        line_is_instruction(lines.items[i - 1]) ? line_operation(lines.items[i - 1]) : nullptr;
    const char *operand = operation == nullptr || strstr(lines.items[i - 1], "ROOT ") != nullptr
                              ? nullptr
                              : strchr(operation, '(');
    for (; operand != nullptr && (operand[0] == '(' || operand[0] == ',');) {
      operand += strspn(operand, "(, ");
      if (*operand != '%') break;
      size_t length = strcspn(++operand, ",) ");
      if (try_bypass(reducer, &lines, i - 1, operand, length)) return true;
      operand += length;
    }
  }
  return false;
}

static bool calls(const char *line, const char *computation) {
  const char *operation = line_is_instruction(line) ? line_operation(line) : nullptr;
  if (operation == nullptr ||
      (strncmp(operation, "fusion(", 7) != 0 && strncmp(operation, "call(", 5) != 0))
    return false;
  size_t length = strlen(computation);
  for (const char *at = strchr(operation, '='); at != nullptr; at = strchr(at + 1, '=')) {
    const char *name = at + 1 + (at[1] == '%');
    if (strncmp(name, computation, length) == 0 && !is_name_byte(name[length])) return true;
  }
  return false;
}

static const char *with_shape(Arena *arena, const char *line, const char *shape) {
  const char *equals = strstr(line, " = "), *operation = line_operation(line);
  return arena_printf(arena, "%.*s%s %s", (int)(equals + 3 - line), line, shape, operation);
}

static bool try_inner_root(
    Reducer *reducer, const Lines *lines, uint32_t opening, uint32_t at, uint32_t end) {
  const char *computation = line_name(reducer->arena, lines->items[opening]),
             *shape = line_shape(reducer->arena, lines->items[at]);
  Lines candidate = lines_copy(reducer, lines);
  for (uint32_t i = at + 1; i < end; i++) candidate.items[i] = nullptr;
  candidate.items[at] =
      arena_printf(reducer->arena, "  ROOT %s", lines->items[at] + strspn(lines->items[at], " "));
  for (uint32_t i = end; i < lines->count; i++)
    if (calls(lines->items[i], computation))
      candidate.items[i] = with_shape(reducer->arena, lines->items[i], shape);
  return lines_try(reducer, &candidate);
}

bool pass_move_inner_root(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t opening = 0; opening < lines.count; opening++) {
    if (!line_opens(lines.items[opening]) || line_is_entry(lines.items[opening])) continue;
    uint32_t end = closing(&lines, opening);
    for (uint32_t i = opening + 1; i + 1 < end; i++)
      if (line_is_instruction(lines.items[i]) && try_inner_root(reducer, &lines, opening, i, end))
        return true;
  }
  return false;
}

static const char *with_operand(Arena *arena, const char *line, const char *operand) {
  const char *open = strchr(line_operation(line), '('), *close = strchr(open, ')');
  return arena_printf(arena, "%.*s%s%s%s", (int)(close - line), line, close == open + 1 ? "" : ", ",
      operand, close);
}

/* Instruction `at` becomes the last parameter of its computation; each caller passes a new
 * parameter of its own. */
static bool try_cut(
    Reducer *reducer, const Lines *lines, uint32_t opening, uint32_t at, uint32_t end) {
  Arena *arena = reducer->arena;
  const char *computation = line_name(arena, lines->items[opening]),
             *shape = line_shape(arena, lines->items[at]);
  const char *line = lines->items[at];
  Lines candidate = lines_copy(reducer, lines);
  candidate.items[at] = arena_printf(arena, "%.*sparameter(%u)", (int)(line_operation(line) - line),
      line, lines_parameters_before(lines, end));
  for (uint32_t i = end, outer = 0; i < lines->count; i++) {
    if (line_opens(lines->items[i])) outer = i;
    if (!calls(lines->items[i], computation)) continue;
    uint32_t last = closing(lines, outer);
    const char *name = arena_printf(arena, "cut%u_%u", at, reducer->reduction->accepted);
    candidate.items[i] = with_operand(arena, candidate.items[i], arena_printf(arena, "%%%s", name));
    candidate.items[outer] = arena_printf(arena, "%s\n  %%%s = %s parameter(%u)",
        candidate.items[outer], name, shape, lines_parameters_before(lines, last));
  }
  return lines_try(reducer, &candidate);
}

bool pass_cut(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t opening = 0; opening < lines.count; opening++) {
    if (!line_opens(lines.items[opening]) || line_is_entry(lines.items[opening])) continue;
    uint32_t end = closing(&lines, opening);
    for (uint32_t i = end; i > opening + 1; i--) {
      const char *operation =
          line_is_instruction(lines.items[i - 1]) ? line_operation(lines.items[i - 1]) : nullptr;
      if (operation == nullptr || strncmp(operation, "parameter(", 10) == 0 ||
          strstr(lines.items[i - 1], "ROOT ") != nullptr)
        continue;
      if (try_cut(reducer, &lines, opening, i - 1, end)) return true;
    }
  }
  return false;
}

static uint32_t parameter_number(const char *line) {
  const char *mark = line == nullptr ? nullptr : strstr(line, " parameter(");
  uint32_t number = 0;
  if (mark == nullptr) return UINT32_MAX;
  for (mark += strlen(" parameter("); *mark >= '0' && *mark <= '9' && number < 100000; mark++)
    number = 10 * number + (uint32_t)(*mark - '0');
  return number;
}

static const char *without_operand(Arena *arena, const char *line, uint32_t number) {
  const char *open = strchr(line_operation(line), '('), *at = open + 1;
  for (; number > 0 && *at != 0 && *at != ')'; number--)
    at += strcspn(at, ",)") + (at[strcspn(at, ",)")] == ',');
  const char *end = at + strcspn(at, ",)");
  if (*end == ',') end += 1 + (end[1] == ' ');
  else
    while (at > open + 1 && (at[-1] == ',' || at[-1] == ' ')) at--;
  return arena_printf(arena, "%.*s%s", (int)(at - line), line, end);
}

static bool try_drop_parameter(
    Reducer *reducer, const Lines *lines, uint32_t opening, uint32_t at, uint32_t end) {
  Arena *arena = reducer->arena;
  uint32_t gone = parameter_number(lines->items[at]);
  const char *computation = line_name(arena, lines->items[opening]);
  Lines candidate = lines_copy(reducer, lines);
  candidate.items[at] = nullptr;
  for (uint32_t i = opening + 1; i < end; i++) {
    uint32_t number = parameter_number(candidate.items[i]);
    if (number == UINT32_MAX || number < gone) continue;
    const char *mark = strstr(candidate.items[i], " parameter(");
    candidate.items[i] = arena_printf(arena, "%.*s parameter(%u)", (int)(mark - candidate.items[i]),
        candidate.items[i], number - 1);
  }
  for (uint32_t i = end; i < lines->count && !line_is_entry(lines->items[opening]); i++)
    if (calls(lines->items[i], computation))
      candidate.items[i] = without_operand(arena, candidate.items[i], gone);
  return lines_try(reducer, &candidate);
}

bool pass_drop_parameters(Reducer *reducer) {
  Lines lines = lines_split(reducer->arena, reducer->text);
  for (uint32_t opening = 0; opening < lines.count; opening++) {
    if (!line_opens(lines.items[opening])) continue;
    uint32_t end = closing(&lines, opening);
    for (uint32_t i = opening + 1; i < end; i++)
      if (parameter_number(lines.items[i]) != UINT32_MAX &&
          try_drop_parameter(reducer, &lines, opening, i, end))
        return true;
  }
  return false;
}
