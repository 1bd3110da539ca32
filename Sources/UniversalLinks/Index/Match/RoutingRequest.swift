internal import AppSiteAssociation

/// A URL on its way through the index of one document.
struct RoutingRequest {
    /// The document's memory.
    let memory: UnsafeRawPointer
    /// The document, for the rules that are checked plainly. Not retained: it outlives the request.
    let document: Unmanaged<DocumentIndex>
    /// The URL as it was given.
    let url: UnsafeRawBufferPointer
    /// Where its path ends.
    let wholePathEnd: Int
    /// Where what stands behind the path can be copied to, if the document has conditions on it.
    let space: UnsafeMutableRawPointer
    private var parts: (query: IndexText, fragment: IndexText)?

    @inline(__always)
    init(
        memory: UnsafeRawPointer, document: Unmanaged<DocumentIndex>, url: UnsafeRawBufferPointer, wholePathEnd: Int,
        space: UnsafeMutableRawPointer
    ) {
        self.memory = memory
        self.document = document
        self.url = url
        self.wholePathEnd = wholePathEnd
        self.space = space
        parts = nil
    }

    /// Query and fragment, copied when they are asked for the first time: few rules ask.
    var queryAndFragment: (query: IndexText, fragment: IndexText) {
        mutating get {
            if let parts { return parts }
            let found = copyQueryAndFragment()
            parts = found
            return found
        }
    }

    private func copyQueryAndFragment() -> (query: IndexText, fragment: IndexText) {
        let count = url.count &- wholePathEnd
        if count > 0, let base = url.baseAddress { space.copyMemory(from: base + wholePathEnd, byteCount: count) }
        let copy = UnsafeRawPointer(space)
        var mark = 0
        while mark < count, copy.byte(mark) != UInt8(ascii: "#") { mark &+= 1 }
        let query = min(1, mark)
        let fragment = min(mark &+ 1, count)
        return (
            IndexText(base: copy + query, count: mark &- query),
            IndexText(base: copy + fragment, count: count &- fragment)
        )
    }

    /// Whether a rule that no program can stand for matches the URL.
    @inline(never)
    func passesPlainCheck(_ key: UInt32) -> Bool {
        document.takeUnretainedValue().passesPlainCheck(RuleKey(rawValue: key), url)
    }
}
