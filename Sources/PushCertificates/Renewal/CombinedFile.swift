internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// A PKCS #12 file of a new certificate and its key, as servers want it.
///
/// Source: push-certificates.md, section 10.
public struct CombinedFile: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        /// 3DES, SHA-1 and 2048 iterations: what all systems read, macOS too.
        case compatible
        /// AES-256, PBKDF2 and SHA-256. macOS refuses it.
        case modern
    }

    /// The whole file.
    public let bytes: [UInt8]
    private let certificate: PushCertificate
    private let password: Password
    private let reader: CertificateFileReader

    /// - Parameters:
    ///   - password: Not empty, UTF-8.
    ///   - includesIssuer: Whether Apple's intermediate certificate G4 is put in too.
    /// - Throws: `RenewalError.Code.invalidPassword`, `RenewalError.Code.noMatchingKey`, or `RenewalError.Code.library` if
    ///   OpenSSL cannot.
    public init(
        _ certificate: IssuedCertificate, key: RenewalKey, password: Password, form: Form = .compatible,
        includesIssuer: Bool = false, with reader: CertificateFileReader
    ) throws(RenewalError) {
        try password.checkForNewFile()
        guard key.belongs(to: certificate) else {
            throw RenewalError(.noMatchingKey, "the private key does not match the certificate")
        }
        let issuer = includesIssuer ? AppleAuthority.g4.certificate(in: reader.context) : nil
        guard !includesIssuer || issuer != nil else { throw RenewalError(.library, "the built-in G4 cannot be read") }
        do throws(OpenSSLError) {
            bytes = try Self.writer(form).write(
                certificate.encoded, key: key.key, friendlyName: Self.friendlyName(certificate.certificate),
                issuers: issuer.map { [$0] } ?? [], password: password.bytes)
        } catch {
            throw RenewalError(error)
        }
        self.certificate = certificate.certificate
        self.password = password
        self.reader = reader
    }

    private static func writer(_ form: Form) -> PKCS12Writer {
        switch form {
        case .compatible: PKCS12Writer(.tripleDES, iterations: 2_048)
        // More than 300 000 are refused by .NET, which counts them to be safe from hostile files.
        case .modern: PKCS12Writer(.aes256, iterations: 250_000)
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
