// Proves the rewrite rules of a file, each for all values of its letters.
//   c++ -std=c++17 prove.cpp $(pkg-config --cflags --libs affirm) -o prove
//   ./prove FILE.rules
// Exit status as that of affirm: 0 all proved, 1 one is refuted, 2 unknown, 3 an error.
#include <affirm.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

struct Destroy {
  void operator()(AffirmContext *context) const { affirm_context_destroy(context); }
};
using Context = std::unique_ptr<AffirmContext, Destroy>;

static int fail(const Context &context) {
  std::cerr << affirm_error_text(context.get());
  return AFFIRM_FAILED;
}

static bool read_file(const char *path, std::string &text) {
  std::ifstream file(path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  text = bytes.str();
  // A directory opens, and gives no bytes. The library reads a text up to its first NUL.
  return file && bytes && text.find('\0') == std::string::npos;
}

int main(int argc, char **argv) {
  Context context(affirm_context_create());
  std::string text;
  if (argc != 2 || !context) {
    std::cerr << "usage: prove FILE.rules\n";
    return AFFIRM_FAILED;
  }
  if (!read_file(argv[1], text)) {
    std::cerr << argv[1] << ": cannot be read as text\n";
    return AFFIRM_FAILED;
  }
  const AffirmRules *rules = affirm_rules_parse(context.get(), argv[1], text.c_str());
  if (rules == nullptr) return fail(context);
  if (affirm_rules_count(rules) == 0) {
    std::cerr << argv[1] << ": no rules\n";
    return AFFIRM_FAILED;
  }

  int worst = AFFIRM_PROVED;
  for (uint32_t i = 0; i < affirm_rules_count(rules); i++) {
    AffirmVerdict verdict;
    if (affirm_rule_prove(context.get(), rules, i, &verdict) == AFFIRM_FAILED) return fail(context);
    std::cout << affirm_rule_name(context.get(), rules, i) << ": " << verdict.verdict << " ("
              << verdict.text << ")\n";
    // A counterexample outweighs unknown rules.
    if (worst != AFFIRM_REFUTED && verdict.status != AFFIRM_PROVED) worst = verdict.status;
  }
  return worst;
}
