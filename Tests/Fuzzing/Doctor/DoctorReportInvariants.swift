import AssociationLint
import Diagnostics
import DomainDoctor
import FindingCatalogue
import FuzzingSupport

/// The rules that hold for every report about a diagnosis: nothing received gets out of its place.
struct DoctorReportInvariants {
    private let context: DoctorContext
    private let rules: [RuleDescription]

    /// - Parameter isWithRules: Whether SARIF describes all rules, which takes long and is mostly the same.
    init(_ context: DoctorContext, isWithRules: Bool) {
        self.context = context
        rules = isWithRules ? AllRules.catalogue.rules : []
    }

    func violation(in diagnosis: Diagnosis) -> String? {
        let formats: [(name: String, check: (Diagnosis) -> String?)] = [
            ("text", wideText), ("narrow text", narrowText), ("json", json), ("jsonl", jsonLines), ("sarif", sarif),
            ("github", github), ("nagios", nagios), ("prometheus", prometheus),
        ]
        for (name, check) in formats {
            if let violation = check(diagnosis) { return "\(name): \(violation)" }
        }
        return nil
    }

    private func text(_ report: any DoctorReport, _ diagnosis: Diagnosis) -> String {
        var report = report
        var tally = DoctorTally(context)
        tally.add(diagnosis)
        return report.begin() + report.add(diagnosis) + report.end(tally)
    }

    private func wideText(_ diagnosis: Diagnosis) -> String? { people(diagnosis, width: nil, isUnicode: true) }

    private func narrowText(_ diagnosis: Diagnosis) -> String? { people(diagnosis, width: 40, isUnicode: false) }

    private func people(_ diagnosis: Diagnosis, width: Int?, isUnicode: Bool) -> String? {
        let report = DoctorTextReport(
            context, style: TextStyle(isColored: false), isUnicode: isUnicode,
            width: width)
        return Self.forbidden(text(report, diagnosis))
    }

    private func json(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorJSONReport(context), diagnosis)
        return Self.forbidden(text) ?? (StrictJSON.accepts(Array(text.utf8)) ? nil : "not JSON: \(text)")
    }

    private func jsonLines(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorJSONLinesReport(context), diagnosis)
        let lines = text.utf8.split(separator: 0x0A)
        guard lines.count == 2 else { return "\(lines.count) lines" }
        return Self.forbidden(text)
            ?? (lines.allSatisfy { StrictJSON.accepts(Array($0)) } ? nil : "a line is not JSON: \(text)")
    }

    private func sarif(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorSARIFReport(context, SARIFRenderer(rules: rules, toolVersion: "1.0.0")), diagnosis)
        return Self.forbidden(text) ?? (StrictJSON.accepts(Array(text.utf8)) ? nil : "not JSON: \(text)")
    }

    private func github(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorGitHubReport(context), diagnosis)
        let lines = text.utf8.split(separator: 0x0A)
        guard lines.count == diagnosis.findings.count + context.findings.count else { return "\(lines.count) lines" }
        let isCommand = lines.allSatisfy { line in
            ["::error ", "::warning ", "::notice "].contains { line.starts(with: $0.utf8) }
        }
        return Self.forbidden(text) ?? (isCommand ? nil : "not a command: \(text)")
    }

    private func nagios(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorNagiosReport(context, isStrict: false), diagnosis)
        let lines = text.utf8.split(separator: 0x0A)
        guard let first = lines.first, first.starts(with: "AASA ".utf8) else { return "no first line" }
        let bar = UInt8(ascii: "|")
        guard first.count(where: { $0 == bar }) == 1, lines.dropFirst().allSatisfy({ !$0.contains(bar) }) else {
            return "a '|' where none is expected: \(text)"
        }
        guard first[(first.firstIndex(of: bar) ?? first.startIndex)...].starts(with: "| errors=".utf8) else {
            return "performance data: \(text)"
        }
        return Self.forbidden(text)
    }

    private func prometheus(_ diagnosis: Diagnosis) -> String? {
        let text = text(DoctorPrometheusReport(), diagnosis)
        return Self.forbidden(text) ?? PrometheusText.violation(in: text)
    }
}

extension DoctorReportInvariants {
    /// Whether a text has something that a terminal obeys, or that shows it in another order or on more lines than it
    /// has: control characters but for line feeds, and what steers the direction or the lines of text.
    private static func forbidden(_ text: String) -> String? {
        guard text.hasSuffix("\n") || text.isEmpty else { return "no line feed at the end" }
        guard text.utf8.count < 4 << 20 else { return "\(text.utf8.count) bytes" }
        guard let scalar = text.unicodeScalars.first(where: { isForbidden($0.value) }) else { return nil }
        return "the character U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)"
    }

    private static func isForbidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0A, 0x20..<0x7F: false
        case ..<0xA0: true
        case 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
        default: false
        }
    }
}
