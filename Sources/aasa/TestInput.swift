import AppSiteAssociation
import AssociationLint
import CommandLineSupport
import Diagnostics

/// The lists that `aasa test` reads.
struct TestInput {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// - Throws: an exit code; why has been said on standard error.
    func cases(_ path: String) throws -> CaseList {
        let list = CaseList.read(try read(path), path: InputFile.name(path)) { WebURL(Array($0.utf8)) != nil }
        try check(list.diagnostics, in: list.source)
        return list
    }

    /// - Throws: an exit code; why has been said on standard error.
    func routes(_ path: String) throws -> RouteList {
        let bytes = try read(path)
        guard bytes.count <= AssociationFile.limit else {
            // What was read is not all of it.
            throw ExitStatus.unusableData.failure(
                "\(InputFile.name(path)):1:1: error: "
                    + "the file has more than \(AssociationFile.limit) bytes and is not read [file-too-large]")
        }
        let list = RouteList.read(bytes, path: InputFile.name(path))
        try check(list.diagnostics, in: list.source)
        return list
    }

    private func read(_ path: String) throws -> [UInt8] {
        switch InputFile.read(path, limit: AssociationFile.limit) {
        case .bytes(let content): return content
        case .unreadable(let reason):
            throw ExitStatus.missingFile.failure("error: cannot read '\(InputFile.name(path))': \(reason)")
        }
    }

    private func check(_ diagnostics: [Diagnostic], in source: SourceText) throws {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
        for line in diagnostics.flatMap({ renderer.render($0, in: source) }) { StandardError.writeShown(line) }
        throw ExitStatus.unusableData.code
    }
}
