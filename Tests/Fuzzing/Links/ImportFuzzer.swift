import Diagnostics
import FuzzingSupport
import LinkImport
import LinkPages

/// The sources that links are imported from.
package enum ImportFuzzTarget: String, CaseIterable, Sendable {
    case csv, json, answer

    package static func of(_ number: Int) -> ImportFuzzTarget { allCases[number % allCases.count] }
}

/// Gives the import of links mutated exports, and mutated answers to short links.
///
/// Whatever it writes is a file without errors, every finding is about a part of the export, and nobody is asked but the
/// host of a link.
package struct ImportFuzzer {
    private let seed: UInt64
    /// The number of times that each outcome came up.
    package private(set) var outcomes: [String: Int] = [:]
    /// The input of the latest check.
    package private(set) var latest: [UInt8] = []

    package init(seed: UInt64) { self.seed = seed }

    private static let tables: [[UInt8]] = [
        """
        Short link,Deep link (link),Desktop fallback link (ofl),App Store ID (isi),Social title (st),Archived?
        https://go.example.com/a,https://www.example.com/a?x=1#y,,1234567890,"A ""title"", and more",FALSE
        https://go.example.com/b/c,http://www.example.com/b,https://www.example.com/c,,,TRUE

        """,
        "\u{FEFF}path,to,title,answer\r\n/a,https://www.example.com/a,\"two\r\nlines\",redirect\r\n/%C3%A9,https://é.example/,,\r\n",
        "url,$og_title,$desktop_url\nhttps://x.page.link/a,A,https://www.example.com/a\nhttps://y.app.link/a,B,ftp://b\n",
    ].map { Array($0.utf8) }

    private static let objects: [[UInt8]] = [
        #"[{"shortLink":"https://go.example.com/a","link":"https://www.example.com/a","isi":1234567890,"archived":false}]"#,
        #"""
        {"links":[{"shortLink":"https://go.example.com/a","longLink":"https://go.example.com/?link=https%3A%2F%2Fwww.example.com%2F&st=A+b"},
        {"shortLink":"https://go.example.com/b","dynamicLinkInfo":{"link":"https://www.example.com/b","iosInfo":{"iosAppStoreId":"7"}}}]}
        """#,
    ].map { Array($0.utf8) }

    private static let pages: [[UInt8]] = [
        #"<!doctype html><meta property="og:url" content="https://www.example.com/a?x=1&amp;y=2"><link rel=canonical href='/b'>"#,
        #"<meta name="al:web:url" content="//www.example.com/"><meta property=al:ios:app_store_id content=7><"#,
        "https://www.example.com/a", "/b", "?x", "//www.example.com", "http://go.example.com/x", "shop://x", "b/../c",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "\"", "\"\"", ",", "\n", "\r\n", "\\u0000", "\u{202E}", "https://", "http://", "/.well-known/", "%2e%2e/", "%",
        "?", "#", "@", "\\", "{", "}", "[", "]", ":", "null", "<meta ", "content=", "&amp;", "\u{0}", "é", "()",
        "(link)",
        HostileText.runsOfMarks.text(200),
    ]

    /// - Returns: The rule that was broken; nil if none was.
    package mutating func check(_ target: ImportFuzzTarget, _ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        let seeds =
            switch target {
            case .csv: Self.tables
            case .json: Self.objects
            case .answer: Self.pages
            }
        let mutator = JSONMutator(seeds: seeds, pieces: Self.pieces)
        var bytes = random.pick(seeds)
        for _ in 0..<random.number(0...6) { mutator.mutate(&bytes, &random) }
        latest = bytes
        return target == .answer ? checkAnswer(bytes, &random) : checkExport(bytes, &random)
    }

    private mutating func checkExport(_ bytes: [UInt8], _ random: inout SplitMix64) -> String? {
        let format = random.pick([LinkExport.Format.firebase, .branch, .table])
        let options = ImportedLinks.Options(appName: random.chance(50) ? "Shop" : nil, keepsArchived: random.chance(50))
        let result = ImportedLinks(LinkExport(bytes, path: "links.csv", as: format), as: format, options)
        let size = result.report.source.bytes.count
        let isInside = result.report.diagnostics.allSatisfy { finding in
            0 <= finding.range.start && finding.range.start <= finding.range.end && finding.range.end <= size
        }
        guard isInside else { return "a finding outside of the export" }
        guard let text = result.text else {
            outcomes["refused", default: 0] += 1
            return result.count == 0 ? nil : "links without a file"
        }
        outcomes["imported", default: 0] += 1
        let document = LinksDocument.read(Array(text.utf8), domain: nil, images: nil)
        guard let content = document.content else {
            return "a file with errors: \(document.diagnostics.map(\.message))"
        }
        return content.links.count == result.count && result.count > 0
            ? nil : "\(result.count) links, not all in the file"
    }

    private mutating func checkAnswer(_ bytes: [UInt8], _ random: inout SplitMix64) -> String? {
        guard var inquiry = ShortLinkInquiry("https://go.example.com/a") else { return "a link that is not asked" }
        for _ in 0..<10 {
            let status = random.pick([200, 200, 301, 302, 302, 404])
            switch inquiry.next(status: status, location: bytes, body: bytes) {
            case .ask(let url):
                let host = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#:".contains($0) }
                guard host.lowercased() == "go.example.com" else { return "another host is asked: \(url)" }
            case .done(.leads(let url, _, _)):
                outcomes["leads", default: 0] += 1
                let isWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
                return isWeb && url.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? nil : "not a URL: \(url)"
            case .done(.unknown(let reason)):
                outcomes["unknown", default: 0] += 1
                return reason.isEmpty ? "no reason" : nil
            }
        }
        return "asked without end"
    }
}
