import Foundation
import TestSupport
import Testing

extension BuiltTool {
    /// Runs `aasa doctor` in a UTF-8 locale.
    ///
    /// - Parameter network: what it finds in place of the Internet; nil for a machine on which nothing answers.
    func doctor(
        _ arguments: [String], network: StubNetwork? = nil, input: String = "", locale: String = "C.UTF-8"
    ) throws -> Shell.Outcome {
        let variables = ["LC_ALL=\(locale)", "NO_COLOR="]
        let options = network?.options ?? ["--allow-private", "--no-cdn", "--no-google"]
        return try Shell.run(
            ["env"] + variables + [executable, "doctor"] + options + arguments,
            input: Data(input.utf8), in: folder.url)
    }
}

extension Shell.Outcome {
    /// The lines of the steps, as `✓ DNS`, of one domain.
    var steps: [String] {
        text.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\ \ ([✓!✗–+x-]) (Apple CDN|[A-Z][A-Za-z]*) .*/).map { "\($0.1) \($0.2)" }
        }
    }

    /// The first lines of findings as `SUBJECT: severity [code]`.
    var problems: [String] {
        text.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /(\S+?): (error|warning|note): .* \[([a-z0-9-]+)\]/).map {
                "\($0.1): \($0.2) [\($0.3)]"
            }
        }
    }
}
