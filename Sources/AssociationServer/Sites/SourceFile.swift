internal import AssociationFiles
internal import Diagnostics
internal import LinkPages
internal import SiteStore
internal import SystemSupport

/// A file of a site as its source has it now.
struct SourceFile {
    enum Content {
        /// - lastModified: seconds since 1970.
        case bytes([UInt8], lastModified: Int64)
        case version(StoredContents)
        /// No bytes, and why.
        case unusable(LocatedDiagnostic)
    }

    /// The `.aasa.json` that the file is judged by.
    enum Configuration {
        /// The nearest one on disk.
        case nearest(folder: String)
        case none
        case text(String, path: String)
    }

    let domain: String
    let file: SiteFile
    /// Names the file in findings.
    let path: String
    let content: Content
    let configuration: Configuration
    /// The version in a store; nil for a file on disk.
    var stored: LoadedFile.StoredVersion?
    /// Whether nothing has written the file while it was read.
    var isSettled = true
    /// The stamp of a file on disk; nil if its bytes can change without changing it.
    var stamp: FileStamp?
    /// Whether this version of the program has found it good before.
    var isChecked = false
    /// When an earlier process has loaded it, in seconds since 1970; nil for now.
    var loadedAt: Int64?
    /// Finds the images that a `links.json` names.
    var images: LinkImageLookup = { _, _ in .missing }
}
