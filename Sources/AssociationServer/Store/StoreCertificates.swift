internal import Diagnostics
internal import OpenSSL
internal import ServiceHealth
internal import SiteStore

/// The certificates of a store, and those of them that can be used (store.md, section 4).
struct StoreCertificates {
    private struct Record {
        var current: StoredCertificate
        /// The last one that could be used.
        var pair: CertificatePair?
        /// The row that it is from.
        var served: StoredCertificate?
        /// Why the current one cannot.
        var problem: Problem?
    }

    /// Why a certificate cannot be used.
    private struct Problem: Error {
        let pair: PairProblem
        let finding: LocatedDiagnostic
    }

    /// The largest chain that is read, in bytes.
    private static let limit = 1_048_576

    /// By name.
    private var records: [String: Record] = [:]
    /// All of them, with what was found.
    private(set) var loaded = LoadedCertificates()

    /// Takes changes over.
    ///
    /// - Parameter context: any context of the server, to check the certificates with.
    /// - Returns: whether `loaded` may be another.
    mutating func apply(_ update: StoreUpdate, context: TLSContext?) -> Bool {
        var changed: [StoredCertificate] = []
        var isOther = false
        if update.changes.isComplete {
            let names = Set(update.changes.certificates.lazy.filter { !$0.isRemoved }.map(\.name))
            for name in records.keys where !names.contains(name) {
                records[name] = nil
                isOther = true
            }
        }
        for certificate in update.changes.certificates {
            if certificate.isRemoved {
                isOther = records.removeValue(forKey: certificate.name) != nil || isOther
            } else if let record = records[certificate.name], record.problem == nil,
                Self.isSame(record.current, certificate)
            {
                records[certificate.name]?.current = certificate
            } else {
                changed.append(certificate)
            }
        }
        guard isOther || !changed.isEmpty else { return false }
        read(changed, update, context)
        collect()
        return true
    }

    /// The rows that are used in place of present ones.
    private(set) var servedOlder: [StoredCertificate] = []

    private mutating func read(_ certificates: [StoredCertificate], _ update: StoreUpdate, _ context: TLSContext?) {
        guard !certificates.isEmpty else { return }
        let reader: ServerCertificateReader
        do throws(OpenSSLError) {
            reader = try ServerCertificateReader(
                reusing: records.values.compactMap { $0.pair?.certificate }, context: context)
        } catch {
            for certificate in certificates { refuse(certificate, Self.problem(certificate, error.description)) }
            return
        }
        for certificate in certificates {
            do throws(Problem) {
                let pair = try Self.pair(certificate, records[certificate.name]?.pair, update.keys, reader)
                records[certificate.name] = Record(current: certificate, pair: pair, served: certificate)
            } catch {
                refuse(certificate, error)
                standIn(update.olderCertificates[certificate.name], update.keys, reader)
            }
        }
    }

    private mutating func refuse(_ certificate: StoredCertificate, _ problem: Problem) {
        let before = records[certificate.name]
        records[certificate.name] = Record(
            current: certificate, pair: before?.pair, served: before?.served, problem: problem)
    }

    /// Uses the row that was used last for a present one that is refused, if nothing else is.
    private mutating func standIn(
        _ older: StoredCertificate?, _ keys: StoreKeyRing?, _ reader: ServerCertificateReader
    ) {
        guard let older, records[older.name]?.pair == nil else { return }
        do throws(Problem) {
            records[older.name]?.pair = try Self.pair(older, nil, keys, reader)
            records[older.name]?.served = older
        } catch {
            // What is wrong with the present one is reported already.
        }
    }

    private mutating func collect() {
        loaded = LoadedCertificates()
        servedOlder = []
        for (_, record) in records.sorted(by: { $0.key < $1.key }) {
            if let pair = record.pair { loaded.pairs.append(record.problem == nil ? pair : pair.kept) }
            guard let problem = record.problem else { continue }
            if let served = record.served { servedOlder.append(served) }
            loaded.problems.append(problem.pair)
            loaded.findings.append(problem.finding)
            loaded.refused += 1
        }
    }

    private static func isSame(_ left: StoredCertificate, _ right: StoredCertificate) -> Bool {
        left.keyID == right.keyID && left.sealedKey == right.sealedKey && left.chain == right.chain
            && left.source == right.source && left.authority == right.authority
    }

    private static func pair(
        _ stored: StoredCertificate, _ previous: CertificatePair?, _ keys: StoreKeyRing?,
        _ reader: ServerCertificateReader
    ) throws(Problem) -> CertificatePair {
        let chain = Array(stored.chain.utf8)
        guard chain.count <= limit else {
            throw problem(stored, "the certificate chain is larger than \(grouped(limit)) bytes")
        }
        let key = try open(stored, keys)
        // As for two files: a key that was only encrypted anew is the same.
        let digest = SHA256Digest.hash(chain) + key.withBytes { SHA256Digest.hash($0) }
        let certificate: ServerCertificate
        if let previous, previous.digest == digest {
            certificate = previous.certificate
        } else {
            do throws(OpenSSLError) {
                certificate = try key.withBytes { key throws(OpenSSLError) in
                    try ServerCertificate(chain: chain, key: key, reader: reader)
                }
            } catch {
                throw problem(stored, error.description)
            }
        }
        guard !certificate.names.isEmpty else {
            throw problem(stored, "the certificate names no host in its subject alternative name")
        }
        var pair = CertificatePair(
            path: stored.path, certificate: certificate, digest: digest, stamps: nil, exposure: [], isStored: true)
        pair.source = stored.source == .acme ? .acme : .folder
        pair.authority = stored.authority
        return pair
    }

    private static func open(_ stored: StoredCertificate, _ keys: StoreKeyRing?) throws(Problem) -> SecretBytes {
        let isEncrypted = "the private key is encrypted with key \(quoted(stored.keyID))"
        guard let keys else {
            throw problem(stored, "\(isEncrypted), and there is no 'storeKeyFile'", .storeKeyMissing)
        }
        do throws(StoreKeyError) {
            return try keys.open(
                stored.sealedKey, keyID: stored.keyID, table: "certificates", primaryKey: stored.name)
        } catch {
            if case .missing = error {
                throw problem(stored, "\(isEncrypted), which 'storeKeyFile' does not have", .storeKeyMissing)
            }
            throw problem(
                stored,
                "the private key cannot be decrypted with key \(quoted(stored.keyID)): wrong key, or the data were changed",
                .storeKeyWrong)
        }
    }

    private static func problem(
        _ stored: StoredCertificate, _ message: String, _ rule: RuleDescription? = nil
    ) -> Problem {
        let path = VisibleText.escaped(stored.path)
        return Problem(
            pair: PairProblem(folder: path, path: path, message: message),
            finding: rule.map { LocatedDiagnostic($0, path, message) } ?? .error(path, message))
    }
}
