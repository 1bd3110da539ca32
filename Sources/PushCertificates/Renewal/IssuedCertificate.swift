public import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// A certificate as Apple gives it for a request: without its key.
public struct IssuedCertificate: Sendable {
    /// The certificate: its kind, topics and validity.
    public let certificate: PushCertificate
    /// The findings about it at any time, without those about its key.
    public let findings: [Diagnostic]
    let encoded: X509Certificate

    /// - Parameter bytes: A certificate in DER or PEM. Certificates of authorities may lie beside it.
    /// - Throws: `RenewalError.Code.unsuitableFile` if it is anything else.
    public init(_ bytes: [UInt8], with reader: CertificateFileReader) throws(RenewalError) {
        let budget = ReadingBudget()
        let parsed: ParsedFile
        do throws(CertificateFileError) {
            parsed = try reader.parse(bytes, password: nil, budget: budget)
        } catch {
            throw error.code == .passwordRequired ? Self.isPKCS12 : RenewalError(.unsuitableFile, error.sentence)
        }
        guard parsed.container != .pkcs12 else { throw Self.isPKCS12 }
        guard !parsed.isTokenKey else {
            throw RenewalError(
                .unsuitableFile,
                "this is a token key (.p8), not a certificate; servers use it unchanged, and it does not expire")
        }
        let file = FileClassifier(context: reader.context, budget: budget).classify(parsed)
        // The same one may be in it twice.
        var known: Set<[UInt8]> = []
        let indices = parsed.certificates.indices.filter { index in
            index < file.certificates.count && known.insert(parsed.certificates[index].x509.der).inserted
        }
        let leaves = indices.filter { file.certificates[$0].kind != .ca }
        let candidates = leaves.isEmpty ? indices : leaves
        guard let index = candidates.first, candidates.count == 1 else {
            let names = candidates.map { quotedIdentifier(file.certificates[$0].subjectCommonName ?? "") }.prefix(5)
            throw RenewalError(
                .unsuitableFile,
                "it has \(candidates.count) certificates (\(names.joined(separator: ", "))); put the new one into a file of its own"
            )
        }
        certificate = file.certificates[index]
        findings = file.findings.filter { $0.certificate == index && !Self.isAboutFile($0) }
        encoded = parsed.certificates[index].x509
    }

    private static let isPKCS12 = RenewalError(
        .unsuitableFile,
        "this is a PKCS #12 file, not a certificate as downloaded from Apple; name the downloaded .cer, in DER or PEM")

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
        // Where it is not a push certificate, who issued it is a note elsewhere; here somebody took it for one of Apple's.
        return warnings
            + findings.filter { $0.severity != .note || $0.is(.notAppleIssued) }.map(\.sentence)
    }
}

/// Why a renewal does not go on.
public struct RenewalError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private enum Kind: Sendable {
            case invalidSubject, invalidPassword, unsuitableFile, noMatchingKey, differentTopic, differentContent,
                library
        }

        private let kind: Kind

        /// A request cannot have this name, address or country.
        public static let invalidSubject = Code(kind: .invalidSubject)
        /// No file can have this password.
        public static let invalidPassword = Code(kind: .invalidPassword)
        /// A file is not what it should be.
        public static let unsuitableFile = Code(kind: .unsuitableFile)
        /// None of the keys is the certificate's.
        public static let noMatchingKey = Code(kind: .noMatchingKey)
        /// The new certificate cannot take the place of the one in use.
        public static let differentTopic = Code(kind: .differentTopic)
        /// A file does not hold what was written.
        public static let differentContent = Code(kind: .differentContent)
        /// OpenSSL cannot.
        public static let library = Code(kind: .library)
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
