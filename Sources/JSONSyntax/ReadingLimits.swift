/// How large a file may be, and what kind of file is expected.
package struct ReadingLimits: Sendable {
    /// More bytes than this are not read.
    package var hard = 16 << 20
    /// More bytes than this are an error, but read. Nil: no such limit.
    package var size: Int?
    /// More bytes than this are worth a warning. Nil: no such limit.
    package var nearSize: Int?
    /// More findings than this are counted, but not kept.
    package var findings = 20
    /// Levels of brackets, as the system's reader has them.
    package var levels = 512
    /// Whether an `assetlinks.json` of Android is told apart.
    package var recognizesAssetLinks = false

    /// A file that the system fetches: at most 128 KB.
    package static let associationFile = ReadingLimits(
        size: 131_072, nearSize: 128_000, recognizesAssetLinks: true)
    /// A file that Android fetches: at most 1 MiB.
    package static let assetLinksFile = ReadingLimits(size: 1 << 20)
    /// A file of our own, of any size that is read at all.
    package static let configuration = ReadingLimits()
}
