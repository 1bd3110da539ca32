/// A pattern for paths: `*` and `?` stay within a part of the path, `**` is any number of parts.
public struct Glob: Hashable, Sendable {
    private let parts: [[UInt8]]

    public init(_ pattern: String) {
        parts = Self.split(pattern)
    }

    /// Whether the pattern covers the whole path; a pattern without a slash is about a name in any folder.
    public func matches(_ path: String) -> Bool {
        let path = Self.split(path)
        if parts.count == 1, parts[0] != Self.anyParts { return path.last.map { Self.matches(parts[0], $0) } ?? false }
        // The parts that can have been matched so far: time is pattern times path, whatever they are.
        var reached: Set<Int> = [0]
        for part in parts {
            guard let first = reached.min() else { return false }
            if part == Self.anyParts {
                reached = Set(first...path.count)
            } else {
                reached = Set(reached.filter { $0 < path.count && Self.matches(part, path[$0]) }.map { $0 + 1 })
            }
        }
        return reached.contains(path.count)
    }

    private static let anyParts = Array("**".utf8)

    private static func split(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
    }

    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (index, offset) = (0, 0)
        var star: (index: Int, offset: Int)?
        while offset < text.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                star = (index, offset)
                index += 1
            } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") || pattern[index] == text[offset] {
                index += 1
                offset += 1
            } else if let last = star {
                star = (last.index, last.offset + 1)
                (index, offset) = (last.index + 1, last.offset + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
