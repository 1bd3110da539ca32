package import JSONSyntax

extension JSONNode {
    /// The strings of an array; what is no string is left out. Nil if this is no array.
    var strings: [Located<String>]? {
        array?.compactMap { node in node.string.map { Located($0.text, at: node.range) } }
    }
}

extension JSONObject {
    /// The members that count: of those with equal keys the last, at its own place.
    package var distinctMembers: [JSONMember] {
        var seen = Set<[UInt8]>()
        let kept = members.reversed().filter { seen.insert(Array($0.key.text.utf8)).inserted }
        return kept.reversed()
    }
}
