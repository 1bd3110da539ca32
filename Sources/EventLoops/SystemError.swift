internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the call.
    package let call: String
    /// The value of `errno`.
    package let number: Int32

    /// For example `permission denied`.
    package let reason: String

    /// - Parameter reason: what the system says to the number, unless there is something clearer to say.
    package init(call: String, number: Int32 = errno, reason: String? = nil) {
        self.call = call
        self.number = number
        let text = String(cString: strerror(number))
        self.reason = reason ?? text.prefix(1).lowercased() + text.dropFirst()
    }

    package var description: String { "\(call): \(reason)" }

    package var isAddressInUse: Bool { number == EADDRINUSE }
    package var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    /// A port that needs no right cannot be bound, or not even a socket made: a filter of the service manager forbids it.
    package func isForbiddenByUnit(_ address: SocketAddress) -> Bool {
        number == EAFNOSUPPORT && !address.isIPv6 || isPermissionDenied && address.port >= 1_024
    }
    /// The address is none of this machine, or its family is switched off.
    package var isAddressUnavailable: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }
}
