internal import BoundedText
internal import Glibc

/// Paths as text, for those that come out of configuration files and go into messages.
package enum Path {
    /// `path`, or where it leads from `folder` if it is relative.
    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
        if folder == "/" { return "/\(path)" }
        // "Config/../certs" reads better as "certs"; a folder that could be a link is left alone.
        let rest = path.dropFirst(3)
        if path.hasPrefix("../"), !rest.isEmpty, !rest.hasPrefix("/"), !folder.contains("/"), folder != ".." {
            return String(rest)
        }
        return "\(folder)/\(path)"
    }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of it.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The part of a path that is below a folder, by bytes; nil if it is not below it.
    package static func relative(_ path: String, to folder: String) -> String? {
        let start = folder == "/" ? folder : "\(folder)/"
        return path.utf8.starts(with: start.utf8)
            ? String(text: path.utf8.dropFirst(start.utf8.count)) : nil
    }
}

extension Path {
    /// Where relative paths start; nil if that folder is gone.
    package static var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cText: path)
    }

    /// The root of the Git repository around a folder, or the folder itself.
    package static func repositoryRoot(around start: String) -> String {
        var folder = start
        while !folder.isEmpty {
            if exists("\(folder)/.git") { return folder }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return start
    }

    /// The path without links and dots; nil if it leads nowhere.
    package static func resolved(_ path: String) -> String? { RawPath(path).resolved?.text }

    /// Whether it leads to anything.
    package static func exists(_ path: String) -> Bool { FileStatus(at: path) != nil }

    /// Whether it leads to a folder.
    package static func isFolder(_ path: String) -> Bool { FileStatus(at: path)?.kind == .folder }

    package static func isLink(_ path: String) -> Bool { FileStatus(at: path, followsLink: false)?.kind == .link }

    /// Whether there is nothing, not even a broken link.
    package static func isMissing(_ path: String) -> Bool {
        FileStatus(at: path, followsLink: false) == nil && (errno == ENOENT || errno == ENOTDIR)
    }
}

/// A path as the system knows it: bytes, which need not be UTF-8.
package struct RawPath: Hashable, Sendable {
    /// The bytes of the path, without a NUL at the end.
    package let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The path that an argument names.
    ///
    /// An argument that is not UTF-8 was repaired on its way into a `String`, and no file would be found by it; here the
    /// original is looked up.
    package init(argument: String) {
        var original: [UInt8]?
        if argument.unicodeScalars.contains("\u{FFFD}") {
            for index in 0..<Int(CommandLine.argc) {
                guard original == nil, let words = CommandLine.unsafeArgv[index] else { continue }
                if String(cText: words) == argument { original = Self.bytes(of: words) }
            }
        }
        bytes = original ?? Array(argument.utf8)
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path in a report: what is not UTF-8 is repaired.
    package var text: String { String(text: bytes) }

    /// The path in a report, with each byte that is not UTF-8 as `\xE9`: two such paths never look the same.
    package var shown: String {
        var text = ""
        var rest = bytes[...]
        var iterator = rest.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return text
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                for byte in rest.prefix(length) { text += "\\x" + String(byte, radix: 16, uppercase: true) }
                rest = rest.dropFirst(length)
            }
        }
    }

    /// The path with a NUL at the end, as system calls take it.
    package var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

    static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}

extension RawPath {
    /// The last part; empty after a slash at the end.
    package var name: [UInt8] { Array(bytes[(lastSlash.map { $0 + 1 } ?? 0)...]) }

    /// The folder that it is in.
    package var folder: RawPath {
        switch lastSlash {
        case nil: RawPath(".")
        case 0: RawPath("/")
        case let slash?: RawPath(bytes: Array(bytes[..<slash]))
        }
    }

    /// Another file in the same folder, or below it.
    package func appending(_ text: String) -> RawPath { RawPath(bytes: bytes + text.utf8) }

    /// The path without one of these extensions, which are given in lower case and with their dot.
    package func removingExtension(_ extensions: [String]) -> RawPath {
        let lowercase = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        for known in extensions where lowercase.count > known.utf8.count {
            if lowercase.suffix(known.utf8.count).elementsEqual(known.utf8) {
                return RawPath(bytes: bytes.dropLast(known.utf8.count))
            }
        }
        return self
    }

    private var lastSlash: Int? { bytes.lastIndex(of: UInt8(ascii: "/")) }
}

extension RawPath {
    /// Whether it leads to anything.
    package var exists: Bool { FileStatus(at: cString) != nil }

    /// Whether it leads to a folder.
    package var isFolder: Bool { FileStatus(at: cString)?.kind == .folder }

    /// The path without links and dots; nil if it leads nowhere, and then `errno` says why.
    package var resolved: RawPath? {
        guard let resolved = realpath(cString, nil) else { return nil }
        defer { free(resolved) }
        return RawPath(bytes: Self.bytes(of: resolved))
    }

    /// Whether the path, all links followed, is below a folder.
    package func isInside(_ folder: RawPath) -> Bool {
        guard let own = resolved?.bytes, let folder = folder.resolved?.bytes else { return false }
        let start = folder == [UInt8(ascii: "/")] ? folder : folder + [UInt8(ascii: "/")]
        return own.starts(with: start)
    }

    /// The target of a symbolic link, which need not exist; nil for anything else.
    package static func target(ofLinkAt path: UnsafePointer<CChar>) -> [UInt8]? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            return count > 0 ? Array(UnsafeRawBufferPointer(buffer).prefix(count)) : nil
        }
    }
}
