internal import BoundedText
internal import Diagnostics
package import SystemSupport

/// The names of association files, and the names that people give them.
package enum AssociationFileName {
    /// The name that Apple's systems ask for.
    package static let name = "apple-app-site-association"

    /// Whether a name is hardly meant for something else: mistyped, in another case, with an extension, or a copy.
    package static func isNearMiss(_ name: String) -> Bool { edits(from: name) != nil }

    /// The number of wrong letters of a near miss, leaving out its extension and what a copy is called; nil for other
    /// names.
    fileprivate static func edits(from name: String) -> Int? {
        guard name != Self.name, name.utf8.count <= 64 else { return nil }
        var stem = name.lowercased().prefix { $0 != "." && $0 != "(" }
        while stem.last == " " { stem = stem.dropLast() }
        if stem.hasSuffix(" copy") || stem.hasSuffix("-copy") { stem = stem.dropLast(5) }
        let plain = String(stem.map { $0 == "_" || $0 == " " ? "-" : $0 })
        let edits = Spelling.distance(plain, Self.name)
        return edits <= 3 ? edits : nil
    }
}

/// The association files, asset links files and Android manifests below a folder.
package struct AssociationFileSearch {
    /// The files, sorted by the bytes of their paths.
    package private(set) var files: [RawPath] = []
    /// Files whose names are near misses, sorted by the bytes of their paths.
    package private(set) var nearMisses: [RawPath] = []
    /// The folders that cannot be read, sorted by the bytes of their paths.
    package private(set) var unreadable: [(path: RawPath, error: SystemError)] = []

    private static let names: Set = [
        AssociationFileName.name, "\(AssociationFileName.name).json", "assetlinks.json", "AndroidManifest.xml",
    ]

    /// Searches a folder and the folders in it.
    ///
    /// `.git` and `node_modules` are left out, and so are links to folders, which may lead in a circle, and what is not a
    /// file, such as a pipe, which would be waited for. A broken link is not left out: it is a mistake.
    package init(in folder: RawPath) {
        var walk = FolderWalk(folder, skipping: [".git", "node_modules"])
        while let entry = walk.next() {
            let name = String(text: entry.name)
            if Self.names.contains(name), [.regular, nil].contains(entry.targetKind) {
                files.append(entry.path)
            } else if AssociationFileName.isNearMiss(name), entry.targetKind == .regular {
                nearMisses.append(entry.path)
            }
        }
        unreadable = walk.unreadable
        files.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        nearMisses.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        unreadable.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// At most this many names of a folder are looked at for one that is nearly right.
    private static let maxNames = 1_000

    /// The remedy for a site's folder without an association file; nil if nothing in it looks like one.
    package static func help(forMissingFileIn folder: String) -> String? {
        let name = AssociationFileName.name
        let nested = "\(folder)/.well-known/\(name)"
        if Path.exists(nested) { return "move '\(nested)' up into '\(folder)'" }
        let nearMisses = Folder.names(in: folder, most: maxNames).sorted().compactMap { name in
            AssociationFileName.edits(from: name).map { (name: name, edits: $0) }
        }
        let nearest = nearMisses.min { $0.edits < $1.edits }
        return nearest.map { "rename \(quoted($0.name)) to '\(name)'" }
    }
}
