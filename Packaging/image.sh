# The container image, as an archive of the OCI image layout. Read by Packaging/package.

# Nobody else on a usual machine has this number.
image_user=65532
# SONAME=PACKAGE of what the program opens when it first needs it: for certificates (acme), HTTP/2, 'aasa doctor',
# stores, QR codes, and what the server remembers.
opened_libraries="libcurl.so.4=libcurl4 libexpat.so.1=libexpat1 libnghttp2.so.14=libnghttp2-14 libpq.so.5=libpq5 libqrencode.so.4=libqrencode4 libsqlite3.so.0=libsqlite3-0 libz.so.1=zlib1g"

make_image() {
    certificates=/etc/ssl/certs/ca-certificates.crt
    [ -r "$certificates" ] || die "there is no '$certificates'; please install the package 'ca-certificates'"
    needs ldd libc-bin
    needs openssl openssl
    case $(uname -m) in
    x86_64) image_architecture=amd64 ;;
    aarch64) image_architecture=arm64 ;;
    *) image_architecture=$(uname -m) ;;
    esac
    image_name=aasa-$version-oci.tar
    tree=$work/root
    put_programs "$tree/usr/bin" aasa
    put_libraries "$tree" aasa
    put "$certificates" "$tree/etc/ssl/certs"
    # Where this machine's OpenSSL looks for them.
    roots=$tree$(openssl version -d | sed 's/^OPENSSLDIR: "\(.*\)"$/\1/')
    mkdir -p "$roots"
    ln -s "$certificates" "$roots/cert.pem"
    printf '%s\n' "root:x:0:0:root:/:/sbin/nologin" "aasa:x:$image_user:$image_user:aasa:/:/sbin/nologin" >"$tree/etc/passwd"
    printf '%s\n' root:x:0: "aasa:x:$image_user:" >"$tree/etc/group"
    printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$tree/etc/nsswitch.conf"
    put Packaging/image/server.json "$tree/etc/aasa"
    mkdir -p "$tree/etc/aasa/sites" "$tree/run" "$tree/var/lib"
    put Packaging/debian/copyright "$tree/usr/share/doc/aasa"
    put LICENSE "$tree/usr/share/doc/aasa"
    archive "$tree" >"$work/layer.tar"
    # The folders of the admin socket, and of the account and the certificates, belong to the user; a new volume takes owner
    # and mode from here.
    mkdir -p "$work/owned/run/aasa" "$work/owned/var/lib/aasa"
    settle "$work/owned"
    chmod 700 "$work/owned/var/lib/aasa"
    tar --append --file="$work/layer.tar" --format=gnu --owner=$image_user --group=$image_user --numeric-owner \
        -C "$work/owned" run/aasa var/lib/aasa

    layout=$work/image
    mkdir -p "$layout/blobs/sha256"
    printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
    diff_id=$(digest "$work/layer.tar")
    gzip -n "$work/layer.tar"
    add_blob "$work/layer.tar.gz"
    layer=$(descriptor application/vnd.oci.image.layer.v1.tar+gzip "$work/layer.tar.gz")
    image_configuration "$diff_id" >"$work/config.json"
    add_blob "$work/config.json"
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{%s},"layers":[{%s}],"annotations":{%s}}' \
        "$(descriptor application/vnd.oci.image.config.v1+json "$work/config.json")" "$layer" "$(labels)" \
        >"$work/manifest.json"
    add_blob "$work/manifest.json"
    # The first annotation is the name for Podman, the second one for Docker.
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{%s,"platform":{"architecture":"%s","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"aasa:%s","io.containerd.image.name":"docker.io/library/aasa:%s"}}]}' \
        "$(descriptor application/vnd.oci.image.manifest.v1+json "$work/manifest.json")" "$image_architecture" \
        "$version" "$version" >"$layout/index.json"
    archive "$layout" >"$work/image.tar"
    finish "$work/image.tar" "$image_name"
}

# needed_by FILE: the libraries that its loader needs, and the loader.
needed_by() {
    ldd "$1" >"$work/ldd"
    ! grep 'not found' "$work/ldd" >&2 || die "this machine lacks a library of '$1'"
    awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' "$work/ldd"
}

# put_libraries ROOT PROGRAM: what its loader needs, where it looks for it, what it opens by itself, and under which
# conditions they are copied.
put_libraries() {
    needed_by "$work/$2" >"$work/linked"
    cp "$work/linked" "$work/all"
    for library in $opened_libraries; do
        # In a folder where the loader has found another one.
        opened=""
        while read -r linked; do
            [ -n "$opened" ] || [ ! -e "${linked%/*}/${library%=*}" ] || opened=${linked%/*}/${library%=*}
        done <"$work/linked"
        [ -n "$opened" ] || die "there is no '${library%=*}'; please install the package '${library#*=}'"
        echo "$opened" >>"$work/all"
        needed_by "$opened" >>"$work/all"
    done
    sort -u "$work/all" >"$work/needed"
    while read -r library; do
        mkdir -p "$1${library%/*}"
        install -m 755 "$library" "$1$library"
        # Debian keeps the files under /usr, and links to that folder.
        package=$(dpkg-query --search "$library" 2>/dev/null || dpkg-query --search "$(readlink -f "$library")" 2>/dev/null) ||
            continue
        package=${package%%:*}
        [ ! -r "/usr/share/doc/$package/copyright" ] || put "/usr/share/doc/$package/copyright" "$1/usr/share/doc/$package"
    done <"$work/needed"
}

# digest FILE
digest() { sha256sum "$1" | cut -d ' ' -f 1; }

# add_blob FILE
add_blob() { cp "$1" "$layout/blobs/sha256/$(digest "$1")"; }

# descriptor TYPE FILE: the members of a descriptor.
descriptor() {
    printf '"mediaType":"%s","digest":"sha256:%s","size":%s' "$1" "$(digest "$2")" "$(stat -c %s "$2")"
}

# The time of the image.
created() { date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ; }

# What the image says of itself, as members of an object.
labels() {
    printf '"org.opencontainers.image.%s":"%s"' title aasa
    printf ',"org.opencontainers.image.%s":"%s"' description 'Serves association files for universal links' \
        version "$version" created "$(created)" licenses Apache-2.0
}

# image_configuration DIFF_ID
image_configuration() {
    probe='"CMD","/usr/bin/aasa","serve","--probe","--config","/etc/aasa/server.json"'
    cat <<END
{"created":"$(created)","architecture":"$image_architecture","os":"linux","config":{"User":"$image_user:$image_user","ExposedPorts":{"8080/tcp":{},"8443/tcp":{}},"Env":["PATH=/usr/bin"],"Entrypoint":["/usr/bin/aasa"],"Cmd":["serve","--config","/etc/aasa/server.json"],"WorkingDir":"/","StopSignal":"SIGTERM","Labels":{$(labels)},"Healthcheck":{"Test":[$probe],"Interval":30000000000,"Timeout":5000000000,"StartPeriod":5000000000,"Retries":3}},"rootfs":{"type":"layers","diff_ids":["sha256:$1"]},"history":[{"created":"$(created)","created_by":"aasa $version"}]}
END
}
