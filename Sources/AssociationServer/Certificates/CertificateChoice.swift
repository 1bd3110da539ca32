package import Diagnostics
package import OpenSSL
package import ServiceHealth

/// Which certificates are presented for which name (server.md, section 1; acme.md, section 2).
package enum CertificateChoice {
    /// The properties of a certificate that the choice depends on.
    package struct Candidate: Equatable {
        /// The folder it was read from.
        let path: String
        let names: [String]
        let keyType: ServerCertificate.KeyType
        /// Seconds since 1970.
        let notBefore: Int64
        /// Seconds since 1970.
        let notAfter: Int64
        let source: CertificateSource

        package init(
            path: String, names: [String], keyType: ServerCertificate.KeyType, notBefore: Int64,
            notAfter: Int64 = .max, source: CertificateSource = .folder
        ) {
            self.path = path
            self.names = names
            self.keyType = keyType
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.source = source
        }

        func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

        /// When that changes; `nil` if it does not any more.
        func change(after now: Int64) -> Int64? {
            if now < notBefore { return notBefore }
            return now <= notAfter && notAfter < .max ? notAfter + 1 : nil
        }
    }

    package struct Result: Equatable {
        /// The indices of the candidates of each name: at most one of a key type, the preferred type first.
        package var byName: [String: [Int]] = [:]
        package var findings: [LocatedDiagnostic] = []
        /// When the choice may be another one because a certificate becomes valid or expires, in seconds since 1970; `nil`
        /// if there is nothing to choose.
        package var reconsiderAt: Int64?

        /// The indices of those that a client is presented which asks for a name, the preferred one first.
        func presented(_ name: String) -> [Int] {
            byName[name] ?? byName[CertificateChoice.wildcard(of: name)] ?? []
        }
    }

    /// Chooses between certificates with the same key type for one name: the one that is valid wins, then the one that
    /// is not from ACME, then the later one; those of different types are both used. None from ACME is used for a name
    /// that a valid one of another source covers.
    ///
    /// - Parameter now: seconds since 1970.
    package static func choose(_ candidates: [Candidate], now: Int64) -> Result {
        var result = Result()
        let own = candidates.filter { $0.source == .folder && $0.isValid(at: now) }
        let covered = candidates.contains { $0.source == .acme } ? Set(own.flatMap(\.names)) : []
        var beaten: Set<[Int]> = []
        for (index, candidate) in candidates.enumerated() {
            for name in Set(candidate.names) {
                if candidate.source == .acme, covered.contains(name) || covered.contains(wildcard(of: name)) {
                    continue
                }
                var chosen = result.byName[name] ?? []
                if let rival = chosen.firstIndex(where: { candidates[$0].keyType == candidate.keyType }) {
                    let isBetter = candidate.isBetter(than: candidates[chosen[rival]], now: now)
                    beaten.insert(isBetter ? [chosen[rival], index] : [index, chosen[rival]])
                    if isBetter { chosen[rival] = index }
                } else {
                    chosen.append(index)
                }
                result.byName[name] = chosen.sorted { candidates[$0].keyType < candidates[$1].keyType }
            }
        }
        dropInvalid(&result, candidates, now)
        result.findings = beaten.sorted { $0.lexicographicallyPrecedes($1) }.compactMap {
            finding(loser: candidates[$0[0]], winner: candidates[$0[1]], now)
        }
        result.reconsiderAt = reconsideration(candidates, now)
        return result
    }

    /// A name whose own certificates are not valid is left to a wildcard that is.
    private static func dropInvalid(_ result: inout Result, _ candidates: [Candidate], _ now: Int64) {
        guard result.byName.keys.contains(where: { $0.hasPrefix("*.") }) else { return }
        for (name, chosen) in result.byName where !chosen.contains(where: { candidates[$0].isValid(at: now) }) {
            let others = result.byName[wildcard(of: name)] ?? []
            if others.contains(where: { candidates[$0].isValid(at: now) }) { result.byName[name] = nil }
        }
    }

    /// That a certificate is not used for some names; those of ACME stay where they were when another takes their place.
    private static func finding(loser: Candidate, winner: Candidate, _ now: Int64) -> LocatedDiagnostic? {
        if loser.source == .acme { return nil }
        let shared = Set(loser.names).intersection(winner.names).sorted().joined(separator: ", ")
        let problem = "not used for \(VisibleText.escaped(shared))"
        let isLate = loser.isValid(at: now) || !winner.isValid(at: now)
        let reason = isLate ? "is valid from a later time, or was read first" : "is valid now"
        return .warning(loser.path, "\(problem): '\(winner.path)' has the same key type and \(reason)")
    }

    /// The first change of a certificate that has a rival.
    private static func reconsideration(_ candidates: [Candidate], _ now: Int64) -> Int64? {
        var counts: [String: Int] = [:]
        for name in candidates.lazy.flatMap({ Set($0.names) }) { counts[name, default: 0] += 1 }
        let wildcards = Set(counts.keys.filter { $0.hasPrefix("*.") })
        // Those that have a name of their own below them.
        let parents = wildcards.isEmpty ? [] : Set(counts.keys.map(wildcard)).intersection(wildcards)
        let rivals = candidates.filter { candidate in
            candidate.names.contains { name in
                counts[name, default: 0] > 1 || parents.contains(name)
                    || !parents.isEmpty && parents.contains(wildcard(of: name))
            }
        }
        return rivals.compactMap { $0.change(after: now) }.min()
    }

    /// The names by the wildcards that they are below, but for those that have a site of their own.
    static func namesBelowWildcards(_ names: [String], isSite: (String) -> Bool) -> [String: [String]] {
        Dictionary(grouping: names.filter { !isSite($0) }, by: wildcard)
    }

    /// `*.example.com` for `www.example.com`; what cannot be the name of a certificate for a wildcard.
    static func wildcard(of name: String) -> String {
        guard !name.hasPrefix("*."), let dot = name.firstIndex(of: ".") else { return "" }
        return "*\(name[dot...])"
    }
}

extension CertificateChoice.Candidate {
    init(_ pair: CertificatePair) {
        let certificate = pair.certificate
        self.init(
            path: pair.path, names: certificate.names, keyType: certificate.keyType, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, source: pair.source)
    }

    fileprivate func isBetter(than other: Self, now: Int64) -> Bool {
        let (isValid, isOtherValid) = (isValid(at: now), other.isValid(at: now))
        if isValid != isOtherValid { return isValid }
        if source != other.source { return source == .folder }
        return notBefore > other.notBefore
    }
}
