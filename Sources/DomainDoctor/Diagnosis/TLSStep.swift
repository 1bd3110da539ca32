internal import Diagnostics
internal import DomainNames
internal import HTTPClient
internal import OpenSSL
internal import ServiceHealth
internal import SystemSupport

// The connections, and the certificate.
extension DomainDiagnoser {
    private static let refusedCertificate = "the certificate is not accepted"

    mutating func examineHandshakes() {
        if let unreachable { return steps.append(Step(.tls, skipped: unreachable)) }
        let checked = seen.handshakes.filter { !$0.saysNothing }
        let left = seen.handshakes.filter(\.saysNothing).map(\.address.description)
        if !left.isEmpty {
            let verb = left.count == 1 ? "is" : "are"
            report(
                .dns, .ipv6NotChecked,
                "this machine has no route to IPv6, so \(Self.list(left)) \(verb) not checked",
                help: "run the check from a machine with IPv6")
        }
        guard !checked.isEmpty else {
            let reason = left.isEmpty ? "no address was contacted" : "this machine has no route to IPv6"
            unreachable = reason
            return steps.append(Step(.tls, skipped: reason))
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
                .tls, summary: summary(chain),
                evidence: [
                    "address": .string(address.description),
                    "versions": .array(versions.map { .string($0.text) }),
                    "notAfter": .string(InternetDate.string(chain.leaf.notAfter)),
                    "daysLeft": .number(chain.leaf.validity.daysLeft(at: seen.checkedAt)),
                    "warningDays": .number(warningDays(chain.leaf)),
                    "state": .string(judgement(chain.leaf).state.rawValue),
                    "issuer": .string(chain.leaf.issuer.cut(to: 300)),
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

    /// The option in seconds; nil without it.
    private var warningSeconds: Int64? {
        options.certificateDays.map { Int64(min(max($0, 0), 100_000)) * CertificateValidity.day }
    }

    /// The judgement of `aasa serve` about a certificate of this validity that it does not renew itself.
    private func judgement(_ leaf: PresentedChain.LeafFacts) -> CertificateJudgement {
        let now = seen.checkedAt
        return leaf.validity.contains(now)
            ? CertificateJudgement(byTime: leaf.validity, warningSeconds: warningSeconds, now: now)
            : CertificateJudgement(leaf.validity, .folder, of: seen.target.host, nil, now: now)
    }

    /// The number of days left below which the certificate is worth a warning.
    private func warningDays(_ leaf: PresentedChain.LeafFacts) -> Int {
        wholeDays(warningSeconds ?? leaf.validity.warningSeconds)
    }

    private func summary(_ chain: Observation.Judged) -> String {
        let spoken = Self.list(versions.map(\.text))
        let date = InternetDate.day(chain.leaf.notAfter)
        let state =
            switch chain.verdict {
            case .good: "complete chain, \(chain.leaf.validity.timeLeft(at: seen.checkedAt)) left (until \(date))"
            case .expired: "expired on \(date)"
            case .notYetValid: "not valid before \(InternetDate.day(chain.leaf.notBefore))"
            case .nameMismatch where chain.leaf.names.isEmpty: "the certificate names no host"
            case .nameMismatch: "the certificate is for \(Self.list(chain.leaf.names, atMost: 2))"
            case .missingIntermediate: "incomplete chain"
            case .untrusted: "untrusted chain"
            }
        return spoken.isEmpty ? state : "\(spoken), \(state)"
    }

    private mutating func judgeVersions() {
        // Where connections are dropped, one without an answer says nothing about its version.
        guard seen.failedConnections.isEmpty else { return }
        switch (seen.versions.tls12, seen.versions.tls13) {
        case (false, true):
            report(
                .tls, .tls12Missing, "the server accepts TLS 1.3, but not 1.2",
                notes: ["which version Apple's fetcher speaks is not documented"], help: "enable TLS 1.2 as well")
        case (true, false):
            report(
                .tls, .tls13Missing, "the server accepts TLS 1.2, but not 1.3", help: "enable TLS 1.3 as well")
        default: break
        }
    }

    private mutating func judge(_ chain: Observation.Judged) {
        guard !chain.verdict.isGood else { return judgeExpiry(chain.leaf) }
        unreachable = Self.refusedCertificate
        let leaf = chain.leaf
        let issuer = quoted(leaf.issuer)
        switch chain.verdict {
        case .good: break
        case .expired:
            report(
                .tls, .tlsExpired, "the certificate expired on \(InternetDate.day(leaf.notAfter))",
                evidence: ["valid until \(InternetDate.string(leaf.notAfter))"],
                help: judgement(leaf).advice ?? "renew it, and compare the clocks of host and client")
        case .notYetValid:
            report(
                .tls, .tlsNotYetValid,
                "the certificate is not valid before \(InternetDate.day(leaf.notBefore))",
                evidence: ["valid from \(InternetDate.string(leaf.notBefore))"],
                help: judgement(leaf).advice ?? "compare the clocks of host and client")
        case .nameMismatch:
            report(
                .tls, .tlsNameMismatch, "the certificate does not cover \(seen.target.host)",
                notes: [
                    leaf.names.isEmpty
                        ? "it names no host" : "it is for \(Self.list(leaf.names.map { quoted($0) }, atMost: 5))"
                ],
                help:
                    "get a certificate that names \(seen.target.host); if the server has one, check for which "
                    + "server name it is configured")
        case .missingIntermediate:
            report(
                .tls, .tlsMissingIntermediate,
                "the server sends its own certificate only, without that of its issuer \(issuer)",
                notes: ["browsers find the missing one themselves; Apple's fetcher may not"],
                help:
                    "configure the full chain ('fullchain.pem', not 'cert.pem'); if the issuer is a private authority, "
                    + "name its root with --ca-file")
        case .untrusted(let distrust):
            report(
                .tls, .tlsUntrusted, Self.clause(distrust, issuer),
                help: Self.help(distrust))
        }
    }

    private static func clause(_ distrust: ChainVerdict.Distrust, _ issuer: String) -> String {
        switch distrust {
        case .selfSigned: "the certificate is self-signed"
        case .unknownIssuer(let name) where name.isEmpty:
            "the chain does not end in a trusted root; it is from \(issuer)"
        case .unknownIssuer(let name): "the chain ends in \(quoted(name)), which is not a trusted root"
        case .issuerExpired(let name): "the certificate of the authority \(quoted(name)) has expired"
        case .issuerNotYetValid(let name): "the certificate of the authority \(quoted(name)) is not valid yet"
        case .other(let reason): "the chain is not trusted: \(quoted(reason))"
        }
    }

    private static func help(_ distrust: ChainVerdict.Distrust) -> String {
        switch distrust {
        case .issuerExpired, .issuerNotYetValid:
            "configure the chain that came with the latest certificate ('fullchain.pem')"
        case .selfSigned, .unknownIssuer, .other:
            "use a certificate of a public authority; for a private one that your devices trust, use --ca-file here "
                + "and '?mode=managed' in the entitlement"
        }
    }

    private mutating func judgeExpiry(_ leaf: PresentedChain.LeafFacts) {
        let judgement = judgement(leaf)
        guard judgement.severity > .ok else { return }
        report(
            .tls, .tlsExpiresSoon, as: judgement.severity == .critical ? .error : nil,
            "the certificate expires in \(leaf.validity.timeLeft(at: seen.checkedAt))",
            evidence: ["valid until \(InternetDate.string(leaf.notAfter))"], help: judgement.advice)
    }

    /// No address has completed a handshake.
    private mutating func reportHandshakes(_ handshakes: [Observation.Handshake]) {
        let failures = handshakes.compactMap { handshake -> (address: IPAddress, failure: Failure)? in
            if case .failure(let failure) = handshake.result { (handshake.address, failure) } else { nil }
        }
        let each = failures.map { "\($0.address): \($0.failure)" }
        let shown = each.joined(separator: "; ")
        let isConnected = failures.contains { $0.failure.phase != .connecting && $0.failure.phase != .queued }
        if let older = seen.versions.older {
            report(
                .tls, .tlsOldVersion,
                "the server accepts TLS \(older.text) at most, and Apple's systems require 1.2", evidence: each,
                help: "enable TLS 1.2 and 1.3 in the web server or load balancer")
            unreachable = "TLS \(older.text) is too old"
        } else if isConnected {
            report(
                .tls, .tlsHandshakeFailed, "no address completes a TLS handshake: \(shown)",
                help:
                    "make sure that port \(seen.target.port) speaks TLS and has a certificate for \(seen.target.host); "
                    + "a firewall that drops unknown clients looks the same")
            unreachable = "there is no TLS handshake"
        } else {
            report(
                .tls, .connectFailed, "no address accepts a connection to port \(seen.target.port): \(shown)",
                help:
                    "start the web server, and open the port for everybody: Apple does not publish the addresses from "
                    + "which it asks")
            unreachable = "there is no connection"
        }
        steps.append(Step(.tls, summary: shown, evidence: ["versions": .array(versions.map { .string($0.text) })]))
    }
}

extension Observation.Handshake {
    /// Whether it says something about this machine, which has no IPv6, and nothing about the address.
    var saysNothing: Bool {
        guard address.isIPv6, case .failure(let failure) = result, case .notConnected(let error) = failure.reason else {
            return false
        }
        return error.isLackOfRoute
    }
}

extension PresentedChain.LeafFacts {
    fileprivate var validity: CertificateValidity { CertificateValidity(notBefore: notBefore, notAfter: notAfter) }
}
