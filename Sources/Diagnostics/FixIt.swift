/// A way to repair what a diagnostic is about.
public struct FixIt: Hashable, Sendable {
    /// Who may apply a fix.
    public enum Applicability: String, Sendable {
        /// Keeps or plainly restores the meaning: safe without a look.
        case automatic
        /// Right in most cases; a person decides.
        case suggested
        /// Has a placeholder that a person fills in.
        case displayOnly
    }

    /// The action of the fix, as a command: `delete the comma`.
    public var title: String
    public var applicability: Applicability
    /// The changes, in the order of their ranges, which do not overlap.
    public var edits: [TextEdit]
    /// The action in the past tense: `deleted rule '/buy/*'`; nil where the title says it.
    public var done: String?

    public init(title: String, applicability: Applicability, edits: [TextEdit], done: String? = nil) {
        self.title = title
        self.applicability = applicability
        self.edits = edits
        self.done = done
    }

    package init(_ title: String, _ applicability: Applicability, _ edits: [TextEdit], done: String? = nil) {
        self.init(title: title, applicability: applicability, edits: edits, done: done)
    }

    package init(_ title: String, _ applicability: Applicability, _ edits: TextEdit..., done: String? = nil) {
        self.init(title: title, applicability: applicability, edits: edits, done: done)
    }

    /// A suggestion to write a text in place of a range.
    ///
    /// - Parameter title: nil for `write TEXT`.
    package static func writing(_ text: String, at range: SourceRange, title: String? = nil) -> FixIt {
        FixIt(title ?? "write \(text)", .suggested, TextEdit(range: range, replacement: text))
    }

    /// The action in the past tense: the text made for that, or the title with its verbs changed.
    package var doneTitle: String {
        if let done { return done }
        var words = title.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // A title is a command, or two that are joined by 'and'.
        for index in words.indices where index == 0 || words[index - 1] == "and" {
            words[index] = Self.pastTenses[words[index]] ?? words[index]
        }
        return words.joined(separator: " ")
    }

    /// The verbs that titles begin with.
    private static let pastTenses = [
        "add": "added", "delete": "deleted", "insert": "inserted", "move": "moved", "percent-encode": "percent-encoded",
        "put": "put",
        "remove": "removed", "rename": "renamed", "replace": "replaced", "wrap": "wrapped", "write": "wrote",
    ]
}

/// A replacement of bytes.
public struct TextEdit: Hashable, Sendable {
    public var range: SourceRange
    public var replacement: String

    public init(range: SourceRange, replacement: String) {
        self.range = range
        self.replacement = replacement
    }
}

extension Diagnostic {
    /// The fix that may be applied by itself: an automatic one, or, if suggested ones are welcome too, the first of them.
    package func fix(upTo applicability: FixIt.Applicability) -> FixIt? {
        let usable = fixIts.filter { !$0.edits.isEmpty }
        if let automatic = usable.first(where: { $0.applicability == .automatic }) { return automatic }
        return applicability == .automatic ? nil : usable.first { $0.applicability == .suggested }
    }
}
