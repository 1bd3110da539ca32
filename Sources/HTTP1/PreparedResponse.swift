/// A response that was written out when its document was loaded, with one of the status codes of `Status`.
///
/// It is a view without ownership; each `allocate` needs one `deallocate`.
package struct PreparedResponse: Sendable, BitwiseCopyable {
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
    package let message: PreparedMessage

    /// An upper bound for what `writeHead` writes for any response of this server.
    @inlinable package static var longestHead: Int { 1_024 }

    /// Writes out a response.
    ///
    /// - Parameters:
    ///   - fields: names and values, without `Date` and `Connection`; fewer than `PreparedMessage.maxFields` with those
    ///     that are added.
    ///   - body: `nil` for a response with neither body nor `Content-Length` (304).
    package static func allocate(
        _ status: Status, fields: [(name: ResponseField, value: String)], body: [UInt8]?
    ) -> PreparedResponse {
        var all = fields
        // A browser must not take a file for a page.
        if let body { all += [(.contentTypeOptions, "nosniff"), (.contentLength, "\(body.count)")] }
        let message = (body ?? []).withUnsafeBufferPointer {
            PreparedMessage.allocate(status.rawValue, status.reasonPhrase, fields: all, body: $0)
        }
        return PreparedResponse(status: status, message: message)
    }

    /// A plain text error; `extra` are fields of its own.
    package static func allocateError(
        _ status: Status, text: String, extra: [(name: ResponseField, value: String)] = []
    ) -> PreparedResponse {
        allocate(status, fields: [(.contentType, "text/plain")] + extra, body: Array("\(text)\n".utf8))
    }

    package func deallocate() { message.deallocate() }

    package var bodyCount: Int { message.bodyCount }

    /// The body, valid as long as the response is.
    package var body: UnsafeRawBufferPointer { message.body }

    /// Writes head and empty line, with the current date.
    ///
    /// - Parameters:
    ///   - output: has room for `longestHead` bytes.
    ///   - date: 29 bytes, as `HTTPDate.write` makes them.
    /// - Returns: how many bytes were written.
    package func writeHead(
        to output: UnsafeMutablePointer<UInt8>, date: UnsafePointer<UInt8>, connection: ConnectionField
    ) -> Int {
        message.writeHead(to: output, date: date, connection: connection)
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
