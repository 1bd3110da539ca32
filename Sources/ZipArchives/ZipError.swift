package import SystemSupport

/// Why an archive, or something in it, cannot be read.
package enum ZipError: Error, Sendable {
    /// The file cannot be opened or read.
    case unreadable(SystemError)
    /// It is damaged or has more of something than is read: one clause, lower case, without a full stop.
    case unusable(String)
    /// libzip is not on this machine.
    case missingLibrary(MissingLibrary)
}
