# The tar archive, for machines without dpkg. Read by Packaging/package.

make_tarball() {
    folder=aasa-$version-linux-$(uname -m)
    tarball_name=$folder.tar.gz
    tree=$work/tarball/$folder
    put_programs "$tree/bin" aasa certcheck
    put_pages "$tree/share/man"
    put_completions "$tree/share/bash-completion/completions" "$tree/share/zsh/site-functions" \
        "$tree/share/fish/vendor_completions.d"
    put_units "$tree/lib/systemd/system" /usr/local/bin
    put Config/sysusers.d/aasa.conf "$tree/lib/sysusers.d"
    put Packaging/server.json "$tree/etc/aasa"
    put LICENSE "$tree"
    put README.md "$tree"
    archive "$work/tarball" | gzip -n >"$work/tarball.tar.gz"
    finish "$work/tarball.tar.gz" "$tarball_name"
}
