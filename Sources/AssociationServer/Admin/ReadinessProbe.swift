internal import Diagnostics
internal import EventLoops
internal import SystemSupport

/// Asks the admin listener of a running server whether clients can be sent to it.
package enum ReadinessProbe {
    /// The time for the whole probe, in milliseconds.
    package static let patience = 5_000
    /// The most that is read of an answer, in bytes.
    private static let limit = 16_384
    private static let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    /// The answer of `/readyz`.
    package struct Answer: Equatable, Sendable {
        package let isReady: Bool
        /// The body, which excludes its final line feed.
        package let body: String

        /// - Returns: `nil` for bytes that are not an answer of `/readyz`.
        package init?(_ bytes: [UInt8]) {
            let end = Array("\r\n\r\n".utf8)
            guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
            let words = String(decoding: bytes[..<head].prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
            guard words.count > 1, words[0].hasPrefix("HTTP/1.") else { return nil }
            switch words[1] {
            case "200": isReady = true
            case "503": isReady = false
            default: return nil
            }
            var body = bytes[(head + end.count)...]
            if body.last == UInt8(ascii: "\n") { body.removeLast() }
            self.body = String(decoding: body, as: UTF8.self)
        }
    }

    /// - Parameters:
    ///   - text: the address of the admin listener, as `admin` in server.json; `nil` is none.
    ///   - patience: milliseconds for all of it.
    /// - Throws: `ServerError.Code.addressUnavailable` if nobody answers, or not as an admin listener does.
    package static func ask(_ text: String?, patience: Int = patience) throws(ServerError) -> Answer {
        guard let text, let address = AdminAddress.address(text), AdminAddress.problem(text) == nil else {
            throw ServerError(
                .addressUnavailable, "the server has no admin listener",
                help: "set 'admin' in server.json, or give its address with --admin")
        }
        guard address.port != 0 else {
            throw ServerError(
                .addressUnavailable, "cannot probe \(text): port 0 is a different port for each server",
                help: "choose a port for the admin listener")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try LocalClient.ask(Array(request.utf8), at: address, within: patience, limit: limit)
        } catch {
            let reason = error.isTimeout ? "no answer within \(patience / 1_000) seconds" : error.reason
            throw ServerError(.addressUnavailable, "no server answers at \(address): \(reason)")
        }
        guard let answer = Answer(bytes) else {
            throw ServerError(
                .addressUnavailable, "the server at \(address) is not the admin listener of 'aasa serve'")
        }
        return answer
    }
}
