/// Results as JUnit XML, in the form that CI systems agree on: `testsuites`, `testsuite`, `testcase` with `failure` or `error`.
package struct JUnitReport {
    /// The result of a case.
    package enum Result: Sendable {
        case passed
        /// The message on one line, and all there is to say.
        case failure(String, String)
        /// Nothing could be tried.
        case error(String, String)
    }

    package struct Case: Sendable {
        let name: String
        let className: String
        let line: Int?
        let result: Result

        package init(name: String, className: String, line: Int? = nil, result: Result) {
            self.name = name
            self.className = className
            self.line = line
            self.result = result
        }

        fileprivate var isFailure: Bool { if case .failure = result { true } else { false } }
        fileprivate var isError: Bool { if case .error = result { true } else { false } }
    }

    package struct Suite: Sendable {
        let name: String
        let cases: [Case]

        package init(name: String, cases: [Case]) {
            self.name = name
            self.cases = cases
        }
    }

    private let name: String
    private let suites: [Suite]

    package init(name: String, suites: [Suite]) {
        self.name = name
        self.suites = suites
    }

    /// The document, without a line end after its last line.
    package var text: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append("<testsuites\(counts(name, suites.flatMap(\.cases)))>")
        for suite in suites {
            lines.append("  <testsuite\(counts(suite.name, suite.cases))>")
            lines += suite.cases.flatMap(self.lines)
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n")
    }

    private func counts(_ name: String, _ cases: [Case]) -> String {
        attributes([
            ("name", name), ("tests", "\(cases.count)"), ("failures", "\(cases.count(where: \.isFailure))"),
            ("errors", "\(cases.count(where: \.isError))"),
        ])
    }

    private func lines(_ testCase: Case) -> [String] {
        let line = testCase.line.map { [("line", "\($0)")] } ?? []
        let start =
            "    <testcase"
            + attributes(
                [("classname", testCase.className), ("name", testCase.name), ("file", testCase.className)] + line)
        switch testCase.result {
        case .passed: return ["\(start)/>"]
        case .failure(let message, let details): return ["\(start)>"] + problem("failure", message, details)
        case .error(let message, let details): return ["\(start)>"] + problem("error", message, details)
        }
    }

    private func problem(_ kind: String, _ message: String, _ details: String) -> [String] {
        let text = details.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
        return ["      <\(kind)\(attributes([("message", message)]))>\(text)</\(kind)>", "    </testcase>"]
    }

    private func attributes(_ values: [(String, String)]) -> String {
        values.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }

    /// XML has no way to write most control characters: they are made visible.
    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in VisibleText.escaped(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += VisibleText.codePoint(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
