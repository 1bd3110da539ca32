internal import Diagnostics
internal import HTTP1

/// An answer of the admin listener.
struct AdminAnswer {
    let status: Status
    let contentType: String
    let body: [UInt8]

    static func text(_ text: String, _ status: Status = .ok) -> AdminAnswer {
        AdminAnswer(status: status, contentType: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
    }

    static func json(_ members: [String: JSONOutput], _ status: Status = .ok) -> AdminAnswer {
        let text = JSONOutput.object(members).text
        return AdminAnswer(status: status, contentType: "application/json", body: Array("\(text)\n".utf8))
    }

    static func metrics(_ body: [UInt8]) -> AdminAnswer {
        AdminAnswer(status: .ok, contentType: "text/plain; version=0.0.4; charset=utf-8", body: body)
    }

    /// All that is sent.
    ///
    /// - Parameters:
    ///   - sendsBody: `false` for HEAD.
    ///   - now: in seconds since 1970.
    func bytes(_ connection: PreparedResponse.ConnectionField, sendsBody: Bool, now: Int64) -> [UInt8] {
        var fields: [(name: String, value: String)] = [
            ("Content-Type", contentType), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Length", "\(body.count)"),
        ]
        if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
        let head = PreparedResponse.allocate(status, fields: fields, body: nil)
        defer { head.deallocate() }
        var bytes = [UInt8](unsafeUninitializedCapacity: PreparedResponse.longestHead) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HTTPDate.count) { date in
                guard let text = date.baseAddress else { return }
                HTTPDate.write(now, to: text)
                count = head.writeHead(to: start, date: text, connection: connection)
            }
        }
        if sendsBody { bytes += body }
        return bytes
    }
}
