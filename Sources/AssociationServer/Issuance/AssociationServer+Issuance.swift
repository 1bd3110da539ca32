internal import OpenSSL
internal import SystemSupport

// What gets certificates for the server.
extension LinkServer: IssuanceHost {
    package var issuanceInput: IssuanceInput { snapshot.issuanceInput }

    package func whenIssuanceInputChanges(_ handler: (@Sendable () -> Void)?) {
        state.withLock { $0.whenIssuanceInputChanges = handler }
    }

    /// A reload has ended.
    func issuanceInputMayHaveChanged() { state.withLock { $0.whenIssuanceInputChanges }?() }

    package func publish(_ challenges: [PendingChallenge], whenServed: @escaping @Sendable () -> Void) {
        challengeStore.publish(challenges, to: { state.withLock { $0.workers } }, whenServed: whenServed)
    }

    package func withdraw(_ challenges: [PendingChallenge]) {
        challengeStore.withdraw(challenges) { state.withLock { $0.workers } }
    }

    package func certificatesChanged(
        in folders: Set<String>, whenPresented: @escaping @Sendable () -> Void
    ) {
        reloader.certificatesChanged(in: folders, whenPresented)
    }

    package func show(_ report: @escaping @Sendable () -> IssuanceReport) {
        let shown = ShownIssuanceReport(report)
        state.withLock { $0.issuance = shown }
    }

    /// The report that was shown last; `nil` while no certificates are ordered.
    package var issuanceReport: IssuanceReport? {
        let shown = state.withLock { $0.snapshot.configuration.acme.isOn ? $0.issuance : nil }
        return shown?.report
    }
}

extension ServerSnapshot {
    var issuanceInput: IssuanceInput {
        let presented = identities.servedPairs
        return IssuanceInput(
            configuration: configuration.acme, folder: configuration.issuancePlace,
            domains: loadedSites.map(\.domain).sorted(),
            certificates: allPairs.enumerated().map { index, pair in
                IssuanceInput.Certificate(pair, isPresented: presented.contains(index))
            }, answerable: configuration.answerableChallenges)
    }
}

extension IssuanceInput.Certificate {
    init(_ pair: CertificatePair, isPresented: Bool) {
        let certificate = pair.certificate
        self.init(
            folder: pair.path, leaf: certificate.leaf, names: certificate.names, keyType: certificate.keyType,
            keyBits: certificate.keyBits, notBefore: certificate.notBefore, notAfter: certificate.notAfter,
            source: pair.source, authority: pair.authority, isKept: pair.isKept, isPresented: isPresented)
    }
}
