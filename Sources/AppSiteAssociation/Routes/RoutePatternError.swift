/// Why a text is not a route.
public struct RoutePatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value {
            case missingPath, invalidHost, misplacedPart, unexpectedColumn, repeatedColumn, invalidFlag, invalidItem
            case repeatedItem, invalidCapture, invalidName, repeatedName, emptyPattern, unknownVariable, unmatchable
        }
        private let value: Value

        /// The route does not begin with a path.
        public static let missingPath = Code(value: .missingPath)
        /// What comes before the path is not `https://` and a host.
        public static let invalidHost = Code(value: .invalidHost)
        /// A query or a fragment in the path.
        public static let misplacedPart = Code(value: .misplacedPart)
        /// A column is none that a route can have.
        public static let unexpectedColumn = Code(value: .unexpectedColumn)
        /// A column is there twice.
        public static let repeatedColumn = Code(value: .repeatedColumn)
        /// `caseSensitive` or `percentEncoded` is neither `true` nor `false`.
        public static let invalidFlag = Code(value: .invalidFlag)
        /// A part of the query is not `NAME=PATTERN`.
        public static let invalidItem = Code(value: .invalidItem)
        /// The query names an item twice.
        public static let repeatedItem = Code(value: .repeatedItem)
        /// A `{` or a `}` is not part of a capture.
        public static let invalidCapture = Code(value: .invalidCapture)
        /// The name of a capture is not a name.
        public static let invalidName = Code(value: .invalidName)
        /// Two captures have one name.
        public static let repeatedName = Code(value: .repeatedName)
        /// There is nothing where a pattern is expected.
        public static let emptyPattern = Code(value: .emptyPattern)
        /// A variable is none of those that the system has.
        public static let unknownVariable = Code(value: .unknownVariable)
        /// A character can never be in this part of a URL.
        public static let unmatchable = Code(value: .unmatchable)
    }

    public let code: Code
    /// What is the matter, what was expected, and what to do; one clause, without a final period.
    public let message: String
    /// Where in the text, in bytes of UTF-8, counted from 0.
    public let offset: Int
    /// How many bytes from there are meant.
    package let length: Int

    init(_ code: Code, _ range: Range<Int>, _ message: String) {
        self.code = code
        self.message = message
        offset = range.lowerBound
        length = range.count
    }

    /// The message after its column, which is counted from 1.
    public var description: String { "column \(offset + 1): \(message)" }
}
