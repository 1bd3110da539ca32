package import Diagnostics
internal import JSONSyntax

/// The JSON Schema of association files. It rejects what the linter finds wrong in shape and type, and accepts all else
/// (docs/spec/editors.md, section 1).
package enum AssociationSchema {
    package static let schema = object(.root).with("title", .string("Apple App Site Association"))
        .described("Which apps open the links of a website, and use its other services.")
        .with(
            "definitions",
            .object([
                "applinks": object(.appLinks, ["details": details]).json,
                "entry": entry.with(
                    "anyOf", .array([JSONSchema.having("appIDs").json, JSONSchema.having("appID").json])
                ).json,
                "appEntry": object(.entry).json,
                "component": object(.component, pattern).json,
                "service": object(.service).requiring(["apps"]).json,
            ]))

    /// An object of the file: the keys that the system reads, and none that it reads elsewhere.
    private static func object(_ level: Schema, _ others: [String: JSONSchema] = [:]) -> JSONSchema {
        var properties: [String: JSONOutput] = [:]
        for other in Schema.allCases where !other.isAndroid {
            for key in other.rows.map(\.name) where !KeyMeaning.isComment(key) { properties[key] = JSONSchema.never }
        }
        for row in level.rows {
            properties[row.name] = (others[row.name] ?? value(of: row, on: level)).described(row.text).json
        }
        return JSONSchema.object.with(properties: properties)
    }

    private static func value(of row: SchemaKey, on level: Schema) -> JSONSchema {
        switch (level, row.name) {
        case (.root, "applinks"): .definition("applinks")
        case (.root, _) where row.type != nil: .definition("service")
        case (_, "defaults"): .definition("component")
        case (_, "components"): .array(of: .definition("component"))
        case (_, "substitutionVariables"):
            JSONSchema.object.with("additionalProperties", JSONSchema.array(of: .string).json)
        default: row.type?.schema ?? JSONSchema()
        }
    }

    /// A query that is an object has a pattern for each item.
    private static let pattern = [
        "?": ExpectedType.stringOrObject.schema.with("additionalProperties", JSONSchema.string.json)
    ]

    /// Where there are components and no `appID`, no system reads `paths`, whatever they are.
    private static var entry: JSONSchema {
        let paths = ExpectedType.strings.schema.described("Patterns of paths, as strings.")
        let isIgnored = JSONSchema.having("components").with(properties: ["components": JSONSchema.type("array").json])
            .with("not", JSONSchema.having("appID").json)
        return object(.entry, ["paths": JSONSchema()])
            .when(isIgnored, then: JSONSchema(), otherwise: JSONSchema().with(properties: ["paths": paths.json]))
    }

    /// An array of entries, or the dictionary from app ID to entry of the betas of iOS 9.
    private static var details: JSONSchema {
        let entry = JSONSchema.definition("appEntry")
        let app = entry.described("An entry, if its key is an app ID; one entry itself belongs in an array.")
        let keys = DetailsEntry.keys.map { ($0, app.json) }
        let remark = JSONSchema().when(.object, then: entry, otherwise: JSONSchema())
        return JSONSchema().when(
            .object,
            then: JSONSchema().with(properties: Dictionary(uniqueKeysWithValues: keys))
                .with("patternProperties", .object([KeyMeaning.commentPattern: remark.json]))
                .with("additionalProperties", entry.json)
                .described("Deprecated: a dictionary from app ID to entry. Write an array of entries."),
            otherwise: .array(of: .definition("entry")))
    }
}

extension ExpectedType {
    /// The values of this type.
    fileprivate var schema: JSONSchema {
        switch self {
        case .string: .string
        case .boolean: .boolean
        case .object: .object
        case .array: .type("array")
        case .stringOrObject: JSONSchema(["type": .array([.string("string"), .string("object")])])
        case .strings: .array(of: .string)
        case .objects: .array(of: .object)
        }
    }
}
