import Diagnostics

/// An array or object that is being read, or the text around the first value.
struct Frame {
    enum Kind {
        case text, array, object
    }

    enum State {
        /// Behind the opening bracket.
        case first
        case afterComma
        /// In an object, behind a key.
        case afterKey
        case afterColon
        case afterValue
    }

    let kind: Kind
    let start: Int
    /// Whether the bracket is one that the reader made up, or that is part of something blamed.
    var isImplied = false
    var state = State.first
    /// Whether everything is skipped up to the next comma of this level or its closing bracket.
    var isSkipping = false
    /// Whether anything of it was skipped.
    var isIncomplete = false
    /// The comma in front of what is due.
    var comma: Int?
    /// A further comma there, not reported yet.
    var extraComma: Int?
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    /// Whether the last member is only a key; its value is not read yet.
    var hasKey = false
    /// Where the comma in front of that key is missing.
    var missingComma: Int?
    /// In an array: how many elements were the value of a pair, and what was reported about the first.
    var pairs = 0
    var pairFinding: Int?
    /// In an array: whether the last element was the value of a pair.
    var isAfterPair = false

    init(_ kind: Kind, start: Int) {
        self.kind = kind
        self.start = start
    }

    /// The opening bracket.
    var bracket: Range<Int> { start..<start + 1 }

    /// The key that waits for its value.
    var key: Range<Int>? {
        guard hasKey, let range = members.last?.keyRange else { return nil }
        return range.start..<range.end
    }

    mutating func dropKey() {
        guard hasKey else { return }
        members.removeLast()
        hasKey = false
        missingComma = nil
    }
}
