internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// The rows of a service's export, under the names of their columns.
package struct LinkExport {
    /// The kinds of files that links are read from.
    package enum Format: Sendable {
        /// A CSV file or JSON from Firebase Dynamic Links.
        case firebase
        /// A CSV file from Branch.
        case branch
        /// A CSV file with columns of our own.
        case table
    }

    /// A link, as far as the export describes it.
    struct Row {
        var values: [ImportColumn: ImportedText] = [:]
        /// The whole row, or its first value.
        let range: SourceRange

        subscript(column: ImportColumn) -> ImportedText? { values[column] }

        /// Keeps a value, unless one of the same column came before.
        mutating func add(_ text: String, _ range: SourceRange, as column: ImportColumn) {
            let text = text.trimmed
            guard !text.isEmpty, values[column] == nil else { return }
            values[column] = ImportedText(text: text, range: range)
        }
    }

    let source: SourceText
    private(set) var rows: [Row] = []
    /// The findings for which the file is no such export, or rows of it could not be read.
    private(set) var diagnostics: [Diagnostic] = []

    package init(_ bytes: [UInt8], path: String, as format: Format) {
        let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        guard format == .firebase, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            source = SourceText(bytes, path: path)
            readTable(bytes, format)
            return
        }
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        source = json.source
        diagnostics = json.fatalFindings.filter { $0.severity >= .error }
        if diagnostics.isEmpty, let root = json.root { readObjects(root) }
    }

    private mutating func readTable(_ bytes: [UInt8], _ format: Format) {
        var reader = CSVReader(bytes)
        var header: [ImportColumn?] = []
        while let fields = reader.next(), let first = fields.first, let last = fields.last {
            // The rest of the file is in it.
            guard reader.openQuote == nil else { break }
            let range = SourceRange(start: first.range.start, end: last.range.end)
            guard !header.isEmpty else {
                header = fields.map { ImportColumn(String(text: $0.bytes), in: format) }
                if !header.contains(.shortLink), format == .firebase {
                    // The only column without a parameter, whatever its title is: the first one that no name tells.
                    if let index = header.firstIndex(of: nil) { header[index] = .shortLink }
                }
                guard header.contains(.shortLink), header.contains(.link) || header.contains(.ofl) else {
                    diagnostics.append(Diagnostic(.importRow, Self.missingColumns(format), range: range))
                    return
                }
                continue
            }
            var row = Row(range: range)
            for (column, field) in zip(header, fields) {
                if let column { row.add(String(text: field.bytes), field.range, as: column) }
            }
            if !row.values.isEmpty { rows.append(row) }
        }
        if let quote = reader.openQuote {
            diagnostics.append(
                Diagnostic(.importRow, "the value that begins with this quote has no end", range: quote))
        }
        if header.isEmpty, reader.openQuote == nil { diagnostics.append(Diagnostic(.importRow, "the file is empty")) }
    }

    private static func missingColumns(_ format: Format) -> String {
        let expected =
            switch format {
            case .firebase: "'Short link' and 'Deep link (link)', as in an export of Firebase Dynamic Links"
            case .branch: "'url' and '$canonical_url' or '$desktop_url', as in an export of Branch"
            case .table: "'path' and 'to'"
            }
        return "the first line does not name the columns; expected \(expected)"
    }

    /// Reads an array of objects, an object that has such an array, or one object.
    private mutating func readObjects(_ root: JSONNode) {
        let members = root.object?.distinctMembers ?? []
        let isLink = members.contains { ImportColumn($0.key.text, in: .firebase) == .shortLink }
        let inner = members.lazy.compactMap { $0.value.array }.first { $0.contains { $0.object != nil } }
        for node in root.array ?? (isLink ? nil : inner) ?? [root] {
            guard let object = node.object else { continue }
            var row = Row(range: SourceRange(start: node.range.start, end: node.range.start + 1))
            Self.add(object, to: &row, levels: 4)
            if !row.values.isEmpty { rows.append(row) }
        }
        if rows.isEmpty {
            diagnostics.append(
                Diagnostic(
                    .importRow, "no object has 'shortLink' or 'link', as in an export of Firebase Dynamic Links"))
        }
    }

    /// Adds the members of an object and of those within it, and then what the query of a long link says.
    private static func add(_ object: JSONObject, to row: inout Row, levels: Int) {
        var long: JSONNode?
        for member in object.distinctMembers {
            let name = member.key.text
            if let object = member.value.object {
                if levels > 0 { add(object, to: &row, levels: levels - 1) }
            } else if ["longLink", "longDynamicLink"].contains(where: name.hasSameBytes) {
                long = member.value
            } else if let column = ImportColumn(name, in: .firebase), let text = text(member.value) {
                row.add(text, member.value.range, as: column)
            }
        }
        guard let long, let text = long.string?.text, let start = text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return
        }
        let query = text.utf8[start...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
        for item in query.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, let column = ImportColumn(String(text: parts[0]), in: .firebase) else { continue }
            let value = parts[1].map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            row.add(EscapedText.decoded(value), long.range, as: column)
        }
    }

    private static func text(_ node: JSONNode) -> String? {
        switch node.value {
        case .string(let string): string.text
        case .number(let number): number
        case .boolean(let boolean): boolean ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension LinkExport {
    /// The rows of links that were asked for; those without an answer have findings already.
    package init(_ list: ShortLinkList, _ answers: [ShortLinkAnswer]) {
        source = list.source
        for (link, answer) in zip(list.links, answers) {
            var row = Row(range: link.range)
            row.add(link.text, link.range, as: .shortLink)
            switch answer {
            case .unknown(let reason):
                diagnostics.append(Diagnostic(.importRow, "\(quoted(link.text)): \(reason)", range: link.range))
                continue
            case .leads(let destination, let appStoreID, let package):
                row.add(destination, link.range, as: .ofl)
                if let appStoreID { row.add(appStoreID, link.range, as: .isi) }
                if let package { row.add(package, link.range, as: .apn) }
            }
            rows.append(row)
        }
    }
}

extension String {
    /// The text without white space around it.
    var trimmed: String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        return String(scalars: unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
