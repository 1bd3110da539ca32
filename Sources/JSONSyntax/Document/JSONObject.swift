/// All members of an object, in order, those with equal keys too.
package struct JSONObject: Sendable {
    package var members: [JSONMember]

    package init(_ members: [JSONMember]) {
        self.members = members
    }

    /// The member of a name; of several the last one, as the system reads it.
    package func member(_ name: String) -> JSONMember? {
        let count = name.utf8.count
        return members.last { $0.key.text.utf8.count == count && $0.key.text.utf8.elementsEqual(name.utf8) }
    }

    package subscript(name: String) -> JSONNode? { member(name)?.value }
}
