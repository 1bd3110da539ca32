public import Foundation

/// The repository whose tests run.
public enum Repository {
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file or folder by its path from the root.
    public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    public static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    /// The paths of all files and folders, in order, but for what Git and builds keep.
    public static let paths: [String] = {
        let files = FileManager.default.enumerator(atPath: root.path)
        var paths: [String] = []
        while let path = files?.nextObject() as? String {
            if path == ".git" || path == ".build" { files?.skipDescendants() }
            paths.append(path)
        }
        return paths.sorted()
    }()
}
