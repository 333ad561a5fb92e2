/* Describes what a scope enumerates: its operations, with its ranges substituted for placeholders
 * such as `{edge}` in the operations' texts. The text is generated from the same tables as the
 * cases, so that it cannot become outdated. */
#include <assert.h>
#include <string.h>

#include "exhaust/scopes/scope.h"

typedef struct ScopeWordsPosition {
  const char *name;
  void (*write)(Text *text, const OperationLimits *ranges);
} ScopeWordsPosition;

static void write_range(Text *text, int64_t from, int64_t to) {
  text_printf(text, "%lld to %lld", (long long)from, (long long)to);
}

static void write_edge(Text *text, const OperationLimits *ranges) {
  write_range(text, -ranges->edge, ranges->edge);
}
static void write_interior(Text *text, const OperationLimits *ranges) {
  write_range(text, 0, ranges->interior);
}
static void write_window(Text *text, const OperationLimits *ranges) {
  write_range(text, 1, ranges->window);
}
static void write_stride(Text *text, const OperationLimits *ranges) {
  write_range(text, 1, ranges->stride);
}
static void write_padding(Text *text, const OperationLimits *ranges) {
  write_range(text, ranges->window_low, ranges->window_high);
}
static void write_dilation(Text *text, const OperationLimits *ranges) {
  write_range(text, 1, ranges->dilation);
}
static void write_added(Text *text, const OperationLimits *ranges) {
  text_integer(text, ranges->added);
}
static void write_offsets(Text *text, const OperationLimits *ranges) {
  text_string(text, ranges->all_offsets ? "from -1 to the size" : "of -1, 0 and the size");
}
static void write_labels(Text *text, const OperationLimits *ranges) {
  text_string(text, ranges->all_labels ? "all three arrays" : "the input");
}
static void write_layouts(Text *text, const OperationLimits *ranges) {
  text_string(text, ranges->all_layouts ? "all layouts of the operand" : "the operand as it comes");
}

static const ScopeWordsPosition positions[] = {{"edge", write_edge}, {"interior", write_interior},
    {"window", write_window}, {"stride", write_stride}, {"padding", write_padding},
    {"dilation", write_dilation}, {"added", write_added}, {"offsets", write_offsets},
    {"labels", write_labels}, {"layouts", write_layouts}};

static const ScopeWordsPosition *scope_words_position_of(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
    if (strlen(positions[i].name) == length && memcmp(positions[i].name, name, length) == 0)
      return &positions[i];
  assert(false && "a place of no name");
  return &positions[0];
}

static void write_filled(Text *text, const char *words, const OperationLimits *ranges) {
  for (const char *open; (open = strchr(words, '{')) != nullptr;) {
    const char *close = strchr(open, '}');
    assert(close != nullptr);
    text_append(text, words, (size_t)(open - words));
    scope_words_position_of(open + 1, (size_t)(close - open) - 1)->write(text, ranges);
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
    case SCOPE_COMPOSITIONS: map_generators[scope->what].words(text); return;
    case SCOPE_ALGEBRA: scope_write_algebra_words(text); return;
    case SCOPE_PAIRS: scope_write_pair_words(text); return;
    case SCOPE_GRAPHS: scope_write_graphs_words(text); return;
    case SCOPE_RULES: scope_write_rule_words(text); return;
  }
}
