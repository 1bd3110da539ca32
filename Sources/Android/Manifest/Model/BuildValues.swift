internal import BoundedText

/// The values that a build gives to the names in a manifest: `@string/NAME`, `@bool/NAME`, `@integer/NAME` and `${NAME}`.
package struct BuildValues: Sendable {
    private let values: [String: String]

    package init(_ values: [String: String] = [:]) { self.values = values }

    /// The maximum length of a value with all its names, in bytes; a longer one is not known.
    private static let maxBytes = 65_536

    /// Whether a value of a manifest has a name that a build replaces: a resource, an attribute of a theme, or a placeholder.
    package static func hasName(_ raw: String) -> Bool {
        let bytes = raw.utf8
        return bytes.first == UInt8(ascii: "@")
            || zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{") }
    }

    /// The value that the app has; nil if only the build tells.
    ///
    /// - Parameter raw: As it is in the manifest, where a backslash begins an escape.
    func value(of raw: String) -> String? {
        guard Self.hasName(raw) else { return Self.unescaped(raw) }
        if let name = raw.firstMatch(of: Self.resource)?.1 { return values[String(name)] }
        guard !raw.utf8.starts(with: "@".utf8) else { return nil }
        var result = ""
        var rest = raw[...]
        while let start = rest.firstRange(of: "${") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}"),
                let value = values[String(rest[start.upperBound..<end])]
            else { return nil }
            result += rest[..<start.lowerBound]
            result += value
            guard result.utf8.count <= Self.maxBytes else { return nil }
            rest = rest[rest.index(after: end)...]
        }
        return Self.unescaped(result + rest)
    }

    /// A string, with the package that it is in, if that is written.
    private static var resource: Regex<(Substring, Substring)> {
        #/^@(?:[A-Za-z0-9_.]+:)?(?:string|bool|integer)\/(.+)$/#
    }

    /// The name in a value of a manifest that `--define` gives a value: the first one that has none; nil if that cannot be
    /// given.
    private func missingName(in raw: String) -> String? {
        if let name = raw.firstMatch(of: Self.resource)?.1 { return String(name) }
        var rest = raw[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let name = String(rest[start.upperBound..<end])
            if values[name] == nil { return name }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }

    /// The advice about a value that only a build tells: `give it with --define host=VALUE`.
    func advice(about raw: String, name: String) -> String {
        guard let missing = missingName(in: raw) else { return "give the merged manifest" }
        return "give \(name) with --define \(missing)=\(raw.utf8.starts(with: "@bool/".utf8) ? "true" : "VALUE")"
    }

    /// Whether a build could make a text of a value that has names: what is written around the names has to be there.
    static func canBe(_ raw: String, _ text: String) -> Bool {
        guard let name = raw.firstRange(of: "${"), let end = raw.lastIndex(of: "}"), end > name.lowerBound,
            !raw.utf8.starts(with: "@".utf8), !raw.utf8.contains(UInt8(ascii: "\\"))
        else { return true }
        let start = raw[..<name.lowerBound]
        let isWildcard = start.utf8.first == UInt8(ascii: "*")
        return text.utf8.reversed().starts(with: raw[raw.index(after: end)...].utf8.reversed())
            && (isWildcard || text.utf8.starts(with: start.utf8))
    }

    /// A value as the build tools leave it, to which a backslash begins an escape.
    static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value.bounded }
        var result = String.UnicodeScalarView()
        var rest = Substring(value).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "u":
                let digits = rest.prefix(4)
                rest = rest.dropFirst(digits.count)
                if let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) { result.append(scalar) }
            case let other?:
                if !ManifestDecisions.unknownEscapesLoseTheirBackslash, !"\\'\"@?#".unicodeScalars.contains(other) {
                    result.append("\\")
                }
                result.append(other)
            case nil: break
            }
        }
        return String(scalars: result)
    }
}
