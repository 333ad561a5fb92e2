#!/bin/sh
# affirm exhaust and affirm merge: runs that are killed at random times, in shards and with two processes; journals that are torn, read-only, on a
# full disk, or from another program. The final result must equal that of an undisturbed run, with each chunk once.
#   exhaust_test.sh AFFIRM
set -u
affirm=$1
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
faults=0
kills=0

fault() { echo "FAULT: $*"; faults=$((faults + 1)); }
# run STATUS ARGUMENT...: its output is in out and err
run() {
  wanted=$1
  shift
  timeout 600 "$affirm" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  [ $got -eq "$wanted" ] || { fault "affirm $*: exit status $got, not $wanted"; sed 's/^/    | /' "$scratch/out" "$scratch/err" | head -8; }
}
complains() { grep -qF -- "$1" "$scratch/err" || fault "the errors lack: $1"; }
chunks() { grep -c '^chunk .* end ................$' "$1"; }

# killed JOURNAL ARGUMENT...: killed after a random time, later each time, and resumed until it ends by itself
killed() {
  journal=$1
  shift
  i=0
  while :; do
    i=$((i + 1))
    [ $i -lt 60 ] || { fault "$* does not end"; return; }
    wait=$(awk -v seed="$kills$$" -v most="$i" 'BEGIN { srand(seed); most = most < 40 ? most : 40 * 2 ^ (most - 40); printf "%.3f", 0.01 + rand() * 0.06 * most }')
    timeout -s KILL "$wait" "$affirm" exhaust --journal "$journal" --resume --jobs 2 --quiet "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [ $status -eq 137 ] || break
    kills=$((kills + 1))
  done
  [ $status -eq 0 ] || { fault "exhaust $*: exit status $status"; head -5 "$scratch/out" "$scratch/err"; }
}

# once JOURNAL...: no chunk has two lines
once() {
  twice=$(sed -n 's/^\(chunk [0-9]*\) .* end ................$/\1/p' "$@" | sort | uniq -d | head -1)
  [ -z "$twice" ] || fault "$twice stands twice in $*"
}

# same FILE FILE: two outputs of merge are equal except for torn lines that they mention
same() {
  grep -v '^not counted: ' "$1" >"$scratch/a"
  grep -v '^not counted: ' "$2" >"$scratch/b"
  cmp -s "$scratch/a" "$scratch/b" || { fault "the union is not the whole"; diff "$scratch/a" "$scratch/b" | head -6; }
}

scopes="collective wrapped boundary"
[ -z "${AFFIRM_FEW:-}" ] || scopes=scan
for scope in $scopes; do
  run 0 exhaust --scope "$scope" --all-judges 0 --jobs 2 --journal "$scratch/$scope.whole"
  run 0 merge "$scratch/$scope.whole"
  cp "$scratch/out" "$scratch/whole"
  killed "$scratch/$scope.killed" --scope "$scope" --all-judges 0
  run 0 merge "$scratch/$scope.killed"
  same "$scratch/out" "$scratch/whole"
  once "$scratch/$scope.killed"
  for shard in 0 1 2; do killed "$scratch/$scope.$shard" --scope "$scope" --all-judges 0 --shard $shard/3; done
  run 0 merge "$scratch/$scope.0" "$scratch/$scope.2" "$scratch/$scope.1"
  same "$scratch/out" "$scratch/whole"
  once "$scratch/$scope.0" "$scratch/$scope.1" "$scratch/$scope.2"
  run 3 merge "$scratch/$scope.0" "$scratch/$scope.0"; complains "in two results"
  run 3 merge -; complains "a journal is a file, not standard input"
  run 2 merge "$scratch/$scope.0"
done
[ $kills -gt 0 ] || fault "no run was killed before its end"

# A record cut at every length: at the end, and in the middle of the journal.
journal=$scratch/torn
run 0 exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$journal"
run 0 merge "$journal"
cp "$scratch/out" "$scratch/whole"
bytes=$(wc -c <"$journal")
for cut in 1 2 20 45 90 ${AFFIRM_FEW:+$((bytes / 2))} $((bytes - bytes / 3)); do
  head -c $((bytes - cut)) "$journal" >"$scratch/cut"
  before=$(chunks "$scratch/cut")
  run 0 exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$scratch/cut" --resume
  run 0 merge "$scratch/cut"
  same "$scratch/out" "$scratch/whole"
  once "$scratch/cut"
  [ "$before" -lt "$(chunks "$journal")" ] || [ $cut -eq 1 ] || fault "cutting $cut bytes tears nothing"
done
half=$((bytes / 2))
{ head -c $half "$journal"; tail -c +$((half + 17)) "$journal"; } >"$scratch/hole"
run 2 merge "$scratch/hole"; grep -q "torn" "$scratch/out" || fault "a hole is not said"
run 0 exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$scratch/hole" --resume
run 0 merge "$scratch/hole"
same "$scratch/out" "$scratch/whole"
sed '3s/ failed 0/ failed 1/' "$journal" >"$scratch/changed"
run 2 merge "$scratch/changed"

# Zeros, as after a power failure; another head; the lines of another scope with as many cases in a chunk.
{ head -c $half "$journal"; head -c 300 /dev/zero; } >"$scratch/zeros"
run 0 exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$scratch/zeros" --resume
run 0 merge "$scratch/zeros"
same "$scratch/out" "$scratch/whole"
for other in 's/ gate / full /' 's/ transpose / reverse /' 's/ all 0 / all 7 /'; do
  sed "1$other" "$journal" >"$scratch/other"
  cmp -s "$journal" "$scratch/other" && fault "the head has no such words: $other"
  run 2 merge "$scratch/other"; grep -q "^0 of " "$scratch/out" || fault "lines count under another head: $other"
  run 3 exhaust --scope transpose --all-judges 0 --journal "$scratch/other" --resume
done
run 0 exhaust --scope reverse --all-judges 0 --jobs 2 --journal "$scratch/reverse"
{ head -n 1 "$journal"; tail -n +2 "$scratch/reverse"; } >"$scratch/mixed"
run 2 merge "$scratch/mixed"; grep -q "^0 of " "$scratch/out" || fault "lines of another scope count"

# A run in which --opcodes excluded every case has proved nothing, and neither has its journal.
run 2 exhaust --scope broadcast --all-judges 0 --opcodes sort --journal "$scratch/excluded"
run 2 merge "$scratch/excluded"; grep -q 'left out 1310' "$scratch/out" || fault "the excluded cases are not counted"
run 2 merge "$scratch/excluded" --json; grep -q '"answer":"open"' "$scratch/out" || fault "a journal without questions is not open"

# A shard without a case has proved nothing. Beside scopes that have some it changes nothing.
run 2 exhaust --scope broadcast --all-judges 0 --shard 500/1000 --json --junit "$scratch/shard.xml"; complains "shard 500/1000 of broadcast has no case"
grep -q '"answer":"open","cases":0' "$scratch/out" || fault "a shard without a case is not open"
grep -q '<error ' "$scratch/shard.xml" || fault "JUnit has no row of a shard without a case"
run 2 exhaust --all-judges 0 --shard 1048575/1048576 --quiet
run 0 exhaust --all-judges 0 --shard 900/1000; grep -q " 0 cases" "$scratch/out" || fault "each scope has a case in shard 900/1000"
run 0 exhaust --all-judges 0 --shard 900/1000 --json
grep -q '"answer":"passed"' "$scratch/out" || fault "no scope has a case in shard 900/1000"
grep '"open":[1-9]\|"answer":"open"' "$scratch/out" && fault "scopes are open, and the status is 0"

# Words of cases that pass.
run 3 exhaust --scope cholesky --only exact; complains "cases that end as 'exact' pass and are not explained"
run 3 exhaust --scope cholesky --only over-approximation; complains "are not explained"
run 0 exhaust --scope cholesky --all-judges 0 --only refused

# A file that is no journal stays as it is.
printf 'my notes' >"$scratch/notes"
run 3 exhaust --scope cholesky --journal "$scratch/notes" --resume; complains "not a journal of affirm exhaust"
[ "$(wc -c <"$scratch/notes")" -eq 8 ] || fault "a file that is no journal was changed"

# An interrupted run names the failed cases that it has found. On a busy machine the interrupt may come before the first one.
# shellcheck disable=SC2016
printf '#!/bin/sh\ntab=$(printf "\\t")\nwhile IFS=$tab read -r number verb rest; do\n  [ "$verb" = hello ] && echo "$number${tab}engine${tab}1${tab}none${tab}analyse" || echo "$number${tab}no answer"\ndone\n' >"$scratch/engine.sh"
for wait in 1 2 4 8 16 32; do
  timeout --foreground --preserve-status -s INT $wait "$affirm" exhaust --scope pad --tier full --jobs 2 --engine-cmd "sh $scratch/engine.sh" >"$scratch/out" 2>"$scratch/err" </dev/null
  grep -q ' broken ' "$scratch/out" && break
done
complains "interrupted at"
grep -q '^affirm exhaust --scope pad --tier full --case [0-9]' "$scratch/out" || fault "an interrupted run names no failed case"

# A scope whose journal cannot be opened has a row beside those of the others.
mkdir "$scratch/several.transpose"
run 3 exhaust --all-judges 0 --opcodes transpose --shard 0/64 --journal "$scratch/several" --json --junit "$scratch/several.xml"
grep -q '"file":".*several.transpose","line":0,"answer":"bad input","reason":"the journal cannot be opened: Is a directory"' "$scratch/out" || fault "no object of a scope without a journal"
grep -q 'name="transpose" .*<error type="bad input"' "$scratch/several.xml" || fault "JUnit has no row of a scope without a journal"

# A full disk: a file that may not grow, and a device that rejects all writes.
(ulimit -f 1; exec "$affirm" exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$scratch/full") >"$scratch/out" 2>"$scratch/err" </dev/null
[ $? -eq 3 ] || fault "a file that may not grow is no error"
complains "cannot be written"
full=$(chunks "$scratch/full")
[ "$full" -gt 0 ] && [ "$full" -lt "$(chunks "$journal")" ] || fault "$full chunks fit on a full disk"
run 0 exhaust --scope transpose --all-judges 0 --jobs 2 --journal "$scratch/full" --resume
run 0 merge "$scratch/full"
same "$scratch/out" "$scratch/whole"
once "$scratch/full"
# merge names the failed cases with the smallest numbers, and how many more the journals have.
run 1 exhaust --scope broadcast --all-judges 0 --jobs 2 --journal "$scratch/many.1" --engine-cmd "sh $scratch/engine.sh" --show 0 --shard 1/2
run 1 exhaust --scope broadcast --all-judges 0 --jobs 2 --journal "$scratch/many.0" --engine-cmd "sh $scratch/engine.sh" --show 0 --shard 0/2
run 1 merge "$scratch/many.1" "$scratch/many.0"
grep -qx 'and 1302 more failed' "$scratch/out" || fault "merge does not say how many more cases failed"
sed -n 's/^affirm exhaust .* --case \([0-9]*\)$/\1/p' "$scratch/out" >"$scratch/numbers"
[ "$(tr '\n' ' ' <"$scratch/numbers")" = '0 1 2 3 4 5 6 7 ' ] || fault "merge names other cases than the first ones: $(cat "$scratch/numbers")"
# merge names failed cases before open ones with smaller numbers.
# shellcheck disable=SC2016
printf '#!/bin/sh\ntab=$(printf "\\t")\nwhile IFS=$tab read -r number verb rest; do\n  case $verb$rest in\n  hello*) echo "$number${tab}engine${tab}1${tab}none${tab}analyse" ;;\n  *"dimensions={2}"*) [ ! -e "%s" ] || sleep 20; echo "$number${tab}no answer" ;;\n  *) echo "$number${tab}undefined${tab}no" ;;\n  esac\ndone\n' "$scratch/slow" >"$scratch/mixed.sh"
run 1 exhaust --scope broadcast --all-judges 0 --jobs 2 --journal "$scratch/mixed.journal" --engine-cmd "sh $scratch/mixed.sh" --show 0
grep -o 'case [0-9]*; case [0-9]*; case [0-9]*$' "$scratch/out" | tr -d 'a-z ' | tr ';' '\n' >"$scratch/first"
[ "$(wc -l <"$scratch/first")" -eq 3 ] || fault "the first failed cases are not in the table of faults"
run 1 merge "$scratch/mixed.journal"
sed -n 's/^affirm exhaust .* --case \([0-9]*\)$/\1/p' "$scratch/out" | head -n 3 | cmp -s - "$scratch/first" || fault "merge names open cases, and not the first failed ones"
grep -q '^and [0-9]* more failed$' "$scratch/out" && grep -q '^and [0-9]* more open$' "$scratch/out" || fault "merge does not say how many more cases failed and are open"

# A run that is interrupted while it explains a failed case has its counts, its named cases, and its row.
more=$(sed -n 's/^and \([0-9]*\) more failed$/\1/p' "$scratch/out")
touch "$scratch/slow"
for form in '' --json; do
  timeout --foreground --preserve-status -s INT 3 "$affirm" exhaust --scope broadcast --all-judges 0 --jobs 1 --journal "$scratch/mixed.journal" --engine-cmd "sh $scratch/mixed.sh" --engine-time 60000 --resume --show 3 \
    --only refused --junit "$scratch/explained.xml" $form >"$scratch/out" 2>"$scratch/err" </dev/null
  [ $? -eq 1 ] || fault "a run interrupted while it explains loses its status"
  complains "interrupted at"
  grep -o 'affirm exhaust --scope broadcast --tier gate --case [0-9]*' "$scratch/out" | sed 's/.* //' | cmp -s - "$scratch/first" || fault "a run interrupted while it explains does not name the first failed cases"
  grep -q "and $((more + 5)) more failed" "$scratch/out" || fault "a run interrupted while it explains does not say how many more failed"
  grep -q "not judged again, so these cases may end otherwise than as 'refused'" "$scratch/out" || fault "an interrupted run does not say that --only selects nothing"
  [ -z "$form" ] || grep -q '"scope":"broadcast","tier":"gate","answer":"failed"' "$scratch/out" || fault "a run interrupted while it explains has no object"
  grep -q 'name="broadcast" .*<failure' "$scratch/explained.xml" || fault "a run interrupted while it explains has no row"
done
rm "$scratch/slow"

# Failed cases outweigh the journal: they are counted and explained.
(ulimit -f 1; exec "$affirm" exhaust --scope broadcast --jobs 2 --journal "$scratch/failed" --engine-cmd "sh $scratch/engine.sh" --show 0) >"$scratch/out" 2>"$scratch/err" </dev/null
[ $? -eq 1 ] || fault "failed cases and a full disk end with another status"
grep -q '^broadcast .* broken .* INCOMPLETE: [1-9][0-9]* of 1310' "$scratch/out" || fault "the cases before the full disk are not counted"
complains "cannot be written"
[ ! -c /dev/full ] || { run 3 exhaust --scope transpose --all-judges 0 --journal /dev/full; complains "cannot be written"; }

# Paths that cannot be written. A user who may write everywhere tests as another user.
mkdir "$scratch/directory"
cp "$journal" "$scratch/directory/there"
chmod 444 "$scratch/directory/there"
chmod 555 "$scratch/directory"
chmod 711 "$scratch"
as_other=
[ ! -w "$scratch/directory" ] || as_other="setpriv --reuid 65534 --regid 65534 --clear-groups"
# rejected ARGUMENT...: writing is not permitted
rejected() {
  $as_other "$affirm" exhaust --scope transpose --all-judges 0 --journal "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  [ $? -eq 3 ] || fault "exhaust --journal $*: not rejected"
  complains "Permission denied"
}
if $as_other "$affirm" exhaust --help >/dev/null 2>&1; then
  rejected "$scratch/directory/new"
  rejected "$scratch/directory/there" --resume
else
  echo "skipped: this user writes in read-only directories and can be nobody else"
fi
run 0 merge "$scratch/directory/there"
run 3 exhaust --scope transpose --all-judges 0 --journal "$scratch/nowhere/new"; complains "No such file"
run 3 exhaust --scope transpose --all-judges 0 --journal "$scratch"; complains "directory"
run 3 exhaust --scope transpose --all-judges 0 --journal "$journal"; complains "--resume"

# The MLIR object is part of the program: a journal is not continued with a different one, unless MLIR is not
# asked.
object=$(dirname "$affirm")/affirm-mlir.so
if [ -r "$object" ] && [ -z "${AFFIRM_FEW:-}" ]; then
  cp "$object" "$scratch/other.so"
  printf 'x' >>"$scratch/other.so"
  run 0 exhaust --scope structure --all-judges 400 --journal "$scratch/mlir"
  run 0 exhaust --scope structure --all-judges 400 --journal "$scratch/mlir" --resume
  AFFIRM_MLIR="$scratch/other.so"
  export AFFIRM_MLIR
  run 3 exhaust --scope structure --all-judges 400 --journal "$scratch/mlir" --resume; complains "another run"
  run 0 exhaust --scope transpose --all-judges 0 --journal "$journal" --resume
  # A form that MLIR rejects is no pass, and neither is a library that is named and cannot be opened.
  sed 's/affine\.for/affine.fxr/g' "$object" >"$scratch/other.so"
  run 2 exhaust --scope structure --all-judges 400
  grep -q "fault  *MLIR rejects it: MLIR rejects the affine form" "$scratch/out" || fault "a form that MLIR rejects is not explained"
  grep -q "not judged [1-9]" "$scratch/out" || fault "a form that MLIR rejects is not counted"
  AFFIRM_MLIR=$scratch/missing.so
  run 3 exhaust --scope structure --all-judges 400; complains "MLIR: cannot be opened"
  unset AFFIRM_MLIR
else
  echo "skipped: no affirm-mlir.so beside the program, or few cases are wanted"
fi

[ $faults -eq 0 ] || { echo "$faults faults"; exit 1; }
echo "$kills runs killed; every union is the whole"
