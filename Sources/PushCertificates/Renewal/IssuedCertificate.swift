public import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// A certificate as Apple gives it for a request, without its key; or one of a file that has it already.
public struct IssuedCertificate: Sendable {
    /// The certificate: its kind, topics and validity.
    public let certificate: PushCertificate
    /// The findings about it at any time, without those about its file and its key.
    public let findings: [Diagnostic]
    /// Its private key, if that is in the same file.
    public let ownKey: RenewalKey?
    let encoded: X509Certificate

    /// - Parameters:
    ///   - bytes: A certificate in DER or PEM, or a PKCS #12 file. Certificates of authorities may lie beside it.
    ///   - passwords: Are tried one after another on a PKCS #12 file and on keys.
    ///   - serial: The serial number of one of several certificates, in hexadecimal; nil for the only one that is for push.
    /// - Throws: `RenewalError.Code.unsuitableFile` if it is anything else, or if it is not clear which one is meant.
    public init(
        _ bytes: [UInt8], passwords: [Password] = [], serial: String? = nil, with reader: CertificateFileReader
    ) throws(RenewalError) {
        let budget = ReadingBudget()
        let parsed = try Self.parse(bytes, passwords, budget, reader)
        guard !parsed.isTokenKey else {
            throw RenewalError(
                .unsuitableFile,
                "this is a token key (.p8), not a certificate; servers use it unchanged, and it does not expire")
        }
        let file = FileClassifier(context: reader.context, budget: budget).classify(parsed)
        let index = try Self.index(in: file, serial)
        certificate = file.certificates[index]
        findings = file.findings.filter { $0.certificate == index && !Self.isAboutFile($0) }
        let encoded = parsed.certificates[index].x509
        self.encoded = encoded
        ownKey = parsed.keys.lazy.compactMap(\.key).first { $0.belongs(to: encoded) }.map { RenewalKey(key: $0) }
    }

    /// Reads with the first password that opens the file, and its keys.
    private static func parse(
        _ bytes: [UInt8], _ passwords: [Password], _ budget: ReadingBudget, _ reader: CertificateFileReader
    ) throws(RenewalError) -> ParsedFile {
        var locked: ParsedFile?
        for password in passwords.isEmpty ? [nil] : passwords.map(Optional.some) {
            do throws(CertificateFileError) {
                let parsed = try reader.parse(bytes, password: password, budget: budget)
                if !parsed.keys.contains(where: \.isLocked) { return parsed }
                locked = locked ?? parsed
            } catch {
                guard [.passwordRequired, .wrongPassword].contains(error.code) else {
                    throw RenewalError(.unsuitableFile, error.sentence)
                }
            }
        }
        if let locked { return locked }
        throw RenewalError(
            .unsuitableFile,
            passwords.isEmpty
                ? "this PKCS #12 file is protected with a password; name it with --key-password-env"
                : "none of the given passwords opens this PKCS #12 file; name the right one with --key-password-env")
    }

    private static func index(in file: CertificateFile, _ serial: String?) throws(RenewalError) -> Int {
        // The same one may be in it twice.
        var known: Set<[UInt8]> = []
        let indices = file.certificates.indices.filter { index in
            file.certificates[index].sha256.map { known.insert(Array($0.utf8)).inserted } ?? true
        }
        let leaves = indices.filter { file.certificates[$0].kind != .ca }
        var candidates = leaves.isEmpty ? indices : leaves
        if let serial {
            let wanted = digits(serial)
            candidates = candidates.filter { file.certificates[$0].serial.map { digits($0) == wanted } ?? false }
        } else if case let push = candidates.filter({ file.certificates[$0].kind.isForPush }), push.count == 1 {
            candidates = push
        }
        if let index = candidates.first, candidates.count == 1 { return index }
        let all = leaves.isEmpty ? indices : leaves
        let names = all.prefix(5).map { index in
            let certificate = file.certificates[index]
            let serial = certificate.serial.map { ShownText.line($0) } ?? "none"
            return "\(serial) (\(ShownText.line(certificate.title, limit: 80)))"
        }.joined(separator: ", ")
        throw RenewalError(
            .unsuitableFile,
            serial == nil
                ? "it has \(all.count) certificates; choose one by its serial number with --serial: \(names)"
                : "it has \(candidates.isEmpty ? "no certificate" : "several certificates") with this serial number; "
                    + "those in it are \(names)")
    }

    /// The digits of a serial number as programs write them: with colons, in lower case, or with zeros in front.
    private static func digits(_ serial: String) -> [UInt8] {
        let digits = serial.utf8.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") }.map {
            (0x61...0x7A).contains($0) ? $0 & 0xDF : $0
        }
        let start = digits.starts(with: Array("0X".utf8)) ? 2 : 0
        return Array(digits[start...].drop { $0 == UInt8(ascii: "0") })
    }

    /// Whether a finding is about the file that the certificate came in, or the key there; it says nothing of the new one.
    private static func isAboutFile(_ finding: Diagnostic) -> Bool {
        let rules: [RuleDescription] = [.noPrivateKey, .keyMismatch, .keyUnreadable, .unprotectedKey, .authorityFirst]
        return rules.contains(where: finding.is)
    }

    /// The reasons against using it at a time, a clause each; empty if there are none.
    ///
    /// - Parameter now: Seconds since 1970.
    public func warnings(now: Int64) -> [String] {
        var warnings: [String] = []
        if let end = certificate.notAfter, now > end {
            warnings.append("it expired at \(InternetDate.string(end)); Apple's servers reject it")
        } else if let start = certificate.notBefore, now < start {
            warnings.append("it is not valid before \(InternetDate.string(start)); check the clock")
        }
        if certificate.kind == .ca {
            warnings.append("it is the certificate of a certificate authority, which cannot send notifications")
        }
        // Where it is not a push certificate, who issued it is a note elsewhere; here it was taken for one of Apple's.
        return warnings
            + findings.filter { $0.severity != .note || $0.is(.notAppleIssued) }.map(\.sentence)
    }
}

/// Why a renewal does not go on.
public struct RenewalError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable {
        /// A request cannot have this name, address or country.
        case invalidSubject
        /// No file can have this password.
        case invalidPassword
        /// A file is not what it should be.
        case unsuitableFile
        /// None of the keys is the certificate's.
        case noMatchingKey
        /// The new certificate cannot take the place of the one in use.
        case differentTopic
        /// A file does not hold what was written.
        case differentContent
        /// OpenSSL cannot.
        case library
    }

    public let code: Code
    /// A sentence without a final full stop: what is the matter, and what to do.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: OpenSSLError) {
        self.init(.library, "\(error); the OpenSSL in use is \(LibraryContext.version)")
    }

    public var description: String { message }
}
