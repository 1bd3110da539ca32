internal import Glibc

/// What everybody on the machine may do with the files of a pair.
struct PairExposure: OptionSet, Sendable {
    let rawValue: UInt8

    static let keyIsReadable = PairExposure(rawValue: 1)
    static let keyIsWritable = PairExposure(rawValue: 2)
    static let chainIsWritable = PairExposure(rawValue: 4)
    static let folderIsWritable = PairExposure(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(chain: PairFile, key: PairFile, folder: String) {
        self = []
        if key.mode & 0o004 != 0 { insert(.keyIsReadable) }
        if key.mode & 0o002 != 0 { insert(.keyIsWritable) }
        if chain.mode & 0o002 != 0 { insert(.chainIsWritable) }
        var status = stat()
        if stat(folder, &status) == 0, status.st_mode & 0o002 != 0 { insert(.folderIsWritable) }
    }

    /// What there is to say about it.
    func warnings(_ pair: LoadedPair) -> [Finding] {
        var findings: [Finding] = []
        if contains(.keyIsReadable) {
            let problem = "everybody on this machine can read the private key; run 'chmod o-r \(pair.keyPath)'"
            findings.append(.warning(pair.keyPath, problem))
        }
        let writable = [
            (PairExposure.keyIsWritable, pair.keyPath, "the private key"),
            (.chainIsWritable, pair.chainPath, "the certificate chain"),
            (.folderIsWritable, pair.path, "the folder of this certificate"),
        ]
        for (exposure, path, what) in writable where contains(exposure) {
            findings.append(.warning(path, "everybody on this machine can write \(what); run 'chmod o-w \(path)'"))
        }
        return findings
    }
}
