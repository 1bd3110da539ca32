public import Diagnostics

/// A value of a file and where it stands.
public struct Located<Value: Sendable>: Sendable {
    public var value: Value
    /// The whole JSON value, quotes and brackets included.
    public var range: SourceRange

    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}
