import ArgumentParser
import DomainNames
import FuzzingSupport
import LinkPages
import OpenSSL

struct LinkAnswers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-answers",
        abstract: "Measure what links.json and its answers take: CPU time, the median of some rounds.")

    @Option(help: "Read a file with this many links.")
    var links = 50_000

    @Option(help: "Answer each request this often in a round.")
    var answers = 2_000

    @Option(help: "Measure each this often.")
    var rounds = 9

    private static let host = Array("go.example.com".utf8)

    func run() throws {
        let file = file()
        PeakMemory.reset()
        let before = PeakMemory.kibibytes
        let start = ProcessTime.nanoseconds
        let document = LinksDocument.read(file, domain: Domain("go.example.com")) { _, _ in .missing }
        guard let content = document.content else {
            throw ValidationError("the file has errors: \(document.diagnostics.first.map { "\($0)" } ?? "")")
        }
        let table = LinksTable(content)
        let time = (ProcessTime.nanoseconds - start) / 1_000_000
        let memory = (PeakMemory.kibibytes - before) >> 10
        print("\(content.links.count) links in \(file.count >> 10) KiB: \(time) ms, \(memory) MiB at most")

        let writer = PageWriter(content.app, languages: content.languages, sha256: SHA256Digest.hash)
        let last = "/link-\(max(1, links) - 1)"
        let title = "/products/42"
        for (name, target, accept) in [
            ("redirect of a link", last, "text/html"), ("redirect of a route", "/blog/2026/summer", "text/html"),
            ("page, QR code of \(21 + title.utf8.count) bytes", title, "text/html"),
            ("page, QR code of 110 bytes", "/products/" + String(repeating: "7", count: 79), "text/html"),
            ("page without a QR code", "/products/" + String(repeating: "7", count: 1_000), "text/html"),
            ("404 page", "/nothing", "text/html"), ("JSON", title, "application/json"),
            ("JSON-LD", title, "application/ld+json"),
        ] {
            var body: [UInt8] = []
            let times = (0..<max(1, rounds)).map { _ in
                let start = ProcessTime.nanoseconds
                for _ in 0..<answers { Self.answer(target, accept, table, writer, &body) }
                return ProcessTime.nanoseconds - start
            }.sorted()
            let nanoseconds = times[times.count / 2] / max(1, answers)
            print("\(nanoseconds / 1_000).\(nanoseconds % 1_000 / 100) µs  \(body.count) bytes  \(name)")
        }
    }

    private func file() -> [UInt8] {
        let entries = (0..<max(1, links)).map { number in
            #""/link-\#(number)": { "title": "Link \#(number)", "answer": "redirect", "to": "https://www.example.com/\#(number)" }"#
        }
        return Array(
            #"""
            { "app": { "name": "Shop", "appStore": {"id": "1234567890"}, "play": {"package": "com.example.shop"},
                       "openHost": "open.example.com" },
              "links": { \#(entries.joined(separator: ",\n")) },
              "pages": [ { "route": "/products/{id}", "title": "Product {id}", "to": "https://www.example.com/p/{id}" },
                         { "route": "/blog/{rest:*}", "to": "https://blog.example.com/{rest}", "answer": "redirect" } ] }
            """#.utf8)
    }

    private static func answer(
        _ target: String, _ accept: String, _ table: LinksTable, _ writer: PageWriter, _ body: inout [UInt8]
    ) {
        let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        body.removeAll(keepingCapacity: true)
        host.withUnsafeBufferPointer { host in
            Array(target.utf8).withUnsafeBufferPointer { path in
                Array(accept.utf8).withUnsafeBufferPointer { accept in
                    let request = LinkRequest(
                        host: host, path: path, query: nil, accept: accept, acceptLanguage: empty, userAgent: empty)
                    switch table.answer(for: request, table.variant(of: request), into: &body) {
                    case .page(let subject), .notFound(let subject): writer.write(subject, to: &body)
                    case .redirect, .image, .nothing: break
                    }
                }
            }
        }
    }
}
