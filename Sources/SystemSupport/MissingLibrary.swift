/// A C library that is opened at first use, and is not on this machine.
package struct MissingLibrary: Error, Equatable, Sendable, CustomStringConvertible {
    /// As people call it, for example `libexpat`.
    package let name: String
    /// The Debian package that has it.
    package let package: String
    /// What the system said.
    package let reason: String

    package init(name: String, package: String, reason: String) {
        self.name = name
        self.package = package
        self.reason = reason
    }

    package var description: String { "\(name) cannot be loaded: \(reason)" }

    /// What to do.
    package var help: String { "install it, on Debian with 'apt-get install \(package)'" }
}
