import AppSiteAssociation
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics

/// Association files that a command has to be able to read.
enum AssociationFile {
    /// More than this is not read, in bytes.
    static let limit = 16 << 20

    /// Reads a file, a signed one without its signature.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - command: The command with `-` for this file, to be shown to somebody who gives a URL.
    static func read(_ path: String, for command: String) throws(CommandFailure) -> AssociationDocument {
        let name = InputFile.name(path)
        var bytes = try content(path, for: command)
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable(let reason):
            let finding = Diagnostic(
                code: DiagnosticCode(rawValue: "unreadable-signature"), severity: .error,
                message: "the signed file cannot be unwrapped: \(reason)", range: SourceRange(start: 0, end: 0))
            throw .unusable(FileReport(SourceText([], path: name), [finding]))
        case nil: break
        }
        let document: AssociationDocument
        do throws(AssociationError) {
            document = try AssociationDocument(bytes, path: name)
        } catch {
            throw .unusable(FileReport(error.source, error.diagnostics))
        }
        if document.appLinks == nil, FileKind(path: path) == .assetLinks {
            let finding = Diagnostic(
                code: DiagnosticCode(rawValue: "android-asset-links"), severity: .error,
                message: "the file is an asset links file for Android, not an association file",
                range: SourceRange(start: 0, end: 0))
            throw .unusable(FileReport(SourceText(bytes, path: name), [finding]))
        }
        return document
    }

    /// The bytes of a file, no more than the limit and one.
    static func content(_ path: String, for command: String) throws(CommandFailure) -> [UInt8] {
        switch InputFile.read(path, limit: limit) {
        case .bytes(let content): return content
        case .unreadable(let reason): throw .unreadable(path, reason, for: command)
        }
    }
}
