package import Diagnostics

/// The links of a file, in its order; each is a few numbers, and their texts are in one array of bytes.
package struct LinkList: Sendable, RandomAccessCollection {
    private(set) var texts: [UInt8] = []
    private(set) var records: [Record] = []
    private(set) var titles: [LocalizedText] = []

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

    /// The parts of a link, as they were read.
    struct Parts {
        var path: [UInt8]
        var keyRange: SourceRange
        var kind: LinkKind
        var to: [UInt8]?
        var appURL: [UInt8]?
        var image: LinkImageReference?
        var title: LocalizedTemplate?
        var description: LocalizedTemplate?
        var keepsQuery: Bool
    }

    mutating func append(_ parts: Parts) {
        var record = Record()
        record.path = keep(parts.path)
        record.to = keep(parts.to ?? [])
        record.appURL = keep(parts.appURL ?? [])
        switch parts.image {
        case .url(let url): record.imageURL = keep(url)
        case .served(let index): record.servedImage = Int32(index)
        case nil: break
        }
        record.titles = UInt32(titles.count)
        record.titleCount = keep(parts.title)
        record.descriptionCount = keep(parts.description)
        record.keepsQuery = parts.keepsQuery
        record.kind = parts.kind
        record.keyStart = UInt32(parts.keyRange.start)
        record.keyEnd = UInt32(parts.keyRange.end)
        records.append(record)
    }

    mutating func reserve(_ count: Int) {
        records.reserveCapacity(count)
        titles.reserveCapacity(count)
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
