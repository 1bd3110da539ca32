import AppSiteAssociation
import AssociationLint
import CommandLineSupport
import Diagnostics

/// The lists that `aasa test` reads.
enum TestInput {
    static func cases(_ path: String) throws(CommandFailure) -> CaseList {
        let bytes = try AssociationFile.content(path, for: "aasa test FILE -")
        let list = CaseList.read(bytes, path: InputFile.name(path)) { WebURL(Array($0.utf8)) != nil }
        try check(list.diagnostics, in: list.source)
        return list
    }

    static func routes(_ path: String) throws(CommandFailure) -> RouteList {
        let bytes = try AssociationFile.content(path, for: "aasa test FILE --routes -")
        let name = InputFile.name(path)
        guard bytes.count <= AssociationFile.limit else {
            // What was read is not all of it.
            let finding = Diagnostic(
                code: DiagnosticCode(rawValue: "file-too-large"), severity: .error,
                message: "the file has more than \(AssociationFile.limit) bytes and is not read",
                range: SourceRange(start: 0, end: 0))
            throw .unusable(FileReport(SourceText([], path: name), [finding]))
        }
        let list = RouteList.read(bytes, path: name)
        try check(list.diagnostics, in: list.source)
        return list
    }

    private static func check(_ diagnostics: [Diagnostic], in source: SourceText) throws(CommandFailure) {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        throw .unusable(FileReport(source, diagnostics))
    }
}
