internal import ACME
internal import Diagnostics
internal import Glibc
internal import OpenSSL
internal import ServiceHealth
internal import SystemSupport

/// Reads the folders of certificates (server.md, section 1; acme.md, section 3): one pair of certbot's files a folder.
struct CertificateLoader {
    static let chainName = "fullchain.pem"
    static let keyName = "privkey.pem"
    /// In a folder that ACME has made.
    static let markName = "acme.json"
    /// Among the folders of certificates, what has ACME's accounts.
    static let accountsName = "acme-account"
    private static let limit = 1_048_576

    private let roots: [CertificateRoot]
    /// In seconds since 1970.
    private let now: Int64
    /// The pairs in use now, by their folders.
    private let previous: [String: CertificatePair]
    /// Since when halves of pairs are waited for, by their folders; in seconds since 1970.
    private let waitingSince: [String: Int64?]
    private let trustsStamps: Bool
    private let only: Set<String>?
    private let reader: ServerCertificateReader

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - previous: the pairs in use now, and the problems of others.
    ///   - trustsStamps: whether files that look as they did are not read again.
    ///   - only: the names of the folders to be read; of others the earlier pair stays, if there is one. `nil` for all.
    ///   - context: any context of the server, to check the certificates with; without one, one is made.
    /// - Throws: `ServerError.Code.setUp`.
    init(
        _ configuration: ServerConfiguration, context: TLSContext?, now: Int64,
        previous: LoadedCertificates = LoadedCertificates(), trustsStamps: Bool = false, only: Set<String>? = nil
    ) throws(ServerError) {
        roots = CertificateRoot.all(configuration)
        self.now = now
        self.previous = Dictionary(previous.pairs.map { ($0.path, $0) }) { first, _ in first }
        waitingSince = Dictionary(previous.problems.map { ($0.folder, $0.waitingSince) }) { first, _ in first }
        self.trustsStamps = trustsStamps
        self.only = only
        do throws(OpenSSLError) {
            reader = try ServerCertificateReader(reusing: previous.pairs.map(\.certificate), context: context)
        } catch {
            throw ServerError(.setUp, error.description)
        }
    }

    /// - Parameter judge: decides about all that cannot be used.
    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read; what is wrong with one pair is a
    ///   finding.
    func load(
        judge: ([PairProblem]) -> [PairRetries.Verdict] = { $0.map { _ in .failure } }
    ) throws(ServerError) -> LoadedCertificates {
        var loaded = LoadedCertificates()
        for root in roots { try read(root, &loaded) }
        for (index, verdict) in judge(loaded.problems).enumerated() {
            let problem = loaded.problems[index]
            switch verdict {
            case .wait: loaded.problems[index].waitingSince = (waitingSince[problem.folder] ?? nil) ?? now
            case .givenUp, .failure:
                loaded.refused += 1
                loaded.findings.append(
                    problem.finding(isKept: previous[problem.folder] != nil, isGivenUp: verdict == .givenUp))
            }
        }
        // What is wrong with the present file of a pair that is kept has been reported.
        for pair in loaded.pairs where !pair.isKept { loaded.findings += pair.exposure.warnings(pair) }
        return loaded
    }

    private func read(_ root: CertificateRoot, _ loaded: inout LoadedCertificates) throws(ServerError) {
        let names: [String]
        do throws(SystemError) {
            names = try Folder.folders(in: root.path)
        } catch {
            let known = previous.values.filter { Path.folder(of: $0.path) == root.path }
            // It is made with the first certificate.
            if root.mayBeMissing, error.number == ENOENT, known.isEmpty { return }
            guard root.isOfACMEOnly else { throw root.unreadable(error) }
            // Nothing else depends on it.
            loaded.refused += 1
            loaded.pairs += known.map(\.kept).sorted { $0.path < $1.path }
            loaded.findings.append(
                LocatedDiagnostic(
                    .acmeFolder, root.path, "the folder of 'acme' cannot be read: \(error.reason)",
                    help: "give the user of the server the right to read it"))
            return
        }
        if names.isEmpty, let found = ForeignPair.advice(ForeignPair.all(in: root.path), in: nil) {
            loaded.findings.append(
                .warning(root.path, "the folder has no folders of certificates; \(found.clause)", help: found.help))
        }
        for name in names where name != Self.accountsName {
            let path = Path.join(root.path, name)
            if let only, !only.contains(name), let same = previous[path], !same.isKept {
                loaded.pairs.append(same)
                continue
            }
            if root.isOtherRoot(path) { continue }
            do throws(PairProblem) {
                var pair = try pair(path, &loaded.needsRetry)
                pair.source = FileStatus(at: "\(path)/\(Self.markName)") == nil ? .folder : .acme
                loaded.pairs.append(pair)
            } catch {
                loaded.problems.append(error)
                if let previous = previous[path] { loaded.pairs.append(previous.kept) }
            }
        }
    }

    private func pair(_ folder: String, _ needsRetry: inout Bool) throws(PairProblem) -> CertificatePair {
        if trustsStamps, let same = previous[folder], !same.isKept, let stamps = same.stamps,
            stamps == [FileStatus(at: same.chainPath), FileStatus(at: same.keyPath)].compactMap({ $0?.stamp })
        {
            return same
        }
        let chain: FileReader.Contents
        do throws(PairProblem) {
            chain = try read(Self.chainName, "the certificate chain", in: folder)
        } catch {
            throw error.isHalf ? error.naming(ForeignPair.all(in: folder)) : error
        }
        let key = try read(Self.keyName, "the private key", in: folder)
        let isSettled = chain.isSettled && key.isSettled
        if !isSettled { needsRetry = true }
        let stamps = [chain.status.stamp, key.status.stamp]
        let digest = SHA256Digest.hash(chain.bytes) + SHA256Digest.hash(key.bytes)
        let certificate: ServerCertificate
        if let same = previous[folder], same.digest == digest {
            certificate = same.certificate
        } else {
            certificate = try self.certificate(folder, chain.bytes, key.bytes, digest)
        }
        return CertificatePair(
            path: folder, certificate: certificate, digest: digest,
            stamps: isSettled && stamps.allSatisfy { $0.isConclusive(at: now) } ? stamps : nil,
            exposure: PairExposure(chain: chain.status, key: key.status, folder: folder))
    }

    private func read(_ name: String, _ what: String, in folder: String) throws(PairProblem) -> FileReader.Contents {
        let path = "\(folder)/\(name)"
        let contents: FileReader.Contents
        do throws(SystemError) {
            contents = try FileReader.read(path, limit: Self.limit)
        } catch {
            throw PairProblem(
                folder: folder, path: path, message: "\(what) cannot be read: \(error.reason)",
                isHalf: error.number == ENOENT)
        }
        guard contents.bytes.count <= Self.limit else {
            throw PairProblem(
                folder: folder, path: path, message: "\(what) is larger than \(grouped(Self.limit)) bytes")
        }
        return contents
    }

    /// - Parameter digest: the digest of both contents.
    private func certificate(
        _ folder: String, _ chain: [UInt8], _ key: [UInt8], _ digest: [UInt8]
    ) throws(PairProblem) -> ServerCertificate {
        let chainPath = "\(folder)/\(Self.chainName)"
        let certificate: ServerCertificate
        do throws(OpenSSLError) {
            certificate = try ServerCertificate(chain: chain, key: key, reader: reader)
        } catch {
            let isOfKey = [.noKey, .encryptedKey, .keyMismatch].contains(error.code)
            // An empty file is one that is about to be written.
            let isHalf = error.code == .keyMismatch || chain.isEmpty || key.isEmpty
            throw PairProblem(
                folder: folder, path: isOfKey ? "\(folder)/\(Self.keyName)" : chainPath, message: error.description,
                isHalf: isHalf, contents: digest)
        }
        guard !certificate.names.isEmpty else {
            throw PairProblem(
                folder: folder, path: chainPath,
                message: "the certificate names no host in its subject alternative name")
        }
        return certificate
    }
}

/// A folder with a folder for each certificate.
struct CertificateRoot {
    let path: String
    /// Whether the folder is made when there is something to put in it.
    let mayBeMissing: Bool
    /// Whether the folder is for ACME alone.
    let isOfACMEOnly: Bool
    /// The other one as the system names it, which may be inside.
    private let other: String?

    /// `certs`, and the folder of `acme` if that is another one.
    static func all(_ configuration: ServerConfiguration) -> [CertificateRoot] {
        let certs = configuration.certs
        let isOn = configuration.acme.isOn
        let resolved = Path.resolved(certs) ?? certs
        guard isOn, let folder = configuration.acme.folder, folder != certs else {
            return [CertificateRoot(path: certs, mayBeMissing: isOn, isOfACMEOnly: false, other: nil)]
        }
        let resolvedFolder = Path.resolved(folder) ?? folder
        let first = CertificateRoot(path: certs, mayBeMissing: isOn, isOfACMEOnly: false, other: resolvedFolder)
        if resolvedFolder == resolved { return [first] }
        return [first, CertificateRoot(path: folder, mayBeMissing: true, isOfACMEOnly: true, other: resolved)]
    }

    /// Whether a folder in it is the other one.
    func isOtherRoot(_ path: String) -> Bool { other.map { Path.resolved(path) == $0 } ?? false }

    func unreadable(_ error: SystemError) -> ServerError {
        ServerError(
            .unreadable, "cannot read the certificates folder '\(path)': \(error.reason)",
            help: """
                put '<any name>/\(CertificateLoader.chainName)' and '<any name>/\(CertificateLoader.keyName)' in it, or \
                choose another with --certs
                """)
    }
}

/// The contents of the folders of certificates.
struct LoadedCertificates: Sendable {
    /// Those that can be used, with the earlier ones that have to do for those that cannot.
    var pairs: [CertificatePair] = []
    var findings: [LocatedDiagnostic] = []
    /// The pairs that cannot be used.
    var problems: [PairProblem] = []
    /// The number of pairs whose present files are not used, and of folders that cannot be read.
    var refused = 0
    /// Whether a file moved while it was read.
    var needsRetry = false

    /// All of them and others.
    func merged(with others: LoadedCertificates) -> LoadedCertificates {
        guard !others.pairs.isEmpty || !others.problems.isEmpty else { return self }
        var all = self
        all.pairs += others.pairs
        all.findings += others.findings
        all.problems += others.problems
        all.refused += others.refused
        return all
    }
}
