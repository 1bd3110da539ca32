internal import BoundedText
internal import Diagnostics

/// Files without a certificate: what they look like instead, and what to do.
enum ForeignContent {
    static let request = error(
        "this is a certificate signing request, not yet a certificate",
        "upload it to Apple's developer portal, and check the .cer file that comes back")
    static let revocationList = error(
        "this is a list of revoked certificates, not a certificate", "check the file that contains the certificate")
    static let publicKey = error(
        "this is a public key, not a certificate", "check the file that contains the certificate")
    static let bundle = error(
        "this is a PKCS #7 container, as .p7b and .mobileprovision files are",
        "extract its certificates with 'openssl pkcs7 -print_certs', or download the .cer file")

    static func key(isEncrypted: Bool) -> CertificateFileError {
        error(
            "this is \(isEncrypted ? "an encrypted" : "a") private key without a certificate",
            "check the file that contains the certificate")
    }

    /// - Parameter bytes: Neither PEM nor base64, nor anything that begins like a certificate or a PKCS #12.
    static func error(_ bytes: ArraySlice<UInt8>) -> CertificateFileError {
        let text = TextStart(bytes)
        if text.isEmpty { return error("the file is empty", "download or export it again") }
        if text.isHTML {
            return error(
                "this is a web page, not a certificate; it may be the sign-in page of Apple's portal",
                "sign in and download the certificate again")
        }
        if text.isUTF16 { return error("this is text in UTF-16", "save it as UTF-8 or ASCII") }
        if text.begins(with: ["ssh-", "ecdsa-sha2-", "---- begin ssh2"]) {
            return error("this is an SSH key", "check the file that contains the certificate")
        }
        if text.begins(with: ["<?xml", "<!doctype plist", "<plist", "bplist"]) {
            return error("this is a property list", "check the file that contains the certificate")
        }
        if text.begins(with: ["PK\u{3}\u{4}"]) { return error("this is a ZIP archive", "unpack it first") }
        if text.begins(with: ["kych"]) {
            return error("this is a keychain", "export the certificate with its key from Keychain Access as .p12")
        }
        if [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]].contains(Array(bytes.prefix(4))) {
            return error("this is a Java keystore", "convert it with 'keytool -importkeystore -deststoretype pkcs12'")
        }
        switch KeyShape(bytes) {
        case .key: return key(isEncrypted: false)
        case .bundle: return bundle
        case nil:
            return CertificateFileError(
                .notACertificate,
                "this is neither a certificate nor a PKCS #12 file in a known format",
                advice: "check the file that contains the certificate")
        }
    }

    /// - Parameter element: Begins like a certificate, and is none; nil if it is nothing that is known.
    static func error(signed element: BERElement) -> CertificateFileError? {
        switch SignedShape(element) {
        case .request: request
        case .revocationList: revocationList
        case .encryptedKey: key(isEncrypted: true)
        case .publicKey: publicKey
        case nil: nil
        }
    }

    /// - Parameter labels: Of the blocks of a PEM file, in which there is neither a certificate nor a token key.
    static func error(labels: [String]) -> CertificateFileError {
        func has(_ parts: String...) -> Bool { labels.contains { label in parts.contains { label.hasSuffix($0) } } }
        if has("CERTIFICATE REQUEST") { return request }
        if has("ENCRYPTED PRIVATE KEY") { return key(isEncrypted: true) }
        if has("OPENSSH PRIVATE KEY") {
            return error("this is an SSH key", "check the file that contains the certificate")
        }
        if has("PRIVATE KEY") { return key(isEncrypted: false) }
        if has("X509 CRL") { return revocationList }
        if has("PKCS7", "CMS") { return bundle }
        if has("PUBLIC KEY") { return publicKey }
        let first = labels.first.map { quoted($0) } ?? "nothing"
        return CertificateFileError(
            .notACertificate,
            "this is a PEM file that contains \(first) but no certificate",
            advice: "check the file that contains the certificate")
    }

    private static func error(_ message: String, _ advice: String) -> CertificateFileError {
        CertificateFileError(.notACertificate, message, advice: advice)
    }
}

/// The beginning of a file, taken as text.
struct TextStart {
    /// The text in lower case, without a byte order mark and white space before it.
    private let text: ArraySlice<UInt8>
    let isUTF16: Bool
    /// Whether there is nothing but white space.
    var isEmpty: Bool { text.isEmpty }

    private static let length = 1024

    init(_ bytes: ArraySlice<UInt8>) {
        isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        text = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.prefix(Self.length)
    }

    var isHTML: Bool {
        begins(with: ["<!doctype html", "<html", "<head", "<script"])
            || begins(with: ["<"]) && String(text: text.map(ASCIICase.lowercased)).contains("<html")
    }

    /// - Parameter beginnings: ASCII; case does not matter.
    func begins(with beginnings: [String]) -> Bool {
        beginnings.contains { ASCIICase.begins(text, with: $0) }
    }
}

/// Text in which upper and lower case of ASCII are the same.
enum ASCIICase {
    static func begins(_ text: some Sequence<UInt8>, with beginning: String) -> Bool {
        text.prefix(beginning.utf8.count).elementsEqual(beginning.utf8) { lowercased($0) == lowercased($1) }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// The kinds of a SEQUENCE that begins with neither a SEQUENCE nor the number 3.
enum KeyShape {
    /// A private key in PKCS #8 or in the form of its algorithm.
    case key
    /// A PKCS #7 or CMS container.
    case bundle

    init?(_ bytes: ArraySlice<UInt8>) {
        do throws(ReadingError) {
            var file = BERReader(bytes)
            var inside = try BERReader(inside: file.next(.sequence))
            guard let first = try inside.next(), let second = try inside.next() else { return nil }
            if first.isUniversal(.objectIdentifier), second.isContext(0) {
                self = .bundle
            } else if first.isUniversal(.integer), let version = first.unsigned, version <= 1 {
                guard second.isUniversal(.sequence) || second.isUniversal(.octetString) || second.isUniversal(.integer)
                else { return nil }
                self = .key
            } else {
                return nil
            }
        } catch {
            return nil
        }
    }
}

/// The kinds of a SEQUENCE that looks like a certificate from afar: it begins with a SEQUENCE.
enum SignedShape {
    /// RFC 2986.
    case request
    /// RFC 5280, section 5.1.
    case revocationList
    /// RFC 5958, section 3.
    case encryptedKey
    /// RFC 5280, section 4.1.2.7.
    case publicKey

    /// Nil if it is none of them, which a certificate is not either.
    init?(_ element: BERElement) {
        do throws(ReadingError) {
            var outside = try BERReader(inside: element)
            let first = try outside.next(.sequence)
            let second = try outside.next()
            var inside = try BERReader(inside: first)
            if try inside.next(if: { $0.isUniversal(.objectIdentifier) }) != nil {
                if second?.isUniversal(.octetString) == true {
                    self = .encryptedKey
                } else if second?.isUniversal(.bitString) == true {
                    self = .publicKey
                } else {
                    return nil
                }
                return
            }
            guard let shape = try Self.signed(&inside) else { return nil }
            self = shape
        } catch {
            return nil
        }
    }

    /// The shape that the elements of the signed part have.
    private static func signed(_ inside: inout BERReader) throws(ReadingError) -> SignedShape? {
        let version = try inside.next { $0.isUniversal(.integer) }
        // A revocation list has the algorithm, the issuer and a time; a request has a name, a key and attributes.
        let first = try inside.next(.sequence)
        let second = try inside.next(.sequence)
        guard let third = try inside.next() else { return nil }
        var start = try BERReader(inside: first)
        let isAlgorithm = try start.next { $0.isUniversal(.objectIdentifier) } != nil
        if isAlgorithm, third.tagClass == 0, third.number == 23 || third.number == 24 { return .revocationList }
        var key = try BERReader(inside: second)
        let hasAlgorithm = try key.next { $0.isUniversal(.sequence) } != nil
        return version != nil && !isAlgorithm && hasAlgorithm && third.isContext(0) ? .request : nil
    }
}
