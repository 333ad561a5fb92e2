#!/bin/sh
# Runs cpp_locale.cpp with a locale that is made for the run. Ends with 77 if localedef is not here.
#   cpp_locale_test.sh PROGRAM
set -u
command -v localedef >/dev/null || { echo "there is no localedef"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>/dev/null
LOCPATH=$scratch "$1"
