/// A response that was written out when its document was loaded: to answer is to copy.
///
/// It is a view without ownership; each `allocate` needs one `deallocate`. The memory holds the head, with room for
/// the date, the empty line, and the body.
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

    package let status: Status
    private let bytes: UnsafeMutablePointer<UInt8>
    /// The length of the head, which excludes its empty line.
    private let headCount: Int
    package let bodyCount: Int
    private let dateOffset: Int

    /// An upper bound for what `writeHead` writes for any response of this server.
    @inlinable package static var longestHead: Int { 1_024 }

    /// Writes out a response.
    ///
    /// - Parameters:
    ///   - fields: names and values, without `Date` and `Connection`.
    ///   - body: `nil` for a response with neither body nor `Content-Length` (304).
    package static func allocate(
        _ status: Status, fields: [(name: String, value: String)], body: [UInt8]?
    ) -> PreparedResponse {
        var head = Array("HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\nDate: ".utf8)
        let dateOffset = head.count
        head += Array("\(HTTPDate.string(0))\r\n".utf8)
        for field in fields { head += Array("\(field.name): \(field.value)\r\n".utf8) }
        if let body {
            // A browser must not take a file for a page.
            head += Array("X-Content-Type-Options: nosniff\r\nContent-Length: \(body.count)\r\n".utf8)
        }
        let all = head + [Characters.carriageReturn, Characters.lineFeed] + (body ?? [])
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: all.count)
        bytes.initialize(from: all, count: all.count)
        return PreparedResponse(
            status: status, bytes: bytes, headCount: head.count, bodyCount: body?.count ?? 0, dateOffset: dateOffset)
    }

    /// A plain text error; `extra` are fields of its own.
    package static func allocateError(
        _ status: Status, text: String, extra: [(name: String, value: String)] = []
    ) -> PreparedResponse {
        allocate(status, fields: [("Content-Type", "text/plain")] + extra, body: Array("\(text)\n".utf8))
    }

    package func deallocate() { bytes.deallocate() }

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
