/* Describes what a scope enumerates: its operations, with its ranges substituted for placeholders
 * such as `{edge}` in the operations' texts. The text is generated from the same tables as the
 * cases, so that it cannot become outdated. */
#include <assert.h>
#include <string.h>

#include "exhaust/scopes/scope.h"

static bool is_word(const char *name, size_t length, const char *word) {
  return strlen(word) == length && memcmp(word, name, length) == 0;
}

static void write_position(
    Text *text, const char *name, size_t length, const OperationLimits *ranges) {
  const struct {
    const char *name;
    int64_t from, to;
  } numbers[] = {{"edge", -ranges->edge, ranges->edge}, {"interior", 0, ranges->interior},
      {"window", 1, ranges->window}, {"stride", 1, ranges->stride},
      {"padding", ranges->window_low, ranges->window_high}, {"dilation", 1, ranges->dilation}};
  const struct {
    const char *name, *words;
  } choices[] = {{"offsets", ranges->all_offsets ? "from -1 to the size" : "of -1, 0 and the size"},
      {"labels", ranges->all_labels ? "all three arrays" : "the input"},
      {"layouts", ranges->all_layouts ? "all layouts of the operand" : "the operand as it comes"}};
  [[maybe_unused]] const size_t before = text->length;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (is_word(name, length, numbers[i].name))
      text_printf(text, "%lld to %lld", (long long)numbers[i].from, (long long)numbers[i].to);
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (is_word(name, length, choices[i].name)) text_string(text, choices[i].words);
  if (is_word(name, length, "added")) text_integer(text, ranges->added);
  assert(text->length > before && "a place of no name");
}

static void write_filled(Text *text, const char *words, const OperationLimits *ranges) {
  for (const char *open; (open = strchr(words, '{')) != nullptr;) {
    const char *close = strchr(open, '}');
    assert(close != nullptr);
    text_append(text, words, (size_t)(open - words));
    write_position(text, open + 1, (size_t)(close - open) - 1, ranges);
    words = close + 1;
  }
  text_string(text, words);
}

static void write_operations(Text *text, const Scope *scope) {
  bool is_first = true;
  text_printf(
      text, "%u of these%s:", scope->length, scope->length > 1 ? ", one after another" : "");
  for (uint32_t i = 0; i < generated_count; i++) {
    if (!scope_takes(scope, i)) continue;
    text_printf(text, "%s\n    %s: ", is_first ? "" : ";", scope_operations[i].name);
    write_filled(text, scope_operations[i].ranges, scope->ranges);
    is_first = false;
  }
}

void scope_write_left_out(const Scope *scope, Text *text) {
  const bool has_choice =
      scope_is_of_modules(scope->kind) && !(scope->kind == SCOPE_CHAIN && scope->length == 1);
  bool is_first = true;
  text_string(text, scope->without);
  for (uint32_t i = 0; has_choice && i < generated_count; i++) {
    if (scope_takes(scope, i)) continue;
    if (is_first) text_printf(text, "%sthese operations:", scope->without[0] == 0 ? "" : "; ");
    text_printf(text, "%s %s", is_first ? "" : ",", scope_operations[i].name);
    is_first = false;
  }
}

void scope_write_words(const Scope *scope, Text *text) {
  switch (scope->kind) {
    case SCOPE_CHAIN:
      if (scope->length > 1) write_operations(text, scope);
      else write_filled(text, scope_operations[scope->what].ranges, scope->ranges);
      return;
    case SCOPE_MIXED:
    case SCOPE_EMPTY: write_operations(text, scope); return;
    case SCOPE_WRAPPED:
      text_string(text,
          "in a fusion, a nested fusion, a call, a fusion of two outputs, a fusion that uses the value twice, ");
      write_operations(text, scope);
      return;
    case SCOPE_MAPS:
    case SCOPE_OPERATORS:
    case SCOPE_COMPOSITIONS:
    case SCOPE_ALGEBRA:
    case SCOPE_PAIRS: map_generator_words((MapGeneratorId)scope->what, text); return;
    case SCOPE_GRAPHS: scope_write_graphs_words(text); return;
    case SCOPE_RULES: scope_write_rule_words(text); return;
  }
}
