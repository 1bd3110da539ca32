internal import Diagnostics
internal import HTTPClient
internal import OpenSSL
internal import ProxySupport
internal import SystemSupport

// The steps before a request: the name, and the handshake.
extension Examiner {
    mutating func examineNames() {
        let evidence = nameEvidence
        if seen.target.port != 443 {
            report(
                .dns, "nonstandard-port",
                "the port is \(seen.target.port); Apple fetches association files from port 443 only")
        }
        guard let names = seen.names else {
            steps.append(Step(.dns, summary: "the target is an address", evidence: evidence))
            judgePrivateAddresses()
            return
        }
        let found = Self.addresses(names.a) + Self.addresses(names.aaaa)
        guard !found.isEmpty else {
            let failure = [names.a, names.aaaa].compactMap(Self.failure).first { !$0.saysThatThereIsNone }
            if let failure {
                report(.dns, "dns-failed", "the name could not be resolved: \(failure)")
                unreachable = "the name could not be resolved"
            } else {
                report(
                    .dns, "dns-no-address", "the name has neither an A nor an AAAA record",
                    help: "create an A record for '\(seen.target.host)', or correct the name in the app's entitlement")
                unreachable = "the name has no address"
            }
            steps.append(Step(.dns, summary: unreachable ?? "", evidence: evidence))
            return
        }
        steps.append(
            Step(.dns, summary: found.map(\.description).joined(separator: ", "), evidence: evidence))
        judgePrivateAddresses()
        if Self.addresses(names.a).isEmpty {
            report(
                .dns, "dns-ipv6-only",
                "the name has only AAAA records; whether Apple's fetchers use IPv6 is not documented")
        }
    }

    private var nameEvidence: [String: JSONOutput] {
        func list(_ addresses: [IPAddress]) -> JSONOutput { .array(addresses.map { .string($0.description) }) }
        return [
            "a": list(seen.names.map { Self.addresses($0.a) } ?? []),
            "aaaa": list(seen.names.map { Self.addresses($0.aaaa) } ?? []), "refused": list(seen.refused),
        ]
    }

    private static func addresses(_ result: Result<[IPAddress], ResolutionFailure>) -> [IPAddress] {
        if case .success(let addresses) = result { addresses } else { [] }
    }

    private static func failure(_ result: Result<[IPAddress], ResolutionFailure>) -> ResolutionFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    private mutating func judgePrivateAddresses() {
        let isPermitted = options.allowsPrivateAddresses
        let addresses = isPermitted ? seen.addresses.filter { !$0.isPublic } : seen.refused
        guard !addresses.isEmpty else { return }
        let shown = addresses.map { "\($0) (\($0.specialPurpose?.purpose ?? "not public"))" }.joined(separator: ", ")
        report(
            .dns, "dns-private-address", as: isPermitted ? .note : nil, "not a public address: \(shown)",
            notes: ["Apple's CDN refuses such hosts (SWCERR00202)"],
            help: isPermitted ? nil : "give the name a public address; --allow-private checks it from here all the same"
        )
        if seen.addresses.isEmpty { unreachable = "no address is public" }
    }

    /// Whether a handshake says something about the address: a machine without IPv6 says nothing.
    private static func isChecked(_ handshake: Observation.Handshake) -> Bool {
        if case .failure(let failure) = handshake.result, handshake.address.isIPv6,
            case .notConnected(let error) = failure.reason, error.isLackOfRoute
        {
            return false
        }
        return true
    }

    mutating func examineHandshakes() {
        if let unreachable { return steps.append(Step(.tls, skipped: unreachable)) }
        let checked = seen.handshakes.filter(Self.isChecked)
        let left = seen.handshakes.filter { !Self.isChecked($0) }
        if !left.isEmpty {
            let addresses = left.map(\.address.description).joined(separator: ", ")
            report(.tls, "ipv6-not-checked", "this machine has no IPv6, so \(addresses) is not checked")
        }
        guard !checked.isEmpty else {
            unreachable = left.isEmpty ? "no address was contacted" : "this machine has no IPv6"
            return steps.append(Step(.tls, skipped: unreachable ?? ""))
        }
        let presented = checked.compactMap { handshake in
            if case .success(let chain) = handshake.result { (handshake.address, chain) } else { nil }
        }
        guard let (address, chain) = presented.first(where: { $0.1.verdict.isGood }) ?? presented.first else {
            return reportHandshakes(checked)
        }
        certificateExpiry = chain.leaf.notAfter
        steps.append(
            Step(
                .tls, summary: tlsSummary(chain),
                evidence: [
                    "address": .string(address.description),
                    "versions": .array(versions.map { .string($0.text) }),
                    "notAfter": .string(InternetDate.string(chain.leaf.notAfter)),
                    "daysLeft": .number(daysLeft(chain.leaf)), "issuer": .string(chain.leaf.issuer),
                    "names": .array(chain.leaf.names.map(JSONOutput.string)),
                ]))
        judgeVersions()
        judge(chain)
    }

    private var versions: [TLSVersion] {
        var versions: [TLSVersion] = []
        if let older = seen.versions.older { versions.append(older) }
        if seen.versions.tls12 == true { versions.append(.tls12) }
        if seen.versions.tls13 == true { versions.append(.tls13) }
        return versions
    }

    private func daysLeft(_ leaf: PresentedChain.LeafFacts) -> Int {
        Int((leaf.notAfter - seen.checkedAt).quotientAndRemainder(dividingBy: 86_400).quotient)
    }

    private func tlsSummary(_ chain: Observation.Judged) -> String {
        let spoken = versions.map(\.text).joined(separator: " and ")
        let days = daysLeft(chain.leaf)
        let date = InternetDate.day(chain.leaf.notAfter)
        let state =
            switch chain.verdict {
            case .good: "complete chain, \(counted(days, "day")) left (until \(date))"
            case .expired: "expired on \(date)"
            case .notYetValid: "valid from \(InternetDate.day(chain.leaf.notBefore))"
            case .nameMismatch: "the certificate is for \(chain.leaf.names.prefix(2).joined(separator: ", "))"
            case .missingIntermediate: "incomplete chain"
            case .untrusted: "untrusted chain"
            }
        return spoken.isEmpty ? state : "\(spoken), \(state)"
    }

    private mutating func judgeVersions() {
        switch (seen.versions.tls12, seen.versions.tls13) {
        case (false, true): report(.tls, "tls12-missing", "the server accepts TLS 1.3, and not 1.2")
        case (true, false): report(.tls, "tls13-missing", "the server accepts TLS 1.2, and not 1.3")
        default: break
        }
    }

    private mutating func judge(_ chain: Observation.Judged) {
        let leaf = chain.leaf
        switch chain.verdict {
        case .good:
            let days = daysLeft(leaf)
            let third = Int((leaf.notAfter - leaf.notBefore) / 86_400 / 3)
            guard days < min(options.certificateDays, third) else { return }
            report(
                .tls, "tls-expires-soon", "the certificate expires in \(counted(days, "day"))",
                help: "renew it now, and look at what should have done so by itself")
        case .expired:
            report(.tls, "tls-expired", "the certificate has expired on \(InternetDate.day(leaf.notAfter))")
            unreachable = "the certificate is not accepted"
        case .notYetValid:
            report(
                .tls, "tls-not-yet-valid", "the certificate is not valid before \(InternetDate.string(leaf.notBefore))")
            unreachable = "the certificate is not accepted"
        case .nameMismatch:
            let names = leaf.names.prefix(5).map { quoted($0) }.joined(separator: ", ")
            let more = leaf.names.count > 5 ? " and \(leaf.names.count - 5) more" : ""
            report(
                .tls, "tls-name-mismatch", "the certificate does not cover '\(seen.target.host)'",
                notes: [leaf.names.isEmpty ? "it names no host" : "it covers \(names)\(more)"],
                help: "order a certificate for '\(seen.target.host)', or have the server choose by server name")
            unreachable = "the certificate is not accepted"
        case .missingIntermediate:
            report(
                .tls, "tls-missing-intermediate",
                "the server does not send the intermediate certificate of \(quoted(leaf.issuer))",
                notes: ["browsers repair this; Apple's fetcher may not"],
                help:
                    "configure the full chain ('fullchain.pem'); if the issuer is a private authority, --ca-file names it"
            )
            unreachable = "the certificate is not accepted"
        case .untrusted:
            report(
                .tls, "tls-untrusted",
                "the certificate chain does not end in a trusted root; issued by \(quoted(leaf.issuer))",
                help: "use a certificate of a public authority; --ca-file names a private one")
            unreachable = "the certificate is not accepted"
        }
    }

    /// No address has completed a handshake.
    private mutating func reportHandshakes(_ handshakes: [Observation.Handshake]) {
        let failures = handshakes.compactMap { handshake -> (IPAddress, Failure)? in
            if case .failure(let failure) = handshake.result { (handshake.address, failure) } else { nil }
        }
        let perAddress = failures.map { "\($0.0): \($0.1)" }
        let isConnected = failures.contains { $0.1.phase != .connecting && $0.1.phase != .queued }
        let shown = perAddress.joined(separator: "; ")
        if let older = seen.versions.older {
            report(
                .tls, "tls-old-version", "the server accepts TLS \(older.text) at most; Apple's systems require 1.2",
                evidence: perAddress)
        } else if isConnected {
            report(.tls, "tls-handshake-failed", "no address completes a TLS handshake: \(shown)")
        } else {
            report(.tls, "connect-failed", "no address accepts a connection to port \(seen.target.port): \(shown)")
        }
        unreachable = isConnected ? "there is no TLS handshake" : "there is no connection"
        steps.append(
            Step(
                .tls, summary: shown,
                evidence: ["address": .null, "versions": .array(versions.map { .string($0.text) })]))
    }
}

extension ResolutionFailure {
    /// Whether it is an answer: the name is not there, or has no address of the family.
    fileprivate var saysThatThereIsNone: Bool { self == .noSuchName || self == .noAddress }
}
