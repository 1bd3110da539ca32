/// Many URLs, one after another in one memory, with 64 bytes more at either end.
final class URLList {
    private let bytes: UnsafeMutableRawBufferPointer
    private let ends: [Int]

    init(_ urls: [String]) {
        let text = urls.flatMap { Array($0.utf8) }
        bytes = .allocate(byteCount: text.count + 128, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        UnsafeMutableRawBufferPointer(rebasing: bytes[64...]).copyBytes(from: text)
        var end = 64
        ends = urls.map { url in
            end += url.utf8.count
            return end
        }
    }

    deinit {
        bytes.deallocate()
    }

    var count: Int { ends.count }

    subscript(number: Int) -> UnsafeRawBufferPointer {
        let start = number == 0 ? 64 : ends[number - 1]
        return UnsafeRawBufferPointer(rebasing: bytes[start..<ends[number]])
    }
}
