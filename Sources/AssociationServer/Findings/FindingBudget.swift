internal import Diagnostics

/// How many findings of many files are kept: a mistake that thousands of files share must not eat the memory.
package struct FindingBudget {
    /// So many of each file are kept in any case.
    package static let fewOfOneFile = 3

    private var left: Int

    /// - Parameter most: of all files together; after that only few of each file are kept.
    package init(most: Int = 20_000) { left = most }

    /// The findings of a file that are kept, in their order, and at the end how many there are besides.
    ///
    /// Errors come before warnings: a file that is refused has one that says why.
    package mutating func keep(_ findings: [Finding]) -> [Finding] {
        let most = max(left, Self.fewOfOneFile)
        left = max(0, left - findings.count)
        guard findings.count > most + 1 else { return findings }
        let errors = findings.indices.filter { findings[$0].severity == .error }
        let warnings = findings.indices.filter { findings[$0].severity == .warning }
        let kept = Set((errors + warnings).prefix(most))
        let others = findings.indices.filter { !kept.contains($0) }
        let message = "\(others.count) more findings are not told, because there are so many"
        let hasErrors = others.contains { findings[$0].severity == .error }
        let path = findings[0].path
        return findings.indices.filter(kept.contains).map { findings[$0] }
            + [hasErrors ? .error(path, message) : .warning(path, message)]
    }

    /// Counts what an earlier load has kept.
    package mutating func count(_ findings: [Finding]) { left = max(0, left - findings.count) }
}
