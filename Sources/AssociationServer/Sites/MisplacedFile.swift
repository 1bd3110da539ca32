internal import Diagnostics

/// Finds what is probably meant where the file of a site is missing.
enum MisplacedFile {
    private static let mostNames = 1_000

    /// What to do; `nil` if there is nothing that looks like the file.
    static func help(_ name: String, in folder: String) -> String? {
        let nested = "\(folder)/.well-known/\(name)"
        if FileAccess.exists(nested) { return "move '\(nested)' up into '\(folder)'" }
        let names = FileAccess.names(in: folder, most: mostNames).sorted()
        let meant =
            names.first { $0.lowercased() == name || $0.hasPrefix("\(name).") }
            ?? Spelling.closest(to: name, among: names)
        return meant.map { "rename \(quoted($0)) to '\(name)'" }
    }
}
