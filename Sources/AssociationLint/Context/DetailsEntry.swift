internal import AppSiteAssociation
package import JSONSyntax

/// An entry of `details` as it stands in the file.
package struct EntryOutline: Sendable {
    /// The place in `details`, counted from 0, as in `Detail.index`.
    package let index: Int
    package let level: LevelObject
    /// The key, where `details` is a dictionary.
    package let key: JSONMember?
    package let defaults: LevelObject?
    /// The components that are objects, with their places in `components`.
    package let components: [ComponentOutline]

    init?(_ node: JSONNode, index: Int, key: JSONMember?, pointer: JSONPointer) {
        guard let level = LevelObject(.entry, node, pointer, keyRange: key?.keyRange) else { return nil }
        self.index = index
        self.level = level
        self.key = key
        defaults = level.member("defaults").flatMap { member in
            LevelObject(.defaults, member.value, pointer.member("defaults"), keyRange: member.keyRange)
        }
        guard let nodes = level["components"]?.array else {
            components = []
            return
        }
        let here = pointer.member("components")
        components = nodes.enumerated().compactMap { index, node in
            LevelObject(.component, node, index: index, of: here).map { ComponentOutline(index: index, level: $0) }
        }
    }
}

extension EntryOutline {
    /// Whether an object that stands for `details` is an entry itself, not a dictionary of entries.
    static func isEntry(_ object: JSONObject) -> Bool {
        ["appID", "appIDs", "paths", "components"].contains { key in
            object[key].map { $0.object == nil } ?? false
        }
    }

    /// Whether an element of `details` is a dictionary from app ID to entry, as in the betas of iOS 9.
    static func isBetaDictionary(_ level: LevelObject) -> Bool {
        guard level.level == .entry, level.hasForeignKeys else { return false }
        let members = level.members.filter { $0.meaning != .comment }
        return !members.isEmpty
            && members.allSatisfy { member in
                guard member.meaning == .unknown,
                    let inner = LevelObject(.entry, member.value, level.pointer.member(member.key))
                else { return false }
                return inner.isMeant("paths") || inner.isMeant("components")
            }
    }

    /// The app ID that is the key of the entry or stands in it for one app only: what iOS 12 reads.
    var hasSingleApp: Bool { key != nil || level.isMeant("appID") }
}

/// A component as it stands in the file.
package struct ComponentOutline: Sendable {
    /// The place in `components`, counted from 0.
    package let index: Int
    package let level: LevelObject
}
