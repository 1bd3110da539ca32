internal import Diagnostics
internal import DomainNames
internal import HTTPClient

// The addresses of the name.
extension DomainDiagnoser {
    mutating func examineNames() {
        if seen.target.port != 443 {
            report(
                .dns, .nonstandardPort,
                "the port is \(seen.target.port), and Apple fetches association files from port 443 only",
                help: "use another port for tests only")
        }
        guard let names = seen.names else {
            steps.append(Step(.dns, summary: "the target is an address", evidence: nameEvidence))
            return judgeAddresses()
        }
        let found = names.a.addresses + names.aaaa.addresses
        guard !found.isEmpty else {
            judgeLack(names)
            return steps.append(Step(.dns, summary: unreachable ?? "", evidence: nameEvidence))
        }
        // An unknown result for one family matters little where the other has addresses.
        let unknown = names.failures.filter { !$0.failure.saysThatThereIsNone }.map { "\($0.type): \($0.failure)" }
        let summary = ([found.map(\.description).joined(separator: ", ")] + unknown).joined(separator: "; ")
        steps.append(Step(.dns, summary: summary, evidence: nameEvidence))
        judgeAddresses()
        if names.a.addresses.isEmpty, names.a.failure?.saysThatThereIsNone != false {
            report(
                .dns, .dnsIPv6Only,
                "the name has only AAAA records, and it is not documented whether Apple's fetchers use IPv6",
                help: "add an A record as well, for example for a load balancer that has both")
        }
    }

    private mutating func judgeLack(_ names: Observation.Names) {
        let unknown = names.failures.filter { !$0.failure.saysThatThereIsNone }
        guard let first = unknown.first else {
            let isThere = !names.failures.contains { $0.failure == .noSuchName }
            unreachable = isThere ? "the name has no address" : "the name does not exist"
            return report(
                .dns, .dnsNoAddress,
                isThere ? "the name has neither an A nor an AAAA record" : "the name does not exist in DNS",
                help: "create an A record for \(seen.target.host), or correct the name in the app's entitlement")
        }
        unreachable = "the name could not be resolved"
        let isSame = unknown.allSatisfy { $0.failure == first.failure }
        report(
            .dns, .dnsFailed,
            "the name could not be resolved: "
                + (isSame ? "\(first.failure)" : unknown.map { "\($0.type): \($0.failure)" }.joined(separator: "; ")),
            notes: ["so nothing is known about the host"],
            help: "try again, and from another network; if it stays, look at the name servers of the domain")
    }

    private var nameEvidence: [String: JSONOutput] {
        func list(_ addresses: [IPAddress]) -> JSONOutput { .array(addresses.map { .string($0.description) }) }
        return [
            "a": list(seen.names?.a.addresses ?? []), "aaaa": list(seen.names?.aaaa.addresses ?? []),
            "refused": list(seen.refused),
        ]
    }

    /// Judges the addresses before one is contacted.
    private mutating func judgeAddresses() {
        let isPermitted = options.allowsPrivateAddresses
        let addresses = isPermitted ? seen.addresses.filter { !$0.isPublic } : seen.refused
        guard !addresses.isEmpty else { return }
        let shown = addresses.map { "\($0) (\($0.purposeText ?? "not public"))" }
        var notes = ["Apple's CDN refuses such a host with SWCERR00202"]
        if !isPermitted, !seen.addresses.isEmpty { notes.append("only the public addresses are contacted here") }
        report(
            .dns, .dnsPrivateAddress, as: isPermitted ? .note : nil,
            addresses.count == 1
                ? "\(shown[0]) is not a public address"
                : "\(Self.list(shown)) are not public addresses",
            notes: notes,
            help: isPermitted
                ? "for '?mode=developer' and '?mode=managed' that is fine; otherwise use public addresses"
                : "give the name public addresses only; to check it from here all the same, use --allow-private")
        if seen.addresses.isEmpty { unreachable = "no address is public" }
    }
}

extension Result<[IPAddress], ResolutionFailure> {
    var addresses: [IPAddress] { (try? get()) ?? [] }

    var failure: ResolutionFailure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension Observation.Names {
    /// Why there are no addresses, by the type of the records.
    fileprivate var failures: [(type: String, failure: ResolutionFailure)] {
        [("A", a), ("AAAA", aaaa)].compactMap { type, result in result.failure.map { (type, $0) } }
    }
}

extension ResolutionFailure {
    /// Whether it is an answer: the name is not there, or has no address of the family.
    fileprivate var saysThatThereIsNone: Bool { self == .noSuchName || self == .noAddress }
}
