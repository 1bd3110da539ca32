public import Diagnostics

/// The result of a run.
public struct CheckReport: Sendable {
    /// Seconds since 1970.
    public let now: Int64
    public let thresholds: Thresholds
    /// The files in the order in which they were given.
    public let files: [FileCheck]
    /// The worst of the files, in the order critical, unknown, warning, ok; ok if there is none.
    public let status: CheckStatus

    /// The status, with every finding that is a warning raised to one if `isStrict`.
    ///
    /// The status comes, if not `isStrict`, from time, from files that cannot be read, and from what prevents a push certificate
    /// from being used to send (push-certificates.md, sections 7 and 8).
    public func status(isStrict: Bool) -> CheckStatus {
        guard isStrict, status == .ok else { return status }
        let warns = files.contains { file in file.findings.contains { $0.severity >= .warning } }
        return warns ? .warning : .ok
    }

    /// The exit code of the command: 0 ok, 1 warning, 2 critical, 3 a file could not be read; the worst in the order
    /// 2, 3, 1, 0.
    ///
    /// - Parameter isStrict: Whether findings that are warnings fail the command as well.
    public func exitCode(isStrict: Bool = false) -> Int32 { status(isStrict: isStrict).exitCode }
}

/// A file, and what came of it.
public struct FileCheck: Sendable {
    public let path: String
    /// The worst of its certificates; unknown if there is an error.
    public let status: CheckStatus
    /// Why nothing could be read; then there are neither certificates nor findings.
    public let error: CertificateFileError?
    /// The certificates in the order of the file.
    public let certificates: [CertificateCheck]
    /// Those of the whole file first, then by certificate, then by severity.
    public let findings: [Diagnostic]
}

/// A certificate at a time.
public struct CertificateCheck: Sendable {
    public let certificate: PushCertificate
    public let status: CheckStatus
    /// The newest certificate of the run that replaces it; nil if none does, or none needs to.
    public internal(set) var supersededBy: CertificateReference?
    /// Whether its end matters: there is one, no newer certificate replaces it, and it is not a CA beside others.
    public let counts: Bool
    /// Why it cannot be used to send as it is in its file, or not by every sender, whatever the time; nil if nothing is
    /// known to prevent it.
    package internal(set) var obstacle: SendingObstacle?
    /// The position of the present time in the certificate's validity; nil for a token key.
    package let validity: Validity?

    /// Whole days until its end, rounded down, −1 in the first second after it; nil for a token key.
    public var daysLeft: Int? { validity?.daysLeft }

    /// Whether nothing can be sent with it as it is in its file, whatever the time.
    public var isUnusable: Bool { obstacle?.status == .critical }

    /// Whether a newer one of the run replaces it.
    public var isSuperseded: Bool { supersededBy != nil }
}

/// A certificate of a run, by its file and its index there.
public struct CertificateReference: Sendable, Equatable {
    public let path: String
    /// The index in the order of the file, from 0.
    public let index: Int

    package init(path: String, index: Int) {
        self.path = path
        self.index = index
    }
}

/// The urgency of something, from the least to the most.
public enum CheckStatus: String, Sendable, CaseIterable, Comparable {
    case ok, warning, unknown, critical

    public static func < (left: CheckStatus, right: CheckStatus) -> Bool { left.urgency < right.urgency }

    /// The exit code of the command; Nagios counts in the same way.
    public var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .warning: 1
        case .critical: 2
        case .unknown: 3
        }
    }

    /// The index among all, which are in the order of urgency.
    private var urgency: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
