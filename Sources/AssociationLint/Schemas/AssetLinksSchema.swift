internal import Android
package import Diagnostics

/// The JSON Schema of `assetlinks.json`. It rejects what the linter finds wrong in shape, type and form; that a relation is
/// close to a known one is for the linter alone (docs/spec/editors.md, section 1).
package enum AssetLinksSchema {
    package static let schema = JSONSchema.array(of: .definition("statement"))
        .with("title", .string("Digital Asset Links"))
        .described("Which apps and sites the website trusts with its links and passwords.")
        .with(
            "definitions",
            .object([
                "statement": statement.json, "own": own.json, "target": target.json, "rules": rules.json,
                "component": component.json, "value": value(inArray: false).json,
                "element": value(inArray: true).json,
            ]))

    /// Android's own reader takes neither numbers nor null, and in arrays no booleans.
    private static func value(inArray: Bool) -> JSONSchema {
        let types = ["string", "object", "array"] + (inArray ? [] : ["boolean"])
        return JSONSchema(["type": .array(types.map(JSONOutput.string))])
            .with("additionalProperties", JSONSchema.definition("value").json)
            .with("items", JSONSchema.definition("element").json)
    }

    private static var statement: JSONSchema {
        let isInclude = JSONSchema.having("include").with(
            properties: ["include": JSONSchema(["not": JSONSchema(["const": .string("")]).json]).json])
        return JSONSchema.object
            .with("allOf", .array([.object(["$ref": .string("#/definitions/value")])]))
            .with(properties: described(.statement, [:]))
            .when(isInclude, then: JSONSchema(), otherwise: .definition("own"))
    }

    /// A statement that says something itself.
    private static let own = JSONSchema.object.requiring(["relation", "target"])
        .with(
            properties: described(
                .statement,
                [
                    "relation": some(.matching("^[a-z0-9_.]+/[a-z0-9_.]+$")), "target": .definition("target"),
                    DynamicRules.extensionsKey: JSONSchema.object.with(
                        properties: [AssetLinksStatement.handleAllURLs: JSONSchema.definition("rules").json]),
                ]))

    private static var target: JSONSchema {
        let app = JSONSchema().requiring(Schema.appTarget.rows.map(\.name))
            .with(
                properties: described(
                    .appTarget,
                    [
                        "package_name": .matching("^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$"),
                        "sha256_cert_fingerprints": some(.matching("^[0-9A-F]{2}(:[0-9A-F]{2}){31}$")),
                    ]))
        let namespace = JSONSchema.oneOf(words: ["android_app", "web"])
        let isSite = JSONSchema().with(properties: ["namespace": JSONSchema(["const": .string("web")]).json])
        return JSONSchema.object.requiring(["namespace"]).with(properties: ["namespace": namespace.json])
            .when(isSite, then: JSONSchema().with(properties: described(.siteTarget, [:])), otherwise: app)
    }

    private static let rules = JSONSchema.object.with(
        properties: described(.relationRules, [DynamicRules.listKey: .array(of: .definition("component"))]))

    private static var component: JSONSchema {
        let query = JSONSchema.object.with("minProperties", .number(1))
            .with("additionalProperties", JSONSchema.text.json)
        return JSONSchema.object.with(
            properties: described(.dynamicComponent, ["/": .text, "#": .text, "?": query, "exclude": .boolean]))
    }

    /// An array with at least one element.
    private static func some(_ element: JSONSchema) -> JSONSchema {
        JSONSchema.array(of: element).with("minItems", .number(1))
    }

    private static func described(_ level: Schema, _ values: [String: JSONSchema]) -> [String: JSONOutput] {
        Dictionary(
            uniqueKeysWithValues: level.rows.map { row in
                (row.name, (values[row.name] ?? JSONSchema()).described(row.text).json)
            })
    }
}
