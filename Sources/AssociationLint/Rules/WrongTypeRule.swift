internal import Diagnostics
internal import JSONSyntax

/// A value of a type that the system does not read.
enum WrongTypeRule: FileRule {
    static let description = RuleDescription(
        "wrong-type", .error, summary: "a value has the wrong type",
        reason: """
            Each key has a type: lists of strings for 'appIDs' and 'paths', true or false for 'exclude', and so on \
            (Apple, "Supporting associated domains"). A value of another type is not read.
            """, basis: [.inferred], fix: .suggested,
        bad: ExampleFile.details(#"{ "appIDs": ⟦"7K3QWZ9PLM.com.shop.app"⟧, "components": [{ "/": "/buy/*" }] }"#),
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard diagnostics.isEnabled(description) else { return }
        for object in context.objects {
            for member in object.members where member.meaning == .known {
                guard let type = ExpectedType(member.key, on: object.schema) else { continue }
                check(member.member, type, in: object, context, &diagnostics)
            }
        }
        if let links = context.appLinks, let details = links["details"] {
            check(details: details, links.pointer.member("details"), &diagnostics)
        }
        for variable in context.variables {
            let value = variable.member.value
            check(value, .strings, "the variable \(quoted(variable.name))", variable.pointer, &diagnostics)
        }
    }

    private static func check(
        _ member: JSONMember, _ type: ExpectedType, in object: SchemaObject, _ context: LintContext,
        _ diagnostics: inout DiagnosticCollector
    ) {
        let node = member.value
        let key = member.key.text
        guard !type.takesAll(of: node), !(key == "paths" && IgnoredPathsRule.applies(to: object, context)) else {
            return
        }
        let pointer = object.pointer.member(key)
        if object.schema == .root, key == "applinks", let entries = node.array, isEntries(entries) {
            report(
                node, type, quoted(key), pointer, &diagnostics, title: #"write '{ "details": [ … ] }'"#,
                edits: JSONEdits.wrap(node.range, in: #"{ "details": "#, " }"))
        } else if key == "components", let elements = node.array {
            reportComponents(elements, pointer, &diagnostics)
        } else if key == "appID", let ids = node.array, ids.allSatisfy({ $0.string != nil }),
            object.member("appIDs") == nil
        {
            report(
                node, type, quoted(key), pointer, &diagnostics, title: "write 'appIDs'",
                edits: [JSONEdits.rename(member, to: "appIDs")])
        } else {
            check(node, type, quoted(key), pointer, &diagnostics)
        }
    }

    /// Whether these are the entries of `details`, one level too high.
    private static func isEntries(_ elements: [JSONNode]) -> Bool {
        !elements.isEmpty && elements.allSatisfy { $0.object.map(DetailsEntry.isEntry) ?? false }
    }

    /// Strings in the place of components are paths.
    private static func reportComponents(
        _ elements: [JSONNode], _ pointer: JSONPointer, _ diagnostics: inout DiagnosticCollector
    ) {
        for (index, element) in elements.enumerated() where element.object == nil {
            let component = element.string.map { DetailsEntry.component(ofPath: $0.text) }
            report(
                element, .object, "an element of 'components'", pointer.element(index), &diagnostics,
                title: "write \(quoted(component ?? ""))",
                edits: component.map { [JSONEdits.replace(element, with: $0)] } ?? [])
        }
    }

    private static func check(
        details: JSONNode, _ pointer: JSONPointer, _ diagnostics: inout DiagnosticCollector
    ) {
        guard let dictionary = details.object else {
            check(details, .objects, "'details'", pointer, &diagnostics)
            return
        }
        if DetailsEntry.isEntry(dictionary) {
            diagnostics.report(
                description, details.range, pointer,
                "'details' must be an array of entries, not an entry itself: the system does not read it",
                fix: FixIt(
                    "wrap it in [ ]", .suggested, JSONEdits.wrap(details.range, in: "[", "]"),
                    done: "wrapped 'details' in [ ]"))
            return
        }
        for member in dictionary.members where member.value.object == nil {
            let key = member.key.text
            guard !KeyMeaning.isComment(key) else { continue }
            check(member.value, .object, "the entry \(quoted(key))", pointer.member(key), &diagnostics)
        }
    }

    private static func check(
        _ node: JSONNode, _ type: ExpectedType, _ name: String, _ pointer: JSONPointer,
        _ diagnostics: inout DiagnosticCollector
    ) {
        guard type.takes(node) else {
            let edits = type.edits(for: node, in: diagnostics.source)
            let isWrapped = edits.count > 1
            report(
                node, type, name, pointer, &diagnostics,
                title: isWrapped ? "wrap it in [ ]" : "write \(quoted(edits.first?.replacement ?? ""))",
                done: isWrapped ? "wrapped \(name) in [ ]" : nil, edits: edits)
            return
        }
        guard let element = type.element else { return }
        for (index, item) in (node.array ?? []).enumerated() where !element.takes(item) {
            let edits = element.edits(for: item, in: diagnostics.source)
            report(
                item, element, "an element of \(name)", pointer.element(index), &diagnostics,
                title: "write \(quoted(edits.first?.replacement ?? ""))", edits: edits)
        }
    }

    private static func report(
        _ node: JSONNode, _ type: ExpectedType, _ name: String, _ pointer: JSONPointer,
        _ diagnostics: inout DiagnosticCollector,
        title: @autoclosure () -> String, done: @autoclosure () -> String? = nil, edits: [TextEdit]
    ) {
        diagnostics.report(
            description, node.range, pointer,
            "\(name) must be \(type.name), not \(node.kind): the system does not read it",
            fix: edits.isEmpty ? nil : FixIt(title(), .suggested, edits, done: done()))
    }
}

/// The type that the system reads for a key.
enum ExpectedType {
    case string, boolean, object, array, stringOrObject, strings, objects

    /// The name of the type, for messages.
    var name: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .object: "an object"
        case .array: "an array"
        case .stringOrObject: "a string or an object"
        case .strings: "an array of strings"
        case .objects: "an array of objects"
        }
    }

    /// The type that the elements must have, if that matters.
    var element: ExpectedType? {
        switch self {
        case .strings: .string
        case .objects: .object
        default: nil
        }
    }

    /// Whether a value is of this type, whatever its elements are.
    func takes(_ node: JSONNode) -> Bool {
        switch (self, node.value) {
        case (.string, .string), (.stringOrObject, .string), (.boolean, .boolean): true
        case (.object, .object), (.stringOrObject, .object): true
        case (.array, .array), (.strings, .array), (.objects, .array): true
        default: false
        }
    }

    /// Whether a value and its elements are of this type.
    func takesAll(of node: JSONNode) -> Bool {
        guard takes(node) else { return false }
        guard let element, let elements = node.array else { return true }
        return elements.allSatisfy(element.takes)
    }

    /// The type for a key of a level; nil if any is right or it is looked at elsewhere.
    init?(_ key: String, on schema: Schema) {
        guard let type = schema.rows.first(where: { $0.name.hasSameBytes(as: key) })?.type else { return nil }
        self = type
    }
}

extension ExpectedType {
    /// The changes that make a value of this type of another one, where it is plain what is meant.
    func edits(for node: JSONNode, in source: SourceText) -> [TextEdit] {
        switch (self, node.value) {
        case (.strings, .string), (.objects, .object): return JSONEdits.wrap(node.range, in: "[", "]")
        case (.string, .array(let elements)), (.stringOrObject, .array(let elements)):
            guard elements.count == 1, elements[0].string != nil else { return [] }
            return [JSONEdits.replace(node, with: source.text(elements[0].range))]
        case (.string, .object(let object)):
            // An app as in `details`, where its ID alone is expected.
            guard object.members.count == 1, let member = object.members.first, member.key.text == "appID",
                member.value.string != nil
            else { return [] }
            return [JSONEdits.replace(node, with: source.text(member.value.range))]
        case (.object, .array(let elements)):
            guard elements.count == 1, elements[0].object != nil else { return [] }
            return [JSONEdits.replace(node, with: source.text(elements[0].range))]
        case (.boolean, .string(let string)): return Self.boolean(string.text, node)
        case (.boolean, .number(let number)): return Self.boolean(number, node)
        default: return []
        }
    }

    private static func boolean(_ text: String, _ node: JSONNode) -> [TextEdit] {
        switch text.lowercased() {
        case "true", "yes", "1": [JSONEdits.replace(node, with: "true")]
        case "false", "no", "0": [JSONEdits.replace(node, with: "false")]
        default: []
        }
    }
}
