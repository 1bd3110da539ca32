package import Android
package import Diagnostics

/// An Android manifest, which a library reads that the console does without.
package enum ConsoleManifest: Sendable {
    /// - isAsInFile: Whether positions are those of the file itself, which was not converted.
    case read(XMLElement, source: SourceText, isAsInFile: Bool)
    case unusable(FileReport)
    /// This program reads no manifests.
    case unavailable

    /// Reads one from its bytes and its name.
    package typealias Reader = @Sendable (_ bytes: [UInt8], _ name: String) -> ConsoleManifest
}
