internal import Diagnostics

/// What is said of a file that is none with a certificate: what it looks like, and what to do.
enum ForeignContent {
    static let request = error(
        "a certificate signing request, and no certificate yet",
        "upload it to Apple's developer portal, and check the .cer file that comes back")
    static let revocationList = error(
        "a list of revoked certificates, and no certificate", "check the file that has the certificate in it")
    static let publicKey = error(
        "a public key, and no certificate", "check the file that has the certificate in it")
    static let bundle = error(
        "a PKCS #7 container, as .p7b and .mobileprovision files are",
        "take the certificates out of it with 'openssl pkcs7 -print_certs', or download the .cer file")

    static func key(isEncrypted: Bool) -> CertificateFileError {
        error(
            isEncrypted ? "an encrypted private key without a certificate" : "a private key without a certificate",
            "check the file that has the certificate in it")
    }

    /// - Parameter bytes: Neither PEM nor base64, nor anything that begins like a certificate or a PKCS #12.
    static func error(_ bytes: ArraySlice<UInt8>) -> CertificateFileError {
        let text = TextStart(bytes)
        if text.isEmpty { return error("empty", "download or export it again") }
        if text.isHTML {
            return error(
                "a web page, as the one for signing in to Apple's portal, and not the download",
                "sign in and download the certificate again")
        }
        if text.isUTF16 { return error("text in UTF-16", "save it as UTF-8 or ASCII") }
        if text.begins(with: ["ssh-", "ecdsa-sha2-", "---- begin ssh2"]) {
            return error("an SSH key", "check the file that has the certificate in it")
        }
        if text.begins(with: ["<?xml", "<!doctype plist", "<plist", "bplist"]) {
            return error("a property list", "check the file that has the certificate in it")
        }
        if text.begins(with: ["PK\u{3}\u{4}"]) { return error("a ZIP archive", "unpack it first") }
        if text.begins(with: ["kych"]) {
            return error("a keychain", "export the certificate with its key from Keychain Access as .p12")
        }
        if [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]].contains(Array(bytes.prefix(4))) {
            return error("a Java keystore", "convert it with 'keytool -importkeystore -deststoretype pkcs12'")
        }
        switch KeyShape(bytes) {
        case .key: return key(isEncrypted: false)
        case .bundle: return bundle
        case nil:
            return CertificateFileError(
                .notACertificate,
                "it is neither a certificate nor a PKCS #12 file in any known form; check the file that has the "
                    + "certificate in it")
        }
    }

    /// - Parameter labels: Of the blocks of a PEM file, in which there is neither a certificate nor a token key.
    static func error(labels: [String]) -> CertificateFileError {
        func has(_ parts: String...) -> Bool { labels.contains { label in parts.contains { label.hasSuffix($0) } } }
        if has("CERTIFICATE REQUEST") { return request }
        if has("ENCRYPTED PRIVATE KEY") { return key(isEncrypted: true) }
        if has("OPENSSH PRIVATE KEY") {
            return error("an SSH key", "check the file that has the certificate in it")
        }
        if has("PRIVATE KEY") { return key(isEncrypted: false) }
        if has("X509 CRL") { return revocationList }
        if has("PKCS7", "CMS") { return bundle }
        if has("PUBLIC KEY") { return publicKey }
        let first = labels.first.map { quoted($0) } ?? "nothing"
        return CertificateFileError(
            .notACertificate,
            "it is a PEM file without a certificate, and has \(first) in it; check the file that has the "
                + "certificate in it")
    }

    private static func error(_ what: String, _ advice: String) -> CertificateFileError {
        CertificateFileError(.notACertificate, "it is \(what); \(advice)")
    }
}
