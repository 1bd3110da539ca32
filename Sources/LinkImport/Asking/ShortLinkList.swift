internal import BoundedText
internal import Diagnostics

/// A list of short links, one per line; empty lines and those that begin with `#` are skipped.
package struct ShortLinkList: Sendable {
    /// A line of the list.
    package struct Link: Sendable {
        package let text: String
        let range: SourceRange
    }

    let source: SourceText
    package let links: [Link]

    package init(_ bytes: [UInt8], path: String) {
        source = SourceText(bytes, path: path)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        links = (1...max(source.lineCount, 1)).compactMap { [source] number in
            let line = source.line(number)
            let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
            let text = line[max(line.startIndex, min(start, line.endIndex))...].drop(while: isSpace)
            guard let first = text.first, first != UInt8(ascii: "#"), let last = text.lastIndex(where: { !isSpace($0) })
            else { return nil }
            return Link(
                text: String(text: text[...last]), range: SourceRange(start: text.startIndex, end: last + 1))
        }
    }
}
