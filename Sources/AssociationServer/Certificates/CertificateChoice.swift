internal import Diagnostics
package import OpenSSL

/// Which certificates are presented for which name (server.md, section 1).
package enum CertificateChoice {
    /// What the choice looks at.
    package struct Candidate: Equatable {
        /// The folder it was read from.
        let path: String
        let names: [String]
        let keyType: ServerCertificate.KeyType
        let notBefore: Int64

        package init(path: String, names: [String], keyType: ServerCertificate.KeyType, notBefore: Int64) {
            self.path = path
            self.names = names
            self.keyType = keyType
            self.notBefore = notBefore
        }
    }

    package struct Result: Equatable {
        /// For each name the indices of its candidates: at most one of a key type, the preferred type first.
        package var byName: [String: [Int]] = [:]
        package var findings: [LocatedDiagnostic] = []
    }

    /// Of two certificates with the same key type for one name the later one wins; those of different types are both
    /// used.
    package static func choose(_ candidates: [Candidate]) -> Result {
        var result = Result()
        var beaten: Set<[Int]> = []
        for (index, candidate) in candidates.enumerated() {
            for name in Set(candidate.names) {
                var chosen = result.byName[name] ?? []
                if let rival = chosen.firstIndex(where: { candidates[$0].keyType == candidate.keyType }) {
                    let isLater = candidate.notBefore > candidates[chosen[rival]].notBefore
                    beaten.insert(isLater ? [chosen[rival], index] : [index, chosen[rival]])
                    if isLater { chosen[rival] = index }
                } else {
                    chosen.append(index)
                }
                result.byName[name] = chosen.sorted { candidates[$0].keyType < candidates[$1].keyType }
            }
        }
        for pair in beaten.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let (loser, winner) = (candidates[pair[0]], candidates[pair[1]])
            let shared = Set(loser.names).intersection(winner.names).sorted().joined(separator: ", ")
            let problem = "not used for \(VisibleText.escaped(shared))"
            let reason = "'\(winner.path)' has the same key type and is valid from a later time, or was read first"
            result.findings.append(.warning(loser.path, "\(problem): \(reason)"))
        }
        return result
    }
}
