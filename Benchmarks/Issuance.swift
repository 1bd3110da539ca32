import ACME
import ArgumentParser
import DomainNames
import FuzzingSupport
import TestSupport

struct Issuance: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what a plan of certificates costs, and the text that is stored.",
        discussion: "CPU time, the median of the rounds."
    )

    @Option(help: "How many domains, each with a certificate.")
    var domains = 1_000

    @Option(help: "How often each is measured.")
    var rounds = 51

    func validate() throws {
        guard (1...1_000_000).contains(domains), (1...10_000).contains(rounds) else {
            throw ValidationError("--domains is from 1 to 1000000, and --rounds from 1 to 10000")
        }
    }

    func run() throws {
        let now: Int64 = 1_800_000_000
        var configuration = ACMEConfiguration()
        configuration.limits.parallelOrders = 32
        configuration.limits.ordersPer3Hours = 100_000
        configuration.directory = .other("https://ca.example.net/directory")
        let wanted = IssuanceSettings(configuration, folder: "certs", answerable: [.tlsALPN01, .http01])
        guard let settings = wanted else { throw ExitCode(1) }
        let names = (0..<domains).compactMap { Domain("shop\($0).example.com") }
        let certificates = names.enumerated().map { number, domain in
            InstalledCertificate(
                source: .acme(domain, directory: settings.authority.directory.description),
                fingerprint: "f\(number)-\(number)-\(number)",
                names: [domain.identifier], notBefore: now - 86_400, notAfter: now + 89 * 86_400,
                certificateID: CertificateID(keyIdentifier: [1, 2, 3, 4], serialNumber: [UInt8(number & 0x7F)]))
        }
        var situation = IssuancePlan.Situation(now: now)
        situation.sites = names
        situation.offersRenewalInfo = true
        var random = SplitMix64(seed: 1)

        var state = IssuanceState()
        report("plan, all to be ordered") {
            _ = IssuancePlan(settings, situation, state: &state, random: &random)
        }
        report("index") { _ = CertificateIndex(certificates) }
        situation.certificates = certificates
        report("plan, all valid, with an index of its own") {
            _ = IssuancePlan(settings, situation, state: &state, random: &random)
        }
        situation.index = CertificateIndex(certificates)
        report("plan, all valid") { _ = IssuancePlan(settings, situation, state: &state, random: &random) }
        report("text, made anew") { _ = state.json.utf8.count }
        var writer = IssuanceStateWriter()
        _ = writer.bytes(state)
        report("text, nothing changed") { _ = writer.bytes(state).count }
        var number = 0
        report("text, one domain changed") {
            number += 1
            state.attemptStarted(names[number % names.count], now: now + Int64(number))
            _ = writer.bytes(state).count
        }
        print("\(writer.bytes(state).count) bytes of text")
    }

    private func report(_ name: String, _ work: () -> Void) {
        let times = (0..<rounds).map { _ in ThreadTime.measure(work) }.sorted()
        print("\(name): \(times[times.count / 2] / .microseconds(1)) µs")
    }
}
