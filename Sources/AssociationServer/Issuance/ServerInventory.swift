package import Diagnostics
package import ServiceHealth
package import SiteStore

/// The certificates of a server and what they are needed for, read as the server reads them, without serving anything.
package struct ServerInventory: Sendable {
    package let input: IssuanceInput
    /// The problems of certificates; those that make one unusable come first.
    package let findings: [LocatedDiagnostic]
    /// The folder of the certificate that clients are presented, by domain; the preferred one of several.
    package let presented: [String: String]
    /// All pairs of a certificate and its key, by folder.
    package let pairs: [PairFacts]
    /// The problems of certificates, but for pairs that are refused.
    package let certificateFindings: [LocatedDiagnostic]
    private let configuration: ServerConfiguration
    private let candidates: [CertificateChoice.Candidate]
    private let choice: CertificateChoice.Result

    /// - Parameter now: seconds since 1970.
    /// - Throws: `ServerError.Code.unreadable` if a folder cannot be read.
    package init(_ configuration: ServerConfiguration, now: Int64) throws(ServerError) {
        self.init(
            configuration, try SiteFolder.domains(configuration),
            try CertificateLoader(configuration, context: nil, now: now).load(), now: now)
    }

    /// Takes what a store has, with the certificates of a folder if one is read besides.
    ///
    /// - Parameters:
    ///   - domains: those that have files in the store.
    ///   - keys: open the private keys; nil without a key file.
    ///   - now: seconds since 1970.
    package init(
        _ configuration: ServerConfiguration, domains: [String], certificates: [StoredCertificate],
        keys: StoreKeyRing?, now: Int64
    ) throws(ServerError) {
        var stored = StoreCertificates()
        let nowhere = StorePosition(storeID: "", generation: 0, token: "")
        _ = stored.apply(
            StoreUpdate(
                changes: StoreChanges(position: nowhere, isComplete: true, certificates: certificates), keys: keys),
            context: nil)
        var loaded = stored.loaded
        if configuration.readsCertificateFolders {
            let ofFolders = try CertificateLoader(configuration, context: nil, now: now).load()
            loaded.pairs += ofFolders.pairs
            loaded.findings += ofFolders.findings
        }
        self.init(configuration, domains.sorted(), loaded, now: now)
    }

    private init(
        _ configuration: ServerConfiguration, _ domains: [String], _ loaded: LoadedCertificates, now: Int64
    ) {
        let pairs = loaded.pairs
        let candidates = pairs.map(CertificateChoice.Candidate.init)
        let choice = CertificateChoice.choose(candidates, now: now)
        (self.configuration, self.candidates, self.choice) = (configuration, candidates, choice)
        let chosen = Set(choice.byName.values.joined())
        input = IssuanceInput(
            configuration: configuration.acme, folder: configuration.issuancePlace, domains: domains,
            certificates: pairs.enumerated().map { index, pair in
                IssuanceInput.Certificate(pair, isPresented: chosen.contains(index))
            }, answerable: configuration.answerableChallenges)
        let all = loaded.findings + choice.findings
        findings = all.filter(\.isError) + all.filter { !$0.isError }
        self.pairs = loaded.facts
        certificateFindings = loaded.findingsBesidesPairs(all)
        var presented: [String: String] = [:]
        for domain in domains { presented[domain] = choice.presented(domain).first.map { pairs[$0].path } }
        self.presented = presented
    }

    /// The certificates as they are judged now.
    ///
    /// - Parameter issuance: the state of orders.
    package func judged(_ issuance: IssuanceReport, now: Int64) -> JudgedCertificates {
        JudgedCertificates(
            candidates, of: input.domains, configuration, issuance: issuance, now: now, presented: choice.presented)
    }
}
