import Diagnostics
import Foundation
import FuzzingSupport
import Testing

struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> String {
        UnifiedDiff(old: Array(old.utf8), new: Array(new.utf8), path: "f").lines
            .map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }

    @Test(
        "It is what 'diff -u' writes",
        arguments: [
            ("a\n", "a\n", ""),
            ("a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"),
            ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
            ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
            ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
            (
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nx\n7\n8\n9\n",
                "@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+x\n 7\n 8\n 9\n"
            ),
            (
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n", "x\n2\n3\n4\n5\n6\n7\n8\n9\ny\n",
                "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-0\n+y\n"
            ),
            ("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
        ])
    func examples(old: String, new: String, hunks: String) {
        #expect(diff(old, new) == (hunks.isEmpty ? "" : "--- f\n+++ f\n" + hunks))
    }

    /// Applies a diff as `patch` does, by its numbers.
    private func patched(_ old: String, _ diff: String) throws -> String {
        var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
        lines[lines.count - 1].removeLast()
        if lines.last == "" { lines.removeLast() }
        var result: [String] = []
        var next = 0
        for line in diff.split(separator: "\n").dropFirst(2) {
            if let match = line.wholeMatch(of: /@@ -(\d+)(?:,(\d+))? \+.*/) {
                let first = try #require(Int(match.1)) - (match.2 == "0" ? 0 : 1)
                result += lines[next..<first]
                next = first
            } else if line.hasPrefix("\\") {
                if result.last?.hasSuffix("\n") == true, isLastAdded { result[result.count - 1].removeLast() }
            } else {
                if line.hasPrefix("+") {
                    result.append("\(line.dropFirst())\n")
                } else {
                    let old = try #require(next < lines.count ? lines[next] : nil)
                    #expect(old.trimmingCharacters(in: .newlines) == line.dropFirst())
                    if line.hasPrefix(" ") { result.append(old) }
                    next += 1
                }
                isLastAdded = line.hasPrefix("+")
            }
        }
        return (result + lines[next...]).joined()
    }

    private final class Flag { var value = false }
    private let flag = Flag()
    private var isLastAdded: Bool {
        get { flag.value }
        nonmutating set { flag.value = newValue }
    }

    @Test("A diff makes the new text of the old one", arguments: TestSeeds.of(1...60))
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func next(_ bound: Int) -> Int { random.number(below: bound) }
        let old = (0..<next(40)).map { _ in "line \(next(6))\n" }
        var new = old
        for _ in 0..<next(8) {
            let place = next(new.count + 1)
            if next(2) == 0, place < new.count {
                new.remove(at: place)
            } else {
                new.insert("new \(next(3))\n", at: place)
            }
        }
        let (before, after) = (old.joined() + (next(3) == 0 ? "end" : ""), new.joined() + (next(3) == 0 ? "end" : ""))
        let text = diff(before, after)
        #expect(text.isEmpty == (before == after))
        if before != after { #expect(try patched(before, text) == after, "\(text)") }
    }

    @Test("Texts that have nothing in common cost no more than their size")
    func different() {
        let old = (0..<60_000).map { "old \($0)\n" }.joined()
        let new = (0..<60_000).map { "new \($0)\n" }.joined()
        let text = diff(old, new)
        #expect(text.hasPrefix("--- f\n+++ f\n@@ -1,60000 +1,60000 @@\n-old 0\n"))
        #expect(text.hasSuffix("+new 59999\n"))
    }
}
