package import Diagnostics

/// What the reader made of a file.
package struct JSONDocument: Sendable {
    /// The text that all positions refer to: the file's own, or the converted one if it was not UTF-8.
    package var source: SourceText
    /// The value, as far as it could be read; nil if there is none.
    package var root: JSONNode?
    /// What is wrong with the syntax, in the order of the text; at most 20.
    package var findings: [Diagnostic]
    /// Whether the tree is what was meant without a doubt: there is no finding but those with a sound repair.
    package var isTreeReliable: Bool
    /// Whether the file says what the tree says as it stands: there is no error but equal keys and, up to the size
    /// that is read at all, too many bytes.
    package var isUsableWithoutRepairs: Bool

    package init(
        source: SourceText, root: JSONNode?, findings: [Diagnostic], isTreeReliable: Bool,
        isUsableWithoutRepairs: Bool
    ) {
        self.source = source
        self.root = root
        self.findings = findings
        self.isTreeReliable = isTreeReliable
        self.isUsableWithoutRepairs = isUsableWithoutRepairs
    }
}

extension JSONDocument {
    /// The findings for which a reader that repairs nothing refuses the file; those that it tolerates are left out.
    package var fatalFindings: [Diagnostic] {
        let fatal = findings.filter { SyntaxCode(rawValue: $0.code.rawValue)?.isTolerable != true }
        return fatal.isEmpty ? findings : fatal
    }
}
