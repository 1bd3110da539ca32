# shellcheck shell=sh
# How the scripts of the action fail. Read by them.

# annotate SENTENCE: shows it as an error of the workflow's run, whatever it repeats of the inputs.
annotate() {
    printf '%s\n' "$1" | awk '{ gsub(/%/, "%25"); gsub(/\r/, "%0D"); text = text (NR > 1 ? "%0A" : "") $0 }
        END { print "::error title=aasa::" text }' >&2
}

# fail SENTENCE
fail() {
    annotate "$1"
    exit 64
}
