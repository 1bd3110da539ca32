package import Diagnostics
internal import JSONSyntax

extension RuleRegistry {
    /// What is said to somebody who wants to suppress an error of the file or its syntax; nil for other codes.
    package static func objection(toChanging code: DiagnosticCode) -> String? {
        guard isUnchangeable(code) else { return nil }
        let kind = errorsOfFiles.contains(code) ? "of the file itself" : "of the syntax"
        return "'\(code)' is an error \(kind), which cannot be suppressed"
    }

    /// The errors that say that the file is not what it should be, whatever its syntax is.
    private static let errorsOfFiles = Set(
        (FileAccessDescriptions.all + SyntaxDescriptions.files + SyntaxDescriptions.signatures).map(\.code))
}
