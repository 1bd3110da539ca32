package import Diagnostics
internal import SystemSupport

/// Why an `--app` argument cannot be used.
package struct AppProjectError: Error, Sendable, CustomStringConvertible {
    package enum Code: Equatable, Sendable {
        /// It is damaged, too large, or nothing that is read (exit code 65).
        case unusable
        /// It is missing or cannot be read (exit code 66).
        case unreadable
        /// A library that is needed to read it is not on this machine (exit code 69).
        case missingLibrary
    }

    package let code: Code
    package let path: String
    /// One clause, lower case, without a full stop.
    package let message: String
    /// What to do; nil if there is nothing to say.
    package let help: String?
    /// The line and column where reading stopped; nil if the file has none.
    package let position: SourcePosition?

    init(
        _ code: Code, _ path: String, _ message: String, help: String? = nil, position: SourcePosition? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.help = help
        self.position = position
    }

    init(_ error: SystemError, _ path: String) { self.init(.unreadable, path, error.reason) }

    init(_ library: MissingLibrary, _ path: String) {
        self.init(.missingLibrary, path, "cannot be read: \(library)", help: library.help)
    }

    /// `PATH[:LINE:COLUMN]: error: MESSAGE`, without the help.
    package var description: String {
        "\(path)\(position.map { ":\($0.line):\($0.column)" } ?? ""): error: \(message)"
    }

    static func notAnApp(_ path: String, help: String? = nil) -> AppProjectError {
        AppProjectError(
            .unusable, path, "not an entitlements file, profile, app, project, app.json or manifest", help: help)
    }

    static func tooLarge(_ path: String, limit: Int) -> AppProjectError {
        AppProjectError(.unusable, path, "larger than \(limit >> 20) MiB, which is more than is read of such a file")
    }
}
