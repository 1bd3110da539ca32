internal import OpenSSL

/// Which private key of a file belongs to which certificate (push-certificates.md, section 3).
///
/// Only equal public keys prove it: neither the order nor a `localKeyID` does. Those decide merely what is said of a key that
/// fits nothing.
struct KeyPairing {
    /// What a certificate has of its key.
    struct Verdict {
        var presence = KeyPresence.none
        /// The place of the key that fits, or of the one that may fit and cannot be read.
        var key: Int?
    }

    /// One for each certificate, in the same order.
    private(set) var verdicts: [Verdict]

    /// Keys of the same numbers are compared one by one up to here; no genuine file has any.
    private static let maximumCandidates = 8

    /// - Parameter isCA: For each certificate whether it is an authority.
    init(_ contents: FileContents, isCA: [Bool]) {
        verdicts = Array(repeating: Verdict(), count: contents.certificates.count)
        guard !contents.keys.isEmpty else { return }
        let used = pair(contents)
        let left = contents.keys.indices.filter { !used.contains($0) }
        guard !left.isEmpty else { return }
        var byLocalID: [[UInt8]: [Int]] = [:]
        for key in left {
            if let id = contents.keys[key].localKeyID { byLocalID[id, default: []].append(key) }
        }
        let lonely = zip(verdicts.indices, isCA).filter { verdicts[$0].presence == .none && !$1 }.map(\.0)
        for index in verdicts.indices where verdicts[index].presence == .none {
            let sameID = contents.certificates[index].localKeyID.flatMap { byLocalID[$0] }
            let candidates = sameID ?? (lonely == [index] ? left : [])
            guard !candidates.isEmpty else { continue }
            // One that cannot be read may be the right one.
            let unreadable = candidates.first { contents.keys[$0].key == nil }
            verdicts[index] = Verdict(presence: unreadable == nil ? .mismatched : .unreadable, key: unreadable)
        }
    }

    /// - Returns: The keys that belong to a certificate.
    private mutating func pair(_ contents: FileContents) -> Set<Int> {
        var byIdentity: [[UInt8]: [Int]] = [:]
        for (index, key) in contents.keys.enumerated() {
            guard let identity = key.key?.publicKeyIdentity else { continue }
            byIdentity[identity, default: []].append(index)
        }
        var used: Set<Int> = []
        for (index, entry) in contents.certificates.enumerated() {
            guard let identity = entry.certificate.publicKeyIdentity else { continue }
            let candidates = byIdentity[identity]?.prefix(Self.maximumCandidates) ?? []
            let fitting = candidates.filter { contents.keys[$0].key?.belongs(to: entry.certificate) ?? false }
            guard let key = fitting.first else { continue }
            verdicts[index] = Verdict(presence: .matching, key: key)
            used.formUnion(fitting)
        }
        return used
    }
}
