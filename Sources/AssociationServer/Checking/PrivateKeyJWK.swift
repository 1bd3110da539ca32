internal import JSONSyntax

/// Tells private keys in JSON (RFC 7517): a JWK that has its private part, alone, in a set, or anywhere else.
enum PrivateKeyJWK {
    private static let mark = Array("\"kty\"".utf8)

    static func isIn(_ bytes: [UInt8]) -> Bool {
        guard hasMark(bytes), let root = JSONReader.read(bytes, path: "", limits: .configuration).root else {
            return false
        }
        return isIn(root)
    }

    private static func hasMark(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[start...]
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The reader bounds how deep values are nested.
    private static func isIn(_ node: JSONNode) -> Bool {
        if let elements = node.array { return elements.contains(where: isIn) }
        guard let object = node.object else { return false }
        if object["kty"] != nil, object["d"] != nil || object["k"] != nil { return true }
        return object.members.contains { isIn($0.value) }
    }
}
