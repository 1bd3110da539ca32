import AppSiteAssociation
import ArgumentParser
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
    /// - Throws: an exit code; why has been said on standard error.
    static func read(_ path: String, _ output: OutputOptions) throws -> AssociationDocument {
        let name = InputFile.name(path)
        var bytes: [UInt8]
        switch InputFile.read(path, limit: limit) {
        case .bytes(let content): bytes = content
        case .unreadable(let reason): throw ExitStatus.missingFile.failure("error: cannot read '\(name)': \(reason)")
        }
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable(let reason):
            throw ExitStatus.unusableData.failure(
                "\(name):1:1: error: the signed file cannot be unwrapped: \(reason) [unreadable-signature]")
        case nil: break
        }
        let document: AssociationDocument
        do throws(AssociationError) {
            document = try AssociationDocument(bytes, path: name)
        } catch {
            let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
            for line in error.diagnostics.flatMap({ renderer.render($0, in: error.source) }) {
                StandardError.writeShown(line)
            }
            throw ExitStatus.unusableData.code
        }
        if document.appLinks == nil, FileKind(path: path) == .assetLinks {
            throw ExitStatus.unusableData.failure(
                "\(name):1:1: error: the file is an asset links file for Android, not an association file "
                    + "[android-asset-links]")
        }
        return document
    }
}
