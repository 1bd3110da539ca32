import ArgumentParser
import AssociationServer
import EventLoops
import FuzzingSupport
import Logging
import ServiceHealth
import TLSSamples
import TestSupport

struct Links: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what links and pages cost: to load many, and to answer by them.",
        discussion: """
            Loads a links.json, then answers requests over kept connections of TLS 1.3 by a server in this process: the \
            association file of a site without links and of one with them, a redirect, a page that is kept, and pages with \
            queries that were not asked for before. Rounds alternate. The time is the CPU time of the process without that of \
            the client.
            """)

    @Option(help: "Load this many links.")
    var links = 50_000

    @Option(help: "Repeat all this often.")
    var rounds = 15

    @Option(help: "Ask this often in each round.")
    var requests = 3_000

    /// The requests, with the names of their figures.
    private static let targets: [(name: String, host: String, target: @Sendable (Int) -> String)] = [
        ("association file, no links", "a.example", { _ in "/apple-app-site-association" }),
        ("association file, with links", "b.example", { _ in "/apple-app-site-association" }),
        ("redirect", "b.example", { _ in "/link-1" }), ("page, kept", "b.example", { _ in "/link-0" }),
        ("page, new", "b.example", { "/link-0?number=\($0)" }),
    ]

    func run() throws {
        let folder = try RunningServer.layOut(names: ["DNS:a.example", "DNS:b.example"])
        for site in ["a.example", "b.example"] {
            try folder.write(RunningServer.document, to: "sites/\(site)/apple-app-site-association")
        }
        try folder.write(document, to: "sites/b.example/links.json")
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 1
        configuration.log.access = .none
        try load(configuration)
        let server = try LinkServer(
            configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        guard let port = try server.start().https.first?.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw ValidationError("the server did not start")
        }
        var times = [[Double]](repeating: [], count: Self.targets.count)
        for round in 0..<max(1, rounds) {
            for index in Self.targets.indices { times[index].append(try measure(port, index, round)) }
        }
        let usual = Match.median(times[0])
        for (index, target) in Self.targets.enumerated() {
            let ratio = Match.median(zip(times[index], times[0]).map { $0 / $1 })
            let time = Match.median(times[index])
            print("\(target.name): \(Match.fixed(time)) µs, \(Match.fixed(ratio * 100)) % of \(Match.fixed(usual)) µs")
        }
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    /// Every second link is a redirect.
    private var document: String {
        let entries = (0..<max(2, links)).map { number in
            let answer = number % 2 == 0 ? #""title": "Product \#(number)""# : #""answer": "redirect""#
            return #""/link-\#(number)": {"to": "https://www.example.com/products/\#(number)", \#(answer)}"#
        }
        return """
            {"app": {"name": "Shop", "appStore": {"id": "1234567890"}, "play": {"package": "com.example.shop"}},
             "links": {\(entries.joined(separator: ",\n"))}}
            """
    }

    private func load(_ configuration: ServerConfiguration) throws {
        let (begin, before) = (ProcessTime.nanoseconds, ProcessFacts.now().residentBytes ?? 0)
        let catalog = SiteCatalog()
        _ = try catalog.readFolder(configuration, now: Clock.wallSeconds())
        let milliseconds = Double(ProcessTime.nanoseconds - begin) / 1_000_000
        let bytes = (ProcessFacts.now().residentBytes ?? 0) - before
        let counts = catalog.sites.compactMap { $0.siteState()["links.json"]?.counts?.links }
        print("\(counts.reduce(0, +)) links loaded: \(Match.fixed(milliseconds)) ms of CPU time, \(bytes >> 20) MiB")
    }

    /// The server's microseconds for one request.
    private func measure(_ port: Int, _ index: Int, _ round: Int) throws -> Double {
        var offer = SampleOffer(.tls13)
        offer.protocols = ["http/1.1"]
        offer.serverName = Self.targets[index].host
        let client = try HTTPSClient(port: port, offer)
        try client.handshake()
        let (process, thread) = (ProcessTime.nanoseconds, Handshakes.threadNanoseconds)
        for number in 0..<requests {
            try client.get(Self.targets[index].target(round * requests + number), host: Self.targets[index].host)
        }
        let used = Double(ProcessTime.nanoseconds - process) - Double(Handshakes.threadNanoseconds - thread)
        client.sayGoodbye()
        return used / 1_000 / Double(requests)
    }
}
