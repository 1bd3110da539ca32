package import Diagnostics
internal import OpenSSL
internal import ServiceHealth
internal import SystemSupport

/// A certificate with its chain and key as they are on disk.
struct CertificatePair: Sendable {
    /// The folder.
    let path: String
    let certificate: ServerCertificate
    /// The digest of the contents of both files.
    let digest: [UInt8]
    /// The stamps of chain and key when they were read; `nil` if the files can change without changing them.
    let stamps: [FileStamp]?
    /// The access that everybody on the machine has to the files.
    let exposure: PairExposure
    var source = CertificateSource.folder
    /// The URL of the directory of the CA that it was ordered from, if a store says so.
    var authority: String?
    /// Whether it is from a store: then its path is that of a row.
    var isStored = false
    /// Whether this is an earlier pair that stays because the present files cannot be used.
    var isKept = false

    /// The same pair where the present files cannot be used.
    var kept: CertificatePair {
        var pair = self
        pair.isKept = true
        return pair
    }

    var chainPath: String { isStored ? path : "\(path)/\(CertificateLoader.chainName)" }
    var keyPath: String { isStored ? path : "\(path)/\(CertificateLoader.keyName)" }

    /// Whether neither a client nor an operator could tell the difference.
    func isSame(as other: CertificatePair) -> Bool {
        path == other.path && certificate === other.certificate && digest == other.digest && isKept == other.isKept
            && exposure == other.exposure && source == other.source && authority == other.authority
    }

    var validity: CertificateValidity {
        CertificateValidity(notBefore: certificate.notBefore, notAfter: certificate.notAfter)
    }
}

/// The access that everybody on the machine has to the files of a pair.
struct PairExposure: OptionSet, Sendable {
    let rawValue: UInt8

    static let keyIsReadable = PairExposure(rawValue: 1)
    static let keyIsWritable = PairExposure(rawValue: 2)
    static let chainIsWritable = PairExposure(rawValue: 4)
    static let folderIsWritable = PairExposure(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(chain: FileStatus, key: FileStatus, folder: String) {
        self = []
        if key.permissions & 0o004 != 0 { insert(.keyIsReadable) }
        if key.permissions & 0o002 != 0 { insert(.keyIsWritable) }
        if chain.permissions & 0o002 != 0 { insert(.chainIsWritable) }
        if let status = FileStatus(at: folder), status.permissions & 0o002 != 0 { insert(.folderIsWritable) }
    }

    /// The warnings about the exposure of a pair.
    func warnings(_ pair: CertificatePair) -> [LocatedDiagnostic] {
        let all = [
            (PairExposure.keyIsReadable, pair.keyPath, "read the private key", "o-r"),
            (.keyIsWritable, pair.keyPath, "write the private key", "o-w"),
            (.chainIsWritable, pair.chainPath, "write the certificate chain", "o-w"),
            (.folderIsWritable, pair.path, "write the folder of this certificate", "o-w"),
        ]
        return all.filter { contains($0.0) }.map { _, path, access, mode in
            .warning(path, "everybody on this machine can \(access)", help: "run 'chmod \(mode) \(path)'")
        }
    }
}

/// Why the files of a pair cannot be used as they are.
package struct PairProblem: Error, Equatable, Sendable {
    /// The folder of the pair.
    package let folder: String
    /// The file that is at fault, as far as that is known.
    package let path: String
    package let message: String
    /// Whether the other half may still come: a certificate and its key are written one after the other.
    package let isHalf: Bool
    /// The SHA-256 of both files, as far as they can be read.
    package let contents: [UInt8]
    /// The way out; nil if the message says it.
    package let help: String?
    /// Since when the other half is waited for, in seconds since 1970; nil if it is not.
    var waitingSince: Int64?

    package init(
        folder: String, path: String, message: String, isHalf: Bool = false, contents: [UInt8] = [],
        help: String? = nil
    ) {
        self.help = help
        self.folder = folder
        self.path = path
        self.message = message
        self.isHalf = isHalf
        self.contents = contents
    }

    /// The same problem, where the folder has files of another client: then nothing is waited for.
    func naming(_ pairs: [ForeignPair]) -> PairProblem {
        guard let found = ForeignPair.advice(pairs, in: folder) else { return self }
        return PairProblem(folder: folder, path: path, message: "\(message); \(found.clause)", help: found.help)
    }

    /// - Parameters:
    ///   - isKept: whether there is an earlier pair that can be used.
    ///   - isGivenUp: whether the other half has not come in time.
    package func finding(isKept: Bool, isGivenUp: Bool) -> LocatedDiagnostic {
        var clauses = [message]
        if isGivenUp {
            clauses.append("retried for \(PairRetries.seconds) s; it is tried again when the files change")
        }
        if isKept { clauses.append("the earlier pair stays in use") }
        return .error(path, clauses.joined(separator: "; "), help: help)
    }
}
