/* Snapshot: everything that the engine answers to generated questions, one digest for each
 * question. A row of a stream is one input (a map, a pair of maps, a module, a rule), and its
 * answers are one text: what the input reads as or why it is rejected, its maps before and after
 * simplifying, the steps, the algebra, the analysis. Streams are random inputs, cases of the
 * scopes, and the files of a corpus, each input as it is and with edits of its text. Rows are
 * compared with recorded digests, so that no answer changes unseen. A digest says nothing about
 * whether an answer is right: answers are judged before they are recorded (snapshot_judge.h).
 * Keeps: the input and the answers of a row depend on its stream and number alone. */
#ifndef EXHAUST_SNAPSHOT_SNAPSHOT_H
#define EXHAUST_SNAPSHOT_SNAPSHOT_H

#include "exhaust/scopes/scope.h"
#include "judge/algebra/algebra.h"

typedef enum SnapshotKind : uint8_t {
  SNAPSHOT_MAP,
  SNAPSHOT_PAIR,
  SNAPSHOT_MODULE,
  SNAPSHOT_RULE
} SnapshotKind;

typedef struct SnapshotInput {
  SnapshotKind kind;
  const char *text;
  const char *unedited; /* nullptr: the text has no edit */
} SnapshotInput;

typedef struct SnapshotInputs {
  uint32_t count, capacity;
  SnapshotInput *items;
} SnapshotInputs;

typedef struct SnapshotStream {
  const char *name, *help;
  uint32_t rows;
  SnapshotKind kind;    /* of all rows, unless the stream is a file */
  const Scope *scope;   /* nullptr: no scope's cases */
  ScopePlan *plan;      /* of the scope; nullptr until a row is asked for */
  SnapshotInputs texts; /* of a file; none: no file */
} SnapshotStream;

typedef struct SnapshotStreams {
  uint32_t count, capacity;
  SnapshotStream *items;
} SnapshotStreams;

typedef struct Snapshot {
  Arena *arena; /* of the streams; a row's texts are in it until snapshot_next */
  Judge *judge;
  Indexer *raw; /* without a simplifier */
  RuleSet rules;
  SnapshotStreams streams;
  ArenaMark mark;
  MapMark maps;
  bool breaks_lines; /* for a reader: each answer on lines of its own. Digests are without it. */
} Snapshot;

/* GIVE: the caller destroys it. `judges`: also judges answers, which takes a solver. */
[[nodiscard]] Snapshot *snapshot_create(bool judges, Error *error);
void snapshot_destroy(Snapshot *snapshot);
/* Adds a stream for a .case or .hlo file of the corpus: each input of it, and edits of each. `name`
 * is kept. False if the file cannot be read or parsed. */
[[nodiscard]] bool snapshot_add_file(
    Snapshot *snapshot, const char *path, const char *name, Error *error);
/* Frees what the last row left. */
void snapshot_next(Snapshot *snapshot);

[[nodiscard]] SnapshotStream *snapshot_stream(Snapshot *snapshot, const char *name);
/* The input of a row, which is below stream->rows. */
[[nodiscard]] SnapshotInput snapshot_input(
    Snapshot *snapshot, SnapshotStream *stream, uint32_t row);
/* Everything that the engine answers to it. */
[[nodiscard]] const char *snapshot_answers(Snapshot *snapshot, const SnapshotInput *input);
/* FNV-1a of the answers, folded to 16 bits. */
[[nodiscard]] uint16_t snapshot_digest(const char *answers);

/* True if the boxes of the maps have at most that many points together. */
static constexpr int64_t snapshot_most_points = 4096; /* that are visited for one answer */
[[nodiscard]] bool snapshot_has_few_points(
    uint32_t count, const Map *const *maps, int64_t most_points);

/* Sets the numbers of a query whose operation and map are set: for sub-map all results from the
 * last one on, for bijective a box of sizes 4. False if the map has no such query. */
static constexpr uint32_t snapshot_most_results = 16;
[[nodiscard]] bool snapshot_query(AlgebraQuery *query, int64_t numbers[snapshot_most_results]);

/* Internal: the answers by kind. */
void snapshot_answer_map(Snapshot *snapshot, const Source *source, Text *text);
void snapshot_answer_pair(Snapshot *snapshot, const Source *source, Text *text);
void snapshot_answer_module(
    Snapshot *snapshot, const Source *source, const char *unedited, Text *text);
void snapshot_print_map(Snapshot *snapshot, const char *what, const Map *map, Text *text);
void snapshot_print_error(const Error *error, Text *text);

#endif
