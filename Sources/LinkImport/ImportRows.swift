internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import URLPatterns

/// The rows of an export that are links of one domain, each with its path.
struct ImportRows {
    struct Link {
        let host: String?
        let path: String
        let row: LinkExport.Row
    }

    private(set) var links: [Link] = []
    /// The domain of the links, if it is known.
    let domain: Domain?
    private(set) var notes: [String] = []

    init(_ export: LinkExport, _ options: ImportedLinks.Options, _ findings: inout ImportFindings) {
        var archived = 0
        for row in export.rows {
            if !options.keepsArchived, let text = row[.archived]?.text.lowercased(), Self.yes.contains(text) {
                archived += 1
                continue
            }
            guard let text = row[.shortLink] else {
                findings.add(.importRow, "the row has no short link", row.range)
                continue
            }
            guard let link = Self.link(text.text, row) else {
                findings.add(.importRow, "\(quoted(text.text)) is not a short link with a path", text.range)
                continue
            }
            links.append(link)
        }
        if archived > 0 {
            notes.append(
                "\(counted(archived, "archived link is", "archived links are")) left out; '--archived' keeps them")
        }
        let hosts = Self.frequencies(links.map(\.host))
        domain = options.domain ?? hosts.first.flatMap { Domain($0.value) }
        let own = options.domain?.base ?? hosts.first?.value
        for host in hosts where host.value != own {
            // Without a choice nobody knows which domain was meant.
            findings.add(
                .importOtherDomain, as: options.domain == nil ? .error : .note,
                "\(counted(host.count, "link is", "links are")) of \(quoted(host.value)), not of \(quoted(own ?? ""))",
                links[host.first].row[.shortLink]?.range ?? links[host.first].row.range)
        }
        links.removeAll { $0.host != nil && $0.host != own }
        if let first = links.first(where: { $0.host?.hasSuffix(".page.link") == true }) {
            findings.add(
                .importPageLink,
                "\(quoted(first.host ?? "")) is a domain of Google's, which no other server can have",
                first.row[.shortLink]?.range ?? first.row.range,
                notes: ["links that are printed or sent with it are lost; the file has the same paths for your domain"])
        }
    }

    /// Leaves out the links that no file may have.
    mutating func limit(to count: Int, _ findings: inout ImportFindings) {
        guard links.count > count else { return }
        findings.add(
            .importRow, "a file has at most \(grouped(count)) links; this row and those after it are left out",
            links[count].row.range)
        links.removeSubrange(count...)
    }

    private static let yes: Set = ["true", "yes", "1"]

    /// The host and the path of a short link, or a path alone; nil for anything else.
    private static func link(_ text: String, _ row: LinkExport.Row) -> Link? {
        if text.hasPrefix("/"), !text.hasPrefix("//") { return Link(host: nil, path: path(text.utf8), row: row) }
        let url = WebURL((text.contains("://") ? text : "https://\(text)").utf8)
        guard let url, url.path.count > 1, let host = Domain(String(text: url.host)) else { return nil }
        return Link(host: host.identifier, path: path(url.path), row: row)
    }

    /// A path as a URL has it, without the slashes at its end, which change nothing.
    private static func path(_ path: some Sequence<UInt8>) -> String {
        var bytes = EncodedURL.encoded(path)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(text: bytes)
    }

    /// The distinct values and how often they occur, the most frequent first, and of two the one that comes first.
    static func frequencies(_ values: [String?]) -> [(value: String, count: Int, first: Int)] {
        var found: [String: (count: Int, first: Int)] = [:]
        for (index, value) in values.enumerated() {
            if let value { found[value, default: (0, index)].count += 1 }
        }
        return found.map { ($0.key, $0.value.count, $0.value.first) }.sorted {
            ($1.count, $0.first) < ($0.count, $1.first)
        }
    }
}
