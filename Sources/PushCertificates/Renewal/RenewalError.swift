internal import OpenSSL

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
