package import Diagnostics
internal import JSONSyntax

extension AndroidAnswer {
    /// The JSON object `android` (docs/spec/android.md, section 4).
    ///
    /// - Parameters:
    ///   - explains: Whether it has near misses, and the components that were tried.
    ///   - traces: Whether an explained one has those components.
    package func json(explains: Bool, traces: Bool = true) -> JSONOutput {
        .object([
            "outcome": .string(outcome.rawValue), "packages": .array(packages.map(JSONOutput.string)),
            "certain": .boolean(isCertain), "include": .boolean(hasInclude),
            "apps": .array(apps.map { $0.json(explains: explains, traces: traces) }),
        ])
    }
}

extension AndroidAppAnswer {
    fileprivate func json(explains: Bool, traces: Bool) -> JSONOutput {
        var members: [String: JSONOutput] = [
            "package": .string(package), "outcome": .string(outcome.rawValue), "by": .optional(basis?.rawValue),
            "certain": .boolean(isCertain), "reason": .optional(reason?.rawValue),
            "rule": component?.json ?? .null, "filter": filter?.json ?? .null,
            "otherHosts": .array(otherHosts.map(JSONOutput.string)),
        ]
        if explains {
            if traces { members["trace"] = .array(filters.map(\.json) + trace.map(Self.json) + verification) }
            if let nearMisses { members["nearMisses"] = .array(nearMisses.map(\.json)) }
        }
        return .object(members)
    }

    /// The entry of a trace about a host that no filter lets Android verify.
    private var verification: [JSONOutput] {
        guard case .notVerified(let host)? = refusal else { return [] }
        return [
            .object([
                "statement": .null, "component": .null, "matched": .boolean(false), "failed": .string("verification"),
                "pattern": .null, "value": .string(host),
            ])
        ]
    }

    private static func json(_ evaluation: DynamicEvaluation) -> JSONOutput {
        let failure = evaluation.failure
        return .object([
            "statement": .number(evaluation.component.statement), "component": .number(evaluation.component.component),
            "matched": .boolean(evaluation.isMatch), "failed": .optional(failure?.part.rawValue),
            "pattern": .optional(failure?.pattern), "value": .optional(failure?.value),
        ])
    }
}

extension AndroidAppAnswer.FilterTrace {
    fileprivate var json: JSONOutput {
        .object([
            "statement": .null, "component": .null, "matched": .boolean(evaluation.decision == .yes),
            "failed": .optional(evaluation.part?.rawValue), "pattern": .optional(evaluation.pattern),
            "value": .optional(evaluation.value), "filter": filter.json,
            "group": groupLine.map(JSONOutput.number) ?? .null,
            "reason": .string(evaluation.reason),
        ])
    }
}

extension AndroidAppAnswer.Filter {
    fileprivate var json: JSONOutput {
        .object(["path": .string(path), "line": .number(line), "activity": .optional(activity)])
    }
}

extension DynamicComponent {
    /// The JSON object of a rule that decided.
    package var json: JSONOutput {
        .object([
            "statement": .number(statement), "component": .number(component),
            "pointer": .string(pointer.description), "line": .number(position.line), "excludes": .boolean(excludes),
        ])
    }

    /// The patterns, as people read them: `/buy/*  ? product=*  # top`.
    package var patterns: String {
        let parts =
            [path?.text].compactMap { $0 } + query.map { "? \($0.pattern.text)" }
            + [fragment.map { "# \($0.text)" }].compactMap { $0 }
        return parts.isEmpty ? "no pattern" : parts.joined(separator: "  ")
    }
}
