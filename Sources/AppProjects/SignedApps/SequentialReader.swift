/// Reads bytes from the first to the last, and never more than was asked for: a file, or an entry of an archive.
struct SequentialReader {
    /// Why no more bytes come.
    enum Failure: Error {
        /// There are fewer bytes than the structure in them says.
        case truncated
        /// What is wanted begins later than anything is read.
        case tooFar
        /// What was read before is wanted.
        case backwards
        case source(AppProjectError)
    }

    /// Fills a buffer, and returns how much of it; 0 at the end.
    typealias Fill = (UnsafeMutableRawBufferPointer) throws(AppProjectError) -> Int

    private let fill: Fill
    /// Goes to an offset without reading what is before it; nil where that is not possible.
    private let seek: ((Int) -> Bool)?
    private let limit: Int
    private(set) var position = 0

    /// - Parameter limit: How many bytes are read at most, those included that are passed over.
    init(limit: Int, seek: ((Int) -> Bool)? = nil, fill: @escaping Fill) {
        self.limit = limit
        self.seek = seek
        self.fill = fill
    }

    /// - Parameter count: Small, or bounded before.
    mutating func read(_ count: Int) throws(Failure) -> [UInt8] {
        guard count <= limit - position || seek != nil else { throw .tooFar }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = try next(&bytes, from: filled)
            guard more > 0 else { throw .truncated }
            filled += more
        }
        return bytes
    }

    /// Passes over what is before an offset.
    mutating func skip(to offset: Int) throws(Failure) {
        guard offset >= position else { throw .backwards }
        guard offset > position else { return }
        if let seek {
            guard seek(offset) else { throw .truncated }
            position = offset
            return
        }
        guard offset <= limit else { throw .tooFar }
        var buffer = [UInt8](repeating: 0, count: min(offset - position, 1 << 17))
        while position < offset {
            if buffer.count > offset - position { buffer.removeLast(buffer.count - (offset - position)) }
            guard try next(&buffer, from: 0) > 0 else { throw .truncated }
        }
    }

    private mutating func next(_ bytes: inout [UInt8], from start: Int) throws(Failure) -> Int {
        var failure: AppProjectError?
        let count = bytes.withUnsafeMutableBytes { buffer in
            do throws(AppProjectError) {
                return try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw .source(failure) }
        position += count
        return count
    }
}
