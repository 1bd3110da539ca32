package import Diagnostics

/// The links of a file, in its order; each is a few numbers, and their texts are in one array of bytes.
package struct LinkList: Sendable, RandomAccessCollection {
    private(set) var texts: [UInt8] = []
    private(set) var records: [Record] = []
    private(set) var titles: [LocalizedText] = []
    /// The indices of links plus one, by the hashes of their paths.
    private var slots: [UInt32] = []

    package init() {}

    package var startIndex: Int { 0 }
    package var endIndex: Int { records.count }
    package subscript(index: Int) -> Link { Link(list: self, index: index) }

    /// Where a text is in the array of all; empty if there is none.
    struct TextRange: BitwiseCopyable {
        var start: UInt32 = 0
        var count: UInt32 = 0

        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    /// A text in a language, or in any language.
    struct LocalizedText: BitwiseCopyable {
        let language: PageLanguage?
        let text: TextRange
    }

    /// A link, as it is kept: 50,000 of them take some megabytes.
    struct Record: BitwiseCopyable {
        /// In the form in which paths are compared.
        var path = TextRange()
        var to = TextRange()
        var appURL = TextRange()
        var imageURL = TextRange()
        /// The index of a served image; −1 if there is none.
        var servedImage: Int32 = -1
        /// Where its titles, then its descriptions are among the texts with languages.
        var titles: UInt32 = 0
        var titleCount: UInt8 = 0
        var descriptionCount: UInt8 = 0
        var keepsQuery = false
        var kind = LinkKind.page
        /// The key in the file, with its quotes.
        var keyStart: UInt32 = 0
        var keyEnd: UInt32 = 0
    }

    /// Makes room for so many links; more than these cannot be found.
    mutating func reserve(_ count: Int) {
        records.reserveCapacity(count)
        var capacity = 8
        while capacity < 2 * count { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
    }

    mutating func append(_ entry: LinksReader.Entry, path: [UInt8], keyRange: SourceRange) {
        var record = Record()
        record.path = keep(path)
        record.to = keep(entry.to?.constant ?? [])
        record.appURL = keep(entry.appURL?.constant ?? [])
        switch entry.image {
        case .url(let url): record.imageURL = keep(url)
        case .served(let index): record.servedImage = Int32(index)
        case nil: break
        }
        record.titles = UInt32(titles.count)
        record.titleCount = keep(entry.title)
        record.descriptionCount = keep(entry.description)
        record.keepsQuery = entry.keepsQuery
        record.kind = entry.kind
        record.keyStart = UInt32(keyRange.start)
        record.keyEnd = UInt32(keyRange.end)
        records.append(record)
        let free = path.withUnsafeBytes { self.slot(of: $0) }
        slots[free] = UInt32(records.count)
    }

    /// The index of the link with a path, in the form in which paths are compared.
    func index(ofPath path: UnsafeRawBufferPointer) -> Int? {
        guard !slots.isEmpty else { return nil }
        let number = Int(slots[slot(of: path)])
        return number > 0 ? number - 1 : nil
    }

    /// The slot of a path, or the free one where it belongs; at least half of them are free.
    private func slot(of path: UnsafeRawBufferPointer) -> Int {
        // With the secret of this process: nobody can write a file whose paths have the same hash.
        var hasher = Hasher()
        hasher.combine(bytes: path)
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != 0, !isPath(path, of: Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func isPath(_ path: UnsafeRawBufferPointer, of index: Int) -> Bool {
        let own = records[index].path
        guard Int(own.count) == path.count else { return false }
        return texts.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[own.range]).elementsEqual(path) }
    }

    private mutating func keep(_ text: [UInt8]) -> TextRange {
        defer { texts += text }
        return TextRange(start: UInt32(texts.count), count: UInt32(text.count))
    }

    private mutating func keep(_ text: LocalizedTemplate?) -> UInt8 {
        guard let text else { return 0 }
        for entry in text.entries {
            let bytes = entry.pieces.flatMap { piece -> [UInt8] in
                if case .literal(let text) = piece { text } else { [] }
            }
            titles.append(LocalizedText(language: entry.language, text: keep(bytes)))
        }
        return UInt8(text.entries.count)
    }
}

/// A link of a file.
package struct Link: Sendable {
    let list: LinkList
    package let index: Int

    private var record: LinkList.Record { list.records[index] }

    /// The path with a slash before it and none after it, percent-encoded unreserved characters decoded.
    package var path: [UInt8] { [UInt8(ascii: "/")] + list.texts[record.path.range] }
    /// The key in the file, with its quotes.
    package var keyRange: SourceRange { SourceRange(start: Int(record.keyStart), end: Int(record.keyEnd)) }
    package var kind: LinkKind { record.kind }
    package var to: [UInt8]? { text(record.to) }
    package var appURL: [UInt8]? { text(record.appURL) }
    package var keepsQuery: Bool { record.keepsQuery }

    package var image: LinkImageReference? {
        record.servedImage >= 0 ? .served(Int(record.servedImage)) : text(record.imageURL).map { .url($0) }
    }

    /// The title in a language, or what there is instead; nil if there is none.
    package func title(in language: PageLanguage) -> [UInt8]? {
        localized(language, from: Int(record.titles), count: Int(record.titleCount))
    }

    /// The description in a language, or what there is instead; nil if there is none.
    package func description(in language: PageLanguage) -> [UInt8]? {
        localized(
            language, from: Int(record.titles) + Int(record.titleCount), count: Int(record.descriptionCount))
    }

    private func text(_ range: LinkList.TextRange) -> [UInt8]? {
        range.count > 0 ? Array(list.texts[range.range]) : nil
    }

    private func localized(_ language: PageLanguage, from start: Int, count: Int) -> [UInt8]? {
        let texts = list.titles[start..<start + count]
        return (texts.first { $0.language == language } ?? texts.first).map { Array(list.texts[$0.text.range]) }
    }
}
