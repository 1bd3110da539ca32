import AssociationLint
import Diagnostics
public import Testing

/// A few lines of a file, what is to be found in it, and what the first fixes make of it.
public struct PatternCase: Sendable, CustomTestStringConvertible {
    let source: String
    let codes: [String]
    let fixed: String?
    private let head: String
    private let tail: String

    /// - Parameters:
    ///   - component: A component; the first finding is that between `⟦` and `⟧`.
    ///   - codes: The codes that are to be found, in the order of the file, with blanks between.
    ///   - fixed: The component after the fix of the first finding; `nil` if that is not looked at.
    static func component(_ component: String, _ codes: String = "", fixed: String? = nil) -> PatternCase {
        PatternCase(
            component, codes, fixed,
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": ["#,
            "]}]}}")
    }

    /// A component whose `/` is a pattern.
    static func path(_ pattern: String, _ codes: String = "", fixed: String? = nil) -> PatternCase {
        component(#"{"/": "\#(pattern)"}"#, codes, fixed: fixed.map { #"{"/": "\#($0)"}"# })
    }

    /// A component that compares decoded URLs and whose `/` is a pattern.
    static func decoded(_ pattern: String, _ codes: String = "", fixed: String? = nil) -> PatternCase {
        func component(_ text: String) -> String { #"{"/": "\#(text)", "percentEncoded": false}"# }
        return .component(component(pattern), codes, fixed: fixed.map(component))
    }

    /// A string in the legacy `paths`.
    static func legacy(_ path: String, _ codes: String = "", fixed: String? = nil) -> PatternCase {
        PatternCase(
            path, codes, fixed,
            #"{"applinks": {"apps": [], "details": [{"appID": "7K3QWZ9PLM.com.shop.app", "paths": ["#, "]}]}}")
    }

    /// Members of `applinks`, beside a component whose `/` is a pattern.
    static func appLinks(
        _ members: String, path: String, _ codes: String = "", fixed: String? = nil
    ) -> PatternCase {
        PatternCase(
            members, codes, fixed, #"{"applinks": {"#,
            #", "details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "\#(path)"}]}]}}"#)
    }

    private init(_ source: String, _ codes: String, _ fixed: String?, _ head: String, _ tail: String) {
        self.source = source
        self.codes = codes.split(separator: " ").map(String.init)
        self.fixed = fixed
        self.head = head
        self.tail = tail
    }

    public var testDescription: String { source }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let marked = MarkedText(head + source + tail)
        let result = Linter().check(marked.bytes)
        let lines = result.diagnostics.map { $0.line(in: result.source) }
        #expect(result.diagnostics.map(\.code.rawValue) == codes, "\(lines)", sourceLocation: sourceLocation)
        guard let first = result.diagnostics.first else { return }
        if let range = marked.range {
            #expect(
                result.diagnostics.contains { $0.range == range }, "\(first.range), not \(range)",
                sourceLocation: sourceLocation)
        }
        if let fixed {
            let edits = first.fixIts.first?.edits ?? []
            #expect(
                TextEdit.apply(edits, to: marked.bytes) == head + fixed + tail, sourceLocation: sourceLocation)
        }
        let fixer = Fixer(Linter()).fix(marked.bytes, path: "file")
        #expect(fixer.failure == nil, sourceLocation: sourceLocation)
    }
}

extension TextEdit {
    /// A text with edits.
    static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> String {
        var bytes = bytes
        for edit in edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
