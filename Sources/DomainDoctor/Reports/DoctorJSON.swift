internal import AppProjects
internal import Diagnostics
internal import SystemSupport
internal import UniversalLinks

/// A run as one JSON object, written as it grows: its keys are sorted, and `domains` is among them.
package struct DoctorJSONReport: DoctorReport {
    private let context: DoctorContext
    private var isFirst = true

    package init(_ context: DoctorContext) { self.context = context }

    package mutating func begin() -> String {
        let head = DoctorJSON.appSide(context).merging([
            "checkedAt": .string(InternetDate.string(context.checkedAt))
        ]) { first, _ in first }
        return "\(JSONOutput.object(head).text.dropLast()),\"domains\":["
    }

    package mutating func add(_ diagnosis: Diagnosis) -> String {
        defer { isFirst = false }
        return (isFirst ? "" : ",") + JSONOutput.object(DoctorJSON.domain(diagnosis)).text
    }

    package mutating func end(_ tally: DoctorTally) -> String {
        let tail: [String: JSONOutput] = [
            "remark": .optional(tally.remark), "status": .string(tally.status.rawValue),
            "summary": DoctorJSON.summary(tally),
            "tool": .string("aasa doctor"), "version": .number(1),
        ]
        return "],\(JSONOutput.object(tail).text.dropFirst())\n"
    }
}

/// A run as JSON objects, one per line and domain, then one that sums up.
package struct DoctorJSONLinesReport: DoctorReport {
    private let context: DoctorContext

    package init(_ context: DoctorContext) { self.context = context }

    package mutating func add(_ diagnosis: Diagnosis) -> String { line(DoctorJSON.domain(diagnosis)) }

    package mutating func end(_ tally: DoctorTally) -> String {
        line(DoctorJSON.appSide(context).merging(["summary": DoctorJSON.summary(tally)]) { first, _ in first })
    }

    private func line(_ members: [String: JSONOutput]) -> String {
        JSONOutput.object(members.merging(["version": .number(1)]) { first, _ in first }).text + "\n"
    }
}

/// The parts that both have (doctor.md, section 8).
enum DoctorJSON {
    /// `apps` and `diagnostics`.
    static func appSide(_ context: DoctorContext) -> [String: JSONOutput] {
        let findings =
            context.configurationFindings.map { finding($0, isOfStep: false) }
            + context.appFindings.map { finding($0) }
        return ["apps": .array(context.projects.map(project)), "diagnostics": .array(findings)]
    }

    static func summary(_ tally: DoctorTally) -> JSONOutput {
        .object([
            "domains": .number(tally.domains), "errors": .number(tally.errors), "warnings": .number(tally.warnings),
            "notes": .number(tally.notes), "ignored": .number(tally.ignored),
        ])
    }

    private static func project(_ project: AppProject) -> JSONOutput {
        .object([
            "path": .string(project.path), "kind": .string(project.kind.rawValue), "appIDs": list(project.appIDs),
            "packages": list(project.packages), "entries": list(project.entries),
        ])
    }

    private static func list(_ texts: [String]) -> JSONOutput { .array(texts.map(JSONOutput.string)) }

    static func domain(_ diagnosis: Diagnosis) -> [String: JSONOutput] {
        let shown = Set(diagnosis.shownSteps.map(\.id))
        return [
            "domain": .string(diagnosis.target.host), "unicode": .optional(diagnosis.target.unicode),
            "port": .number(diagnosis.target.port), "status": .string(diagnosis.status.rawValue),
            "files": list(diagnosis.files.names),
            "steps": .array(
                diagnosis.steps.map { step in
                    .object([
                        "id": .string(step.id.rawValue), "title": .string(step.id.title),
                        "status": .string(step.status.rawValue),
                        "lines": list(shown.contains(step.id) ? step.lines : []), "reason": .optional(step.reason),
                        "evidence": .object(step.evidence),
                    ])
                }),
            "links": .array(diagnosis.links.map(link)), "diagnostics": .array(diagnosis.findings.map { finding($0) }),
        ]
    }

    /// The members of a link as in `aasa route`; without an answer if the file could not be had.
    private static func link(_ link: LinkResult) -> JSONOutput {
        guard let answer = link.answer else {
            return .object([
                "url": .string(link.url), "outcome": .null, "appIDs": .array([]), "rule": .null, "reason": .null,
                "userActivity": .null, "trace": .array([]), "obstacles": list(link.obstacles),
            ])
        }
        return .object(
            answer.members.filter { $0.key != "version" }.merging(["obstacles": list(link.obstacles)]) { _, new in new }
        )
    }

    private static let plain = TextRenderer(style: TextStyle(isColored: false), width: nil)

    /// - Parameter isOfStep: Whether it belongs to a step at all.
    private static func finding(_ finding: StepFinding, isOfStep: Bool = true) -> JSONOutput {
        let diagnostic = finding.diagnostic
        var members = finding.located.members
        members["step"] = isOfStep ? .string(finding.step.rawValue) : .null
        members["subject"] = .string(finding.located.path)
        members["help"] = .optional(diagnostic.help)
        members["evidence"] = list(finding.located.evidence)
        members["excerpt"] = list(finding.located.source.map { plain.excerpt(diagnostic, in: $0) } ?? [])
        return .object(members)
    }
}
