internal import HTTP1

/// The answers that do not depend on a site; made once for a server.
package final class StandardResponses: @unchecked Sendable {
    package struct View: BitwiseCopyable {
        let badRequest: PreparedResponse
        let notFound: PreparedResponse
        let methodNotAllowed: PreparedResponse
        let requestTimeout: PreparedResponse
        let preconditionFailed: PreparedResponse
        let uriTooLong: PreparedResponse
        let expectationFailed: PreparedResponse
        let misdirectedRequest: PreparedResponse
        let fieldsTooLarge: PreparedResponse
        let unavailable: PreparedResponse
        let versionNotSupported: PreparedResponse
        /// For a client that speaks HTTP in clear.
        let speaksHTTPS: PreparedResponse

        /// The answer to a request that was refused for its form.
        func refusal(_ status: Status) -> PreparedResponse {
            switch status {
            case .uriTooLong: uriTooLong
            case .requestHeaderFieldsTooLarge: fieldsTooLarge
            case .httpVersionNotSupported: versionNotSupported
            case .requestTimeout: requestTimeout
            default: badRequest
            }
        }
    }

    package let view: View

    package init() {
        view = View(
            badRequest: .allocateError(.badRequest, text: "bad request"),
            notFound: .allocateError(.notFound, text: "not found"),
            methodNotAllowed: .allocateError(
                .methodNotAllowed, text: "method not allowed", extra: [("Allow", "GET, HEAD")]),
            requestTimeout: .allocateError(.requestTimeout, text: "request timeout"),
            preconditionFailed: .allocateError(.preconditionFailed, text: "precondition failed"),
            uriTooLong: .allocateError(.uriTooLong, text: "request line too long"),
            expectationFailed: .allocateError(.expectationFailed, text: "expectation failed"),
            misdirectedRequest: .allocateError(
                .misdirectedRequest, text: "this connection's certificate does not cover that host"),
            fieldsTooLarge: .allocateError(.requestHeaderFieldsTooLarge, text: "request head too large"),
            unavailable: .allocateError(
                .serviceUnavailable, text: "the file of this site is faulty", extra: [("Retry-After", "300")]),
            versionNotSupported: .allocateError(.httpVersionNotSupported, text: "HTTP version not supported"),
            speaksHTTPS: .allocateError(.badRequest, text: "this port speaks HTTPS"))
    }

    deinit {
        for response in [
            view.badRequest, view.notFound, view.methodNotAllowed, view.requestTimeout, view.preconditionFailed,
            view.uriTooLong, view.expectationFailed, view.misdirectedRequest, view.fieldsTooLarge, view.unavailable,
            view.versionNotSupported, view.speaksHTTPS,
        ] {
            response.deallocate()
        }
    }
}
