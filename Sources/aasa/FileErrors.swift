import AppSiteAssociation
import AssociationLint
import CommandLineSupport
import Diagnostics

/// The errors of an association file because of which it opens other links than it seems to: keys that the system does not
/// know, values that it does not take, app IDs and patterns that match nothing.
struct FileErrors {
    private let path: String
    let count: Int

    init(_ document: AssociationDocument) {
        path = document.source.path
        count = Linter().countReadingErrors(in: document.source.bytes)
    }

    /// For the JSON of a command; nothing if there are none.
    var members: [String: JSONOutput] { count == 0 ? [:] : ["fileErrors": .number(count)] }

    /// Says so on standard error.
    func warn() {
        guard count > 0 else { return }
        let file = path == InputFile.name("-") ? "-" : path
        StandardError.write(
            "warning: \(VisibleText.escaped(path)) has \(counted(count, "error")) that \(count == 1 ? "changes" : "change") "
                + "which links open; run 'aasa validate \(VisibleText.escaped(file))'")
    }
}
