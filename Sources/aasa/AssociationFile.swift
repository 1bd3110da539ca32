import AppSiteAssociation
import ArgumentParser
import CommandLineSupport
import Diagnostics
import OpenSSL

/// Association files that a command has to be able to read.
enum AssociationFile {
    /// More than this is not read, in bytes.
    static let limit = 16 << 20

    /// The line that tools read, then the notes and what to do.
    private static func lines(_ diagnostic: Diagnostic, in source: SourceText) -> [String] {
        [diagnostic.line(in: source)] + diagnostic.notes.map { "   = note: \($0)" }
            + diagnostic.fixIts.prefix(1).map { "   = help: \($0.title)" }
    }

    /// Reads a file, a signed one without its signature.
    ///
    /// - Throws: an exit code; why has been said on standard error.
    static func read(_ path: String) throws -> AssociationDocument {
        let name = InputFile.name(path)
        var bytes: [UInt8]
        switch InputFile.read(path, limit: limit) {
        case .bytes(let content): bytes = content
        case .unreadable(let reason): throw ExitStatus.missingFile.failure("error: cannot read '\(name)': \(reason)")
        }
        if SignedData.isSigned(bytes) {
            do throws(OpenSSLError) {
                bytes = try SignedData.content(bytes).content
            } catch {
                throw ExitStatus.unusableData.failure(
                    "\(name):1:1: error: the signed file cannot be unwrapped: \(error) [unreadable-signature]")
            }
        }
        do throws(AssociationError) {
            return try AssociationDocument(bytes, path: name)
        } catch {
            throw ExitStatus.unusableData.failure(error.diagnostics.flatMap { lines($0, in: error.source) })
        }
    }
}
