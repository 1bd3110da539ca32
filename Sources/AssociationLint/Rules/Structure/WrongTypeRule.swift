internal import Diagnostics
internal import JSONSyntax

/// The system takes values of one type only.
enum WrongTypeRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "wrong-type", .error, summary: "a value is not of the type that the system takes",
            reason: """
                Each key has a type: lists of strings for 'appIDs' and 'paths', true or false for 'exclude', and so on \
                (Apple, "Supporting associated domains"). A value of another type is not read.
                """, basis: [.inferred], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ⟦"7K3QWZ9PLM.com.shop.app"⟧, "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard findings.isWanted("wrong-type") else { return }
        for level in file.levels {
            for member in level.members where member.meaning == .known {
                guard let type = ExpectedType(member.key, on: level.level) else { continue }
                check(member.member, type, in: level, file, &findings)
            }
        }
        if let links = file.appLinks, let details = links["details"] {
            check(details: details, links.pointer.member("details"), file, &findings)
        }
        for variable in file.variables {
            let value = variable.member.value
            check(value, .strings, "the variable \(quoted(variable.name))", variable.pointer, file, &findings)
        }
    }

    private static func check(
        _ member: JSONMember, _ type: ExpectedType, in level: LevelObject, _ file: FileOutline,
        _ findings: inout Findings
    ) {
        let node = member.value
        guard !type.takesAll(of: node) else { return }
        let key = member.key.text
        let pointer = level.pointer.member(key)
        if level.level == .root, key == "applinks", let entries = node.array, isEntries(entries) {
            report(
                node, type, quoted(key), pointer, &findings, title: #"write '{ "details": [ … ] }'"#,
                edits: JSONEdits.wrap(node.range, in: #"{ "details": "#, " }"))
        } else if key == "components", let elements = node.array {
            reportComponents(elements, pointer, &findings)
        } else if key == "appID", let ids = node.array, ids.allSatisfy({ $0.string != nil }),
            level.member("appIDs") == nil
        {
            report(
                node, type, quoted(key), pointer, &findings, title: "write 'appIDs'",
                edits: [JSONEdits.rename(member, to: "appIDs")])
        } else {
            check(node, type, quoted(key), pointer, file, &findings)
        }
    }

    /// Whether these are the entries of `details`, one level too high.
    private static func isEntries(_ elements: [JSONNode]) -> Bool {
        !elements.isEmpty && elements.allSatisfy { $0.object.map(EntryOutline.isEntry) ?? false }
    }

    /// Strings in the place of components are paths.
    private static func reportComponents(
        _ elements: [JSONNode], _ pointer: JSONPointer, _ findings: inout Findings
    ) {
        for (index, element) in elements.enumerated() where element.object == nil {
            let component = element.string.map { LegacyPath.component($0.text) }
            report(
                element, .object, "an element of 'components'", pointer.element(index), &findings,
                title: "write \(quoted(component ?? ""))",
                edits: component.map { [JSONEdits.replace(element, with: $0)] } ?? [])
        }
    }

    private static func check(
        details: JSONNode, _ pointer: JSONPointer, _ file: FileOutline, _ findings: inout Findings
    ) {
        guard let dictionary = details.object else {
            check(details, .objects, "'details'", pointer, file, &findings)
            return
        }
        if EntryOutline.isEntry(dictionary) {
            findings.report(
                "wrong-type", details.range, pointer,
                "'details' must be an array of entries, not an entry itself: the system does not read it",
                fixIts: [
                    FixIt(
                        title: "wrap it in [ ]", applicability: .suggested,
                        edits: JSONEdits.wrap(details.range, in: "[", "]"))
                ])
            return
        }
        for member in dictionary.members where member.value.object == nil {
            let key = member.key.text
            guard !KeyMeaning.isComment(key) else { continue }
            check(member.value, .object, "the entry \(quoted(key))", pointer.member(key), file, &findings)
        }
    }

    private static func check(
        _ node: JSONNode, _ type: ExpectedType, _ name: String, _ pointer: JSONPointer, _ file: FileOutline,
        _ findings: inout Findings
    ) {
        guard type.takes(node) else {
            let edits = type.edits(for: node, in: file.source)
            let title = edits.count == 1 ? "write \(quoted(edits[0].replacement))" : "wrap it in [ ]"
            report(node, type, name, pointer, &findings, title: title, edits: edits)
            return
        }
        guard let element = type.element else { return }
        for (index, item) in (node.array ?? []).enumerated() where !element.takes(item) {
            let edits = element.edits(for: item, in: file.source)
            report(
                item, element, "an element of \(name)", pointer.element(index), &findings,
                title: "write \(quoted(edits.first?.replacement ?? ""))", edits: edits)
        }
    }

    private static func report(
        _ node: JSONNode, _ type: ExpectedType, _ name: String, _ pointer: JSONPointer, _ findings: inout Findings,
        title: @autoclosure () -> String, edits: [TextEdit]
    ) {
        findings.report(
            "wrong-type", node.range, pointer,
            "\(name) must be \(type.name), not \(node.kind): the system does not read it",
            fixIts: edits.isEmpty ? [] : [FixIt(title: title(), applicability: .suggested, edits: edits)])
    }
}
