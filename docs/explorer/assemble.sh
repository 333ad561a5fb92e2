#!/bin/sh
# Makes the explorer one page that needs nothing else: styles, scripts and the module stand in it, and the examples of examples.txt.
#   assemble.sh ROOT MODULE.wasm PAGE VERSION
set -eu
root=$1 module=$2 page=$3 version=$4
here=$root/docs/explorer
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g'; }

# A case as the explorer reads it: the block, and the given maps under the heading of its question.
case_text() {
  awk -v name="$2" '
    $0 == "# " name { inside = 1; next }
    !inside { next }
    /^$/ { exit }
    $1 == "check" || $1 == "map" && ($2 == "o2i" || $2 == "i2o") {
      if ($2 == "o2i") heading = "Output " $3 " operand " $4 ":"
      if ($2 == "i2o") heading = "Operand " $3 " output " $4 ":"
      block = 1; next
    }
    block && $0 == "end" { block = 0; next }
    block { print; next }
    /^map / { if (heading != "") print heading; heading = ""; sub(/^map /, ""); print; given = 1; next }
    given && /^[ \t]/ { sub(/^[ \t]+/, ""); print }
  ' "$1"
}

text_of() {
  case $1 in
    *#*) case_text "$root/${1%%#*}" "${1#*#}" ;;
    *) cat "$root/$1" ;;
  esac
}

examples() {
  grep -v '^#' "$here/examples.txt" | while IFS="$(printf '\t')" read -r title files; do
    printf '<pre hidden class="example" data-title="%s" data-file="%s">\n' "$title" "$files"
    for file in $files; do
      text=$(text_of "$file")
      [ -n "$text" ] || { echo "assemble.sh: $file is empty" >&2; exit 1; }
      printf '%s\n' "$text" | escape
    done
    echo '</pre>'
  done
}

examples >"$page.examples"
{ printf '<script type="text/plain" id="module">'; gzip -9nc "$module" | base64 -w 0; echo '</script>'; } >"$page.module"
while IFS= read -r line; do
  case $line in
    '<link rel="stylesheet" href="'*) file=${line#*href=\"}; echo '<style>'; cat "$here/${file%%\"*}"; echo '</style>' ;;
    '<script'*' src="'*) file=${line#*src=\"}; printf '%s>\n' "${line%% src=*}"; cat "$here/${file%%\"*}"; echo '</script>' ;;
    '<!-- examples -->') cat "$page.examples" ;;
    '<!-- given -->') echo "<!-- given to affirm $version -->" ;;
    '<!-- module -->') cat "$page.module" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/index.html" >"$page.part"
rm -f "$page.examples" "$page.module"
mv "$page.part" "$page"
