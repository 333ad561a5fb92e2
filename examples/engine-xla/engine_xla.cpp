// XLA's indexing analysis as an engine: analyses in both directions, simplification, composition.
// XLA numbers the outputs of a tuple by its elements, so nested tuples are not offered, and an
// operand that is a tuple has only one map. The environment variable AFFIRM_XLA_ALSO lists further
// steps for every map: `unused` removes unused range variables, `rescale` rescales strides, `twice`
// simplifies again. With `vars` simplification also removes unused dimensions and runtime
// variables; the reply states which ones it kept.
#ifdef ENGINE_XLA_STAND_IN
#include "examples/engine-xla/stand_in.h"
#else
#include <mlir/IR/MLIRContext.h>
#include <xla/hlo/analysis/indexing_analysis.h>
#include <xla/hlo/analysis/indexing_map.h>
#include <xla/hlo/analysis/indexing_map_serialization.h>
#include <xla/hlo/ir/hlo_module.h>
#include <xla/hlo/parser/hlo_parser.h>
#endif

#include <affirm_engine.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace {

// Thrown if there is no result.
struct Unfit {
  AffirmEngineStatus status;
  std::string why;
};

bool does_also(const char *word) {
  const char *words = std::getenv("AFFIRM_XLA_ALSO");
  return words != nullptr && std::string(words).find(word) != std::string::npos;
}

void simplify_map(xla::IndexingMap &map) {
  map.Simplify();
  if (does_also("rescale")) map.RescaleSymbols();
  if (does_also("unused") && map.GetRTVarsCount() == 0) map.RemoveUnusedSymbols();
  if (does_also("twice")) map.Simplify();
}

std::string text_of(xla::IndexingMap map) {
  if (map.IsUndefined()) throw Unfit{AFFIRM_ENGINE_UNDEFINED, "UNDEFINED"};
  simplify_map(map);
  return map.IsKnownEmpty() ? "KNOWN EMPTY" : xla::ToString(map);
}

// One map a line, each followed by its runtime variables; a set without maps reads nothing.
std::string text_of(const xla::OperandIndexingSet &maps) {
  std::string text;
  for (const xla::OperandIndexing &indexing : maps) {
    if (indexing.IsUndefined()) throw Unfit{AFFIRM_ENGINE_UNDEFINED, "UNDEFINED"};
    xla::OperandIndexing simple = indexing;
    simple.Simplify();
    text += (text.empty() ? "" : "\n") + simple.ToString();
  }
  return text.empty() ? "(none)" : text;
}

// The line before a map without unused variables: the names of the remaining ones.
std::string kept_of(xla::IndexingMap &map) {
  const int64_t dims = map.GetDimVarsCount(), ranges = map.GetRangeVarsCount(),
                runtimes = map.GetRTVarsCount();
  const auto removed = map.RemoveUnusedVars();
  std::string text = "kept:";
  for (int64_t i = 0; i < dims; i++)
    if (removed.empty() || !removed[(unsigned)i]) text += " d" + std::to_string(i);
  for (int64_t i = 0; i < runtimes; i++)
    if (removed.empty() || !removed[(unsigned)(dims + ranges + i)])
      text += " rt" + std::to_string(i);
  return text + "\n";
}

std::string simplified(xla::IndexingMap map) {
  if (!does_also("vars") || map.IsUndefined()) return text_of(map);
  simplify_map(map);
  if (map.IsKnownEmpty()) return "KNOWN EMPTY";
  std::string kept = kept_of(map);
  return kept + xla::ToString(map);
}

xla::IndexingMap read_map(const char *text, mlir::MLIRContext &context) {
  std::optional<xla::IndexingMap> map = xla::ParseIndexingMap(text, &context);
  if (!map.has_value()) throw Unfit{AFFIRM_ENGINE_REFUSED, "ParseIndexingMap does not read it"};
  return *map;
}

// The instruction of a name: the entry's, or the only one; COMPUTATION/NAME is any other.
const xla::HloInstruction *find(const xla::HloModule &module, const std::string &path) {
  const size_t slash = path.find('/');
  const bool has_computation = slash != std::string::npos;
  const std::string owner = has_computation ? path.substr(0, slash) : "",
                    name = has_computation ? path.substr(slash + 1) : path;
  const xla::HloInstruction *found = nullptr;
  for (const xla::HloComputation *computation : module.computations()) {
    if (has_computation && computation->name() != owner) continue;
    for (const xla::HloInstruction *instruction : computation->instructions()) {
      if (instruction->name() != name) continue;
      if (computation == module.entry_computation()) return instruction;
      found = instruction;
    }
  }
  if (found == nullptr) throw Unfit{AFFIRM_ENGINE_REFUSED, "no instruction of this name was read"};
  return found;
}

bool has_inner_tuple(const xla::Shape &shape) {
  if (!shape.IsTuple()) return false;
  for (const xla::Shape &element : shape.tuple_shapes())
    if (element.IsTuple()) return true;
  return false;
}

std::string analysed(const AffirmEngineQuestion &question, mlir::MLIRContext &context) {
  auto module = xla::ParseAndReturnUnverifiedModule(question.module);
  if (!module.ok()) throw Unfit{AFFIRM_ENGINE_REFUSED, std::string(module.status().message())};
  const xla::HloInstruction *instruction = find(**module, question.instruction);
  if (has_inner_tuple(instruction->shape()) ||
      instruction->operand((int64_t)question.operand)->shape().IsTuple())
    throw Unfit{AFFIRM_ENGINE_NOT_OFFERED, "a tuple within a tuple, or an operand that is one"};
  bool is_forward = question.direction == AFFIRM_ENGINE_INPUT_TO_OUTPUT;
  xla::HloInstructionIndexing indexing =
      is_forward ? xla::ComputeInputToOutputIndexing(instruction, (int)question.operand, &context)
                 : xla::ComputeOutputToInputIndexing(instruction, (int)question.output, &context);
  size_t position = is_forward ? question.output : question.operand;
  if (position >= indexing.indexing_maps.size())
    throw Unfit{AFFIRM_ENGINE_NOT_OFFERED, "no maps of this pair"};
  return text_of(indexing.indexing_maps[position]);
}

// Each call has its own context, since a context only grows.
template <typename Make> AffirmEngineStatus answer(const char **text, Make &&make) {
  static std::string kept;
  AffirmEngineStatus status = AFFIRM_ENGINE_ANSWERED;
  mlir::MLIRContext context;
  try {
    kept = make(context);
  } catch (const Unfit &unfit) { kept = unfit.why, status = unfit.status; }
  *text = kept.c_str();
  return status;
}

AffirmEngineStatus analyse(void *, const AffirmEngineQuestion *question, const char **text) {
  return answer(text, [&](mlir::MLIRContext &context) { return analysed(*question, context); });
}

AffirmEngineStatus simplify(void *, const char *map, const char **text) {
  return answer(text, [&](mlir::MLIRContext &context) { return simplified(read_map(map, context)); });
}

AffirmEngineStatus compose(void *, const char *consumer, const char *producer, const char **text) {
  return answer(text, [&](mlir::MLIRContext &context) {
    return text_of(
        xla::ComposeIndexingMaps(read_map(consumer, context), read_map(producer, context)));
  });
}

} // namespace

const AffirmEngine *affirm_engine(void) {
  static const AffirmEngine offered = {
      AFFIRM_ENGINE_VERSION, "xla", nullptr, analyse, simplify, compose, nullptr};
  return &offered;
}
