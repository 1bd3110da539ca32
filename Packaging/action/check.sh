#!/bin/sh
# What action.yml runs. The inputs come in AASA_FILES (one per line), AASA_STRICT, AASA_DOCTOR, AASA_BINARY and
# AASA_VERSION; GITHUB_OUTPUT gets the numbers of errors and warnings. It fails as 'aasa validate' and 'aasa doctor' do.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
. "$here/failure.sh"

case ${AASA_STRICT:-false} in
true) strict=--strict ;;
false) strict="" ;;
*) fail "the input 'strict' is '$AASA_STRICT'; expected 'true' or 'false'" ;;
esac

aasa=${AASA_BINARY:-}
if [ -z "$aasa" ]; then
    aasa=$(sh "$here/fetch.sh" "${AASA_VERSION:-}")
elif ! command -v "$aasa" >/dev/null; then
    fail "the input 'binary' is '$aasa', which is not a program"
fi

report=$(mktemp "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/aasa-report.XXXXXX")
trap 'rm -f "$report"' EXIT
trap 'exit 1' HUP INT TERM
status=0

# check ARGUMENT...: runs aasa, shows and keeps its findings, and notes the first failure.
check() {
    result=0
    "$aasa" "$@" >"$report.new" || result=$?
    cat "$report.new"
    cat "$report.new" >>"$report"
    rm -f "$report.new"
    [ "$status" -ne 0 ] || status=$result
}

# No line is a pattern, and blanks are parts of names.
set -f
old_separators=$IFS
IFS='
'
# shellcheck disable=SC2086 # one word per line
set -- ${AASA_FILES:-.}
IFS=$old_separators
[ $# -gt 0 ] || fail "the input 'files' names no file and no folder"
check validate --format github ${strict:+"$strict"} -- "$@"

# shellcheck disable=SC2086 # one word per domain
set -- ${AASA_DOCTOR:-}
if [ $# -gt 0 ]; then
    if "$aasa" doctor --help >/dev/null 2>&1; then
        check doctor --format github ${strict:+"$strict"} -- "$@"
    else
        annotate "'$("$aasa" --version)' cannot check domains; leave out the input 'doctor', or use a later version"
        [ "$status" -ne 0 ] || status=64
    fi
fi

errors=$(grep -c '^::error ' "$report" || true)
warnings=$(grep -c '^::warning ' "$report" || true)
printf 'errors=%s\nwarnings=%s\n' "$errors" "$warnings" >>"${GITHUB_OUTPUT:-/dev/null}"
if [ -n "$strict" ] && [ "$status" -eq 1 ] && [ "$errors" -eq 0 ]; then
    echo "warnings fail, because the input 'strict' is 'true'"
fi
exit "$status"
