/// The first part of a URL that a rule does not match.
public struct RuleFailure: Equatable, Sendable {
    /// A part of a URL that patterns are about.
    public enum Part: String, Sendable {
        case path, query, fragment
    }

    public let part: Part
    /// The pattern as the file writes it, without the `NOT ` of a legacy path; `name=pattern` for an item of the query.
    public let pattern: String
    /// What stands in the URL; for an item of the query `name=value`, or nothing if it is missing.
    public let value: String

    init(part: Part, pattern: String, value: [UInt8]) {
        self.part = part
        self.pattern = pattern
        self.value = String(decoding: value, as: UTF8.self)
    }
}
