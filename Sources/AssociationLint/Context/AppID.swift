internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// An app ID in the file, and its parts: in `appID`, `appIDs` or a service's `apps`, or a key of a details dictionary.
///
/// The ranges of its parts are offsets in the UTF-8 form of the string.
struct AppID: Sendable {
    let string: JSONString
    /// The whole string, quotes included.
    let range: SourceRange
    /// The entry of `details`; nil in a service.
    let entry: Int?
    /// Whether it is a key of a details dictionary.
    let isKey: Bool
    let bytes: [UInt8]
    /// The app ID without white space around it.
    let content: Range<Int>
    /// The range before the first dot; everything if there is no dot.
    let prefix: Range<Int>
    /// The range after the first dot; nil if there is none.
    let bundle: Range<Int>?
    private let parent: JSONPointer
    /// The index in the list at ``parent``; nil if it is not in a list.
    private let index: Int?

    private init(
        _ string: JSONString, _ range: SourceRange, entry: Int?, _ parent: JSONPointer, index: Int? = nil,
        isKey: Bool = false
    ) {
        var text = string.text
        let bytes = text.withUTF8 { Array($0) }
        self.string = string
        self.range = range
        self.entry = entry
        self.isKey = isKey
        self.bytes = bytes
        self.parent = parent
        self.index = index
        let start = WhiteSpace.end(from: 0, in: bytes)
        content = start..<WhiteSpace.start(of: bytes.count, in: bytes, notBefore: start)
        let dot = bytes[content].firstIndex(of: UInt8(ascii: "."))
        prefix = start..<(dot ?? content.upperBound)
        bundle = dot.map { [end = content.upperBound] in $0 + 1..<end }
    }

    var pointer: JSONPointer { index.map { parent.element($0) } ?? parent }

    var text: String { string.text }

    var quotedText: String { quoted(string(content)) }

    func string(_ range: Range<Int>) -> String { String(text: bytes[range]) }

    /// The bytes of the file that a part was read from.
    func part(_ range: Range<Int>, in source: SourceText) -> SourceRange {
        string.sourceRange(ofUTF8: range, in: source)
    }

    /// Whether it is neither a placeholder nor an example, and not invalid.
    var mayBeReal: Bool {
        !PlaceholderAppIDRule.isPlaceholder(self) && InvalidAppIDRule.problem(self) == nil
            && !ExampleAppIDRule.isExample(self)
    }

    /// Whether a part consists of what bundle IDs are made of, with something between the dots.
    func isBundleID(_ range: Range<Int>) -> Bool {
        let labels = bytes[range].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isInBundleID) }
    }
}

extension AppID {
    /// All app IDs of a file.
    static func all(entries: [DetailsEntry], services: [SchemaObject]) -> [AppID] {
        var ids: [AppID] = []
        for entry in entries {
            let pointer = entry.object.pointer
            if let key = entry.key {
                ids.append(AppID(key.key, key.keyRange, entry: entry.index, pointer, isKey: true))
            }
            if let node = entry.object["appID"], let string = node.string {
                ids.append(AppID(string, node.range, entry: entry.index, pointer.member("appID")))
            }
            if let apps = entry.object["appIDs"] {
                ids += list(apps, pointer.member("appIDs"), entry: entry.index)
            }
        }
        for service in services { ids += list(service["apps"], service.pointer.member("apps"), entry: nil) }
        return ids
    }

    private static func list(_ node: JSONNode?, _ pointer: JSONPointer, entry: Int?) -> [AppID] {
        (node?.array ?? []).enumerated().compactMap { index, node in
            node.string.map { AppID($0, node.range, entry: entry, pointer, index: index) }
        }
    }
}

// Fixes that show how an app ID looks.
extension AppID {
    /// A fix with a Team ID to fill in.
    ///
    /// - Parameters:
    ///   - bundle: The bundle ID, if it is known.
    ///   - isReplaced: Whether something else is in the place of the Team ID.
    func withTeamID(bundle: String? = nil, isReplaced: Bool = false) -> FixIt {
        let start =
            bundle == nil
            ? "write your Team ID and your bundle ID"
            : isReplaced ? "replace it with your Team ID" : "add your Team ID before it"
        return example("ABCDE12345", bundle ?? "com.example.app", start, note: "; \(Self.whereTeamIDs)")
    }

    /// A fix with this one's prefix.
    func withBundleID() -> FixIt { example(string(prefix), "com.example.app", "add your bundle ID", note: "") }

    private static let whereTeamIDs =
        "find the Team ID at developer.apple.com > Account > Membership details"

    private func example(_ prefix: String, _ bundle: String, _ start: String, note: String) -> FixIt {
        let text = "\(prefix).\(bundle)"
        return FixIt(
            "\(start), e.g. \(quoted(text))\(note)", .displayOnly,
            TextEdit(range: range, replacement: JSONEdits.literal(text)))
    }
}

extension UInt8 {
    /// Whether it can be in a bundle ID, beside dots.
    var isInBundleID: Bool { isLetter || isDigit || self == UInt8(ascii: "-") }
}
