import Diagnostics
import PushCertificates

/// What `certcheck combine` says when it is done.
struct CombineReport {
    let path: String
    /// Where the key was.
    let key: String
    let certificate: PushCertificate
    let isModern: Bool
    let hasIssuer: Bool
    let warnings: [String]

    private var end: String? { certificate.notAfter.map { Timestamp(seconds: $0).description } }

    func lines(_ style: TextStyle, width: Int?) -> [String] {
        let topics = certificate.topics.map { topic in
            topic.name + (topic.purposes.isEmpty ? "" : " (\(topic.purposes.joined(separator: ", ")))")
        }
        let environments = certificate.environments.map(\.rawValue).joined(separator: ", ")
        return ["wrote \(style.bold(VisibleText.escaped(path)))"]
            + Self.rows("kind", [certificate.kind.rawValue]) + Self.rows("topics", topics.isEmpty ? ["none"] : topics)
            + Self.rows("environments", [environments.isEmpty ? "none" : environments])
            + Self.rows("ends", [end ?? "never"]) + Self.rows("key from", [key == "-" ? "standard input" : key])
            + steps.lines(style, width: width)
    }

    private static func rows(_ name: String, _ values: [String]) -> [String] {
        values.enumerated().map { place, value in
            let start = place == 0 ? name : ""
            return "  \(start)\(String(repeating: " ", count: 14 - start.utf8.count))\(VisibleText.escaped(value))"
        }
    }

    var json: String {
        let certificate = JSONOutput.object([
            "kind": .string(certificate.kind.rawValue), "topics": .array(certificate.topics.map(Self.json)),
            "environments": .array(certificate.environments.map { .string($0.rawValue) }),
            "subjectCommonName": .optional(certificate.subjectCommonName), "userID": .optional(certificate.userID),
            "team": .optional(certificate.team), "serial": .optional(certificate.serial),
            "sha256": .optional(certificate.sha256), "notAfter": .optional(end),
        ])
        return JSONOutput.object([
            "version": .number(1), "tool": .string("certcheck"), "command": .string("combine"), "path": .string(path),
            "written": .array([.string(path)]), "key": .string(key), "modern": .boolean(isModern),
            "chain": .boolean(hasIssuer),
            "certificate": certificate, "warnings": .array(warnings.map(JSONOutput.string)), "next": steps.json,
        ]).text
    }

    private static func json(_ topic: Topic) -> JSONOutput {
        .object(["name": .string(topic.name), "purposes": .array(topic.purposes.map(JSONOutput.string))])
    }

    private var steps: RenewalSteps {
        var steps = [
            RenewalSteps.Step(
                text:
                    "Deploy the new file, and let the server read it: most do so only when they start. The old one works on."
            ),
            .init(
                text: "Check the file where it lies now:", command: RenewalCommand.line(["certcheck", path])),
        ]
        if certificate.kind == .mdm {
            steps.append(
                .init(text: "The topic has to be that of the file in use, which --old compares. Revoke nothing."))
        } else {
            steps.append(
                .init(text: "Only then revoke the old certificate, or let it expire; before, that is an outage."))
        }
        return RenewalSteps(steps: steps)
    }
}
