internal import Glibc

/// Why the system refused something.
public struct SystemFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// As in `errno`.
    public let number: Int32

    public init(_ number: Int32) {
        self.number = number
    }

    /// What the last call of this thread that failed left.
    public static var last: SystemFailure { SystemFailure(errno) }

    /// A clause such as `No such file or directory`.
    public var description: String { String(cString: strerror(number)) }
}
