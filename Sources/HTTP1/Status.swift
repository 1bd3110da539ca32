/// The status codes that this server can answer with (RFC 9110, section 15).
///
/// There is no 3xx but 304: a redirect cannot be expressed, because an association file after one does not work.
package enum Status: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case ok = 200
    case notModified = 304
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case preconditionFailed = 412
    case uriTooLong = 414
    case expectationFailed = 417
    case misdirectedRequest = 421
    case requestHeaderFieldsTooLarge = 431
    case serviceUnavailable = 503
    case httpVersionNotSupported = 505

    /// The index in `allCases`.
    @inlinable package var index: Int {
        switch self {
        case .ok: 0
        case .notModified: 1
        case .badRequest: 2
        case .notFound: 3
        case .methodNotAllowed: 4
        case .requestTimeout: 5
        case .preconditionFailed: 6
        case .uriTooLong: 7
        case .expectationFailed: 8
        case .misdirectedRequest: 9
        case .requestHeaderFieldsTooLarge: 10
        case .serviceUnavailable: 11
        case .httpVersionNotSupported: 12
        }
    }

    package var reasonPhrase: String {
        switch self {
        case .ok: "OK"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .preconditionFailed: "Precondition Failed"
        case .uriTooLong: "URI Too Long"
        case .expectationFailed: "Expectation Failed"
        case .misdirectedRequest: "Misdirected Request"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        }
    }
}
