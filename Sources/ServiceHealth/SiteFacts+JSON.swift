internal import ACME
package import Diagnostics
internal import SystemSupport

// A site in the answer of `/sites` (server.md, section 9), and in the console's API.
extension SiteFacts {
    /// The most diagnostics of one site that are listed; `findings` has their number.
    private static let maxDiagnostics = 20

    /// The members that JSON has of it.
    ///
    /// - Parameters:
    ///   - directory: the URL of the CA.
    ///   - now: seconds since 1970.
    package func members(directory: String, now: Int64) -> [String: JSONOutput] {
        let served = site.association?.served
        let problems = SiteHealth.problems(of: self, now: now)
        return [
            "domain": .string(domain), "state": .string(site.state.rawValue),
            "severity": .string((problems.map(\.severity).max() ?? .ok).word),
            "problems": .array(problems.map { .object($0.members) }), "sha256": .optional(served?.sha256),
            "bytes": served.map { .number($0.bytes) } ?? .null, "loadedAt": Self.time(served?.since),
            "lastError": site.lastError.map(Self.json) ?? .null,
            "certificate": certificate.map { Self.json($0, now) } ?? .null,
            "lastAppleFetch": lastFetch.map(Self.json) ?? .null,
            "links": site[SiteState.File.links].map(Self.json) ?? .null,
            "files": .array(otherServedFiles.map(JSONOutput.string)), "findings": .number(site.findings.count),
            "acme": issuance.map { .object($0.members.merging(["directory": .string(directory)]) { $1 }) } ?? .null,
            "certificateStatus": .object(judgement.members),
        ]
    }

    /// The names of the files that are served besides the association file, sorted.
    private var otherServedFiles: [String] {
        site.files.filter { $0.name != SiteState.File.association && $0.served != nil }.map(\.name).sorted()
    }

    private static func json(_ links: SiteState.File) -> JSONOutput {
        .object([
            "state": .string(links.state.rawValue), "sha256": .optional(links.served?.sha256),
            "links": links.counts.map { .number($0.links) } ?? .null,
            "pages": links.counts.map { .number($0.pages) } ?? .null,
            "lastError": links.error.map(json) ?? .null,
        ])
    }

    private static func time(_ seconds: Int64?) -> JSONOutput { .optional(seconds.map(InternetDate.string)) }

    private static func json(_ failure: SiteError) -> JSONOutput {
        .object([
            "at": time(failure.at), "message": .string(failure.message),
            "diagnostics": .array(failure.diagnostics.prefix(maxDiagnostics).map { .object($0.members) }),
        ])
    }

    private static func json(_ certificate: CertificateFacts, _ now: Int64) -> JSONOutput {
        .object([
            "name": .string(certificate.name), "keyType": .string(certificate.keyType),
            "notAfter": time(certificate.notAfter), "daysLeft": .number(certificate.validity.daysLeft(at: now)),
            "folder": .string(certificate.folder), "source": .string(certificate.source.rawValue),
        ])
    }

    private static func json(_ fetch: AppleFetch) -> JSONOutput {
        .object([
            "at": time(fetch.at), "userAgent": .string(fetch.userAgent), "status": .number(fetch.status),
        ])
    }
}

extension PairFacts {
    /// The members that JSON has of it.
    package var members: [String: JSONOutput] {
        [
            "folder": .string(folder), "state": .string(state.rawValue), "path": .optional(finding?.path),
            "message": .optional(finding?.message), "retriedUntil": .optional(retriedUntil.map(InternetDate.string)),
        ]
    }
}
