package import Diagnostics
package import HTTP1

/// An answer of a listener for this machine: of the console, its API, or the health of a server.
package struct ConsoleAnswer: Sendable {
    package let status: Status
    package let contentType: String
    /// Fields besides those that every answer has.
    package var fields: [(name: String, value: String)] = []
    /// Empty for 304; for HEAD it is what GET would get.
    package let body: [UInt8]

    package init(_ status: Status, _ contentType: String, _ fields: [(name: String, value: String)] = [], body: [UInt8])
    {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }

    /// One line of plain text.
    package static func text(_ status: Status, _ text: String) -> ConsoleAnswer {
        ConsoleAnswer(status, "text/plain; charset=utf-8", [noStore], body: Array("\(text)\n".utf8))
    }

    /// A JSON text on one line.
    package static func json(_ text: String, _ status: Status = .ok) -> ConsoleAnswer {
        ConsoleAnswer(status, "application/json", [noStore], body: Array("\(text)\n".utf8))
    }

    static func page(_ body: [UInt8], _ status: Status = .ok) -> ConsoleAnswer {
        ConsoleAnswer(
            status, "text/html; charset=utf-8", [noStore, ("Content-Security-Policy", contentSecurityPolicy)],
            body: body)
    }

    /// The API's answer to a request that it does not fulfil.
    ///
    /// - Parameters:
    ///   - message: One clause, lower case, without a final period.
    ///   - members: Further members of the JSON object.
    package static func error(
        _ status: Status, _ code: APIError.Code, _ message: String, _ members: [String: JSONOutput] = [:]
    ) -> ConsoleAnswer {
        let object: [String: JSONOutput] = [
            "version": .number(1), "error": .string(message), "code": .string(code.rawValue),
        ]
        return .json(JSONOutput.object(members.merging(object) { $1 }).text, status)
    }

    /// The answer while too much waits to be answered.
    ///
    /// - Parameter retryAfter: Seconds.
    package static func busy(_ message: String, retryAfter: Int) -> ConsoleAnswer {
        var answer = error(.serviceUnavailable, .busy, message)
        answer.fields.append(("Retry-After", "\(retryAfter)"))
        return answer
    }

    /// Keeps an answer out of caches.
    package static let noStore = (name: "Cache-Control", value: "no-store")

    /// Nothing but this program's own files, and no text becomes script or markup.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types 'none'
        """

    private static let common = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
    ]

    /// All that is sent.
    ///
    /// - Parameters:
    ///   - sendsBody: False for HEAD.
    ///   - now: In seconds since 1970.
    package func bytes(_ connection: PreparedResponse.ConnectionField, sendsBody: Bool, now: Int64) -> [UInt8] {
        var head = "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\nDate: \(HTTPDate.string(now))\r\n"
        var fields = Self.common + self.fields
        if status != .notModified { fields += [("Content-Type", contentType), ("Content-Length", "\(body.count)")] }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        head += "\(connection.line)\r\n"
        return Array(head.utf8) + (sendsBody ? body : [])
    }
}

/// Why the API does not fulfil a request.
package struct APIError: Error {
    package enum Code: String, Sendable, CaseIterable {
        case forbidden, misdirected
        case methodNotAllowed = "method-not-allowed"
        case unsupportedMediaType = "unsupported-media-type"
        case lengthRequired = "length-required"
        case tooLarge = "too-large"
        case badRequest = "bad-request"
        case notFound = "not-found"
        case unusableFile = "unusable-file"
        case busy
        case tooSlow = "too-slow"
    }

    let status: Status
    let code: Code
    /// One clause, lower case, without a final period.
    let message: String
    /// The findings in a file that cannot be used.
    var report: FileReport?
    /// The key of that file in a request with several.
    var file: String?

    static func badRequest(_ message: String) -> APIError {
        APIError(status: .badRequest, code: .badRequest, message: message)
    }

    static func notFound(_ message: String) -> APIError {
        APIError(status: .notFound, code: .notFound, message: message)
    }

    /// - Parameter key: Of the file, in a request with several.
    static func unusable(_ report: FileReport, in key: String? = nil) -> APIError {
        let path = report.source.path
        return APIError(
            status: .unprocessableContent, code: .unusableFile,
            message: key.map { "'\($0)' cannot be used because of the errors in '\(path)'" }
                ?? "'\(path)' cannot be used because of its errors",
            report: report, file: key)
    }

    var answer: ConsoleAnswer { .error(status, code, message, details) }

    /// The members of its JSON object besides the message and the code.
    private var details: [String: JSONOutput] {
        guard let report else { return [:] }
        var members: [String: JSONOutput] = [
            "diagnostics": .array(report.diagnostics.map { .object($0.members(in: report.source)) })
        ]
        if let file { members["file"] = .string(file) }
        return members
    }

    /// The members of the object about a file among several that is not used.
    var members: [String: JSONOutput] {
        ["error": .string(message), "file": .optional(file)].merging(details) { $1 }
    }
}
