internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// The findings about the issuers of a file's certificates (push-certificates.md, section 8).
struct IssuerFindings {
    let certificates: [ParsedCertificate]
    let kinds: [CertificateKind]
    let verdicts: [IssuerVerdict]

    /// About one that matters: no authority beside other certificates.
    func findings(on index: Int) -> [Diagnostic] {
        [notAppleIssued(index), outlivesIssuer(index)].compactMap { $0 }
    }

    private func notAppleIssued(_ index: Int) -> Diagnostic? {
        guard !verdicts[index].chainsToApple else { return nil }
        let kind = kinds[index]
        let (statement, mayBeApples) = statement(index)
        let advice: String? =
            switch kind {
            case .notPush: nil
            case .ca: mayBeApples ? nil : "do not use it: Apple's servers accept no push certificate that it issued"
            default:
                mayBeApples
                    ? "if Apple's servers reject it, download it again from developer.apple.com"
                    : "download it again from developer.apple.com, unless it is for a test server: Apple's servers reject it"
            }
        return RuleDescription.notAppleIssued.finding(statement, kind == .notPush ? .note : .warning, advice: advice)
    }

    private func statement(_ index: Int) -> (text: String, mayBeApples: Bool) {
        let parsed = certificates[index]
        let name = parsed.issuerCommonName.map { quotedIdentifier($0) }
        if let pretended = verdicts[index].pretended {
            let authority = pretended.generation.map { "Apple's authority \($0)" } ?? "Apple's root"
            let known = name.map { " (\($0))" } ?? ""
            return (
                "the certificate claims to be from \(authority)\(known), but is not signed by Apple: it is damaged or forged",
                false
            )
        }
        if parsed.isSelfIssued, kinds[index] != .ca {
            return ("the certificate is self-signed\(name.map { " by \($0)" } ?? ""), not issued by Apple", false)
        }
        let issuer = name.map { "the issuer \($0)" } ?? "the issuer, which has no common name,"
        guard isNamedLikeApples(parsed) else {
            return ("\(issuer) is not one of Apple's certificate authorities", false)
        }
        return (
            "\(issuer) has a name like Apple's, but is not one of the built-in authorities: it is forged, or newer than "
                + "this version", true
        )
    }

    private func isNamedLikeApples(_ parsed: ParsedCertificate) -> Bool {
        [parsed.issuerCommonName, parsed.issuer(ObjectIdentifier.organization)].contains { name in
            name.map { Array($0.utf8).firstRange(of: Array("Apple".utf8)) != nil } ?? false
        }
    }

    private func outlivesIssuer(_ index: Int) -> Diagnostic? {
        let notAfter = certificates[index].x509.notAfter
        guard let end = verdicts[index].issuerNotAfter, notAfter > end else { return nil }
        let name = certificates[index].issuerCommonName.map { " \(quotedIdentifier($0))" } ?? ""
        return RuleDescription.outlivesIssuer.finding(
            "the certificate is valid until \(InternetDate.dayAndMinute(notAfter)), but its issuer\(name) only until "
                + "\(InternetDate.dayAndMinute(end))", advice: "renew it before then; it may be rejected afterwards")
    }

    /// The intermediates beside other certificates that have issued none of the file, with the finding about each.
    func wrongIntermediates() -> [(index: Int, finding: Diagnostic)] {
        let parents = Set(verdicts.compactMap(\.parent))
        let identities = Set(parents.map(identity))
        let generation = zip(kinds, verdicts).lazy.compactMap { $0 == .ca ? nil : $1.authority?.generation }.first
        return certificates.indices.filter { index in
            kinds[index] == .ca && !certificates[index].isSelfIssued && !parents.contains(index)
                // The same authority may be there twice, as one that was issued anew.
                && !identities.contains(identity(of: index))
        }.map { index in
            let instead = generation.map { ": Apple's \($0)" } ?? ""
            let finding = RuleDescription.wrongIntermediate.finding(
                "this intermediate certificate did not issue any other certificate in the file",
                advice:
                    "leave it out: Apple's servers need none, and a server that wants one needs the issuer of the push "
                    + "certificate\(instead)")
            return (index, finding)
        }
    }

    private func identity(of index: Int) -> [UInt8] {
        let certificate = certificates[index].x509
        return certificate.subjectName + (certificate.publicKeyIdentity ?? [])
    }
}

/// Finds out who issued the certificates of a file (push-certificates.md, section 4).
///
/// Names and key identifiers only say where to look, signatures decide. Neither time nor revocation matter, and no chain is
/// checked by the library: it refuses genuine certificates of Apple for their critical extensions.
struct IssuerSearch {
    /// The maximum number of authorities of the file that are tried for a certificate.
    private static let maximumCandidates = 4
    /// The maximum number of authorities between a certificate and one that Apple's own key has signed.
    private static let maximumDepth = 8

    private let context: LibraryContext
    /// No genuine file has so many authorities that what is left does not do.
    private let budget: ReadingBudget
    private let certificates: [ParsedCertificate]
    private var builtIn: [AppleAuthority: X509Certificate] = [:]
    /// The authorities of the file by the identifiers of their keys, and by their names.
    private var byIdentifier: [[UInt8]: [Int]] = [:]
    private var byName: [[UInt8]: [Int]] = [:]

    /// - Returns: One for each certificate, in the same order.
    static func verdicts(
        on certificates: [ParsedCertificate], budget: ReadingBudget, in context: LibraryContext
    ) -> [IssuerVerdict] {
        var search = IssuerSearch(certificates, budget, context)
        var verdicts = certificates.indices.map { search.verdict(on: $0) }
        for index in verdicts.indices { verdicts[index].chainsToApple = isApples(index, verdicts) }
        return verdicts
    }

    private init(_ certificates: [ParsedCertificate], _ budget: ReadingBudget, _ context: LibraryContext) {
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

/// The evidence of signatures about who issued a certificate.
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
