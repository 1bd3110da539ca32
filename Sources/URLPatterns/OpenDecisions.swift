internal import BoundedText

/// The points that Apple's text leaves open and no recording has shown yet (matching.md, section 7).
///
/// Each is a constant or a function of its own, so that a recording can overturn it here. The reference matcher and the
/// router's index both ask these.
package enum OpenDecisions {
    /// `?` matches `/` like any other character.
    package static let questionMarkMatchesSlash = true

    /// The tail `/*` may be left out after wildcards and variables too: `/*/*` opens `/x`, `/$(lang)/*` opens `/en`. Recorded
    /// is only `/x/*`, which opens `/x`.
    package static let tailIsOptionalBehindWildcards = true

    /// Whether a path pattern, if it ends in `/*`, also matches what is before that tail.
    package static func canOmitTail(_ pattern: [PatternElement]) -> Bool {
        tailIsOptionalBehindWildcards
            || pattern.filter { if case .byte = $0 { false } else { true } } == [.anyRun]
    }

    /// An entry with no app, or with neither `components` nor `paths`, matches nothing.
    package static func canDecide(hasApps: Bool, hasRules: Bool) -> Bool { hasApps && hasRules }

    /// `//` and dot segments inside a path count as they are.
    package static func comparedPath(_ path: [UInt8]) -> [UInt8] { path }
    /// The index looks at paths as they are; where they are not, every rule goes to the reference matcher.
    package static let innerSlashesAndDotsAreLiteral = true

    /// A port and user information in a URL are ignored.
    package static let portAndUserInformationAreIgnored = true

    /// The names of query items fold with `caseSensitive: false`.
    package static let itemNamesFold = true

    /// Beyond ASCII, case folds only with `percentEncoded: false`. A text is folded before it is compared, so the Kelvin sign
    /// is a `k` then, also for `$(alpha)`.
    package static func foldsBeyondASCII(percentEncoded: Bool) -> Bool { !percentEncoded }

    /// The bytes that a `?` takes: one Unicode scalar with `percentEncoded: false`; a byte that belongs to none counts
    /// as one.
    package static func characterLength(_ text: UnsafeRawBufferPointer, at offset: Int, percentEncoded: Bool) -> Int {
        percentEncoded ? 1 : UTF8Scalars.length(text, at: offset)
    }

    /// An escape without two hexadecimal digits stays as it is; `%FF`, which is not a text by itself, becomes its byte.
    package static func decodedEscape(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = hexDigit(high), let low = hexDigit(low) else { return nil }
        return high << 4 | low
    }

    /// An undefined variable, and one without values, matches nothing.
    package static let meaningOfAnUndefinedVariable = PatternElement.oneOf([])

    /// A file's variable may take a built-in's name and then replaces it.
    package static let ownVariablesReplaceBuiltInOnes = true

    /// `$(region)`: ISO 3166-1 and the eight more that Apple's list of 257 has.
    package static let regions = RegionCodes.all

    /// `$(lang)`: ISO 639-1 two-letter and ISO 639-2/T three-letter codes.
    package static let languages = LanguageCodes.all

    /// Several apps are listed in the order of their first appearance in the file (one report says that iOS 15 reversed it).
    package static func listed(_ appIDs: [String]) -> [String] {
        var seen = Set<[UInt8]>()
        return appIDs.filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// An exclusion for one app does not stop another.
    package static let exclusionsStopTheirAppsOnly = true

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
