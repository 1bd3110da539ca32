internal import OpenSSL

/// Finds out who issued the certificates of a file (push-certificates.md, section 4).
///
/// Names and key identifiers only say where to look, signatures decide. Neither time nor revocation matter, and no chain is
/// checked by the library: it refuses genuine certificates of Apple for their critical extensions.
struct IssuerSearch {
    /// So many authorities of the file are tried for a certificate.
    private static let maximumCandidates = 4
    /// So many authorities may be between a certificate and one that Apple's own key has signed.
    private static let maximumDepth = 8

    private let context: LibraryContext
    /// No genuine file has so many authorities that what is left does not do.
    private let budget: WorkBudget
    private let certificates: [ParsedCertificate]
    private var builtIn: [AppleAuthority: X509Certificate] = [:]
    /// The authorities of the file by the identifiers of their keys, and by their names.
    private var byIdentifier: [[UInt8]: [Int]] = [:]
    private var byName: [[UInt8]: [Int]] = [:]

    /// - Returns: One for each certificate, in the same order.
    static func verdicts(
        on certificates: [ParsedCertificate], budget: WorkBudget, in context: LibraryContext
    ) -> [IssuerVerdict] {
        var search = IssuerSearch(certificates, budget, context)
        var verdicts = certificates.indices.map { search.verdict(on: $0) }
        for index in verdicts.indices { verdicts[index].chainsToApple = isApples(index, verdicts) }
        return verdicts
    }

    private init(_ certificates: [ParsedCertificate], _ budget: WorkBudget, _ context: LibraryContext) {
        self.budget = budget
        self.certificates = certificates
        self.context = context
        for (index, parsed) in certificates.enumerated() where parsed.isCA {
            if let identifier = parsed.subjectKeyIdentifier { byIdentifier[identifier, default: []].append(index) }
            byName[parsed.x509.subjectName, default: []].append(index)
        }
    }

    private mutating func verdict(on index: Int) -> IssuerVerdict {
        let parsed = certificates[index]
        var verdict = IssuerVerdict()
        for claimed in AppleAuthority.claimed(by: parsed) {
            guard let issuer = certificate(of: claimed) else { continue }
            if parsed.x509.isSigned(by: issuer) {
                verdict.authority = claimed
                break
            }
            verdict.pretended = verdict.pretended ?? claimed
        }
        verdict.parent = parent(of: index)
        // A root's own end says nothing about its issuer.
        if !parsed.isSelfIssued {
            let known = verdict.authority.flatMap { $0.mayHaveBeenReissued ? nil : certificate(of: $0)?.notAfter }
            let inFile = verdict.parent.map { certificates[$0].x509.notAfter }
            verdict.issuerNotAfter = [known, inFile].compactMap { $0 }.max()
        }
        return verdict
    }

    /// The authority in the file that signed a certificate.
    private mutating func parent(of index: Int) -> Int? {
        let parsed = certificates[index]
        let byIdentifier = parsed.authorityKeyIdentifier.flatMap { self.byIdentifier[$0] } ?? []
        let candidates = byIdentifier.isEmpty ? byName[parsed.x509.issuerName] ?? [] : byIdentifier
        for candidate in candidates.prefix(Self.maximumCandidates) where candidate != index {
            guard (try? budget.spend(WorkCost.signature)) != nil else { return nil }
            if parsed.x509.isSigned(by: certificates[candidate].x509) { return candidate }
        }
        return nil
    }

    private mutating func certificate(of authority: AppleAuthority) -> X509Certificate? {
        if let known = builtIn[authority] { return known }
        let certificate = authority.certificate(in: context)
        builtIn[authority] = certificate
        return certificate
    }

    private static func isApples(_ index: Int, _ verdicts: [IssuerVerdict]) -> Bool {
        var index = index
        for _ in 0...maximumDepth {
            if verdicts[index].authority != nil { return true }
            guard let parent = verdicts[index].parent else { return false }
            index = parent
        }
        return false
    }
}

/// What signatures tell about who issued a certificate.
struct IssuerVerdict {
    /// The authority of Apple whose key has made the signature.
    var authority: AppleAuthority?
    /// One that the certificate names as its issuer, and that has not signed it.
    var pretended: AppleAuthority?
    /// The index of the authority in the same file whose key has made the signature.
    var parent: Int?
    /// Whether signatures lead to one of Apple's roots.
    var chainsToApple = false
    /// When the issuer's certificate ends, as far as it is known, in seconds since 1970.
    var issuerNotAfter: Int64?
}
