/* An HLO module as a graph: computations of instructions in text order, operands before users.
 * Everything lives in the arena that the module was read into. A module that hlo_verify accepted
 * satisfies, for every opcode with inferred shapes, the shape rules of the operation semantics;
 * judges and the engine rely on it. Attributes: the ones that move elements are parsed into fields;
 * every attribute is kept as text too, for printing. */
#ifndef CORE_HLO_GRAPH_H
#define CORE_HLO_GRAPH_H

#include "core/hlo/shape.h"

typedef enum Opcode : uint8_t {
#define OPCODE(id, text, least, most, group) HLO_##id,
#include "core/hlo/opcodes.def"
#undef OPCODE
} Opcode;

/* Opcodes of one group have one rule in each room that gives them a meaning (opcodes.def). */
typedef enum OpcodeGroup : uint8_t {
#define GROUP(group, family) GROUP_##group,
#include "core/hlo/opcodes.def"
#undef GROUP
} OpcodeGroup;

typedef enum OpcodeFamily : uint8_t {
  FAMILY_ELEMENTWISE,
  FAMILY_SOURCE,
  FAMILY_STRUCTURE,
  FAMILY_SHAPE,
  FAMILY_REDUCE,
  FAMILY_CONTRACT,
  FAMILY_DYNAMIC,
  FAMILY_ORDER,
  FAMILY_CALL,
  FAMILY_COLLECTIVE,
  FAMILY_OPAQUE,
} OpcodeFamily;

[[nodiscard]] const char *opcode_name(Opcode opcode);
[[nodiscard]] OpcodeGroup opcode_group(Opcode opcode);
[[nodiscard]] OpcodeFamily opcode_family(Opcode opcode);
[[nodiscard]] uint32_t opcode_least_operands(Opcode opcode);
[[nodiscard]] uint32_t opcode_most_operands(Opcode opcode); /* UINT32_MAX: any number */
[[nodiscard]] bool opcode_from_name(const char *name, size_t length, Opcode *opcode);
static constexpr uint32_t opcode_count = 0
#define OPCODE(id, text, least, most, group) +1
#include "core/hlo/opcodes.def"
#undef OPCODE
    ;
static constexpr uint32_t opcode_group_count = 0
#define GROUP(group, family) +1
#include "core/hlo/opcodes.def"
#undef GROUP
    ;

typedef struct Ints {
  uint32_t count;
  int64_t *values;
} Ints;

/* One dimension of a window (reduce-window, select-and-scatter, convolution). Defaults: stride 1,
 * dilations 1. */
typedef struct WindowDim {
  int64_t size, stride, pad_low, pad_high, base_dilation, window_dilation;
  bool reversal;
} WindowDim;
typedef struct Window {
  uint32_t rank;
  WindowDim *dims;
} Window;

typedef struct PadDim {
  int64_t low, high, interior; /* low and high may be negative, interior >= 0 */
} PadDim;

typedef struct DotNumbers {
  Ints lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  Ints lhs_ragged, rhs_group; /* ragged-dot only */
} DotNumbers;

typedef struct GatherNumbers {
  Ints offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims,
      start_index_map;
  Ints slice_sizes;
  int64_t index_vector_dim;
} GatherNumbers;

typedef struct ScatterNumbers {
  Ints update_window_dims, inserted_window_dims, input_batching_dims, scatter_indices_batching_dims;
  Ints scatter_dims_to_operand_dims;
  int64_t index_vector_dim;
} ScatterNumbers;

typedef struct ConvolutionNumbers {
  int64_t input_batch, input_feature, kernel_input_feature, kernel_output_feature, output_batch,
      output_feature;
  Ints input_spatial, kernel_spatial,
      output_spatial; /* position of each window dimension in each operand */
} ConvolutionNumbers;

/* Groups of a collective: explicit lists {{0,1},{2,3}}, expanded from iota form [2,2]<=[4]T(0) as
 * well. */
typedef struct ReplicaGroups {
  uint32_t count;
  Ints *groups;
} ReplicaGroups;

typedef struct Attribute {
  const char *name;
  const char *text; /* the value as written */
  size_t offset;    /* of the name, in the source */
} Attribute;

typedef struct Computation Computation;
typedef struct Instruction Instruction;

struct Instruction {
  const char *name; /* without '%' */
  Opcode opcode;
  bool is_root;
  uint32_t id; /* position in its computation */
  uint32_t operand_count;
  uint32_t called_count;
  uint32_t attribute_count;
  const Shape *shape;
  Instruction **operands; /* [operand_count], earlier in the same computation */
  Computation **called; /* [called_count]: in the order written; the branch for true before the one
                           for false */
  const char **called_roles; /* [called_count]: "calls", "to_apply", "condition", "body", "branch",
                                "select" or "scatter" */
  Attribute *attributes; /* [attribute_count], all of them as text, called computations included */
  Computation *parent;
  size_t offset; /* of the name, in the source */

  /* The opcode's one integer: a parameter's number; index of get-tuple-element; iota_dimension;
   * feature_group_count of convolution; k of topk; num_carries of scan. */
  int64_t number;
  int64_t batch_group_count; /* convolution, else 1 */
  int64_t channel_id;        /* collectives, -1 when there is none */
  bool use_global_device_ids;
  /* The opcode's one boolean: is_stable (sort), lower (cholesky), largest (topk, true unless said),
   * left_side (triangular-solve), is_reverse (scan). */
  bool flag;
  Ints dimensions; /* `dimensions={..}` of broadcast, transpose, reverse, concatenate, reduce, sort,
                      ... */
  Ints starts, limits, strides; /* slice */
  Ints sizes;                   /* dynamic_slice_sizes; fft_length */
  PadDim *padding;              /* pad: [rank of the output] */
  Window *window;
  DotNumbers *dot;
  GatherNumbers *gather;
  ScatterNumbers *scatter;
  ConvolutionNumbers *convolution;
  ReplicaGroups *replica_groups; /* also split_dimension etc. stay in attributes */
  Ints source_target_pairs;      /* collective-permute: pairs flattened */
  /* A constant of an integral type with at most 65,536 elements: its values in row-major order (u64
   * wraps to int64); else empty. Empty as well, and then unknown, where the text elides the values,
   * `{...}`, or gives an array one bare value */
  Ints literal;
  const char *literal_text; /* of any constant, as written */
  /* Elided, and another constant of the module has its name and shape: no name says which is which.
   */
  bool is_namesake;
};

struct Computation {
  const char *name;
  bool is_entry;
  uint32_t instruction_count;
  uint32_t parameter_count;
  Instruction **instructions; /* [instruction_count], operands before users */
  Instruction **parameters;   /* [parameter_count], by number */
  Instruction *root;
  const Instruction *unbounded; /* the first one, here or in what is called, with a size that is not
                                   known; nullptr: all are */
  const Instruction *stateful;  /* likewise, whose value is no function of its operands */
  const Instruction *bounded;   /* likewise, that depends on a size of which a bound is known */
  uint32_t attribute_count;
  Attribute *attributes; /* [attribute_count], after the body: execution_thread and the like */
  size_t offset;
};

typedef struct Module {
  const char *name;
  const char *header_rest;  /* the module's attributes, as text; or nullptr */
  const char *stack_frames; /* the sections FileNames to StackFrames, as text; or nullptr */
  uint32_t computation_count;
  Computation **computations; /* callees before callers */
  Computation *entry;
  const Source *source;
} Module;

/* Of the instruction's own shape, its operands' and those of what it calls: the first instruction
 * with a size that is not known (f32[?,4]); nullptr: all sizes are. Such an instruction has no
 * reads, and its shape follows no rule. */
[[nodiscard]] const Instruction *instruction_unbounded(const Instruction *instruction);
[[nodiscard]] const Attribute *instruction_attribute(
    const Instruction *instruction, const char *name);

/* The first instruction of any computation, callees before callers, of which `is` holds; nullptr:
 * of none. */
[[nodiscard]] const Instruction *module_find(
    const Module *module, bool (*is)(const Instruction *instruction));

#endif
