/* Declares the names that engine_xla.cpp uses from XLA, so that its syntax and types can be checked
 * without XLA. Nothing is defined: a working engine needs the real headers. */
#ifndef EXAMPLES_ENGINE_XLA_STAND_IN_H
#define EXAMPLES_ENGINE_XLA_STAND_IN_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext {};
} // namespace mlir

namespace xla {

class IndexingMap {
public:
  bool Simplify();
  bool RescaleSymbols();
  std::vector<bool> RemoveUnusedSymbols();
  bool IsUndefined() const;
  bool IsKnownEmpty() const;
  std::vector<bool> RemoveUnusedVars();
  int64_t GetDimVarsCount() const;
  int64_t GetRangeVarsCount() const;
  int64_t GetRTVarsCount() const;
};
std::string ToString(const IndexingMap &map);
std::optional<IndexingMap> ParseIndexingMap(const char *text, mlir::MLIRContext *context);
IndexingMap ComposeIndexingMaps(const IndexingMap &first, const IndexingMap &second);

class OperandIndexing {
public:
  bool IsUndefined() const;
  bool Simplify();
  std::string ToString() const;
};
using OperandIndexingSet = std::vector<OperandIndexing>;
struct HloInstructionIndexing {
  std::vector<OperandIndexingSet> indexing_maps;
};

class Shape {
public:
  bool IsTuple() const;
  const std::vector<Shape> &tuple_shapes() const;
};
class HloInstruction {
public:
  const std::string &name() const;
  const Shape &shape() const;
  const HloInstruction *operand(int64_t number) const;
};
class HloComputation {
public:
  const std::string &name() const;
  std::vector<const HloInstruction *> instructions() const;
};
class HloModule {
public:
  const HloComputation *entry_computation() const;
  std::vector<const HloComputation *> computations() const;
};
struct Status {
  std::string message() const;
};
struct StatusOrModule {
  bool ok() const;
  Status status() const;
  std::unique_ptr<HloModule> &operator*();
};
StatusOrModule ParseAndReturnUnverifiedModule(const char *text);
HloInstructionIndexing ComputeOutputToInputIndexing(
    const HloInstruction *instruction, int output, mlir::MLIRContext *context);
HloInstructionIndexing ComputeInputToOutputIndexing(
    const HloInstruction *instruction, int input, mlir::MLIRContext *context);

} // namespace xla

#endif
