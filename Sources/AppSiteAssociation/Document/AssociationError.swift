public import Diagnostics

/// Why bytes could not be read as an association file.
public struct AssociationError: Error, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case unreadable }
        private let value: Value

        /// The bytes are not sound JSON; the diagnostics say where.
        public static let unreadable = Code(value: .unreadable)
    }

    public let code: Code
    /// The text that the diagnostics refer to.
    public let source: SourceText
    /// What is wrong, in the order of the text.
    public let diagnostics: [Diagnostic]

    package init(_ code: Code, source: SourceText, diagnostics: [Diagnostic]) {
        self.code = code
        self.source = source
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.map { $0.line(in: source) }.joined(separator: "\n")
    }
}
