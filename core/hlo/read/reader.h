/* Shared by the files of the reader. A rule of the grammar is a function `read_<rule>`; it returns
 * false with the scanner's error set. Computations are named in scope 0; each instruction list
 * opens a new scope. */
#ifndef CORE_HLO_READ_READER_H
#define CORE_HLO_READ_READER_H

#include "core/hlo/graph.h"
#include "core/hlo/read/names.h"
#include "core/hlo/read/scan.h"

static constexpr uint32_t computation_scope = 0;

/* A call of a computation by name, resolved after the whole text is read. */
typedef struct Call {
  Instruction *caller;
  uint32_t slot;
  Slice name;
} Call;

typedef struct CallList {
  uint32_t count;
  uint32_t capacity;
  Call *items;
} CallList;

typedef struct ComputationList {
  uint32_t count;
  uint32_t capacity;
  Computation **items;
} ComputationList;

typedef struct IntList {
  uint32_t count;
  uint32_t capacity;
  int64_t *items;
} IntList;

/* A computation in braces as the value of an attribute, from offset `start` to `end` of the
 * source. */
typedef struct NestedBody {
  size_t start, end;
  const char *name;
} NestedBody;

typedef struct BodyList {
  uint32_t count;
  uint32_t capacity;
  NestedBody *items;
} BodyList;

/* An update or a done in its short form. */
typedef struct AsyncUse {
  const Instruction *instruction;
  Opcode wrapped;
} AsyncUse;

typedef struct UseList {
  uint32_t count;
  uint32_t capacity;
  AsyncUse *items;
} UseList;

typedef struct PredecessorList {
  uint32_t count;
  uint32_t capacity;
  ControlPredecessor *items;
} PredecessorList;

typedef struct AttributeList {
  uint32_t count;
  uint32_t capacity;
  Attribute *items;
} AttributeList;

typedef struct InstructionList {
  uint32_t count;
  uint32_t capacity;
  Instruction **items;
} InstructionList;

/* `entry_computation_layout` of the header. */
typedef struct EntryLayout {
  size_t offset; /* of the attribute's value */
  uint32_t count;
  uint32_t capacity;
  const Shape **items; /* of the parameters */
  const Shape *result; /* nullptr: the header has no such attribute */
} EntryLayout;

typedef struct Reader Reader;

/* The body that is being parsed. */
typedef struct Body {
  Reader *reader;
  Computation *computation;
  uint32_t scope;
  uint32_t first;         /* of its instructions, on the reader's stack */
  uint32_t first_use;     /* of its short async forms */
  uint32_t first_implied; /* of its implied instructions */
  uint32_t parameters;
} Body;

typedef bool BodyRule(Reader *reader, Computation *computation);
typedef bool DefinitionRule(Body *body, Instruction *instruction, bool has_attributes);

struct Reader {
  Arena *arena;   /* holds only the graph */
  Arena *scratch; /* freed after the module is read; leaf rules rewind it */
  Scanner scan;
  Names names;
  Names shapes;        /* by their text */
  uint32_t scopes;     /* opened so far */
  uint32_t depth;      /* of nested tuples and instruction lists */
  uint64_t device_ids; /* of replica groups in iota or mesh form, expanded so far */
  uint64_t inferred;   /* dimensions and tuple elements of inferred shapes, so far */
  CallList calls;
  BodyList bodies; /* in the attribute that is being parsed */
  InstructionList
      operands; /* stacks: of the instructions, and of the bodies, that are being parsed */
  InstructionList body;
  InstructionList implied; /* instructions that have no name in the text */
  uint32_t index_scalars;  /* of index vectors, so far */
  AttributeList attributes;
  UseList uses;
  ComputationList computations;
  EntryLayout entry_layout;
  /* The grammar is recursive in two places: an attribute may contain a computation's body, and an
   * operand may contain a definition. Those two rules are called through these pointers. */
  BodyRule *body_rule;
  DefinitionRule *definition_rule;
};

#define read_fail(reader, kind, at, width, ...) \
  error_at((reader)->scan.error, (kind), (reader)->scan.source, (at), (width), __VA_ARGS__)

[[nodiscard]] char *slice_copy(Arena *arena, Slice slice);
/* Sets the error of an attribute with a name that stands before. Always returns false. */
bool read_fail_repeated(Reader *reader, Slice name);
/* Counts a level of nesting; rejects levels beyond deepest_nesting. */
[[nodiscard]] bool read_deeper(Reader *reader);

/* HloModule NAME, ATTRIBUTE=VALUE, ...; true if there is no header. */
[[nodiscard]] bool read_header(Reader *reader, Module *module);
/* Rejects an ENTRY with other shapes than the header states for it. */
[[nodiscard]] bool entry_layout_agrees(Reader *reader, const Computation *entry);

/* True if a shape begins here: a type's name and '[', or '(' or "b(". */
[[nodiscard]] bool read_is_shape(Reader *reader);
[[nodiscard]] bool read_shape(Reader *reader, const Shape **shape);

/* Appends integers in brackets to `list`. */
[[nodiscard]] bool read_int_list(
    Reader *reader, char opening, char separator, char closing, IntList *list);
[[nodiscard]] Ints take_ints(Reader *reader, const IntList *list);
/* Parses a shape; may return the shape of another instruction with the same text. */
[[nodiscard]] bool read_shared_shape(Reader *reader, const Shape **shape);
/* {1,2,3} */
[[nodiscard]] bool read_ints(Reader *reader, Ints *ints);
/* {size=1x2 stride=.. pad=0_0x1_1 lhs_dilate=.. rhs_dilate=.. rhs_reversal=..} */
[[nodiscard]] bool read_window(Reader *reader, Window **window);
/* b01f_01io->b01f */
[[nodiscard]] bool read_dim_labels(Reader *reader, ConvolutionNumbers **numbers);
/* 1_2x0_0_1 */
[[nodiscard]] bool read_padding(Reader *reader, PadDim **padding, uint32_t *rank);
/* {[0:2:1], [3:4]} */
[[nodiscard]] bool read_slice_ranges(Reader *reader, Instruction *instruction);
/* {{0,1},{2,3}} or [2,2]<=[4] or [2,2]<=[2,2]T(1,0) or mesh['x'=2,'y'=2] {'y'} */
[[nodiscard]] bool read_replica_groups(Reader *reader, Opcode opcode, ReplicaGroups **groups);
/* {{0,1},{2,3}} */
[[nodiscard]] bool read_pairs(Reader *reader, Ints *pairs);

/* Parses the literal of a constant of this shape; integral values go to `values` if there are at
 * most 65,536. */
[[nodiscard]] bool read_literal(Reader *reader, const Shape *shape, Ints *values);

/* All of ", name=value, ..." after an instruction's operands. */
[[nodiscard]] bool read_attributes(Reader *reader, Instruction *instruction);
/* The same, but only kept as text. */
[[nodiscard]] bool read_plain_attributes(Reader *reader, uint32_t *count, Attribute **items);
/* For an instruction without attributes: checks that none is required. */
[[nodiscard]] bool read_no_attributes(Reader *reader, const Instruction *instruction);
/* An instruction with the defaults of fields that the text may omit. */
[[nodiscard]] Instruction *new_instruction(Reader *reader, Computation *parent, size_t offset);
void set_opcode(Reader *reader, Instruction *instruction, Opcode opcode);
/* Pops the part of the stack above `first`, and returns a copy of it. */
[[nodiscard]] Instruction **take_instructions(
    Reader *reader, InstructionList *stack, uint32_t first, uint32_t *count);
/* Appends the instruction, which has its shape, to the body. */
void body_add(Body *body, Instruction *instruction);
/* Marks the instruction as implied; its name is the preferred one. body_name_implied chooses the
 * final names, once all names are known. */
void body_imply(Body *body, Instruction *instruction);
void body_name_implied(Body *body);
/* Parses "(operands)" of an instruction whose opcode is set. */
[[nodiscard]] bool read_operands(Body *body, Instruction *instruction);
/* slice-start and the like: returns the form and the wrapped opcode. */
[[nodiscard]] bool async_from_name(Slice word, Opcode *opcode, Opcode *wrapped);
[[nodiscard]] bool read_async_attributes(Reader *reader, Instruction *instruction, Opcode wrapped);
/* Checks that each short form from `first` on, all of this computation, belongs to the operation
 * that was started. */
[[nodiscard]] bool check_async_uses(Reader *reader, const Computation *computation, uint32_t first);
/* Parses "{ instructions }"; `computation` has its name. */
[[nodiscard]] bool read_instructions(Reader *reader, Computation *computation);
/* Parses what follows "name =". */
[[nodiscard]] bool read_definition(Body *body, Instruction *instruction, bool has_attributes);
[[nodiscard]] bool read_add_computation(Reader *reader, Computation *computation, Slice name);

/* Puts callees before callers and else keeps the given order; a cycle is an error. */
[[nodiscard]] bool order_computations(
    Arena *arena, const Source *source, uint32_t count, Computation **computations, Error *error);

#endif
