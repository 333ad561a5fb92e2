# What tests of the lists of witnesses share: sourced by witnesses_test.sh and history_test.sh, after `affirm` is set.
faults=0 cases=0 others=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}
# lines LIST: its lines, without the blanks around the fields, for `IFS='|' read -r`. No process starts for a field: the lists have hundreds of lines.
lines() { sed '/^#/d; /^$/d; s/^ *//; s/ *| */|/g; s/ *$//' "$1" >"$scratch/lines"; }

# contains SCOPE CASE TEXT: writes the case to $scratch/case; the text is a part of it
contains() {
  "$affirm" exhaust --scope "$1" --case "$2" >"$scratch/case" 2>"$scratch/error" && grep -qF -e "$3" "$scratch/case"
}
