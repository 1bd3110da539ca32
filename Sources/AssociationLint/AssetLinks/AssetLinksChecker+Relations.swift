internal import Diagnostics
internal import JSONSyntax

// What a statement says about its target, or where more statements are.
extension AssetLinksChecker {
    /// Those that Google's and browsers' documentation names.
    private static let knownRelations = [
        "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
        "delegate_permission/common.use_as_origin", "delegate_permission/common.query_webapk",
    ]

    mutating func checkRelation(_ object: JSONObject, _ statement: JSONNode, _ pointer: JSONPointer) -> Bool {
        guard let value = object["relation"] else {
            missing("relation", in: object, statement, pointer, code: "incomplete-statement", what: "statement")
            return false
        }
        let pointer = pointer.member("relation")
        guard let relations = value.array, !relations.isEmpty else {
            let text = findings.source.bytes[value.range.start..<value.range.end]
            let fixIts =
                value.string == nil ? [] : [Self.fix(value.range, "[\(String(decoding: text, as: UTF8.self))]")]
            findings.report(
                "invalid-relation", value.range, pointer,
                "'relation' is \(value.array == nil ? value.kind : "empty"); expected an array of strings like \(Self.relationExample)",
                fixIts: fixIts)
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
            findings.report(
                "invalid-relation", relation.range, pointer,
                "a relation is \(relation.kind); expected a string like \"delegate_permission/common.handle_all_urls\"")
            return false
        }
        let near =
            text.utf8.count > 80 || Self.knownRelations.contains(text)
            ? nil : Spelling.closest(to: text, among: Self.knownRelations)
        guard Self.isRelation(text) else {
            findings.report(
                "invalid-relation", relation.range, pointer,
                "\(quoted(text)) is not a relation; expected two parts of lowercase letters, digits, '_' and '.' with '/' between",
                fixIts: near.map { [Self.fix(relation.range, "\"\($0)\"")] } ?? [])
            return false
        }
        if let near {
            findings.report(
                "invalid-relation", relation.range, pointer,
                "unknown relation \(quoted(text)); did you mean '\(near)'?",
                fixIts: [Self.fix(relation.range, "\"\(near)\"")])
        }
        return true
    }

    private static func isRelation(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                            UInt8(ascii: "_"), UInt8(ascii: "."):
                            true
                        default: false
                        }
                    }
            }
    }

    // MARK: Statements that are elsewhere

    mutating func checkInclude(_ include: JSONMember, _ object: JSONObject, _ pointer: JSONPointer) -> Bool {
        let place = pointer.member("include")
        guard let text = include.value.string?.text else {
            findings.report(
                "invalid-include", include.value.range, place,
                "'include' is \(include.value.kind); expected the URL of a list of statements")
            return false
        }
        guard let url = AssetLinksURL(text), url.isHTTPS, !url.hasUser else {
            findings.report(
                "invalid-include", include.value.range, place,
                "'include' is \(quoted(text)); expected a URL like \"https://example.com/statements.json\"")
            return false
        }
        for key in ["relation", "target"] {
            guard let other = object.member(key) else { continue }
            findings.report(
                "invalid-include", other.keyRange, pointer.member(key),
                "'\(key)' beside 'include': Google's service ignores the statement",
                notes: ["split it into two statements"])
            break
        }
        return true
    }
}
