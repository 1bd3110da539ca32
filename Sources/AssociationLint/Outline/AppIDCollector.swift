internal import JSONSyntax

/// Finds the app IDs of a file.
enum AppIDCollector {
    static func appIDs(entries: [EntryOutline], services: [LevelObject]) -> [AppIDPlace] {
        var places: [AppIDPlace] = []
        for entry in entries {
            let pointer = entry.level.pointer
            if let key = entry.key {
                places.append(
                    AppIDPlace(
                        string: key.key, range: key.keyRange, entry: entry.index, list: pointer, index: nil,
                        isKey: true))
            }
            if let node = entry.level["appID"], let string = node.string {
                let here = pointer.member("appID")
                places.append(
                    AppIDPlace(string: string, range: node.range, entry: entry.index, list: here, index: nil))
            }
            if let apps = entry.level["appIDs"] {
                places += list(apps, pointer.member("appIDs"), entry: entry.index)
            }
        }
        for service in services { places += list(service["apps"], service.pointer.member("apps"), entry: nil) }
        return places
    }

    private static func list(_ node: JSONNode?, _ pointer: JSONPointer, entry: Int?) -> [AppIDPlace] {
        (node?.array ?? []).enumerated().compactMap { index, node in
            node.string.map {
                AppIDPlace(string: $0, range: node.range, entry: entry, list: pointer, index: index)
            }
        }
    }
}
