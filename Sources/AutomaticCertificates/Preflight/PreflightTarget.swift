internal import ACME
internal import Diagnostics
internal import DomainNames
internal import HTTPClient

/// The target of a pre-flight, with the pure decisions about its addresses and their texts.
struct PreflightTarget: Sendable {
    let domain: Domain
    let type: ChallengeType
    /// The port at which the CA connects.
    let port: Int
    let isForPublicNamesOnly: Bool

    /// The step after the lookup.
    enum Plan: Equatable {
        /// Not empty; with what is to be mentioned if the order fails.
        case ask([IPAddress], remarks: [String])
        case end(Preflight.Outcome)
    }

    /// - Parameter results: the results of the lookups, in the order of the families.
    func plan(_ results: [Result<[IPAddress], ResolutionFailure>]) -> Plan {
        var found: [IPAddress] = []
        // Those that say that there is none are answers; a resolver that has failed says nothing about the name.
        var answers: [ResolutionFailure] = []
        var failures: [(family: AddressFamily, failure: ResolutionFailure)] = []
        for (family, result) in zip(AddressFamily.allCases, results) {
            switch result {
            case .success(let addresses): found += addresses
            case .failure(let failure) where failure == .noSuchName || failure == .noAddress: answers.append(failure)
            case .failure(let failure): failures.append((family, failure))
            }
        }
        let addresses = ClassifiedAddresses(found, allowsPrivate: !isForPublicNamesOnly)
        var remarks = remark(about: failures).map { [$0] } ?? []
        if !addresses.permitted.isEmpty {
            if !addresses.refused.isEmpty {
                remarks.append("skipped by the pre-flight, because not public: \(shown(addresses.refused))")
            }
            return .ask(addresses.permitted, remarks: remarks)
        }
        guard failures.isEmpty else { return .end(.passed(remark: joined(remarks))) }
        return .end(.failed(addresses.refused.isEmpty ? missing(answers) : notPublic(addresses.refused)))
    }

    /// - Parameters:
    ///   - findings: by address.
    ///   - remarks: about other things.
    func outcome(of findings: [(address: IPAddress, finding: AddressFinding)], _ remarks: [String]) -> Preflight.Outcome
    {
        var wrong: [(text: String, endpoints: [String])] = []
        var redirects: [String] = []
        var silent: [String] = []
        for (address, finding) in findings {
            let endpoint = endpoint(address)
            switch finding {
            case .right: continue
            case .wrong(let text):
                if let index = wrong.firstIndex(where: { $0.text == text }) {
                    wrong[index].endpoints.append(endpoint)
                } else {
                    wrong.append((text, [endpoint]))
                }
            case .redirected(let location):
                redirects.append("\(endpoint) redirects to \(location), which the pre-flight did not follow")
            case .unknown(let reason): silent.append("\(endpoint) (\(reason))")
            }
        }
        guard wrong.isEmpty else {
            let clauses = wrong.map { text, endpoints in
                "\(list(endpoints)) \(endpoints.count == 1 ? "answers" : "answer") \(text)"
            }
            let count = findings.count { if case .wrong = $0.finding { true } else { false } }
            let advice = remedy(count, isAnyRight: findings.contains { $0.finding == .right })
            return .failed(IssuanceError(.preflight, "\(list(clauses)); \(advice)"))
        }
        var remarks = remarks + redirects
        if !silent.isEmpty { remarks.append("the pre-flight got no answer from \(list(silent))") }
        return .passed(remark: joined(remarks))
    }
}

// The texts.
extension PreflightTarget {
    private var name: String { "'\(domain)'" }

    /// - Parameter count: the number of addresses that are wrong.
    private func remedy(_ count: Int, isAnyRight: Bool) -> String {
        let wrong = count == 1 ? "this address" : "these addresses"
        let dns =
            isAnyRight
            ? "remove \(wrong) from the DNS of \(name), whose other addresses point to this server"
            : "point the DNS of \(name) to this server"
        return type == .tlsALPN01
            ? "\(dns), or pass TLS through" : "\(dns), or forward '/.well-known/acme-challenge/' to it"
    }

    private func missing(_ answers: [ResolutionFailure]) -> IssuanceError {
        let isUnknown = answers.contains(.noSuchName)
        return IssuanceError(
            .dns,
            (isUnknown ? "\(name) does not exist in the DNS" : "\(name) has neither an IPv4 nor an IPv6 address")
                + "; add an A or AAAA record that points to this server")
    }

    private func notPublic(_ addresses: [IPAddress]) -> IssuanceError {
        // The C library looks there first.
        let hint = addresses.contains(where: \.isLoopback) ? ", and check /etc/hosts on this machine" : ""
        return IssuanceError(
            .dns,
            "\(name) has no address that the CA can reach, but \(shown(addresses)); "
                + "point its DNS to a public address\(hint)")
    }

    private func remark(about failures: [(family: AddressFamily, failure: ResolutionFailure)]) -> String? {
        guard let first = failures.first else { return nil }
        let what =
            failures.count > 1 ? name : "the \(first.family == .ipv4 ? "IPv4" : "IPv6") addresses of \(name)"
        return "the pre-flight could not look up \(what) (\(first.failure))"
    }

    private func shown(_ addresses: [IPAddress]) -> String {
        let most = 2 * ClassifiedAddresses.maxPerFamily
        let texts = addresses.prefix(most).map { "\($0) (\($0.purposeText ?? "not public"))" }
        let rest = addresses.count - texts.count
        return list(rest > 0 ? texts + ["\(rest) more"] : texts)
    }

    /// An address and the port, as in a URL.
    private func endpoint(_ address: IPAddress) -> String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private func joined(_ remarks: [String]) -> String? {
        remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    /// `a`, `a and b`, `a, b and c`.
    private func list(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
    }
}
