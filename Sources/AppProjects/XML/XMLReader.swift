package import Android
internal import BoundedText
internal import CExpat
package import Diagnostics
internal import SystemSupport

/// An XML file that was read.
package struct XMLDocument: Sendable {
    /// The text that all ranges refer to: the file's own, or the converted one if it was UTF-16.
    package let source: SourceText
    package let root: XMLElement
}

/// Reads XML (XML 1.0, fifth edition) into a tree with positions.
///
/// Nothing but the text itself is read: no external entity, no declared entity, no default of an attribute. A text that
/// declares or uses any is refused, so that no text costs more than its own size.
package enum XMLReader {
    /// The limits up to which a text is read.
    package struct Limits: Sendable {
        package var bytes = 4 << 20
        package var levels = 512
        /// The most elements and attributes together.
        package var nodes = 100_000

        package init() {}
    }

    /// The functions of libexpat.
    private nonisolated(unsafe) static let expat = Result { () throws(MissingLibrary) -> c_expat_table in
        try OpenedLibrary.functions("libexpat.so.1", name: "libexpat", package: "libexpat1", into: c_expat()) {
            c_expat_open($0, $1).map { String(cText: $0) }
        }
    }

    /// Reads what begins like XML.
    ///
    /// - Returns: Nil for anything else.
    static func readIfXML(_ bytes: [UInt8], path: String) throws(AppProjectError) -> XMLDocument? {
        // The first character is a bracket, in any encoding that XML has.
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : bytes.first.map { $0 >= 0xFE ? 2 : 0 } ?? 0
        let first = bytes.dropFirst(start).first { ![0x20, 0x09, 0x0A, 0x0D, 0].contains($0) }
        return first == UInt8(ascii: "<") ? try read(bytes, path: path) : nil
    }

    /// - Parameter path: What messages call the file.
    package static func read(
        _ bytes: [UInt8], path: String, limits: Limits = Limits()
    ) throws(AppProjectError) -> XMLDocument {
        let isWide = WideText.isWide(bytes)
        let source = SourceText(isWide ? WideText.converted(bytes) : bytes, path: path)
        func failure(_ reason: String, at offset: Int = 0, help: String? = nil) -> AppProjectError {
            AppProjectError(
                .unusable, path, "the XML cannot be read: \(reason)", help: help,
                position: source.position(at: offset))
        }
        let expat: c_expat_table
        do throws(MissingLibrary) { expat = try Self.expat.get() } catch { throw AppProjectError(error, path) }
        guard bytes.count <= limits.bytes, let count = Int32(exactly: source.bytes.count) else {
            throw failure("it is larger than \(limits.bytes >> 20) MiB")
        }
        // What was UTF-16 still says so in its declaration.
        guard let parser = c_XML_ParserCreate(expat, isWide ? "UTF-8" : nil) else {
            throw failure("there is not enough memory")
        }
        defer { c_XML_ParserFree(expat, parser) }
        let builder = TreeBuilder(expat, parser, source.bytes, limits)
        builder.setHandlers()
        let status = source.bytes.withUnsafeBytes {
            c_XML_Parse(expat, parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        }
        if let refusal = builder.refusal { throw failure(refusal.message, at: refusal.offset) }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let reason = c_XML_error(expat, parser).map { String(cText: $0) } ?? "nothing in it"
            let offset = max(0, Int(c_XML_GetCurrentByteIndex(expat, parser)))
            throw failure(reason, at: offset, help: help(source.bytes, at: offset))
        }
        return XMLDocument(source: source, root: root)
    }

    /// An `&` that is not the beginning of a reference is the most frequent mistake.
    private static func help(_ bytes: [UInt8], at offset: Int) -> String? {
        let before = bytes[..<min(offset + 1, bytes.count)].suffix(20)
        guard let mark = before.lastIndex(of: UInt8(ascii: "&")), !before[mark...].contains(UInt8(ascii: ";")) else {
            return nil
        }
        return "write '&amp;' for '&'"
    }
}

/// Makes the tree out of what the parser reports.
private final class TreeBuilder {
    private let expat: c_expat_table
    private let parser: XML_Parser
    private let bytes: [UInt8]
    private let limits: XMLReader.Limits
    private var open: [XMLElement] = []
    /// The text of each open element, as far as it was read.
    private var texts: [[UInt8]] = []
    private var nodes = 0
    private(set) var root: XMLElement?
    /// Why the rest is not read.
    private(set) var refusal: (message: String, offset: Int)?

    init(_ expat: c_expat_table, _ parser: XML_Parser, _ bytes: [UInt8], _ limits: XMLReader.Limits) {
        self.expat = expat
        self.parser = parser
        self.bytes = bytes
        self.limits = limits
    }

    /// The builder must live until the parser is done.
    func setHandlers() {
        c_XML_SetUserData(expat, parser, Unmanaged.passUnretained(self).toOpaque())
        c_XML_SetElementHandler(
            expat, parser,
            { data, name, attributes in TreeBuilder.of(data)?.start(name, attributes) },
            { data, _ in TreeBuilder.of(data)?.end() })
        c_XML_SetCharacterDataHandler(
            expat, parser, { data, text, count in TreeBuilder.of(data)?.add(text, Int(count)) })
        c_XML_SetEntityDeclHandler(
            expat, parser,
            { data, _, _, _, _, _, _, _, _ in
                TreeBuilder.of(data)?.refuse("it declares an entity, and declared entities are not read")
            })
        c_XML_SetAttlistDeclHandler(
            expat, parser,
            { data, _, _, _, _, _ in
                TreeBuilder.of(data)?.refuse("it declares attributes, and such declarations are not read")
            })
        c_XML_SetSkippedEntityHandler(
            expat, parser,
            { data, _, _ in TreeBuilder.of(data)?.refuse("it uses an entity that is declared elsewhere") })
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> TreeBuilder? {
        data.map { Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private var offset: Int { min(max(0, Int(c_XML_GetCurrentByteIndex(expat, parser))), bytes.count) }

    private var range: SourceRange {
        let start = offset
        return SourceRange(
            start: start, end: min(start + max(0, Int(c_XML_GetCurrentByteCount(expat, parser))), bytes.count))
    }

    private func refuse(_ message: String) {
        guard refusal == nil else { return }
        refusal = (message, offset)
        c_XML_StopParser(expat, parser)
    }

    private func start(
        _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard refusal == nil, let name else { return }
        guard open.count < limits.levels else { return refuse("it is nested more than \(limits.levels) levels deep") }
        let count = max(0, Int(c_XML_GetSpecifiedAttributeCount(expat, parser)) / 2)
        nodes += 1 + count
        guard nodes <= limits.nodes else {
            return refuse("it has more than \(limits.nodes) elements and attributes")
        }
        let range = range
        var attributes: [XMLElement.Attribute] = []
        if count > 0, let list {
            attributes.reserveCapacity(count)
            var scanner = StartTagScanner(bytes, range)
            for index in 0..<count {
                guard let name = list[2 * index], let value = list[2 * index + 1] else { break }
                attributes.append(
                    XMLElement.Attribute(
                        name: String(cText: name), value: String(cText: value), range: scanner.nextValue()))
            }
        }
        open.append(XMLElement(name: String(cText: name), attributes: attributes, tagRange: range))
        texts.append([])
    }

    private func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
        guard refusal == nil, let text, let last = texts.indices.last else { return }
        let range = range
        if texts[last].isEmpty { open[last].textRange = range } else { open[last].textRange.end = range.end }
        texts[last].append(
            contentsOf: UnsafeRawBufferPointer(start: UnsafeRawPointer(text), count: count))
    }

    private func end() {
        guard refusal == nil, var element = open.popLast(), let text = texts.popLast() else { return }
        element.text = String(text: text)
        if let last = open.indices.last { open[last].children.append(element) } else { root = element }
    }
}

/// Finds the values of attributes in a start tag that the parser has accepted.
private struct StartTagScanner {
    private let bytes: [UInt8]
    private let range: SourceRange
    private var offset: Int

    init(_ bytes: [UInt8], _ range: SourceRange) {
        self.bytes = bytes
        self.range = range
        offset = range.start
    }

    /// The bytes between the next quotes.
    mutating func nextValue() -> SourceRange {
        while offset < range.end, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "'") {
            offset += 1
        }
        guard offset < range.end else { return range }
        let quote = bytes[offset]
        let start = offset + 1
        offset = start
        while offset < range.end, bytes[offset] != quote { offset += 1 }
        defer { offset += 1 }
        return SourceRange(start: start, end: offset)
    }
}

/// Texts in UTF-16, which become UTF-8 before they are read, so that positions are those that are shown.
private enum WideText {
    static func isWide(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, UInt8(ascii: "<")), (UInt8(ascii: "<"), 0): true
        default: false
        }
    }

    static func converted(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes[0] == 0xFE || bytes[0] == 0
        let hasMark = bytes[0] >= 0xFE
        let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index]) << (isBig ? 8 : 0) | UInt16(bytes[index + 1]) << (isBig ? 0 : 8)
        }
        // What is not well-formed would have been an error of the parser, and an unpaired half becomes a character that
        // no name or host has.
        return BoundedText.utf8(of: units)
    }
}
