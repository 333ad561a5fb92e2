/* Both runs are sorted by key and merged. */
#include "cli/report/run_page.h"

#include <stdlib.h>
#include <string.h>

/* The grids of the tensors, or of the first map that can be parsed. */
static const char *grids_of(Arena *arena, MapContext *context, const RunRow *row) {
  MapMark mark = map_context_mark(context);
  const char *grids = "";
  if (row->sizes[0] != nullptr && row->sizes[1] != nullptr)
    return arena_printf(arena, " data-from=\"%s\" data-to=\"%s\"", row->sizes[0], row->sizes[1]);
  for (uint32_t i = 0; i < row->map_count && grids[0] == 0; i++) {
    const Source source = {
        .name = "map", .text = row->maps[i], .length = strlen(row->maps[i]), .first_line = 1};
    const Map *map;
    Error error = {};
    if (map_parse(context, &source, &map, &error)) grids = html_grids(arena, context, map);
  }
  map_context_rewind(context, mark);
  return grids;
}

static void print_begin(Text *text, MapContext *context, const RunRow *row, uint32_t number,
    const char *verdict, Status status) {
  html_row_begin(text, status, number, verdict, row->kind, row->direction, row->file);
  const char *grids = grids_of(text->arena, context, row);
  text_string(text, grids);
  if (grids[0] != 0) {
    html_attribute(text, "from-name", row->from_name);
    html_attribute(text, "to-name", row->to_name);
    if (row->witness[0] != 0) html_attribute(text, "witness", row->witness);
  }
  html_between(text, "><summary><b>", verdict, "</b> ");
  html_escape(text, row->heading);
  html_between(text, " <span class=\"dim\">", row->kind, row->file[0] != 0 ? ", " : "");
  html_between(text, "", row->file, "</span></summary>\n");
}

static void print_sides(Text *text, const char *name, const char *const sides[2]) {
  if (sides[0] == nullptr || sides[1] == nullptr) return;
  text_printf(text, "<tr><th scope=\"row\">%s</th>", name);
  html_between(text, "<td><code>", sides[0], "</code></td>");
  html_between(text, "<td><code>", sides[1], "</code></td></tr>\n");
}

/* Prints what both graphs compute at the witness, side by side. */
static void print_graphs(Text *text, const RunRow *row) {
  if (row->terms[0] == nullptr && row->values[0] == nullptr) return;
  text_string(text,
      "<table class=\"sides\"><tr><td></td><th scope=\"col\">before</th><th scope=\"col\">after</th></tr>\n");
  print_sides(text, "value", row->values);
  print_sides(text, "term", row->terms);
  text_string(text, "</table>\n");
}

static void print_facts(Text *text, const RunRow *row, const char *class) {
  for (uint32_t i = 0; i < row->map_count; i++) {
    text_printf(text, "<p><code class=\"%s\">", class);
    html_escape(text, row->maps[i]);
    text_string(text, "</code></p>\n");
  }
  print_graphs(text, row);
  for (uint32_t i = 0; i < row->note_count; i++) html_between(text, "<p>", row->notes[i], "</p>\n");
  if (row->replay != nullptr) html_replay(text, row->replay);
}

void run_page_print(Text *text, MapContext *context, const RunRow *row, uint32_t number) {
  print_begin(text, context, row, number, row->verdict, row->status);
  print_facts(text, row, "map");
  text_string(text, "</details>\n");
}

static int by_key(const void *left, const void *right) {
  const RunRow *a = *(const RunRow *const *)left, *b = *(const RunRow *const *)right;
  int order = strcmp(a->key, b->key);
  return order != 0 ? order : a < b ? -1 : a > b;
}

static const RunRow **sorted(Arena *arena, const ReportRun *run) {
  const RunRow **rows = ARENA_NEW(arena, const RunRow *, (size_t)run->count + 1);
  for (uint32_t i = 0; i < run->count; i++) rows[i] = &run->items[i];
  qsort(rows, run->count, sizeof *rows, by_key);
  return rows;
}

static bool same_texts(uint32_t count, const char *const *a, const char *const *b) {
  for (uint32_t i = 0; i < count; i++)
    if ((a[i] == nullptr) != (b[i] == nullptr) || (a[i] != nullptr && strcmp(a[i], b[i]) != 0))
      return false;
  return true;
}

/* Whether both rows have one verdict for one reason: notes may state times. */
static bool is_same_finding(const RunRow *a, const RunRow *b) {
  return strcmp(a->verdict, b->verdict) == 0 && strcmp(a->witness, b->witness) == 0 &&
         a->map_count == b->map_count &&
         same_texts(a->map_count, (const char *const *)a->maps, (const char *const *)b->maps) &&
         same_texts(2, a->values, b->values) && same_texts(2, a->terms, b->terms);
}

static RunChange change_of(const RunRow *before, const RunRow *after) {
  RunChange change = {.before = before, .after = after, .verdict = "changed"};
  if (after == nullptr) {
    change.verdict = "gone";
    change.status = STATUS_UNDECIDED;
    return change;
  }
  change.status = after->status;
  if (before == nullptr) change.verdict = "new";
  else if (before->status == STATUS_PROVED && after->status != STATUS_PROVED)
    change.verdict = "newly failing";
  else if (before->status != STATUS_PROVED && after->status == STATUS_PROVED)
    change.verdict = "mended";
  else if (is_same_finding(before, after))
    change.verdict = after->status == STATUS_PROVED ? "same" : "still failing";
  return change;
}

void run_compare(
    Arena *arena, const ReportRun *before, const ReportRun *after, RunChanges *changes) {
  const RunRow **a = sorted(arena, before), **b = sorted(arena, after);
  for (uint32_t i = 0, k = 0; i < before->count || k < after->count;) {
    int order = i == before->count ? 1 : k == after->count ? -1 : strcmp(a[i]->key, b[k]->key);
    *ARENA_PUSH(arena, changes) =
        change_of(order <= 0 ? a[i] : nullptr, order >= 0 ? b[k] : nullptr);
    i += order <= 0;
    k += order >= 0;
  }
}

static void print_side(Text *text, const char *name, const RunRow *row, const char *class) {
  if (row == nullptr) return;
  text_printf(text, "<h3>%s: ", name);
  html_between(text, "", row->verdict, "</h3>\n");
  print_facts(text, row, class);
}

/* The picture is that of the newer run. */
void run_page_print_change(
    Text *text, MapContext *context, const RunChange *change, uint32_t number) {
  const RunRow *row = change->after != nullptr ? change->after : change->before;
  print_begin(text, context, row, number, change->verdict, change->status);
  print_side(text, "before", change->before, row == change->before ? "map" : "old");
  print_side(text, "after", change->after, "map");
  text_string(text, "</details>\n");
}
