#!/bin/sh
# Downloads aasa from the releases of the project that the action is from, compares it with their SHA256SUMS, and prints
# its path: fetch.sh [VERSION]. Without a version it is that of the action. AASA_RELEASES names another folder of releases.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
. "$here/failure.sh"
root=${GITHUB_ACTION_PATH:-$(cd "$here/../.." && pwd -P)}

[ "$(uname -s)" = Linux ] || fail "there are releases for Linux only; give the path of an aasa as 'binary'"
machine=$(uname -m)

# A runner keeps an action in …/_actions/OWNER/REPOSITORY/REF: what the variables for it say is that of the workflow's
# action, and empty in some versions.
repository=""
reference=""
case $root in
*/_actions/*/*/*)
    rest=${root##*/_actions/}
    owner=${rest%%/*}
    rest=${rest#*/}
    repository=$owner/${rest%%/*}
    reference=${rest#*/}
    ;;
esac

# is_version TEXT: whether all of it is a version. grep compares lines, and one that matches is enough for it.
is_version() {
    case $1 in
    *"
"*) return 1 ;;
    esac
    printf '%s\n' "$1" | grep -Eqx 'v?[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?'
}

version=${1:-}
if [ -n "$version" ]; then
    is_version "$version" || fail "the input 'version' is '$version'; expected one such as 0.4.0"
elif is_version "$reference"; then
    version=$reference
else
    # A branch, a commit or v1: the release that it comes after is the first one of the changelog.
    version=$(sed -n 's/^## \[\{0,1\}\([0-9][0-9.]*\)\]\{0,1\}.*/\1/p' "$root/CHANGELOG.md" 2>/dev/null | head -n 1)
    is_version "$version" || fail "the action does not know its version; name one as 'version', such as 0.4.0"
fi
version=${version#v}

releases=${AASA_RELEASES:-}
if [ -z "$releases" ]; then
    [ -n "$repository" ] || fail "the action is not from a repository with releases; give the path of an aasa as 'binary'"
    releases=https://github.com/$repository/releases/download
    protocols='=https'
else
    protocols='=https,http,file'
fi

work=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/aasa-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# download URL FILE: returns 1 if there is nothing at that address.
download() {
    code=0
    answer=$(curl --silent --show-error --fail --location --proto "$protocols" --proto-redir "$protocols" \
        --connect-timeout 20 --max-time 300 --retry 3 --write-out '%{http_code}' --output "$2" "$1" 2>"$work/message") ||
        code=$?
    case $code in
    0) return 0 ;;
    37) return 1 ;;
    22) [ "$answer" != 404 ] || return 1 ;;
    esac
    fail "cannot download $1: $(head -n 1 "$work/message")"
}

folder=aasa-$version-linux-$machine
archive=$folder.tar.gz
tag=v$version
download "$releases/$tag/SHA256SUMS" "$work/SHA256SUMS" || {
    tag=$version
    download "$releases/$tag/SHA256SUMS" "$work/SHA256SUMS" || fail "there is no release $version at $releases"
}
expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1; exit }' "$work/SHA256SUMS")
[ -n "$expected" ] ||
    fail "release $version has no program for $machine: its SHA256SUMS does not name $archive; give an aasa as 'binary'"
download "$releases/$tag/$archive" "$work/$archive" || fail "release $version does not have $archive"
actual=$(sha256sum "$work/$archive" | cut -d ' ' -f 1)
[ "$actual" = "$expected" ] ||
    fail "$archive is not what its release names: its SHA-256 is $actual, in SHA256SUMS $expected; nothing of it was run"

tar -xzf "$work/$archive" -C "$work" "$folder/bin/aasa" 2>"$work/message" ||
    fail "$archive has no $folder/bin/aasa: $(head -n 1 "$work/message")"
"$work/$folder/bin/aasa" --version >/dev/null 2>"$work/message" ||
    fail "aasa $version does not run on this machine: $(head -n 1 "$work/message"); it needs Debian 12, Ubuntu 24.04 or later"

# The folder of a runner is its own. In one for everybody another user may have made the folder that is expected.
if [ -n "${RUNNER_TEMP:-}" ]; then
    place=$RUNNER_TEMP/$folder
    mkdir -p "$place"
else
    place=$(mktemp -d "${TMPDIR:-/tmp}/$folder.XXXXXX")
fi
mv -f "$work/$folder/bin/aasa" "$place/aasa"
echo "$place/aasa"
