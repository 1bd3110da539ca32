import Diagnostics
import FuzzingSupport
import JSONSyntax
import Testing

struct FuzzTests {
    static let seeds = [
        #"{"a": [1, "x\u00e9\ud83d\ude00", true], "b": {"c": -1.5e3}}"#,
        "{'a': “b”, c: [1,,2,], /* x */ \"d\": 'e\"f'} // end",
        #"[{"k": "v", "k": 2}, {{ x }}, 01, foo, "a" "b"]"#,
        "{\n<<<<<<< H\n\"a\": 1,\n=======\n\"a\": 2,\n>>>>>>> T\n\"b\" = 'y', z\n}",
        "layout: x\n{\"a\": [\"b, \n \"c\"]}",
    ]

    static let pieces =
        [
            "{", "}", "[", "]", ",", ":", "\"", "'", "“", "”", "’", "\\", "\n", " ", "a", "0", "-", ".", "/", "*", "#",
            "=",
            "{{", "}}", "${", "<%", "\u{A0}", "\u{1}", "\t", "true", "\"k\":", "\\u", "\\ud800", "é", "@", "\u{FEFF}",
            "\0",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3]]

    static func mutated(_ generator: inout SplitMix64) -> [UInt8] {
        var bytes = Array(generator.pick(seeds).utf8)
        for _ in 0...generator.number(below: 4) {
            let start = generator.number(0...bytes.count)
            if generator.chance(50) {
                bytes.insert(contentsOf: generator.pick(pieces), at: start)
            } else {
                bytes.removeSubrange(start..<min(start + generator.number(below: 6), bytes.count))
            }
        }
        return bytes
    }

    @Test(
        "Whatever the file, findings are in order and the verdict is that of the grammar",
        arguments: TestSeeds.of(0...1))
    func mutations(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<5000 {
            let bytes = Self.mutated(&generator)
            let document = JSONReader.read(bytes, path: "file")
            if let problem = Self.problem(document, bytes) {
                Issue.record("\(problem): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
    }

    static func problem(_ document: JSONDocument, _ bytes: [UInt8]) -> String? {
        let findings = document.findings
        let count = document.source.bytes.count
        if findings.count > 20 { return "too many findings" }
        for finding in findings {
            let ranges = [finding.range] + finding.fixIts.flatMap { $0.edits.map(\.range) }
            for range in ranges where range.start < 0 || range.start > range.end || range.end > count {
                return "\(finding.code) is out of range"
            }
        }
        for (left, right) in zip(findings, findings.dropFirst()) {
            if left.range.start > right.range.start { return "not sorted" }
            if left.range.start == right.range.start, left.code == right.code { return "\(left.code) twice" }
        }
        let isValid = !findings.contains { $0.severity == .error && $0.code.rawValue != "duplicate-key" }
        if StrictJSON.accepts(bytes) != isValid { return isValid ? "wrongly accepted" : "wrongly refused" }
        if document.isUsableWithoutRepairs != isValid { return "usable, but not valid" }
        let isReliable = findings.allSatisfy { finding in
            SyntaxRules.all.contains { $0.keepsTree && finding.is($0) }
        }
        if findings.count < 20, document.isTreeReliable != isReliable { return "reliable, but not valid" }
        return nil
    }

    @Test("Automatic fixes add no finding", arguments: TestSeeds.of(4...5))
    func fixes(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<3000 {
            let document = JSONReader.read(Self.mutated(&generator), path: "file")
            guard document.findings.count < 15, !document.codes.contains("utf-16-text"),
                let fixed = applyingAutomaticFixIts(of: document)
            else { continue }
            let codes = document.codes
            let new = JSONReader.read(fixed, path: "file").codes
            let added = Set(new).filter { code in
                new.count { $0 == code } > codes.count { $0 == code }
            }
            if !added.isEmpty {
                let text = String(decoding: document.source.bytes, as: UTF8.self)
                Issue.record("\(added.sorted()) by fixing \(text.debugDescription)")
            }
        }
    }
}
