# What tests of the lists of witnesses share: sourced by witnesses_test.sh and history_test.sh, after `affirm` is set.
faults=0 cases=0 others=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}
# field N: of $line, without the blanks around it
field() { printf '%s\n' "$line" | cut -d'|' -f"$1" | sed 's/^ *//; s/ *$//'; }

# contains SCOPE CASE TEXT: writes the case to $scratch/case; the text is a part of it
contains() {
  "$affirm" exhaust --scope "$1" --case "$2" >"$scratch/case" 2>"$scratch/error" && grep -qF -e "$3" "$scratch/case"
}
