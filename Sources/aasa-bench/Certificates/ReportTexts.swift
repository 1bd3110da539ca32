import Diagnostics
import PushCertificates

/// All texts that are made of a report.
struct ReportTexts {
    private let json: String
    private let text: String
    private let nagios: String
    private let prometheus: String
    private let state: String

    /// - Parameter width: Of the terminal, in columns; nil if there is none.
    init(_ report: CheckReport, width: Int?, isStrict: Bool) {
        json = JSONReport().render(report)
        text = TextReport(style: TextStyle(isColored: false), width: width).render(report)
        nagios = NagiosReport(isStrict: isStrict).render(report)
        prometheus = PrometheusReport().render(report)
        state = report.status(isStrict: isStrict).rawValue.uppercased()
    }

    /// Says what is impossible about them.
    var complaint: String? {
        complaintAboutJSON ?? complaintAboutText ?? complaintAboutNagios
            ?? PrometheusProof.complaint(about: prometheus).map { "for Prometheus: \($0)" }
    }

    /// Whether a password is in them that is not in the file.
    func complaint(aboutSecret secret: String, in bytes: [UInt8]) -> String? {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return nil }
        let isThere = [json, text, nagios, prometheus].contains { Self.contains(Array($0.utf8), secret) }
        return isThere && !Self.contains(bytes, secret) ? "the password is in a report" : nil
    }

    private static func contains(_ bytes: [UInt8], _ piece: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == piece.first && bytes[$0...].starts(with: piece) }
    }

    private var complaintAboutJSON: String? {
        JSONProof.isRight(json) ? nil : "no JSON: \(json.prefix(2_000))"
    }

    private var complaintAboutText: String? {
        TextProof.controls(in: text, besides: "\n").map { "\($0) in the text: \(text.prefix(2_000))" }
    }

    private var complaintAboutNagios: String? {
        if let control = TextProof.controls(in: nagios, besides: "\n") { return "\(control) for Nagios" }
        let lines = nagios.split(separator: "\n", omittingEmptySubsequences: false)
        let parts = lines.first?.split(separator: "|", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, parts[0].hasPrefix("CERTCHECK \(state) - "), parts[0].hasSuffix(" ") else {
            return "for Nagios: \(lines.first ?? "")"
        }
        let words = parts[1].split(separator: ";", omittingEmptySubsequences: false)
        guard words.count >= 3, words[0].hasPrefix(" days_left="), let value = words[0].split(separator: "=").last,
            value == "U" || Int(value) != nil, words.dropFirst().allSatisfy({ $0.isEmpty || $0.hasSuffix(":") })
        else { return "for Nagios: \(parts[1])" }
        // A second one in a later line would begin more performance data.
        return lines.dropFirst().contains { $0.contains("|") } ? "for Nagios: \(nagios)" : nil
    }
}
