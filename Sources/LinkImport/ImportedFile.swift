internal import Diagnostics
internal import DomainNames
internal import JSONSyntax
internal import LinkPages
internal import URLPatterns

/// The `links.json` that rows of an export become.
struct ImportedFile {
    /// A link with the members of its object, and the row that it comes from.
    struct Link {
        var members: [String: String] = [:]
        let row: LinkExport.Row
    }

    /// The members of `app`; nil if it has no name.
    private(set) var app: [String: JSONOutput]?
    /// The links by path.
    private(set) var links: [String: Link] = [:]

    init(
        _ rows: ImportRows, _ format: LinkExport.Format, _ options: ImportedLinks.Options,
        _ findings: inout ImportFindings
    ) {
        for link in rows.links { add(link, format, &findings) }
        let label = rows.domain.map { String($0.base.prefix { $0 != "." }) }
        guard let name = options.appName ?? label else { return }
        var app: [String: JSONOutput] = ["name": .string(name)]
        func mostFrequent(_ column: ImportColumn, _ what: String) -> JSONOutput? {
            let values = ImportRows.frequencies(rows.links.map { $0.row[column]?.text })
            for other in values.dropFirst() {
                let text = rows.links[other.first].row[column]
                findings.add(
                    .importOtherApp,
                    "\(counted(other.count, "link has", "links have")) \(what) \(quoted(other.value)), others have "
                        + quoted(values[0].value), text?.range ?? rows.links[other.first].row.range)
            }
            return values.first.map { .string($0.value) }
        }
        if let id = mostFrequent(.isi, "the App Store ID") { app["appStore"] = .object(["id": id]) }
        if let package = mostFrequent(.apn, "the Android app") { app["play"] = .object(["package": package]) }
        if let scheme = mostFrequent(.ius, "the URL scheme") { app["scheme"] = scheme }
        self.app = app
    }

    private mutating func add(
        _ link: ImportRows.Link, _ format: LinkExport.Format, _ findings: inout ImportFindings
    ) {
        var result = Link(row: link.row)
        func take(_ column: ImportColumn, as member: String) {
            guard let value = link.row[column] else { return }
            result.members[member] = Self.secured(value, &findings)
        }
        take(.link, as: "appURL")
        take(.ofl, as: "to")
        if format != .table, let url = result.members["appURL"] {
            result.members["appURL"] = Self.withCampaign(url, link.row)
            if result.members["to"] == nil { result.members["to"] = url }
        }
        if format == .firebase, result.members["to"] == nil {
            findings.add(.importRow, "the link has neither 'link' nor 'ofl'", link.row.range)
            return
        }
        take(.st, as: "title")
        take(.sd, as: "description")
        take(.si, as: "image")
        take(.answer, as: "answer")
        for column in ImportColumn.otherPages {
            guard let other = link.row[column], other.text != link.row[.ofl]?.text,
                Self.https(other.text) != result.members["to"]
            else { continue }
            findings.add(
                .importFallback,
                "'\(column.rawValue)' is \(quoted(other.text)), but the link has one web page for all platforms, "
                    + quoted(result.members["to"] ?? ""), other.range)
        }
        if let known = links[link.path] {
            if known.members != result.members {
                findings.add(
                    .importDuplicate, "\(quoted(link.path)) is there already with other content; the first stays",
                    link.row[.shortLink]?.range ?? link.row.range)
            }
            return
        }
        links[link.path] = result
    }

    /// The URL, with `https` for `http`, and encoded where it has to be.
    private static func secured(_ value: ImportedText, _ findings: inout ImportFindings) -> String {
        let text = EncodedURL.text(of: value.text) ?? value.text
        let url = https(text)
        if url != text {
            findings.add(.importHTTP, "\(quoted(value.text)) is written with 'https'", value.range)
        }
        return url
    }

    private static func https(_ url: String) -> String {
        url.prefix(7).lowercased() == "http://" ? "https://" + url.dropFirst(7) : url
    }

    /// The URL with the parameters of the campaign that its query does not have.
    private static func withCampaign(_ url: String, _ row: LinkExport.Row) -> String {
        let base = url.prefix { $0 != "#" }
        let query = base.drop { $0 != "?" }.dropFirst()
        let names = Set(query.split(separator: "&").map { $0.prefix { $0 != "=" } })
        let items = ImportColumn.campaign.compactMap { column in
            names.contains(column.rawValue[...]) ? nil : row[column].map { "\(column.rawValue)=\(encoded($0.text))" }
        }
        guard !items.isEmpty else { return url }
        let separator = !base.contains("?") ? "?" : query.isEmpty || query.hasSuffix("&") ? "" : "&"
        return base + separator + items.joined(separator: "&") + url[base.endIndex...]
    }

    /// A value as an item of a query has it.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Whether a link is answered with a page, on which the app has a name.
    var hasPages: Bool { links.contains { $0.value.members["answer"] != "redirect" } }

    /// The text of the file, its links sorted by path.
    var text: String {
        let sorted = links.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let lines = sorted.map { path, link in
            "    \(JSONOutput.string(path).text): \(JSONOutput.object(link.members.mapValues { .string($0) }).text)"
        }
        let app = app.map { "  \"app\": \(JSONOutput.object($0).text),\n" } ?? ""
        return "{\n\(app)  \"links\": {\n\(lines.joined(separator: ",\n"))\n  }\n}\n"
    }
}

extension ImportedFile {
    /// The members of links without which a link does its work.
    private static let optional: [String: ImportColumn] = ["title": .st, "description": .sd, "image": .si]
    private static let required: [String: ImportColumn] = ["to": .ofl, "appURL": .link, "answer": .answer]

    /// Leaves out what an error in the file is about: an optional text, a link, or an ID of the app.
    ///
    /// - Returns: Whether there was something to leave out.
    mutating func leaveOut(_ error: Diagnostic, _ findings: inout ImportFindings) -> Bool {
        let parts = (error.pointer ?? "").split(separator: "/").map {
            String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        guard parts.count > 1 else { return false }
        if parts[0] == "app" {
            guard parts[1] != "name", app?.removeValue(forKey: parts[1]) != nil else { return false }
            findings.add(
                .importRow, as: .warning, "'app.\(parts[1])' is left out: \(error.message)",
                SourceRange(start: 0, end: 0))
            return true
        }
        guard parts[0] == "links", let link = links[parts[1]] else { return false }
        let member = parts.count > 2 ? parts[2] : ""
        if let column = Self.optional[member] {
            guard links[parts[1]]?.members.removeValue(forKey: member) != nil else { return false }
            findings.add(
                .importRow, as: .warning, "'\(member)' of the link is left out: \(error.message)",
                link.row[column]?.range ?? link.row.range)
            return true
        }
        links[parts[1]] = nil
        let column = Self.required[member] ?? .shortLink
        let range = (link.row[column] ?? link.row[.link] ?? link.row[.shortLink])?.range ?? link.row.range
        findings.add(error.is(.duplicateLink) ? .importDuplicate : .importRow, error.message, range)
        return true
    }
}
