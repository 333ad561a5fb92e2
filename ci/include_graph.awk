# Reads the rules (the first file), then each source. Paths match by prefix; * matches any text. A pattern that ends in / matches all files below.

function fits(path, pattern,    star, head, tail) {
  star = index(pattern, "*")
  if (star == 0) return index(path, pattern) == 1
  head = substr(pattern, 1, star - 1)
  tail = substr(pattern, star + 1)
  if (tail ~ /\/$/) return index(path, head) == 1 && index(substr(path, length(head)), "/" tail) > 0
  return index(path, head) == 1 && length(path) >= length(head) + length(tail) && substr(path, length(path) - length(tail) + 1) == tail
}
function fits_any(path, patterns,    words, count, i) {
  count = split(patterns, words, " ")
  for (i = 1; i <= count; i++) if (fits(path, words[i])) return 1
  return 0
}
function folder_of(path) { sub(/[^\/]*$/, "", path); return path }
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; faults++ }
function find_row(    i) {
  row = 0
  for (i = 1; i <= rows; i++) if (fits(FILENAME, path_of[i])) { row = i; break }
  words = 0
  for (i = 1; i <= mutes; i++) if (fits(FILENAME, mute_of[i])) { words = i; break }
  if (row == 0) complain("no row of ci/include_graph.rules fits this file")
}
function check_project(target) {
  if (index(target, "../") > 0) { complain("\"" target "\": a path from the root is wanted"); return }
  if (target ~ /\/test\// && !is_test) complain("\"" target "\": support of tests is for tests and bench")
  if (row == 0 || fits(target, path_of[row]) || folder_of(target) == folder_of(FILENAME) || fits_any(target, allowed[row])) return
  complain("\"" target "\" is not for " path_of[row] " (it may include: " (allowed[row] == "" ? "nothing above it" : allowed[row]) ")")
}
function check_library(target,    i) {
  for (i = 1; i <= libraries; i++)
    if (index(target, library[i]) == 1 && !fits_any(FILENAME, owners[i])) complain("<" target "> is for " owners[i] " alone")
}

FILENAME == ARGV[1] {
  if ($0 ~ /^#/ || NF == 0) next
  if ($2 == "must" && $3 == "not" && $4 == "say") {
    mute_of[++mutes] = $1
    $1 = $2 = $3 = $4 = ""
    muted[mutes] = $0
    next
  }
  colon = index($0, ":")
  if (colon == 0) { complain("a row without a colon"); exit }
  name = substr($0, 1, colon - 1)
  rest = substr($0, colon + 1)
  sub(/^ +/, "", rest)
  if (name ~ /^</) { library[++libraries] = substr(name, 2, length(name) - 2); owners[libraries] = rest }
  else { path_of[++rows] = name; allowed[rows] = rest }
  next
}
FNR == 1 { files++; is_test = FILENAME ~ /(^|\/)test\/|_test\.c$|^bench\//; find_row() }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); check_project(part[2]) }
/^[ \t]*#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_library(part[2]) }
words > 0 && muted[words] != "" {
  count = split(muted[words], word, " ")
  for (i = 1; i <= count; i++) if ($0 ~ "(^|[^A-Za-z0-9_])" word[i] "[ ]*\\(") complain(word[i] " is arithmetic that " mute_of[words] " must not lean on")
}
END {
  if (rows == 0 || libraries == 0) { print "include_graph: no rules were read"; exit 1 }
  printf "include graph: %d files, %d forbidden arrows\n", files, faults
  exit faults > 0
}
