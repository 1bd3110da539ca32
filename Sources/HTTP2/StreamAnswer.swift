/// An answer that is not written to its end: where its body goes on, and nothing of it besides.
struct StreamAnswer {
    let stream: Int32
    /// The rest of the body.
    var body: UnsafePointer<UInt8>?
    var rest: Int
    /// Whether the peer had not ended its stream when the answer was made.
    let hasRequestBody: Bool
    /// Keeps the memory of the body and of the fields, once it is retained.
    let owner: UnsafeRawPointer?
    /// The bytes of that which nobody else may be keeping.
    let held: Int
    var isRetained = false
    /// The session's list of answers, or the free list.
    var next: UnsafeMutablePointer<StreamAnswer>?
    var previous: UnsafeMutablePointer<StreamAnswer>?

    /// Keeps the answer's memory beyond the event in which it was made.
    mutating func retain() {
        guard !isRetained, let owner else { return }
        isRetained = true
        _ = Unmanaged<AnyObject>.fromOpaque(owner).retain()
    }

    mutating func release() {
        guard isRetained, let owner else { return }
        isRetained = false
        Unmanaged<AnyObject>.fromOpaque(owner).release()
    }
}
