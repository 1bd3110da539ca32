import AssociationFiles
import AssociationLint
import AssociationServer
import Diagnostics
import FindingCatalogue
import Foundation
import FuzzingSupport
import SiteStore
import TestSupport
import Testing

/// For any bytes and name, a file on the disk, the same in a store, and a file to be published are judged alike.
@Suite("One judgement", .waiting)
struct OneJudgementTests {
    /// A file with its bytes, and the domain of the site that has it.
    private struct Sample {
        let domain: String
        let file: SiteFile
        let bytes: [UInt8]
        /// The codes of the findings, as a command that publishes or validates the file reports them.
        let codes: [String]
        let isAcceptable: Bool
    }

    private static let wellKnown = [
        ("data.json", "application/json"), ("note.txt", "text/plain"), ("blob.bin", "application/octet-stream"),
    ].map { ServerConfiguration.WellKnownFile(name: $0.0, contentType: $0.1) }

    /// More findings than this are not kept of a server's sites.
    private static let maxFindings = 15_000

    @Test("of the examples of all rules, under each name")
    func examples() throws {
        let rules = AllRules.catalogue.rules
        try check(rules.flatMap { [$0.badBytes, MarkedText($0.good).bytes] })
    }

    @Test("of files of every size around the limits")
    func sizes() throws {
        let sizes = [10, 49_999, 50_000, 50_001, 131_072, 131_073, 1 << 20, 1 << 20 + 1]
        let files = [SitesFolder.document, SitesFolder.links].flatMap { text in
            sizes.map { Array((text + String(repeating: " ", count: max(0, $0 - text.utf8.count))).utf8) }
        }
        try check(files)
        try check(files) { $0.limits.fileBytes = 50_000 }
        try check(files) { $0.limits.fileBytes = 4 << 20 }
    }

    @Test("of mutated files", arguments: TestSeeds.of(1...4))
    func mutated(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let seeds =
            AllRules.catalogue.rules.map(\.badBytes) + [
                Array(SitesFolder.document.utf8), Array(SitesFolder.links.utf8),
            ]
        try check((0..<150).map { _ in Self.mutate(random.pick(seeds), random.pick(seeds), &random) })
    }

    /// Bytes with a few of them replaced, removed or repeated, or with a part of others.
    private static func mutate(_ bytes: [UInt8], _ other: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var result = bytes
        for _ in 0..<random.number(1...4) where !result.isEmpty {
            let start = random.number(below: result.count)
            let end = random.number(start...min(result.count - 1, start + 40))
            switch random.number(below: 5) {
            case 0: result[start] = random.byte()
            case 1: result.removeSubrange(start...end)
            case 2: result.insert(contentsOf: result[start...end], at: start)
            case 3: result.insert(contentsOf: other.prefix(random.number(0...200)), at: start)
            default: result.insert(random.pick([0, 0x22, 0x7B, 0xEF, 0x0D]), at: start)
            }
        }
        return result
    }

    /// Checks files under each name: each sample is the only file of a site.
    private func check(_ files: [[UInt8]], _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration()
        configuration.wellKnown = Self.wellKnown
        change(&configuration)
        var samples: [Sample] = []
        var findings = 0
        for (index, bytes) in files.enumerated() {
            for name in ["apple-app-site-association", "assetlinks.json"] + Self.wellKnown.map(\.name) {
                let file = SiteFile(name: name, in: configuration)
                var checker = FileChecker(limit: configuration.limits.fileBytes, rules: AllRules.catalogue)
                let judgement = checker.judge(bytes, as: file, path: name, by: checker.linter)
                let codes = judgement.findings.map { $0.diagnostic.code.rawValue }
                findings += codes.count
                samples.append(
                    Sample(
                        domain: "s\(index).example", file: file, bytes: bytes, codes: codes.sorted(),
                        isAcceptable: judgement.isAcceptable))
            }
            if findings > Self.maxFindings || index == files.count - 1 {
                try compare(samples, configuration)
                (samples, findings) = ([], 0)
            }
        }
    }

    private func compare(_ samples: [Sample], _ configuration: ServerConfiguration) throws {
        let onDisk = try folder(samples, configuration)
        let stored = try store(samples, configuration)
        for sample in samples {
            let name = "\(sample.domain)/\(sample.file.name)"
            #expect(onDisk[name, default: Answer()].codes.sorted() == sample.codes, "on the disk: \(name)")
            #expect(stored[name, default: Answer()].codes.sorted() == sample.codes, "in a store: \(name)")
            #expect(onDisk[name, default: Answer()].hasErrors != sample.isAcceptable, "on the disk: \(name)")
            #expect(stored[name, default: Answer()].hasErrors != sample.isAcceptable, "in a store: \(name)")
        }
    }

    /// The answer of a server about a file.
    private struct Answer {
        var codes: [String] = []
        var hasErrors = false

        mutating func add(_ finding: LocatedDiagnostic) {
            codes.append(finding.diagnostic.code.rawValue)
            if finding.severity >= .error { hasErrors = true }
        }
    }

    private func folder(_ samples: [Sample], _ configuration: ServerConfiguration) throws -> [String: Answer] {
        let folder = try TemporaryFolder()
        try folder.write("", to: ".git/HEAD")
        var configuration = configuration
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["http://127.0.0.1:0"]
        try folder.write("", to: "certs/.keep")
        for sample in samples {
            try folder.write(Data(sample.bytes), to: "sites/\(sample.domain)/\(sample.file.name)")
        }
        let server = try LinkServer(configuration, logger: RecordedLog().logger, rules: AllRules.catalogue)
        return answers(server.findings) { path in
            path.hasPrefix(configuration.sites) ? String(path.dropFirst(configuration.sites.count + 1)) : nil
        }
    }

    private func store(_ samples: [Sample], _ configuration: ServerConfiguration) throws -> [String: Answer] {
        let followed = try FollowedServer {
            $0.wellKnown = configuration.wellKnown
            $0.limits = configuration.limits
        }
        followed.apply(
            samples.map { sample in
                StoredFile(
                    key: StoreFileKey(domain: sample.domain, name: sample.file.name), version: 1,
                    contents: StoredContents(digest: ContentDigest(of: sample.bytes), bytes: sample.bytes), lint: nil,
                    publishedAt: FollowedServer.newYear, generation: 1)
            }, isComplete: true)
        return answers(followed.server.findings) { path in
            path.hasPrefix("store:") ? path.dropFirst(6).split(separator: "@").first.map(String.init) : nil
        }
    }

    private func answers(_ findings: [LocatedDiagnostic], name: (String) -> String?) -> [String: Answer] {
        var answers: [String: Answer] = [:]
        for finding in findings { if let name = name(finding.path) { answers[name, default: Answer()].add(finding) } }
        return answers
    }
}
