internal import Diagnostics
internal import HTTP1
internal import JSONSyntax

extension ConfigurationReader {
    private static let associationFile = "apple-app-site-association"
    private static let assetLinks = "assetlinks.json"
    private static let assetLinksType = "application/json"
    /// The longest file name of Linux.
    private static let longestName = 255
    /// Longer than any that is in use; the answer's head has to stay small.
    private static let longestType = 255

    /// In the order of the names; `assetlinks.json`, which is always served, is left out.
    mutating func wellKnown(_ value: ConfigurationValue?) -> [ServerConfiguration.WellKnownFile]? {
        guard let value else { return nil }
        guard let object = value.node.object else {
            let example = "{\"security.txt\": \"text/plain; charset=utf-8\"}"
            invalid(value, "'wellKnown' is \(value.kind); expected an object like \(example)")
            return nil
        }
        var files: [ServerConfiguration.WellKnownFile] = []
        for member in object.members {
            let name = member.key.text
            let isGood = check(name: name, of: member, in: value)
            guard let type = contentType(name, member.value, in: value), isGood, name != Self.assetLinks else {
                continue
            }
            files.append(ServerConfiguration.WellKnownFile(name: name, contentType: type))
        }
        return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private mutating func check(name: String, of member: JSONMember, in value: ConfigurationValue) -> Bool {
        guard let problem = problem(name) else { return true }
        invalid(
            "'wellKnown' has \(quoted(name)); \(problem)", at: member.keyRange,
            value.pointer.member(name).description)
        return false
    }

    private func problem(_ name: String) -> String? {
        switch name {
        case "": return "expected the name of a file"
        case Self.associationFile: return "it is served without being named here, and always as \(Self.assetLinksType)"
        default: break
        }
        if name.contains("/") { return "expected the name of a file in the folder of a site, without a '/'" }
        if name.hasPrefix(".") { return "expected a name that does not begin with a dot: such files are never served" }
        if name.hasSuffix("~") || name.hasSuffix(".swp") {
            return "expected another name: files that editors leave behind are called so, and are never served"
        }
        if !PathSegment.isPlain(name) {
            return "expected a name of letters, digits and '-._~!$&'()*+,;=:@', which a URL shows as it is"
        }
        return name.utf8.count > Self.longestName ? "expected at most \(Self.longestName) characters" : nil
    }

    private mutating func contentType(_ name: String, _ node: JSONNode, in wellKnown: ConfigurationValue) -> String? {
        let subject = "the content type of \(quoted(name)) in 'wellKnown'"
        let pointer = wellKnown.pointer.member(name).description
        guard let type = node.string?.text else {
            invalid("\(subject) is \(node.kind); expected a string like \"text/plain\"", at: node.range, pointer)
            return nil
        }
        if name == Self.assetLinks, type != Self.assetLinksType {
            let fix = replace(node.range, with: "\"\(Self.assetLinksType)\"", "write \"\(Self.assetLinksType)\"")
            let message = "\(subject) is \(quoted(type)); it can only be \"\(Self.assetLinksType)\""
            invalid(message, at: node.range, pointer, fix)
            return nil
        }
        guard MediaType.isValid(type), type.utf8.count <= Self.longestType else {
            let expected = "expected a media type like \"text/plain; charset=utf-8\""
            invalid("\(subject) is \(quoted(type)); \(expected)", at: node.range, pointer)
            return nil
        }
        return type
    }
}
