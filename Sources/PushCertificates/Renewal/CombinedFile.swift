internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// A file of a certificate and its key, as servers want it.
///
/// Source: push-certificates.md, section 10.
public struct CombinedFile: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        /// PKCS #12 with 3DES, SHA-1 and 2048 iterations: what all systems read, macOS too.
        case compatible
        /// PKCS #12 with AES-256, PBKDF2 and SHA-256. macOS refuses it.
        case modern
        /// PEM: the certificate, those of its issuers, and the key in PKCS #8.
        case pem
    }

    /// The whole file.
    public let bytes: [UInt8]
    private let certificate: PushCertificate
    private let password: Password?
    private let reader: CertificateFileReader

    /// - Parameters:
    ///   - password: Not empty, UTF-8; nil for none, so that the file alone is enough to use it.
    ///   - issuers: The certificates between it and a root, its issuer's first.
    /// - Throws: `RenewalError.Code.invalidPassword`, `RenewalError.Code.noMatchingKey`, or `RenewalError.Code.library` if
    ///   OpenSSL cannot.
    public init(
        _ certificate: IssuedCertificate, key: RenewalKey, password: Password?, form: Form = .compatible,
        issuers: IssuerChain = IssuerChain(), with reader: CertificateFileReader
    ) throws(RenewalError) {
        if let password { try password.checkForNewFile() }
        guard key.belongs(to: certificate) else {
            throw RenewalError(.noMatchingKey, "the private key does not match the certificate")
        }
        let bytes: [UInt8]?
        do throws(OpenSSLError) {
            bytes =
                form == .pem
                ? try Self.pem(certificate, key.key, password, issuers)
                : try Self.writer(form).write(
                    certificate.encoded, key: key.key, friendlyName: Self.friendlyName(certificate.certificate),
                    issuers: issuers.certificates, password: password?.bytes ?? SecretBytes([]))
        } catch {
            throw RenewalError(error)
        }
        guard let bytes else { throw RenewalError(.library, "out of memory") }
        self.bytes = bytes
        self.certificate = certificate.certificate
        self.password = password
        self.reader = reader
    }

    /// Nil only if memory is lacking. TLS libraries take the first certificate.
    private static func pem(
        _ certificate: IssuedCertificate, _ key: PrivateKey, _ password: Password?, _ issuers: IssuerChain
    ) throws(OpenSSLError) -> [UInt8]? {
        var blocks = ([certificate.encoded] + issuers.certificates).map {
            PEMText.block("CERTIFICATE", $0.der)
        }
        if let password {
            let encrypted = try key.encryptedPKCS8(
                password: password.bytes, iterations: SigningRequest.keyIterations)
            blocks.append(PEMText.block("ENCRYPTED PRIVATE KEY", encrypted))
        } else {
            blocks.append(key.pem)
        }
        var text: [UInt8] = []
        for block in blocks {
            guard let block else { return nil }
            block.withBytes { text += $0 }
        }
        return text
    }

    private static func writer(_ form: Form) -> PKCS12Writer {
        switch form {
        case .compatible: PKCS12Writer(.tripleDES, iterations: 2_048)
        // More than 300 000 are refused by .NET, which counts them to be safe from hostile files.
        case .modern, .pem: PKCS12Writer(.aes256, iterations: 250_000)
        }
    }

    /// The friendly name as Keychain Access and others show it; C ends it at a zero byte, so that there is none then.
    private static func friendlyName(_ certificate: PushCertificate) -> String? {
        guard let name = certificate.subjectCommonName, !name.isEmpty, !name.utf8.contains(0) else { return nil }
        return name
    }

    /// Reads a file as `certcheck` does, and compares it with what was to be written.
    ///
    /// - Throws: `RenewalError.Code.differentContent`.
    public func verify(_ bytes: [UInt8]) throws(RenewalError) {
        let file: CertificateFile
        do throws(CertificateFileError) {
            file = try reader.read(bytes, password: password)
        } catch {
            throw RenewalError(.differentContent, "the new file cannot be read back: \(error.sentence)")
        }
        func require(_ isSame: Bool, _ what: String) throws(RenewalError) {
            guard isSame else { throw RenewalError(.differentContent, "the new file was read back: \(what)") }
        }
        let found = file.certificates.first { $0.sha256 == certificate.sha256 && $0.sha256 != nil }
        guard let found else {
            throw RenewalError(.differentContent, "the new file was read back: it has another certificate")
        }
        try require(found.key == .matching, "its private key does not match its certificate")
        try require(found.kind == certificate.kind, "it is of another kind")
        try require(found.topics == certificate.topics, "it has other topics")
        try require(found.environments == certificate.environments, "it has other environments")
    }
}

/// The certificates of authorities that go into a file with a certificate.
public struct IssuerChain: Sendable {
    let certificates: [X509Certificate]

    /// None.
    public init() { certificates = [] }

    /// Apple's intermediate certificate G4.
    ///
    /// - Throws: `RenewalError.Code.library` if OpenSSL cannot read it.
    public init(builtInWith reader: CertificateFileReader) throws(RenewalError) {
        guard let issuer = AppleAuthority.g4.certificate(in: reader.context) else {
            throw RenewalError(.library, "the built-in G4 cannot be read")
        }
        certificates = [issuer]
    }

    /// - Parameter bytes: Certificates in DER or PEM, each of which has signed the one before it, the first the certificate.
    /// - Throws: `RenewalError.Code.unsuitableFile` if one has not, or if it is something else.
    public init(
        _ bytes: [UInt8], of certificate: IssuedCertificate, with reader: CertificateFileReader
    ) throws(RenewalError) {
        let parsed: ParsedFile
        do throws(CertificateFileError) {
            parsed = try reader.parse(bytes, password: nil, budget: ReadingBudget())
        } catch {
            throw RenewalError(.unsuitableFile, error.sentence)
        }
        guard parsed.certificates.count <= Self.maximumLength else {
            throw RenewalError(
                .unsuitableFile,
                "it has \(parsed.certificates.count) certificates; a chain has \(Self.maximumLength) at most")
        }
        var previous = certificate.encoded
        var chain: [X509Certificate] = []
        for (index, parsed) in parsed.certificates.enumerated() where parsed.x509.der != certificate.encoded.der {
            guard previous.isSigned(by: parsed.x509) else {
                let name = ShownText.line(parsed.commonName ?? "")
                throw RenewalError(
                    .unsuitableFile,
                    "its certificate \(index + 1) ('\(name)') did not issue the one before it; put the issuer of the push "
                        + "certificate first, then the issuer of that one")
            }
            chain.append(parsed.x509)
            previous = parsed.x509
        }
        guard !chain.isEmpty else {
            throw RenewalError(
                .unsuitableFile,
                parsed.isTokenKey ? "this is a token key, not a certificate" : "it has no certificate of an authority")
        }
        certificates = chain
    }

    /// Signatures take time, and no chain to Apple has more than two.
    private static let maximumLength = 10
}

/// A new certificate that is to take the place of one in use.
public struct Replacement: Sendable {
    /// Why it cannot: another user ID, or a topic is missing. Nil if it can.
    public let refusal: RenewalError?
    /// Other things that are worth knowing, a clause each.
    public let warnings: [String]

    /// - Parameter old: The file in use; of several certificates those of the same user ID count.
    /// - Throws: `RenewalError.Code.unsuitableFile` if there is no push certificate in it.
    public init(of old: CertificateFile, by new: PushCertificate) throws(RenewalError) {
        let candidates = old.certificates.filter { ![.ca, .notPush, .tokenKey].contains($0.kind) }
        guard let first = candidates.first else {
            throw RenewalError(
                .unsuitableFile, "it contains no push certificate to compare with; name the file in use")
        }
        let sameUser = candidates.filter { Self.isEqual($0.userID, new.userID) }
        let inUse = sameUser.isEmpty ? [first] : sameUser
        let missing = Self.missingTopics(of: inUse, in: new)
        warnings = Self.warnings(old: inUse, new: new)
        guard sameUser.isEmpty || !missing.isEmpty else {
            refusal = nil
            return
        }
        let reason: String
        if new.kind == .mdm || inUse.contains(where: { $0.kind == .mdm }) {
            reason =
                "the new certificate is for \(Self.name(new)), but the one in use is for \(Self.name(first)): every device would "
                + "have to enroll again; for MDM do not create a new certificate, but renew the same one at identity.apple.com, "
                + "with the same Apple ID"
        } else if sameUser.isEmpty {
            reason =
                "the new certificate is for \(Self.name(new)), but the one in use is for "
                + "\(Self.list(candidates.map(Self.name))); choose the same identifier in Apple's developer portal"
        } else {
            reason =
                "the new certificate lacks \(missing.count == 1 ? "a topic" : "topics") of the one in use: "
                + "\(Self.list(missing.map { quotedIdentifier($0) })); create one of the same kind"
        }
        refusal = RenewalError(.differentTopic, reason)
    }

    /// Bytes are compared: what only looks alike is another topic.
    private static func isEqual(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }

    private static func missingTopics(of old: [PushCertificate], in new: PushCertificate) -> [String] {
        var known = Set(new.topics.map { Array($0.name.utf8) })
        return old.flatMap(\.topics).map(\.name).filter { known.insert(Array($0.utf8)).inserted }
    }

    private static func name(_ certificate: PushCertificate) -> String {
        (certificate.userID ?? certificate.topics.first?.name ?? certificate.subjectCommonName).map {
            quotedIdentifier($0)
        }
            ?? "nothing with a name"
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    private static func warnings(old: [PushCertificate], new: PushCertificate) -> [String] {
        var warnings: [String] = []
        if old.contains(where: { $0.sha256 == new.sha256 && $0.sha256 != nil }) {
            return ["the new certificate is already in use"]
        }
        let missing = APNsEnvironment.allCases.filter { environment in
            old.contains { $0.environments.contains(environment) } && !new.environments.contains(environment)
        }
        for environment in missing {
            warnings.append("the one in use is for \(environment.rawValue), but the new one is not")
        }
        if let team = old.first(where: { !isEqual($0.team, new.team) }) {
            warnings.append(
                "the one in use is from team \(quoted(team.team ?? "")), the new one from \(quoted(new.team ?? ""))")
        }
        if let end = new.notAfter, let last = old.compactMap(\.notAfter).max(), last >= end {
            warnings.append(
                "the one in use expires at \(InternetDate.string(last)), not earlier than the new one (\(InternetDate.string(end)))"
            )
        }
        return warnings
    }
}
