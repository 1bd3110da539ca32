/// A response that was written out when its document was loaded: to answer is to copy.
///
/// It is a view without ownership; each `allocate` needs one `deallocate`. The memory holds where the fields are, the head,
/// with room for the date, the empty line, and the body.
package struct PreparedResponse: @unchecked Sendable, BitwiseCopyable {
    /// The `Connection` field of an answer.
    package enum ConnectionField: UInt8, Sendable, BitwiseCopyable {
        case none, close, keepAlive

        /// The field with its line end.
        package var line: StaticString {
            switch self {
            case .none: ""
            case .close: "Connection: close\r\n"
            case .keepAlive: "Connection: keep-alive\r\n"
            }
        }
    }

    /// A field as HTTP/2 has it: its name, and where its value is in the head.
    private struct Field: BitwiseCopyable {
        let name: ResponseField
        let start: UInt16
        let count: UInt16
    }

    package let status: Status
    /// The number of fields, `Date` included; without `Connection`.
    private let fieldCountByte: UInt8
    /// The head; the fields are right before it.
    private let bytes: UnsafeMutablePointer<UInt8>
    /// The length of the head, which excludes its empty line.
    private let headCount: Int
    package let bodyCount: Int
    private let dateOffset: Int

    /// An upper bound for what `writeHead` writes for any response of this server.
    @inlinable package static var longestHead: Int { 1_024 }

    /// The most fields of a response.
    package static var maxFields: Int { 15 }

    /// Writes out a response.
    ///
    /// - Parameters:
    ///   - fields: names and values, without `Date` and `Connection`; at most `maxFields` with those that are added.
    ///   - body: `nil` for a response with neither body nor `Content-Length` (304).
    package static func allocate(
        _ status: Status, fields: [(name: ResponseField, value: String)], body: [UInt8]?
    ) -> PreparedResponse {
        var all: [(name: ResponseField, value: String)] = [(.date, HTTPDate.string(0))] + fields
        // A browser must not take a file for a page.
        if let body { all += [(.contentTypeOptions, "nosniff"), (.contentLength, "\(body.count)")] }
        var head = Array("HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n".utf8)
        var ranges: [Field] = []
        for field in all {
            head += Array("\(field.name.text): ".utf8)
            let value = Array(field.value.utf8)
            ranges.append(
                Field(
                    name: field.name, start: UInt16(truncatingIfNeeded: head.count),
                    count: UInt16(truncatingIfNeeded: value.count)))
            head += value + [Characters.carriageReturn, Characters.lineFeed]
        }
        let dateOffset = ranges.first.map { Int($0.start) } ?? 0
        let content = head + [Characters.carriageReturn, Characters.lineFeed] + (body ?? [])
        let room = roomForFields(ranges.count)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: room + content.count, alignment: MemoryLayout<UInt>.alignment)
        memory.bindMemory(to: Field.self, capacity: ranges.count).initialize(from: ranges, count: ranges.count)
        let bytes = (memory + room).bindMemory(to: UInt8.self, capacity: content.count)
        bytes.initialize(from: content, count: content.count)
        return PreparedResponse(
            status: status, fieldCountByte: UInt8(truncatingIfNeeded: ranges.count), bytes: bytes,
            headCount: head.count,
            bodyCount: body?.count ?? 0, dateOffset: dateOffset)
    }

    private static func roomForFields(_ count: Int) -> Int {
        (count * MemoryLayout<Field>.stride + 7) / 8 * 8
    }

    /// A plain text error; `extra` are fields of its own.
    package static func allocateError(
        _ status: Status, text: String, extra: [(name: ResponseField, value: String)] = []
    ) -> PreparedResponse {
        allocate(status, fields: [(.contentType, "text/plain")] + extra, body: Array("\(text)\n".utf8))
    }

    package func deallocate() { memory.deallocate() }

    private var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bytes) - Self.roomForFields(fieldCount) }

    /// The number of fields, `Date` included.
    package var fieldCount: Int { Int(fieldCountByte) }

    /// A field with its value, which is valid as long as the response is; that of `Date` is any date.
    ///
    /// - Parameter index: from 0, less than `fieldCount`.
    package func field(at index: Int) -> (name: ResponseField, value: UnsafeBufferPointer<UInt8>) {
        let field = (memory + index &* MemoryLayout<Field>.stride).load(as: Field.self)
        return (field.name, UnsafeBufferPointer(start: bytes + Int(field.start), count: Int(field.count)))
    }

    /// The three digits of the status.
    package var statusDigits: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + 9, count: 3) }

    /// The body, valid as long as the response is.
    package var body: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + headCount + 2, count: bodyCount)
    }

    /// Writes head and empty line, with the current date.
    ///
    /// - Parameters:
    ///   - output: has room for `longestHead` bytes.
    ///   - date: 29 bytes, as `HTTPDate.write` makes them.
    /// - Returns: how many bytes were written.
    package func writeHead(
        to output: UnsafeMutablePointer<UInt8>, date: UnsafePointer<UInt8>, connection: ConnectionField
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

/// The status codes that this server can answer with (RFC 9110, section 15).
///
/// There is no 3xx but 304: a redirect cannot be expressed, because an association file after one does not work.
package enum Status: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case ok = 200
    case notModified = 304
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case lengthRequired = 411
    case preconditionFailed = 412
    case contentTooLarge = 413
    case uriTooLong = 414
    case unsupportedMediaType = 415
    case expectationFailed = 417
    case misdirectedRequest = 421
    case unprocessableContent = 422
    case requestHeaderFieldsTooLarge = 431
    case serviceUnavailable = 503
    case httpVersionNotSupported = 505

    /// The index in `allCases`.
    @inlinable package var index: Int {
        switch self {
        case .ok: 0
        case .notModified: 1
        case .badRequest: 2
        case .forbidden: 3
        case .notFound: 4
        case .methodNotAllowed: 5
        case .requestTimeout: 6
        case .lengthRequired: 7
        case .preconditionFailed: 8
        case .contentTooLarge: 9
        case .uriTooLong: 10
        case .unsupportedMediaType: 11
        case .expectationFailed: 12
        case .misdirectedRequest: 13
        case .unprocessableContent: 14
        case .requestHeaderFieldsTooLarge: 15
        case .serviceUnavailable: 16
        case .httpVersionNotSupported: 17
        }
    }

    package var reasonPhrase: String {
        switch self {
        case .ok: "OK"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .lengthRequired: "Length Required"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .expectationFailed: "Expectation Failed"
        case .misdirectedRequest: "Misdirected Request"
        case .unprocessableContent: "Unprocessable Content"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        }
    }
}
