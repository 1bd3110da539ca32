import Diagnostics
import Foundation
import FuzzingSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

struct JUnitReportTests {
    private static let report = JUnitReport(
        name: "aasa <test>",
        suites: [
            JUnitReport.Suite(
                name: "cases & more",
                cases: [
                    JUnitReport.Case(
                        name: "https://a.example/?b=\"c\"&d", className: "cases.json", line: 3, result: .passed),
                    JUnitReport.Case(
                        name: "x", className: "cases.json", result: .failure("1 < 2\u{0}\u{1B}", "a ]]> b\nc\u{FFFF}")),
                ]),
            JUnitReport.Suite(
                name: "e", cases: [JUnitReport.Case(name: "y", className: "f", result: .error("gone", ""))]),
        ])

    @Test("Suites have cases, and all have counts")
    func text() {
        #expect(
            Self.report.text == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="aasa &lt;test&gt;" tests="3" failures="1" errors="1">
                  <testsuite name="cases &amp; more" tests="2" failures="1" errors="0">
                    <testcase classname="cases.json" name="https://a.example/?b=&quot;c&quot;&amp;d" file="cases.json" line="3"/>
                    <testcase classname="cases.json" name="x" file="cases.json">
                      <failure message="1 &lt; 2\x00\x1b">a ]]&gt; b
                c\u{ffff}</failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="e" tests="1" failures="0" errors="1">
                    <testcase classname="f" name="y" file="f">
                      <error message="gone"></error>
                    </testcase>
                  </testsuite>
                </testsuites>
                """#)
    }

    @Test(
        "Whatever the names are, the document is well-formed, and a reader gets them back",
        arguments: TestSeeds.of(1...1))
    func wellFormed(seed: UInt64) throws {
        final class Reader: NSObject, XMLParserDelegate {
            var names: [String] = []
            func parser(
                _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String] = [:]
            ) {
                if element == "testcase" { names.append(attributes["name"] ?? "") }
            }
        }
        var random = SplitMix64(seed: seed)
        let alphabet = Array("<>&\"' ]a\u{0}\u{8}\u{B}\u{1F}\u{85}\u{FFFE}\u{202E}é日\u{1F600}".unicodeScalars)
        for _ in 0..<200 {
            var name = String.UnicodeScalarView()
            for _ in 0..<12 { name.append(random.pick(alphabet)) }
            let text = String(name)
            let report = JUnitReport(
                name: text,
                suites: [
                    JUnitReport.Suite(
                        name: text,
                        cases: [JUnitReport.Case(name: text, className: text, result: .failure(text, text))])
                ])
            let reader = Reader()
            let parser = XMLParser(data: Data(report.text.utf8))
            parser.delegate = reader
            #expect(parser.parse(), "\(text.debugDescription)")
            let expected = VisibleText.escaped(text).replacing("\u{FFFE}", with: "\\u{fffe}")
            #expect(reader.names == [expected])
        }
    }
}
