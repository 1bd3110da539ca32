internal import Diagnostics
internal import JSONSyntax

/// Keys that the oldest system does not know (matching.md, 1).
enum NeedsNewerOSRule: FileRule {
    static let description = RuleDescription(
        "needs-newer-os", .warning, summary: "the oldest system that the file supports does not know a key",
        reason: """
            Apple's documentation names the iOS version in which each key was introduced; older systems ignore it. \
            'components' with 'paths', and 'appIDs' with 'appID', serve both generations and are not reported.
            """, basis: [.apple],
        bad: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/*", ⟦"caseSensitive"⟧: false }]
            }
            """),
        good: ExampleFile.good, minimumIOS: "13.0")

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let oldest = context.minimumIOS else { return }
        report(["appclips": SystemVersion(14)], in: context.rootObject, oldest, &diagnostics)
        report(
            ["defaults": SystemVersion(14), "substitutionVariables": SystemVersion(13, 5)], in: context.appLinks,
            oldest,
            &diagnostics)
        for entry in context.entries {
            var since = ["defaults": SystemVersion(14)]
            // The oldest system reads the one, newer ones the other.
            if !entry.hasSingleApp { since["appIDs"] = SystemVersion(13) }
            if entry.object.member("paths") == nil { since["components"] = SystemVersion(13) }
            report(since, in: entry.object, oldest, &diagnostics)
            // Where 'components' is not read at all, that is reported already.
            if let components = since["components"], oldest < components { continue }
            let inside = ["caseSensitive": SystemVersion(13, 5), "percentEncoded": SystemVersion(14)]
            for component in entry.components { report(inside, in: component, oldest, &diagnostics) }
        }
    }

    private static func report(
        _ since: [String: SystemVersion], in object: SchemaObject?, _ oldest: SystemVersion,
        _ diagnostics: inout DiagnosticCollector
    ) {
        for member in object?.members ?? [] {
            guard let version = since[member.key], oldest < version, let object else { continue }
            diagnostics.report(
                description, member.member.keyRange, object.pointer.member(member.key),
                "\(quoted(member.key)) needs iOS \(short(version)): iOS \(short(oldest)) does not know it")
        }
    }

    private static func short(_ version: SystemVersion) -> String {
        version.minor == 0 ? "\(version.major)" : version.description
    }
}
