internal import AppSiteAssociation
package import Diagnostics
package import JSONSyntax

/// An object of the file whose keys have a meaning, and where it stands.
///
/// A class, for it is handed around a lot and does not change.
package final class LevelObject: Sendable {
    package let level: Level
    package let object: JSONObject
    /// Of members with equal keys only the last, as the system reads them; in file order.
    package let members: [KeyedMember]
    package let range: SourceRange
    /// The key that the object stands under, if any.
    package let keyRange: SourceRange?
    /// Whether there is a key that the system does not read here, remarks excepted.
    package let hasForeignKeys: Bool
    private let list: JSONPointer
    private let index: Int?

    package init?(_ level: Level, _ node: JSONNode?, _ pointer: JSONPointer, keyRange: SourceRange? = nil) {
        guard let node, let object = node.object else { return nil }
        self.level = level
        self.object = object
        self.keyRange = keyRange
        list = pointer
        index = nil
        range = node.range
        members = Self.members(object, level)
        hasForeignKeys = Self.hasForeignKeys(members)
    }

    /// An object that is an element of a list.
    init?(_ level: Level, _ node: JSONNode, index: Int, of list: JSONPointer) {
        guard let object = node.object else { return nil }
        self.level = level
        self.object = object
        self.keyRange = nil
        self.list = list
        self.index = index
        range = node.range
        members = Self.members(object, level)
        hasForeignKeys = Self.hasForeignKeys(members)
    }

    /// What messages call this object.
    var name: String { level == .service ? quoted(pointer.description.dropFirst()) : level.name }

    package var pointer: JSONPointer { index.map { list.element($0) } ?? list }

    private static func members(_ object: JSONObject, _ level: Level) -> [KeyedMember] {
        distinct(object).map { member in
            KeyedMember(member, KeyMeaning(member.key.text, on: level, holdsArray: member.value.array != nil))
        }
    }

    private static func hasForeignKeys(_ members: [KeyedMember]) -> Bool {
        members.contains { $0.meaning != .known && $0.meaning != .comment }
    }

    /// The members that count. Most objects are small and have no equal keys.
    private static func distinct(_ object: JSONObject) -> [JSONMember] {
        let members = object.members
        guard members.count <= 8 else { return object.distinctMembers }
        for index in members.indices.dropFirst()
        where members[..<index].contains(where: { $0.key.text.hasSameBytes(as: members[index].key.text) }) {
            return object.distinctMembers
        }
        return members
    }

    /// The member of a key that stands here as it is to be written.
    package func member(_ key: String) -> JSONMember? { place(of: key).map { object.members[$0] } }

    package subscript(key: String) -> JSONNode? { place(of: key).map { object.members[$0].value } }

    private func place(of key: String) -> Int? {
        object.members.indices.last { object.members[$0].key.text.hasSameBytes(as: key) }
    }

    /// The object as a value.
    package var node: JSONNode { JSONNode(.object(object), range: range) }

    /// Whether a key is here, if only misspelt.
    package func isMeant(_ key: String) -> Bool {
        member(key) != nil
            || hasForeignKeys
                && members.contains {
                    if case .misspelt(of: key, _) = $0.meaning { true } else { false }
                }
    }

    /// Whether one of some keys is here where the system does not look for it.
    package func isMisplaced(_ keys: String...) -> Bool {
        hasForeignKeys && members.contains { $0.meaning == .misplaced && keys.contains($0.key) }
    }
}

/// A member of an object and what its key means there.
package struct KeyedMember: Sendable {
    package let member: JSONMember
    package let meaning: KeyMeaning

    package var key: String { member.key.text }
    package var value: JSONNode { member.value }

    init(_ member: JSONMember, _ meaning: KeyMeaning) {
        self.member = member
        self.meaning = meaning
    }
}

extension String {
    /// Whether the bytes are equal too, not only what they stand for.
    func hasSameBytes(as other: String) -> Bool {
        // Equal in Unicode's sense is faster to find, and rare if it is not the same.
        self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension LevelObject {
    /// What messages say of where the keys of this object stand.
    var place: String { level == .root ? "at the top of the file" : "in \(name)" }
}
