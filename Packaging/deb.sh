# The Debian package. Read by Packaging/package.

# changelog: CHANGELOG.md as Debian has it. Of two versions of one day the later one is a minute younger.
debian_changelog() {
    awk -v maintainer="$(sed -n 's/^Maintainer: //p' Packaging/debian/control)" '
        function wrap(text, first, rest,    words, count, i, line) {
            count = split(text, words, " ")
            line = first
            for (i = 1; i <= count; i++) {
                if (length(line) + length(words[i]) + 1 > 78 && line != first && line != rest) {
                    print line
                    line = rest
                }
                line = line (line == first || line == rest ? "" : " ") words[i]
            }
            print line
        }
        function flush() {
            if (text != "") wrap(text, "  * ", "    ")
            text = ""
        }
        function trailer() {
            flush()
            if (date == "") return
            command = "date -u -R -d \"" date " + " left " minutes\""
            command | getline stamp
            close(command)
            print "\n -- " maintainer "  " stamp
            left--
        }
        FNR == NR { if (/^## \[?[0-9]/) left++; next }
        /^## / {
            trailer()
            date = ""
            if (!match($0, /[0-9]+(\.[0-9]+)+/)) next
            print (started++ ? "\n" : "") "aasa (" substr($0, RSTART, RLENGTH) ") unstable; urgency=medium\n"
            date = $NF
            next
        }
        date == "" { next }
        /^### / { flush(); print (headings[started]++ ? "\n" : "") "  [ " substr($0, 5) " ]"; next }
        /^- / { flush(); text = substr($0, 3); next }
        /^  +[^ ]/ { sub(/^ +/, ""); text = text " " $0; next }
        /^[^ ]/ { flush(); text = $0; next }
        /^$/ { flush() }
        END { trailer() }
    ' CHANGELOG.md CHANGELOG.md
}

make_deb() {
    needs dpkg-deb dpkg
    needs dpkg-shlibdeps dpkg-dev
    architecture=$(dpkg --print-architecture)
    deb_name=aasa_${version}_$architecture.deb
    tree=$work/deb
    doc=$tree/usr/share/doc/aasa
    put_programs "$tree/usr/bin" aasa certcheck
    put_pages "$tree/usr/share/man"
    find "$tree/usr/share/man" -type f -exec gzip -9n {} +
    put_completions "$tree/usr/share/bash-completion/completions" "$tree/usr/share/zsh/vendor-completions" \
        "$tree/usr/share/fish/vendor_completions.d"
    put_units "$tree/usr/lib/systemd/system" /usr/bin
    put Config/sysusers.d/aasa.conf "$tree/usr/lib/sysusers.d"
    put Packaging/server.json "$tree/etc/aasa"
    mkdir -p "$tree/etc/aasa/sites"
    put Packaging/debian/copyright "$doc"
    debian_changelog >"$work/changelog"
    gzip -9n <"$work/changelog" >"$doc/changelog.gz"
    put_guides "$doc"

    mkdir -p "$tree/DEBIAN"
    echo /etc/aasa/server.json >"$tree/DEBIAN/conffiles"
    for script in postinst prerm postrm; do
        install -m 755 "Packaging/debian/$script" "$tree/DEBIAN/$script"
    done
    # In units of 1024 bytes, as dpkg-gencontrol counts: a file is rounded up, anything else is one.
    size=$(find "$tree" -path "$tree/DEBIAN" -prune -o -type f -printf '%s\n' -o -printf '1\n' |
        awk '{ total += int(($1 + 1023) / 1024) } END { print total }')
    depends=$(shared_libraries) || exit 1
    sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
        -e "s/@LIBRARIES@/$depends/" Packaging/debian/control >"$tree/DEBIAN/control"
    (cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | sort | xargs md5sum) >"$work/md5sums"
    put "$work/md5sums" "$tree/DEBIAN"
    settle "$tree"
    # More threads would divide the data elsewhere.
    dpkg-deb -Zxz --threads-max=1 --root-owner-group --build "$tree" "$work/package.deb" >/dev/null
    finish "$work/package.deb" "$deb_name"
}

# put_guides FOLDER: those that are not about the source.
put_guides() {
    for guide in docs/*.md; do
        case $guide in
        docs/architecture.md | docs/benchmarks.md) ;;
        *) put "$guide" "$1" ;;
        esac
    done
    [ ! -d docs/recipes ] || for recipe in docs/recipes/*; do put "$recipe" "$1/recipes"; done
}

# The packages of the shared libraries, as "Depends" has them.
shared_libraries() {
    # The tool wants to be in the folder of a source package.
    mkdir -p "$work/libraries/debian"
    printf 'Source: aasa\n\nPackage: aasa\nArchitecture: any\n' >"$work/libraries/debian/control"
    if ! (cd "$work/libraries" && dpkg-shlibdeps -O "$work/aasa" "$work/certcheck" >depends 2>messages); then
        cat "$work/libraries/messages" >&2
        die "the programs need a library that no Debian package has; build them with 'make build'"
    fi
    libraries=$(sed -n 's/^shlibs:Depends=//p' "$work/libraries/depends")
    # It looks at symbols alone. Packed relocations (RELR) need the loader of glibc 2.36, too.
    least=$(printf '%s' "$libraries" | sed -n 's/.*libc6 (>= \([0-9.]*\)).*/\1/p')
    if needs_relr "$work/aasa" "$work/certcheck" && dpkg --compare-versions "${least:-0}" lt 2.36; then
        libraries=$(printf '%s' "$libraries" | sed 's/\blibc6\b\( ([^)]*)\)\{0,1\}/libc6 (>= 2.36)/')
    fi
    echo "$libraries"
}

# needs_relr PROGRAM...: whether one of them has packed relocations.
needs_relr() {
    for program in "$@"; do
        ! readelf --wide --version-info "$program" | grep -q GLIBC_ABI_DT_RELR || return 0
    done
    return 1
}
