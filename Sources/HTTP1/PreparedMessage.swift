/// The head and the body of an answer, written out beforehand: to answer is to copy.
///
/// It is a view without ownership; each `allocate` needs one `deallocate`. The memory holds where the fields are, the head,
/// with room for the date, the empty line, and the body. It knows no set of status codes: that is the part of the types which
/// are made of it, such as `PreparedResponse`.
package struct PreparedMessage: @unchecked Sendable, BitwiseCopyable {
    /// A field as HTTP/2 has it: its name, and where its value is in the head.
    private struct Field: BitwiseCopyable {
        let name: ResponseField
        let start: UInt16
        let count: UInt16
    }

    /// The number of fields, `Date` included; without `Connection`.
    private let fieldCountByte: UInt8
    /// The head; the fields are right before it.
    private let bytes: UnsafeMutablePointer<UInt8>
    /// The length of the head, which excludes its empty line.
    private let headCount: Int
    package let bodyCount: Int
    private let dateOffset: Int

    /// The most fields of an answer.
    package static var maxFields: Int { 15 }

    /// Writes out an answer.
    ///
    /// - Parameters:
    ///   - code: three digits.
    ///   - fields: all but `Date` and `Connection`, of less than 64 KiB together; fewer than `maxFields`.
    package static func allocate(
        _ code: UInt16, _ reasonPhrase: String, fields: [(name: ResponseField, value: String)],
        body: UnsafeBufferPointer<UInt8>
    ) -> PreparedMessage {
        var head = Array("HTTP/1.1 \(code) \(reasonPhrase)\r\n".utf8)
        var ranges: [Field] = []
        for field in [(.date, HTTPDate.string(0))] + fields {
            let name = field.name.text
            head += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            head += [Characters.colon, Characters.space]
            let start = head.count
            head += field.value.utf8
            ranges.append(
                Field(
                    name: field.name, start: UInt16(truncatingIfNeeded: start),
                    count: UInt16(truncatingIfNeeded: head.count - start)))
            head += [Characters.carriageReturn, Characters.lineFeed]
        }
        let headCount = head.count
        head += [Characters.carriageReturn, Characters.lineFeed]
        let room = roomForFields(ranges.count)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: room + head.count + body.count, alignment: MemoryLayout<UInt>.alignment)
        memory.bindMemory(to: Field.self, capacity: ranges.count).initialize(from: ranges, count: ranges.count)
        let bytes = (memory + room).bindMemory(to: UInt8.self, capacity: head.count + body.count)
        bytes.initialize(from: head, count: head.count)
        if let start = body.baseAddress { (bytes + head.count).initialize(from: start, count: body.count) }
        return PreparedMessage(
            fieldCountByte: UInt8(truncatingIfNeeded: ranges.count), bytes: bytes, headCount: headCount,
            bodyCount: body.count, dateOffset: ranges.first.map { Int($0.start) } ?? 0)
    }

    private static func roomForFields(_ count: Int) -> Int {
        (count * MemoryLayout<Field>.stride + 7) / 8 * 8
    }

    package func deallocate() { memory.deallocate() }

    private var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bytes) - Self.roomForFields(fieldCount) }

    /// The number of fields, `Date` included.
    package var fieldCount: Int { Int(fieldCountByte) }

    /// A field with its value, which is valid as long as the message is; that of `Date` is any date.
    ///
    /// - Parameter index: from 0, less than `fieldCount`.
    package func field(at index: Int) -> (name: ResponseField, value: UnsafeBufferPointer<UInt8>) {
        let field = (memory + index &* MemoryLayout<Field>.stride).load(as: Field.self)
        return (field.name, UnsafeBufferPointer(start: bytes + Int(field.start), count: Int(field.count)))
    }

    /// The three digits of the status.
    package var statusDigits: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + 9, count: 3) }

    /// The body, valid as long as the message is.
    package var body: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + headCount + 2, count: bodyCount)
    }

    /// An upper bound for what `writeHead` writes of this message.
    package var longestHead: Int { headCount &+ 32 }

    /// Writes head and empty line, with the current date.
    ///
    /// - Parameters:
    ///   - output: has room for `longestHead` bytes.
    ///   - date: 29 bytes, as `HTTPDate.write` makes them.
    /// - Returns: how many bytes were written.
    package func writeHead(
        to output: UnsafeMutablePointer<UInt8>, date: UnsafePointer<UInt8>,
        connection: PreparedResponse.ConnectionField
    ) -> Int {
        output.update(from: bytes, count: headCount)
        (output + dateOffset).update(from: date, count: HTTPDate.count)
        let line = connection.line
        (output + headCount).update(from: line.utf8Start, count: line.utf8CodeUnitCount)
        let end = headCount &+ line.utf8CodeUnitCount
        output[end] = Characters.carriageReturn
        output[end &+ 1] = Characters.lineFeed
        return end &+ 2
    }
}
