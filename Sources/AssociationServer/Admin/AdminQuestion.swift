internal import BoundedText
internal import EventLoops
internal import SystemSupport

/// A question of a command to the admin listener of a running server.
package enum AdminQuestion {
    /// The time for a question and its answer, in milliseconds.
    package static let patience = 5_000

    /// The answer of a server that speaks HTTP.
    package struct Answer: Equatable, Sendable {
        package let status: Int
        package let body: [UInt8]

        /// - Returns: `nil` for bytes that are not an answer of HTTP/1.
        package init?(_ bytes: [UInt8]) {
            let end = Array("\r\n\r\n".utf8)
            guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
            let words = String(text: bytes[..<head].prefix { $0 != 13 }).split(separator: " ")
            guard words.count > 1, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1])
            else { return nil }
            self.status = status
            body = Array(bytes[(head + end.count)...])
        }
    }

    /// - Parameters:
    ///   - target: the path and the query to ask for.
    ///   - text: the address of the admin listener, as `admin` in server.json; `nil` is none.
    ///   - patience: milliseconds for all of it.
    ///   - limit: the most that is read of an answer, in bytes.
    ///   - read: returns `nil` for an answer that no admin listener gives.
    /// - Throws: `ServerError.Code.addressUnavailable` if nobody answers, or not as an admin listener does.
    package static func ask<Result>(
        _ target: String, at text: String?, patience: Int = patience, limit: Int, read: (Answer) -> Result?
    ) throws(ServerError) -> Result {
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
        let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try LocalClient.ask(Array(request.utf8), at: address, within: patience, limit: limit)
        } catch {
            let reason = error.isTimeout ? "no answer within \(patience / 1_000) seconds" : error.reason
            throw ServerError(.addressUnavailable, "no server answers at \(address): \(reason)")
        }
        guard let result = Answer(bytes).flatMap(read) else {
            throw ServerError(
                .addressUnavailable, "the server at \(address) is not the admin listener of 'aasa serve'")
        }
        return result
    }
}
