internal import Android
internal import Diagnostics
internal import JSONSyntax

/// Finds the dynamic rules that have no effect because of the order in which they are asked.
enum DynamicRuleOrderCheck {
    private static let rules: [any LintRule.Type] = [
        DeadExcludeRule.self, BlockedIncludeRule.self, UnreachableRuleRule.self,
    ]

    static func run(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        guard rules.contains(where: { diagnostics.isEnabled($0.description.code) }) else { return }
        let faulty = FaultyRules(diagnostics)
        for statement in file.statements {
            guard let components = statement.statement.dynamicRules.components, components.count > 1 else { continue }
            var coverage = DynamicCoverage(components)
            for covered in coverage.covered() where !faulty.contain(components[covered.component].range) {
                report(covered, components, statement.elements, file.source, &diagnostics)
            }
            diagnostics.spend(coverage.work)
        }
    }

    private static func report(
        _ covered: CoveredComponent, _ components: [DynamicComponent], _ elements: [JSONNode], _ source: SourceText,
        _ diagnostics: inout DiagnosticCollector
    ) {
        let (rule, earlier) = (components[covered.component], components[covered.by])
        let isInOneLine = rule.position.line == earlier.position.line
        let line = "line \(earlier.position.line)" + (isInOneLine ? ", column \(earlier.position.column)," : "")
        let earlierName = "\(earlier.name) on \(line)"
        func example(_ effect: String) -> String? { covered.witness.map { "e.g. \($0)\(effect)" } }
        func moves() -> [FixIt] {
            guard !covered.isSame else { return [] }
            let target = isInOneLine ? "before \(earlier.name)" : "above line \(earlier.position.line)"
            return [
                FixIt(
                    "move this rule \(target)", .suggested,
                    JSONEdits.move(element: rule.component, before: earlier.component, in: elements, source: source),
                    done: "moved \(rule.name) \(target)")
            ]
        }
        switch (earlier.excludes, rule.excludes) {
        case (false, true):
            diagnostics.report(
                DeadExcludeRule.description.code, rule.range, rule.pointer,
                "\(rule.name) is never excluded: \(earlierName) matches first", label: example(" still opens the app"),
                labels: [Diagnostic.Label(earlier.range, "opens these URLs first")], fixIts: moves())
        case (true, false):
            diagnostics.report(
                BlockedIncludeRule.description.code, rule.range, rule.pointer,
                "\(rule.name) never matches: \(earlierName) excludes these URLs first",
                label: example(" does not open the app"),
                labels: [Diagnostic.Label(earlier.range, "excludes these URLs first")], fixIts: moves())
        case (false, false), (true, true):
            let effect = earlier.excludes ? "already excludes these URLs" : "already opens these URLs"
            diagnostics.report(
                UnreachableRuleRule.description.code, rule.range, rule.pointer,
                "rule \(rule.name) has no effect: \(earlierName) \(effect)", label: example(""),
                labels: [Diagnostic.Label(earlier.range, effect)],
                fixIts: [
                    FixIt(
                        "delete this rule", .suggested,
                        JSONEdits.delete(element: rule.component, in: elements, source: source),
                        done: "deleted \(rule.name)")
                ])
        }
    }
}

extension DynamicComponent {
    /// The component's conditions in messages: `'/x' with query 'a=b'`.
    var name: String {
        var conditions = query.map { "query \(quoted($0.pattern.text))" }
        if let fragment { conditions.append("fragment \(quoted(fragment.text))") }
        let rest = conditions.joined(separator: " and ")
        guard let path else { return rest }
        return quoted(path.text) + (rest.isEmpty ? "" : " with \(rest)")
    }
}
