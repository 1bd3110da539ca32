package import Diagnostics
package import SystemSupport

/// Why a text could not be read as XML.
package struct XMLReadingError: Error, Sendable {
    package enum Code: Sendable {
        /// It is not well-formed.
        case malformed
        /// It has more of something than is read, or something that is not read at all.
        case refused
        /// libexpat is not on this machine.
        case missingLibrary(MissingLibrary)
    }

    package let code: Code
    /// One clause, lower case, without a full stop.
    package let message: String
    package let source: SourceText
    /// Where in the source.
    package let offset: Int
}
