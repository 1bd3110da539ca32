import Diagnostics

/// The text of a key, compared byte by byte: to JSON, the two forms of `é` are two keys.
private struct KeyText: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { isSame(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { hasher.combine(text.utf8.count) }
    }

    static func isSame(_ left: String, _ right: String) -> Bool {
        // Equal in Unicode's sense is faster to find, and rare if it is not the same.
        left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }
}

extension SyntaxFindings {
    /// Reports every member whose key an earlier one has.
    mutating func duplicateKeys(in members: [JSONMember]) {
        if members.count <= 8 {
            for index in members.indices.dropFirst() {
                let key = members[index].key.text
                guard let first = members[..<index].first(where: { KeyText.isSame($0.key.text, key) }) else { continue }
                report(members[index], first)
            }
        } else {
            var seen: [KeyText: Int] = [:]
            seen.reserveCapacity(members.count)
            for (index, member) in members.enumerated() {
                let key = KeyText(text: member.key.text)
                if let first = seen[key] { report(member, members[first]) } else { seen[key] = index }
            }
        }
    }

    private mutating func report(_ member: JSONMember, _ first: JSONMember) {
        duplicateKey(
            member.keyRange.start..<member.keyRange.end, name: member.key.text, first: first.keyRange.start)
    }
}
