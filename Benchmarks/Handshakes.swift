import ArgumentParser
import AssociationServer
import Dispatch
import FuzzingSupport
import Glibc
import Logging
import OpenSSL
import TLSSamples
import TestSupport

struct Handshakes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what pending challenges cost the handshakes of ordinary clients.",
        discussion: """
            A server in this process answers full handshakes of TLS 1.3, each with two requests on its connection, without \
            pending challenges and with them in turn. The time is the CPU time of the process without that of the client.
            """)

    @Option(help: "Keep this many challenges pending.")
    var challenges = 1_000

    @Option(help: "Repeat both this often.")
    var rounds = 21

    @Option(help: "Shake hands this often in each round.")
    var handshakes = 400

    func run() throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 1
        configuration.log.access = .none
        let server = try LinkServer(
            configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        guard let port = try server.start().https.first?.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw ValidationError("the server did not start")
        }
        let context = try LibraryContext()
        let pending = try (0..<challenges).compactMap { number in
            let name = "site-\(number).example"
            return PendingChallenge(
                name: name,
                .tlsALPN01(try ChallengeCertificate.make(name: name, keyAuthorization: name, at: 0, in: context)))
        }
        _ = try measure(port)
        var pairs: [(without: Double, with: Double)] = []
        for _ in 0..<max(1, rounds) {
            let without = try measure(port)
            publish(pending, server)
            let with = try measure(port)
            server.withdraw(pending)
            publish([], server)
            pairs.append((without, with))
        }
        let ratio = Match.median(pairs.map { $0.without / $0.with })
        print("without: \(shown(Match.median(pairs.map(\.without)))) µs of CPU time a handshake and two requests")
        print("with \(pending.count) pending challenges: \(shown(Match.median(pairs.map(\.with)))) µs")
        print("without / with, median of \(pairs.count) pairs: \(shown(ratio, digits: 3))")
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    private func publish(_ challenges: [PendingChallenge], _ server: LinkServer) {
        let isServed = DispatchSemaphore(value: 0)
        server.publish(challenges) { isServed.signal() }
        isServed.wait()
    }

    /// The server's microseconds for one connection.
    private func measure(_ port: Int) throws -> Double {
        var offer = SampleOffer(.tls13)
        offer.protocols = ["http/1.1"]
        let (process, thread) = (ProcessTime.nanoseconds, Self.threadNanoseconds)
        for _ in 0..<handshakes {
            let client = try HTTPSClient(port: port, offer)
            try client.handshake()
            for _ in 0..<2 { try client.get() }
            client.sayGoodbye()
        }
        let used = Double(ProcessTime.nanoseconds - process) - Double(Self.threadNanoseconds - thread)
        return used / 1_000 / Double(handshakes)
    }

    static var threadNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private func shown(_ value: Double, digits: Int = 1) -> String {
        let scale = digits == 1 ? 10.0 : 1_000
        return "\((value * scale).rounded() / scale)"
    }
}
