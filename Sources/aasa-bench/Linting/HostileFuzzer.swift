import AppSiteAssociation
import AssociationLint
import Diagnostics
import Glibc
import UniversalLinks

/// Holds what is done with files that are made to take long to what is promised: seconds of CPU time, and memory.
struct HostileFuzzer {
    /// For each of the steps, as a program that does nothing else may take.
    static let nanoseconds = 2_000_000_000
    static let kibibytes = 200 * 1_024

    private var files: HostileFiles
    private var round = 0
    private let linter: Linter
    /// The file before, with which it is compared.
    private(set) var other = HostileFiles.known[0].text
    private let routes = ["/buy/{product}", "/a{rest:*}", "/{a}/{b}/{c}", "/{rest:*}"].compactMap {
        try? RoutePattern($0)
    }
    private(set) var slowest = 0
    private(set) var slowestStep = ""
    private(set) var largest = 0
    private(set) var text = ""

    init(seed: UInt64) {
        files = HostileFiles(seed: seed)
        linter = Linter(LintOptions(minimumIOS: SystemVersion(12)))
    }

    /// Takes one more file; says what took too much.
    mutating func next() -> String? {
        if round > 0 { other = text }
        text = round < HostileFiles.known.count ? HostileFiles.known[round].text : files.next()
        round += 1
        let bytes = Array(text.utf8)
        guard bytes.count <= HostileFiles.limit else { return "the file has \(bytes.count) bytes" }
        guard let document = try? AssociationDocument(bytes), let other = try? AssociationDocument(self.other) else {
            return "the file is not sound"
        }
        let linter = linter
        let routes = routes
        let steps: [(String, () -> Void)] = [
            ("to check it", { _ = linter.check(bytes) }),
            ("to fix it", { _ = Fixer(linter).fix(bytes, path: "file") }),
            ("to fix it with suggested fixes", { _ = Fixer(linter, upTo: .suggested).fix(bytes, path: "file") }),
            ("to compare it with another", { _ = LinkComparison(old: other, new: document) }),
            ("to compare another with it", { _ = LinkComparison(old: document, new: other) }),
            (
                "to compare it with routes",
                { _ = try? RouteCoverage(of: document, routes: routes, appID: "7K3QWZ9PLM.com.shop.app") }
            ),
            ("to index it", { _ = DocumentIndex(document) }),
        ]
        for (name, step) in steps {
            PeakMemory.reset()
            let start = ProcessTime.nanoseconds
            step()
            let time = ProcessTime.nanoseconds - start
            if time > slowest { (slowest, slowestStep) = (time, "\(name), file \(round - 1)") }
            largest = max(largest, PeakMemory.kibibytes)
            if time > Self.nanoseconds { return "\(name) takes \(time / 1_000_000) ms of CPU time" }
            if PeakMemory.kibibytes > Self.kibibytes { return "\(name) takes \(PeakMemory.kibibytes) KiB of memory" }
        }
        return nil
    }
}

/// The largest resident size of this process.
enum PeakMemory {
    /// Forgets what was before, as far as the system allows.
    static func reset() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    static var kibibytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
