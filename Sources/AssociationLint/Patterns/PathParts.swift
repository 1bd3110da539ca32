internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// The parts of a path pattern: scheme and host, the path, a query, a fragment.
struct PathParts {
    /// Scheme and host.
    private(set) var origin: Range<Int>?
    /// From the `?` to the end, or to a fragment.
    private(set) var query: Range<Int>?
    /// From the `#` to the end.
    private(set) var fragment: Range<Int>?
    /// The path itself; empty after a scheme and host, because then everything is wrong.
    let path: Range<Int>

    /// - Parameter present: The bytes that there are.
    init(_ bytes: [UInt8], _ pattern: Range<Int>, _ present: ByteSet, percentEncoded: Bool) {
        if let end = URLInPath.originEnd(bytes, pattern) {
            origin = pattern.lowerBound..<end
            path = pattern.lowerBound..<pattern.lowerBound
            return
        }
        // A decoded path may have a `#`, from `%23`.
        let hasHash = percentEncoded && present.contains(UInt8(ascii: "#"))
        let hash = hasHash ? bytes[pattern].firstIndex(of: UInt8(ascii: "#")) : nil
        fragment = hash.map { $0..<pattern.upperBound }
        let end = hash ?? pattern.upperBound
        let hasQuery = present.contains(UInt8(ascii: "?")) && present.contains(UInt8(ascii: "="))
        query = hasQuery ? Self.queryStart(bytes, pattern.lowerBound..<end).map { $0..<end } : nil
        path = pattern.lowerBound..<(query?.lowerBound ?? end)
    }

    /// The `?` of the first `?name=`.
    static func queryStart(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard var offset = bytes[range].firstIndex(of: UInt8(ascii: "?")) else { return nil }
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "?") else {
                offset += 1
                continue
            }
            var end = offset + 1
            while end < range.upperBound, bytes[end].isInItemName { end += 1 }
            if end > offset + 1, end < range.upperBound, bytes[end] == UInt8(ascii: "=") { return offset }
            offset = end
        }
        return nil
    }
}

/// Moves a query or fragment out of a path pattern into its own key.
enum PathSplit {
    /// - Parameters:
    ///   - part: The part of the path to take out.
    ///   - key: The component key for it.
    ///   - value: The value of the key, as JSON text.
    static func fix(
        _ pattern: FilePattern, _ part: Range<Int>, key: String, _ value: String
    ) -> FixIt? {
        // Something of the path has to stay, and no white space at its end.
        let start = pattern.parsed.body.lowerBound
        let end = WhiteSpace.start(of: part.lowerBound, in: pattern.parsed.bytes, notBefore: start)
        guard let owner = pattern.owner else {
            // Without the part it would match more than was meant: every link to the page.
            let path = (pattern.isLegacyExclusion ? "NOT " : "") + pattern.parsed.string(start..<end)
            let component = DetailsEntry.component(
                ofPath: path + (end == start ? "/" : ""), and: ", \"\(key)\": \(value)")
            let title = "write '\(shortened(component))' in 'components': 'paths' only match the path"
            return FixIt(title, .displayOnly)
        }
        guard owner[key] == nil else { return nil }
        let cut = pattern.edit(end..<part.upperBound, end == start ? "/" : "")
        let member = "'\"\(key)\": \(shortened(value))'"
        return FixIt(
            "move it out of the path and write \(member)", .suggested,
            owner.adding(key, value, to: [cut], in: pattern.source),
            done: "moved \(quoted(pattern.parsed.string(part))) out of the path and wrote \(member)")
    }

    private static func shortened(_ text: String) -> String {
        String(quoted(text).dropFirst().dropLast())
    }
}

/// A query as it was written in a path, to become the value of a component's `?`.
struct QueryText {
    private let text: Substring.UTF8View
    /// Whether Android reads it: only as a dictionary, in which `*` demands the item.
    private let isAndroid: Bool

    /// - Parameter text: The query, with or without its `?`.
    init(_ text: String, isAndroid: Bool = false) {
        self.isAndroid = isAndroid
        let bytes = Substring(text).utf8
        self.text = bytes.first == UInt8(ascii: "?") ? bytes.dropFirst() : bytes
    }

    /// The value of `?`: a dictionary if that says the same but for the order of the items, else a string; nil if Android
    /// has no value that says it.
    var json: String? {
        dictionary ?? (isAndroid ? nil : JSONEdits.literal(String(text: text)))
    }

    /// The items as a dictionary, as JSON text; nil if they cannot be taken apart.
    var dictionary: String? {
        var names = Set<[UInt8]>()
        var members: [String] = []
        let items = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard items.count <= 32 else { return nil }
        // Items that are not in a dictionary do not matter.
        for item in items where !item.elementsEqual("*".utf8) {
            guard let sign = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = Array(item[..<sign])
            let value = String(text: item[item.index(after: sign)...])
            guard name.allSatisfy({ $0.isInItemName && !$0.isUnencoded }), !name.isEmpty, names.insert(name).inserted
            else { return nil }
            // `*` would accept that the item is missing.
            members.append(
                JSONEdits.literal(String(text: name)) + ": "
                    + JSONEdits.literal(value == "*" && !isAndroid ? "?*" : value))
        }
        return members.isEmpty ? nil : "{ " + members.joined(separator: ", ") + " }"
    }
}
