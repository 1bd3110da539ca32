/// What a file is checked for.
package enum FileKind: Equatable, Sendable {
    /// An association file of Apple's.
    case association
    /// An `assetlinks.json` of Android's.
    case assetLinks
    /// Any JSON text.
    case json
    /// Something that nothing is known about.
    case other
}
