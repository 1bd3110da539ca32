internal import Diagnostics
internal import JSONSyntax

/// Finds what Android, or the service of Google's that it asks, does not take in a list of statements.
///
/// A statement that cannot be used is a warning, because the others are read; a file that nobody can use is an error.
struct AssetLinksChecker {
    static let relationExample = #"["delegate_permission/common.handle_all_urls"]"#

    var findings: Findings

    init(_ findings: Findings) {
        self.findings = findings
    }

    mutating func check(_ root: JSONNode) {
        guard let statements = root.array else { return reportNoList(root) }
        guard !statements.isEmpty else {
            return findings.report(
                "empty-statement-list", root.range, JSONPointer(), "the file has no statement: it associates nothing")
        }
        var isUsable = false
        for (index, statement) in statements.enumerated() {
            let pointer = JSONPointer().element(index)
            guard let object = statement.object else {
                findings.report(
                    "statement-not-an-object", statement.range, pointer,
                    "\(statement.kind) where a statement is expected: statements are objects")
                continue
            }
            if check(object, statement, pointer) { isUsable = true }
            if let value = Self.foreignValue(in: statement, pointer) {
                findings.report(
                    "number-in-statement", value.node.range, value.pointer,
                    "\(value.node.kind) in a statement: Android's own reader rejects the whole file")
            }
        }
        guard !isUsable, !findings.all.contains(where: { $0.severity == .error }) else { return }
        findings.report(
            "no-usable-statement", root.range, JSONPointer(), "no statement of the file can be used",
            notes: ["the other findings say why"])
    }

    private mutating func reportNoList(_ root: JSONNode) {
        let object = root.object
        let isStatement = object?["relation"] != nil || object?["target"] != nil
        var notes: [String] = []
        if ["applinks", "webcredentials", "appclips"].contains(where: { object?[$0] != nil }) {
            notes = ["an association file for Apple devices has another name: 'apple-app-site-association'"]
        } else if object?["statements"] != nil {
            notes = ["this looks like a response of Google's service, not like the file that it reads"]
        }
        let fix = FixIt(
            title: "wrap it in [ ]", applicability: .suggested,
            edits: [
                TextEdit(range: SourceRange(start: root.range.start, end: root.range.start), replacement: "["),
                TextEdit(range: SourceRange(start: root.range.end, end: root.range.end), replacement: "]"),
            ])
        findings.report(
            "no-statement-list", root.range, JSONPointer(), "the file is \(root.kind), not an array of statements",
            notes: notes, fixIts: isStatement ? [fix] : [])
    }

    /// - Returns: whether somebody can use the statement.
    private mutating func check(_ object: JSONObject, _ statement: JSONNode, _ pointer: JSONPointer) -> Bool {
        if let include = object.member("include"), include.value.string?.text.isEmpty != true {
            return checkInclude(include, object, pointer)
        }
        let hasRelation = checkRelation(object, statement, pointer)
        guard let target = object.member("target") else {
            missing("target", in: object, statement, pointer, code: "incomplete-statement", what: "statement")
            return false
        }
        return checkTarget(target.value, pointer.member("target")) && hasRelation
    }

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
        _ key: String, in object: JSONObject, _ node: JSONNode, _ pointer: JSONPointer, code: String, what: String
    ) {
        let known = ["relation", "target", "namespace", "package_name", "sha256_cert_fingerprints", "site"]
        let near = object.members.prefix(32).first { member in
            let text = member.key.text
            return text.utf8.count <= 64 && !known.contains(text) && Spelling.distance(text.lowercased(), key) <= 2
        }
        guard let near else {
            return findings.report(code, node.range, pointer, "this \(what) has no '\(key)'")
        }
        findings.report(
            code, near.keyRange, pointer.member(near.key.text),
            "this \(what) has no '\(key)', but \(quoted(near.key.text))",
            fixIts: [Self.fix(near.keyRange, "\"\(key)\"")])
    }

    static func fix(_ range: SourceRange, _ text: String) -> FixIt {
        FixIt(
            title: "write \(text)", applicability: .suggested, edits: [TextEdit(range: range, replacement: text)])
    }
}
