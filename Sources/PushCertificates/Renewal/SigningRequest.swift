internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// The subject of a request for a certificate; Apple ignores it.
///
/// Source: push-certificates.md, section 10.
public struct SigningRequestSubject: Sendable, Equatable {
    /// Like `Push com.example.app 2026`; of a longer name the beginning.
    public let commonName: String
    public let email: String?
    /// Two upper-case letters.
    public let country: String?
    /// A name for files without an ending, like `push-com.example.app-20261121`.
    public let stem: String

    /// - Parameters:
    ///   - name: What people recognise, best the bundle ID; at most 155 characters.
    ///   - email: An address in ASCII.
    ///   - country: A country by its two letters (ISO 3166-1).
    ///   - now: Seconds since 1970.
    /// - Throws: `RenewalError.Code.invalidSubject`.
    public init(name: String, email: String? = nil, country: String? = nil, now: Int64) throws(RenewalError) {
        try Self.check(name: name)
        if let email { try Self.check(email: email) }
        if let country { try Self.check(country: country) }
        // Four digits for the year, whatever the clock says.
        let date = InternetDate.day(min(max(now, 0), Self.lastSecond)).split(separator: "-")
        commonName = "Push \(Self.beginning(name, count: Self.roomForName)) \(date.first ?? "")"
        self.email = email
        self.country = country?.uppercased()
        stem = "push-\(Self.fileName(name))-\(date.joined())"
    }

    /// The longest bundle ID that Apple allows.
    private static let longestName = 155
    /// The room for the app's name in a common name (RFC 5280, appendix A.1: 64), without `Push ` and a year.
    private static let roomForName = 54
    /// The room for the app's name in a file name, in bytes (255 on Linux), without the text before and after.
    private static let roomForFileName = 200
    /// RFC 5280, appendix A.1.
    private static let longestEmail = 255
    /// The last second of the year 9999.
    private static let lastSecond: Int64 = 253_402_300_799

    private static func check(name: String) throws(RenewalError) {
        func refuse(_ reason: String) -> RenewalError {
            RenewalError(.invalidSubject, "the name \(quoted(name)) \(reason)")
        }
        guard name.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw refuse("is empty; use the bundle ID, for example")
        }
        guard name.unicodeScalars.first?.properties.isWhitespace == false,
            name.unicodeScalars.last?.properties.isWhitespace == false
        else { throw refuse("begins or ends with white space; remove it") }
        guard VisibleText.escaped(name).utf8.elementsEqual(name.utf8) else {
            throw refuse("has control or invisible characters; remove them")
        }
        guard name.unicodeScalars.count <= longestName else {
            throw refuse("has \(name.unicodeScalars.count) characters; shorten it to \(longestName)")
        }
    }

    private static func check(email: String) throws(RenewalError) {
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard email.utf8.count <= longestEmail, email.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            parts.count == 2, parts.allSatisfy({ !$0.isEmpty })
        else {
            throw RenewalError(
                .invalidSubject,
                "\(quoted(email)) is not an e-mail address in ASCII of at most \(longestEmail) characters; expected one like 'push@example.com'"
            )
        }
    }

    private static func check(country: String) throws(RenewalError) {
        guard country.utf8.count == 2, country.utf8.allSatisfy({ (0x41...0x5A).contains($0 & ~0x20) }) else {
            throw RenewalError(
                .invalidSubject,
                "\(quoted(country)) is not a two-letter country code; expected one like 'DE' or 'US'")
        }
    }

    /// The name without what means something to a file system or a shell.
    private static func fileName(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isPlain =
                scalar.isASCII
                ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "._-+@".unicodeScalars.contains(scalar)
                : !scalar.properties.isWhitespace
            let shown = isPlain ? scalar : "-"
            guard result.utf8.count + UTF8.width(shown) <= roomForFileName else { break }
            result.unicodeScalars.append(shown)
        }
        return result
    }

    private static func beginning(_ name: String, count: Int) -> String {
        var result = ""
        result.unicodeScalars.append(contentsOf: name.unicodeScalars.prefix(count))
        return result
    }
}

/// A new key, and the request with which Apple makes a certificate for it.
///
/// RSA with 2048 bits and SHA-256 (push-certificates.md, section 10). Only the public key comes back in the certificate: who
/// loses the private key loses the certificate.
public struct SigningRequest: Sendable {
    /// The request in PEM.
    public let text: [UInt8]
    public let isKeyEncrypted: Bool
    private let keyText: SecretBytes

    /// Makes a new key; that takes about a tenth of a second.
    ///
    /// - Parameter keyPassword: What the key is encrypted with (PBES2, AES-256, PBKDF2 with SHA-256); nil for not at all.
    /// - Throws: `RenewalError.Code.invalidPassword`, or `RenewalError.Code.library` if OpenSSL cannot.
    public init(
        _ subject: SigningRequestSubject, keyPassword: Password? = nil, with reader: CertificateFileReader
    ) throws(RenewalError) {
        if let keyPassword { try keyPassword.checkForNewFile() }
        let parts: (text: SecretBytes, keyText: SecretBytes)?
        do throws(OpenSSLError) {
            parts = try Self.make(subject, password: keyPassword, in: reader.context)
        } catch {
            throw RenewalError(error)
        }
        guard let parts else { throw RenewalError(.library, "out of memory") }
        text = parts.text.withBytes { $0 }
        keyText = parts.keyText
        isKeyEncrypted = keyPassword != nil
    }

    /// Lends the private key in PEM (PKCS #8); neither the bytes nor slices of them may outlive the call.
    public func withKeyText<Result, Failure>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keyText.withBytes(body)
    }

    /// The iterations that OWASP recommends for PBKDF2 with HMAC-SHA-256.
    static let keyIterations: Int32 = 600_000

    private static func make(
        _ subject: SigningRequestSubject, password: Password?, in context: LibraryContext
    ) throws(OpenSSLError) -> (text: SecretBytes, keyText: SecretBytes)? {
        let key = try PrivateKey.makeRSA(bits: 2_048, in: context)
        let request = try CertificateRequest.make(subject: subject.attributes, key: key)
        let keyText: SecretBytes?
        if let password {
            let encrypted = try key.encryptedPKCS8(password: password.bytes, iterations: keyIterations)
            keyText = PEMText.block("ENCRYPTED PRIVATE KEY", encrypted)
        } else {
            keyText = key.pkcs8.flatMap { PEMText.block("PRIVATE KEY", $0) }
        }
        guard let keyText, let text = PEMText.block("CERTIFICATE REQUEST", request) else { return nil }
        return (text, keyText)
    }
}

extension SigningRequestSubject {
    fileprivate var attributes: [CertificateRequest.Attribute] {
        var attributes = [CertificateRequest.Attribute("2.5.4.3", commonName, as: .utf8)]
        if let email { attributes.append(.init("1.2.840.113549.1.9.1", email, as: .ia5)) }
        if let country { attributes.append(.init("2.5.4.6", country, as: .printable)) }
        return attributes
    }
}

extension SigningRequest {
    /// The public key of a request in DER or PEM, as `SubjectPublicKeyInfo` in DER; nil if it is something else.
    package static func publicKeyInfo(of bytes: [UInt8]) -> [UInt8]? {
        guard PEMBlocks.isPEM(bytes[...]) else { return publicKeyInfo(der: bytes[...]) }
        var blocks = PEMBlocks(bytes[...])
        while let block = try? blocks.next() {
            guard block.label.hasSuffix("CERTIFICATE REQUEST") else { continue }
            return block.decoded()?.withBytes { publicKeyInfo(der: $0[...]) }
        }
        return nil
    }

    /// `SEQUENCE { CertificationRequestInfo, … }`, the latter beginning with version, subject and key (RFC 2986, section 4).
    private static func publicKeyInfo(der bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var file = BERReader(bytes)
        guard let request = try? file.next(.sequence), case .request = SignedShape(request),
            var outside = try? BERReader(inside: request), let first = try? outside.next(.sequence),
            var inside = try? BERReader(inside: first), (try? inside.next(.integer)) != nil,
            (try? inside.next(.sequence)) != nil, let key = try? inside.next(.sequence)
        else { return nil }
        return Array(key.encoded)
    }
}
