internal import Glibc

extension RawPath {
    /// The last part; empty after a slash at the end.
    public var name: [UInt8] { Array(bytes[(lastSlash.map { $0 + 1 } ?? 0)...]) }

    /// Where it is.
    public var folder: RawPath {
        switch lastSlash {
        case nil: RawPath(".")
        case 0: RawPath("/")
        case let place?: RawPath(bytes: Array(bytes[..<place]))
        }
    }

    /// Another file in the same folder, or below it.
    public func appending(_ text: String) -> RawPath { RawPath(bytes: bytes + text.utf8) }

    /// The path without an ending of these, which stand there in lower case and with their dot.
    public func removingEnding(_ endings: [String]) -> RawPath {
        let lowerCase = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        for ending in endings where lowerCase.count > ending.utf8.count {
            if lowerCase.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
                return RawPath(bytes: bytes.dropLast(ending.utf8.count))
            }
        }
        return self
    }

    /// The path without links and dots; nil if it leads nowhere.
    public var resolved: RawPath? {
        guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return RawPath(bytes: Self.bytes(of: resolved))
    }

    /// Whether the path, all links followed, is below a folder.
    public func isInside(_ folder: RawPath) -> Bool {
        guard let own = resolved?.bytes, let folder = folder.resolved?.bytes else { return false }
        let start = folder == [UInt8(ascii: "/")] ? folder : folder + [UInt8(ascii: "/")]
        return own.starts(with: start)
    }

    private var lastSlash: Int? { bytes.lastIndex(of: UInt8(ascii: "/")) }
}
