internal import Diagnostics

/// The certificates of a server and what they are needed for, read as the server reads them, without serving anything.
package struct CertificateSurvey: Sendable {
    package let input: IssuanceInput
    /// What is wrong with certificates, first that some cannot be used.
    package let findings: [LocatedDiagnostic]
    /// By domain the folder of the certificate that its clients are presented; the preferred one of several.
    package let presented: [String: String]

    /// - Parameter now: seconds since 1970.
    /// - Throws: `ServerError.Code.unreadable` if a folder cannot be read.
    package init(_ configuration: ServerConfiguration, now: Int64) throws(ServerError) {
        let domains = try SiteLoader.domains(configuration)
        let loaded = try CertificateLoader(configuration, context: nil, now: now).load()
        let pairs = loaded.pairs
        let choice = CertificateChoice.choose(pairs.map(CertificateChoice.Candidate.init), now: now)
        let chosen = Set(choice.byName.values.joined())
        input = IssuanceInput(
            configuration: configuration.acme, folder: configuration.acmeFolder, domains: domains,
            certificates: pairs.enumerated().map { index, pair in
                IssuanceInput.Certificate(pair, isPresented: chosen.contains(index))
            }, answerable: configuration.answerableChallenges)
        findings = loaded.findings.filter(\.isError) + loaded.findings.filter { !$0.isError }
        var presented: [String: String] = [:]
        for domain in domains {
            let indices = choice.byName[domain] ?? choice.byName[CertificateChoice.wildcard(of: domain)]
            presented[domain] = indices?.first.map { pairs[$0].path }
        }
        self.presented = presented
    }
}
