internal import Diagnostics
internal import SystemSupport

/// HTML in which text never becomes markup: a literal is markup, which only the sources of this program can have, and every
/// value in it is escaped for its context, as in `html += "<a href=\"\(address)\">\(name)</a>"`.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []

    init(stringLiteral markup: StaticString) { append(markup) }

    init(stringInterpolation parts: StringInterpolation) { bytes = parts.html.bytes }

    static func += (html: inout HTML, other: HTML) { html.bytes += other.bytes }

    /// The parts of a literal, which has each attribute from one quotation mark to the other.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html: HTML = ""
        private var isInAttribute = false

        init(literalCapacity: Int, interpolationCount: Int) {
            html.bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ markup: StaticString) {
            html.append(markup)
            for index in 0..<markup.utf8CodeUnitCount where markup.utf8Start[index] == UInt8(ascii: "\"") {
                isInAttribute.toggle()
            }
        }

        /// In an attribute, hidden characters become U+FFFD.
        mutating func appendInterpolation(_ text: some StringProtocol) {
            if isInAttribute { html.plain(text) } else { html.text(text) }
        }

        mutating func appendInterpolation(_ number: Int) { html.bytes += String(number).utf8 }

        /// Text where no element can be, as in a title; hidden characters become U+FFFD.
        mutating func appendInterpolation(plain text: String) { html.plain(text) }

        mutating func appendInterpolation(_ other: HTML) { html += other }
    }

    private mutating func append(_ markup: StaticString) {
        bytes += UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount)
    }

    /// Characters that cannot be seen, or that change the direction of others, are shown as their numbers in a box.
    private mutating func text(_ text: some StringProtocol) {
        guard text.utf8.contains(where: Self.isSpecial) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            if Self.isHidden(scalar) {
                append("<span class=\"hidden-character\">")
                bytes += Self.codePoint(scalar).utf8
                append("</span>")
            } else {
                append(scalar)
            }
        }
    }

    private mutating func plain(_ value: some StringProtocol) {
        if value.utf8.contains(where: Self.isSpecial) {
            for scalar in value.unicodeScalars { append(Self.isHidden(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar) }
        } else {
            bytes += value.utf8
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "&": bytes += "&amp;".utf8
        case "<": bytes += "&lt;".utf8
        case ">": bytes += "&gt;".utf8
        case "\"": bytes += "&quot;".utf8
        case "'": bytes += "&#39;".utf8
        default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    /// Whether a byte may belong to something that is not written as it is.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    /// Controls but the tab, marks of direction, separators of lines, and what has no width; scripts have the same list.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension HTML {
    /// A table that can be scrolled.
    ///
    /// - Parameters:
    ///   - label: names it for those who do not see it, as the caption does.
    ///   - headings: those of the columns, each a `th`.
    ///   - rows: writes them.
    mutating func table(
        _ id: String, _ label: String, caption: String, headings: HTML, _ rows: (inout HTML) -> Void
    ) {
        self += #"""
            <div class="scroll" tabindex="0" role="region" aria-label="\#(label)">
            <table id="\#(id)">
            <caption class="visually-hidden">\#(caption)</caption>
            <thead><tr>\#(headings)</tr></thead>
            <tbody>

            """#
        rows(&self)
        self += "</tbody>\n</table>\n</div>\n"
    }

    /// A table with a plain heading for each column.
    mutating func table(
        _ id: String, _ label: String, caption: String, _ columns: [String], _ rows: (inout HTML) -> Void
    ) {
        let headings = columns.reduce(into: "" as HTML) { $0 += #"<th scope="col">\#($1)</th>"# }
        table(id, label, caption: caption, headings: headings, rows)
    }

    /// A section with a heading.
    mutating func section(_ name: String, _ title: String, _ content: (inout HTML) -> Void) {
        self += #"<section aria-labelledby="\#(name)-heading">\#n<h2 id="\#(name)-heading">\#(title)</h2>\#n"#
        content(&self)
        self += "</section>\n"
    }

    /// A time in UTC to the minute; scripts add the local one.
    ///
    /// - Parameter seconds: Since 1970.
    static func time(_ seconds: Int64) -> HTML {
        #"<time datetime="\#(InternetDate.string(seconds))">\#(InternetDate.dayAndMinute(seconds))</time>"#
    }

    /// Names between which lines break, and nowhere else.
    ///
    /// - Parameter count: The number after which the others are counted.
    static func domains(
        _ names: [String], _ count: Int, _ item: (String) -> HTML = { "<span class=\"domain\">\($0)</span>" }
    ) -> HTML {
        var html: HTML = ""
        for (index, name) in names.prefix(count).enumerated() {
            if index > 0 { html += ", " }
            html += item(name)
        }
        if names.count > count { html += " and \(grouped(names.count - count)) more" }
        return html
    }

    /// Links to the other pages of a list: those before and after this one, and by number; nothing if there are none.
    ///
    /// - Parameters:
    ///   - offset: of the first row on this page.
    ///   - length: the number of rows on a page.
    ///   - link: the address of the page from an offset on.
    mutating func pager(offset: Int, length: Int, count: Int, link: (Int) -> String) {
        guard offset > 0 || offset + length < count else { return }
        let (current, last) = (offset / length + 1, (count + length - 1) / length)
        self += #"<nav class="pager" aria-label="Pages">"#
        if offset > 0 { self += #"<a rel="prev" href="\#(link(max(0, offset - length)))">Previous</a>"# }
        var before = 0
        for page in Set([1, last] + (current - Self.pagesBeside...current + Self.pagesBeside)).sorted()
        where 1...max(1, last) ~= page {
            if page > before + 1 { self += "<span>…</span>" }
            let mark: HTML = page == current ? #" aria-current="page""# : ""
            self += #"<a href="\#(link((page - 1) * length))" aria-label="Page \#(page)"\#(mark)>\#(grouped(page))</a>"#
            before = page
        }
        if offset + length < count { self += #"<a rel="next" href="\#(link(offset + length))">Next</a>"# }
        self += "</nav>\n"
    }

    private static let pagesBeside = 2
}
