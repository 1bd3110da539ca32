/// How SARIF names a file.
struct SARIFArtifact {
    /// The absolute path of the folder that `%SRCROOT%` stands for; nil for the one that paths start from.
    let root: String?
    /// The absolute path of the folder that paths start from; nil for the root.
    let workingDirectory: String?

    /// The `artifactLocation` of a path as the user gave it.
    func location(_ path: String) -> JSONOutput {
        // Not a file: a name such as `<standard input>`.
        if path.hasPrefix("<"), path.hasSuffix(">") {
            return .object([
                "uri": .string(Self.encoded(path)),
                "description": .object(["text": .string(String(path.dropFirst().dropLast()))]),
            ])
        }
        guard let root else {
            return path.hasPrefix("/") ? Self.absolute(Self.names(path)) : Self.relative(Self.names(path)[...])
        }
        let names = Self.names(path.hasPrefix("/") ? path : "/\(workingDirectory ?? root)/\(path)")
        let rootNames = Self.names("/\(root)")
        guard names.starts(with: rootNames), names.count > rootNames.count else { return Self.absolute(names) }
        return Self.relative(names[rootNames.count...])
    }

    private static func absolute(_ names: [[UInt8]]) -> JSONOutput {
        .object(["uri": .string("file:///" + uri(names[...]))])
    }

    private static func relative(_ names: ArraySlice<[UInt8]>) -> JSONOutput {
        .object(["uri": .string(uri(names)), "uriBaseId": .string("%SRCROOT%")])
    }

    /// The names in a path, without `.` and, where something is before it, without `..`; the file system is not asked about
    /// links.
    private static func names(_ path: String) -> [[UInt8]] {
        let up = Array("..".utf8)
        var names: [[UInt8]] = []
        for name in path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init) where name != [UInt8(ascii: ".")] {
            if name == up, let last = names.last, last != up {
                names.removeLast()
            } else if name != up || !path.hasPrefix("/") {
                names.append(name)
            }
        }
        return names
    }

    private static func uri(_ names: ArraySlice<[UInt8]>) -> String {
        names.map { encoded(String(decoding: $0, as: UTF8.self)) }.joined(separator: "/")
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986: a colon in the first name would look like a scheme.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
