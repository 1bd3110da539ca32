package import AppProjects
package import Diagnostics
internal import SystemSupport
internal import UniversalLinks

/// Diagnoses as JSON.
package enum DoctorJSON {
    /// One object with everything.
    ///
    /// - Parameters:
    ///   - checkedAt: Seconds since 1970.
    ///   - others: Findings about `--app` files alone.
    package static func document(
        _ diagnoses: [Diagnosis], projects: [JSONOutput], others: [Finding], checkedAt: Int64
    ) -> String {
        var members: [String: JSONOutput] = [
            "version": .number(1), "tool": .string("aasa doctor"), "checkedAt": .string(InternetDate.string(checkedAt)),
            "status": .string(status(diagnoses, others).rawValue),
            "domains": .array(diagnoses.map { .object(domain($0)) }),
        ]
        members.merge(ending(diagnoses, projects: projects, others: others)) { first, _ in first }
        return JSONOutput.object(members).text
    }

    /// A line of JSON Lines for a domain.
    package static func line(_ diagnosis: Diagnosis) -> String {
        JSONOutput.object(domain(diagnosis).merging(["version": .number(1)]) { first, _ in first }).text
    }

    /// The last line of JSON Lines.
    package static func lastLine(_ diagnoses: [Diagnosis], projects: [JSONOutput], others: [Finding]) -> String {
        JSONOutput.object(
            ending(diagnoses, projects: projects, others: others).merging(["version": .number(1)]) { first, _ in first }
        ).text
    }

    private static func ending(
        _ diagnoses: [Diagnosis], projects: [JSONOutput], others: [Finding]
    ) -> [String: JSONOutput] {
        let severities =
            diagnoses.flatMap { $0.findings.map(\.diagnostic.severity) } + others.map(\.diagnostic.severity)
        return [
            "apps": .array(projects), "diagnostics": .array(others.map(finding)),
            "summary": .object([
                "domains": .number(diagnoses.count), "errors": .number(severities.count { $0 >= .error }),
                "warnings": .number(severities.count { $0 == .warning }),
                "notes": .number(severities.count { $0 == .note }),
            ]),
        ]
    }

    private static func status(_ diagnoses: [Diagnosis], _ others: [Finding]) -> Step.Status {
        Diagnosis.status(
            of: diagnoses.flatMap { $0.findings.map(\.diagnostic.severity) } + others.map(\.diagnostic.severity))
    }

    /// An `--app` file.
    package static func project(_ project: AppProject) -> JSONOutput {
        func list(_ texts: [String]) -> JSONOutput { .array(texts.map(JSONOutput.string)) }
        return .object([
            "path": .string(project.path), "kind": .string(project.kind.rawValue), "appIDs": list(project.appIDs),
            "packages": list(project.packages), "entries": list(project.entries),
        ])
    }

    private static func domain(_ diagnosis: Diagnosis) -> [String: JSONOutput] {
        [
            "domain": .string(diagnosis.target.host), "port": .number(diagnosis.target.port),
            "status": .string(diagnosis.status.rawValue),
            "steps": .array(
                diagnosis.steps.map { step in
                    .object([
                        "id": .string(step.id.rawValue), "status": .string(step.status.rawValue),
                        "reason": .optional(step.reason), "evidence": .object(step.evidence),
                    ])
                }),
            "links": .array(diagnosis.links.map(link)), "diagnostics": .array(diagnosis.findings.map(finding)),
        ]
    }

    private static func link(_ link: LinkResult) -> JSONOutput {
        guard let answer = link.answer else {
            return .object([
                "url": .string(link.url), "outcome": .null, "appIDs": .array([]), "rule": .null, "trace": .array([]),
            ])
        }
        return .object(answer.members.filter { $0.key != "version" })
    }

    private static func finding(_ finding: Finding) -> JSONOutput {
        var members: [String: JSONOutput]
        if let source = finding.source {
            members = finding.diagnostic.members(in: source)
        } else {
            members = [
                "code": .string(finding.diagnostic.code.rawValue),
                "severity": .string(finding.diagnostic.severity.rawValue),
                "message": .string(finding.diagnostic.message), "path": .null, "range": .null, "pointer": .null,
                "notes": .array(finding.diagnostic.notes.map(JSONOutput.string)), "fixIts": .array([]),
                "help": .optional(finding.diagnostic.help), "evidence": .array(finding.evidence.map(JSONOutput.string)),
            ]
        }
        members["step"] = .string(finding.step.rawValue)
        members["subject"] = .string(finding.subject)
        return .object(members)
    }
}
