import AppSiteAssociation
import ArgumentParser
import Diagnostics
import FoundationEssentials
import FuzzingSupport
import UniversalLinks

struct Match: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how long the first matching rule of many takes to find.",
        discussion: """
            RULES has one path pattern per line, the first has priority; URLS one path per line. Prints 'ENGINE N ns_per_decision \
            checksum', the time being CPU time of the process.
            """
    )

    enum Engine: String, ExpressibleByArgument, CaseIterable {
        /// A pattern is a glob and nothing else, a URL is its path.
        case plain
        /// The router, from the text of a URL to the decision.
        case apple
        /// The same with a query on each URL, and a condition on query or fragment for a tenth of the rules.
        case conditions
    }

    @Argument(help: "plain, apple or conditions.")
    var engine: Engine

    @Argument(help: "A file of path patterns, one per line.", completion: .file())
    var rules: String

    @Argument(help: "A file of paths, one per line.", completion: .file())
    var urls: String

    @Argument(help: "For how many milliseconds of CPU time to decide.")
    var budget: Int = 120

    func run() throws {
        let patterns = try Self.lines(of: rules)
        let paths = try Self.lines(of: urls)
        let document = try AssociationDocument(Self.document(patterns, withConditions: engine == .conditions))
        let before = ProcessTime.nanoseconds
        let index = DocumentIndex(document, plainPaths: engine == .plain)
        let built = ProcessTime.nanoseconds - before
        let router = UniversalLinkRouter(anyDomain: index)
        let time: Double
        let checksum: String
        if engine == .plain {
            let list = URLList(paths)
            let first = { (path: UnsafeRawBufferPointer) in
                path.baseAddress.map { index.firstRule(plainPath: $0, count: path.count) } ?? -1
            }
            checksum = String(Self.checksum(list.urls.prefix(500).map(first)))
            time = Self.measure(list, budget: budget * 1_000_000) { first($0) >= 0 }
        } else {
            let query = engine == .conditions ? "?ref=mail&id=17#top" : ""
            checksum = "-"
            time = Self.measure(URLList(paths.map { "https://example.com\($0)\(query)" }), budget: budget * 1_000_000) {
                router.decide($0).outcome == .open
            }
        }
        let note = "build_us=\(built / 1000) bytes_per_rule=\(index.byteCount / max(1, patterns.count))"
        print("\(engine.rawValue) \(patterns.count) \(Self.fixed(time)) \(checksum) \(note)")
    }

    private static func lines(of path: String) throws -> [String] {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw ValidationError("'\(path)' cannot be read")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.last?.isEmpty == true ? lines.dropLast() : lines).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func checksum(_ answers: [Int]) -> UInt64 {
        answers.reduce(0) { $0 &* 1_000_003 &+ UInt64(UInt32(truncatingIfNeeded: $1 + 1)) }
    }

    /// The nanoseconds of CPU time that a decision takes.
    @inline(__always)
    static func measure(_ list: URLList, budget: Int, _ opens: (UnsafeRawBufferPointer) -> Bool) -> Double {
        let urls = list.urls
        var decisions = 0
        var opened = 0
        var number = 0
        let start = ProcessTime.nanoseconds
        var now = start
        while now - start < budget {
            for _ in 0..<64 {
                if opens(urls[number]) { opened &+= 1 }
                number &+= 1
                if number == urls.count { number = 0 }
            }
            decisions &+= 64
            now = ProcessTime.nanoseconds
        }
        // What was decided is used, so that no decision can be left out.
        if opened > decisions { print("impossible") }
        return Double(now - start) / Double(decisions)
    }

    private static func document(_ patterns: [String], withConditions: Bool) -> String {
        let components = patterns.enumerated().map { number, pattern in
            let condition =
                !withConditions || number % 10 != 0
                ? "" : number % 20 == 0 ? #","?":{"id":"1?"}"# : ##","#":"t*p""##
            return "{\"/\":\(JSONOutput.string(pattern).text)\(condition)}"
        }
        return """
            {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[
            \(components.joined(separator: ",\n"))
            ]}]}}
            """
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static func fixed(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Many URLs, one after another in one memory, with 64 bytes more at either end.
final class URLList {
    /// Where each of them stands.
    let urls: UnsafeBufferPointer<UnsafeRawBufferPointer>
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ texts: [String]) {
        let text = texts.flatMap { Array($0.utf8) }
        bytes = .allocate(byteCount: text.count + 128, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        UnsafeMutableRawBufferPointer(rebasing: bytes[64...]).copyBytes(from: text)
        let urls = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(capacity: texts.count)
        var start = 64
        for (number, text) in texts.enumerated() {
            let end = start + text.utf8.count
            urls.initializeElement(at: number, to: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
        self.urls = UnsafeBufferPointer(urls)
    }

    deinit {
        urls.deallocate()
        bytes.deallocate()
    }
}
