/// Many URLs, one after another in one memory, with 64 bytes more at either end.
final class URLList {
    /// Where each of them stands.
    let urls: UnsafeBufferPointer<UnsafeRawBufferPointer>
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ texts: [String]) {
        let text = texts.flatMap { Array($0.utf8) }
        bytes = .allocate(byteCount: text.count + 128, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        UnsafeMutableRawBufferPointer(rebasing: bytes[64...]).copyBytes(from: text)
        let urls = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(capacity: texts.count)
        var start = 64
        for (number, text) in texts.enumerated() {
            let end = start + text.utf8.count
            urls.initializeElement(at: number, to: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
        self.urls = UnsafeBufferPointer(urls)
    }

    deinit {
        urls.deallocate()
        bytes.deallocate()
    }
}
