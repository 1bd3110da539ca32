/// What a run found out.
public struct CheckReport: Sendable {
    /// Seconds since 1970.
    public let now: Int64
    public let thresholds: Thresholds
    /// In the order in which they were given.
    public let files: [FileCheck]
    /// The worst of the files, in the order critical, unknown, warning, ok; ok if there is none.
    public let status: CheckStatus

    /// The status, with every finding that is a warning raised to one if `isStrict`.
    ///
    /// Without it the status comes from time, from files that cannot be read, and from push certificates in a PKCS #12
    /// without their private key (push-certificates.md, sections 7 and 8).
    public func status(isStrict: Bool) -> CheckStatus {
        guard isStrict, status == .ok else { return status }
        let warns = files.contains { file in file.findings.contains { $0.severity != .note } }
        return warns ? .warning : .ok
    }

    /// What the command exits with: 0 ok, 1 warning, 2 critical, 3 a file could not be read; the worst in the order
    /// 2, 3, 1, 0.
    ///
    /// - Parameter isStrict: Whether findings that are warnings fail the command as well.
    public func exitCode(isStrict: Bool = false) -> Int32 { status(isStrict: isStrict).exitCode }
}
