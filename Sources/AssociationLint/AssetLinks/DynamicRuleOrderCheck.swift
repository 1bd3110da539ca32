internal import Android
internal import Diagnostics
internal import JSONSyntax

/// Finds the dynamic rules that have no effect because of the order in which they are asked.
enum DynamicRuleOrderCheck {
    static func run(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        let rules: [any LintRule.Type] = [DeadExcludeRule.self, BlockedIncludeRule.self, UnreachableRuleRule.self]
        guard rules.contains(where: { diagnostics.isEnabled($0.description) }) else { return }
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
        let fault = RuleOrderFault(excludes: rule.excludes, after: earlier.excludes)
        let isRedundant = rule.excludes == earlier.excludes
        diagnostics.report(
            fault.rule, rule.range, rule.pointer,
            fault.message((isRedundant ? "rule " : "") + rule.name, after: "\(earlier.name) on \(line)"),
            label: covered.witness.map { "e.g. \($0)" + (fault.example.map { " \($0) the app" } ?? "") },
            labels: [Diagnostic.Label(earlier.range, fault.effect)],
            fix: isRedundant
                ? rule.listed.deletion(in: elements, source)
                : covered.isSame ? nil : rule.listed.move(before: earlier.listed, in: elements, source))
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

    fileprivate var listed: ListedRule {
        ListedRule(index: component, line: position.line, name: name, written: name)
    }
}
