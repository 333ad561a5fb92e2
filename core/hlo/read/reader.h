/* What the files of the reader share. A rule of the grammar is a function `read_<rule>`; false
 * means that the scanner's error is set. Computations are named in a scope of their own (0); each
 * instruction list opens a new scope. */
#ifndef CORE_HLO_READER_H
#define CORE_HLO_READER_H

#include "core/hlo/graph.h"
#include "core/hlo/read/names.h"
#include "core/hlo/read/scan.h"

static constexpr uint32_t computation_scope = 0;

/* A computation that is called by name: it is looked up once the whole text is read. */
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

/* A computation in braces as the value of an attribute, from `start` to `end` in the source. */
typedef struct NestedBody {
  size_t start, end;
  const char *name;
} NestedBody;

typedef struct BodyList {
  uint32_t count;
  uint32_t capacity;
  NestedBody *items;
} BodyList;

/* An update or a done in the short form. */
typedef struct AsyncUse {
  const Instruction *instruction;
  Opcode wrapped;
} AsyncUse;

typedef struct UseList {
  uint32_t count;
  uint32_t capacity;
  AsyncUse *items;
} UseList;

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

typedef struct Reader Reader;

/* The body that is being read. */
typedef struct Body {
  Reader *reader;
  Computation *computation;
  uint32_t scope;
  uint32_t first;         /* of its instructions on the reader's stack */
  uint32_t first_use;     /* of its short async forms */
  uint32_t first_implied; /* of the instructions that its text implies */
  uint32_t parameters;
} Body;

typedef bool BodyRule(Reader *reader, Computation *computation);
typedef bool DefinitionRule(Body *body, Instruction *instruction, bool has_attributes);

struct Reader {
  Arena *arena;   /* of the graph: nothing that is not part of it */
  Arena *scratch; /* gone when the module is read; leaf rules rewind it */
  Scanner scan;
  Names names;
  Names shapes;        /* by their text */
  uint32_t scopes;     /* opened so far */
  uint32_t depth;      /* of nested tuples and instruction lists */
  uint64_t device_ids; /* of replica groups in iota form, expanded so far */
  uint64_t inferred;   /* dimensions and tuple elements of shapes that the text left out, so far */
  CallList calls;
  BodyList bodies; /* in the attribute that is being read */
  InstructionList
      operands; /* stacks: of the instructions, and of the bodies, that are being read */
  InstructionList body;
  InstructionList implied; /* instructions without a name in the text */
  uint32_t index_scalars;  /* of vectors of indices, so far */
  AttributeList attributes;
  UseList uses;
  ComputationList computations;
  /* The grammar contains itself in two places: an attribute may hold a computation's body, an
   * operand a definition. Those two rules are called through here. */
  BodyRule *body_rule;
  DefinitionRule *definition_rule;
};

#define read_fail(reader, kind, at, width, ...) \
  error_at((reader)->scan.error, (kind), (reader)->scan.source, (at), (width), __VA_ARGS__)

[[nodiscard]] char *slice_copy(Arena *arena, Slice slice);
/* Counts a level of nesting; rejects past deepest_nesting. */
[[nodiscard]] bool read_deeper(Reader *reader);

/* A type's name and '[', or '(' or "b(": what begins a shape. */
[[nodiscard]] bool read_is_shape(Reader *reader);
[[nodiscard]] bool read_shape(Reader *reader, const Shape **shape);

/* Integers in brackets, appended to `list`. */
[[nodiscard]] bool read_int_list(
    Reader *reader, char opening, char separator, char closing, IntList *list);
[[nodiscard]] Ints take_ints(Reader *reader, const IntList *list);
/* A shape that may be one with that of another instruction. */
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
[[nodiscard]] bool read_replica_groups(Reader *reader, ReplicaGroups **groups);
/* {{0,1},{2,3}} */
[[nodiscard]] bool read_pairs(Reader *reader, Ints *pairs);

/* The literal of a constant of this shape; integral values go to `values` where they are at most
 * 65,536. */
[[nodiscard]] bool read_literal(Reader *reader, const Shape *shape, Ints *values);

/* All of ", name=value, ..." after an instruction's operands. */
[[nodiscard]] bool read_attributes(Reader *reader, Instruction *instruction);
/* The same as text alone. */
[[nodiscard]] bool read_plain_attributes(Reader *reader, uint32_t *count, Attribute **items);
/* An instruction without attributes: those that it must have are missing. */
[[nodiscard]] bool read_no_attributes(Reader *reader, const Instruction *instruction);
/* With the defaults of fields that the text may leave out. */
[[nodiscard]] Instruction *new_instruction(Reader *reader, Computation *parent, size_t offset);
void set_opcode(Reader *reader, Instruction *instruction, Opcode opcode);
/* A copy of what stands on the stack above `first`, which is taken off. */
[[nodiscard]] Instruction **take_instructions(
    Reader *reader, InstructionList *stack, uint32_t first, uint32_t *count);
/* The instruction has its shape; it becomes the next of the body. */
void body_add(Body *body, Instruction *instruction);
/* Its name is the one that it would like; body_name_implied decides, once all names are known. */
void body_imply(Body *body, Instruction *instruction);
void body_name_implied(Body *body);
/* (operands) of an instruction that has its opcode. */
[[nodiscard]] bool read_operands(Body *body, Instruction *instruction);
/* slice-start and the like: what the form is, and of what. */
[[nodiscard]] bool async_from_name(Slice word, Opcode *opcode, Opcode *wrapped);
[[nodiscard]] bool read_async_attributes(Reader *reader, Instruction *instruction, Opcode wrapped);
/* The short forms from `first` on, all in this computation, are each of the operation that was
 * started. */
[[nodiscard]] bool check_async_uses(Reader *reader, const Computation *computation, uint32_t first);
/* { instructions }; `computation` has its name. */
[[nodiscard]] bool read_instructions(Reader *reader, Computation *computation);
/* What stands after "name =". */
[[nodiscard]] bool read_definition(Body *body, Instruction *instruction, bool has_attributes);
[[nodiscard]] bool read_add_computation(Reader *reader, Computation *computation, Slice name);

/* Callees before callers, else in the order given; a cycle is an error. */
[[nodiscard]] bool order_computations(
    Arena *arena, const Source *source, uint32_t count, Computation **computations, Error *error);

#endif
