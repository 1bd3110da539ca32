/// Why the files of a pair cannot be used as they are.
package struct PairProblem: Error, Equatable, Sendable {
    /// The folder of the pair.
    package let folder: String
    /// The file that is at fault, as far as that can be told.
    package let path: String
    package let message: String
    /// Whether the other half may still come: a certificate and its key are written one after the other.
    package let isHalf: Bool
    /// The SHA-256 of both files, as far as they can be read.
    package let contents: [UInt8]

    package init(folder: String, path: String, message: String, isHalf: Bool = false, contents: [UInt8] = []) {
        self.folder = folder
        self.path = path
        self.message = message
        self.isHalf = isHalf
        self.contents = contents
    }

    /// - Parameters:
    ///   - isKept: whether there is an earlier pair that can be used.
    ///   - isGivenUp: whether the other half was waited for in vain.
    package func finding(isKept: Bool, isGivenUp: Bool) -> Finding {
        var clauses = [message]
        if isGivenUp {
            clauses.append("retried for \(PairRetries.seconds) s; it is tried again when the files change")
        }
        if isKept { clauses.append("the earlier pair stays in use") }
        return .error(path, clauses.joined(separator: "; "))
    }
}
