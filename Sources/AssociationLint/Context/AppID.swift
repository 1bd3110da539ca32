package import Diagnostics
package import JSONSyntax

/// An app ID and what it consists of.
///
/// Offsets are those in the UTF-8 form of the string.
struct AppID {
    let place: AppIDPlace
    let bytes: [UInt8]
    /// The app ID without white space around it.
    let content: Range<Int>
    /// What is in front of the first dot; everything if there is no dot.
    let prefix: Range<Int>
    /// What is behind the first dot; nil if there is none.
    let bundle: Range<Int>?

    init(_ place: AppIDPlace) {
        var text = place.text
        let bytes = text.withUTF8 { Array($0) }
        self.place = place
        self.bytes = bytes
        let start = WhiteSpace.end(from: 0, in: bytes)
        content = start..<WhiteSpace.start(of: bytes.count, in: bytes, notBefore: start)
        let dot = bytes[content].firstIndex(of: UInt8(ascii: "."))
        prefix = start..<(dot ?? content.upperBound)
        bundle = dot.map { [end = content.upperBound] in $0 + 1..<end }
    }

    var quotedText: String { quoted(string(content)) }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The bytes of the file that a part was read from.
    func part(_ range: Range<Int>, in source: SourceText) -> SourceRange {
        place.string.sourceRange(ofUTF8: range, in: source)
    }

    /// Whether nothing says that it is only an example, or none at all.
    var mayBeReal: Bool {
        !PlaceholderAppID.isPlaceholder(self) && InvalidAppID.problem(self) == nil && !ExampleAppID.isExample(self)
    }

    /// Whether a part consists of what bundle IDs are made of, with something between the dots.
    func isBundleID(_ range: Range<Int>) -> Bool {
        let labels = bytes[range].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isInBundleID) }
    }

    /// A fix that shows how an app ID looks, with a Team ID to fill in.
    ///
    /// - Parameters:
    ///   - bundle: The bundle ID, if it is known.
    ///   - isReplaced: Whether something else is in the place of the Team ID.
    func withTeamID(bundle: String? = nil, isReplaced: Bool = false) -> FixIt {
        let start =
            bundle == nil
            ? "write your Team ID and your bundle ID"
            : isReplaced ? "put your Team ID in its place" : "put your Team ID in front"
        return example("ABCDE12345", bundle ?? "com.example.app", start, note: "; \(Self.whereTeamIDs)")
    }

    /// A fix that shows how an app ID with this one's prefix looks.
    func withBundleID() -> FixIt { example(string(prefix), "com.example.app", "add your bundle ID", note: "") }

    private static let whereTeamIDs =
        "find the Team ID at developer.apple.com \u{2192} Account \u{2192} Membership details"

    private func example(_ prefix: String, _ bundle: String, _ start: String, note: String) -> FixIt {
        let text = "\(prefix).\(bundle)"
        return FixIt(
            title: "\(start), e.g. \(quoted(text))\(note)", applicability: .displayOnly,
            edits: [TextEdit(range: place.range, replacement: JSONEdits.literal(text))])
    }
}

extension UInt8 {
    /// Whether it may stand in a bundle ID, beside dots.
    var isInBundleID: Bool { isLetter || isDigit || self == UInt8(ascii: "-") }
}

/// An app ID in the file: in `appID`, `appIDs` or a service's `apps`, or a key of a details dictionary.
package struct AppIDPlace: Sendable {
    package let string: JSONString
    /// The whole string, quotes included.
    package let range: SourceRange
    /// The entry of `details`; nil in a service.
    package let entry: Int?
    /// Which list it stands in; places of one list have equal ones.
    package let list: JSONPointer
    /// The place in that list; nil if it is none.
    let index: Int?
    /// Whether it is a key of a details dictionary.
    package var isKey = false

    package var pointer: JSONPointer { index.map { list.element($0) } ?? list }

    package var text: String { string.text }
}

/// Finds the app IDs of a file.
enum AppIDCollector {
    static func appIDs(entries: [EntryOutline], services: [LevelObject]) -> [AppIDPlace] {
        var places: [AppIDPlace] = []
        for entry in entries {
            let pointer = entry.level.pointer
            if let key = entry.key {
                places.append(
                    AppIDPlace(
                        string: key.key, range: key.keyRange, entry: entry.index, list: pointer, index: nil,
                        isKey: true))
            }
            if let node = entry.level["appID"], let string = node.string {
                let here = pointer.member("appID")
                places.append(
                    AppIDPlace(string: string, range: node.range, entry: entry.index, list: here, index: nil))
            }
            if let apps = entry.level["appIDs"] {
                places += list(apps, pointer.member("appIDs"), entry: entry.index)
            }
        }
        for service in services { places += list(service["apps"], service.pointer.member("apps"), entry: nil) }
        return places
    }

    private static func list(_ node: JSONNode?, _ pointer: JSONPointer, entry: Int?) -> [AppIDPlace] {
        (node?.array ?? []).enumerated().compactMap { index, node in
            node.string.map {
                AppIDPlace(string: $0, range: node.range, entry: entry, list: pointer, index: index)
            }
        }
    }
}
