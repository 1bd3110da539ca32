internal import BoundedText
internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the call.
    package let call: String
    /// The value of `errno`.
    package let number: Int32
    /// A clause such as `no such file or directory`.
    package let reason: String

    /// - Parameter reason: What the system says about the number, unless there is something clearer to say.
    package init(call: String, number: Int32 = errno, reason: String? = nil) {
        self.call = call
        self.number = number
        self.reason = reason ?? Self.reason(number)
    }

    package var description: String { "\(call): \(reason)" }

    /// The system's words for an `errno`, in lower case as all messages are.
    private static func reason(_ number: Int32) -> String {
        let text = String(cText: strerror(number))
        // "RFS specific error" and the like keep their capitals.
        let isWord = text.dropFirst().first?.isLowercase ?? false
        return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
    }
}
