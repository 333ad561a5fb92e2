/* An HLO module as a graph: computations of instructions in text order, operands before users.
 * Everything lives in the arena of the reader. A module that hlo_verify has accepted satisfies the
 * shape rules of the operation semantics, for every opcode whose shape is inferred; judges and the
 * engine rely on them. Attributes that move elements are parsed into fields; every attribute is
 * also kept as text, for printing. */
#ifndef CORE_HLO_GRAPH_H
#define CORE_HLO_GRAPH_H

#include "core/hlo/shape.h"

typedef enum Opcode : uint8_t {
#define OPCODE(id, text, least, most, group, effect) HLO_##id,
#include "core/hlo/opcodes.def"
#undef OPCODE
} Opcode;

/* Opcodes of one group share one rule in every part that interprets opcodes (opcodes.def). */
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

/* The family of each group as a constant: files whose tables of opcodes leave most of a family out
 * assert the number of its opcodes, so that a new one does not compile before it is considered. */
typedef enum OpcodeGroupFamily : uint8_t {
#define GROUP(group, family) family_of_##group = FAMILY_##family,
#include "core/hlo/opcodes.def"
#undef GROUP
} OpcodeGroupFamily;

/* What an operation does besides computing a value of its operands (opcodes.def). */
typedef enum OpcodeEffect : uint8_t {
  EFFECT_NONE,
  EFFECT_VALUE,
  EFFECT_OUTSIDE,
  EFFECT_BOTH,
  EFFECT_STATED,
} OpcodeEffect;

[[nodiscard]] const char *opcode_name(Opcode opcode);
[[nodiscard]] OpcodeGroup opcode_group(Opcode opcode);
[[nodiscard]] OpcodeFamily opcode_family(Opcode opcode);
[[nodiscard]] OpcodeEffect opcode_effect(Opcode opcode);
[[nodiscard]] uint32_t opcode_least_operands(Opcode opcode);
[[nodiscard]] uint32_t opcode_most_operands(Opcode opcode); /* UINT32_MAX: any number */
[[nodiscard]] bool opcode_from_name(const char *name, size_t length, Opcode *opcode);
static constexpr uint32_t opcode_count = 0
#define OPCODE(id, text, least, most, group, effect) +1
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
 * dilations 1, no padding. */
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
      output_spatial; /* the position of each window dimension in each array */
} ConvolutionNumbers;

/* Groups of a collective as explicit lists {{0,1},{2,3}}; the iota form [2,2]<=[4]T(0) and meshes
 * are expanded. */
typedef struct ReplicaGroups {
  uint32_t count;
  Ints *groups;
} ReplicaGroups;

typedef struct Attribute {
  const char *name;
  const char *text; /* the value, as written */
  size_t offset;    /* of the name, in the source */
} Attribute;

typedef struct ControlPredecessor {
  const char *name;  /* without '%' */
  uint32_t position; /* in the instruction's computation; UINT32_MAX: no instruction has the name.
                        XLA prints an operand of a tuple as `tuple#1`, and the name of the
                        get-tuple-element only here. */
} ControlPredecessor;

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
  Instruction **operands;    /* [operand_count], earlier in the same computation */
  Computation **called;      /* [called_count], in the order written; but the computation for true
                              * precedes the one for false */
  const char **called_roles; /* [called_count]: "calls", "to_apply", "condition", "body", "branch",
                                "select" or "scatter" */
  Attribute *attributes;     /* [attribute_count], every attribute as text, called computations
                              * included */
  uint32_t predecessor_count;
  ControlPredecessor *predecessors; /* [predecessor_count], of `control-predecessors` */
  Computation *parent;
  size_t offset; /* of the name, in the source */

  /* The integer of the opcode: a parameter's number; index of get-tuple-element; iota_dimension;
   * feature_group_count of convolution; k of topk; num_carries of scan. */
  int64_t number;
  int64_t batch_group_count; /* convolution, else 1 */
  int64_t channel_id;        /* collectives; -1 if there is none */
  bool use_global_device_ids;
  /* The flag of the opcode: is_stable (sort), lower (cholesky), largest (topk, default true),
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
  ReplicaGroups *replica_groups; /* split_dimension and the like are kept only in `attributes` */
  /* The one group of all devices for which `{}` or no groups stand, if the header states their
   * number (devices.h); else nullptr. */
  const ReplicaGroups *all_devices;
  Ints source_target_pairs; /* collective-permute: pairs flattened */
  /* The values of a constant of an integral type with at most 65,536 elements, in row-major order
   * (u64 wraps to int64); else empty. It is also empty, and the values are unknown, if the text
   * elides the values, `{...}`, or gives an array a single value without braces. */
  Ints literal;
  const char *literal_text; /* of any constant, as written but for comments */
  /* The text elides the values, and another constant of the module has the same name and shape, so
   * the name does not identify it. */
  bool is_namesake;
  /* A custom call without operands and effects, one of several of the module with its target, shape
   * and configuration, which need not return the same. Its name identifies it in another graph. */
  bool is_one_of_several;
};

/* How an operation exchanges elements between devices. */
typedef enum Exchange : uint8_t {
  EXCHANGE_NOTHING,
  EXCHANGE_ALIKE, /* all-reduce, all-gather: each device reads the same */
  EXCHANGE_APART, /* other collectives: the device decides which indices are read, or whether any */
} Exchange;

struct Computation {
  const char *name;
  bool is_entry;
  uint32_t instruction_count;
  uint32_t parameter_count;
  Instruction **instructions; /* [instruction_count], operands before users */
  Instruction **parameters;   /* [parameter_count], by number */
  Instruction *root;
  const Instruction *unbounded; /* the first instruction, here or in what is called, with an unknown
                                 * size; nullptr if there is none */
  const Instruction *stateful;  /* likewise: whose value is no function of its operands */
  const Instruction *bounded;   /* likewise: that depends on a size of which only a bound is
                                 * known */
  Exchange exchange;            /* the worst of all instructions, here or in what is called */
  uint32_t attribute_count;
  Attribute *attributes; /* [attribute_count], after the body: execution_thread and the like */
  size_t offset;
};

typedef struct Module {
  const char *name;
  const char *header_rest;      /* the module's attributes, as text; or nullptr */
  int64_t replicas, partitions; /* as the header states; 0: it does not, or not as a number */
  const char *stack_frames;     /* the sections FileNames to StackFrames, as text; or nullptr */
  uint32_t computation_count;
  Computation **computations; /* callees before callers */
  Computation *entry;
  const Source *source;
} Module;

/* The first instruction with an unknown size (f32[?,4]): in its own shape, its operands' or those
 * of what it calls; nullptr if all sizes are known. Such an instruction has no reads, and no rule
 * applies to its shape. */
[[nodiscard]] const Instruction *instruction_unbounded(const Instruction *instruction);
/* The worse of the instruction's own and of what it calls. */
[[nodiscard]] Exchange instruction_exchange(const Instruction *instruction);
/* True for a collective-permute, or its start. */
[[nodiscard]] bool instruction_permutes(const Instruction *instruction);
/* True for the in-place form of collective-permute: slices of the first operand, sent at offsets
 * that are known at run time, replace slices of the second one. */
[[nodiscard]] bool instruction_permutes_slices(const Instruction *instruction);
/* True for a collective-permute, or its start, without any pair: no device receives anything. */
[[nodiscard]] bool instruction_permutes_nothing(const Instruction *instruction);
[[nodiscard]] const Attribute *instruction_attribute(
    const Instruction *instruction, const char *name);

/* The first instruction of any computation for which `is` returns true, callees before callers;
 * nullptr if there is none. */
[[nodiscard]] const Instruction *module_find(
    const Module *module, bool (*is)(const Instruction *instruction));

#endif
