# The cycles of a call graph: reads the rules, then lines of `nm -A`. Files without calls or callers are removed repeatedly. The
# remaining files are on cycles or between them, and are grouped by mutual reachability.
function file_of(name) {
  sub(/:.*/, "", name)
  sub(/.*\.dir\//, "", name)
  sub(/\.o$/, "", name)
  return name
}
# The rule that names the file or a directory above it, else "".
function rule_of(file, rule) {
  for (rule in allowed) if (rule == file || (rule ~ /\/$/ && index(file, rule) == 1)) return rule
  return ""
}
function sort_names(names, n, i, k, swap) {
  for (i = 2; i <= n; i++)
    for (k = i; k > 1 && names[k] < names[k - 1]; k--) { swap = names[k]; names[k] = names[k - 1]; names[k - 1] = swap }
}
FNR == NR {
  if ($0 ~ /^#/ || $0 ~ /^libraries:/) next
  for (i = 1; i <= NF; i++) allowed[$i]
  next
}
NF < 2 { next }
{ file = file_of($1); if (!(file in known)) { known[file]; files++ } }
$(NF - 1) == "T" { owner[$NF] = file }
$(NF - 1) == "U" { users[++uses] = file; used[uses] = $NF }
END {
  for (i = 1; i <= uses; i++) {
    if (!(used[i] in owner)) continue
    from = users[i]; to = owner[used[i]]
    if (from == to || (from, to) in calls) continue
    calls[from, to] = used[i]; edges++
    callers[edges] = from; callees[edges] = to; out[from]++; into[to]++
  }
  do {
    taken = 0
    for (i = 1; i <= edges; i++) {
      if (gone[i] || (out[callees[i]] > 0 && into[callers[i]] > 0)) continue
      gone[i] = 1; taken++; out[callers[i]]--; into[callees[i]]--
    }
  } while (taken > 0)
  for (i = 1; i <= edges; i++) if (!gone[i]) { left[callers[i]]; left[callees[i]]; next_of[callers[i]] = next_of[callers[i]] " " callees[i] }
  for (file in left) {
    split("", seen); tail = 0; head = 0; queue[++tail] = file
    while (head < tail) {
      n = split(next_of[queue[++head]], nexts, " ")
      for (k = 1; k <= n; k++) if (!(nexts[k] in seen)) { seen[nexts[k]]; reach[file, nexts[k]]; queue[++tail] = nexts[k] }
    }
  }
  for (file in left) {
    if (!((file, file) in reach)) continue
    first = file
    for (other in left) if ((file, other) in reach && (other, file) in reach && other < first) first = other
    circle[first] = circle[first] " " file; size[first]++
    if ((rule = rule_of(file)) == "") is_new[first] = 1
    else met[rule]
  }
  for (first in circle) starts[++circles] = first
  sort_names(starts, circles)
  for (c = 1; c <= circles; c++) {
    first = starts[c]
    inside += size[first]
    n = split(circle[first], names, " ")
    sort_names(names, n)
    text = is_new[first] ? "circle:" : "circle that the rules name:"
    for (i = 1; i <= n; i++) text = text " " names[i]
    print text
    if (!is_new[first]) continue
    faults++
    for (i = 1; i <= n; i++) for (k = 1; k <= n; k++)
      if ((names[i], names[k]) in calls) printf "  %s calls %s of %s\n", names[i], calls[names[i], names[k]], names[k]
  }
  for (rule in allowed) if (!(rule in met)) { printf "%s is in no circle: take it out of the rules\n", rule; faults++ }
  printf "call graph: %d files, %d calls between files, %d circles of %d files, %d faults\n", files, edges, circles, inside, faults
  exit faults > 0 || edges == 0
}
