package import AppSiteAssociation
internal import URLPatterns

/// A text of the file, in which captures may be inserted, in one or more languages.
package struct LocalizedTemplate: Sendable {
    enum Piece: Equatable, Sendable {
        case literal([UInt8])
        /// A capture of the route, by its number.
        case capture(Int)
    }

    /// The text in each language; in any language where that is nil. The one for languages without a text comes first.
    let entries: [(language: PageLanguage?, pieces: [Piece])]

    /// The text in a language, or what there is instead, with the captures of a URL.
    package func text(in language: PageLanguage, _ captures: RouteCaptures) -> PageText {
        let entry = entries.first { $0.language == language } ?? entries.first
        let pieces = (entry?.pieces ?? []).map { piece -> PageText.Piece in
            switch piece {
            case .literal(let text): .literal(text)
            case .capture(let number): .inserted(Self.shown(captures.bytes(number)))
            }
        }
        return PageText(pieces)
    }

    /// The text that a capture is shown as: decoded, and cut.
    private static func shown(_ capture: [UInt8]) -> [UInt8] {
        // No character has more than twelve bytes of escapes.
        let text = EscapedText.decoded(Array(capture.prefix(12 * LinkLimits.maxShownCapture)))
        return Array(String(text.unicodeScalars.prefix(LinkLimits.maxShownCapture)).utf8)
    }
}
