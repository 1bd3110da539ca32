internal import AppSiteAssociation

/// A URL on its way through the index of one document.
struct RoutingRequest {
    /// The document's memory.
    let memory: UnsafeRawPointer
    /// The document, for the rules that are checked plainly. Not retained: it outlives the request.
    let document: Unmanaged<DocumentIndex>
    /// The URL as it was given.
    let url: UnsafeRawBufferPointer
    /// Copies of the query and the fragment; not set if the document has no conditions on them.
    var query: IndexText
    var fragment: IndexText

    @inline(__always)
    init(memory: UnsafeRawPointer, document: Unmanaged<DocumentIndex>, url: UnsafeRawBufferPointer) {
        self.memory = memory
        self.document = document
        self.url = url
        query = IndexText(base: memory, count: 0)
        fragment = query
    }

    /// Whether a rule that no program can stand for matches the URL.
    @inline(never)
    func passesPlainCheck(_ key: UInt32) -> Bool {
        document.takeUnretainedValue().passesPlainCheck(RuleKey(rawValue: key), url)
    }
}
