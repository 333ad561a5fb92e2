/* The streams, the inputs of their rows, and digests. */
#include "exhaust/snapshot/snapshot.h"

#include <assert.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/map/text.h"
#include "core/base/file.h"
#include "generate/decode.h"
#include "generate/decode_map.h"
#include "generate/edit_text.h"
#include "generate/from_rules.h"
#include "generate/general_map.h"
#include "judge/cases/case_give.h"

static constexpr uint32_t scope_rows = 40;    /* cases of each scope, evenly spaced */
static constexpr uint32_t file_rows = 16;     /* of each input of a file: itself, and edits */
static constexpr uint32_t judged_seconds = 2; /* of one question, where answers are judged */
static constexpr size_t most_file = 1 << 20;
static constexpr size_t most_bytes = 256;

typedef enum StreamId : uint8_t {
#define STREAM(id, name, rows, kind, help) STREAM_##id,
#include "exhaust/snapshot/streams.def"
#undef STREAM
} StreamId;

static const SnapshotStream fixed[] = {
#define STREAM(id, word, number, input, words) \
  {.name = (word), .help = (words), .rows = (number), .kind = (input)},
#include "exhaust/snapshot/streams.def"
#undef STREAM
};
static constexpr uint32_t fixed_count = sizeof fixed / sizeof *fixed;

/* True if the engine answers the scope's cases; sets what they are. */
static bool is_answered(ScopeKind scope, SnapshotKind *kind) {
  switch (scope) {
    case SCOPE_CHAIN:
    case SCOPE_MIXED:
    case SCOPE_EMPTY:
    case SCOPE_WRAPPED: *kind = SNAPSHOT_MODULE; return true;
    case SCOPE_MAPS:
    case SCOPE_OPERATORS:
    case SCOPE_ALGEBRA: *kind = SNAPSHOT_MAP; return true;
    case SCOPE_COMPOSITIONS: *kind = SNAPSHOT_PAIR; return true;
    case SCOPE_RULES: *kind = SNAPSHOT_RULE; return true;
    case SCOPE_PAIRS:
    case SCOPE_GRAPHS: return false;
  }
  return false;
}

static void add_streams(Snapshot *snapshot) {
  for (uint32_t i = 0; i < fixed_count; i++)
    *ARENA_PUSH(snapshot->arena, &snapshot->streams) = fixed[i];
  for (uint32_t i = 0; i < scope_count; i++) {
    SnapshotStream stream = {.name = arena_printf(snapshot->arena, "scope/%s", scopes[i].name),
        .help = "cases of the scope",
        .rows = scope_rows,
        .scope = &scopes[i]};
    if (scopes[i].sizes[TIER_GATE].rank > 0 && is_answered(scopes[i].kind, &stream.kind))
      *ARENA_PUSH(snapshot->arena, &snapshot->streams) = stream;
  }
}

Snapshot *snapshot_create(bool judges, Error *error) {
  Arena *arena = arena_create();
  Snapshot *snapshot = ARENA_NEW(arena, Snapshot, 1);
  snapshot->arena = arena;
  snapshot->judge = judge_create(
      &(JudgeOptions){
          .without_smt = !judges, .smt.seconds = judged_seconds, .effort = EFFORT_FIRST},
      error);
  if (snapshot->judge != nullptr)
    snapshot->raw = indexer_create(snapshot->judge->context, nullptr, error);
  if (snapshot->raw == nullptr || !rules_engine(arena, &snapshot->rules, error)) {
    snapshot_destroy(snapshot);
    return nullptr;
  }
  add_streams(snapshot);
  snapshot->maps = map_context_mark(snapshot->judge->context);
  snapshot->mark = arena_mark(arena);
  return snapshot;
}

void snapshot_destroy(Snapshot *snapshot) {
  for (uint32_t i = 0; i < snapshot->streams.count; i++)
    if (snapshot->streams.items[i].plan != nullptr)
      scope_plan_destroy(snapshot->streams.items[i].plan);
  if (snapshot->raw != nullptr) indexer_destroy(snapshot->raw);
  if (snapshot->judge != nullptr) judge_destroy(snapshot->judge);
  arena_destroy(snapshot->arena);
}

void snapshot_next(Snapshot *snapshot) {
  indexer_reset(snapshot->judge->indexer);
  indexer_reset(snapshot->raw);
  map_context_rewind(snapshot->judge->context, snapshot->maps);
  arena_rewind(snapshot->arena, snapshot->mark);
}

SnapshotStream *snapshot_stream(Snapshot *snapshot, const char *name) {
  for (uint32_t i = 0; i < snapshot->streams.count; i++)
    if (strcmp(snapshot->streams.items[i].name, name) == 0) return &snapshot->streams.items[i];
  return nullptr;
}

static const char *map_line(Snapshot *snapshot, const Map *map, const Map *second) {
  Text text = text_create(snapshot->arena);
  map_print(&text, snapshot->judge->context, map, MAP_STYLE_LINE);
  if (second != nullptr) {
    text_string(&text, " ; ");
    map_print(&text, snapshot->judge->context, second, MAP_STYLE_LINE);
  }
  return text.bytes;
}

static const char *scope_case(
    Snapshot *snapshot, SnapshotStream *stream, uint64_t row, uint64_t rows) {
  Text text = text_create(snapshot->arena);
  if (stream->plan == nullptr) stream->plan = scope_plan_create(stream->scope, TIER_GATE);
  uint64_t count = stream->plan->count;
  if (count > 0)
    scope_write_case(
        stream->plan, (count <= rows ? row : count / rows * row + row % 7) % count, &text);
  return text.bytes;
}

/* A case of a scope of modules. Every scope takes its turn; streams of files are not counted, so
 * that the corpus has no part in it. */
static const char *some_module(Snapshot *snapshot, uint32_t row, Choices *choices) {
  for (uint32_t i = 0; i < scope_count; i++) {
    const Scope *scope = &scopes[(row + i) % scope_count];
    SnapshotStream *stream =
        snapshot_stream(snapshot, arena_printf(snapshot->arena, "scope/%s", scope->name));
    if (stream != nullptr && stream->kind == SNAPSHOT_MODULE)
      return scope_case(snapshot, stream, choose(choices, 1024), 1024);
  }
  return "";
}

static const char *some_rule(Snapshot *snapshot, uint32_t row) {
  Text text = text_create(snapshot->arena);
  rule_print(&text, &snapshot->rules.items[row % snapshot->rules.count]);
  return text.bytes;
}

static const char *fixed_input(Snapshot *snapshot, StreamId id, uint32_t row) {
  MapContext *context = snapshot->judge->context;
  RandomChoices random = choices_of_seed(UINT64_C(1000003) * id + row);
  Choices *choices = &random.choices;
  uint8_t bytes[most_bytes];
  size_t size = 16 + (size_t)choose(choices, most_bytes - 16), length;
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)choose(choices, 256);
  switch (id) {
    case STREAM_MAPS:
    case STREAM_EDITED_MAPS: {
      const Map *map = row % 2 == 0 ? fuzz_decode_map(context, bytes, size)
                                    : generate_general_map(context, choices);
      const char *text = map_line(snapshot, map, nullptr);
      return id == STREAM_MAPS ? text : edit_text(snapshot->arena, text, choices);
    }
    case STREAM_NEAR_RULES:
      return map_line(
          snapshot, fuzz_map_from_rules(context, &snapshot->rules, bytes, size), nullptr);
    case STREAM_PAIRS: {
      FuzzPair pair = fuzz_decode_pair(context, bytes, size);
      return map_line(snapshot, pair.first, pair.second);
    }
    case STREAM_MODULES: return fuzz_decode_graph(snapshot->arena, bytes, size / 2, &length);
    case STREAM_EDITED_MODULES:
      return edit_text(snapshot->arena, some_module(snapshot, row, choices), choices);
    case STREAM_EDITED_RULES: return edit_text(snapshot->arena, some_rule(snapshot, row), choices);
  }
  return "";
}

/* The input of a verb without a block is a map or two, after words such as `bijective 4,8`. */
static void add_case(Snapshot *snapshot, const Case *one, SnapshotInputs *inputs) {
  SnapshotInput input = {.kind = SNAPSHOT_RULE};
  if (one->block.text != nullptr) {
    const bool is_rules = one->verb == VERB_PROVE || one->verb == VERB_READ_RULES;
    const Source *block = is_rules ? &one->block : case_entry_source(snapshot->arena, &one->block);
    if (!is_rules) input.kind = SNAPSHOT_MODULE;
    input.text = arena_text(snapshot->arena, block->text, block->length);
  } else {
    const char *text = arena_text(snapshot->arena, one->input.text, one->input.length),
               *map = strchr(text, '(');
    input.text = map == nullptr ? text : map;
    input.kind = strstr(text, " ; ") == nullptr ? SNAPSHOT_MAP : SNAPSHOT_PAIR;
  }
  *ARENA_PUSH(snapshot->arena, inputs) = input;
}

bool snapshot_add_file(Snapshot *snapshot, const char *path, const char *name, Error *error) {
  SnapshotStream stream = {.name = name, .help = "inputs of the file, and edits of each"};
  Source source;
  CaseFile cases = {};
  if (!file_read(snapshot->arena, path, most_file, &source, error)) return false;
  if (string_ends_with(path, ".case")) {
    if (!cases_parse(snapshot->arena, &source, &cases, error)) return false;
    for (uint32_t i = 0; i < cases.count; i++) add_case(snapshot, &cases.items[i], &stream.texts);
  } else {
    *ARENA_PUSH(snapshot->arena, &stream.texts) =
        (SnapshotInput){.kind = SNAPSHOT_MODULE, .text = source.text};
  }
  stream.rows = file_rows * stream.texts.count;
  *ARENA_PUSH(snapshot->arena, &snapshot->streams) = stream;
  snapshot->mark = arena_mark(snapshot->arena);
  return true;
}

static SnapshotInput file_input(Snapshot *snapshot, const SnapshotStream *stream, uint32_t row) {
  SnapshotInput input = stream->texts.items[row / file_rows];
  RandomChoices random = choices_of_seed(row);
  if (row % file_rows == 0) return input;
  input.unedited = input.text;
  input.text = edit_text(snapshot->arena, input.text, &random.choices);
  return input;
}

SnapshotInput snapshot_input(Snapshot *snapshot, SnapshotStream *stream, uint32_t row) {
  assert(row < stream->rows);
  if (stream->texts.count > 0) return file_input(snapshot, stream, row);
  ptrdiff_t number = stream - snapshot->streams.items;
  return (SnapshotInput){.kind = stream->kind,
      .text = stream->scope != nullptr ? scope_case(snapshot, stream, row, stream->rows)
                                       : fixed_input(snapshot, (StreamId)number, row)};
}

/* As rules of the engine, and as statements, which may say more. */
static void answer_rule(Snapshot *snapshot, const Source *source, Text *text) {
  RuleSet rules = {}, statements = {};
  RuleFaults faults = {};
  Error error = {};
  if (!rules_parse(snapshot->arena, source, &rules, &error)) snapshot_print_error(&error, text);
  for (uint32_t i = 0; i < rules.count; i++) rule_print(text, &rules.items[i]);
  rules_parse_statements(snapshot->arena, source, &statements, &faults);
  for (uint32_t i = 0; i < statements.count; i++) rule_print(text, &statements.items[i]);
  for (uint32_t i = 0; i < faults.count; i++) snapshot_print_error(&faults.items[i], text);
}

const char *snapshot_answers(Snapshot *snapshot, const SnapshotInput *input) {
  Text text = text_create(snapshot->arena);
  Source source = {
      .name = "input", .text = input->text, .length = strlen(input->text), .first_line = 1};
  switch (input->kind) {
    case SNAPSHOT_MAP: snapshot_answer_map(snapshot, &source, &text); break;
    case SNAPSHOT_PAIR: snapshot_answer_pair(snapshot, &source, &text); break;
    case SNAPSHOT_MODULE: snapshot_answer_module(snapshot, &source, input->unedited, &text); break;
    case SNAPSHOT_RULE: answer_rule(snapshot, &source, &text); break;
  }
  return text.bytes;
}

uint16_t snapshot_digest(const char *answers) {
  uint64_t hash = checksum_bytes(checksum_start, answers, strlen(answers));
  return (uint16_t)(hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48);
}
