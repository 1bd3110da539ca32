internal import Foundation

/// The action of a stub server on a request: it answers, or misbehaves.
package struct StubAnswer: Sendable {
    let send: @Sendable (StubConnection) -> Void

    package init(_ send: @escaping @Sendable (StubConnection) -> Void) { self.send = send }

    /// A complete answer.
    ///
    /// - Parameter fields: beside `Content-Length`, each a line without its end.
    package static func status(_ status: Int, _ fields: [String] = [], _ body: [UInt8] = []) -> Self {
        StubAnswer { connection in
            connection.send(head(status, fields + ["Content-Length: \(body.count)"]))
            connection.send(body)
        }
    }

    package static func status(_ status: Int, _ fields: [String] = [], _ body: String) -> Self {
        self.status(status, fields, Array(body.utf8))
    }

    /// 200 with a file.
    package static func json(
        _ body: String, type: String = "application/json", _ fields: [String] = []
    ) -> Self {
        status(200, ["Content-Type: \(type)"] + fields, body)
    }

    /// 200 with the page of a host that answers everything.
    package static let page = status(
        200, ["Content-Type: text/html; charset=utf-8"], "<!doctype html>\n<title>Shop</title>\n<p>Welcome\n")

    package static func redirect(to location: String, _ status: Int = 301) -> Self {
        self.status(status, ["Location: \(location)", "Content-Type: text/html"], "<p>moved\n")
    }

    private static func head(_ status: Int, _ fields: [String]) -> String {
        let reasons = [
            200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 307: "Temporary Redirect",
            401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests",
            500: "Internal Server Error", 503: "Service Unavailable",
        ]
        let lines = ["HTTP/1.1 \(status) \(reasons[status] ?? "Whatever")"] + fields
        return lines.map { "\($0)\r\n" }.joined() + "\r\n"
    }
}

// Faults. None ends by itself that the client does not end.
extension StubAnswer {
    /// Nothing at all.
    package static let silence = StubAnswer { $0.waitForEnd() }

    /// The beginning of a header, then nothing.
    package static let stalledHeader = StubAnswer { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        connection.waitForEnd()
    }

    /// The beginning of a body, then nothing.
    package static let stalledBody = StubAnswer { connection in
        connection.send(head(200, ["Content-Type: application/json", "Content-Length: 1000"]) + "{\"applinks\":")
        connection.waitForEnd()
    }

    package static let endlessBody = StubAnswer { connection in
        connection.send(head(200, ["Content-Type: application/json"]))
        let chunk = [UInt8](repeating: UInt8(ascii: " "), count: 16_000)
        while connection.send(chunk) {}
    }

    /// Fewer bytes than were promised.
    package static let shortBody = StubAnswer { connection in
        connection.send(head(200, ["Content-Type: application/json", "Content-Length: 1000"]) + "{\"applinks\":{")
    }

    /// A coding that cannot be undone, because the body is not in it.
    package static let damagedGzip = status(
        200, ["Content-Type: application/json", "Content-Encoding: gzip"], "{\"applinks\":{}}")

    /// The connection is reset instead of an answer.
    package static let reset = StubAnswer { $0.resetAtEnd() }

    /// The connection is closed instead of an answer.
    package static let close = StubAnswer { _ in }

    /// Bytes that are not HTTP.
    package static let garbage = StubAnswer { connection in
        connection.send([UInt8](repeating: 0x80, count: 3_000))
        connection.waitForEnd()
    }

    /// A header of more than 32 KiB.
    package static let largeHeader = StubAnswer { connection in
        let line = "X-Filler: " + String(repeating: "a", count: 1_000)
        connection.send(head(200, Array(repeating: line, count: 40) + ["Content-Length: 2"]) + "{}")
    }

    /// A terminal's escape sequence, bidirectional controls and bytes that are not UTF-8, wherever somebody may print
    /// them.
    package static let hostileFields = StubAnswer { connection in
        let hostile = "\u{1B}[31m\u{202E}evil"
        connection.send("HTTP/1.1 302 \(hostile)\r\nLocation: https://\(hostile)/")
        connection.send([0xFF, 0xC3])
        connection.send("\r\nServer: \(hostile)\r\nContent-Type: \(hostile)\r\nContent-Length: 0\r\n\r\n")
    }
}
