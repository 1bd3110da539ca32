package import Diagnostics

/// Why a file could not be read.
public struct CertificateFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The rule of its finding.
        fileprivate let rule: RuleDescription

        /// The path does not exist.
        public static let notFound = Code(rule: .notFound)
        /// The system does not give the content.
        public static let unreadable = Code(rule: .unreadable)
        /// Above one of the limits.
        public static let tooLarge = Code(rule: .tooLarge)
        /// The content is something else, or has no certificate in it.
        public static let notACertificate = Code(rule: .notACertificate)
        /// The kind is known, the content is damaged.
        public static let corrupt = Code(rule: .corrupt)
        /// No password was given, and it does not open without.
        public static let passwordRequired = Code(rule: .passwordRequired)
        /// A password was given, and it does not open.
        public static let wrongPassword = Code(rule: .wrongPassword)
        /// It needs RC2, RC4 or single DES, and OpenSSL's legacy provider is not there.
        public static let legacyProviderMissing = Code(rule: .legacyProviderMissing)
        /// This OpenSSL does not know an algorithm of it.
        public static let unsupportedAlgorithm = Code(rule: .unsupportedAlgorithm)

        /// The stable name, like `wrong-password`.
        public var description: String { rule.code.rawValue }

        public static func == (left: Code, right: Code) -> Bool { left.rule === right.rule }

        public func hash(into hasher: inout Hasher) { hasher.combine(rule.code) }
    }

    public let code: Code
    /// The fault, in one clause.
    public let message: String
    /// The remedy; nil where nothing is known.
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
        Diagnostic(code.rule, message, subject: .file(path), advice: advice)
    }
}
