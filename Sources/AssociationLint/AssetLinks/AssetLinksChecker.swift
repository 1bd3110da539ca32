internal import Android
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Finds what Android, or Google's service that it asks, does not accept in a list of statements.
///
/// A statement that cannot be used is a warning, because the others are read; a file that cannot be used at all is an error.
struct AssetLinksChecker {
    static let relationExample = #"["delegate_permission/common.handle_all_urls"]"#

    var diagnostics: DiagnosticCollector
    private let signers: [AppSigner]

    init(_ diagnostics: DiagnosticCollector, signers: [AppSigner]) {
        self.diagnostics = diagnostics
        self.signers = signers
    }

    /// - Returns: The document as Android reads it.
    mutating func check(_ root: JSONNode) -> AssetLinksDocument {
        let file = AssetLinksFile(root, source: diagnostics.source, signers: signers)
        let faults = file.document.statements.map { ($0.index, $0.dynamicRules.faults) }
        checkStatements(root, Dictionary(faults, uniquingKeysWith: { first, _ in first }))
        for rule in RuleRegistry.sharedKeyRules { rule.check(file.context, &diagnostics) }
        EmptyListRule.check(file, &diagnostics)
        for rule in RuleRegistry.assetLinksRules { rule.check(file, &diagnostics) }
        for rule in RuleRegistry.sharedPatternRules { rule.check(file.context, &diagnostics) }
        // That a pattern is wrong and that its rule has no effect are two causes.
        diagnostics.beginGroup()
        DynamicRuleOrderCheck.run(file, &diagnostics)
        for rule in RuleRegistry.signerRules { rule.check(file, &diagnostics) }
        return file.document
    }

    /// - Parameter faults: For each statement that for which Android drops its dynamic rules.
    private mutating func checkStatements(_ root: JSONNode, _ faults: [Int: [DynamicRuleFault]]) {
        guard let statements = root.array else { return reportNoList(root) }
        guard !statements.isEmpty else {
            return diagnostics.report(
                .emptyStatementList, root.range, JSONPointer(), "the file has no statements: it associates nothing")
        }
        var isUsable = false
        for (index, statement) in statements.enumerated() {
            let pointer = JSONPointer().element(index)
            guard let object = statement.object else {
                diagnostics.report(
                    .statementNotAnObject, statement.range, pointer,
                    "a statement must be an object, not \(statement.kind)")
                continue
            }
            if check(object, statement, pointer) { isUsable = true }
            DynamicRulesDiscardedRule.report(faults[index] ?? [], &diagnostics)
            if let value = Self.foreignValue(in: statement, pointer) {
                diagnostics.report(
                    .numberInStatement, value.node.range, value.pointer,
                    "\(value.node.kind) in a statement: Android's own reader rejects the whole file")
            }
        }
        guard !isUsable, !diagnostics.reported.contains(where: { $0.severity == .error }) else { return }
        diagnostics.report(
            .noUsableStatement, root.range, JSONPointer(), "no statement of the file can be used",
            notes: ["the other findings say why"])
    }

    private mutating func reportNoList(_ root: JSONNode) {
        let object = root.object
        let isStatement = object?["relation"] != nil || object?["target"] != nil
        var notes: [String] = []
        if ["applinks", "webcredentials", "appclips"].contains(where: { object?[$0] != nil }) {
            notes = ["an association file for Apple devices is named 'apple-app-site-association'"]
        } else if object?["statements"] != nil {
            notes = ["this looks like a response of Google's service, not the file that it reads"]
        }
        let fix = FixIt("wrap it in [ ]", .suggested, JSONEdits.wrap(root.range, in: "[", "]"))
        diagnostics.report(
            .noStatementList, root.range, JSONPointer(), "the file is \(root.kind), not an array of statements",
            notes: notes, fix: isStatement ? fix : nil)
    }

    /// - Returns: whether a system can use the statement.
    private mutating func check(_ object: JSONObject, _ statement: JSONNode, _ pointer: JSONPointer) -> Bool {
        if let include = object.member("include"), include.value.string?.text.isEmpty != true {
            return checkInclude(include, object, pointer)
        }
        let hasRelation = checkRelation(object, statement, pointer)
        guard let target = object.member("target") else {
            missing("target", in: object, statement, pointer, rule: .incompleteStatement, what: "statement")
            return false
        }
        let isUsable = checkTarget(target.value, pointer.member("target")) && hasRelation
        checkKeys(of: object, .statement, pointer)
        return isUsable
    }

    /// Reports keys that no system reads, and that are not close to one that is read.
    mutating func checkKeys(of object: JSONObject, _ schema: Schema, _ pointer: JSONPointer) {
        for member in object.members {
            let key = member.key.text
            // A number or null in it is reported as that.
            guard KeyMeaning(key, on: schema, holdsArray: member.value.array != nil) == .unknown,
                Self.foreignValue(in: member.value, pointer) == nil
            else { continue }
            let isAboutLinks = Self.linkKeys.contains(key)
            diagnostics.report(
                UnknownKeyRule.description, member.keyRange, pointer.member(key),
                "\(quoted(key)) is ignored: there is no such key in \(schema.name)",
                advice: isAboutLinks ? Self.linkAdvice : nil)
        }
    }

    /// Keys with which people try to say which links the app opens.
    private static let linkKeys = [
        "path", "paths", "pathPattern", "pathPrefix", "conditions", "components", "dynamic_app_link_components",
        "exclude",
    ]
    private static let linkAdvice =
        "say which links open in the app's manifest, or for Android 15 in 'relation_extensions'"

    /// The first value that Android's own reader does not know: numbers and null, and in arrays booleans too.
    private static func foreignValue(
        in node: JSONNode, _ pointer: JSONPointer, isElement: Bool = false
    ) -> (node: JSONNode, pointer: JSONPointer)? {
        switch node.value {
        case .null, .number: return (node, pointer)
        case .boolean: return isElement ? (node, pointer) : nil
        case .string: return nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = foreignValue(in: element, pointer.element(index), isElement: true) { return found }
            }
        case .object(let object):
            for member in object.members {
                if let found = foreignValue(in: member.value, pointer.member(member.key.text)) { return found }
            }
        }
        return nil
    }

    /// Reports that a key is not there, or is misspelt.
    mutating func missing(
        _ key: String, in object: JSONObject, _ node: JSONNode, _ pointer: JSONPointer, rule: RuleDescription,
        severity: Severity? = nil, what: String
    ) {
        let known = ["relation", "target", "namespace", "package_name", "sha256_cert_fingerprints", "site"]
        let near = object.members.prefix(32).first { member in
            let text = member.key.text
            return text.utf8.count <= 64 && !known.contains(text) && Spelling.distance(text.lowercased(), key) <= 2
        }
        guard let near else {
            return diagnostics.report(rule, severity: severity, node.range, pointer, "this \(what) has no '\(key)'")
        }
        diagnostics.report(
            rule, severity: severity, near.keyRange, pointer.member(near.key.text),
            "this \(what) has no '\(key)', but \(quoted(near.key.text))",
            fix: .writing("\"\(key)\"", at: near.keyRange))
    }
}

// What a statement says about its target, or where more statements are.
extension AssetLinksChecker {
    /// Those that Google's and browsers' documentation names.
    private static let knownRelations = [
        "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
        "delegate_permission/common.use_as_origin", "delegate_permission/common.query_webapk",
    ]

    mutating func checkRelation(_ object: JSONObject, _ statement: JSONNode, _ pointer: JSONPointer) -> Bool {
        guard let value = object["relation"] else {
            missing("relation", in: object, statement, pointer, rule: .incompleteStatement, what: "statement")
            return false
        }
        let pointer = pointer.member("relation")
        guard let relations = value.array, !relations.isEmpty else {
            let text = diagnostics.source.text(value.range)
            diagnostics.report(
                .invalidRelation, value.range, pointer,
                "'relation' is \(value.array == nil ? value.kind : "empty"); expected an array of strings like \(Self.relationExample)",
                fix: value.string == nil ? nil : .writing("[\(text)]", at: value.range))
            return false
        }
        var isUsable = true
        for (index, relation) in relations.enumerated() {
            if !checkRelation(relation, pointer.element(index)) { isUsable = false }
        }
        return isUsable
    }

    private mutating func checkRelation(_ relation: JSONNode, _ pointer: JSONPointer) -> Bool {
        guard let text = relation.string?.text else {
            diagnostics.report(
                .invalidRelation, relation.range, pointer,
                "a relation is \(relation.kind); expected a string like \"delegate_permission/common.handle_all_urls\"")
            return false
        }
        let near =
            text.utf8.count > 80 || Self.knownRelations.contains(text)
            ? nil : Spelling.closest(to: text, among: Self.knownRelations)
        guard Self.isRelation(text) else {
            diagnostics.report(
                .invalidRelation, relation.range, pointer,
                "\(quoted(text)) is not a relation; expected two parts of lowercase letters, digits, '_' and '.', separated by '/'",
                fix: near.map { .writing("\"\($0)\"", at: relation.range) })
            return false
        }
        if let near {
            diagnostics.report(
                .invalidRelation, relation.range, pointer, "unknown relation \(quoted(text)); did you mean '\(near)'?",
                fix: .writing("\"\(near)\"", at: relation.range))
        }
        return true
    }

    private static func isRelation(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isWord && $0 == $0.lowercased || $0 == UInt8(ascii: ".") }
            }
    }

    mutating func checkInclude(_ include: JSONMember, _ object: JSONObject, _ pointer: JSONPointer) -> Bool {
        let here = pointer.member("include")
        guard let text = include.value.string?.text else {
            diagnostics.report(
                .invalidInclude, include.value.range, here,
                "'include' is \(include.value.kind); expected the URL of a list of statements")
            return false
        }
        guard let url = AssetLinksURL(text), url.isHTTPS, !url.hasUser else {
            diagnostics.report(
                .invalidInclude, include.value.range, here,
                "'include' is \(quoted(text)); expected a URL like \"https://example.com/statements.json\"")
            return false
        }
        for key in ["relation", "target"] {
            guard let other = object.member(key) else { continue }
            diagnostics.report(
                .invalidInclude, other.keyRange, pointer.member(key),
                "'\(key)' next to 'include': Google's service ignores the statement",
                notes: ["split it into two statements"])
            break
        }
        return true
    }
}
