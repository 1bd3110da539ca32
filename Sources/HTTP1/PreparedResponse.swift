/// A response that was written out when its document was loaded: to answer is to copy.
///
/// It is a view without ownership; each `allocate` needs one `deallocate`. The memory holds the head, with room for
/// the date, the empty line, and the body.
package struct PreparedResponse: @unchecked Sendable, BitwiseCopyable {
    /// The `Connection` field of an answer.
    package enum ConnectionField: UInt8, Sendable, BitwiseCopyable {
        case none, close, keepAlive

        /// With its line end.
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
    /// Without the empty line.
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
