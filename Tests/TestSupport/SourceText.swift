import Foundation

/// A file of the repository that tests look through. Files are read once, and looked through by bytes: a text of characters
/// takes many times as long, and there are thousands of files.
public struct SourceText: Sendable {
    /// From the root of the repository.
    public let path: String
    public let text: String

    /// - Throws: if it cannot be read.
    public init(_ path: String) throws {
        self.path = path
        var text = try Repository.text(path)
        text.makeContiguousUTF8()
        self.text = text
    }

    /// All Swift files in `Sources/`, `Tests/` and `Benchmarks/`.
    public static let swift: [SourceText] = Repository.paths.filter { path in
        path.hasSuffix(".swift") && ["Sources/", "Tests/", "Benchmarks/"].contains { path.hasPrefix($0) }
    }
    .compactMap { try? SourceText($0) }

    /// Those in a folder.
    public static func swift(in folder: String) -> [SourceText] { swift.filter { $0.path.hasPrefix(folder) } }

    public func contains(_ word: String) -> Bool { text.hasBytes(of: word) }

    /// Those with a text in them; all, without one.
    public func lines(with word: String? = nil) -> [Substring] {
        var lines: [Substring] = []
        let bytes = text.utf8
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            let line = text[start..<end]
            if word.map(line.hasBytes) ?? true { lines.append(line) }
            start = end == bytes.endIndex ? end : bytes.index(after: end)
        }
        return lines
    }
}

extension StringProtocol {
    /// Whether the bytes of a text are in this one.
    fileprivate func hasBytes(of text: String) -> Bool {
        let word = Array(text.utf8)
        let found = utf8.withContiguousStorageIfAvailable { bytes in
            var rest = bytes[...]
            while rest.count >= word.count {
                guard let start = rest.firstIndex(of: word[0]) else { return false }
                if bytes[start...].starts(with: word) { return true }
                rest = bytes[(start + 1)...]
            }
            return false
        }
        return found ?? contains(text)
    }
}
