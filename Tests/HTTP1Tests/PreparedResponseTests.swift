import HTTP1
import Testing

struct PreparedResponseTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// The head as it is written; `nil` if more is written than is reported.
    private func head(of response: PreparedResponse, _ connection: PreparedResponse.ConnectionField = .none) -> String?
    {
        var output = [UInt8](repeating: 0xEE, count: PreparedResponse.longestHead)
        let date = bytes(Self.date)
        let count = output.withUnsafeMutableBufferPointer { output in
            date.withUnsafeBufferPointer { date in
                guard let start = output.baseAddress, let date = date.baseAddress else { return 0 }
                return response.writeHead(to: start, date: date, connection: connection)
            }
        }
        return output[count...].allSatisfy { $0 == 0xEE } ? String(decoding: output[..<count], as: UTF8.self) : nil
    }

    @Test(
        "A head has its date and what the answer says of the connection",
        arguments: [
            (.none, ""), (.close, "Connection: close\r\n"), (.keepAlive, "Connection: keep-alive\r\n"),
        ] as [(PreparedResponse.ConnectionField, String)])
    func connection(field: PreparedResponse.ConnectionField, line: String) {
        let response = PreparedResponse.allocate(
            .ok, fields: [(.contentType, "application/json"), (.entityTag, "\"abc\"")],
            body: bytes("{\"a\":1}\r\n\0\u{FF}"))
        defer { response.deallocate() }
        // Twice: writing leaves no trace in the response.
        for _ in 0..<2 {
            #expect(
                head(of: response, field)
                    == "HTTP/1.1 200 OK\r\nDate: \(Self.date)\r\nContent-Type: application/json\r\n"
                    + "ETag: \"abc\"\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 11\r\n\(line)\r\n")
        }
        #expect(response.status == .ok)
        #expect(response.bodyCount == 11)
        #expect(Array(response.body) == bytes("{\"a\":1}\r\n\0\u{FF}"))
    }

    @Test("A 304 has no body and no Content-Length")
    func notModified() {
        let response = PreparedResponse.allocate(.notModified, fields: [(.entityTag, "\"abc\"")], body: nil)
        defer { response.deallocate() }
        #expect(head(of: response) == "HTTP/1.1 304 Not Modified\r\nDate: \(Self.date)\r\nETag: \"abc\"\r\n\r\n")
        #expect(response.bodyCount == 0)
        #expect(response.body.isEmpty)
    }

    @Test("An empty body has a Content-Length")
    func emptyBody() {
        let response = PreparedResponse.allocate(.ok, fields: [], body: [])
        defer { response.deallocate() }
        #expect(
            head(of: response) == "HTTP/1.1 200 OK\r\nDate: \(Self.date)\r\n"
                + "X-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n")
        #expect(response.body.isEmpty)
    }

    @Test("An error is a line of plain text")
    func error() {
        let response = PreparedResponse.allocateError(
            .methodNotAllowed, text: "method not allowed", extra: [(.allow, "GET, HEAD")])
        defer { response.deallocate() }
        #expect(
            head(of: response, .close) == "HTTP/1.1 405 Method Not Allowed\r\nDate: \(Self.date)\r\n"
                + "Content-Type: text/plain\r\nAllow: GET, HEAD\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 19\r\nConnection: close\r\n\r\n"
        )
        #expect(String(decoding: response.body, as: UTF8.self) == "method not allowed\n")
    }

    @Test("A large body is kept byte for byte")
    func largeBody() {
        let body = (0..<131_072).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let response = PreparedResponse.allocate(.ok, fields: [], body: body)
        defer { response.deallocate() }
        #expect(response.bodyCount == body.count)
        #expect(response.body.elementsEqual(body))
    }

    @Test("No status is a redirect", arguments: Status.allCases)
    func status(status: Status) throws {
        #expect(status == .notModified || !(300..<400).contains(status.rawValue))
        let response = PreparedResponse.allocateError(status, text: status.reasonPhrase)
        defer { response.deallocate() }
        let head = try #require(self.head(of: response, .close))
        #expect(head.hasPrefix("HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\nDate: \(Self.date)\r\n"))
        #expect(!head.lowercased().contains("location"))
        #expect(!status.reasonPhrase.isEmpty)
    }

    @Test("The statuses are those of the specification")
    func statuses() {
        #expect(
            Status.allCases.map(\.rawValue) == [
                200, 304, 400, 403, 404, 405, 408, 411, 412, 413, 414, 415, 417, 421, 422, 431, 503, 505,
            ])
    }
}
