internal import AssociationLint
internal import Diagnostics
internal import JSONSyntax

/// An `.aasa.json` as it goes with a file that is published under a name, away from the folders that its paths are about.
///
/// A check of the file by it sees one folder with the file in it, and ignores what was ignored where it came from.
struct PublishedConfiguration {
    /// The text of the configuration.
    private let text: [UInt8]
    private let path: String
    /// The name of the file where it is published.
    private let name: String

    /// - Parameter name: that the file is published under.
    init(_ configuration: LintConfiguration, name: String) {
        text = configuration.source.bytes
        path = configuration.source.path
        self.name = name
    }

    /// The text for a file.
    ///
    /// - Parameter file: its path, relative to the folder of the configuration.
    /// - Returns: the text as it is, if its entries are about the same files in both folders.
    func text(forFileAt file: String) -> [UInt8] {
        guard let entries = JSONReader.read(text, path: path, limits: .configuration).root?.object?["ignore"],
            let nodes = entries.array, nodes.contains(where: { differs($0, file) })
        else { return text }
        let kept = nodes.filter { pattern($0)?.glob.matches(file) ?? true }.map(renamed)
        var result = Array(text[..<entries.range.start])
        result += "[".utf8
        result += kept.joined(separator: Array(", ".utf8))
        result += "]".utf8
        return result + text[entries.range.end...]
    }

    /// Whether an entry is about the file in one of the two folders only.
    private func differs(_ entry: JSONNode, _ file: String) -> Bool {
        pattern(entry).map { $0.glob.matches(file) != $0.glob.matches(name) } ?? false
    }

    /// The paths that an entry is about; nil for all, and where it cannot be read.
    private func pattern(_ entry: JSONNode) -> (glob: Glob, range: SourceRange)? {
        entry.object?["path"].flatMap { node in node.string.map { (Glob($0.text), node.range) } }
    }

    /// The text of an entry that is about the file, with the file's name for its path.
    private func renamed(_ entry: JSONNode) -> [UInt8] {
        guard let pattern = pattern(entry), !pattern.glob.matches(name) else {
            return Array(text[entry.range.start..<entry.range.end])
        }
        return text[entry.range.start..<pattern.range.start] + Array(JSONOutput.string(name).text.utf8)
            + text[pattern.range.end..<entry.range.end]
    }
}
