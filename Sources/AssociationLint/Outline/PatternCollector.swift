internal import AppSiteAssociation
internal import JSONSyntax

/// Finds the patterns of a file, and how each is compared.
enum PatternCollector {
    static func patterns(
        defaults: LevelObject?, entries: [EntryOutline], variables: [VariableOutline]
    ) -> [PatternPlace] {
        var places: [PatternPlace] = []
        if let defaults { places += patterns(of: defaults, [defaults]) }
        for entry in entries {
            let levels = [entry.defaults, defaults].compactMap { $0 }
            if let own = entry.defaults { places += patterns(of: own, levels) }
            for component in entry.components { places += patterns(of: component.level, [component.level] + levels) }
            if let paths = entry.level["paths"] {
                places += strings(paths, .legacyPath, entry.level.pointer.member("paths"))
            }
        }
        let uses = VariableComparisons(places)
        for variable in variables {
            places += strings(
                variable.member.value, .variableValue(name: variable.name), variable.pointer, uses[variable.name])
        }
        return places
    }

    private static func strings(
        _ node: JSONNode?, _ kind: PatternPlace.Kind, _ pointer: JSONPointer,
        _ comparison: PatternPlace.Comparison = PatternPlace.Comparison()
    ) -> [PatternPlace] {
        (node?.array ?? []).enumerated().compactMap { index, node in
            node.string.map {
                PatternPlace(kind, $0, node.range, comparison, index: index, of: pointer)
            }
        }
    }

    /// - Parameter levels: Where flags are looked for: the object itself, then the defaults around it.
    private static func patterns(of object: LevelObject, _ levels: [LevelObject]) -> [PatternPlace] {
        func flag(_ key: String) -> Bool {
            for level in levels {
                if let found = level[key]?.boolean { return found }
            }
            return true
        }
        let isEncoded = flag("percentEncoded")
        let comparison = PatternPlace.Comparison(
            isEncoded: isEncoded, isDecoded: !isEncoded, isCaseSensitive: flag("caseSensitive"))
        var places: [PatternPlace] = []
        func add(_ kind: PatternPlace.Kind, _ node: JSONNode?) {
            guard let node, let string = node.string else { return }
            places.append(PatternPlace(kind, string, node.range, comparison, owner: object))
        }
        add(.path, object["/"])
        let query = object["?"]
        add(.query, query)
        add(.fragment, object["#"])
        for item in query?.object?.distinctMembers ?? [] { add(.queryItem(name: item.key.text), item.value) }
        return places
    }
}
