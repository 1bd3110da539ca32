package import Diagnostics

extension LintConfiguration {
    /// The JSON Schema of `.aasa.json`: it takes no unknown key, no value of another type, and no entry without what it needs.
    ///
    /// - Parameter rules: All whose severity can be changed.
    package static func schema(_ rules: RuleCatalogue) -> JSONSchema {
        let codes = rules.rules.map(\.code).filter { RuleRegistry.objection(toChanging: $0) == nil }.map(\.rawValue)
        let severity = JSONSchema.oneOf(words: LintOptions.Setting.allCases.map(\.rawValue))
        let entry = object([
            "ignore.code": .oneOf(words: codes), "ignore.path": .string,
            "ignore.pointer": .matching("^(/|$)"), "ignore.reason": .matching("[^ ]"),
        ]).requiring(["code", "reason"])
        return object([
            "minimumIOS": .matching("^[0-9]{1,3}(\\.[0-9]{1,3}){0,2}$"),
            "severity": JSONSchema.object.with(
                properties: Dictionary(uniqueKeysWithValues: codes.map { ($0, severity.json) })
            ).with("additionalProperties", JSONSchema.never),
            "ignore": .array(of: entry),
        ]).with("title", .string("Configuration of aasa validate"))
    }

    /// - Parameter values: By the path of their key, all in the same object.
    private static func object(_ values: [String: JSONSchema]) -> JSONSchema {
        let rows = keys.compactMap { key in values[key.path].map { (key.path.split(separator: ".").last, $0, key) } }
        let properties = rows.map { name, value, key in (String(name ?? ""), value.described(key.meaning).json) }
        return JSONSchema.object.with(properties: Dictionary(uniqueKeysWithValues: properties))
            .closed(butFor: "^(_|(\\$schema|//|comment)$)")
    }
}

extension CaseList {
    /// The JSON Schema of a list for `aasa test`.
    package static var schema: JSONSchema {
        func expectation(_ apps: String) -> [String: JSONOutput] {
            [
                "opens": JSONSchema.any(of: [.array(of: .string), .oneOf(words: ["any"])])
                    .described("The \(apps) that open it, in any order; [] if none does; \"any\" if any does.").json,
                "excluded": JSONSchema(["const": .boolean(true)])
                    .described("A rule excludes it, so it stays in the browser.").json,
            ]
        }
        let both = JSONSchema.having("opens", "excluded").json
        let either = JSONSchema.any(of: [.having("opens"), .having("excluded")]).members
        let android = JSONSchema(either).with("type", .string("object")).with(properties: expectation("packages"))
            .with("not", both).closed(butFor: remarks).described("The same for Android.")
        let testCase = JSONSchema.any(of: [.having("opens"), .having("excluded"), .having("android")])
            .with("type", .string("object")).with(properties: expectation("app IDs"))
            .with(properties: [
                "url": JSONSchema.string.described("A URL with https or http.").json, "android": android.json,
            ]).requiring(["url"]).with("not", both).closed(butFor: remarks)
        return JSONSchema.array(of: testCase).with("title", .string("Cases for aasa test"))
            .described("URLs, and what is expected to happen to them.")
    }

    /// The keys of remarks, which `aasa test` does not read.
    private static let remarks = "^(_|(comments?|note|name|//)$)"
}
