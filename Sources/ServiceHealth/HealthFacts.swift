package import ACME
package import Diagnostics
package import SiteStore

/// All that is known of a server at one moment and decides whether it is healthy.
package struct HealthFacts: Sendable {
    package var serving: ServingState
    /// Whether an event loop has not answered within a second.
    package var isStuck = false
    package var sites: [SiteFacts]
    /// All pairs of a certificate and its key, by folder.
    package var pairs: [PairFacts]
    /// The findings about certificates, but for pairs that are refused.
    package var certificateFindings: [LocatedDiagnostic] = []
    /// The findings about folders and settings.
    package var findings: [LocatedDiagnostic]
    /// Why the last reload could not take up server.json, and since when; nil if it did.
    package var refusedConfiguration: TimedFinding?
    /// The findings about the store that the sites come from.
    package var store: [TimedFinding] = []
    /// The nodes that follow the store, this one included.
    package var nodes: [StoredNode] = []
    /// The number of nodes that should follow the store; nil if that is not known.
    package var expectedNodes: Int?
    /// Whether the last good version of a file is there after a restart, too.
    package var remembersFiles = false
    package var program: Program?
    /// The URL of the CA that certificates are ordered from; empty if the server orders none.
    package var directory = ""

    package init(
        serving: ServingState = .ready, sites: [SiteFacts] = [], pairs: [PairFacts] = [],
        findings: [LocatedDiagnostic] = []
    ) {
        (self.serving, self.sites, self.pairs, self.findings) = (serving, sites, pairs, findings)
    }

    /// The facts about the running program.
    package struct Program: Equatable, Sendable {
        package let version: String
        /// In seconds since 1970, as the next one; nil where the system does not tell.
        package let startedAt: Int64?
        /// The last reload that was taken up; nil if there was none.
        package let reloadedAt: Int64?

        package init(version: String, startedAt: Int64?, reloadedAt: Int64?) {
            (self.version, self.startedAt, self.reloadedAt) = (version, startedAt, reloadedAt)
        }
    }
}

/// Whether clients can be sent to the server, in the words of `/readyz`.
package enum ServingState: String, CaseIterable, Sendable {
    case starting
    case ready
    /// No site has a good file.
    case nothingPublished = "nothing published"
    case draining
}

/// A site with all that decides whether it is healthy.
package struct SiteFacts: Sendable {
    package var site: SiteState
    /// The certificate that clients of the site get, the worst and then the first to expire if there are several; nil if
    /// none covers the site.
    package var certificate: CertificateFacts?
    /// The judgement of its certificate, or of the lack of one.
    package var judgement: CertificateJudgement
    /// The state of its orders, if the server gets the certificate by itself.
    package var issuance: DomainStatus?
    /// Further facts about why it has no certificate.
    package var issuanceFindings: [LocatedDiagnostic]
    /// The last fetch of one of Apple's programs; nil if there was none since the start.
    package var lastFetch: AppleFetch?

    package init(
        _ site: SiteState, certificate: CertificateFacts? = nil, judgement: CertificateJudgement = .notNeeded,
        issuance: DomainStatus? = nil, issuanceFindings: [LocatedDiagnostic] = []
    ) {
        (self.site, self.certificate, self.judgement) = (site, certificate, judgement)
        (self.issuance, self.issuanceFindings) = (issuance, issuanceFindings)
    }

    package var domain: String { site.domain }
}

/// A fetch of a site's association file by one of Apple's programs.
package struct AppleFetch: Equatable, Sendable {
    /// In seconds since 1970.
    package let at: Int64
    /// Received bytes, at most 256: any client can send this.
    package let userAgent: String
    /// The status of the answer.
    package let status: Int

    package init(at: Int64, userAgent: String, status: Int) {
        (self.at, self.userAgent, self.status) = (at, userAgent, status)
    }
}

/// A certificate under one of its names.
package struct CertificateFacts: Equatable, Sendable {
    /// `example.com` or `*.example.com`, as in the certificate.
    package let name: String
    /// The type of the key, such as `ECDSA`.
    package let keyType: String
    package let validity: CertificateValidity
    /// The folder that it was read from.
    package let folder: String
    package let source: CertificateSource

    package var notAfter: Int64 { validity.notAfter }

    package init(
        name: String, keyType: String, validity: CertificateValidity, folder: String,
        source: CertificateSource = .folder
    ) {
        (self.name, self.keyType, self.validity) = (name, keyType, validity)
        (self.folder, self.source) = (folder, source)
    }
}

/// The state of the files of one certificate.
package struct PairFacts: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case loaded
        /// Its certificate and key do not match yet, and are tried again; an earlier pair stays in use meanwhile.
        case waiting
        /// It cannot be used; an earlier pair stays in use.
        case refused
    }

    package let folder: String
    package let state: State
    /// Why it is not loaded, at the file that is at fault; nil if it is.
    package let finding: LocatedDiagnostic?
    /// The end of the wait for a missing half, in seconds since 1970.
    package let retriedUntil: Int64?

    package init(
        folder: String, state: State, finding: LocatedDiagnostic? = nil, retriedUntil: Int64? = nil
    ) {
        (self.folder, self.state, self.finding, self.retriedUntil) = (folder, state, finding, retriedUntil)
    }
}

/// A finding, and since when it holds.
package struct TimedFinding: Equatable, Sendable {
    package let finding: LocatedDiagnostic
    /// In seconds since 1970.
    package let since: Int64

    package init(_ finding: LocatedDiagnostic, since: Int64) { (self.finding, self.since) = (finding, since) }
}
