package import Diagnostics

/// Why a file could not be read.
public struct CertificateFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String, Sendable, CaseIterable {
            case notFound = "not-found"
            case unreadable
            case tooLarge = "too-large"
            case notACertificate = "not-a-certificate"
            case corrupt
            case passwordRequired = "password-required"
            case wrongPassword = "wrong-password"
            case legacyProviderMissing = "legacy-provider-missing"
            case unsupportedAlgorithm = "unsupported-algorithm"
        }

        private let kind: Kind

        /// The path does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The system does not give the content.
        public static let unreadable = Code(kind: .unreadable)
        /// Above one of the limits.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The content is something else, or has no certificate in it.
        public static let notACertificate = Code(kind: .notACertificate)
        /// The kind is known, the content is damaged.
        public static let corrupt = Code(kind: .corrupt)
        /// No password was given, and it does not open without.
        public static let passwordRequired = Code(kind: .passwordRequired)
        /// A password was given, and it does not open.
        public static let wrongPassword = Code(kind: .wrongPassword)
        /// It needs RC2, RC4 or single DES, and OpenSSL's legacy provider is not there.
        public static let legacyProviderMissing = Code(kind: .legacyProviderMissing)
        /// This OpenSSL does not know an algorithm of it.
        public static let unsupportedAlgorithm = Code(kind: .unsupportedAlgorithm)

        /// All of them, in the order in which they are checked.
        public static var all: [Code] { Kind.allCases.map(Code.init(kind:)) }

        /// The stable name, like `wrong-password`.
        public var description: String { kind.rawValue }
    }

    public let code: Code
    /// What is wrong: one clause.
    public let message: String
    /// What to do; nil where nothing is known.
    public let advice: String?

    public init(_ code: Code, _ message: String, advice: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    public var description: String { "\(sentence) [\(code)]" }

    /// Message and advice on one line, for reports that have no other room.
    package var sentence: String { message + (advice.map { "; \($0)" } ?? "") }

    /// The finding about the file at a path.
    package func diagnostic(at path: String) -> Diagnostic {
        Diagnostic(
            code: DiagnosticCode(rawValue: code.description), severity: .error, message: message, subject: .file(path),
            advice: advice)
    }
}
