package import Diagnostics

/// The number of findings that are kept: a mistake that thousands of files share must not eat the memory.
package struct FindingBudget {
    /// The number of findings of each file that are kept in any case.
    package static let fewOfOneFile = 3

    private var left: Int

    /// - Parameter most: of all files together; after that only few of each file are kept.
    package init(most: Int = 20_000) { left = most }

    /// The findings of a file that are kept, in their order, and at the end how many there are besides.
    ///
    /// Errors come before warnings: a file that is refused has one that says why.
    package mutating func keep(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        let most = max(left, Self.fewOfOneFile)
        left = max(0, left - findings.count)
        guard findings.count > most + 1 else { return findings }
        let errors = findings.indices.filter { findings[$0].isError }
        let warnings = findings.indices.filter { !findings[$0].isError }
        let kept = Set((errors + warnings).prefix(most))
        let others = findings.indices.filter { !kept.contains($0) }
        let message = "\(grouped(others.count)) more findings are not listed"
        let hasErrors = others.contains { findings[$0].isError }
        let path = findings[0].path
        return findings.indices.filter(kept.contains).map { findings[$0] }
            + [hasErrors ? .error(path, message) : .warning(path, message)]
    }

    /// Counts what an earlier load has kept.
    package mutating func count(_ findings: [LocatedDiagnostic]) { left = max(0, left - findings.count) }
}
